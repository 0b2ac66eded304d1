//! F-scores (van Rijsbergen, Information Retrieval, 1979) at a threshold, at every threshold, at the best one.
//!
//! ```text
//! F = (1 + beta²) P R / (beta² P + R) = (1 + beta²) TP / (TP + FP + beta² N_ref)
//! ```
//!
//! The second form takes one division of counts, so that scores that are equal compare equal, too.
//!
//! Classes are put together in two ways: the *macro* average is the mean over the classes of each of the
//! three numbers, the *micro* average is what follows from the sums of their counts.
//!
//! | undefined | precision | recall | F |
//! |---|---|---|---|
//! | no detections | 1, micro 0 | 0 | 0 |
//! | no targets | | NaN | NaN |

use super::operating_point::threshold_for;
use super::precision_recall::{precision, recall};

/// An F-score and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FScore {
    /// Weighted harmonic mean of precision and recall.
    pub f_score: f64,
    /// Share of the detections that are right.
    pub precision: f64,
    /// Share of the targets that are found.
    pub recall: f64,
}

impl FScore {
    /// From the counts at one threshold; `beta` is how many times as important recall is as precision.
    #[inline]
    pub fn new(tps: i64, fps: i64, n_ref: usize, beta: f64) -> Self {
        let weight = beta * beta;
        let f_score = match (n_ref, tps) {
            (0, _) => f64::NAN,
            (_, 0) => 0.0,
            _ => (1.0 + weight) * tps as f64 / ((tps + fps) as f64 + weight * n_ref as f64),
        };
        Self { f_score, precision: precision(tps, fps), recall: recall(tps, n_ref) }
    }

    /// The means over classes, added up in their order.
    pub fn macro_average(classes: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| classes.iter().fold(0.0, |sum, class| sum + of(class)) / classes.len() as f64;
        Self {
            f_score: mean(|class| class.f_score),
            precision: mean(|class| class.precision),
            recall: mean(|class| class.recall),
        }
    }

    /// From the sums over classes of their counts, each `(tps, fps, n_ref)` at the threshold of the class.
    pub fn micro_average(classes: impl IntoIterator<Item = (i64, i64, usize)>, beta: f64) -> Self {
        let (mut tps, mut fps, mut n_ref) = (0, 0, 0);
        for class in classes {
            tps += class.0;
            fps += class.1;
            n_ref += class.2;
        }
        let together = Self::new(tps, fps, n_ref, beta);
        if tps + fps == 0 { Self { precision: 0.0, ..together } } else { together }
    }
}

/// F-scores at every threshold, in the order of the thresholds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FScoreCurve {
    /// F-scores.
    pub f_score: Vec<f64>,
    /// Precisions.
    pub precision: Vec<f64>,
    /// Recalls.
    pub recall: Vec<f64>,
}

/// The curve of a class from its counts.
pub fn f_score_curve(tps: &[i64], fps: &[i64], n_ref: usize, beta: f64) -> FScoreCurve {
    let mut curve = FScoreCurve::default();
    for (tps, fps) in tps.iter().zip(fps) {
        let FScore { f_score, precision, recall } = FScore::new(*tps, *fps, n_ref, beta);
        curve.f_score.push(f_score);
        curve.precision.push(precision);
        curve.recall.push(recall);
    }
    curve
}

/// The point with the best F-score of a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestFScore {
    /// Its index.
    pub point: usize,
    /// A decision threshold that has the counts of the point.
    pub threshold: f64,
    /// What is reached there.
    pub score: FScore,
}

/// What counts as best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FScoreAim {
    /// How many times as important recall is as precision.
    pub beta: f64,
    /// The precision that is asked for at least.
    pub min_precision: f64,
    /// The recall that is asked for at least.
    pub min_recall: f64,
}

impl Default for FScoreAim {
    fn default() -> Self {
        Self { beta: 1.0, min_precision: 0.0, min_recall: 0.0 }
    }
}

/// The best point of a class from its counts at ascending thresholds, the last of which is `+inf`.
///
/// Of several it is the one with the highest threshold. Where none has the precision and the recall asked
/// for (or there are no targets) it is the last, at which nothing is detected.
pub fn best_f_score(thresholds: &[f64], tps: &[i64], fps: &[i64], n_ref: usize, aim: &FScoreAim) -> BestFScore {
    let last = thresholds.len() - 1;
    let mut point = last;
    let mut score = FScore::new(tps[last], fps[last], n_ref, aim.beta);
    for (i, (tps, fps)) in tps.iter().zip(fps).enumerate().rev() {
        let here = FScore::new(*tps, *fps, n_ref, aim.beta);
        if here.f_score > score.f_score && here.precision >= aim.min_precision && here.recall >= aim.min_recall {
            point = i;
            score = here;
        }
    }
    BestFScore { point, threshold: threshold_for(thresholds, point), score }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;
    const THRESHOLDS: [f64; 4] = [0.25, 0.5, 0.75, INF];
    const TPS: [i64; 4] = [2, 2, 1, 0];
    const FPS: [i64; 4] = [6, 2, 0, 0];

    fn best(aim: FScoreAim) -> (usize, f64, f64) {
        let best = best_f_score(&THRESHOLDS, &TPS, &FPS, 2, &aim);
        (best.point, best.threshold, best.score.f_score)
    }

    #[test]
    fn an_f_score_is_the_weighted_harmonic_mean() {
        assert_eq!(FScore::new(1, 1, 4, 1.0), FScore { f_score: 1.0 / 3.0, precision: 0.5, recall: 0.25 });
        // 5 P R / (4 P + R)
        assert_eq!(FScore::new(1, 1, 4, 2.0).f_score, 0.625 / 2.25);
        assert_eq!(FScore::new(3, 0, 3, 0.5).f_score, 1.0);
    }

    #[test]
    fn without_detections_precision_is_one_and_the_f_score_zero() {
        assert_eq!(FScore::new(0, 0, 3, 1.0), FScore { f_score: 0.0, precision: 1.0, recall: 0.0 });
        assert_eq!(FScore::micro_average([(0, 0, 3), (0, 0, 1)], 1.0).precision, 0.0);
        let undefined = FScore::new(0, 2, 0, 1.0);
        assert!(undefined.f_score.is_nan() && undefined.recall.is_nan());
        assert_eq!(undefined.precision, 0.0);
    }

    #[test]
    fn the_curve_has_a_point_for_each_threshold() {
        let curve = f_score_curve(&TPS, &FPS, 2, 1.0);
        assert_eq!(curve.f_score, [0.4, 2.0 / 3.0, 2.0 / 3.0, 0.0]);
        assert_eq!(curve.precision, [0.25, 0.5, 1.0, 1.0]);
        assert_eq!(curve.recall, [1.0, 1.0, 0.5, 0.0]);
    }

    #[test]
    fn of_several_best_points_that_with_the_highest_threshold_is_taken() {
        assert_eq!(best(FScoreAim::default()), (2, 0.625, 2.0 / 3.0));
        assert_eq!(best(FScoreAim { beta: 2.0, ..FScoreAim::default() }).0, 1);
    }

    #[test]
    fn points_without_the_precision_or_recall_asked_for_are_passed_over() {
        assert_eq!(best(FScoreAim { min_recall: 0.6, ..FScoreAim::default() }), (1, 0.375, 2.0 / 3.0));
        assert_eq!(best(FScoreAim { min_precision: 0.6, min_recall: 0.6, ..FScoreAim::default() }), (3, INF, 0.0));
        let nothing = best_f_score(&[0.5, INF], &[0, 0], &[1, 0], 0, &FScoreAim::default());
        assert_eq!((nothing.point, nothing.threshold), (1, INF));
        assert!(nothing.score.f_score.is_nan());
    }

    #[test]
    fn classes_are_averaged_by_score_or_by_count() {
        let classes = [(1, 0, 1), (1, 3, 4)];
        let scores = classes.map(|(tps, fps, n_ref)| FScore::new(tps, fps, n_ref, 1.0));
        assert_eq!(FScore::macro_average(&scores), FScore { f_score: 0.625, precision: 0.625, recall: 0.625 });
        let micro = FScore { f_score: 0.4, precision: 0.4, recall: 0.4 };
        assert_eq!(FScore::micro_average(classes, 1.0), micro);
    }
}
