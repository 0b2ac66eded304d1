//! The threshold loop for segments and clips: at one threshold detections are listed, and each unit of time is
//! looked at with each detection and each target. The fast way, which takes maxima, must agree with it exactly.

mod threshold_loop;

use std::sync::Arc;

use proptest::prelude::*;
use soundeval_core::criteria::{Criterion, Segment};
use soundeval_core::events::{ClipEvents, Event};
use soundeval_core::parallel::Cancel;
use soundeval_core::scores::{FrameEdges, Frames};
use soundeval_core::store::{AnyFrames, ClipInput, DeltaStore};
use threshold_loop::points;

const NEVER: f64 = f64::NEG_INFINITY;

/// A clip with one class.
#[derive(Debug, Clone)]
struct NaiveClip {
    edges: Vec<f64>,
    scores: Vec<f64>,
    targets: Vec<(f64, f64)>,
    duration: Option<f64>,
}

/// Length of the segments and decimals of seconds; without them units are whole clips.
type Rule = Option<(f64, i32)>;

fn round(time: f64, decimals: i32) -> f64 {
    let scale = (0..decimals).fold(1.0, |scale, _| scale * 10.0); // as NumPy: ten by ten
    (time * scale).round_ties_even() / scale
}

fn share_time(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// Whether each unit of a clip is detected at a threshold, and whether it is positive.
fn units(clip: &NaiveClip, cut: f64, rule: Rule) -> Vec<(bool, bool)> {
    let active: Vec<usize> =
        (0..clip.scores.len()).filter(|frame| clip.scores[*frame] >= cut && clip.scores[*frame] > NEVER).collect();
    let Some((length, decimals)) = rule else {
        return vec![(!active.is_empty(), !clip.targets.is_empty())];
    };
    let edge = |k: usize| round(clip.edges[k], decimals);
    let last = clip.targets.iter().fold(edge(clip.scores.len()), |end, target| end.max(target.1));
    let end = clip.duration.unwrap_or(last);
    let mut units = Vec::new();
    while (units.len() as f64) < (end / length).ceil() {
        let segment =
            (round(units.len() as f64 * length, decimals), round((units.len() + 1) as f64 * length, decimals));
        let detected = active.iter().any(|frame| share_time((edge(*frame), edge(frame + 1)), segment));
        units.push((detected, clip.targets.iter().any(|target| share_time(*target, segment))));
    }
    units
}

fn store(clips: &[NaiveClip], rule: Rule, single: bool) -> DeltaStore {
    let names = ["Dog".to_owned()];
    let criterion = match rule {
        Some((length, decimals)) => Criterion::Segment(Segment::new(length, decimals as u8).expect("valid")),
        None => Criterion::Clip,
    };
    let mut store = DeltaStore::new(criterion, names.to_vec()).expect("valid");
    let inputs = clips.iter().enumerate().map(|(i, clip)| {
        let edges = Arc::new(FrameEdges::new("clip", clip.scores.len(), clip.edges.clone()).expect("valid"));
        let frames = if single {
            let scores = clip.scores.iter().map(|score| *score as f32).collect();
            AnyFrames::Single(Frames::new("clip", &names, edges, scores).expect("valid"))
        } else {
            AnyFrames::Double(Frames::new("clip", &names, edges, clip.scores.clone()).expect("valid"))
        };
        let events = clip.targets.iter().map(|&(onset, offset)| (0, Event { onset, offset }));
        ClipInput {
            id: format!("clip{i}"),
            first_class: 0,
            duration: clip.duration,
            frames,
            events: ClipEvents::new(events),
        }
    });
    store.extend(inputs.collect(), &Cancel::new()).expect("valid");
    store
}

/// Compares the counts at every distinct score, and demands that there are no needless points.
fn check(clips: &[NaiveClip], rule: Rule) -> Result<(), TestCaseError> {
    let double = store(clips, rule, false);
    let statistics = double.class_statistics(0, &[]);
    prop_assert_eq!(&statistics, &store(clips, rule, true).class_statistics(0, &[]));
    let all = |cut: f64| clips.iter().flat_map(move |clip| units(clip, cut, rule)).collect::<Vec<_>>();
    let scores = clips.iter().flat_map(|clip| clip.scores.iter().copied());
    let (thresholds, counts) = points(scores, (0, 0), |cut| {
        let count = |positive: bool| all(cut).into_iter().filter(|unit| *unit == (true, positive)).count() as i64;
        (count(true), count(false))
    });
    let (tps, fps): (Vec<i64>, Vec<i64>) = counts.into_iter().unzip();
    prop_assert_eq!(&statistics.thresholds, &thresholds);
    prop_assert_eq!(&statistics.tps, &tps);
    prop_assert_eq!(&statistics.fps, &fps);
    let n_positive = all(f64::INFINITY).into_iter().filter(|unit| unit.1).count();
    prop_assert_eq!(double.n_ref(), vec![n_positive]);
    prop_assert_eq!(double.n_negatives(), Some(vec![all(f64::INFINITY).len() - n_positive]));
    Ok(())
}

/// Few distinct scores make ties and plateaus; all of them are exact in single precision.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0_u8..5).prop_map(|level| f64::from(level) / 4.0),
        2 => (0_u8..=64).prop_map(|level| f64::from(level) / 64.0),
        2 => Just(NEVER),
        1 => Just(f64::INFINITY),
        1 => Just(-0.0),
    ]
}

/// Times on the boundaries of segments, next to them by less than the rounding, or anywhere.
fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0_u8..=20).prop_map(|step| f64::from(step) * 0.5),
        2 => (0_u32..=10_000_000).prop_map(|microseconds| f64::from(microseconds) * 1e-6),
        1 => (1_u8..=20, -6_i8..=6).prop_map(|(step, off)| f64::from(step) * 0.5 + f64::from(off) * 2.5e-7),
        1 => (0_u8..=30).prop_map(|third| f64::from(third) / 3.0),
    ]
}

fn clip() -> impl Strategy<Value = NaiveClip> {
    prop_oneof![1 => Just(1), 6 => 2_usize..16].prop_flat_map(|n_frames| {
        let steps = prop::collection::vec(prop_oneof![3 => Just(0.5), 1 => Just(1.0 / 3.0), 1 => 1e-6..2.0], n_frames);
        let edges = (steps, prop_oneof![3 => Just(0.0), 1 => 0.0..5.0_f64]).prop_map(|(steps, start)| {
            let mut edges = vec![start];
            for step in steps {
                edges.push(edges[edges.len() - 1] + step);
            }
            edges
        });
        let target = (time(), time()).prop_map(|(a, b)| (a.min(b), a.max(b)));
        let targets = prop::collection::vec(target, 0..5);
        let duration = prop::option::of(prop_oneof![Just(5.0), 0.5..12.0_f64]);
        (edges, prop::collection::vec(score(), n_frames), targets, duration)
            .prop_map(|(edges, scores, targets, duration)| NaiveClip { edges, scores, targets, duration })
    })
}

fn rule() -> impl Strategy<Value = Rule> {
    let lengths = prop_oneof![4 => prop::sample::select(vec![0.5, 1.0, 0.3, 2.0]), 1 => 0.25..8.0_f64];
    let decimals = prop_oneof![6 => Just(6), 1 => Just(1), 1 => Just(30), 1 => 1..=30];
    prop_oneof![1 => Just(None), 4 => (lengths, decimals).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_fast_way_counts_what_the_threshold_loop_counts(
        clips in prop::collection::vec(clip(), 1..4),
        rule in rule(),
    ) {
        check(&clips, rule)?;
    }
}

#[test]
fn the_figure_of_the_paper() {
    // Ebbers, Haeb-Umbach, Serizel, ICASSP 2022, Figure 1: six instances, each one clip of one frame.
    let scores = [0.7, 0.3, 0.5, 0.9, 0.1, 0.8];
    let clips: Vec<NaiveClip> = scores
        .iter()
        .zip([false, false, true, true, false, true])
        .map(|(score, is_positive)| NaiveClip {
            edges: vec![0.0, 1.0],
            scores: vec![*score],
            targets: if is_positive { vec![(0.0, 1.0)] } else { Vec::new() },
            duration: None,
        })
        .collect();
    let statistics = store(&clips, None, false).class_statistics(0, &[]);
    assert_eq!(statistics.thresholds, [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, f64::INFINITY]);
    assert_eq!(statistics.tps, [3, 3, 3, 2, 2, 1, 0]);
    assert_eq!(statistics.fps, [3, 2, 1, 1, 0, 0, 0]);
}
