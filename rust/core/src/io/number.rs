//! The number at the start of a text, rounded correctly, and fast for the numbers that scores are.
//!
//! A decimal number is m / 10^n for whole m and n. `quick` reads m eight digits at a time and
//! multiplies it with the 64 leading bits of 1 / 5^n, as Eisel and Lemire do (D. Lemire, "Number
//! parsing at a gigabyte per second", 2021). What is cut off makes the product too small by less
//! than three units of its own 64 leading bits. Unless these lie so close below the middle between
//! two `f64` that this decides, they round to the right one. The shortest representation of a
//! number, which is how scores are written, hardly ever is that close to a middle.
//!
//! Everything else (more digits, larger exponents, `inf`, the end of the text) is left to
//! `fast_float2`.

/// Bits of the significand of an `f64`, the leading one included.
const SIGNIFICAND_BITS: u32 = 53;

/// Leading bits of the product that are rounded off.
const ROUNDED_BITS: u32 = 64 - SIGNIFICAND_BITS;

/// Largest n for which 1 / 5^n is at hand: 5^54 still leaves the long division room in 128 bits.
const MAX_SCALE: usize = 54;

const RECIPROCALS: [Reciprocal; MAX_SCALE + 1] = reciprocals();

/// The powers of ten in a `u64`.
const POWERS: [u64; 20] = powers();

/// 1 / 10^n in parts.
#[derive(Clone, Copy)]
struct Reciprocal {
    /// The 64 leading bits of 1 / 5^n, what follows is cut off.
    bits: u64,
    /// Biased exponent of an `f64` that is 2^64 such units, less one for the leading bit of its
    /// significand.
    exponent: u64,
}

/// The number at the start of `text` and its length in bytes; what follows is the caller's
/// business.
#[inline]
pub(super) fn leading_number(text: &[u8]) -> Option<(f64, usize)> {
    quick(text).or_else(|| slow(text))
}

/// Kept out of line so that the quick way stays short.
#[cold]
#[inline(never)]
fn slow(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok()
}

/// Reads `digits.digits` with an optional minus sign and an optional exponent of one or two digits.
#[inline]
fn quick(text: &[u8]) -> Option<(f64, usize)> {
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let mut whole = u64::from(digit(text, at)?);
    at += 1;
    while let Some(next) = digit(text, at) {
        whole = whole.checked_mul(10)?.checked_add(u64::from(next))?;
        at += 1;
    }
    let (point, fraction) = text.get(at..)?.split_first()?;
    if *point != b'.' {
        return None;
    }
    let (fraction, mut scale) = leading_fraction(fraction.first_chunk()?)?;
    at += 1 + scale;
    if whole != 0 && scale >= POWERS.len() {
        return None;
    }
    let digits = whole.checked_mul(POWERS[scale.min(POWERS.len() - 1)])?.checked_add(fraction)?;
    if matches!(text.get(at)?, b'e' | b'E') {
        let (exponent, length) = short_exponent(&text[at..])?;
        scale = scale.checked_add_signed(-exponent)?;
        at += length;
    }
    let value = quotient(digits, scale)?;
    Some((if negative { -value } else { value }, at))
}

#[inline]
fn digit(text: &[u8], at: usize) -> Option<u8> {
    let value = text.get(at)?.wrapping_sub(b'0');
    (value < 10).then_some(value)
}

/// The digits at the start of `text` as a whole number and how many they are, if fewer than 24.
#[inline]
fn leading_fraction(text: &[u8; 24]) -> Option<(u64, usize)> {
    let (words, _) = text.as_chunks();
    let first = Digits::of(words[0]);
    if first.count < 8 {
        return Some((first.value(), first.count));
    }
    let second = Digits::of(words[1]);
    if second.count < 8 {
        return Some((first.value_of_eight() * POWERS[second.count] + second.value(), 8 + second.count));
    }
    let third = Digits::of(words[2]);
    if third.count == 8 {
        return None;
    }
    let sixteen = first.value_of_eight() * POWERS[8] + second.value_of_eight();
    Some((sixteen.checked_mul(POWERS[third.count])?.checked_add(third.value())?, 16 + third.count))
}

/// Eight bytes, of which the first `count` are digits.
struct Digits {
    /// The values of the digits, the first one in the lowest byte.
    values: u64,
    count: usize,
}

impl Digits {
    #[inline]
    fn of(bytes: [u8; 8]) -> Self {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let values = u64::from_le_bytes(bytes) ^ (EACH * u64::from(b'0'));
        // The high bit of a byte is set when its value is above 9; a carry disturbs only bytes
        // behind such a one.
        let others = (values.wrapping_add(EACH * 0x76) | values) & (EACH * 0x80);
        Digits { values, count: others.trailing_zeros() as usize / 8 }
    }

    /// The digits as a number.
    #[inline]
    fn value(&self) -> u64 {
        // Moved to the end, with zeros before them, they are an eight-digit number.
        let values = self.values.unbounded_shl(64 - 8 * self.count as u32);
        Digits { values, count: 8 }.value_of_eight()
    }

    /// As [`value`](Self::value), when all eight bytes are digits.
    #[inline]
    fn value_of_eight(&self) -> u64 {
        // Every second byte becomes the value of a pair of digits; then two multiplications put two
        // pairs each at their place in the number, and the upper half of the sum is all four.
        const PAIRS: u64 = 0x0000_00FF_0000_00FF;
        let pairs = self.values.wrapping_mul(10) + (self.values >> 8);
        let odd = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
        let even = ((pairs >> 16) & PAIRS).wrapping_mul(1 + (10_000 << 32));
        odd.wrapping_add(even) >> 32
    }
}

/// The exponent at the start of `text`, with its `e`, and its length, if it has one or two digits.
#[inline]
fn short_exponent(text: &[u8]) -> Option<(isize, usize)> {
    let signed = usize::from(matches!(text.get(1)?, b'-' | b'+'));
    let mut exponent = isize::from(digit(text, 1 + signed)?);
    let mut length = 2 + signed;
    if let Some(next) = digit(text, length) {
        exponent = 10 * exponent + isize::from(next);
        length += 1;
    }
    if digit(text, length).is_some() {
        return None;
    }
    Some((if text[1] == b'-' { -exponent } else { exponent }, length))
}

/// `digits` / 10^`scale`, if it can be rounded for certain.
#[inline]
fn quotient(digits: u64, scale: usize) -> Option<f64> {
    let reciprocal = RECIPROCALS.get(scale)?;
    if digits == 0 {
        return Some(0.0);
    }
    let zeros = digits.leading_zeros();
    let product = u128::from(digits << zeros) * u128::from(reciprocal.bits);
    // Two factors with their highest bit set have a product with one of its two highest bits set.
    let missing = u32::from(product >> 127 == 0);
    let leading = ((product << missing) >> 64) as u64;
    let rest = leading & ((1 << ROUNDED_BITS) - 1);
    let middle = 1 << (ROUNDED_BITS - 1);
    if (middle - 2..=middle).contains(&rest) {
        return None;
    }
    let significand = (leading >> ROUNDED_BITS) + u64::from(rest > middle);
    let exponent = reciprocal.exponent - u64::from(zeros + missing);
    // The significand's leading bit adds one to the exponent; when rounding up has made it 2^53, it
    // adds two.
    Some(f64::from_bits((exponent << (SIGNIFICAND_BITS - 1)) + significand))
}

const fn powers() -> [u64; 20] {
    let mut powers = [1; 20];
    let mut exponent = 1;
    while exponent < powers.len() {
        powers[exponent] = 10 * powers[exponent - 1];
        exponent += 1;
    }
    powers
}

/// Long division of a power of two by each power of five, bit by bit, when the crate is compiled.
const fn reciprocals() -> [Reciprocal; MAX_SCALE + 1] {
    // 1 / 5^0 has one bit more than there is room for. Cut off like the others it is all ones.
    let mut table = [Reciprocal { bits: u64::MAX, exponent: 1023 + 63 - 1 }; MAX_SCALE + 1];
    let mut five: u128 = 1;
    let mut scale = 1;
    while scale <= MAX_SCALE {
        five *= 5;
        // 2^(length - 1) < 5^n < 2^length, so that 2^(63 + length) / 5^n has 64 bits before its
        // point.
        let length = 128 - five.leading_zeros();
        let mut remainder: u128 = 1 << (length - 1);
        let mut bits: u64 = 0;
        let mut bit = 0;
        while bit < 64 {
            remainder *= 2;
            bits *= 2;
            if remainder >= five {
                remainder -= five;
                bits += 1;
            }
            bit += 1;
        }
        // A product of 2^64 units is 2^(64 - 63 - length - n), and one below 2^128 counts from
        // 2^127.
        table[scale] = Reciprocal { bits, exponent: 1023 + 64 - length as u64 - scale as u64 - 1 };
        scale += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number that `quick` reads from `text` with a tab behind, if it is sure.
    fn quickly(text: &str) -> Option<f64> {
        let padded = format!("{text}\t0.0000000000000000000000");
        let (value, length) = quick(padded.as_bytes())?;
        assert_eq!(length, text.len(), "{text}");
        Some(value)
    }

    /// A cheap stream of well-mixed bits (splitmix64).
    fn bits(count: usize) -> impl Iterator<Item = u64> {
        (1..=count as u64).map(|index| {
            let mut bits = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            bits ^ (bits >> 31)
        })
    }

    #[test]
    fn shortest_representations_of_scores_are_read_the_quick_way() {
        let mut unsure = 0;
        for bits in bits(20_000) {
            let score = (bits >> 11) as f64 / (1u64 << 53) as f64;
            for score in [score, f64::from(score as f32), score * 1e-3, -8.0 * score, 900.0 * score] {
                let quick = quickly(&format!("{score:?}"));
                unsure += i32::from(quick.is_none());
                assert_eq!(quick.unwrap_or(score), score);
            }
        }
        assert!(unsure < 100, "{unsure} of 100000 were not read the quick way");
    }

    #[test]
    fn simple_numbers_are_read_the_quick_way() {
        for text in
            ["0.0", "-0.0", "1.0", "10.0", "0.064", "123.456", "1.7122640201705508e-05", "9.5e+01", "2.5e1", "0.5E-9"]
        {
            assert_eq!(quickly(text).map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
        }
    }

    #[test]
    fn where_the_quick_way_is_sure_it_rounds_as_the_standard_library() {
        let mut sure = 0;
        for bits in bits(200_000) {
            let digits = (bits >> (bits % 50)).to_string();
            let exponent = (bits >> 32) % 60;
            let text = format!("{}.{digits}e-{exponent}", bits % 7);
            if let Some(value) = quickly(&text) {
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                sure += 1;
            }
        }
        assert!(sure > 130_000, "only {sure} of 200000 were read the quick way");
    }

    #[test]
    fn middles_between_two_numbers_are_rounded_exactly() {
        // One above a power of two the distance of two f64 is 2^-52: all digits of their middle and
        // its neighbours.
        for text in [
            "1.00000000000000011102230246251565",
            "1.00000000000000011102230246251565404236316680908203125",
            "1.00000000000000011102230246251565404236316680908203126",
            "1.00000000000000011102230246251565404236316680908203124",
            "9007199254740993.0",
            "9007199254740992.9999",
            "9007199254740993.0001",
            "4503599627370497.5",
            "4503599627370498.5",
        ] {
            let (value, length) = leading_number(format!("{text}\t1.00000000000000000000").as_bytes()).unwrap();
            assert_eq!((value, length), (text.parse().unwrap(), text.len()), "{text}");
        }
    }

    #[test]
    fn odd_spellings_are_read_or_refused_as_by_the_standard_library() {
        for text in [
            "1",
            "+1",
            "+.5",
            ".5",
            "5.",
            "-5.",
            "1e5",
            "1E+5",
            "1.5e300",
            "1e-400",
            "1e400",
            "1.0e-310",
            "inf",
            "-inf",
            "infinity",
            "NaN",
            "-",
            "+",
            ".",
            "",
            "e5",
            "1e",
            "1e-",
            "1.5e",
            "--1",
            "1.0e-005",
            "0x10",
            "1_000",
            "1,5",
            "00001.5",
            "0.00000000000000000000000000000000000001",
            "123456789012345678901234567890.5",
        ] {
            let whole = leading_number(text.as_bytes()).filter(|&(_, length)| length == text.len());
            let expected = text.parse::<f64>().ok().map(|value| value.to_string());
            assert_eq!(whole.map(|(value, _)| value.to_string()), expected, "{text}");
        }
    }
}
