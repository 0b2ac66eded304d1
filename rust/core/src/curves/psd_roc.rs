//! The polyphonic sound detection ROC (Bilen et al., ICASSP 2020), exact at every threshold.
//!
//! At each operating point of class `c`, with `D` the duration of the data set and `T_o` the total
//! length of the targets of class `o`:
//!
//! ```text
//! TPR  = TP / N_ref
//! FPR  = FP / D
//! CTR  = mean over the other classes o of  CT_o / T_o
//! eFPR = (FPR + alpha_ct * CTR) * seconds_per_unit
//! ```
//!
//! **Where the three parameters act:** `alpha_ct` enters the curve of each class. `alpha_st` and the mean
//! over the classes make the averaged curve, `max(mean - alpha_st * std, 0)`. `max_efpr` cuts the curves,
//! and is where the area under the averaged one ends ([`crate::metrics::psds`]).
//!
//! The order of floating point operations follows the field's evaluator, so that values agree to the
//! last bit wherever its sums do not depend on the order of its input.

use std::cmp::Ordering;

use crate::deltas::Word;
use crate::statistics::{Counts, descend};

/// Parameters of the curve of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Duration of the data set in seconds.
    pub dataset_duration: f64,
    /// Weight of the cross-trigger rate in the effective false positive rate.
    pub alpha_ct: f64,
    /// Seconds in the unit of time of the rates (3600 for an hour).
    pub seconds_per_unit: f64,
    /// The effective false positive rate up to which points are kept; `None` keeps all.
    pub max_efpr: Option<f64>,
    /// Whether only points that raise the true positive rate are kept (a system that always picks the best
    /// operating point); otherwise the best point at each effective false positive rate is.
    pub oracle: bool,
}

impl Setting {
    /// The number of false positives whose rate just does not exceed `max_efpr`, if it is given.
    pub fn most_false_positives(&self) -> Option<i64> {
        let limit = self.max_efpr?;
        let is_within = |fps: i64| fps as f64 / self.dataset_duration * self.seconds_per_unit <= limit;
        // The quotient may be off by its rounding; the rate itself, which never falls, decides.
        let mut most = (limit / self.seconds_per_unit * self.dataset_duration) as i64;
        while most < i64::MAX && is_within(most + 1) {
            most += 1;
        }
        while most > 0 && !is_within(most) {
            most -= 1;
        }
        Some(most)
    }
}

/// The curve of one class, ascending in `efpr`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClassPsdRoc {
    /// True positive rates.
    pub tpr: Vec<f64>,
    /// Effective false positive rates per unit of time.
    pub efpr: Vec<f64>,
    /// The score of each operating point: it holds for decision thresholds just below it.
    pub thresholds: Vec<f64>,
}

/// The other classes of a class: their indices in column order and the total lengths of their targets.
#[derive(Debug, Clone)]
pub struct OtherClasses {
    target_lengths: Vec<Option<f64>>,
    n: usize,
}

impl OtherClasses {
    /// Of `n_classes` classes, the `others` take part, each with the total length of its targets.
    pub fn new(n_classes: usize, others: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut target_lengths = vec![None; n_classes];
        let mut n = 0;
        for (class, length) in others {
            // No class has zero seconds of targets by right; the floor keeps the rate finite where one has.
            target_lengths[class] = Some(length.max(1e-12));
            n += 1;
        }
        Self { target_lengths, n }
    }

    /// The mean cross-trigger rate per second; zero without other classes.
    fn cross_trigger_rate(&self, counts: &Counts) -> f64 {
        let mut sum = 0.0;
        // Classes without cross triggers would add an exact zero.
        for &class in counts.triggered() {
            if let Some(length) = self.target_lengths[class] {
                sum += counts.cts[class] as f64 / length;
            }
        }
        if self.n == 0 { 0.0 } else { sum / self.n as f64 }
    }
}

#[derive(Debug, Clone, Copy)]
struct OperatingPoint {
    efpr: f64,
    tps: i64,
    score: f64,
}

/// The curve of one class from its sorted deltas; `n_ref` is its number of targets.
pub fn class_psd_roc<W: Word>(sorted: &[W], n_ref: usize, others: &OtherClasses, setting: &Setting) -> ClassPsdRoc {
    let limit = setting.max_efpr.unwrap_or(f64::INFINITY);
    let most_fps = setting.most_false_positives().unwrap_or(i64::MAX);
    // Nothing is detected at a threshold of +inf.
    let mut points = vec![OperatingPoint { efpr: 0.0, tps: 0, score: f64::INFINITY }];
    let mut cross_trigger_rate = 0.0;
    let mut is_stale = false;
    descend(sorted, others.target_lengths.len(), |score, counts, cts_changed| {
        is_stale |= cts_changed;
        // Cross triggers only add to the rate, so most points are out before it is calculated.
        if counts.fps > most_fps {
            return;
        }
        let mut efpr = counts.fps as f64 / setting.dataset_duration;
        if setting.alpha_ct != 0.0 {
            if is_stale {
                cross_trigger_rate = others.cross_trigger_rate(counts);
                is_stale = false;
            }
            efpr += setting.alpha_ct * cross_trigger_rate;
        }
        efpr *= setting.seconds_per_unit;
        if efpr <= limit {
            points.push(OperatingPoint { efpr, tps: counts.tps, score });
        }
    });
    keep_best(points, n_ref, setting.oracle)
}

/// Of the points at each rate keeps the one with most true positives, and with an oracle only where these rise.
fn keep_best(mut points: Vec<OperatingPoint>, n_ref: usize, oracle: bool) -> ClassPsdRoc {
    points
        .sort_unstable_by(|a, b| (a.efpr.total_cmp(&b.efpr)).then(a.tps.cmp(&b.tps)).then(b.score.total_cmp(&a.score)));
    let mut curve = ClassPsdRoc::default();
    let mut best = -1;
    for at_rate in points.chunk_by(|a, b| a.efpr == b.efpr) {
        let most = at_rate[at_rate.len() - 1].tps;
        if oracle && most <= best {
            continue;
        }
        best = most;
        // Among equals the oracle names the highest threshold; without it the field names the lowest.
        let kept = if oracle {
            at_rate[at_rate.partition_point(|point| point.tps.cmp(&most) == Ordering::Less)]
        } else {
            at_rate[at_rate.len() - 1]
        };
        curve.tpr.push(kept.tps as f64 / (n_ref.max(1)) as f64);
        curve.efpr.push(kept.efpr);
        curve.thresholds.push(kept.score);
    }
    curve
}

/// The averaged curve: `max(mean - alpha_st * std, 0)` of the classes' curves, taken as steps.
///
/// Returns the effective true positive rates and the effective false positive rates, which are all those
/// of the classes, then `max_efpr` with the last value, where it is given.
pub fn averaged_psd_roc(classes: &[ClassPsdRoc], alpha_st: f64, max_efpr: Option<f64>) -> (Vec<f64>, Vec<f64>) {
    /// Rates handled at once: enough to amortise the walk over the classes, few enough for the cache.
    const BLOCK: usize = 1024;

    let mut efpr: Vec<f64> = classes.iter().flat_map(|class| class.efpr.iter().copied()).collect();
    efpr.sort_unstable_by(f64::total_cmp);
    efpr.dedup();
    let n_classes = classes.len() as f64;
    let mut etpr = Vec::with_capacity(efpr.len() + 1);
    let mut positions = vec![0_usize; classes.len()];
    let mut values: Vec<f64> = Vec::new();
    for block in efpr.chunks(BLOCK) {
        values.clear();
        let mut means = vec![0.0; block.len()];
        for (class, position) in classes.iter().zip(&mut positions) {
            for (rate, mean) in block.iter().zip(&mut means) {
                while *position < class.efpr.len() && class.efpr[*position] <= *rate {
                    *position += 1;
                }
                let tpr = if *position == 0 { 0.0 } else { class.tpr[*position - 1] };
                values.push(tpr);
                *mean += tpr;
            }
        }
        means.iter_mut().for_each(|mean| *mean /= n_classes);
        let mut variances = vec![0.0; block.len()];
        for row in values.chunks(block.len()) {
            for ((variance, mean), tpr) in variances.iter_mut().zip(&means).zip(row) {
                let distance = tpr - mean;
                *variance += distance * distance;
            }
        }
        for (mean, variance) in means.iter().zip(&variances) {
            let std = (variance / n_classes).sqrt();
            etpr.push((mean - alpha_st * std).max(0.0));
        }
    }
    if let (Some(max_efpr), Some(&last)) = (max_efpr, etpr.last()) {
        etpr.push(last);
        efpr.push(max_efpr);
    }
    (etpr, efpr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deltas::Count;
    use crate::scores::Score;

    const PER_HOUR: Setting = Setting {
        dataset_duration: 36.0,
        alpha_ct: 0.0,
        seconds_per_unit: 3600.0,
        max_efpr: Some(250.0),
        oracle: true,
    };

    fn word(score: f32, count: Count, by: i16) -> u64 {
        u64::pack(score.to_key(), count, by)
    }

    /// A target at .9, a false positive at .8, the second target at .7, two more false positives at .6.
    fn sorted() -> Vec<u64> {
        let mut words = vec![
            word(0.9, Count::TruePositives, 1),
            word(0.8, Count::FalsePositives, 1),
            word(0.7, Count::TruePositives, 1),
            word(0.6, Count::FalsePositives, 2),
        ];
        words.sort_unstable();
        words
    }

    #[test]
    fn an_oracle_keeps_the_points_that_raise_the_true_positive_rate() {
        let curve = class_psd_roc(&sorted(), 2, &OtherClasses::new(1, []), &PER_HOUR);
        assert_eq!(curve.efpr, [0.0, 100.0]);
        assert_eq!(curve.tpr, [0.5, 1.0]);
        assert_eq!(curve.thresholds, [f64::from(0.9_f32), f64::from(0.7_f32)]);
    }

    #[test]
    fn without_an_oracle_every_rate_has_a_point() {
        let setting = Setting { oracle: false, max_efpr: None, ..PER_HOUR };
        let curve = class_psd_roc(&sorted(), 2, &OtherClasses::new(1, []), &setting);
        assert_eq!(curve.efpr, [0.0, 100.0, 300.0]);
        assert_eq!(curve.tpr, [0.5, 1.0, 1.0]);
    }

    #[test]
    fn cross_triggers_count_per_second_of_the_other_classes_targets() {
        let words = [
            word(0.5, Count::FalsePositives, 1),
            word(0.5, Count::CrossTriggers(1), 1),
            word(0.5, Count::TruePositives, 1),
        ];
        let others = OtherClasses::new(3, [(1, 20.0), (2, 5.0)]);
        let setting = Setting { alpha_ct: 0.5, ..PER_HOUR };
        let curve = class_psd_roc(&words, 1, &others, &setting);
        // (1 / 36 + 0.5 * (1 / 20 + 0 / 5) / 2) * 3600
        assert_eq!(curve.efpr[0], 0.0);
        assert!((curve.efpr[1] - 145.0).abs() < 1e-9, "{}", curve.efpr[1]);
    }

    #[test]
    fn the_averaged_curve_is_the_mean_less_the_spread() {
        let class = |tpr: &[f64], efpr: &[f64]| ClassPsdRoc {
            tpr: tpr.to_vec(),
            efpr: efpr.to_vec(),
            thresholds: vec![0.5; tpr.len()],
        };
        let classes = [class(&[0.5, 1.0], &[0.0, 10.0]), class(&[0.0, 1.0], &[0.0, 20.0])];
        let (etpr, efpr) = averaged_psd_roc(&classes, 1.0, Some(100.0));
        assert_eq!(efpr, [0.0, 10.0, 20.0, 100.0]);
        assert_eq!(etpr, [0.0, 0.0, 1.0, 1.0]); // .25 - .25, .5 - .5, 1 - 0
        let (etpr, _) = averaged_psd_roc(&classes, 0.0, None);
        assert_eq!(etpr, [0.25, 0.5, 1.0]);
    }
}
