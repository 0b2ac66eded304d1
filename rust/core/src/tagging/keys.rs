//! Scores as unsigned integers of the same order, and how these are sorted.
//!
//! Comparing integers is cheaper than comparing floats with their unordered cases, and integers can be sorted
//! without comparing: by their digits, least significant first.

/// Entries below which sorting by comparison is faster than filling the tables of a radix sort.
const SMALL: usize = 1024;

/// A score that can be ranked.
pub trait RankedScore: Copy + Send + Sync {
    /// An integer that is greater exactly where the score is, and equal where it is equal.
    type Key: Key;

    /// The integer of a finite score; both zeros have the same.
    fn key(self) -> Self::Key;
    /// The score of an integer.
    fn from_key(key: Self::Key) -> f64;
    /// Neither NaN nor infinite.
    fn is_usable(self) -> bool;
    /// The value, which is exact.
    fn to_f64(self) -> f64;
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
    fn key(self) -> u32 {
        // Adding zero turns -0 into 0. Negative numbers have the greater bits the smaller they are.
        let bits = (self + 0.0).to_bits();
        bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000)
    }

    fn from_key(key: u32) -> f64 {
        let mask = if key >> 31 == 1 { 0x8000_0000 } else { u32::MAX };
        f64::from(f32::from_bits(key ^ mask))
    }

    #[inline]
    fn is_usable(self) -> bool {
        self.is_finite()
    }

    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl RankedScore for f64 {
    type Key = u64;

    #[inline]
    fn key(self) -> u64 {
        let bits = (self + 0.0).to_bits();
        bits ^ (((bits as i64 >> 63) as u64) | 0x8000_0000_0000_0000)
    }

    fn from_key(key: u64) -> f64 {
        let mask = if key >> 63 == 1 { 0x8000_0000_0000_0000 } else { u64::MAX };
        f64::from_bits(key ^ mask)
    }

    #[inline]
    fn is_usable(self) -> bool {
        self.is_finite()
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// Defines the sort of one width; a digit has `$bits` bits.
macro_rules! radix_sort {
    ($key:ty, $bits:literal, $digits:literal) => {
        impl Key for $key {
            #[inline]
            fn above(self, least: Self) -> u64 {
                u64::from(self - least)
            }

            fn sort(values: &mut Vec<Self>, scratch: &mut Vec<Self>) {
                const BUCKETS: usize = 1 << $bits;
                if values.len() < SMALL {
                    values.sort_unstable();
                    return;
                }
                let digit = |value: $key, d: u32| (value >> (d * $bits)) as usize & (BUCKETS - 1);
                let mut counts = vec![[0_usize; BUCKETS]; $digits];
                for value in values.iter() {
                    for d in 0..$digits {
                        counts[d as usize][digit(*value, d)] += 1;
                    }
                }
                scratch.clear();
                scratch.resize(values.len(), 0);
                for d in 0..$digits {
                    let counts = &mut counts[d as usize];
                    // A digit that is the same everywhere orders nothing: scores in [0, 1] share their sign, and
                    // single precision kept in doubles ends in zeros.
                    if counts.contains(&values.len()) {
                        continue;
                    }
                    let mut next = 0;
                    for count in counts.iter_mut() {
                        next += std::mem::replace(count, next);
                    }
                    for value in values.iter() {
                        let place = &mut counts[digit(*value, d)];
                        scratch[*place] = *value;
                        *place += 1;
                    }
                    std::mem::swap(values, scratch);
                }
            }
        }
    };
}

radix_sort!(u32, 8, 4);
radix_sort!(u64, 8, 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_order_of_scores_and_one_zero() {
        let scores = [f64::MIN, -2.5, -1e-310, 0.0, 5e-324, 0.1, 0.1 + 1e-16, 1.0, f64::MAX];
        for pair in scores.windows(2) {
            assert!(pair[0] < pair[1] && pair[0].key() < pair[1].key(), "{pair:?}");
        }
        for score in scores {
            assert_eq!(f64::from_key(score.key()), score);
            let single = score as f32;
            if single.is_usable() {
                assert_eq!(f32::from_key(single.key()), single.to_f64());
            }
        }
        assert_eq!((-0.0_f64).key(), 0.0_f64.key());
        assert_eq!((-0.0_f32).key(), 0.0_f32.key());
        assert!((-1.0_f32).key() < (-0.5_f32).key() && (-0.5_f32).key() < 0.0_f32.key());
    }

    #[test]
    fn digits_sort_as_comparisons_do() {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        for n in [0, 1, 2, SMALL - 1, SMALL, 5000] {
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
