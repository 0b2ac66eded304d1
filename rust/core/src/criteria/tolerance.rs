//! "At least this share of a length": the comparison that all intersection criteria are made of.

use crate::numeric::{Decimals, round_half_even};

/// Demands that a time reaches a share of a length, both rounded to a number of decimals:
/// `round(time) >= round(share * length)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    fraction: f64,
    decimals: Decimals,
    /// One unit of the last decimal: a time that falls short by more cannot be rounded into reach.
    unit: f64,
}

impl Share {
    /// A demand for a fraction of a length.
    pub fn new(fraction: f64, decimals: Decimals) -> Self {
        Self { fraction, decimals, unit: 1.000_001 / decimals.scale() }
    }

    /// The share, between 0 and 1.
    pub fn fraction(self) -> f64 {
        self.fraction
    }

    /// Whether even a time of zero reaches the share of `length`.
    pub fn is_reached_by_nothing(self, length: f64) -> bool {
        self.decimals.round(self.fraction * length) <= 0.0
    }

    /// Whether a time, of which an approximation is known, reaches the share of `length`.
    ///
    /// `time` is within `error` of the sum that `exact` returns. The sum is asked for only when the
    /// answer could hang on the last bits.
    #[inline]
    pub fn is_reached(self, time: f64, length: f64, error: f64, exact: impl FnOnce() -> f64) -> bool {
        let surplus = time - self.fraction * length;
        // Rounding is monotone, so a surplus survives it, and it moves each side by half a unit at most.
        if surplus > error {
            true
        } else if surplus < -(self.unit + error) {
            false
        } else {
            self.is_reached_closely(time, length, error, exact)
        }
    }

    /// Whether `time` is so far below the share of `length` that it certainly does not reach it.
    #[inline]
    pub fn is_out_of_reach(self, time: f64, length: f64, error: f64) -> bool {
        time - self.fraction * length < -(self.unit + error)
    }

    #[cold]
    fn is_reached_closely(self, time: f64, length: f64, error: f64, exact: impl FnOnce() -> f64) -> bool {
        let needed = self.fraction * length;
        // Times round to at least the same decimal from this limit on (ties aside: they lie within the error).
        let limit = (round_half_even(needed * self.decimals.scale()) - 0.5) / self.decimals.scale();
        let error = error + 4.0 * f64::EPSILON * limit.abs();
        if (time - limit).abs() > error {
            return time > limit;
        }
        self.decimals.round(exact()) >= self.decimals.round(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_reached_inclusively_and_after_rounding() {
        let half = Share::new(0.5, Decimals::new(6));
        let reached = |time: f64, length: f64| half.is_reached(time, length, 1e-12, || time);
        assert!(reached(1.0, 2.0));
        assert!(!reached(0.999_999, 2.0));
        assert!(reached(0.999_999_6, 2.0)); // rounds to 1.000000
        assert!(!reached(0.999_999_4, 2.0));
        assert!(reached(0.999_999_5, 2.0)); // 999999.5 goes to the even 1000000
        assert!(!reached(0.999_998_5, 1.999_998)); // 999998.5 goes to the even 999998, below 999999
    }

    #[test]
    fn rounding_can_be_switched_off_with_many_decimals() {
        let share = 0.4 / 0.6;
        let length = 0.7 - 0.1;
        let time = 0.7 - 0.3;
        for (decimals, expected) in [(6, true), (16, true), (30, false)] {
            let rule = Share::new(share, Decimals::new(decimals));
            assert_eq!(rule.is_reached(time, length, 1e-12, || time), expected, "{decimals} decimals");
        }
    }

    #[test]
    fn the_quick_answers_are_those_of_the_definition() {
        let decimals = Decimals::new(6);
        for step in 0..4000_u32 {
            let length = f64::from(step % 97) * 0.35e-6;
            let time = f64::from(step) * 0.01e-6;
            for share in [0.0, 0.1, 0.5, 0.7, 1.0] {
                let rule = Share::new(share, decimals);
                let expected = decimals.round(time) >= decimals.round(share * length);
                assert_eq!(rule.is_reached(time, length, 1e-15, || time), expected);
                assert_eq!(rule.is_reached(time, length, 1e-4, || time), expected);
            }
        }
    }
}
