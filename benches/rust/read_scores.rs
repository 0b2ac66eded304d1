//! How fast tables of scores are read, in bytes a second of one core.
//!
//! `clip` is one file of 156 frames and 10 classes, as the DCASE challenges have them; `set` is a
//! hundred such clips in one file with a column of names. `standard library` cuts the same bytes at
//! tabs and parses each field with `str::parse`: the least that an exact reader in a few lines
//! costs. The two must give the same scores before anything is timed.

#![allow(clippy::unwrap_used, missing_docs, reason = "a bench fails by panicking")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soundeval_core::io::parse_scores;

const N_FRAMES: usize = 156;
const N_CLASSES: usize = 10;

/// Scores as a sigmoid in single precision gives them, written with the digits of a double.
fn table(n_clips: usize) -> String {
    let mut state = 1u64;
    let mut score = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let logit = (state >> 40) as f32 / (1 << 24) as f32 * 16.0 - 12.0;
        f64::from(1.0 / (1.0 + (-logit).exp()))
    };
    let mut text = String::from(if n_clips > 1 { "filename\tonset\toffset" } else { "onset\toffset" });
    for class in 0..N_CLASSES {
        write!(text, "\tclass {class}").unwrap();
    }
    text.push('\n');
    for clip in 0..n_clips {
        for frame in 0..N_FRAMES {
            if n_clips > 1 {
                write!(text, "clip{clip:04}.wav\t").unwrap();
            }
            let [onset, offset] = [frame, frame + 1].map(|edge| edge as f64 * 64.0 / 1000.0);
            write!(text, "{onset:?}\t{offset:?}").unwrap();
            for _ in 0..N_CLASSES {
                write!(text, "\t{:?}", score()).unwrap();
            }
            text.push('\n');
        }
    }
    text
}

/// All scores of a table, frame by frame.
fn with_standard_library(text: &str, first_class: usize) -> Vec<f64> {
    let fields = text.lines().skip(1).flat_map(|line| line.split('\t').skip(first_class));
    fields.map(|field| field.parse().unwrap()).collect()
}

fn read_scores(criterion: &mut Criterion) {
    for (name, n_clips, first_class) in [("clip", 1, 2), ("set", 100, 3)] {
        let text = table(n_clips);
        let expected = with_standard_library(&text, first_class);
        let file = parse_scores(text.as_bytes(), name).unwrap();
        for (clip, table) in file.tables.iter().enumerate() {
            for (index, &score) in table.scores.iter().enumerate() {
                let (class, frame) = (index / N_FRAMES, index % N_FRAMES);
                assert_eq!(score, expected[(clip * N_FRAMES + frame) * N_CLASSES + class]);
            }
        }
        let mut group = criterion.benchmark_group(format!("read_scores/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("soundeval", |bencher| {
            bencher.iter(|| parse_scores(black_box(text.as_bytes()), name).unwrap());
        });
        group.bench_function("standard library", |bencher| {
            bencher.iter(|| with_standard_library(black_box(&text), first_class));
        });
        group.finish();
    }
}

criterion_group!(benches, read_scores);
criterion_main!(benches);
