//! The polyphonic sound detection score: the normalised area under a PSD-ROC up to `max_efpr`.

/// `Σ tpr[i] * (efpr[i+1] - efpr[i]) / max_efpr`, the curve being steps and its last value held.
///
/// Terms are added from left to right, as the field's evaluator does. Before the first point of the curve
/// the rate is zero, and points beyond `max_efpr` are left out.
pub fn psds(tpr: &[f64], efpr: &[f64], max_efpr: f64) -> f64 {
    let kept = efpr.partition_point(|rate| *rate <= max_efpr);
    let ends = efpr[..kept].iter().skip(1).chain(std::iter::once(&max_efpr));
    let mut area = 0.0;
    for ((tpr, start), end) in tpr.iter().zip(&efpr[..kept]).zip(ends) {
        area += tpr * (end - start);
    }
    area / max_efpr
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_that_of_the_steps() {
        assert_eq!(psds(&[0.25, 0.5, 1.0], &[0.0, 10.0, 20.0], 40.0), (2.5 + 5.0 + 20.0) / 40.0);
        assert_eq!(psds(&[0.5, 1.0, 1.0], &[0.0, 10.0, 40.0], 40.0), (5.0 + 30.0) / 40.0);
        assert_eq!(psds(&[0.5, 1.0], &[0.0, 90.0], 40.0), 0.5);
        assert_eq!(psds(&[], &[], 40.0), 0.0);
    }
}
