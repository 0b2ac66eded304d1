//! The receiver operating characteristic (ROC) of clips or segments, which can be negative.
//!
//! ```text
//! TPR = TP / N_ref        FPR = FP / N_negatives
//! ```
//!
//! Entries without a score (`-inf`) are above no threshold. They rank below all others and like each other, so
//! the curve goes straight on from its last threshold to (1, 1). Without positives TPR is NaN, and without
//! negatives FPR is.

use super::precision_recall::recall;

/// The curve of a class, ascending in `fpr`, then in `tpr`, from (0, 0) to (1, 1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RocCurve {
    /// True positive rates.
    pub tpr: Vec<f64>,
    /// False positive rates.
    pub fpr: Vec<f64>,
    /// The score of each point: it holds for decision thresholds just below it. The last is `-inf` if there
    /// are entries without a score: no threshold reaches (1, 1) then.
    pub thresholds: Vec<f64>,
}

/// The curve of a class from its counts at ascending thresholds, the last of which is `+inf`.
pub fn roc_curve(thresholds: &[f64], tps: &[i64], fps: &[i64], n_ref: usize, n_negatives: usize) -> RocCurve {
    // Counts of entries never fall with the threshold, so this order is that of the rates.
    let counts = thresholds.iter().zip(tps).zip(fps).rev().map(|((threshold, tps), fps)| (*threshold, *tps, *fps));
    let has_all = tps.first() == Some(&(n_ref as i64)) && fps.first() == Some(&(n_negatives as i64));
    let rest = (!has_all).then_some((f64::NEG_INFINITY, n_ref as i64, n_negatives as i64));
    let mut curve = RocCurve::default();
    for (threshold, tps, fps) in counts.chain(rest) {
        curve.tpr.push(recall(tps, n_ref));
        curve.fpr.push(recall(fps, n_negatives));
        curve.thresholds.push(threshold);
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_curve_goes_from_nothing_to_everything() {
        let curve = roc_curve(&[0.2, 0.8, INF], &[2, 1, 0], &[4, 0, 0], 2, 4);
        assert_eq!(curve.tpr, [0.0, 0.5, 1.0]);
        assert_eq!(curve.fpr, [0.0, 0.0, 1.0]);
        assert_eq!(curve.thresholds, [INF, 0.8, 0.2]);
    }

    #[test]
    fn entries_without_a_score_come_last_and_together() {
        let curve = roc_curve(&[0.2, 0.8, INF], &[2, 1, 0], &[1, 0, 0], 2, 4);
        assert_eq!(curve.tpr, [0.0, 0.5, 1.0, 1.0]);
        assert_eq!(curve.fpr, [0.0, 0.0, 0.25, 1.0]);
        assert_eq!(curve.thresholds, [INF, 0.8, 0.2, -INF]);
        assert_eq!(roc_curve(&[INF], &[0], &[0], 1, 1).tpr, [0.0, 1.0]);
    }

    #[test]
    fn without_positives_or_negatives_a_rate_is_not_a_number() {
        assert!(roc_curve(&[0.5, INF], &[0, 0], &[1, 0], 0, 1).tpr.iter().all(|rate| rate.is_nan()));
        assert!(roc_curve(&[0.5, INF], &[1, 0], &[0, 0], 1, 0).fpr.iter().all(|rate| rate.is_nan()));
    }
}
