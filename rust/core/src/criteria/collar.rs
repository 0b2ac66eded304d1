//! The collar criterion (Mesaros et al., Applied Sciences 2016, doi 10.3390/app6060162): onsets and offsets.
//!
//! Detection `i` *hits* target `j` if both its ends are near enough:
//!
//! * `|onset_i - onset_j| <= onset_collar`, and
//! * `|offset_i - offset_j| <= max(offset_collar, offset_collar_rate * length(j))`.
//!
//! How much a distance exceeds its collar is rounded to `time_decimals` before it is compared with zero.
//! Without an offset collar only onsets are looked at. One detection counts for one target, so
//!
//! ```text
//! TP = the largest number of pairs of a detection and a target that it hits, none of them used twice
//! FP = detections - TP
//! ```
//!
//! # Where a detection can begin and end
//!
//! The distance to a target falls up to it and rises after it, rounded or not. So the frame edges at which a
//! detection may begin to hit a target follow each other, and so do those at which it may end:
//!
//! ```text
//! target              ├──────────────────┤
//! may begin       ├───────┤
//! may end                        ├───────────────┤
//! zone            ├──────────────────────────────┤
//! ```
//!
//! Both ranges are found once for each target; from then on a hit is a comparison of indices. A detection
//! that hits a target lies in its zone, and the rest of the recording needs no component tree.

use std::ops::Range;

use super::collar_sweep::{self, Window, Workspace};
use super::extrema::push_extrema;
use crate::error::{Error, Result};
use crate::events::{ClipEvents, Event};
use crate::numeric::Decimals;
use crate::parallel::Cancel;
use crate::scores::{Frames, Score};

/// Parameters of the collar criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_field_names, reason = "the literature calls them so")]
pub struct Collar {
    onset_collar: f64,
    offset_collar: Option<f64>,
    offset_collar_rate: f64,
    time_decimals: u8,
}

impl Collar {
    /// Checks the parameters: collars in seconds and the rate as a share of a length, none below zero.
    pub fn new(
        onset_collar: f64,
        offset_collar: Option<f64>,
        offset_collar_rate: f64,
        time_decimals: u8,
    ) -> Result<Self> {
        for (name, value, expected) in [
            ("onset_collar", Some(onset_collar), "a number of seconds, 0 or more"),
            ("offset_collar", offset_collar, "a number of seconds, 0 or more, or None to look at onsets only"),
            ("offset_collar_rate", Some(offset_collar_rate), "a share of the length of a target, 0 or more"),
        ] {
            if let Some(value) = value
                && !(value >= 0.0 && value.is_finite())
            {
                return Err(Error::Parameter { name, expected, value: value.to_string() });
            }
        }
        Decimals::check(time_decimals)?;
        Ok(Self { onset_collar, offset_collar, offset_collar_rate, time_decimals })
    }

    /// How far apart onsets may be, in seconds.
    pub fn onset_collar(&self) -> f64 {
        self.onset_collar
    }

    /// How far apart offsets may be whatever the length of the target; `None` looks at onsets only.
    pub fn offset_collar(&self) -> Option<f64> {
        self.offset_collar
    }

    /// How far apart offsets may be as a share of the length of the target.
    pub fn offset_collar_rate(&self) -> f64 {
        self.offset_collar_rate
    }

    /// Decimals to which times are rounded before they are compared.
    pub fn time_decimals(&self) -> u8 {
        self.time_decimals
    }

    /// How far the offset of a detection may be from that of `target`; `None` if it does not matter.
    pub(crate) fn offset_collar_of(&self, target: Event) -> Option<f64> {
        self.offset_collar.map(|collar| collar.max(self.offset_collar_rate * target.length()))
    }

    /// The frame edges at which a detection may begin and end to hit `target`.
    ///
    /// The number of edges before its onset is at least `n_before`, and is put there for the next target.
    pub(super) fn window(&self, edges: &[f64], target: Event, n_before: &mut usize) -> Window {
        let decimals = Decimals::new(self.time_decimals);
        *n_before = count_before(edges, target.onset, *n_before);
        let starts = edges_near(edges, target.onset, *n_before, self.onset_collar, decimals);
        let ends = match self.offset_collar_of(target) {
            Some(collar) => {
                let n_before = count_before(edges, target.offset, *n_before);
                edges_near(edges, target.offset, n_before, collar, decimals)
            }
            None => 0..edges.len(),
        };
        Window::new(starts, ends)
    }
}

/// The number of edges before a time, which is at least `known`.
pub(crate) fn count_before(edges: &[f64], time: f64, known: usize) -> usize {
    known + count_first(edges.len() - known, |i| edges[known + i] < time)
}

/// The edges whose distance to a time exceeds the collar by nothing that is left after rounding.
///
/// Subtracting and rounding keep the order: on either side of the time, which `n_before` edges lie before, the
/// first few are near and all others are not.
pub(crate) fn edges_near(edges: &[f64], time: f64, n_before: usize, collar: f64, decimals: Decimals) -> Range<usize> {
    let is_near = |edge: f64| decimals.round((edge - time).abs() - collar) <= 0.0;
    let before = count_first(n_before, |i| is_near(edges[n_before - 1 - i]));
    let after = count_first(edges.len() - n_before, |i| is_near(edges[n_before + i]));
    n_before - before..n_before + after
}

/// How many of `n` places are as wanted, which only the first ones are.
///
/// Goes twice as far with each step, then back by halves: it is few places, in a long recording.
fn count_first(n: usize, is_wanted: impl Fn(usize) -> bool) -> usize {
    let (mut least, mut step) = (0, 1);
    while step <= n && is_wanted(step - 1) {
        least = step;
        step *= 2;
    }
    let mut most = n.min(step - 1);
    while least < most {
        let middle = usize::midpoint(least, most);
        if is_wanted(middle) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    least
}

/// What is the same for all classes of a clip.
#[derive(Debug)]
pub struct Prepared<'a, S> {
    criterion: Collar,
    frames: &'a Frames<S>,
    events: &'a ClipEvents,
    first_class: usize,
}

impl<'a, S: Score> Prepared<'a, S> {
    /// Prepares a clip, or its classes from `first_class` on, for a criterion.
    pub fn new(criterion: &Collar, frames: &'a Frames<S>, first_class: usize, events: &'a ClipEvents) -> Self {
        Self { criterion: *criterion, frames, events, first_class }
    }

    /// The targets.
    pub fn events(&self) -> &ClipEvents {
        self.events
    }

    /// Appends the deltas of one class; returns early, with part of them, if the caller gave up.
    ///
    /// `O(n_frames)`, of which the zones of targets cost more than the rest, and `O(n log n)` in the number of
    /// detections that hit a target, plus a search among the targets linked to it for each of them.
    pub fn push_deltas(&self, class: usize, workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
        let scores = self.frames.class(class - self.first_class);
        // Every detection counts as a false positive; those that have a partner are taken back.
        push_extrema(scores, &mut workspace.turns, out);
        let Some(own) = self.events.classes().iter().find(|events| events.class == class) else {
            return;
        };
        let edges = self.frames.edges().times();
        let mut n_before = 0;
        let windows = own.events.iter().map(|target| self.criterion.window(edges, *target, &mut n_before));
        workspace.windows.clear();
        workspace.windows.extend(windows);
        collar_sweep::run(scores, workspace, cancel, out);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::deltas::{Count, Word};
    use crate::scores::FrameEdges;

    /// Changes of (true positives, false positives) by score, from the highest down.
    fn changes(criterion: &Collar, scores: &[f64], targets: &[(f64, f64)]) -> Vec<(f64, i64, i64)> {
        let edges = (0..=scores.len()).map(|edge| edge as f64).collect();
        let edges = FrameEdges::new("a", scores.len(), edges).unwrap();
        let frames = Frames::new("a", &["x".to_owned()], Arc::new(edges), scores.to_vec()).unwrap();
        let events = ClipEvents::new(targets.iter().map(|&(onset, offset)| (0, Event { onset, offset })));
        let mut words = Vec::new();
        let clip = Prepared::new(criterion, &frames, 0, &events);
        clip.push_deltas(0, &mut Workspace::default(), &Cancel::new(), &mut words);
        words.sort_unstable();
        let by = |words: &[u128], count| words.iter().filter(|word| word.count() == count).map(|word| word.by()).sum();
        let at_scores = words.chunk_by(|a, b| a.key() == b.key()).rev();
        let sums = at_scores.map(|at| (at[0].score(), by(at, Count::TruePositives), by(at, Count::FalsePositives)));
        sums.filter(|sum| (sum.1, sum.2) != (0, 0)).collect()
    }

    fn collar(onset_collar: f64, offset_collar: Option<f64>) -> Collar {
        Collar::new(onset_collar, offset_collar, 0.0, 6).unwrap()
    }

    #[test]
    fn the_figure_of_the_paper() {
        // Ebbers, Haeb-Umbach, Serizel, ICASSP 2022, Figure 2: frames of a second, a target at 2-7 s.
        let scores = [0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3];
        let found = changes(&collar(1.0, Some(1.0)), &scores, &[(2.0, 7.0)]);
        assert_eq!(found, [(0.7, 0, 1), (0.6, 1, -1), (0.3, -1, 1)]);
    }

    #[test]
    fn one_detection_counts_for_one_target() {
        let scores = [0.2, 0.9, 0.9, 0.2];
        assert_eq!(
            changes(&collar(1.0, Some(1.0)), &scores, &[(1.0, 3.0), (1.5, 3.5)]),
            [(0.9, 1, 0)] // still one at .2, which begins and ends one second off
        );
    }

    #[test]
    fn two_detections_share_two_targets_however_they_are_assigned() {
        // [1, 2) hits both targets, [3, 4) only the first: the second is left to [1, 2).
        let scores = [0.1, 0.9, 0.1, 0.8, 0.1];
        let found = changes(&collar(1.0, Some(1.0)), &scores, &[(2.0, 3.0), (0.5, 1.5)]);
        assert_eq!(found, [(0.9, 1, 0), (0.8, 1, 0), (0.1, -2, 1)]);
    }

    #[test]
    fn without_an_offset_collar_the_offset_may_be_anywhere() {
        let scores = [0.1, 0.9, 0.7, 0.5, 0.3, 0.8];
        let found = changes(&collar(0.0, None), &scores, &[(1.0, 2.0)]);
        assert_eq!(found, [(0.9, 1, 0), (0.8, 0, 1), (0.3, 0, -1), (0.1, -1, 1)]);
        // An event at the end of the recording, or beyond, may begin late.
        assert_eq!(changes(&collar(0.5, None), &scores, &[(5.25, 9.0)])[..2], [(0.9, 0, 1), (0.8, 1, 0)]);
    }

    #[test]
    fn a_collar_is_inclusive_and_grows_with_the_target() {
        let scores = [0.1, 0.9, 0.9, 0.1];
        let is_hit = |criterion: &Collar, target| changes(criterion, &scores, &[target])[0] == (0.9, 1, 0);
        assert!(is_hit(&collar(0.2, Some(0.2)), (0.8, 3.2)));
        assert!(is_hit(&collar(0.2, Some(0.2)), (1.200_000_4, 3.0))); // rounds to .2
        assert!(!is_hit(&collar(0.2, Some(0.2)), (1.200_000_6, 3.0)));
        assert!(!is_hit(&collar(0.2, Some(0.2)), (1.0, 3.5)));
        let with_rate = |rate| Collar::new(0.2, Some(0.2), rate, 6).unwrap();
        assert!(is_hit(&with_rate(0.2), (1.0, 3.5))); // .2 * 2.5 s
        assert!(!is_hit(&with_rate(0.19), (1.0, 3.5)));
    }

    #[test]
    fn edges_near_a_time_are_counted_with_the_rounded_rule() {
        let edges = [0.0, 1.0, 2.0, 3.0, 4.0];
        let near = |time, collar| edges_near(&edges, time, count_before(&edges, time, 0), collar, Decimals::new(6));
        assert_eq!(near(2.0, 0.0), 2..3);
        assert_eq!(near(2.0, 1.0), 1..4);
        assert_eq!(near(2.000_000_4, 1.0), 1..4);
        assert_eq!(near(2.000_000_6, 1.0), 2..4);
        assert_eq!(near(2.5, 0.25), 3..3);
        assert_eq!(near(-1.0, 0.5), 0..0);
        assert_eq!(near(9.0, 6.0), 3..5);
    }

    #[test]
    fn the_first_ones_are_counted_in_steps() {
        for n in 0..70 {
            for wanted in 0..=n {
                assert_eq!(count_first(n, |i| i < wanted), wanted);
            }
        }
    }

    #[test]
    fn parameters_below_zero_are_refused() {
        for (onset, offset, rate, decimals, wrong) in [
            (-0.1, Some(0.2), 0.2, 6, "onset_collar"),
            (0.2, Some(f64::NAN), 0.2, 6, "offset_collar"),
            (0.2, Some(f64::INFINITY), 0.2, 6, "offset_collar"),
            (0.2, None, -1.0, 6, "offset_collar_rate"),
            (0.2, None, 0.0, 31, "time_decimals"),
        ] {
            let error = Collar::new(onset, offset, rate, decimals).unwrap_err();
            assert!(matches!(error, Error::Parameter { name, .. } if name == wrong), "{error}");
        }
        let collar = Collar::new(0.2, None, 0.0, 6).unwrap();
        assert_eq!((collar.onset_collar(), collar.offset_collar()), (0.2, None));
        assert_eq!((collar.offset_collar_rate(), collar.time_decimals()), (0.0, 6));
    }
}
