//! Laws of the readers: numbers come back to the last bit, and no bytes make a reader panic.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use soundeval_core::io::{parse_durations, parse_events, parse_scores};

/// Every finite `f64`, with as many from 0 to 1 and of `f32` origin as from elsewhere.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite()),
        0.0..=1.0,
        (0.0f32..=1.0).prop_map(f64::from),
        (-30.0..30.0f64).prop_map(f64::exp),
        select(vec![0.0, -0.0, 1.0, 0.5, 1.0 - f64::EPSILON / 2.0, f64::MIN_POSITIVE, 5e-324]),
    ]
}

/// A number as a program may write it, exactly or with some digits less or more.
fn decimal() -> impl Strategy<Value = String> {
    let spelling = |(number, spelling, digits): (f64, u8, usize)| match spelling {
        0 => format!("{number:?}"),
        1 => format!("{number}"),
        2 => format!("{number:e}"),
        3 => format!("{number:.digits$e}"),
        4 => format!("{number:.digits$}"),
        _ => format!("{number:.digits$E}").replace('E', "e+").replace("+-", "-0"),
    };
    (number(), 0..6u8, 0..25usize).prop_map(spelling)
}

/// Digits that no number was printed as: far too many, or in and next to the middle of two numbers.
fn digits() -> impl Strategy<Value = String> {
    let next_to_middle = (0.001..1.0f64, -1..=1).prop_map(|(number, side)| {
        // An f64 from 0.001 to 1 ends within 62 binary digits, so 80 decimals hold any middle.
        let half_gap = (number.next_up() - number) / 2.0;
        let middle = add_decimals(&format!("{number:.80}"), &format!("{half_gap:.80}"));
        let cut = middle.trim_end_matches('0').strip_suffix('5').expect("a binary fraction ends in 5");
        format!("{cut}{}", ["49", "5", "51"][(side + 1) as usize])
    });
    prop_oneof!["-?[0-9]{1,3}\\.[0-9]{1,30}(e[-+]?[0-9]{1,3})?", "[0-9]{1,40}", next_to_middle]
}

/// The sum of two positive decimal numbers with as many decimals each.
fn add_decimals(left: &str, right: &str) -> String {
    let mut sum: Vec<u8> = Vec::new();
    let mut carry = 0;
    for (left, right) in left.bytes().rev().zip(right.bytes().rev()) {
        if left == b'.' {
            sum.push(b'.');
            continue;
        }
        let digit = (left - b'0') + (right - b'0') + carry;
        carry = digit / 10;
        sum.push(b'0' + digit % 10);
    }
    sum.reverse();
    String::from_utf8(sum).expect("digits are ASCII")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn scores_are_read_to_the_last_bit(
        rows in (1..6usize).prop_flat_map(|width| {
            vec(vec(prop_oneof![4 => decimal(), 1 => digits()], width), 1..5)
        }),
        line_end in select(vec!["\n", "\r\n"]),
        clip in select(vec!["", "a.wav\t"]),
    ) {
        let width = rows[0].len();
        let mut text = String::from(if clip.is_empty() { "" } else { "filename\t" });
        text.push_str("onset\toffset");
        for class in 0..width {
            write!(text, "\t{class}").unwrap();
        }
        for (frame, row) in rows.iter().enumerate() {
            let scores = row.join("\t");
            write!(text, "{line_end}{clip}{frame}\t{}.0\t{scores}", frame + 1).unwrap();
        }
        let file = parse_scores(text.as_bytes(), "x.tsv").unwrap();
        prop_assert_eq!(file.tables[0].edges.len(), rows.len() + 1);
        for (frame, row) in rows.iter().enumerate() {
            for (class, decimal) in row.iter().enumerate() {
                let expected: f64 = decimal.parse().unwrap();
                let came = file.tables[0].scores[class * rows.len() + frame];
                prop_assert_eq!(came.to_bits(), expected.to_bits(), "{}", decimal);
            }
        }
    }

    #[test]
    fn times_are_read_to_the_last_bit(onset in number(), length in 0.0..1e6f64) {
        let offset = onset + length;
        prop_assume!(offset.is_finite() && length > 0.0);
        let events = format!("filename\tonset\toffset\tevent_label\na\t{onset:?}\t{offset:?}\tDog");
        let events = parse_events(events.as_bytes(), "x.tsv").unwrap();
        prop_assert_eq!(&events.rows[0].event, &Some((onset, offset, "Dog".to_owned())));
        let durations = format!("duration\tfilename\n{length:e}\ta");
        let durations = parse_durations(durations.as_bytes(), "x.tsv").unwrap();
        prop_assert_eq!(durations, vec![("a".to_owned(), length, 2)]);
    }

    #[test]
    fn labels_keep_their_text(label in "[^\t\n\r\0 ]([^\t\n\r\0]{0,20}[^\t\n\r\0 \u{c}])?") {
        prop_assume!(label.trim_ascii() == label);
        let text = format!("event_label\tonset\toffset\tfilename\n{label}\t0\t1\ta");
        let events = parse_events(text.as_bytes(), "x.tsv").unwrap();
        prop_assert_eq!(&events.rows[0].event, &Some((0.0, 1.0, label)));
        prop_assert!(events.trimmed.is_empty());
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        header in select(vec![
            "",
            "onset\toffset\tDog\n",
            "filename\tonset\toffset\tDog\tCat\n",
            "filename\tduration\n",
            "filename\tonset\toffset\tevent_label\n",
        ]),
        pieces in vec(prop_oneof![
            vec(any::<u8>(), 0..6),
            "[-+.e0-9\t\r\n ,\"na]{0,12}".prop_map(String::into_bytes),
            select(vec!["0\t1\t0.5\n", "a\t0\t1\t0.5\t0.25\n", "a\t1\n", "a\t0\t1\tDog\n"])
                .prop_map(|text| text.as_bytes().to_vec()),
            select(vec!["inf", "nan", "\t", "\u{FEFF}"]).prop_map(|text| text.as_bytes().to_vec()),
        ], 0..12),
    ) {
        let text = [header.as_bytes(), &pieces.concat()].concat();
        // Whatever they answer is well: only that they answer is asked.
        let _ = parse_scores(&text, "x.tsv");
        let _ = parse_events(&text, "x.tsv");
        let _ = parse_durations(&text, "x.tsv");
    }
}
