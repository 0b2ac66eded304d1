//! How far matched detections are from their targets, at every threshold at once.
//!
//! The number of pairs of a largest matching is a question of the hits alone; which pairs these are, and so their
//! distances, is not. Here they are, at each threshold, those of [`MaximumMatching`] with detections and targets
//! in order of time, whatever was matched at other thresholds.
//!
//! The sweep of the collar criterion keeps a detection that grows on a slope, for its hits stay the same. Here it
//! is another one, as its distances change. What is linked through detections is matched together, and again only
//! where one of these detections comes or goes; mostly that is one target with one detection.

use std::ops::Range;

use super::Collar;
use super::collar_sweep::{Window, join_zones};
use crate::component_tree::{Detection, OpenRun, Visitor, sweep};
use crate::events::Event;
use crate::maximum_matching::{DetectionOrder, Hit, MaximumMatching};
use crate::numeric::ExactSum;
use crate::parallel::Cancel;
use crate::scores::{Frames, Score};

/// A pair that comes or goes where the threshold falls below a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairChange {
    /// The score.
    pub score: f64,
    /// Detection minus target in seconds.
    pub onset_distance: f64,
    /// Detection minus target in seconds.
    pub offset_distance: f64,
    /// Whether it comes.
    pub comes: bool,
}

/// Pairs and sums of their distances at all thresholds: point `i` holds just below `thresholds[i]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MatchedDistances {
    /// Ascending; the last is infinite, where nothing is detected.
    pub thresholds: Vec<f64>,
    /// Number of pairs.
    pub n_matched: Vec<i64>,
    /// Sums of the distances of onsets, correctly rounded.
    pub onset_distance_sums: Vec<f64>,
    /// Sums of the distances of offsets, correctly rounded.
    pub offset_distance_sums: Vec<f64>,
}

/// Memory that is reused from one class to the next.
#[derive(Debug)]
pub struct Workspace<S> {
    windows: Vec<Window>,
    zones: Vec<Range<usize>>,
    stack: Vec<OpenRun<S, usize>>,
    nodes: Vec<Node<S>>,
    hits: Vec<u32>,
    /// Of a target: one that it is linked with, itself if it has the lowest number of all.
    linked: Vec<u32>,
    matching: MaximumMatching,
}

impl<S> Default for Workspace<S> {
    fn default() -> Self {
        Self {
            windows: Vec::new(),
            zones: Vec::new(),
            stack: Vec::new(),
            nodes: Vec::new(),
            hits: Vec::new(),
            linked: Vec::new(),
            matching: MaximumMatching::default(),
        }
    }
}

/// A detection that hits at least one target, there for thresholds in `[parent_level, level)`.
#[derive(Debug, Clone, Copy)]
struct Node<S> {
    level: S,
    parent_level: S,
    start: usize,
    end: usize,
    first_hit: usize,
    n_hits: usize,
}

struct Sweep<'a, S> {
    windows: &'a [Window],
    nodes: &'a mut Vec<Node<S>>,
    hits: &'a mut Vec<u32>,
    cancel: &'a Cancel,
}

impl<S: Score> Visitor<S> for Sweep<'_, S> {
    /// Nothing has to be remembered of a run: its start comes with it.
    type Open = usize;
    type Closed = ();

    fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    fn reach(&mut self, _: usize) {}

    fn open(&mut self, depth: usize) -> usize {
        depth
    }

    fn close(&mut self, detection: Detection<S>, _: &usize, _: usize) {
        let Detection { level, parent_level, start, end } = detection;
        let first_hit = self.hits.len();
        // Targets are sorted by onset, so those near which a detection may begin follow each other.
        let first = self.windows.partition_point(|window| window.starts.end as usize <= start);
        let last = self.windows.partition_point(|window| window.starts.start as usize <= start);
        let near = (first as u32..).zip(self.windows.get(first..last).unwrap_or_default());
        self.hits.extend(near.filter(|(_, window)| window.ends.contains(&(end as u32))).map(|(target, _)| target));
        let n_hits = self.hits.len() - first_hit;
        if n_hits > 0 {
            self.nodes.push(Node { level, parent_level, start, end, first_hit, n_hits });
        }
    }

    fn absorb(&mut self, _: &mut usize, _: S, (): ()) {}

    fn restart(_: &mut usize) {}
}

/// Appends the pairs that come and go in one class of a clip; `targets` are sorted by time.
///
/// `O(n_frames)` in the zones of the targets; then, where detections link many targets, each change costs what
/// is linked.
pub fn push_pair_changes<S: Score>(
    criterion: &Collar,
    frames: &Frames<S>,
    class: usize,
    targets: &[Event],
    workspace: &mut Workspace<S>,
    cancel: &Cancel,
    out: &mut Vec<PairChange>,
) {
    let Workspace { windows, zones, stack, nodes, hits, linked, matching } = workspace;
    let edges = frames.edges().times();
    let scores = frames.class(class);
    let mut n_before = 0;
    windows.clear();
    windows.extend(targets.iter().map(|target| criterion.window(edges, *target, &mut n_before)));
    nodes.clear();
    hits.clear();
    join_zones(windows, zones);
    let mut visitor = Sweep { windows, nodes, hits, cancel };
    for zone in zones {
        // One frame more at either end, as in the sweep of the criterion.
        let first = zone.start.saturating_sub(1);
        sweep(&scores[first..(zone.end + 1).min(scores.len())], first, &mut visitor, stack);
    }
    if cancel.is_set() {
        return;
    }
    link(nodes, hits, targets.len(), linked);
    let group_of = |node: &Node<S>| linked[hits[node.first_hit] as usize];
    nodes.sort_by_key(group_of);
    for group in nodes.chunk_by_mut(|a, b| group_of(a) == group_of(b)) {
        group.sort_by_key(|node| (node.start, node.end));
        match_group(group, hits, targets, edges, matching, out);
        if cancel.is_set() {
            return;
        }
    }
}

/// Finds for each target the lowest number of all with which detections link it.
fn link<S>(nodes: &[Node<S>], hits: &[u32], n_targets: usize, linked: &mut Vec<u32>) {
    fn root(linked: &mut [u32], target: u32) -> u32 {
        let mut at = target;
        while linked[at as usize] != at {
            linked[at as usize] = linked[linked[at as usize] as usize];
            at = linked[at as usize];
        }
        at
    }
    linked.clear();
    linked.extend(0..n_targets as u32);
    for node in nodes {
        let its = &hits[node.first_hit..node.first_hit + node.n_hits];
        for pair in its.windows(2) {
            let (a, b) = (root(linked, pair[0]), root(linked, pair[1]));
            linked[a.max(b) as usize] = a.min(b);
        }
    }
    for target in 0..n_targets as u32 {
        linked[target as usize] = root(linked, target);
    }
}

/// Goes through the thresholds of detections that are linked, which are sorted by time.
fn match_group<S: Score>(
    nodes: &[Node<S>],
    all_hits: &[u32],
    targets: &[Event],
    edges: &[f64],
    matching: &mut MaximumMatching,
    out: &mut Vec<PairChange>,
) {
    let hits_of = |node: &Node<S>| &all_hits[node.first_hit..node.first_hit + node.n_hits];
    let mut changes: Vec<(S, u32, bool)> = Vec::with_capacity(2 * nodes.len());
    for (number, node) in (0..).zip(nodes) {
        changes.push((node.level, number, true));
        if node.parent_level > S::NEVER {
            changes.push((node.parent_level, number, false));
        }
    }
    changes.sort_by_key(|change| std::cmp::Reverse(change.0.to_key()));
    let mut group_targets: Vec<u32> = nodes.iter().flat_map(hits_of).copied().collect();
    group_targets.sort_unstable();
    group_targets.dedup();
    let mut present: Vec<u32> = Vec::new();
    let mut hits: Vec<Hit> = Vec::new();
    let mut partners: Vec<Option<u32>> = vec![None; group_targets.len()];
    for same in changes.chunk_by(|a, b| a.0.to_key() == b.0.to_key()) {
        for (_, node, comes) in same {
            match present.binary_search(node) {
                Err(at) if *comes => present.insert(at, *node),
                Ok(at) if !*comes => {
                    present.remove(at);
                }
                _ => unreachable!("a detection comes once, and goes later"),
            }
        }
        hits.clear();
        for (detection, node) in (0..).zip(&present) {
            hits.extend(hits_of(&nodes[*node as usize]).iter().map(|target| {
                let target = group_targets.binary_search(target).unwrap_or_default() as u32;
                Hit { target, detection }
            }));
        }
        hits.sort_unstable();
        matching.find(present.len(), group_targets.len(), &hits, DetectionOrder::Ascending);
        let mut push = |node: u32, target: u32, comes| {
            let (node, target) = (&nodes[node as usize], targets[target as usize]);
            out.push(PairChange {
                score: same[0].0.to_f64() + 0.0,
                onset_distance: edges[node.start] - target.onset,
                offset_distance: edges[node.end] - target.offset,
                comes,
            });
        };
        for (at, (target, partner)) in group_targets.iter().zip(&mut partners).enumerate() {
            let now = matching.detection_of(at).map(|detection| present[detection]);
            let before = std::mem::replace(partner, now);
            if before != now {
                before.into_iter().for_each(|node| push(node, *target, false));
                now.into_iter().for_each(|node| push(node, *target, true));
            }
        }
    }
}

/// Cumulates changes of any clips, in any order, from the highest score down.
pub fn cumulate(mut changes: Vec<PairChange>) -> MatchedDistances {
    changes.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut points = vec![(f64::INFINITY, 0, 0.0, 0.0)];
    let (mut n_matched, mut onsets, mut offsets) = (0, ExactSum::default(), ExactSum::default());
    for same in changes.chunk_by(|a, b| a.score == b.score) {
        for change in same {
            let sign = if change.comes { 1.0 } else { -1.0 };
            n_matched += sign as i64;
            onsets.add(sign * change.onset_distance);
            offsets.add(sign * change.offset_distance);
        }
        let point = (same[0].score, n_matched, onsets.value(), offsets.value());
        let (_, n, onset, offset) = points[points.len() - 1];
        if (n, onset, offset) != (point.1, point.2, point.3) {
            points.push(point);
        }
    }
    points.reverse();
    MatchedDistances {
        thresholds: points.iter().map(|point| point.0).collect(),
        n_matched: points.iter().map(|point| point.1).collect(),
        onset_distance_sums: points.iter().map(|point| point.2).collect(),
        offset_distance_sums: points.iter().map(|point| point.3).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scores::FrameEdges;

    fn distances(scores: &[f64], targets: &[(f64, f64)], collar: f64) -> MatchedDistances {
        let times = (0..=scores.len()).map(|edge| edge as f64).collect();
        let edges = Arc::new(FrameEdges::new("a", scores.len(), times).unwrap());
        let frames = Frames::new("a", &["Dog".to_owned()], edges, scores.to_vec()).unwrap();
        let targets: Vec<Event> = targets.iter().map(|&(onset, offset)| Event { onset, offset }).collect();
        let criterion = Collar::new(collar, Some(collar), 0.0, 6).unwrap();
        let mut changes = Vec::new();
        let mut workspace = Workspace::default();
        push_pair_changes(&criterion, &frames, 0, &targets, &mut workspace, &Cancel::new(), &mut changes);
        cumulate(changes)
    }

    #[test]
    fn a_detection_that_grows_gets_nearer_and_then_too_far() {
        // The hill of the paper's Figure 2: 3-6 s from .6, 2-7 s from .5, 1-8 s from .4, too long from .3 on.
        let found = distances(&[0.3, 0.4, 0.5, 0.6, 0.7, 0.6, 0.5, 0.4, 0.3], &[(2.0, 7.0)], 1.0);
        assert_eq!(found.thresholds, [0.3, 0.4, 0.5, 0.6, f64::INFINITY]);
        assert_eq!(found.n_matched, [0, 1, 1, 1, 0]);
        assert_eq!(found.onset_distance_sums, [0.0, -1.0, 0.0, 1.0, 0.0]);
        assert_eq!(found.offset_distance_sums, [0.0, 1.0, 0.0, -1.0, 0.0]);
    }

    #[test]
    fn detections_take_their_first_free_target() {
        // 1-2 s and 3-4 s, targets at 1-3 s and 2-4 s; with collars of 1 s each detection hits both.
        let found = distances(&[0.0, 0.5, 0.0, 0.5, 0.0], &[(1.0, 3.0), (2.0, 4.0)], 1.0);
        assert_eq!((found.n_matched[1], found.onset_distance_sums[1]), (2, 1.0));
    }

    #[test]
    fn what_comes_and_goes_leaves_exactly_nothing() {
        let found = distances(&[0.1, 0.2, 0.1], &[(1.1, 1.9)], 0.2);
        assert_eq!(found.n_matched, [0, 1, 0]);
        assert_eq!(found.onset_distance_sums, [0.0, 1.0 - 1.1, 0.0]);
    }
}
