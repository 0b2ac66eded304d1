//! The counts of one class at every threshold that matters.
//!
//! A clip is tagged where its score is at least the threshold, as scikit-learn has it. Recall rises only at the
//! scores of positives, so these are the thresholds; a negative is counted between two of them, or as tied with
//! one.
//!
//! Cost for `n` clips, `p` of them positive: `p log p + n log p`, without any memory for the negatives. Where
//! positives are many, a table says near which of them to search; where they are as many as negatives, both sides
//! are sorted by their digits and merged, which reads memory in order.

use super::keys::{Key, RankedScore};
use super::label;
use super::weights::Weights;
use crate::error::{Error, Result};

/// Positives from which on sorting the negatives too is faster than searching for each, if they are also at least
/// one in [`DENSE`] clips.
const MANY: usize = 1 << 13;

/// See [`MANY`].
const DENSE: usize = 8;

/// Distinct scores of positives from which on a table is faster than a search through all of them.
const TABLE: usize = 1 << 10;

/// Counts at one threshold: the score of a positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<K> {
    /// The threshold.
    pub key: K,
    /// Positives with just this score.
    pub gained: f64,
    /// Positives with at least this score.
    pub tps: f64,
    /// Negatives with a greater score.
    pub fps_above: f64,
    /// Negatives with at least this score.
    pub fps: f64,
}

/// How many clips of either kind there are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Positives.
    pub positives: f64,
    /// Negatives.
    pub negatives: f64,
}

/// Scores and labels of one class.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a, S> {
    /// A score for each clip.
    pub scores: &'a [S],
    /// A [`label`] for each clip.
    pub labels: &'a [u8],
    /// Its column, for messages.
    pub class: usize,
}

impl<S: RankedScore> Column<'_, S> {
    /// Finds the first score that is no finite number; one of an unknown label matters as little as the label.
    pub fn check(&self) -> Result<()> {
        // Nearly always all are usable, and this loop has no branches.
        if self.scores.iter().fold(true, |all, score| all & score.is_usable()) {
            return Ok(());
        }
        let mut pairs = self.scores.iter().zip(self.labels).enumerate();
        match pairs.find(|(_, (score, known))| !score.is_usable() && **known != label::UNKNOWN) {
            None => Ok(()),
            Some((clip, (score, _))) => {
                Err(Error::TaggingScore { clip, class: self.class, value: score.to_f64().to_string() })
            }
        }
    }
}

/// Distinct scores of positives and the number of positives at each, ascending.
#[derive(Debug)]
pub struct Steps<K, T> {
    /// Distinct scores.
    pub keys: Vec<K>,
    /// Sum of the weights of positives with that score.
    pub gained: Vec<T>,
    /// With many keys: how many lie before each of as many equal parts of their range, and in all. Else empty.
    table: Vec<u32>,
    /// A part is two to this power wide.
    shift: u32,
}

impl<K: Key, T> Default for Steps<K, T> {
    fn default() -> Self {
        Self { keys: Vec::new(), gained: Vec::new(), table: Vec::new(), shift: 0 }
    }
}

impl<K: Key, T: super::weights::Tally> Steps<K, T> {
    /// Sorts the positives.
    pub fn fill<S, W>(&mut self, column: Column<'_, S>, weights: &W, scratch: &mut Scratch<K>)
    where
        S: RankedScore<Key = K>,
        W: Weights<Tally = T>,
    {
        self.keys.clear();
        self.gained.clear();
        let Scratch { keys, spare, weighted } = scratch;
        if W::ALL_ONE {
            keys.clear();
            let pairs = column.scores.iter().zip(column.labels);
            keys.extend(pairs.filter(|(_, known)| **known == label::POSITIVE).map(|(score, _)| score.to_key()));
            K::sort(keys, spare);
            for key in keys.iter() {
                self.push(*key, weights.of(0));
            }
        } else {
            weighted.clear();
            let pairs = column.scores.iter().zip(column.labels).enumerate();
            weighted.extend(
                pairs
                    .filter(|(clip, (_, known))| **known == label::POSITIVE && weights.of(*clip) != T::default())
                    .map(|(clip, (score, _))| (score.to_key(), clip)),
            );
            weighted.sort_unstable();
            for (key, clip) in weighted.iter() {
                self.push(*key, weights.of(*clip));
            }
        }
        self.fill_table();
    }

    fn fill_table(&mut self) {
        self.table.clear();
        let (n, [least, .., greatest]) = (self.keys.len(), &self.keys[..]) else {
            return;
        };
        if !(TABLE..u32::MAX as usize).contains(&n) {
            return;
        }
        let span = greatest.above(*least);
        self.shift = (u64::BITS - span.leading_zeros()).saturating_sub(n.ilog2() + 1);
        self.table.reserve((span >> self.shift) as usize + 2);
        for (before, key) in (0..).zip(&self.keys) {
            let part = (key.above(*least) >> self.shift) as usize;
            while self.table.len() <= part {
                self.table.push(before);
            }
        }
        self.table.push(n as u32);
    }

    fn push(&mut self, key: K, weight: T) {
        if self.keys.last() == Some(&key) {
            if let Some(last) = self.gained.last_mut() {
                *last += weight;
            }
        } else {
            self.keys.push(key);
            self.gained.push(weight);
        }
    }

    /// How many of the distinct scores are `key` or less.
    #[inline]
    pub fn reached(&self, key: K) -> usize {
        if self.table.is_empty() {
            return reached_of(&self.keys, key);
        }
        let (least, greatest) = (self.keys[0], self.keys[self.keys.len() - 1]);
        if key < least {
            return 0;
        }
        let part = (key.min(greatest).above(least) >> self.shift) as usize;
        let (first, end) = (self.table[part] as usize, self.table[part + 1] as usize);
        first + reached_of(&self.keys[first..end], key)
    }
}

/// How many of ascending keys are `key` or less.
#[inline]
fn reached_of<K: Key>(keys: &[K], key: K) -> usize {
    // Written without an early end: the processor then searches for several negatives at once.
    let mut first = 0;
    let mut size = keys.len();
    while size > 1 {
        let half = size / 2;
        first += if keys[first + half - 1] <= key { half } else { 0 };
        size -= half;
    }
    first + usize::from(size == 1 && keys[first] <= key)
}

/// Memory for sorting.
#[derive(Debug, Default)]
pub struct Scratch<K> {
    keys: Vec<K>,
    spare: Vec<K>,
    weighted: Vec<(K, usize)>,
}

/// Memory that is reused from class to class.
#[derive(Debug)]
pub struct Workspace<K, T> {
    steps: Steps<K, T>,
    scratch: Scratch<K>,
    negatives: Vec<K>,
    /// Negatives from the i-th distinct score up to the next, and of these the ones equal to it.
    counted: Vec<(T, T)>,
}

impl<K: Key, T> Default for Workspace<K, T> {
    fn default() -> Self {
        Self { steps: Steps::default(), scratch: Scratch::default(), negatives: Vec::new(), counted: Vec::new() }
    }
}

/// Calls `visit` with every point of a class, from the highest threshold down, after telling it the totals.
pub fn points<S: RankedScore, W: Weights>(
    column: Column<'_, S>,
    weights: &W,
    workspace: &mut Workspace<S::Key, W::Tally>,
    mut visit: impl FnMut(Totals, Point<S::Key>),
) -> Result<Totals> {
    column.check()?;
    let n_positives: usize = column.labels.iter().map(|known| usize::from(*known == label::POSITIVE)).sum();
    if W::ALL_ONE && n_positives > MANY.max(column.labels.len() / DENSE) {
        return Ok(merged(column, workspace, visit));
    }
    let Workspace { steps, scratch, counted, .. } = workspace;
    steps.fill(column, weights, scratch);
    counted.clear();
    counted.resize(steps.keys.len() + 1, <(W::Tally, W::Tally)>::default());
    for (clip, (score, known)) in column.scores.iter().zip(column.labels).enumerate() {
        if *known == label::NEGATIVE {
            let key = score.to_key();
            let reached = steps.reached(key);
            let (all, tied) = &mut counted[reached];
            *all += weights.of(clip);
            if reached > 0 && steps.keys[reached - 1] == key {
                *tied += weights.of(clip);
            }
        }
    }
    let mut totals = [W::Tally::default(); 2];
    steps.gained.iter().for_each(|gained| totals[0] += *gained);
    counted.iter().for_each(|(all, _)| totals[1] += *all);
    let totals = Totals { positives: weights.number(totals[0]), negatives: weights.number(totals[1]) };
    let (mut tps, mut fps) = (W::Tally::default(), W::Tally::default());
    for ((key, gained), (all, tied)) in steps.keys.iter().zip(&steps.gained).zip(&counted[1..]).rev() {
        tps += *gained;
        fps += *all;
        let at_least = weights.number(fps);
        let point = Point {
            key: *key,
            gained: weights.number(*gained),
            tps: weights.number(tps),
            fps_above: at_least - weights.number(*tied),
            fps: at_least,
        };
        visit(totals, point);
    }
    Ok(totals)
}

/// The same by sorting both sides, for clips that all count one.
fn merged<S: RankedScore, T>(
    column: Column<'_, S>,
    workspace: &mut Workspace<S::Key, T>,
    mut visit: impl FnMut(Totals, Point<S::Key>),
) -> Totals {
    let Workspace { scratch: Scratch { keys: positives, spare, .. }, negatives, .. } = workspace;
    positives.clear();
    negatives.clear();
    for (score, known) in column.scores.iter().zip(column.labels) {
        match *known {
            label::POSITIVE => positives.push(score.to_key()),
            label::NEGATIVE => negatives.push(score.to_key()),
            _ => {}
        }
    }
    Key::sort(positives, spare);
    Key::sort(negatives, spare);
    let totals = Totals { positives: positives.len() as f64, negatives: negatives.len() as f64 };
    // What is left of either side, from the end.
    let (mut p, mut n) = (positives.len(), negatives.len());
    while p > 0 {
        let key = positives[p - 1];
        let before = p;
        while p > 0 && positives[p - 1] == key {
            p -= 1;
        }
        while n > 0 && negatives[n - 1] > key {
            n -= 1;
        }
        let above = negatives.len() - n;
        while n > 0 && negatives[n - 1] == key {
            n -= 1;
        }
        let point = Point {
            key,
            gained: (before - p) as f64,
            tps: (positives.len() - p) as f64,
            fps_above: above as f64,
            fps: (negatives.len() - n) as f64,
        };
        visit(totals, point);
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::super::weights::{ClipWeights, Ones};
    use super::*;
    use crate::scores::Score;

    fn column<'a>(scores: &'a [f32], labels: &'a [u8]) -> Column<'a, f32> {
        Column { scores, labels, class: 0 }
    }

    fn all<W: Weights>(column: Column<'_, f32>, weights: &W) -> (Totals, Vec<Point<u32>>) {
        let mut found = Vec::new();
        let totals = points(column, weights, &mut Workspace::default(), |_, point| found.push(point)).unwrap();
        (totals, found)
    }

    #[test]
    fn there_is_a_point_at_each_distinct_score_of_a_positive() {
        //                 tied with a positive        below all
        let scores = [0.9, 0.5, 0.5, 0.7, 0.5, 0.1, 0.3];
        let labels = [1, 1, 0, 0, 1, 0, label::UNKNOWN];
        let (totals, points) = all(column(&scores, &labels), &Ones);
        assert_eq!(totals, Totals { positives: 3.0, negatives: 3.0 });
        let expected = [
            Point { key: 0.9_f32.to_key(), gained: 1.0, tps: 1.0, fps_above: 0.0, fps: 0.0 },
            Point { key: 0.5_f32.to_key(), gained: 2.0, tps: 3.0, fps_above: 1.0, fps: 2.0 },
        ];
        assert_eq!(points, expected);
    }

    #[test]
    fn sorting_all_and_searching_for_each_give_the_same_points() {
        let mut state = 3_u32;
        let mut next = |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        let scores: Vec<f32> = (0..6000).map(|_| next(900) as f32 / 900.0 - 0.2).collect();
        let labels: Vec<u8> = (0..6000).map(|_| next(3) as u8).collect();
        let (totals, expected) = all(column(&scores, &labels), &Ones);
        let mut found = Vec::new();
        let mut workspace = Workspace::<u32, u64>::default();
        let others = merged(column(&scores, &labels), &mut workspace, |_, point| found.push(point));
        assert_eq!((totals, expected), (others, found));
    }

    #[test]
    fn a_table_leads_to_the_same_place_as_a_search() {
        for (factor, offset) in [(1, 0), (1_000_003, 17), (1, u64::MAX - 5000)] {
            // Crowded at the beginning, sparse at the end.
            let key = |i: u64| offset + (i + (i / 2000) * i) * factor % (u64::MAX - offset);
            let mut keys: Vec<u64> = (0..2048).map(key).collect();
            keys.sort_unstable();
            keys.dedup();
            let mut steps = Steps::<u64, u64> { keys, ..Steps::default() };
            steps.fill_table();
            assert!(!steps.table.is_empty());
            let around = steps.keys.iter().flat_map(|key| [key.saturating_sub(1), *key, key.saturating_add(1)]);
            for key in around.chain([0, u64::MAX]) {
                assert_eq!(steps.reached(key), reached_of(&steps.keys, key));
            }
        }
    }

    #[test]
    fn a_weight_is_a_number_of_clips() {
        let weights = ClipWeights::new(&[2.0, 1.0, 3.0, 0.0]).unwrap();
        let weighted = all(column(&[0.3, 0.2, 0.2, 0.9], &[1, 1, 0, 1]), &weights);
        let repeated = all(column(&[0.3, 0.3, 0.2, 0.2, 0.2, 0.2], &[1, 1, 1, 0, 0, 0]), &Ones);
        assert_eq!(weighted, repeated);
    }

    #[test]
    fn a_score_that_is_no_number_is_named_unless_its_label_is_unknown() {
        let scores = [0.1, f32::NAN];
        let refused = |labels: &[u8]| column(&scores, labels).check();
        assert!(matches!(refused(&[1, 0]), Err(Error::TaggingScore { clip: 1, class: 0, .. })));
        assert_eq!(refused(&[1, label::UNKNOWN]), Ok(()));
    }
}
