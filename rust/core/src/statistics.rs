//! Intermediate statistics: the exact counts at every distinct threshold.
//!
//! The deltas of all clips of a class, sorted by score and cumulated from the highest score down, are
//! the counts at every threshold. Everything after this (curves, numbers) is arithmetic on counts.

use crate::deltas::{Count, Word};

/// The counts of a class at one threshold.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// True positives: targets found.
    pub tps: i64,
    /// False positives: detections that are not relevant.
    pub fps: i64,
    /// Cross triggers on every class, by class index.
    pub cts: Vec<i64>,
    triggered: Vec<usize>,
}

impl Counts {
    /// No detection yet, with room for `n_classes` classes of cross triggers.
    pub fn new(n_classes: usize) -> Self {
        Self { cts: vec![0; n_classes], ..Self::default() }
    }

    /// The classes with cross triggers, in ascending order.
    pub fn triggered(&self) -> &[usize] {
        &self.triggered
    }

    /// Applies changes, leaves none of them, and says whether any count differs now.
    fn change_cross_triggers(&mut self, changes: &mut Vec<(usize, i64)>) -> bool {
        let mut any = false;
        changes.sort_unstable_by_key(|(class, _)| *class);
        for changes in changes.chunk_by(|a, b| a.0 == b.0) {
            let class = changes[0].0;
            let before = self.cts[class];
            let after = before + changes.iter().map(|(_, by)| by).sum::<i64>();
            self.cts[class] = after;
            any |= after != before;
            if (before == 0) != (after == 0) {
                match self.triggered.binary_search(&class) {
                    Ok(at) => _ = self.triggered.remove(at),
                    Err(at) => self.triggered.insert(at, class),
                }
            }
        }
        changes.clear();
        any
    }
}

/// Goes through sorted deltas from the highest score down and shows the counts wherever one changes.
///
/// `visit(score, counts, cts_changed)` is called once for each score at which any count of the whole
/// data set differs from that above it; the counts hold for all thresholds just below the score.
pub fn descend<W: Word>(sorted: &[W], n_classes: usize, mut visit: impl FnMut(f64, &Counts, bool)) {
    let mut counts = Counts::new(n_classes);
    // Changes of cross triggers at one score, kept apart since they may cancel.
    let mut cts_changes: Vec<(usize, i64)> = Vec::new();
    let mut rest = sorted;
    while let Some(last) = rest.last() {
        let key = last.key();
        let (mut tps, mut fps) = (0, 0);
        while let Some((word, before)) = rest.split_last()
            && word.key() == key
        {
            match word.count() {
                Count::FalsePositives => fps += word.by(),
                Count::TruePositives => tps += word.by(),
                Count::CrossTriggers(class) => cts_changes.push((class, word.by())),
            }
            rest = before;
        }
        let cts_changed = !cts_changes.is_empty() && counts.change_cross_triggers(&mut cts_changes);
        if tps != 0 || fps != 0 || cts_changed {
            counts.tps += tps;
            counts.fps += fps;
            visit(last.score(), &counts, cts_changed);
        }
    }
}

/// The counts of one class at every distinct threshold, in ascending order.
///
/// Point `i` holds for every decision threshold θ with `thresholds[i-1] <= θ < thresholds[i]`. The last
/// threshold is `+inf`, where nothing is detected and all counts are zero.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassStatistics {
    /// The scores at which a count changes, ascending, then `+inf`.
    pub thresholds: Vec<f64>,
    /// True positives.
    pub tps: Vec<i64>,
    /// False positives.
    pub fps: Vec<i64>,
    /// Cross triggers on the classes asked for, in their order.
    pub cts: Vec<Vec<i64>>,
}

impl ClassStatistics {
    /// Cumulates sorted deltas; `others` are the classes whose cross triggers are wanted.
    pub fn from_sorted<W: Word>(sorted: &[W], n_classes: usize, others: &[usize]) -> Self {
        // One point per delta at most; memory that is reserved and not written to costs nothing.
        let column = || Vec::with_capacity(sorted.len() + 1);
        let mut statistics = Self {
            thresholds: Vec::with_capacity(sorted.len() + 1),
            tps: column(),
            fps: column(),
            cts: others.iter().map(|_| column()).collect(),
        };
        statistics.thresholds.push(f64::INFINITY);
        statistics.tps.push(0);
        statistics.fps.push(0);
        statistics.cts.iter_mut().for_each(|column| column.push(0));
        descend(sorted, n_classes, |score, counts, _| {
            statistics.thresholds.push(score);
            statistics.tps.push(counts.tps);
            statistics.fps.push(counts.fps);
            for (column, other) in statistics.cts.iter_mut().zip(others) {
                column.push(counts.cts[*other]);
            }
        });
        statistics.thresholds.reverse();
        statistics.tps.reverse();
        statistics.fps.reverse();
        statistics.cts.iter_mut().for_each(|column| column.reverse());
        statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Score;

    fn word(score: f32, count: Count, by: i16) -> u64 {
        u64::pack(score.to_key(), count, by)
    }

    #[test]
    fn deltas_are_cumulated_from_the_highest_score_down() {
        use Count::{CrossTriggers, FalsePositives, TruePositives};
        let mut words = vec![
            word(0.5, FalsePositives, 1),
            word(0.5, CrossTriggers(1), 1),
            word(0.25, FalsePositives, -1),
            word(0.25, TruePositives, 1),
            word(0.25, CrossTriggers(1), -1),
        ];
        words.sort_unstable();
        let statistics = ClassStatistics::from_sorted(&words, 2, &[1]);
        assert_eq!(statistics.thresholds, [0.25, 0.5, f64::INFINITY]);
        assert_eq!(statistics.tps, [1, 0, 0]);
        assert_eq!(statistics.fps, [0, 1, 0]);
        assert_eq!(statistics.cts, [[0, 1, 0]]);
    }

    #[test]
    fn a_score_at_which_changes_cancel_is_no_point() {
        let words = [
            word(0.5, Count::FalsePositives, 1),
            word(0.5, Count::FalsePositives, -1),
            word(0.5, Count::CrossTriggers(0), -2),
            word(0.5, Count::CrossTriggers(0), 2),
        ];
        let statistics = ClassStatistics::from_sorted(&words, 1, &[]);
        assert_eq!(statistics.thresholds, [f64::INFINITY]);
    }
}
