//! The cost of each stage per frame and class: component tree, deltas, sort, curve.
//!
//! `cargo bench --bench kernels`. Scores are smooth noise through a sigmoid, as a network's outputs are;
//! one clip in six has a target. Every kernel stands beside its naive neighbour, which is checked first.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use soundeval_core::component_tree::{Detection, Visitor, sweep};
use soundeval_core::criteria::Intersection;
use soundeval_core::criteria::extrema::push_extrema;
use soundeval_core::curves::psd_roc::Setting;
use soundeval_core::deltas::{Count, Word, sort};
use soundeval_core::events::{ClipEvents, Event};
use soundeval_core::parallel::Cancel;
use soundeval_core::scores::{FrameEdges, Frames, Score};
use soundeval_core::store::{AnyFrames, ClipInput, DeltaStore};

const N_CLIPS: usize = 200;
const N_FRAMES: usize = 156;
const N_CLASSES: usize = 10;
const FRAME: f64 = 10.0 / 156.0;

/// A generator that is the same on every machine (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn scores(&mut self, n: usize) -> Vec<f32> {
        let (mut slow, mut smooth) = (0.0, 0.0);
        (0..n)
            .map(|_| {
                slow += 0.25 * (self.uniform() - 0.5 - slow);
                smooth += 0.25 * (slow - smooth);
                (1.0 / (1.0 + (4.0 - 60.0 * smooth).exp())) as f32
            })
            .collect()
    }
}

fn clips() -> Vec<ClipInput> {
    let mut random = Random(1);
    let names: Vec<String> = (0..N_CLASSES).map(|class| format!("class{class}")).collect();
    let edges: Vec<f64> = (0..=N_FRAMES).map(|frame| (frame as f64 * FRAME * 1e6).round() / 1e6).collect();
    let edges = Arc::new(FrameEdges::new("clip", N_FRAMES, edges).expect("valid"));
    (0..N_CLIPS)
        .map(|clip| {
            let scores = (0..N_CLASSES).flat_map(|_| random.scores(N_FRAMES)).collect();
            let frames = Frames::new("clip", &names, Arc::clone(&edges), scores).expect("valid");
            let events = (0..N_CLASSES).filter(|class| (class + clip) % 6 == 0).map(|class| {
                let onset = 8.0 * random.uniform();
                (class, Event { onset, offset: onset + 0.2 + 1.5 * random.uniform() })
            });
            ClipInput {
                id: format!("clip{clip:03}"),
                first_class: 0,
                duration: None,
                events: ClipEvents::new(events),
                frames: AnyFrames::Single(frames),
            }
        })
        .collect()
}

/// Counts the nodes and does nothing else.
struct CountNodes(usize);

impl Visitor<f32> for CountNodes {
    type Open = ();
    type Closed = ();
    fn is_cancelled(&self) -> bool {
        false
    }
    fn reach(&mut self, _: usize) {}
    fn open(&mut self, _: usize) {}
    fn close(&mut self, _: Detection<f32>, (): &(), _: usize) {
        self.0 += 1;
    }
    fn absorb(&mut self, (): &mut (), _: f32, (): ()) {}
    fn restart((): &mut ()) {}
}

fn n_nodes(scores: &[f32]) -> usize {
    let mut nodes = CountNodes(0);
    sweep(scores, 0, &mut nodes, &mut Vec::new());
    nodes.0
}

/// For every score, the runs that begin or grow there: `O(n_scores * n_frames)`.
fn naive_n_nodes(scores: &[f32]) -> usize {
    let mut levels = scores.to_vec();
    levels.sort_by(f32::total_cmp);
    levels.dedup();
    let runs_at = |level: f32| scores.split(|score| *score < level).filter(|run| run.contains(&level)).count();
    levels.into_iter().map(runs_at).sum()
}

fn component_tree(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("component_tree");
    let scores = Random(2).scores(100_000);
    assert_eq!(n_nodes(&scores[..3000]), naive_n_nodes(&scores[..3000]));
    group.throughput(Throughput::Elements(scores.len() as u64));
    group.bench_function("smooth noise", |bencher| bencher.iter(|| n_nodes(black_box(&scores))));
    let ramp: Vec<f32> = (0..100_000).map(|frame| frame as f32).collect();
    group.bench_function("ramp", |bencher| bencher.iter(|| n_nodes(black_box(&ramp))));
    group.throughput(Throughput::Elements(3000));
    group.bench_function("naive, smooth noise", |bencher| bencher.iter(|| naive_n_nodes(black_box(&scores[..3000]))));
    group.finish();
}

fn deltas(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("deltas");
    soundeval_core::parallel::set_num_threads(std::num::NonZeroUsize::new(1));
    let clips = clips();
    let names: Vec<String> = (0..N_CLASSES).map(|class| format!("class{class}")).collect();
    group.throughput(Throughput::Elements((N_CLIPS * N_FRAMES * N_CLASSES) as u64));
    for (name, rule) in [
        ("PSDS 1", Intersection::new(0.7, 0.7, None, 6).expect("valid")),
        ("PSDS 2", Intersection::new(0.1, 0.1, Some(0.3), 6).expect("valid")),
    ] {
        let empty = DeltaStore::new(rule, names.clone()).expect("valid");
        group.bench_function(name, |bencher| {
            bencher.iter(|| empty.compute(black_box(&clips), &Cancel::new()).expect("valid"));
        });
    }
    let scores = Random(3).scores(N_CLIPS * N_FRAMES * N_CLASSES);
    group.bench_function("no targets (extrema)", |bencher| {
        let (mut turns, mut words) = (Vec::new(), Vec::new());
        bencher.iter(|| {
            words.clear();
            scores.chunks(N_FRAMES).for_each(|scores| push_extrema(scores, &mut turns, &mut words));
            words.len()
        });
    });
    group.finish();
}

fn sorting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sort");
    let scores = Random(4).scores(300_000);
    let words: Vec<u64> = scores.iter().map(|score| u64::pack(score.to_key(), Count::FalsePositives, 1)).collect();
    let keys = |words: &[u64]| words.iter().map(|word| word.key()).collect::<Vec<_>>();
    let (mut radix, mut comparison) = (words.clone(), words.clone());
    sort(&mut radix, &mut Vec::new());
    comparison.sort_unstable();
    assert_eq!(keys(&radix), keys(&comparison));
    group.throughput(Throughput::Elements(words.len() as u64));
    group.bench_function("radix", |bencher| {
        let (mut copy, mut buffer) = (Vec::new(), Vec::new());
        bencher.iter(|| {
            copy.clone_from(black_box(&words));
            sort(&mut copy, &mut buffer);
        });
    });
    group.bench_function("naive, comparison", |bencher| {
        let mut copy = Vec::new();
        bencher.iter(|| {
            copy.clone_from(black_box(&words));
            copy.sort_unstable();
        });
    });
    group.finish();
}

fn curves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("psd_roc");
    let names: Vec<String> = (0..N_CLASSES).map(|class| format!("class{class}")).collect();
    let rule = Intersection::new(0.1, 0.1, Some(0.3), 6).expect("valid");
    let mut store = DeltaStore::new(rule, names).expect("valid");
    store.extend(clips(), &Cancel::new()).expect("valid");
    let setting = Setting {
        dataset_duration: 10.0 * N_CLIPS as f64,
        alpha_ct: 0.5,
        seconds_per_unit: 3600.0,
        max_efpr: Some(100.0),
        oracle: true,
    };
    let classes: Vec<usize> = (0..N_CLASSES).collect();
    group.throughput(Throughput::Elements((N_CLIPS * N_FRAMES * N_CLASSES) as u64));
    group.bench_function("gather, sort, cumulate, curve", |bencher| {
        bencher.iter(|| store.psd_rocs(black_box(&classes), &setting, &Cancel::new()));
    });
    group.finish();
}

criterion_group!(benches, component_tree, deltas, sorting, curves);
criterion_main!(benches);
