//! Precision and recall (van Rijsbergen, Information Retrieval, 1979) at every threshold.
//!
//! ```text
//! P = TP / (TP + FP)        R = TP / N_ref
//! ```
//!
//! | undefined | value |
//! |---|---|
//! | precision of a class without detections | 1 |
//! | recall of a class without targets | NaN |

/// The share of the detections that are right.
#[inline]
pub fn precision(tps: i64, fps: i64) -> f64 {
    let n_detections = tps + fps;
    if n_detections == 0 { 1.0 } else { tps as f64 / n_detections as f64 }
}

/// The share of the targets that are found.
#[inline]
pub fn recall(tps: i64, n_ref: usize) -> f64 {
    if n_ref == 0 { f64::NAN } else { tps as f64 / n_ref as f64 }
}

/// Precision and recall of a class, ascending in recall, then in precision.
///
/// Where events are counted, recall may fall with the threshold: the order is not always that of the
/// thresholds. Points that are equal in both are in ascending order of their thresholds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PrecisionRecallCurve {
    /// Precisions.
    pub precision: Vec<f64>,
    /// Recalls.
    pub recall: Vec<f64>,
    /// The score of each point: it holds for decision thresholds just below it.
    pub thresholds: Vec<f64>,
}

/// The curve of a class from its counts at ascending thresholds, the last of which is `+inf`.
pub fn precision_recall_curve(thresholds: &[f64], tps: &[i64], fps: &[i64], n_ref: usize) -> PrecisionRecallCurve {
    let counts = thresholds.iter().zip(tps).zip(fps);
    let mut points: Vec<(f64, f64, f64)> =
        counts.map(|((threshold, tps), fps)| (recall(*tps, n_ref), precision(*tps, *fps), *threshold)).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    PrecisionRecallCurve {
        precision: points.iter().map(|point| point.1).collect(),
        recall: points.iter().map(|point| point.0).collect(),
        thresholds: points.iter().map(|point| point.2).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_curve_begins_where_nothing_is_detected() {
        let curve = precision_recall_curve(&[0.2, 0.8, INF], &[2, 1, 0], &[2, 0, 0], 4);
        assert_eq!(curve.precision, [1.0, 1.0, 0.5]);
        assert_eq!(curve.recall, [0.0, 0.25, 0.5]);
        assert_eq!(curve.thresholds, [INF, 0.8, 0.2]);
    }

    #[test]
    fn points_are_sorted_by_recall_where_it_falls_with_the_threshold() {
        let curve = precision_recall_curve(&[0.1, 0.2, 0.3, 0.4, INF], &[0, 1, 0, 0, 0], &[1, 1, 1, 2, 0], 1);
        assert_eq!(curve.recall, [0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(curve.precision, [0.0, 0.0, 0.0, 1.0, 0.5]);
        assert_eq!(curve.thresholds, [0.1, 0.3, 0.4, INF, 0.2]);
    }

    #[test]
    fn without_targets_recall_is_not_a_number() {
        let curve = precision_recall_curve(&[0.5, INF], &[0, 0], &[3, 0], 0);
        assert!(curve.recall.iter().all(|recall| recall.is_nan()));
        assert_eq!(curve.precision, [0.0, 1.0]);
    }
}
