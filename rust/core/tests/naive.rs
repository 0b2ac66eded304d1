//! The threshold loop: every statistic the obvious way, and the fast way must agree with it exactly.
//!
//! `naive_counts` lists the detections at one threshold and looks at each with each target. It shares
//! nothing with the crate but the types of its input.

mod threshold_loop;

use std::sync::Arc;

use proptest::prelude::*;
use soundeval_core::criteria::Intersection;
use soundeval_core::curves::psd_roc::Setting;
use soundeval_core::events::{ClipEvents, Event};
use soundeval_core::parallel::Cancel;
use soundeval_core::scores::{FrameEdges, Frames, Score};
use soundeval_core::store::{AnyFrames, ClipInput, DeltaStore};
use threshold_loop::points;

const NEVER: f64 = f64::NEG_INFINITY;

#[derive(Debug, Clone)]
struct NaiveClip {
    edges: Vec<f64>,
    /// One list of frames for each class.
    scores: Vec<Vec<f64>>,
    /// Class, onset, offset.
    targets: Vec<(usize, f64, f64)>,
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    dtc: f64,
    gtc: f64,
    cttc: Option<f64>,
    decimals: i32,
}

/// Runs of frames with a score of at least `cut`.
fn detections(clip: &NaiveClip, class: usize, cut: f64) -> Vec<(f64, f64)> {
    let mut found = Vec::new();
    let mut start = None;
    for (frame, score) in clip.scores[class].iter().enumerate() {
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

/// True positives, false positives and cross triggers on every class.
fn naive_counts(clip: &NaiveClip, class: usize, cut: f64, rule: Rule) -> (i64, i64, Vec<i64>) {
    // As numpy.round does it: ten by ten, which differs from the power above 10^22.
    let scale = (0..rule.decimals).fold(1.0, |scale, _| scale * 10.0);
    let round = |time: f64| (time * scale).round_ties_even() / scale;
    let shared = |(start, end): (f64, f64), (onset, offset): (f64, f64)| (end.min(offset) - start.max(onset)).max(0.0);
    let targets_of = |class: usize| {
        let mut targets: Vec<(f64, f64)> = Vec::new();
        targets.extend(clip.targets.iter().filter(|target| target.0 == class).map(|target| (target.1, target.2)));
        targets.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
        targets
    };
    let mut cts = vec![0; clip.scores.len()];
    let detections = detections(clip, class, cut);
    if detections.is_empty() {
        return (0, 0, cts);
    }
    let covered = |detection: (f64, f64), class: usize| -> f64 {
        targets_of(class).into_iter().map(|target| shared(detection, target)).sum()
    };
    let is_relevant =
        |detection: &(f64, f64)| round(covered(*detection, class)) >= round(rule.dtc * (detection.1 - detection.0));
    let (relevant, irrelevant): (Vec<_>, Vec<_>) = detections.into_iter().partition(is_relevant);
    let is_found = |target: &(f64, f64)| {
        let sum: f64 = relevant.iter().map(|detection| shared(*detection, *target)).sum();
        round(sum) >= round(rule.gtc * (target.1 - target.0))
    };
    let tps = targets_of(class).iter().filter(|target| is_found(target)).count();
    if let Some(cttc) = rule.cttc {
        for other in (0..cts.len()).filter(|other| *other != class && !targets_of(*other).is_empty()) {
            let triggers = |detection: &&(f64, f64)| {
                round(covered(**detection, other)) >= round(cttc * (detection.1 - detection.0))
            };
            cts[other] = irrelevant.iter().filter(triggers).count() as i64;
        }
    }
    (tps as i64, irrelevant.len() as i64, cts)
}

fn store<S: Score>(
    clips: &[NaiveClip],
    rule: Rule,
    convert: impl Fn(f64) -> S,
    wrap: impl Fn(Frames<S>) -> AnyFrames,
) -> DeltaStore {
    let names: Vec<String> = (0..clips[0].scores.len()).map(|class| format!("class{class}")).collect();
    let criterion = Intersection::new(rule.dtc, rule.gtc, rule.cttc, rule.decimals as u8).expect("valid");
    let mut store = DeltaStore::new(criterion, names.clone()).expect("valid");
    let edges =
        |clip: &NaiveClip| Arc::new(FrameEdges::new("clip", clip.scores[0].len(), clip.edges.clone()).expect("valid"));
    let inputs = clips.iter().enumerate().map(|(i, clip)| {
        let scores = clip.scores.iter().flatten().map(|score| convert(*score)).collect();
        let events = clip.targets.iter().map(|&(class, onset, offset)| (class, Event { onset, offset }));
        ClipInput {
            id: format!("clip{i}"),
            first_class: 0,
            duration: None,
            frames: wrap(Frames::new("clip", &names, edges(clip), scores).expect("valid")),
            events: ClipEvents::new(events),
        }
    });
    store.extend(inputs.collect(), &Cancel::new()).expect("valid");
    store
}

/// Compares the counts at every distinct score, just below it, and demands that there are no needless points.
fn check(clips: &[NaiveClip], rule: Rule) -> Result<(), TestCaseError> {
    let double = store(clips, rule, |score| score, AnyFrames::Double);
    let single = store(clips, rule, |score| score as f32, AnyFrames::Single);
    let n_classes = clips[0].scores.len();
    for class in 0..n_classes {
        let others: Vec<usize> = (0..n_classes).filter(|other| *other != class).collect();
        let statistics = double.class_statistics(class, &others);
        prop_assert_eq!(&statistics, &single.class_statistics(class, &others));

        let scores = clips.iter().flat_map(|clip| clip.scores[class].iter().copied());
        let (thresholds, counts) = points(scores, (0, 0, vec![0; n_classes]), |cut| {
            let (mut tps, mut fps, mut cts) = (0, 0, vec![0; n_classes]);
            for clip in clips {
                let (clip_tps, clip_fps, clip_cts) = naive_counts(clip, class, cut, rule);
                tps += clip_tps;
                fps += clip_fps;
                cts.iter_mut().zip(clip_cts).for_each(|(sum, count)| *sum += count);
            }
            (tps, fps, cts)
        });
        prop_assert_eq!(&statistics.thresholds, &thresholds);
        prop_assert_eq!(&statistics.tps, &counts.iter().map(|point| point.0).collect::<Vec<_>>());
        prop_assert_eq!(&statistics.fps, &counts.iter().map(|point| point.1).collect::<Vec<_>>());
        for (other, cts) in others.iter().zip(&statistics.cts) {
            prop_assert_eq!(cts, &counts.iter().map(|point| point.2[*other]).collect::<Vec<_>>());
        }
    }
    Ok(())
}

/// Few distinct scores make ties and plateaus; all of them are exact in single precision.
fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0_u8..5).prop_map(|level| f64::from(level) / 4.0),
        2 => (0_u8..=64).prop_map(|level| f64::from(level) / 64.0),
        1 => Just(NEVER),
        1 => Just(f64::INFINITY),
        1 => Just(-0.0),
    ]
}

/// Times on a grid that frames share, next to it by less than the rounding, or anywhere.
fn time() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (0_u8..=20).prop_map(|step| f64::from(step) * 0.5),
        2 => (0_u32..=10_000_000).prop_map(|microseconds| f64::from(microseconds) * 1e-6),
        1 => (0_u8..=20, -6_i8..=6).prop_map(|(step, off)| f64::from(step) * 0.5 + f64::from(off) * 2.5e-7),
        1 => (0_u8..=30).prop_map(|third| f64::from(third) / 3.0),
    ]
}

fn edges(n_frames: usize) -> impl Strategy<Value = Vec<f64>> {
    let steps = prop_oneof![
        Just(vec![0.5; n_frames]),
        Just(vec![0.1; n_frames]),
        prop::collection::vec(prop_oneof![Just(0.5), Just(1.0 / 3.0), 1e-6..2.0], n_frames),
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
fn targets(n_classes: usize) -> impl Strategy<Value = Vec<(usize, f64, f64)>> {
    let target = (0..n_classes, time(), time()).prop_map(|(class, a, b)| (class, a.min(b), a.max(b)));
    prop::collection::vec(target, 0..7)
}

fn clip(n_classes: usize) -> impl Strategy<Value = NaiveClip> {
    prop_oneof![1 => Just(1), 6 => 2_usize..16].prop_flat_map(move |n_frames| {
        let scores = prop::collection::vec(prop::collection::vec(score(), n_frames), n_classes);
        (edges(n_frames), scores, targets(n_classes)).prop_map(|(edges, scores, targets)| NaiveClip {
            edges,
            scores,
            targets,
        })
    })
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => prop::sample::select(vec![0.1, 0.3, 0.5, 0.7, 1.0]),
        1 => Just(0.0),
        1 => 0.0..=1.0,
    ]
}

fn rule() -> impl Strategy<Value = Rule> {
    let decimals = prop_oneof![6 => Just(6), 1 => Just(2), 1 => Just(30), 1 => Just(0), 1 => 0..=30];
    (share(), share(), prop::option::of(share()), decimals).prop_map(|(dtc, gtc, cttc, decimals)| Rule {
        dtc,
        gtc,
        cttc,
        decimals,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_fast_way_counts_what_the_threshold_loop_counts(
        clips in (1_usize..4).prop_flat_map(|n_classes| prop::collection::vec(clip(n_classes), 1..4)),
        rule in rule(),
    ) {
        check(&clips, rule)?;
    }

    #[test]
    fn a_limit_cuts_the_curves_and_changes_nothing_else(
        clips in (1_usize..4).prop_flat_map(|n_classes| prop::collection::vec(clip(n_classes), 1..9)),
        rule in rule(),
        alpha_ct in prop::sample::select(vec![0.0, 0.5]),
        max_efpr in prop_oneof![(0_u8..6).prop_map(f64::from), 0.1..6.0_f64],
        oracle: bool,
    ) {
        let rule = Rule { cttc: rule.cttc.or(Some(0.3)), ..rule };
        let store = store(&clips, rule, |score| score as f32, AnyFrames::Single);
        let classes: Vec<usize> = (0..clips[0].scores.len()).collect();
        // One false positive a second in a data set of one second.
        let unlimited = Setting { dataset_duration: 1.0, alpha_ct, seconds_per_unit: 1.0, max_efpr: None, oracle };
        let limited = Setting { max_efpr: Some(max_efpr), ..unlimited };
        let cancel = Cancel::new();
        let all = store.psd_rocs(&classes, &unlimited, &cancel);
        for (mut all, cut) in all.into_iter().zip(store.psd_rocs(&classes, &limited, &cancel)) {
            let kept = all.efpr.partition_point(|efpr| *efpr <= max_efpr);
            all.tpr.truncate(kept);
            all.efpr.truncate(kept);
            all.thresholds.truncate(kept);
            prop_assert_eq!(cut, all);
        }
    }
}

#[test]
fn the_figure_of_the_paper() {
    // Ebbers, Haeb-Umbach, Serizel, ICASSP 2022, Figure 3: a target at 2-6 s, one of another class at 6-8 s.
    let clip = NaiveClip {
        edges: (0..10).map(f64::from).collect(),
        scores: vec![vec![0.3, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.7, 0.6], vec![NEVER; 9]],
        targets: vec![(0, 2.0, 6.0), (1, 6.0, 8.0)],
    };
    let rule = Rule { dtc: 0.5, gtc: 0.5, cttc: Some(0.5), decimals: 6 };
    let statistics = store(&[clip], rule, |score| score, AnyFrames::Double).class_statistics(0, &[1]);
    assert_eq!(statistics.thresholds, [0.3, 0.5, 0.6, 0.8, f64::INFINITY]);
    assert_eq!(statistics.tps, [0, 1, 0, 0, 0]);
    assert_eq!(statistics.fps, [1, 0, 1, 1, 0]);
    assert_eq!(statistics.cts, [[0, 0, 0, 1, 0]]);
}

#[test]
fn more_than_64_other_classes_are_looked_at_in_blocks() {
    let n_classes = 150;
    let clip = NaiveClip {
        edges: (0..6).map(f64::from).collect(),
        scores: (0..n_classes)
            .map(|class| (0..5).map(|frame| f64::from((class * 7 + frame * 3) % 5) / 4.0).collect())
            .collect(),
        targets: (0..n_classes as usize)
            .filter(|class| class % 9 != 4)
            .map(|class| (class, (class % 4) as f64, (class % 4 + 1 + class % 2) as f64))
            .collect(),
    };
    let rule = Rule { dtc: 0.5, gtc: 0.5, cttc: Some(0.3), decimals: 6 };
    check(&[clip], rule).expect("equal");
}
