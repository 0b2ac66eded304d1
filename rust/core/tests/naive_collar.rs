//! The threshold loop for collars: detections are listed at one threshold, looked at with each target, and
//! matched from scratch. The fast way must agree with it exactly.

mod threshold_loop;

use std::sync::Arc;

use proptest::prelude::*;
use soundeval_core::criteria::{Collar, Criterion, Workspace};
use soundeval_core::events::{ClipEvents, Event};
use soundeval_core::parallel::Cancel;
use soundeval_core::scores::{FrameEdges, Frames, Score};
use soundeval_core::statistics::ClassStatistics;
use threshold_loop::points;

const NEVER: f64 = f64::NEG_INFINITY;

/// A clip with one class.
#[derive(Debug, Clone)]
struct NaiveClip {
    edges: Vec<f64>,
    scores: Vec<f64>,
    targets: Vec<(f64, f64)>,
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    onset_collar: f64,
    offset_collar: Option<f64>,
    rate: f64,
    decimals: i32,
}

/// Runs of frames with a score of at least `cut`.
fn detections(clip: &NaiveClip, cut: f64) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let mut start = None;
    for (frame, score) in clip.scores.iter().enumerate() {
        let active = *score >= cut && *score > NEVER;
        if active && start.is_none() {
            start = Some(clip.edges[frame]);
        }
        if !active && let Some(start) = start.take() {
            found.push((start, clip.edges[frame]));
        }
    }
    if let Some(start) = start {
        found.push((start, clip.edges[clip.edges.len() - 1]));
    }
    found
}

fn hits(rule: Rule, detection: (f64, f64), target: (f64, f64)) -> bool {
    let scale = (0..rule.decimals).fold(1.0, |scale, _| scale * 10.0); // as NumPy: ten by ten
    let is_near = |distance: f64, collar: f64| ((distance.abs() - collar) * scale).round_ties_even() / scale <= 0.0;
    is_near(detection.0 - target.0, rule.onset_collar)
        && rule
            .offset_collar
            .is_none_or(|collar| is_near(detection.1 - target.1, f64::max(collar, rule.rate * (target.1 - target.0))))
}

/// Finds a free target for a detection, moving others if need be.
fn augment(i: usize, hit: &[Vec<bool>], partner: &mut [Option<usize>], seen: &mut [bool]) -> bool {
    for j in 0..partner.len() {
        if hit[i][j] && !seen[j] {
            seen[j] = true;
            if partner[j].is_none() || augment(partner[j].expect("has one"), hit, partner, seen) {
                partner[j] = Some(i);
                return true;
            }
        }
    }
    false
}

/// True positives and false positives.
fn naive_counts(clip: &NaiveClip, cut: f64, rule: Rule) -> (i64, i64) {
    let detections = detections(clip, cut);
    let n_targets = clip.targets.len();
    let row = |detection: &(f64, f64)| clip.targets.iter().map(|target| hits(rule, *detection, *target)).collect();
    let hit: Vec<Vec<bool>> = detections.iter().map(row).collect();
    let mut partner = vec![None; n_targets];
    let tps = (0..detections.len()).filter(|i| augment(*i, &hit, &mut partner, &mut vec![false; n_targets])).count();
    (tps as i64, (detections.len() - tps) as i64)
}

fn fast<S: Score>(clips: &[NaiveClip], rule: Rule, convert: impl Fn(f64) -> S) -> ClassStatistics {
    let collar = Collar::new(rule.onset_collar, rule.offset_collar, rule.rate, rule.decimals as u8).expect("valid");
    let mut workspace = Workspace::default();
    let mut words = Vec::new();
    for clip in clips {
        let edges = Arc::new(FrameEdges::new("clip", clip.scores.len(), clip.edges.clone()).expect("valid"));
        let scores = clip.scores.iter().map(|score| convert(*score)).collect();
        let frames = Frames::new("clip", &["class".to_owned()], edges, scores).expect("valid");
        let events = ClipEvents::new(clip.targets.iter().map(|&(onset, offset)| (0, Event { onset, offset })));
        let prepared = Criterion::Collar(collar).prepare("clip", &frames, 0, &events, None).expect("valid");
        prepared.push_deltas(0, &mut workspace, &Cancel::new(), &mut words);
    }
    words.sort_unstable();
    ClassStatistics::from_sorted(&words, 1, &[])
}

/// Compares the counts at every distinct score, just below it, and demands that there are no needless points.
fn check(clips: &[NaiveClip], rule: Rule) -> Result<(), TestCaseError> {
    let statistics = fast(clips, rule, |score| score);
    prop_assert_eq!(&statistics, &fast(clips, rule, |score| score as f32));
    let scores = clips.iter().flat_map(|clip| clip.scores.iter().copied());
    let (thresholds, counts) = points(scores, (0, 0), |cut| {
        let of_clips = clips.iter().map(|clip| naive_counts(clip, cut, rule));
        of_clips.fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
    });
    let (tps, fps): (Vec<i64>, Vec<i64>) = counts.into_iter().unzip();
    prop_assert_eq!(&statistics.thresholds, &thresholds);
    prop_assert_eq!(&statistics.tps, &tps);
    prop_assert_eq!(&statistics.fps, &fps);
    Ok(())
}

/// Few distinct scores make ties and plateaus; all of them are exact in single precision.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0_u8..5).prop_map(|level| f64::from(level) / 4.0),
        4 => (0_u8..=64).prop_map(|level| f64::from(level) / 64.0),
        1 => Just(NEVER),
        1 => Just(f64::INFINITY),
        1 => Just(-0.0),
    ]
}

/// Times on a grid that frames share, next to it by less than the rounding, or anywhere.
fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (0_u8..=20).prop_map(|step| f64::from(step) * 0.5),
        1 => (0_u32..=10_000_000).prop_map(|microseconds| f64::from(microseconds) * 1e-6),
        1 => (0_u8..=20, -6_i8..=6).prop_map(|(step, off)| f64::from(step) * 0.5 + f64::from(off) * 2.5e-7),
        1 => (0_u8..=30).prop_map(|third| f64::from(third) / 3.0),
    ]
}

fn edges(n_frames: usize) -> impl Strategy<Value = Vec<f64>> {
    let steps = prop_oneof![
        2 => Just(vec![0.5; n_frames]),
        1 => Just(vec![0.1; n_frames]),
        1 => prop::collection::vec(prop_oneof![Just(0.5), Just(1.0 / 3.0), 1e-6..2.0], n_frames),
    ];
    (steps, prop_oneof![3 => Just(0.0), 1 => -1.0..5.0_f64]).prop_map(|(steps, start)| {
        let mut edges = vec![start];
        for step in steps {
            edges.push(edges[edges.len() - 1] + step);
        }
        edges
    })
}

/// Targets that touch, overlap, nest, repeat, reach beyond the frames or have no length.
fn clip(most_frames: usize, most_targets: usize) -> impl Strategy<Value = NaiveClip> {
    prop_oneof![1 => Just(1), 9 => 2_usize..=most_frames].prop_flat_map(move |n_frames| {
        let scores = prop::collection::vec(score(), n_frames);
        let target = (time(), time()).prop_map(|(a, b)| (a.min(b), a.max(b)));
        let short = (time(), 0_u8..4).prop_map(|(onset, steps)| (onset, onset + f64::from(steps) * 0.5));
        let targets = prop::collection::vec(prop_oneof![target, short], 0..=most_targets);
        (edges(n_frames), scores, targets).prop_map(|(edges, scores, targets)| NaiveClip { edges, scores, targets })
    })
}

fn collar() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => prop::sample::select(vec![0.0, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 4.0]),
        1 => Just(100.0),
        1 => 0.0..=2.0,
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    let decimals = prop_oneof![6 => Just(6), 1 => Just(2), 1 => Just(30), 1 => Just(0)];
    let rate = prop_oneof![2 => Just(0.0), 3 => prop::sample::select(vec![0.1, 0.2, 0.5, 1.0])];
    (collar(), prop::option::weighted(0.7, collar()), rate, decimals)
        .prop_map(|(onset_collar, offset_collar, rate, decimals)| Rule { onset_collar, offset_collar, rate, decimals })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_fast_way_counts_what_the_threshold_loop_counts(
        clips in prop::collection::vec(clip(24, 8), 1..3),
        rule in rule(),
    ) {
        check(&clips, rule)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn so_it_does_where_many_targets_are_linked(clip in clip(120, 30), rule in rule()) {
        check(&[clip], rule)?;
    }
}

#[test]
fn the_figure_of_the_paper() {
    // Ebbers, Haeb-Umbach, Serizel, ICASSP 2022, Figure 2: frames of a second, a target at 2-7 s.
    let clip = NaiveClip {
        edges: (0..10).map(f64::from).collect(),
        scores: vec![0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3],
        targets: vec![(2.0, 7.0)],
    };
    let rule = Rule { onset_collar: 1.0, offset_collar: Some(1.0), rate: 0.0, decimals: 6 };
    let statistics = fast(&[clip], rule, |score| score);
    assert_eq!(statistics.thresholds, [0.3, 0.6, 0.7, f64::INFINITY]);
    assert_eq!(statistics.tps, [0, 1, 0, 0]);
    assert_eq!(statistics.fps, [1, 0, 1, 0]);
}

#[test]
fn a_chain_of_targets_is_moved_along() {
    // Targets every second and detections of every length on a slope: most could have either of two targets.
    let n = 60_u32;
    let clip = NaiveClip {
        edges: (0..=n).map(|edge| f64::from(edge) * 0.5).collect(),
        scores: (0..n).map(|frame| f64::from((frame * 37) % 64) / 64.0).collect(),
        targets: (0..n / 2).map(|target| (f64::from(target), f64::from(target) + 0.75)).collect(),
    };
    for onset_collar in [0.5, 1.0, 2.0, 5.0] {
        for offset_collar in [None, Some(0.25), Some(1.0), Some(3.0)] {
            let rule = Rule { onset_collar, offset_collar, rate: 0.0, decimals: 6 };
            check(std::slice::from_ref(&clip), rule).expect("equal");
        }
    }
}
