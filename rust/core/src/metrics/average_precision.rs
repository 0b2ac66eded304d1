//! Average precision: the best precision at each recall, weighted by the steps of recall.
//!
//! ```text
//! AP = Σ_k P[k] * (R[k] - R[k-1])        0 = R[0] < R[1] < ... the distinct recalls, P[k] the best precision at R[k]
//! ```
//!
//! For clips and segments this is the average precision of scikit-learn. Where events are counted, recall
//! does not always grow as the threshold falls, and there may be targets that no threshold finds: these
//! add nothing. Terms are added from left to right.

use super::Undefined;
use crate::curves::precision_recall::{precision, recall};

/// The average precision of a class from its counts, in `O(n log n)`.
pub fn average_precision(tps: &[i64], fps: &[i64], n_ref: usize) -> Result<f64, Undefined> {
    if n_ref == 0 {
        return Err(Undefined::NoPositives);
    }
    // Of points with equally many true positives the best precision has the one with fewest false positives.
    let mut points: Vec<(i64, i64)> = tps.iter().copied().zip(fps.iter().copied()).rev().collect();
    points.sort_unstable();
    points.dedup_by_key(|point| point.0);
    let mut sum = 0.0;
    let mut before = 0.0;
    for (tps, fps) in points {
        let reached = recall(tps, n_ref);
        sum += precision(tps, fps) * (reached - before);
        before = reached;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perfect_ranking_has_one_and_a_constant_one_the_share_of_positives() {
        assert_eq!(average_precision(&[2, 2, 1, 0], &[3, 0, 0, 0], 2), Ok(1.0));
        assert_eq!(average_precision(&[2, 0], &[6, 0], 2), Ok(0.25));
    }

    #[test]
    fn precisions_are_weighted_by_steps_of_recall() {
        // Ranked: right, wrong, right, right, wrong.
        let tps = [3, 3, 2, 1, 1, 0];
        let fps = [2, 1, 1, 1, 0, 0];
        let expected = 1.0 / 3.0 + 2.0 / 3.0 * (1.0 / 3.0) + 0.75 * (1.0 / 3.0);
        assert!((average_precision(&tps, &fps, 3).unwrap() - expected).abs() < 1e-15);
    }

    #[test]
    fn recall_may_fall_and_targets_may_stay_missing() {
        // One of two targets is found at two thresholds, better at the second.
        assert_eq!(average_precision(&[0, 1, 0, 1, 0], &[1, 0, 1, 1, 0], 2), Ok(0.5));
    }

    #[test]
    fn there_is_none_without_targets() {
        assert_eq!(average_precision(&[0, 0], &[1, 0], 0), Err(Undefined::NoPositives));
        assert_eq!(average_precision(&[0], &[0], 3), Ok(0.0)); // nothing is ever detected
    }
}
