//! Units of time, clips or segments, in their order: what several classes do in the same unit.
//!
//! For these criteria a class has one delta per unit, in the order of the units, with the score of the unit and
//! whether it is positive. A unit that can never be detected has the score -inf; such deltas change no count and
//! are left out when deltas are cumulated. A class that is nowhere in a clip, and never detected there, has none.
//!
//! The order is what the error rate over all classes hangs on (Mesaros, Heittola, Virtanen, 2016): in one unit a
//! class that is missed and another that is detected in its place are a single error, a substitution.

use crate::clip_deltas::{ClassWords, ClipDeltas};
use crate::criteria::Criterion;
use crate::deltas::{Count, Word, push};
use crate::scores::Score;
use crate::store::DeltaStore;

/// Errors over all classes at some thresholds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OverallErrors {
    /// Units and classes that are missed while another class is detected in their place.
    pub substitutions: u64,
    /// The others that are missed.
    pub deletions: u64,
    /// Detections that are false and in nobody's place.
    pub insertions: u64,
    /// Positive units of all classes.
    pub n_ref: u64,
}

impl OverallErrors {
    /// Adds one unit with its numbers of positive classes, of detected classes, and of those that are both.
    fn add_unit(&mut self, n_ref: u64, n_sys: u64, n_both: u64) {
        self.substitutions += n_ref.min(n_sys) - n_both;
        self.deletions += n_ref.saturating_sub(n_sys);
        self.insertions += n_sys.saturating_sub(n_ref);
        self.n_ref += n_ref;
    }

    fn add(&mut self, other: &Self) {
        self.substitutions += other.substitutions;
        self.deletions += other.deletions;
        self.insertions += other.insertions;
        self.n_ref += other.n_ref;
    }
}

/// Appends the units of one class: score, and whether the unit is positive.
pub(crate) fn push_units<S: Score>(units: impl Iterator<Item = (S, bool)>, out: &mut Vec<S::Word>) {
    let first = out.len();
    let mut is_anywhere = false;
    for (score, is_positive) in units {
        is_anywhere |= is_positive || score > S::NEVER;
        push(out, score.to_key(), if is_positive { Count::TruePositives } else { Count::FalsePositives }, 1);
    }
    if !is_anywhere {
        out.truncate(first);
    }
}

/// The part of sorted deltas that changes counts.
pub(crate) fn detectable<W: Word>(sorted: &[W]) -> &[W] {
    &sorted[sorted.partition_point(|word| word.score() == f64::NEG_INFINITY)..]
}

impl DeltaStore {
    /// The errors over `classes`, each at its threshold; `None` where events are counted, which have no units.
    pub fn overall_errors(&self, classes: &[(usize, f64)]) -> Option<OverallErrors> {
        if !matches!(self.criterion(), Criterion::Clip | Criterion::Segment(_)) {
            return None;
        }
        let mut total = OverallErrors::default();
        let mut counts: Vec<[u64; 3]> = Vec::new();
        for clip in self.clips.values() {
            counts.clear();
            counts.resize(clip.n_entries, [0; 3]);
            for (class, threshold) in classes {
                match clip.class(*class) {
                    ClassWords::Single(words) => count_units(words, *threshold, &mut counts),
                    ClassWords::Double(words) => count_units(words, *threshold, &mut counts),
                }
            }
            total.add(&errors(&counts));
        }
        Some(total)
    }
}

fn errors(counts: &[[u64; 3]]) -> OverallErrors {
    let mut errors = OverallErrors::default();
    counts.iter().for_each(|[n_ref, n_sys, n_both]| errors.add_unit(*n_ref, *n_sys, *n_both));
    errors
}

/// Counts in each unit whether a class is positive, detected, and both.
fn count_units<W: Word>(words: &[W], threshold: f64, counts: &mut [[u64; 3]]) {
    for (word, counts) in words.iter().zip(counts) {
        let is_positive = word.count() == Count::TruePositives;
        let is_detected = word.score() > threshold;
        counts[0] += u64::from(is_positive);
        counts[1] += u64::from(is_detected);
        counts[2] += u64::from(is_positive && is_detected);
    }
}

/// Whether the deltas of every class are those of all units, or none: true of all but damaged states.
pub(crate) fn are_in_order(clip: &ClipDeltas) -> bool {
    (0..clip.n_classes()).all(|class| {
        let n_words = clip.class(class).len();
        n_words == 0 || n_words == clip.n_entries
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_and_a_false_alarm_in_one_unit_are_one_substitution() {
        // positive, detected, both
        let units = [[1, 1, 0], [1, 1, 1], [2, 1, 0], [0, 2, 0], [3, 0, 0], [0, 0, 0]];
        let expected = OverallErrors { substitutions: 2, deletions: 4, insertions: 2, n_ref: 7 };
        assert_eq!(errors(&units), expected);
    }

    #[test]
    fn a_class_that_is_nowhere_has_no_units() {
        let mut words: Vec<u64> = Vec::new();
        push_units([(f32::NEVER, false), (f32::NEVER, false)].into_iter(), &mut words);
        assert!(words.is_empty());
        push_units([(f32::NEVER, true), (0.5, false), (f32::NEVER, false)].into_iter(), &mut words);
        assert_eq!(words.len(), 3);
        words.sort_unstable();
        assert_eq!(detectable(&words).len(), 1);
    }

    #[test]
    fn infinite_thresholds_detect_nothing_or_all_that_has_a_score() {
        let mut words: Vec<u64> = Vec::new();
        push_units([(f32::NEVER, true), (0.5, true), (f32::INFINITY, false)].into_iter(), &mut words);
        let at = |threshold| {
            let mut counts = vec![[0; 3]; 3];
            count_units(&words, threshold, &mut counts);
            counts
        };
        assert_eq!(at(f64::NEG_INFINITY), [[1, 0, 0], [1, 1, 1], [0, 1, 0]]);
        assert_eq!(at(0.5), [[1, 0, 0], [1, 0, 0], [0, 1, 0]]);
        assert_eq!(at(f64::INFINITY), [[1, 0, 0], [1, 0, 0], [0, 0, 0]]);
    }
}
