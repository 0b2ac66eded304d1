//! Error rates (Mesaros et al., Applied Sciences 2016, doi 10.3390/app6060162): errors per target.
//!
//! ```text
//! insertions  IR = FP / N_ref
//! deletions   DR = (N_ref - TP) / N_ref
//! all errors  ER = (FP + N_ref - TP) / N_ref
//! ```
//!
//! With one class at a time nothing is substituted. There is no upper limit; without detections the rate
//! is 1. Without targets all rates are NaN.

use super::operating_point::threshold_for;

/// An error rate, the sum of an insertion and a deletion rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorRate {
    /// Errors per target.
    pub error_rate: f64,
    /// False positives per target.
    pub insertion_rate: f64,
    /// Share of the targets that are missed.
    pub deletion_rate: f64,
}

impl ErrorRate {
    /// From the counts at one threshold.
    #[inline]
    pub fn new(tps: i64, fps: i64, n_ref: usize) -> Self {
        let per_target = |errors: i64| if n_ref == 0 { f64::NAN } else { errors as f64 / n_ref as f64 };
        let deletions = n_ref as i64 - tps;
        Self {
            error_rate: per_target(fps + deletions),
            insertion_rate: per_target(fps),
            deletion_rate: per_target(deletions),
        }
    }

    /// The means over classes, added up in their order.
    pub fn macro_average(classes: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| classes.iter().fold(0.0, |sum, class| sum + of(class)) / classes.len() as f64;
        Self {
            error_rate: mean(|class| class.error_rate),
            insertion_rate: mean(|class| class.insertion_rate),
            deletion_rate: mean(|class| class.deletion_rate),
        }
    }

    /// From the sums over classes of their counts, each `(tps, fps, n_ref)` at the threshold of the class.
    pub fn micro_average(classes: impl IntoIterator<Item = (i64, i64, usize)>) -> Self {
        let (mut tps, mut fps, mut n_ref) = (0, 0, 0);
        for class in classes {
            tps += class.0;
            fps += class.1;
            n_ref += class.2;
        }
        Self::new(tps, fps, n_ref)
    }
}

/// Error rates at every threshold, in the order of the thresholds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorRateCurve {
    /// Error rates.
    pub error_rate: Vec<f64>,
    /// Insertion rates.
    pub insertion_rate: Vec<f64>,
    /// Deletion rates.
    pub deletion_rate: Vec<f64>,
}

/// The curve of a class from its counts.
pub fn error_rate_curve(tps: &[i64], fps: &[i64], n_ref: usize) -> ErrorRateCurve {
    let mut curve = ErrorRateCurve::default();
    for (tps, fps) in tps.iter().zip(fps) {
        let ErrorRate { error_rate, insertion_rate, deletion_rate } = ErrorRate::new(*tps, *fps, n_ref);
        curve.error_rate.push(error_rate);
        curve.insertion_rate.push(insertion_rate);
        curve.deletion_rate.push(deletion_rate);
    }
    curve
}

/// The point with the lowest error rate of a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BestErrorRate {
    /// Its index.
    pub point: usize,
    /// A decision threshold that has the counts of the point.
    pub threshold: f64,
    /// What is reached there.
    pub rate: ErrorRate,
}

/// What is allowed; `None` allows anything.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorRateLimits {
    /// The highest insertion rate.
    pub max_insertion_rate: Option<f64>,
    /// The highest deletion rate.
    pub max_deletion_rate: Option<f64>,
}

impl ErrorRateLimits {
    fn allow(&self, rate: &ErrorRate) -> bool {
        self.max_insertion_rate.is_none_or(|limit| rate.insertion_rate <= limit)
            && self.max_deletion_rate.is_none_or(|limit| rate.deletion_rate <= limit)
    }
}

/// The best point of a class from its counts at ascending thresholds, the last of which is `+inf`.
///
/// Of several it is the one with the highest threshold. Where none keeps the limits (or there are no
/// targets) it is the last, at which nothing is detected and the deletion rate is 1.
pub fn best_error_rate(
    thresholds: &[f64],
    tps: &[i64],
    fps: &[i64],
    n_ref: usize,
    limits: &ErrorRateLimits,
) -> BestErrorRate {
    let last = thresholds.len() - 1;
    let nothing_detected = ErrorRate::new(tps[last], fps[last], n_ref);
    let mut best: Option<(usize, ErrorRate)> = None;
    for (i, (tps, fps)) in tps.iter().zip(fps).enumerate().rev() {
        let here = ErrorRate::new(*tps, *fps, n_ref);
        if best.is_none_or(|(_, best)| here.error_rate < best.error_rate) && limits.allow(&here) {
            best = Some((i, here));
        }
    }
    let (point, rate) = best.unwrap_or((last, nothing_detected));
    BestErrorRate { point, threshold: threshold_for(thresholds, point), rate }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;
    const THRESHOLDS: [f64; 4] = [0.25, 0.5, 0.75, INF];
    const TPS: [i64; 4] = [2, 2, 1, 0];
    const FPS: [i64; 4] = [6, 1, 0, 0];

    fn best(max_insertion_rate: Option<f64>, max_deletion_rate: Option<f64>) -> (usize, f64, f64) {
        let limits = ErrorRateLimits { max_insertion_rate, max_deletion_rate };
        let best = best_error_rate(&THRESHOLDS, &TPS, &FPS, 2, &limits);
        (best.point, best.threshold, best.rate.error_rate)
    }

    #[test]
    fn errors_are_insertions_and_deletions() {
        let rates = ErrorRate { error_rate: 2.0, insertion_rate: 1.5, deletion_rate: 0.5 };
        assert_eq!(ErrorRate::new(1, 3, 2), rates);
        let curve = error_rate_curve(&TPS, &FPS, 2);
        assert_eq!(curve.error_rate, [3.0, 0.5, 0.5, 1.0]);
        assert_eq!(curve.insertion_rate, [3.0, 0.5, 0.0, 0.0]);
        assert_eq!(curve.deletion_rate, [0.0, 0.0, 0.5, 1.0]);
        assert!(ErrorRate::new(0, 1, 0).error_rate.is_nan());
    }

    #[test]
    fn of_several_best_points_that_with_the_highest_threshold_is_taken() {
        assert_eq!(best(None, None), (2, 0.625, 0.5));
    }

    #[test]
    fn limits_do_what_they_say() {
        assert_eq!(best(None, Some(0.0)), (1, 0.375, 0.5));
        assert_eq!(best(Some(0.5), Some(0.25)), (1, 0.375, 0.5));
        assert_eq!(best(Some(0.25), None), (2, 0.625, 0.5));
        assert_eq!(best(Some(0.0), Some(0.0)), (3, INF, 1.0)); // out of reach
        let undefined = best_error_rate(&[0.5, INF], &[0, 0], &[1, 0], 0, &ErrorRateLimits::default());
        assert_eq!((undefined.point, undefined.threshold), (1, INF));
    }

    #[test]
    fn classes_are_averaged_by_rate_or_by_count() {
        let classes = [(1, 1, 1), (1, 0, 3)];
        let rates = classes.map(|(tps, fps, n_ref)| ErrorRate::new(tps, fps, n_ref));
        assert_eq!(ErrorRate::macro_average(&rates).insertion_rate, 0.5);
        assert_eq!(ErrorRate::macro_average(&rates).deletion_rate, 1.0 / 3.0);
        let micro = ErrorRate { error_rate: 0.75, insertion_rate: 0.25, deletion_rate: 0.5 };
        assert_eq!(ErrorRate::micro_average(classes), micro);
    }
}
