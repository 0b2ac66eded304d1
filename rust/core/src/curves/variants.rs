//! The best of several variants of a system, chosen at each point of the curve.
//!
//! A median filter that makes few false alarms is seldom the one that finds most. Where a user may choose both the
//! threshold and the filter, the curve of a class is the envelope over the points of all of them.

use crate::curves::psd_roc::ClassPsdRoc;

/// A curve that says of each point which variant it belongs to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VariantPsdRoc {
    /// The envelope.
    pub roc: ClassPsdRoc,
    /// Index of the variant, point by point.
    pub variants: Vec<usize>,
}

/// The envelope over the curves of one class, given in the order of the variants.
///
/// Of variants that reach the same point the last is named.
pub fn best_of_variants(curves: &[&ClassPsdRoc]) -> VariantPsdRoc {
    let mut points: Vec<(f64, f64, usize, f64)> = Vec::new();
    for (variant, curve) in curves.iter().enumerate() {
        let rates = curve.efpr.iter().zip(&curve.tpr).zip(&curve.thresholds);
        points.extend(rates.map(|((efpr, tpr), threshold)| (*efpr, *tpr, variant, *threshold)));
    }
    points.sort_by(|a, b| (a.0.total_cmp(&b.0)).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut best = VariantPsdRoc::default();
    let mut highest = f64::NEG_INFINITY;
    for at_rate in points.chunk_by(|a, b| a.0 == b.0) {
        let (efpr, tpr, variant, threshold) = at_rate[at_rate.len() - 1];
        if tpr > highest {
            highest = tpr;
            best.roc.efpr.push(efpr);
            best.roc.tpr.push(tpr);
            best.roc.thresholds.push(threshold);
            best.variants.push(variant);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(f64, f64, f64)]) -> ClassPsdRoc {
        ClassPsdRoc {
            efpr: points.iter().map(|point| point.0).collect(),
            tpr: points.iter().map(|point| point.1).collect(),
            thresholds: points.iter().map(|point| point.2).collect(),
        }
    }

    #[test]
    fn each_point_is_of_the_variant_that_reaches_highest_there() {
        let quick = curve(&[(0.0, 0.25, 0.9), (2.0, 0.5, 0.7), (4.0, 1.0, 0.1)]);
        let calm = curve(&[(0.0, 0.5, 0.8), (3.0, 0.75, 0.6), (4.0, 1.0, 0.2)]);
        let best = best_of_variants(&[&quick, &calm]);
        assert_eq!(best.roc, curve(&[(0.0, 0.5, 0.8), (3.0, 0.75, 0.6), (4.0, 1.0, 0.2)]));
        assert_eq!(best.variants, [1, 1, 1]);
        assert_eq!(best_of_variants(&[&calm, &quick]).variants, [0, 0, 1]);
        assert_eq!(best_of_variants(&[&quick]).roc, quick);
    }
}
