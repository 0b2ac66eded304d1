//! Deltas: how the counts of a class change where the decision threshold falls below a score.
//!
//! A delta is one machine word with the score in its upper half, so that sorting words sorts deltas
//! and a million of them cost eight (`f32`) or sixteen (`f64`) megabytes:
//!
//! ```text
//! upper half: key of the score | ... | 16 bits: which count | 16 bits: by how much (signed)
//! ```

use std::fmt::Debug;
use std::hash::Hash;

use crate::radix_sort::{self, digit, digits};
use crate::scores::Score;

/// Which count a delta changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// False positives: detections that are not relevant.
    FalsePositives,
    /// True positives: targets that are detected.
    TruePositives,
    /// Cross triggers: false positives on targets of another class, given by its index.
    CrossTriggers(usize),
}

impl Count {
    /// The largest class index that fits into a delta.
    pub const MAX_CLASS: usize = u16::MAX as usize - 2;

    #[inline]
    fn code(self) -> u16 {
        match self {
            Self::FalsePositives => 0,
            Self::TruePositives => 1,
            Self::CrossTriggers(class) => class as u16 + 2,
        }
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        match code {
            0 => Self::FalsePositives,
            1 => Self::TruePositives,
            class => Self::CrossTriggers(usize::from(class) - 2),
        }
    }
}

/// A delta packed into a machine word: `u64` for single, `u128` for double precision scores.
pub trait Word: Copy + Ord + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The order-preserving integer of a score.
    type Key: Copy + Ord + Debug + Send + Sync;

    /// Number of digits of a key in a radix sort.
    const KEY_DIGITS: u32;

    /// Bytes of a word in a saved state.
    const BYTES: usize;

    /// Packs one change.
    fn pack(key: Self::Key, count: Count, by: i16) -> Self;

    /// The key of the score below which the change happens.
    fn key(self) -> Self::Key;

    /// Digit `i` of the key, the least significant being digit 0.
    fn digit(self, i: u32) -> usize;

    /// The lower 32 bits: which count and by how much.
    fn payload(self) -> u32;

    /// The score as a double.
    fn score(self) -> f64;

    /// The same delta in double precision.
    fn widen(self) -> u128;

    /// The count that changes.
    #[inline]
    fn count(self) -> Count {
        Count::from_code((self.payload() >> 16) as u16)
    }

    /// By how much it changes.
    #[inline]
    fn by(self) -> i64 {
        i64::from(self.payload() as u16 as i16)
    }
}

#[inline]
fn payload_of(count: Count, by: i16) -> u32 {
    (u32::from(count.code()) << 16) | u32::from(by as u16)
}

impl Word for u64 {
    type Key = u32;
    const KEY_DIGITS: u32 = digits(32);
    const BYTES: usize = 8;

    #[inline]
    fn pack(key: u32, count: Count, by: i16) -> Self {
        (u64::from(key) << 32) | u64::from(payload_of(count, by))
    }

    #[inline]
    fn key(self) -> u32 {
        (self >> 32) as u32
    }

    #[inline]
    fn digit(self, i: u32) -> usize {
        digit(u64::from(self.key()), i)
    }

    #[inline]
    fn payload(self) -> u32 {
        self as u32
    }

    #[inline]
    fn score(self) -> f64 {
        f32::from_key(self.key())
    }

    fn widen(self) -> u128 {
        (u128::from(self.score().to_key()) << 64) | u128::from(self.payload())
    }
}

impl Word for u128 {
    type Key = u64;
    const KEY_DIGITS: u32 = digits(64);
    const BYTES: usize = 16;

    #[inline]
    fn pack(key: u64, count: Count, by: i16) -> Self {
        (u128::from(key) << 64) | u128::from(payload_of(count, by))
    }

    #[inline]
    fn key(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline]
    fn digit(self, i: u32) -> usize {
        digit(self.key(), i)
    }

    #[inline]
    fn payload(self) -> u32 {
        self as u32
    }

    #[inline]
    fn score(self) -> f64 {
        f64::from_key(self.key())
    }

    fn widen(self) -> u128 {
        self
    }
}

/// Appends the change of `count` by `by` below `key`; a change too large for one word takes several.
#[inline]
pub fn push<W: Word>(out: &mut Vec<W>, key: W::Key, count: Count, by: i64) {
    if let Ok(by) = i16::try_from(by) {
        if by != 0 {
            out.push(W::pack(key, count, by));
        }
    } else {
        push_large(out, key, count, by);
    }
}

#[cold]
fn push_large<W: Word>(out: &mut Vec<W>, key: W::Key, count: Count, mut by: i64) {
    while by != 0 {
        let part = by.clamp(i64::from(i16::MIN), i64::from(i16::MAX));
        out.push(W::pack(key, count, part as i16));
        by -= part;
    }
}

/// Sorts deltas by their scores, in `O(n)` for many of them. The order among equal scores is open.
pub fn sort<W: Word>(words: &mut Vec<W>, buffer: &mut Vec<W>) {
    radix_sort::sort(words, buffer, W::KEY_DIGITS, W::digit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Score;

    #[test]
    fn a_word_gives_back_what_was_packed() {
        for (score, count, by) in [
            (0.3_f32, Count::FalsePositives, 1_i16),
            (-7.5, Count::TruePositives, -3),
            (f32::INFINITY, Count::CrossTriggers(406), i16::MAX),
            (f32::MIN, Count::CrossTriggers(Count::MAX_CLASS), i16::MIN),
        ] {
            let single = u64::pack(score.to_key(), count, by);
            let double = u128::pack(f64::from(score).to_key(), count, by);
            assert_eq!(single.score(), f64::from(score));
            assert_eq!(double.score(), f64::from(score));
            assert_eq!((single.count(), single.by()), (count, i64::from(by)));
            assert_eq!((double.count(), double.by()), (count, i64::from(by)));
            assert_eq!(single.widen(), double);
        }
    }

    #[test]
    fn a_change_too_large_for_one_word_takes_several() {
        let mut words: Vec<u64> = Vec::new();
        push(&mut words, 7, Count::TruePositives, 100_000);
        push(&mut words, 7, Count::TruePositives, -100_000);
        push(&mut words, 7, Count::TruePositives, 0);
        assert!(words.len() > 2);
        assert_eq!(words.iter().map(|word| word.by()).sum::<i64>(), 0);
        assert_eq!(words.iter().map(|word| word.by().max(0)).sum::<i64>(), 100_000);
    }

    #[test]
    fn the_radix_sort_orders_keys_like_the_comparison_sort() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 16
        };
        for n in [radix_sort::WORTHWHILE, 5000] {
            let scores: Vec<f64> = (0..n).map(|_| (random() % 10_000) as f64 / 7.0 - 300.0).collect();
            let mut words: Vec<u128> =
                scores.iter().map(|score| u128::pack(score.to_key(), Count::FalsePositives, 1)).collect();
            let mut expected: Vec<u64> = words.iter().map(|word| word.key()).collect();
            expected.sort_unstable();
            sort(&mut words, &mut Vec::new());
            assert_eq!(words.iter().map(|word| word.key()).collect::<Vec<_>>(), expected);

            let mut narrow: Vec<u64> =
                scores.iter().map(|score| u64::pack((*score as f32).to_key(), Count::TruePositives, -1)).collect();
            sort(&mut narrow, &mut Vec::new());
            assert!(narrow.windows(2).all(|pair| pair[0].key() <= pair[1].key()));
        }
    }
}
