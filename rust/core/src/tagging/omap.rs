//! Ontology-aware average precision (OAP) of a class at all levels in one pass.
//!
//! Liu et al., "Ontology-aware Learning and Evaluation for Audio Tagging", ICASSP 2023, equations 1 to 6: average
//! precision in which a false positive costs its distance `d` to the nearest label of the clip, in units of the mean
//! distance of classes, and nothing where `d` is not greater than the level:
//!
//! ```text
//! precision = TP / (TP + sum of W over false positives)    W = d / mean, or 0 where d <= level
//! ```
//!
//! False positives are counted by distance, and a level is a weighted sum of these counts. With whole distances all
//! sums are exact: the result knows neither the order of clips nor the number of threads.

use super::distances::Distances;
use super::keys::{Key, RankedScore};
use super::label;
use super::ranking::{Column, Scratch, Steps};
use super::weights::Weights;
use crate::error::Result;

/// By what the distances of a level are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Normalization {
    /// The mean over pairs of different classes, as in the published code.
    OffDiagonal,
    /// The mean over all entries of the matrix, as printed in the paper.
    All,
    /// One: the distances are the weights.
    Nothing,
}

/// Weights of false positives at every level.
#[derive(Debug, Clone)]
pub struct Levels {
    values: Vec<f64>,
    /// For each level the rank of the first distance that costs something, and the mean distance.
    levels: Vec<(usize, f64)>,
}

impl Levels {
    /// Prepares the given levels.
    pub fn new(distances: &Distances, levels: &[f64], normalization: Normalization) -> Self {
        let values = distances.values().to_vec();
        let counts = distances.histogram();
        let n = distances.n_classes() as f64;
        let n_entries = match normalization {
            Normalization::OffDiagonal => n * (n - 1.0),
            Normalization::All => n * n,
            Normalization::Nothing => 1.0,
        };
        let prepare = |level: &f64| {
            let first = values.partition_point(|value| value <= level);
            if normalization == Normalization::Nothing {
                return (first, 1.0);
            }
            let pairs = values[first..].iter().zip(&counts[first..]);
            let sum: f64 = pairs.map(|(value, count)| value * *count as f64).sum();
            // At the greatest distance and beyond nothing costs anything; dividing by one keeps it so.
            (first, if sum > 0.0 { sum / n_entries } else { 1.0 })
        };
        let levels = levels.iter().map(prepare).collect();
        Self { values, levels }
    }

    /// Number of levels.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

/// Memory that is reused from class to class.
#[derive(Debug)]
pub struct Workspace<K, T> {
    steps: Steps<K, T>,
    scratch: Scratch<K>,
    counts: Vec<T>,
}

impl<K: Key, T> Default for Workspace<K, T> {
    fn default() -> Self {
        Self { steps: Steps::default(), scratch: Scratch::default(), counts: Vec::new() }
    }
}

/// OAP at every level, and the number of positives; NaN without any.
///
/// `nearest` has the rank of the distance to the nearest label of each clip. With `strict` a clip is tagged where its
/// score is greater than the threshold, and the set of all clips is no operating point.
pub fn ontology_aware_average_precision<S: RankedScore, W: Weights>(
    column: Column<'_, S>,
    nearest: &[u16],
    weights: &W,
    levels: &Levels,
    strict: bool,
    workspace: &mut Workspace<S::Key, W::Tally>,
    out: &mut Vec<f64>,
) -> Result<f64> {
    column.check()?;
    let Workspace { steps, scratch, counts } = workspace;
    steps.fill(column, weights, scratch);
    // One bin for each distance, and one for clips whose weight is 1 at all levels.
    let n_bins = levels.values.len() + 1;
    counts.clear();
    counts.resize((steps.keys.len() + 1) * n_bins, W::Tally::default());
    for (clip, ((score, known), rank)) in column.scores.iter().zip(column.labels).zip(nearest).enumerate() {
        if *known == label::NEGATIVE {
            counts[steps.reached(score.to_key()) * n_bins + usize::from(*rank)] += weights.of(clip);
        }
    }
    let something_below = counts[..n_bins].iter().any(|count| *count != W::Tally::default());
    let lowest = usize::from(strict && !something_below);

    let mut at_least = vec![W::Tally::default(); n_bins];
    // costs[i]: distances of the false positives, from the i-th distance on.
    let mut costs = vec![0.0; n_bins];
    let mut tps = W::Tally::default();
    let first = out.len();
    out.resize(first + levels.len(), 0.0);
    let sums = &mut out[first..];
    let by_step = counts.chunks_exact(n_bins).skip(1);
    for (step, (gained, counts)) in steps.gained.iter().zip(by_step).enumerate().rev() {
        tps += *gained;
        at_least.iter_mut().zip(counts).for_each(|(sum, count)| *sum += *count);
        if step < lowest {
            continue;
        }
        let ones = weights.number(at_least[n_bins - 1]);
        let mut cost = 0.0;
        for (rank, value) in levels.values.iter().enumerate().rev() {
            cost += value * weights.number(at_least[rank]);
            costs[rank] = cost;
        }
        let (gained, tps) = (weights.number(*gained), weights.number(tps));
        for (sum, (first, mean)) in sums.iter_mut().zip(&levels.levels) {
            *sum += gained * (tps / (tps + costs[*first] / mean + ones));
        }
    }
    let mut positives = W::Tally::default();
    steps.gained.iter().for_each(|gained| positives += *gained);
    let positives = weights.number(positives);
    sums.iter_mut().for_each(|sum| *sum /= positives);
    Ok(positives)
}

#[cfg(test)]
mod tests {
    use super::super::distances::{LabelLists, Unlabeled, nearest_labels};
    use super::super::weights::Ones;
    use super::*;

    /// OAP of the first of three classes on a path, with clips given by their labels.
    fn oap(scores: &[f64], labels: &[[u8; 3]], normalization: Normalization, strict: bool) -> Vec<f64> {
        let distances = Distances::new(&[0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0], 3).unwrap();
        let mut lists = LabelLists::default();
        labels.iter().for_each(|clip| lists.push(clip));
        let mut nearest = Vec::new();
        nearest_labels(&distances, &lists, 0..1, Unlabeled::Refuse, &mut nearest);
        let known: Vec<u8> = labels.iter().map(|clip| clip[0]).collect();
        let column = Column { scores, labels: &known, class: 0 };
        let levels = Levels::new(&distances, &[0.0, 1.0, 2.0], normalization);
        let mut out = Vec::new();
        let mut workspace = Workspace::default();
        ontology_aware_average_precision(column, &nearest, &Ones, &levels, strict, &mut workspace, &mut out).unwrap();
        out
    }

    #[test]
    fn a_false_positive_costs_its_distance_and_near_ones_are_forgiven() {
        // Ranks: a clip of class 1 (distance 1), one of class 2 (distance 2), the positive.
        let labels = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];
        let scores = [0.9, 0.8, 0.7];
        assert_eq!(oap(&scores, &labels, Normalization::Nothing, false), [1.0 / 4.0, 1.0 / 3.0, 1.0]);
        // Means of off-diagonal distances: 8 / 6 at level 0, 4 / 6 at level 1.
        let expected = [1.0 / (1.0 + 3.0 / (8.0 / 6.0)), 1.0 / (1.0 + 2.0 / (4.0 / 6.0)), 1.0];
        assert_eq!(oap(&scores, &labels, Normalization::OffDiagonal, false), expected);
        let expected = [1.0 / (1.0 + 3.0 / (8.0 / 9.0)), 1.0 / (1.0 + 2.0 / (4.0 / 9.0)), 1.0];
        assert_eq!(oap(&scores, &labels, Normalization::All, false), expected);
    }

    #[test]
    fn the_set_of_all_clips_is_no_strict_operating_point() {
        let labels = [[0, 1, 0], [0, 0, 1], [1, 0, 0]];
        assert_eq!(oap(&[0.9, 0.8, 0.7], &labels, Normalization::Nothing, true), [0.0, 0.0, 0.0]);
        assert_eq!(oap(&[0.9, 0.6, 0.7], &labels, Normalization::Nothing, true), [0.5, 1.0, 1.0]);
    }
}
