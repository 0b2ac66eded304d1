//! Rounding, exact sums and the order of scores: every place where floating point needs a decision.

use crate::error::{Error, Result};

/// Adding and subtracting this rounds to an integer, half to even.
const ROUNDING_SHIFT: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52

/// Rounds to the nearest integer, halves to even, as `rint` does.
///
/// The baseline x86-64 has no instruction for it and calling the C library costs more than a whole
/// node of the component tree, so numbers in the range that matters take the classic detour.
#[inline]
pub fn round_half_even(x: f64) -> f64 {
    const LIMIT: f64 = 2_251_799_813_685_248.0; // 2^51: beyond it the detour itself would round
    if x.abs() < LIMIT { (x + ROUNDING_SHIFT) - ROUNDING_SHIFT } else { x.round_ties_even() }
}

/// Rounding of times to a number of decimals before they are compared, as `numpy.round` does it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimals {
    scale: f64,
}

impl Decimals {
    /// The largest number of decimals that is accepted; more than 16 switch the tolerance off.
    pub const MAX: u8 = 30;

    /// Refuses more than [`Decimals::MAX`] decimals.
    pub fn check(decimals: u8) -> Result<()> {
        if decimals <= Self::MAX {
            return Ok(());
        }
        Err(Error::Parameter {
            name: "time_decimals",
            expected: "a number of decimals from 0 to 30",
            value: decimals.to_string(),
        })
    }

    /// Rounding to `decimals` places.
    pub fn new(decimals: u8) -> Self {
        // One factor after the other, as NumPy does it: powers above 10^22 are not exact, and others differ.
        Self { scale: (0..decimals.min(Self::MAX)).fold(1.0, |scale, _| scale * 10.0) }
    }

    /// `10^decimals`.
    #[inline]
    pub fn scale(self) -> f64 {
        self.scale
    }

    /// `rint(x * 10^d) / 10^d`.
    #[inline]
    pub fn round(self, x: f64) -> f64 {
        round_half_even(x * self.scale) / self.scale
    }
}

/// The sum of the values, correctly rounded, whatever their order.
///
/// Durations and lengths are summed with it so that a result never depends on the order of clips.
pub fn exact_sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = ExactSum::default();
    values.into_iter().for_each(|value| sum.add(value));
    sum.value()
}

/// A sum without rounding errors (Shewchuk 1997, as Python's `math.fsum`).
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    /// Non-overlapping partial sums in increasing magnitude; their exact sum is the exact total.
    partials: Vec<f64>,
}

impl ExactSum {
    /// Adds a finite value.
    pub fn add(&mut self, value: f64) {
        let mut x = value;
        let mut kept = 0;
        for i in 0..self.partials.len() {
            let mut y = self.partials[i];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                self.partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        self.partials.truncate(kept);
        self.partials.push(x);
    }

    /// The sum, rounded once.
    pub fn value(&self) -> f64 {
        round_partials(&self.partials)
    }
}

/// Adds non-overlapping partial sums with a single rounding, halves to even.
fn round_partials(partials: &[f64]) -> f64 {
    let Some((&last, rest)) = partials.split_last() else {
        return 0.0;
    };
    let mut high = last;
    let mut low = 0.0;
    let mut remaining = rest.len();
    while remaining > 0 {
        remaining -= 1;
        let x = high;
        let y = rest[remaining];
        high = x + y;
        low = y - (high - x);
        if low != 0.0 {
            break;
        }
    }
    // A remainder of exactly half a unit was rounded to even; a partial below it decides the tie.
    if remaining > 0 && ((low < 0.0) == (rest[remaining - 1] < 0.0)) && low != 0.0 {
        let y = low * 2.0;
        let x = high + y;
        if y == x - high {
            high = x;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_takes_halves_to_even_on_both_sides_of_the_detour() {
        for (x, expected) in [
            (0.5, 0.0),
            (1.5, 2.0),
            (2.5, 2.0),
            (-0.5, 0.0),
            (-1.5, -2.0),
            (1e15 + 0.5, 1e15),
            (2_251_799_813_685_248.5, 2_251_799_813_685_248.0),
            (1e300, 1e300),
        ] {
            assert_eq!(round_half_even(x), expected, "{x}");
            assert_eq!(x.round_ties_even(), expected, "{x}");
        }
    }

    #[test]
    fn decimals_round_as_numpy_does() {
        let six = Decimals::new(6);
        assert_eq!(six.round(0.123_456_5), 0.123_456); // 123456.5 goes to the even neighbour
        assert_eq!(six.round(0.1 + 0.2), 0.3);
        assert_eq!(Decimals::new(0).round(2.5), 2.0);
    }

    #[test]
    fn exact_sums_do_not_depend_on_the_order() {
        assert_eq!(exact_sum([0.1, 0.2, 0.3]), 0.6);
        assert_eq!(exact_sum([0.3, 0.2, 0.1]), 0.6);
        assert_eq!(exact_sum([0.1; 10]), 1.0);
        assert_eq!(exact_sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(exact_sum([]), 0.0);
        // 2^53 + 1 + tiny lies just above a tie and must round up.
        assert_eq!(exact_sum([9_007_199_254_740_992.0, 1.0, 1e-30]), 9_007_199_254_740_994.0);
    }
}
