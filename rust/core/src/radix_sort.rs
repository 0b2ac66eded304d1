//! Sorting by the digits of an integer, the least significant first: linear in the number of values.

/// Bits of a digit: 2,048 buckets still fit into the first-level cache.
const BITS: u32 = 11;

const BUCKETS: usize = 1 << BITS;

/// Below this many values the comparison sort of the standard library is faster.
pub(crate) const WORTHWHILE: usize = 1500;

/// The number of digits of an integer of so many bits.
pub const fn digits(bits: u32) -> u32 {
    bits.div_ceil(BITS)
}

/// Digit `i` of an integer, the least significant being digit 0.
#[inline]
pub fn digit(key: u64, i: u32) -> usize {
    (key >> (i * BITS)) as usize & (BUCKETS - 1)
}

/// Sorts values ascending by their `n_digits` digits; `buffer` is memory to reuse.
///
/// Few values are sorted by their own order, which must not contradict that of the digits.
pub fn sort<T: Copy + Default + Ord>(
    values: &mut Vec<T>,
    buffer: &mut Vec<T>,
    n_digits: u32,
    digit_of: impl Fn(T, u32) -> usize,
) {
    let n = values.len();
    if n < WORTHWHILE {
        values.sort_unstable();
        return;
    }
    buffer.clear();
    buffer.resize(n, T::default());
    let mut histograms = vec![[0_usize; BUCKETS]; n_digits as usize];
    for value in values.iter() {
        for (i, histogram) in (0..).zip(&mut histograms) {
            histogram[digit_of(*value, i)] += 1;
        }
    }
    for (i, histogram) in (0..).zip(&mut histograms) {
        // Scores of one system often share their highest digit: nothing to move then.
        if histogram[digit_of(values[0], i)] == n {
            continue;
        }
        let mut position = 0;
        for bucket in histogram.iter_mut() {
            position += std::mem::replace(bucket, position);
        }
        for value in values.iter() {
            let slot = &mut histogram[digit_of(*value, i)];
            buffer[*slot] = *value;
            *slot += 1;
        }
        std::mem::swap(values, buffer);
    }
}
