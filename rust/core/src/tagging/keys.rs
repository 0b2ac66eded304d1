//! Scores of tags as unsigned integers of the same order.
//!
//! Comparing integers is cheaper than comparing floats with their unordered cases, and integers can be sorted by
//! their digits.

use crate::deltas::Word;
use crate::radix_sort::{self, digit, digits};
use crate::scores::Score;

/// A score that can be ranked.
pub trait RankedScore: Score<Word: Word<Key = Self::Key>> {
    /// An integer that is greater exactly where the score is, and equal where it is equal.
    type Key: Key;

    /// Neither NaN nor infinite.
    fn is_usable(self) -> bool;
}

/// An unsigned integer that can be sorted by its digits.
pub trait Key: Copy + Ord + Default + Send + Sync {
    /// Sorts ascending; `scratch` is memory to reuse.
    fn sort(values: &mut Vec<Self>, scratch: &mut Vec<Self>);

    /// How far it is above another one, which is not greater.
    fn above(self, least: Self) -> u64;
}

impl RankedScore for f32 {
    type Key = u32;

    #[inline]
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

impl RankedScore for f64 {
    type Key = u64;

    #[inline]
    fn is_usable(self) -> bool {
        self.is_finite()
    }
}

impl Key for u32 {
    fn sort(values: &mut Vec<Self>, scratch: &mut Vec<Self>) {
        radix_sort::sort(values, scratch, digits(Self::BITS), |key, i| digit(u64::from(key), i));
    }

    #[inline]
    fn above(self, least: Self) -> u64 {
        u64::from(self - least)
    }
}

impl Key for u64 {
    fn sort(values: &mut Vec<Self>, scratch: &mut Vec<Self>) {
        radix_sort::sort(values, scratch, digits(Self::BITS), digit);
    }

    #[inline]
    fn above(self, least: Self) -> u64 {
        self - least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_order_of_scores_and_one_zero() {
        let scores = [f64::MIN, -2.5, -1e-310, 0.0, 5e-324, 0.1, 0.1 + 1e-16, 1.0, f64::MAX];
        for pair in scores.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].to_key() < pair[1].to_key(), "{pair:?}");
        }
        for score in scores {
            assert_eq!(f64::from_key(score.to_key()), score);
            let single = score as f32;
            if single.is_usable() {
                assert_eq!(f32::from_key(single.to_key()), single.to_f64());
            }
        }
        assert_eq!((-0.0_f64).to_key(), 0.0_f64.to_key());
        assert_eq!((-0.0_f32).to_key(), 0.0_f32.to_key());
        assert!((-1.0_f32).to_key() < (-0.5_f32).to_key() && (-0.5_f32).to_key() < 0.0_f32.to_key());
    }

    #[test]
    fn digits_sort_as_comparisons_do() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        for n in [0, 1, 2, radix_sort::WORTHWHILE - 1, radix_sort::WORTHWHILE, 5000] {
            for shift in [0, 20, 40, 63] {
                let mut long: Vec<u64> = (0..n).map(|_| next() >> shift).collect();
                let mut short: Vec<u32> = long.iter().map(|value| *value as u32).collect();
                let (mut long_expected, mut short_expected) = (long.clone(), short.clone());
                long_expected.sort_unstable();
                short_expected.sort_unstable();
                Key::sort(&mut long, &mut Vec::new());
                Key::sort(&mut short, &mut Vec::new());
                assert!(long == long_expected && short == short_expected);
            }
        }
    }
}
