//! Segments and clips: units of time in which a class is detected, or is not, and should be, or should not.
//!
//! Detections of a class merge: a unit is detected if any of them shares time with it.

use std::borrow::Cow;

use super::{ClipMatches, EventLists};
use crate::criteria::Segment;
use crate::criteria::segment::{boundaries, mark};
use crate::error::Result;
use crate::events::{ClipEvents, Event, Labelled};
use crate::numeric::Decimals;

/// Cuts a clip into segments, as the frames of its detections would be, and matches them.
pub(super) fn match_segments(criterion: &Segment, clip: &EventLists, matches: &mut ClipMatches<'_>) -> Result<()> {
    let decimals = Decimals::new(criterion.time_decimals());
    let rounded = clip.detections.iter().map(|(class, event)| {
        (*class, Event { onset: decimals.round(event.onset), offset: decimals.round(event.offset) })
    });
    let detections = ClipEvents::new(rounded);
    let targets = ClipEvents::new(clip.targets.iter().copied());
    let last_edge = detections.iter().map(|(_, event)| event.offset).fold(0.0, f64::max);
    let boundaries = boundaries(criterion, &clip.id, last_edge, &targets, clip.duration)?;
    let segments: Vec<Event> =
        boundaries.windows(2).map(|segment| Event { onset: segment[0], offset: segment[1] }).collect();
    let n_segments = segments.len();
    let mut units = Units::default();
    let mut classes: Vec<usize> =
        (detections.classes().iter().chain(targets.classes())).map(|class| class.class).collect();
    classes.sort_unstable();
    classes.dedup();
    let marks = |events: &ClipEvents, class: usize| {
        let own = events.classes().iter().find(|events| events.class == class);
        own.map_or_else(|| vec![false; n_segments], |own| mark(own, &boundaries))
    };
    for class in classes {
        let (is_detected, is_positive) = (marks(&detections, class), marks(&targets, class));
        for (segment, (is_detected, is_positive)) in segments.iter().zip(is_detected.into_iter().zip(is_positive)) {
            units.push((class, *segment), is_detected, is_positive);
        }
    }
    units.into_matches(n_segments, matches);
    matches.unit_length = Some(criterion.segment_length());
    Ok(())
}

/// Matches a clip with itself, class by class.
pub(super) fn match_clip(clip: &EventLists, matches: &mut ClipMatches<'_>) {
    let ends = clip.detections.iter().chain(&clip.targets).map(|(_, event)| event.offset);
    let whole = Event { onset: 0.0, offset: clip.duration.unwrap_or_else(|| ends.fold(0.0, f64::max)) };
    let mut classes: Vec<(usize, bool)> = clip.detections.iter().map(|(class, _)| (*class, true)).collect();
    classes.extend(clip.targets.iter().map(|(class, _)| (*class, false)));
    classes.sort_unstable();
    classes.dedup();
    let mut units = Units::default();
    for class in classes.chunk_by(|a, b| a.0 == b.0) {
        let has = |is_detection| class.iter().any(|(_, detection)| *detection == is_detection);
        units.push((class[0].0, whole), has(true), has(false));
    }
    units.into_matches(1, matches);
}

/// Units of time of all classes, but those where there is nothing.
#[derive(Default)]
struct Units {
    detections: Vec<Labelled>,
    targets: Vec<Labelled>,
    pairs: Vec<(u32, u32)>,
    false_alarms: Vec<u32>,
    misses: Vec<u32>,
}

impl Units {
    fn push(&mut self, unit: Labelled, is_detected: bool, is_positive: bool) {
        let (detection, target) = (self.detections.len() as u32, self.targets.len() as u32);
        match (is_detected, is_positive) {
            (true, true) => self.pairs.push((detection, target)),
            (true, false) => self.false_alarms.push(detection),
            (false, true) => self.misses.push(target),
            (false, false) => return,
        }
        if is_detected {
            self.detections.push(unit);
        }
        if is_positive {
            self.targets.push(unit);
        }
    }

    fn into_matches(self, n_units: usize, matches: &mut ClipMatches<'_>) {
        matches.detections = Cow::Owned(self.detections);
        matches.targets = Cow::Owned(self.targets);
        matches.pairs = self.pairs;
        matches.false_alarms = self.false_alarms;
        matches.misses = self.misses;
        matches.n_units = n_units;
    }
}
