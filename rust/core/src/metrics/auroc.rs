//! The area under the ROC of clips or segments, by trapezoids.
//!
//! It is the probability that a positive entry has a higher score than a negative one, equal scores counting
//! one half (Hanley and McNeil, Radiology 1982, doi 10.1148/radiology.143.1.7063747). With equal scores the
//! curve goes straight to the next point, and so does it from the last threshold to (1, 1), see
//! [`crate::curves::roc`].
//!
//! Terms `(tpr[i] + tpr[i+1]) / 2 * (fpr[i+1] - fpr[i])` are added from left to right.

use super::Undefined;
use crate::curves::roc::{RocCurve, roc_curve};
use crate::error::{Error, Result};

/// The part of the curve up to a false positive rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartialArea {
    max_fpr: f64,
    mcclish_correction: bool,
}

impl PartialArea {
    /// Checks the rate, which is above 0 and at most 1.
    ///
    /// Between its points the curve is straight, also where it is cut. With the area `A` up to `m = max_fpr` the
    /// number is `A / m`, which is 1 for a perfect class, or with the correction
    ///
    /// ```text
    /// (1 + (A - m²/2) / (m - m²/2)) / 2
    /// ```
    ///
    /// which is also 1/2 for scores that tell nothing (McClish, Medical Decision Making 1989,
    /// doi 10.1177/0272989X8900900307; this one is what scikit-learn gives). `m = 1` is the whole area, in
    /// either case.
    pub fn new(max_fpr: f64, mcclish_correction: bool) -> Result<Self> {
        if max_fpr > 0.0 && max_fpr <= 1.0 {
            return Ok(Self { max_fpr, mcclish_correction });
        }
        Err(Error::Parameter {
            name: "max_fpr",
            expected: "a false positive rate above 0 and at most 1",
            value: max_fpr.to_string(),
        })
    }

    fn normalised(self, area: f64) -> f64 {
        if self.mcclish_correction {
            let chance = self.max_fpr * self.max_fpr / 2.0;
            f64::midpoint(1.0, (area - chance) / (self.max_fpr - chance))
        } else {
            area / self.max_fpr
        }
    }
}

/// The area of a class from its counts at ascending thresholds, the last of which is `+inf`.
pub fn auroc(
    thresholds: &[f64],
    tps: &[i64],
    fps: &[i64],
    n_ref: usize,
    n_negatives: usize,
    part: Option<PartialArea>,
) -> std::result::Result<f64, Undefined> {
    if n_ref == 0 {
        return Err(Undefined::NoPositives);
    }
    if n_negatives == 0 {
        return Err(Undefined::NoNegatives);
    }
    let curve = roc_curve(thresholds, tps, fps, n_ref, n_negatives);
    Ok(match part {
        None => area_up_to(&curve, 1.0),
        Some(part) => part.normalised(area_up_to(&curve, part.max_fpr)),
    })
}

fn area_up_to(curve: &RocCurve, max_fpr: f64) -> f64 {
    let points = curve.fpr.iter().copied().zip(curve.tpr.iter().copied());
    let mut area = 0.0;
    for ((start, low), (end, high)) in points.clone().zip(points.skip(1)) {
        if start >= max_fpr {
            break;
        }
        let (end, high) =
            if end > max_fpr { (max_fpr, low + (high - low) * (max_fpr - start) / (end - start)) } else { (end, high) };
        area += f64::midpoint(low, high) * (end - start);
    }
    area
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    /// Counts of entries with these scores, then their area.
    fn area(positive: &[f64], negative: &[f64], part: Option<PartialArea>) -> f64 {
        let mut thresholds = [positive, negative].concat();
        thresholds.retain(|score| *score > -INF);
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        thresholds.push(INF);
        let count = |scores: &[f64], least: f64| scores.iter().filter(|score| **score >= least).count() as i64;
        let tps: Vec<i64> = thresholds.iter().map(|least| count(positive, *least)).collect();
        let fps: Vec<i64> = thresholds.iter().map(|least| count(negative, *least)).collect();
        auroc(&thresholds, &tps, &fps, positive.len(), negative.len(), part).unwrap()
    }

    /// The share of pairs in the right order.
    fn probability(positive: &[f64], negative: &[f64]) -> f64 {
        let pairs = positive.iter().flat_map(|p| negative.iter().map(move |n| (p, n)));
        let right: f64 = pairs.map(|(p, n)| if p > n { 1.0 } else { f64::from(u8::from(p == n)) / 2.0 }).sum();
        right / (positive.len() * negative.len()) as f64
    }

    #[expect(clippy::unnecessary_wraps, reason = "this is how a part is asked for")]
    fn part(max_fpr: f64, mcclish_correction: bool) -> Option<PartialArea> {
        Some(PartialArea::new(max_fpr, mcclish_correction).unwrap())
    }

    #[test]
    fn perfect_useless_and_reversed_rankings_have_one_a_half_and_zero() {
        for (positive, negative, expected) in
            [(&[0.9, 0.8], &[0.1, 0.2], 1.0), (&[0.5, 0.5], &[0.5, 0.5], 0.5), (&[0.1, 0.2], &[0.9, 0.8], 0.0)]
        {
            assert_eq!(area(positive, negative, None), expected);
            assert_eq!(area(positive, negative, part(1.0, false)), expected);
            assert_eq!(area(positive, negative, part(1.0, true)), expected);
        }
    }

    #[test]
    fn the_area_is_the_probability_of_the_right_order() {
        let mut state = 5_u32;
        let mut scores = |n: u32| -> Vec<f64> {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                [-INF, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6][(state >> 16) as usize % 7]
            };
            (0..n).map(|_| next()).collect()
        };
        for n in 1..200 {
            let (positive, negative) = (scores(1 + n % 13), scores(1 + n % 11));
            let difference = area(&positive, &negative, None) - probability(&positive, &negative);
            assert!(difference.abs() < 1e-14, "{positive:?} {negative:?}");
        }
    }

    #[test]
    fn entries_without_a_score_rank_last() {
        assert_eq!(area(&[0.9, 0.8], &[-INF, -INF], None), 1.0);
        assert_eq!(area(&[0.9, -INF], &[-INF, -INF], None), 0.75);
        assert_eq!(area(&[-INF], &[-INF], None), 0.5);
    }

    #[test]
    fn a_part_ends_between_two_points_on_the_line_between_them() {
        // (0, 0), (0, .5), (1, 1): at .5 the rate is .75.
        let (positive, negative) = ([0.9, 0.1], [0.1, 0.1]);
        assert_eq!(area(&positive, &negative, part(0.5, false)), 0.625);
        // (1 + (.3125 - .125) / (.5 - .125)) / 2
        assert_eq!(area(&positive, &negative, part(0.5, true)), 0.75);
        // Exactly at a point, and where the curve goes straight up.
        let (positive, negative) = ([0.9, 0.7, 0.5], [0.8, 0.6]);
        assert!((area(&positive, &negative, part(0.5, false)) - 1.0 / 3.0).abs() < 1e-15);
        // Scores that tell nothing.
        assert_eq!(area(&[0.5], &[0.5], part(0.25, true)), 0.5);
    }

    #[test]
    fn there_is_none_without_positives_or_negatives() {
        assert_eq!(auroc(&[0.5, INF], &[0, 0], &[1, 0], 0, 1, None), Err(Undefined::NoPositives));
        assert_eq!(auroc(&[0.5, INF], &[1, 0], &[0, 0], 1, 0, None), Err(Undefined::NoNegatives));
        for wrong in [0.0, -0.5, 1.5, f64::NAN] {
            assert!(PartialArea::new(wrong, false).is_err());
        }
    }
}
