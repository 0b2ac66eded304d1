//! Detections that come as lists of events, without scores: counted, and matched with targets one by one.
//!
//! Events of one class may touch, overlap and repeat, among detections as among targets. The collar and the
//! intersection criterion count each of them on its own, by the rules of [`crate::criteria::collar`] and
//! [`crate::criteria::intersection`]; the segment and the clip criterion look at units of time, in which they merge.
//!
//! What becomes of every single event are its [`ClipMatches`]; counts are their numbers. A detection has the score 1.
//!
//! # Order
//!
//! Events keep the order in which they came. Counts do not depend on it, but which of several largest matchings is
//! taken does, and with it who is left over: [`crate::maximum_matching`].

mod collar;
mod intersection;
mod interval_index;
mod units;

use std::borrow::Cow;

use crate::clip_deltas::{ClipDeltas, Piece, Words};
use crate::criteria::Criterion;
use crate::deltas::{Count, push};
use crate::error::Result;
use crate::events::{Event, Labelled};
use crate::parallel::{Cancel, ordered_map};
use crate::scores::Score;
use crate::store::DeltaStore;

/// The detections and the targets of one clip.
#[derive(Debug, Clone)]
pub struct EventLists {
    /// Clip id.
    pub id: String,
    /// What was detected.
    pub detections: Vec<Labelled>,
    /// What should have been.
    pub targets: Vec<Labelled>,
    /// Duration in seconds, where it is known and the criterion asks for it.
    pub duration: Option<f64>,
}

/// What became of every detection and every target of a clip.
#[derive(Debug, Clone)]
pub struct ClipMatches<'a> {
    /// The detections as they came; of segments and clips the detected units.
    pub detections: Cow<'a, [Labelled]>,
    /// The targets as they came; of segments and clips the positive units.
    pub targets: Cow<'a, [Labelled]>,
    /// Detections with the target that they find, by the time of the target.
    pub pairs: Vec<(u32, u32)>,
    /// Detections that are false, in time order.
    pub false_alarms: Vec<u32>,
    /// Targets that are not found, in time order.
    pub misses: Vec<u32>,
    /// False detections with another class that they trigger, in time order.
    pub cross_triggers: Vec<(u32, u32)>,
    /// False detections with a missed target of any class that they hit, by the time of the target.
    pub substitutions: Vec<(u32, u32)>,
    /// Number of units of time.
    pub n_units: usize,
}

/// Memory that is reused from clip to clip.
#[derive(Debug, Default)]
struct Workspace {
    collar: collar::Workspace,
    intersection: intersection::Workspace,
    units: units::Workspace,
}

/// Matches the detections and targets of clips, in parallel and in their order.
///
/// With `substitutions`, detections and targets that are left over by the collar criterion are matched whatever their
/// class. What a cancelled computation returns is of no use.
pub fn match_events<'a>(
    criterion: &Criterion,
    clips: &'a [EventLists],
    substitutions: bool,
    cancel: &Cancel,
) -> Result<Vec<ClipMatches<'a>>> {
    let matches = ordered_map(clips, Workspace::default, |workspace, clip| {
        match_clip(criterion, clip, substitutions, workspace, cancel)
    });
    matches.into_iter().collect()
}

fn match_clip<'a>(
    criterion: &Criterion,
    clip: &'a EventLists,
    substitutions: bool,
    workspace: &mut Workspace,
    cancel: &Cancel,
) -> Result<ClipMatches<'a>> {
    let mut matches = ClipMatches {
        detections: Cow::Borrowed(&clip.detections),
        targets: Cow::Borrowed(&clip.targets),
        pairs: Vec::new(),
        false_alarms: Vec::new(),
        misses: Vec::new(),
        cross_triggers: Vec::new(),
        substitutions: Vec::new(),
        n_units: 0,
    };
    if cancel.is_set() {
        return Ok(matches);
    }
    match criterion {
        Criterion::Clip => units::match_clip(clip, &mut workspace.units, &mut matches),
        Criterion::Segment(segment) => units::match_segments(segment, clip, &mut workspace.units, &mut matches)?,
        Criterion::Collar(collar) => collar::run(collar, clip, substitutions, &mut workspace.collar, &mut matches),
        Criterion::Intersection(intersection) => {
            intersection::run(intersection, clip, &mut workspace.intersection, &mut matches);
        }
    }
    matches.sort();
    Ok(matches)
}

impl ClipMatches<'_> {
    /// Puts everything into time order; events at the same time follow each other by class, then as they came.
    fn sort(&mut self) {
        let Self { detections, targets, pairs, false_alarms, misses, cross_triggers, substitutions, .. } = self;
        let detected = |number: u32| TimeKey::new(detections, number);
        let target = |number: u32| TimeKey::new(targets, number);
        pairs.sort_unstable_by(|a, b| target(a.1).cmp(&target(b.1)).then_with(|| detected(a.0).cmp(&detected(b.0))));
        substitutions.sort_unstable_by(|a, b| target(a.1).cmp(&target(b.1)));
        false_alarms.sort_unstable_by(|a, b| detected(*a).cmp(&detected(*b)));
        misses.sort_unstable_by(|a, b| target(*a).cmp(&target(*b)));
        cross_triggers.sort_unstable_by(|a, b| detected(a.0).cmp(&detected(b.0)).then(a.1.cmp(&b.1)));
    }

    /// The counts as deltas of detections with the score 1.
    fn deltas(&self, n_classes: usize) -> ClipDeltas {
        let mut counts: Vec<(usize, Count, i64)> = Vec::new();
        let mut add = |class: usize, count: Count, by: i64| counts.push((class, count, by));
        for (class, _) in self.targets.iter() {
            add(*class, Count::TruePositives, 1);
        }
        for number in &self.misses {
            add(self.targets[*number as usize].0, Count::TruePositives, -1);
        }
        for number in &self.false_alarms {
            add(self.detections[*number as usize].0, Count::FalsePositives, 1);
        }
        for (number, other) in &self.cross_triggers {
            add(self.detections[*number as usize].0, Count::CrossTriggers(*other as usize), 1);
        }
        counts.sort_unstable_by_key(|(class, count, _)| (*class, place(*count)));
        let mut words = Vec::new();
        let mut ends = Vec::with_capacity(n_classes);
        let mut equal = counts.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).peekable();
        for class in 0..n_classes {
            while let Some(chunk) = equal.next_if(|chunk| chunk[0].0 == class) {
                push(&mut words, 1.0_f32.to_key(), chunk[0].1, chunk.iter().map(|(_, _, by)| by).sum());
            }
            ends.push(words.len());
        }
        ClipDeltas {
            pieces: vec![Piece { words: Words::Single(words.into()), ends: ends.into() }],
            targets: self.lengths_of_targets(),
            n_entries: 0,
        }
    }

    /// Class and length of every target, by class, then time: whatever the order in which they came.
    fn lengths_of_targets(&self) -> Box<[(u32, f64)]> {
        let mut targets: Vec<(usize, Event)> = self.targets.to_vec();
        targets.sort_by(|(class_a, a), (class_b, b)| {
            class_a.cmp(class_b).then(a.onset.total_cmp(&b.onset)).then(a.offset.total_cmp(&b.offset))
        });
        targets.into_iter().map(|(class, event)| (class as u32, event.length())).collect()
    }
}

/// A number for each kind of count, so that equal ones can be brought together.
fn place(count: Count) -> usize {
    match count {
        Count::TruePositives => 0,
        Count::FalsePositives => 1,
        Count::CrossTriggers(class) => class + 2,
    }
}

/// What the order of events hangs on.
#[derive(Debug, Clone, Copy)]
struct TimeKey {
    event: Event,
    class: usize,
    number: u32,
}

impl TimeKey {
    fn new(events: &[Labelled], number: u32) -> Self {
        let (class, event) = events[number as usize];
        Self { event, class, number }
    }

    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.event.onset.total_cmp(&other.event.onset))
            .then(self.event.offset.total_cmp(&other.event.offset))
            .then(self.class.cmp(&other.class))
            .then(self.number.cmp(&other.number))
    }
}

impl DeltaStore {
    /// Counts the detections of clips in parallel and keeps their deltas; of cancelled work nothing is kept.
    pub fn extend_with_events(&mut self, clips: Vec<EventLists>, cancel: &Cancel) -> Result<()> {
        let deltas = self.compute_events(&clips, cancel)?;
        if cancel.is_set() {
            return Ok(());
        }
        self.insert(clips.into_iter().map(|clip| clip.id).zip(deltas).collect())
    }

    /// Counts the detections of clips in parallel, in their order. What a cancelled computation returns is of no use.
    pub fn compute_events(&self, clips: &[EventLists], cancel: &Cancel) -> Result<Vec<ClipDeltas>> {
        let n_classes = self.classes().len();
        let deltas = ordered_map(clips, Workspace::default, |workspace, clip| match self.criterion() {
            Criterion::Clip => Ok(units::deltas_of_clip(clip, n_classes, &mut workspace.units)),
            Criterion::Segment(segment) => units::deltas_of_segments(segment, clip, n_classes, &mut workspace.units),
            event_based => Ok(match_clip(event_based, clip, false, workspace, cancel)?.deltas(n_classes)),
        });
        deltas.into_iter().collect()
    }
}

/// The numbers of the events of each class, in the order in which they came.
///
/// `numbers` is only scratch space: the numbers of all events, class by class.
fn by_class<'a>(events: &[Labelled], numbers: &'a mut Vec<u32>) -> ByClass<'a> {
    numbers.clear();
    numbers.extend(0..events.len() as u32);
    numbers.sort_by_key(|number| events[*number as usize].0);
    let mut classes: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        let class = events[*number as usize].0;
        match classes.last_mut() {
            Some((last, range)) if *last == class => range.end = at + 1,
            _ => classes.push((class, at..at + 1)),
        }
    }
    ByClass { classes, numbers }
}

/// Events class by class.
#[derive(Debug)]
struct ByClass<'a> {
    classes: Vec<(usize, std::ops::Range<usize>)>,
    numbers: &'a [u32],
}

impl ByClass<'_> {
    /// The events of a class; none if it has none.
    fn of(&self, class: usize) -> &[u32] {
        match self.classes.binary_search_by_key(&class, |(class, _)| *class) {
            Ok(at) => &self.numbers[self.classes[at].1.clone()],
            Err(_) => &[],
        }
    }

    /// The classes that have events, ascending.
    fn classes(&self) -> impl Iterator<Item = usize> + '_ {
        self.classes.iter().map(|(class, _)| *class)
    }
}

/// The classes of either side, ascending.
fn all_classes(a: &ByClass<'_>, b: &ByClass<'_>) -> Vec<usize> {
    let mut classes: Vec<usize> = a.classes().chain(b.classes()).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criteria::{Collar, Intersection, Segment};
    use crate::maximum_matching::{DetectionOrder, Hit, MaximumMatching};
    use crate::numeric::Decimals;

    fn events(labelled: &[(usize, f64, f64)]) -> Vec<Labelled> {
        labelled.iter().map(|&(class, onset, offset)| (class, Event { onset, offset })).collect()
    }

    fn lists(detections: &[(usize, f64, f64)], targets: &[(usize, f64, f64)]) -> EventLists {
        EventLists { id: "a".to_owned(), detections: events(detections), targets: events(targets), duration: None }
    }

    fn matched<'a>(criterion: &Criterion, clip: &'a EventLists) -> ClipMatches<'a> {
        match_clip(criterion, clip, true, &mut Workspace::default(), &Cancel::new()).unwrap()
    }

    fn collar(onset_collar: f64, offset_collar: Option<f64>) -> Criterion {
        Collar::new(onset_collar, offset_collar, 0.0, 6).unwrap().into()
    }

    fn intersection(dtc: f64, gtc: f64, cttc: Option<f64>) -> Criterion {
        Intersection::new(dtc, gtc, cttc, 6).unwrap().into()
    }

    #[test]
    fn repeated_detections_count_one_by_one_with_collars() {
        let clip = lists(&[(0, 1.0, 2.0), (0, 1.0, 2.0), (0, 8.0, 9.0)], &[(0, 1.1, 2.0), (0, 4.0, 5.0)]);
        let matches = matched(&collar(0.2, Some(0.2)), &clip);
        assert_eq!(matches.pairs, [(0, 0)]);
        assert_eq!((&matches.false_alarms[..], &matches.misses[..]), (&[1, 2][..], &[1][..]));
    }

    #[test]
    fn what_is_left_over_of_other_classes_is_substituted() {
        // The miss at 4 s is hit by detections of classes 1 and 2, of which the first in the list takes it.
        let clip = lists(&[(2, 4.1, 5.0), (1, 4.0, 5.0), (0, 1.0, 2.0)], &[(0, 4.0, 5.0), (0, 1.0, 2.0)]);
        let matches = matched(&collar(0.2, None), &clip);
        assert_eq!(matches.pairs, [(2, 1)]);
        assert_eq!(matches.substitutions, [(0, 0)]);
        assert_eq!(matches.false_alarms, [1, 0]); // in time order
    }

    #[test]
    fn relevant_detections_add_up_and_cross_triggers_count_once_for_each_class() {
        let clip = lists(
            &[(0, 0.0, 1.0), (0, 0.5, 1.5), (0, 4.0, 6.0), (0, 8.0, 9.0)],
            &[(0, 0.0, 3.0), (1, 4.0, 5.0), (2, 4.0, 4.5), (2, 4.5, 5.0), (3, 7.0, 8.0)],
        );
        let matches = matched(&intersection(0.5, 0.6, Some(0.5)), &clip);
        // 2 s of 3 s, of which half a second twice.
        assert_eq!(matches.pairs, [(0, 0), (1, 0)]);
        assert_eq!(matches.false_alarms, [2, 3]);
        assert_eq!(matches.cross_triggers, [(2, 1), (2, 2)]);
        assert_eq!(matches.misses, [2, 1, 3, 4]); // in time order
        assert!(matched(&intersection(0.5, 0.7, None), &clip).pairs.is_empty());
    }

    #[test]
    fn zero_seconds_are_enough_only_where_something_is_detected() {
        let with = lists(&[(0, 5.0, 6.0)], &[(0, 0.0, 1.0), (1, 0.0, 1.0)]);
        let matches = matched(&intersection(0.0, 0.0, Some(0.0)), &with);
        assert_eq!((matches.false_alarms.len(), &matches.misses[..]), (0, &[1][..]));
        let matches = matched(&intersection(0.5, 0.0, Some(0.0)), &with);
        assert_eq!(matches.cross_triggers, [(0, 1)]);
    }

    #[test]
    fn detections_merge_in_segments_and_clips() {
        let clip = lists(&[(0, 0.5, 1.5), (0, 1.2, 1.4), (1, 3.0, 3.5)], &[(0, 1.0, 3.0)]);
        let matches = matched(&Segment::new(1.0, 6).unwrap().into(), &clip);
        let onsets = |numbers: &[u32], events: &[Labelled]| {
            numbers.iter().map(|number| events[*number as usize].1.onset).collect::<Vec<_>>()
        };
        assert_eq!(matches.n_units, 4);
        assert_eq!(onsets(&matches.false_alarms, &matches.detections), [0.0, 3.0]);
        assert_eq!(onsets(&matches.misses, &matches.targets), [2.0]);
        assert_eq!(matches.pairs.len(), 1);

        let matches = matched(&Criterion::Clip, &clip);
        assert_eq!((matches.n_units, matches.pairs.len(), matches.false_alarms.len()), (1, 1, 1));
        assert_eq!(matches.targets[0].1, Event { onset: 0.0, offset: 3.5 });
    }

    #[test]
    fn counts_are_deltas_at_the_score_one() {
        let mut store =
            DeltaStore::new(Intersection::new(0.5, 0.5, Some(0.5), 6).unwrap(), vec!["x".into(), "y".into()]).unwrap();
        let mut other = lists(&[], &[(1, 0.0, 1.0)]);
        other.id = "b".to_owned();
        let clips = vec![lists(&[(0, 0.0, 1.0), (0, 4.0, 5.0)], &[(0, 0.0, 1.5), (1, 4.0, 5.0)]), other];
        store.extend_with_events(clips, &Cancel::new()).unwrap();
        let statistics = store.class_statistics(0, &[1]);
        assert_eq!(statistics.thresholds, [1.0, f64::INFINITY]);
        assert_eq!((statistics.tps, statistics.fps), (vec![1, 0], vec![1, 0]));
        assert_eq!(statistics.cts, [[1, 0]]);
        assert_eq!((store.n_ref(), store.t_ref()), (vec![1, 2], vec![1.5, 2.0]));
        assert_eq!(store.class_statistics(1, &[0]).thresholds, [f64::INFINITY]);
    }

    /// Events on a coarse grid, many of which touch, nest or repeat.
    fn random_events(state: &mut u64, n: usize) -> Vec<Labelled> {
        let mut below = |n: u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % n
        };
        let mut event = || {
            let (class, onset, steps) = (below(3) as usize, below(40) as f64 * 0.1, below(12) as f64);
            (class, Event { onset, offset: onset + steps * 0.1 })
        };
        (0..n).map(|_| event()).collect()
    }

    #[test]
    fn hits_are_those_of_all_pairs() {
        let mut state = 7;
        for case in 0..600 {
            let (detections, targets) = (random_events(&mut state, case % 13), random_events(&mut state, case % 11));
            let clip = EventLists { id: String::new(), detections, targets, duration: None };
            for (onset, offset, rate) in
                [(0.2, Some(0.2), 0.2), (0.5, Some(0.1), 0.0), (0.3, None, 0.0), (9.0, Some(9.0), 1.0)]
            {
                let criterion = Collar::new(onset, offset, rate, 6).unwrap();
                let is_hit = |detection: Event, target: Event| {
                    let decimals = Decimals::new(6);
                    decimals.round((detection.onset - target.onset).abs() - onset) <= 0.0
                        && offset.is_none_or(|offset| {
                            let collar = offset.max(rate * target.length());
                            decimals.round((detection.offset - target.offset).abs() - collar) <= 0.0
                        })
                };
                let mut expected = Vec::new();
                for class in 0..3 {
                    let numbers = |events: &[Labelled]| -> Vec<u32> {
                        (0..events.len() as u32).filter(|number| events[*number as usize].0 == class).collect()
                    };
                    let (own, own_targets) = (numbers(&clip.detections), numbers(&clip.targets));
                    let mut hits = Vec::new();
                    for (target, target_number) in own_targets.iter().enumerate() {
                        for (detection, number) in own.iter().enumerate() {
                            if is_hit(clip.detections[*number as usize].1, clip.targets[*target_number as usize].1) {
                                hits.push(Hit { target: target as u32, detection: detection as u32 });
                            }
                        }
                    }
                    let mut matching = MaximumMatching::default();
                    matching.find(own.len(), own_targets.len(), &hits, DetectionOrder::FirstHit);
                    expected.extend(matching.pairs().map(|(d, t)| (own[d], own_targets[t])));
                }
                let mut found = matched(&criterion.into(), &clip).pairs;
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "case {case}");
            }
        }
    }

    #[test]
    fn a_long_recording_with_an_event_that_spans_it_is_no_trouble() {
        let n = 50_000;
        let mut detections = vec![(0, Event { onset: 0.0, offset: 2.0 * f64::from(n) })];
        detections.extend((0..n).map(|i| (0, Event { onset: f64::from(2 * i), offset: f64::from(2 * i + 1) })));
        let clip = EventLists { id: String::new(), targets: detections.clone(), detections, duration: None };
        for criterion in [collar(0.2, Some(0.2)), intersection(0.5, 0.5, Some(0.3))] {
            let matches = matched(&criterion, &clip);
            assert_eq!((matches.false_alarms.len(), matches.misses.len()), (0, 0));
        }
    }
}
