//! Segments and clips: units of time in which a class is detected, or is not, and should be, or should not.
//!
//! Detections of a class merge: a unit is detected if any of them shares time with it.

use std::borrow::Cow;

use super::{ClipMatches, EventLists};
use crate::clip_deltas::{ClipDeltas, Piece, Words};
use crate::criteria::Segment;
use crate::criteria::segment::{boundaries, segments_of};
use crate::error::Result;
use crate::events::{Event, Labelled};
use crate::numeric::Decimals;
use crate::scores::Score;
use crate::units::push_units;

/// Memory that is reused from clip to clip.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    classes: Vec<usize>,
    /// What is known of each segment and class, segment by segment.
    marks: Vec<u8>,
}

const DETECTED: u8 = 1;
const POSITIVE: u8 = 2;

/// Cuts a clip into segments, as the frames of its detections would be, marks them, and returns their boundaries.
fn mark_segments(criterion: &Segment, clip: &EventLists, workspace: &mut Workspace) -> Result<Vec<f64>> {
    let Workspace { classes, marks } = workspace;
    let decimals = Decimals::new(criterion.time_decimals());
    let rounded = |event: Event| Event { onset: decimals.round(event.onset), offset: decimals.round(event.offset) };
    let last_edge = clip.detections.iter().map(|(_, event)| rounded(*event).offset).fold(0.0, f64::max);
    let offsets = clip.targets.iter().map(|(_, event)| event.offset);
    let boundaries = boundaries(criterion, &clip.id, last_edge, offsets, clip.duration)?;
    classes.clear();
    classes.extend(clip.detections.iter().chain(&clip.targets).map(|(class, _)| *class));
    classes.sort_unstable();
    classes.dedup();
    marks.clear();
    marks.resize((boundaries.len() - 1) * classes.len(), 0);
    let mut mark = |class: usize, event: Event, with: u8| {
        let column = classes.partition_point(|other| *other < class);
        for segment in segments_of(event, &boundaries) {
            marks[segment * classes.len() + column] |= with;
        }
    };
    clip.detections.iter().for_each(|(class, event)| mark(*class, rounded(*event), DETECTED));
    clip.targets.iter().for_each(|(class, event)| mark(*class, *event, POSITIVE));
    Ok(boundaries)
}

/// Marks a clip as a whole, and returns it.
fn mark_clip(clip: &EventLists, workspace: &mut Workspace) -> Event {
    let Workspace { classes, marks } = workspace;
    let detected = clip.detections.iter().map(|(class, _)| (*class, DETECTED));
    let mut marked: Vec<(usize, u8)> =
        detected.chain(clip.targets.iter().map(|(class, _)| (*class, POSITIVE))).collect();
    marked.sort_unstable();
    classes.clear();
    marks.clear();
    for same in marked.chunk_by(|a, b| a.0 == b.0) {
        classes.push(same[0].0);
        marks.push(same.iter().fold(0, |marks, (_, mark)| marks | mark));
    }
    let ends = clip.detections.iter().chain(&clip.targets).map(|(_, event)| event.offset);
    Event { onset: 0.0, offset: clip.duration.unwrap_or_else(|| ends.fold(0.0, f64::max)) }
}

/// Matches the segments of a clip.
pub(super) fn match_segments(
    criterion: &Segment,
    clip: &EventLists,
    workspace: &mut Workspace,
    matches: &mut ClipMatches<'_>,
) -> Result<()> {
    let boundaries = mark_segments(criterion, clip, workspace)?;
    let segments = boundaries.windows(2).map(|ends| Event { onset: ends[0], offset: ends[1] });
    Units::of_marks(workspace, segments).into_matches(boundaries.len() - 1, matches);
    Ok(())
}

/// Matches a clip with itself, class by class.
pub(super) fn match_clip(clip: &EventLists, workspace: &mut Workspace, matches: &mut ClipMatches<'_>) {
    let whole = mark_clip(clip, workspace);
    Units::of_marks(workspace, std::iter::once(whole)).into_matches(1, matches);
}

/// The deltas of the segments of a clip, in their order, where detections have the score 1.
pub(super) fn deltas_of_segments(
    criterion: &Segment,
    clip: &EventLists,
    n_classes: usize,
    workspace: &mut Workspace,
) -> Result<ClipDeltas> {
    let n_segments = mark_segments(criterion, clip, workspace)?.len() - 1;
    Ok(deltas(&workspace.classes, &workspace.marks, n_segments, criterion.segment_length(), n_classes))
}

/// The deltas of a clip as a whole, where detections have the score 1.
pub(super) fn deltas_of_clip(clip: &EventLists, n_classes: usize, workspace: &mut Workspace) -> ClipDeltas {
    let length = mark_clip(clip, workspace).length();
    deltas(&workspace.classes, &workspace.marks, 1, length, n_classes)
}

/// Deltas of units whose `marks` stand unit by unit, in each the `classes`.
fn deltas(classes: &[usize], marks: &[u8], n_units: usize, unit_length: f64, n_classes: usize) -> ClipDeltas {
    let mut words = Vec::new();
    let mut ends = Vec::with_capacity(n_classes);
    let mut targets = Vec::new();
    let mut column = 0;
    for class in 0..n_classes {
        if classes.get(column) == Some(&class) {
            let marks = marks.iter().skip(column).step_by(classes.len());
            let units = marks.map(|mark| {
                let score = if mark & DETECTED != 0 { 1.0_f32 } else { f32::NEVER };
                (score, mark & POSITIVE != 0)
            });
            targets.extend(units.clone().filter(|(_, is_positive)| *is_positive).map(|_| (class as u32, unit_length)));
            push_units(units, &mut words);
            column += 1;
        }
        ends.push(words.len());
    }
    ClipDeltas {
        pieces: vec![Piece { words: Words::Single(words.into()), ends: ends.into() }],
        targets: targets.into(),
        n_entries: n_units,
    }
}

/// Units of time of all classes, but those where there is nothing.
struct Units {
    detections: Vec<Labelled>,
    targets: Vec<Labelled>,
    pairs: Vec<(u32, u32)>,
    false_alarms: Vec<u32>,
    misses: Vec<u32>,
}

impl Units {
    /// The units of all marks, which stand unit by unit, class by class.
    fn of_marks(workspace: &Workspace, units: impl Iterator<Item = Event>) -> Self {
        let Workspace { classes, marks } = workspace;
        let n = marks.iter().filter(|mark| **mark != 0).count();
        let mut all = Self {
            detections: Vec::with_capacity(n),
            targets: Vec::with_capacity(n),
            pairs: Vec::with_capacity(n),
            false_alarms: Vec::with_capacity(n),
            misses: Vec::with_capacity(n),
        };
        for (unit, marks) in units.zip(marks.chunks(classes.len().max(1))) {
            for (class, mark) in classes.iter().zip(marks) {
                all.push((*class, unit), mark & DETECTED != 0, mark & POSITIVE != 0);
            }
        }
        all
    }

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
