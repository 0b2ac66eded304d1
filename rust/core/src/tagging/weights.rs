//! Weights of clips.
//!
//! Sums of floats depend on their order; an evaluation must not. Weights are therefore turned into integers, with
//! one power of two for all of them, and added as integers. Whole weights stay exactly what they are, so that a
//! clip of weight 3 is the same as three clips. The others are rounded to 63 bits of the greatest weight.

use std::ops::AddAssign;

use crate::error::{Error, Result};

/// A sum of weights that has no rounding.
pub trait Tally: Copy + Default + AddAssign + PartialEq + Send + Sync {}

impl Tally for u64 {}
impl Tally for u128 {}

/// What a clip counts.
pub trait Weights: Sync {
    /// The sums of it.
    type Tally: Tally;

    /// What one clip counts.
    fn of(&self, clip: usize) -> Self::Tally;
    /// The number that a sum stands for.
    fn number(&self, tally: Self::Tally) -> f64;
    /// Whether every clip counts one.
    const ALL_ONE: bool;
}

/// Every clip counts one.
#[derive(Debug, Clone, Copy)]
pub struct Ones;

impl Weights for Ones {
    type Tally = u64;

    #[inline]
    fn of(&self, _clip: usize) -> u64 {
        1
    }

    #[inline]
    fn number(&self, tally: u64) -> f64 {
        tally as f64
    }

    const ALL_ONE: bool = true;
}

/// Every clip has a weight of its own.
#[derive(Debug, Clone)]
pub struct ClipWeights {
    integers: Vec<u64>,
    unit: f64,
}

impl ClipWeights {
    /// Refuses weights that are negative or not finite.
    pub fn new(weights: &[f64]) -> Result<Self> {
        if let Some((clip, weight)) = weights.iter().enumerate().find(|(_, w)| !(w.is_finite() && **w >= 0.0)) {
            return Err(Error::Parameter {
                name: "sample_weight",
                expected: "finite and 0 or more for every clip",
                value: format!("{weight} for clip {clip} (counted from 0)"),
            });
        }
        let greatest = weights.iter().copied().fold(0.0, f64::max);
        if greatest == 0.0 {
            return Ok(Self { integers: vec![0; weights.len()], unit: 1.0 });
        }
        // greatest * 2^scale lies in [2^62, 2^63); all steps multiply by powers of two and are exact.
        let exponent = (greatest.to_bits() >> 52) as i32 - 1023;
        let scale = (62 - exponent).min(1000);
        let factor = 2.0_f64.powi(scale);
        let integers = weights.iter().map(|weight| (weight * factor).round_ties_even() as u64).collect();
        Ok(Self { integers, unit: 2.0_f64.powi(-scale) })
    }
}

impl Weights for ClipWeights {
    type Tally = u128;

    #[inline]
    fn of(&self, clip: usize) -> u128 {
        u128::from(self.integers[clip])
    }

    #[inline]
    fn number(&self, tally: u128) -> f64 {
        tally as f64 * self.unit
    }

    const ALL_ONE: bool = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(weights: &[f64]) -> f64 {
        let weights_of = ClipWeights::new(weights).unwrap();
        let mut total = 0;
        (0..weights.len()).for_each(|clip| total += weights_of.of(clip));
        weights_of.number(total)
    }

    #[test]
    fn whole_weights_are_exact_and_sums_have_no_order() {
        assert_eq!(sum(&[3.0, 0.0, 1.0, 1e15]), 1e15 + 4.0);
        assert_eq!(sum(&[0.1, 0.2, 0.3]), sum(&[0.3, 0.2, 0.1]));
        assert!((sum(&[0.1, 0.2, 0.3]) - 0.6).abs() < 1e-16);
        assert_eq!(sum(&[0.0, 0.0]), 0.0);
        assert_eq!(sum(&[5e-324]), 0.0_f64.max(sum(&[5e-324])));
    }

    #[test]
    fn weights_below_zero_and_beyond_numbers_are_refused() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(ClipWeights::new(&[1.0, wrong]).is_err());
        }
    }
}
