//! Operating points: which counts belong to a decision threshold, and which threshold to a point.

/// The point whose counts hold at a decision threshold, which is a number.
///
/// That is the lowest score above the threshold, or else the last point, where nothing is detected.
pub fn operating_point(thresholds: &[f64], threshold: f64) -> usize {
    thresholds.partition_point(|score| *score <= threshold).min(thresholds.len() - 1)
}

/// A decision threshold that has the counts of a point, and can be used on other data.
///
/// It lies halfway between the score of the point and the one before. Two scores may be so close, or so far
/// apart, that their middle is no number from the one to below the other: then it is the score before. For
/// the first point, which no score is before, it is the largest number below its score, and `+inf` for the
/// last.
pub fn threshold_for(thresholds: &[f64], point: usize) -> f64 {
    let score = thresholds[point];
    if point + 1 == thresholds.len() {
        return f64::INFINITY;
    }
    let before = if point == 0 { f64::NEG_INFINITY } else { thresholds[point - 1] };
    if before == f64::NEG_INFINITY {
        return score.next_down();
    }
    #[expect(clippy::manual_midpoint, reason = "a sum that overflows is dealt with, and this is the plain formula")]
    let middle = (before + score) / 2.0;
    if before <= middle && middle < score { middle } else { before }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_point_holds_from_the_score_before_up_to_its_own() {
        let thresholds = [0.25, 0.5, INF];
        let points = [f64::NEG_INFINITY, 0.2, 0.25, 0.4, 0.5, 0.9, INF];
        assert_eq!(points.map(|threshold| operating_point(&thresholds, threshold)), [0, 0, 1, 1, 2, 2, 2]);
        assert_eq!(operating_point(&[INF], 0.5), 0);
        assert_eq!(operating_point(&[0.5, INF, INF], 0.7), 1); // a score of +inf is above all others
    }

    #[test]
    fn a_threshold_lies_halfway_between_two_scores() {
        let thresholds = [0.25, 0.5, 1.0, INF];
        assert_eq!(threshold_for(&thresholds, 0), 0.25_f64.next_down());
        assert_eq!(threshold_for(&thresholds, 1), 0.375);
        assert_eq!(threshold_for(&thresholds, 2), 0.75);
        assert_eq!(threshold_for(&thresholds, 3), INF);
    }

    #[test]
    fn every_threshold_leads_back_to_its_point() {
        let next = 0.1_f64.next_up();
        let thresholds = [f64::MIN, -1e308, -0.5, 0.0, f64::from_bits(1), 0.1, next, next.next_up(), 1e308, INF];
        for thresholds in [&thresholds, &[1e308, f64::MAX, INF, INF][..], &[INF, INF], &[f64::MIN, INF], &[INF]] {
            for point in 0..thresholds.len() {
                let threshold = threshold_for(thresholds, point);
                assert_eq!(operating_point(thresholds, threshold), point, "{thresholds:?} {threshold}");
            }
        }
    }
}
