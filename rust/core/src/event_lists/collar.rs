//! Pairs of detections and targets whose ends are near, and substitutions among those that are left over.
//!
//! Detections near a target in time are neighbours in a sorted list, of onsets or of offsets, whichever leaves fewer
//! to look at. So a long recording costs `O(n log n)` and the pairs that are near.
//!
//! Substitutions follow the rule of `sed_eval`: targets without a partner, in their order, take the first detection
//! without one that they hit, whatever the classes.

use super::{ByClass, ClipMatches, EventLists, all_classes, by_class};
use crate::criteria::Collar;
use crate::criteria::collar::{count_before, edges_near};
use crate::events::{Event, Labelled};
use crate::maximum_matching::{DetectionOrder, Hit, MaximumMatching};
use crate::numeric::Decimals;

/// Memory that is reused from clip to clip.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    detections: Vec<u32>,
    targets: Vec<u32>,
    nearby: Nearby,
    hits: Vec<Hit>,
    matching: MaximumMatching,
}

/// Detections by onset and by offset.
#[derive(Debug, Default)]
struct Nearby {
    onsets: Vec<f64>,
    by_onset: Vec<u32>,
    offsets: Vec<f64>,
    by_offset: Vec<u32>,
}

impl Nearby {
    /// Takes events; their numbers are their places.
    fn refill(&mut self, events: impl Iterator<Item = Event> + Clone) {
        sort_times(events.clone().map(|event| event.onset), &mut self.onsets, &mut self.by_onset);
        sort_times(events.map(|event| event.offset), &mut self.offsets, &mut self.by_offset);
    }

    /// Shows the places of the detections that hit a target, in no order; `event_at` knows their times.
    fn hits(&self, criterion: &Collar, target: Event, event_at: impl Fn(u32) -> Event, mut visit: impl FnMut(u32)) {
        let decimals = Decimals::new(criterion.time_decimals());
        let near = |times: &[f64], time: f64, collar: f64| {
            edges_near(times, time, count_before(times, time, 0), collar, decimals)
        };
        let begin = near(&self.onsets, target.onset, criterion.onset_collar());
        let Some(offset_collar) = criterion.offset_collar_of(target) else {
            self.by_onset[begin].iter().for_each(|at| visit(*at));
            return;
        };
        let end = near(&self.offsets, target.offset, offset_collar);
        let is_near = |time: f64, other: f64, collar: f64| decimals.round((time - other).abs() - collar) <= 0.0;
        if begin.len() <= end.len() {
            let hits = self.by_onset[begin].iter();
            hits.filter(|at| is_near(event_at(**at).offset, target.offset, offset_collar)).for_each(|at| visit(*at));
        } else {
            let hits = self.by_offset[end].iter();
            hits.filter(|at| is_near(event_at(**at).onset, target.onset, criterion.onset_collar()))
                .for_each(|at| visit(*at));
        }
    }
}

fn sort_times(times: impl Iterator<Item = f64>, sorted: &mut Vec<f64>, places: &mut Vec<u32>) {
    sorted.clear();
    sorted.extend(times);
    places.clear();
    places.extend(0..sorted.len() as u32);
    places.sort_by(|a, b| sorted[*a as usize].total_cmp(&sorted[*b as usize]));
    sorted.sort_by(f64::total_cmp);
}

/// Matches the events of a clip class by class, then those that are left over whatever their class.
pub(super) fn run(
    criterion: &Collar,
    clip: &EventLists,
    substitutions: bool,
    workspace: &mut Workspace,
    matches: &mut ClipMatches<'_>,
) {
    let Workspace { detections, targets, nearby, hits, matching } = workspace;
    let detections = by_class(&clip.detections, detections);
    let targets = by_class(&clip.targets, targets);
    for class in all_classes(&detections, &targets) {
        let own = ClassEvents::new(clip, class, &detections, &targets);
        own.find_hits(criterion, nearby, hits);
        matching.find(own.detections.len(), own.targets.len(), hits, DetectionOrder::FirstHit);
        for (at, number) in own.detections.iter().enumerate() {
            match matching.target_of(at) {
                Some(target) => matches.pairs.push((*number, own.targets[target])),
                None => matches.false_alarms.push(*number),
            }
        }
        let missed = own.targets.iter().enumerate().filter(|(at, _)| matching.detection_of(*at).is_none());
        matches.misses.extend(missed.map(|(_, number)| *number));
    }
    if substitutions && !matches.false_alarms.is_empty() && !matches.misses.is_empty() {
        // From here on in the order in which they came, across classes.
        matches.false_alarms.sort_unstable();
        matches.misses.sort_unstable();
        substitute(criterion, clip, nearby, matches);
    }
}

/// The events of one class.
struct ClassEvents<'a> {
    all_detections: &'a [Labelled],
    all_targets: &'a [Labelled],
    detections: &'a [u32],
    targets: &'a [u32],
}

impl<'a> ClassEvents<'a> {
    fn new(clip: &'a EventLists, class: usize, detections: &'a ByClass<'_>, targets: &'a ByClass<'_>) -> Self {
        Self {
            all_detections: &clip.detections,
            all_targets: &clip.targets,
            detections: detections.of(class),
            targets: targets.of(class),
        }
    }

    /// Finds all hits, by target, then detection.
    fn find_hits(&self, criterion: &Collar, nearby: &mut Nearby, hits: &mut Vec<Hit>) {
        hits.clear();
        if self.detections.is_empty() || self.targets.is_empty() {
            return;
        }
        let event_at = |at: u32| self.all_detections[self.detections[at as usize] as usize].1;
        nearby.refill((0..self.detections.len() as u32).map(event_at));
        for (target, number) in self.targets.iter().enumerate() {
            let first = hits.len();
            nearby.hits(criterion, self.all_targets[*number as usize].1, event_at, |detection| {
                hits.push(Hit { target: target as u32, detection });
            });
            hits[first..].sort_unstable();
        }
    }
}

/// Targets that were missed, in their order, take the first false detection that hits them.
fn substitute(criterion: &Collar, clip: &EventLists, nearby: &mut Nearby, matches: &mut ClipMatches<'_>) {
    let free = &matches.false_alarms;
    let event_at = |at: u32| clip.detections[free[at as usize] as usize].1;
    nearby.refill((0..free.len() as u32).map(event_at));
    let mut is_taken = vec![false; free.len()];
    for target in &matches.misses {
        let mut first = None;
        nearby.hits(criterion, clip.targets[*target as usize].1, event_at, |at| {
            if !is_taken[at as usize] && first.is_none_or(|first| at < first) {
                first = Some(at);
            }
        });
        if let Some(at) = first {
            is_taken[at as usize] = true;
            matches.substitutions.push((free[at as usize], *target));
        }
    }
}
