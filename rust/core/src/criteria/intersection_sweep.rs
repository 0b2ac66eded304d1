//! One pass over the detections of a class: relevance, targets found, cross triggers.
//!
//! The counts of a run are compared with the sum of those of the runs that merged into it; only the
//! difference becomes a delta. On a slope, where a run just grows, there is none.
//!
//! A target is touched by a run in one of two ways:
//!
//! ```text
//! whole   ├──target──┤        it is found if the run is relevant: a count, taken from two indices
//!       ─────run─────────
//!
//! cut     ├──target──┤        the run contributes a part; the parts of all runs alive at a threshold
//!       ────run───            are summed at the end, target by target
//! ```
//!
//! A run cuts at most one target at each of its ends (when targets do not overlap), so the number of
//! parts is linear in the number of runs, and the targets inside a long run cost nothing extra.

use std::cmp::Reverse;
use std::ops::Range;

use super::coverage::{Boundaries, Coverage, Ticks};
use super::tolerance::Share;
use crate::component_tree::{Detection, OpenRun, Visitor, sweep};
use crate::deltas::{Count, Word, push};
use crate::events::{ClassEvents, Event};
use crate::parallel::Cancel;
use crate::scores::Score;

type KeyOf<S> = <<S as Score>::Word as Word>::Key;

/// One class of one clip, with at most 64 other classes to look for cross triggers on.
pub(super) struct Pass<'a, S> {
    pub scores: &'a [S],
    pub edges: &'a [f64],
    pub ticks: Ticks,
    /// Frames outside of which no detection can be relevant or a cross trigger, nor one that leaves them.
    pub zones: &'a [Range<usize>],
    pub targets: &'a [Event],
    /// Whether a detection can only be relevant where there are targets.
    pub needs_targets: bool,
    pub own: &'a Boundaries,
    pub others: &'a [ClassEvents],
    pub other_boundaries: Option<&'a Boundaries>,
    pub class: usize,
    pub dtc: Share,
    pub gtc: Share,
    pub cttc: Option<Share>,
    /// Whether this pass also counts false and true positives (the first of several does).
    pub counts_own: bool,
}

/// Memory that is reused from one class to the next.
#[derive(Debug)]
pub struct Workspace<S: Score> {
    stack: Vec<OpenRun<S, Open>>,
    parts: Vec<Part<S>>,
    by_target: Vec<Part<S>>,
    places: Vec<usize>,
    changes: Vec<(KeyOf<S>, i64)>,
    untracked_before: Vec<u32>,
    latest_offsets: Vec<f64>,
    covered_at_start: Vec<i64>,
    pub(super) turns: Vec<(S, bool)>,
}

impl<S: Score> Default for Workspace<S> {
    fn default() -> Self {
        Self {
            stack: Vec::new(),
            parts: Vec::new(),
            by_target: Vec::new(),
            places: Vec::new(),
            untracked_before: Vec::new(),
            latest_offsets: Vec::new(),
            changes: Vec::new(),
            covered_at_start: Vec::new(),
            turns: Vec::new(),
        }
    }
}

/// Appends the deltas of a pass.
pub(super) fn run<S: Score>(pass: &Pass<'_, S>, workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
    workspace.parts.clear();
    let others = pass.other_boundaries.filter(|boundaries| {
        // A pass whose only other class is its own has nothing to look for.
        boundaries.n_lanes() > usize::from(pass.others.iter().any(|other| other.class == pass.class))
    });
    // Loops without what they do not need: most classes of most clips have no targets.
    match (pass.targets.is_empty() && pass.needs_targets, others) {
        (true, None) => return,
        (true, Some(_)) => run_as::<S, false, true>(pass, others, workspace, cancel, out),
        (false, None) => run_as::<S, true, false>(pass, None, workspace, cancel, out),
        (false, Some(_)) => run_as::<S, true, true>(pass, others, workspace, cancel, out),
    }
    if pass.counts_own && !cancel.is_set() {
        push_found_by_parts(pass, workspace, out);
    }
}

fn run_as<S: Score, const TARGETS: bool, const OTHERS: bool>(
    pass: &Pass<'_, S>,
    others: Option<&Boundaries>,
    workspace: &mut Workspace<S>,
    cancel: &Cancel,
    out: &mut Vec<S::Word>,
) {
    let nothing = Boundaries::default();
    let untracked_before = &mut workspace.untracked_before;
    let mut overlapping = false;
    if TARGETS {
        let mut untracked = 0;
        untracked_before.clear();
        untracked_before.push(0);
        for target in pass.targets {
            untracked += u32::from(pass.gtc.is_reached_by_nothing(target.length()));
            untracked_before.push(untracked);
        }
        overlapping = pass.targets.windows(2).any(|pair| pair[1].onset < pair[0].offset);
        if overlapping {
            let mut latest = f64::NEG_INFINITY;
            workspace.latest_offsets.clear();
            workspace.latest_offsets.extend(pass.targets.iter().map(|target| {
                latest = latest.max(target.offset);
                latest
            }));
        }
    }
    let own_lane = pass.others.iter().position(|other| other.class == pass.class);
    let mut visitor = Sweep::<S, TARGETS, OTHERS> {
        pass,
        own: Coverage::of_total(pass.own),
        others: Coverage::of_lanes(others.unwrap_or(&nothing), own_lane),
        other_mask: own_lane.map_or(u64::MAX, |lane| !(1 << lane)),
        own_error: pass.ticks.error(pass.targets.len()),
        other_error: pass.ticks.error(pass.others.iter().map(|other| other.events.len()).sum()),
        zone: 0..0,
        now: 0.0,
        n_begun: 0,
        n_ended: 0,
        untracked_before,
        overlapping,
        latest_offsets: &workspace.latest_offsets,
        covered_at_start: &mut workspace.covered_at_start,
        parts: &mut workspace.parts,
        cancel,
        out,
    };
    for zone in pass.zones {
        // One frame more at either end, if there is one: a run that reaches it leaves the zone.
        let first = zone.start.saturating_sub(1);
        let end = (zone.end + 1).min(pass.scores.len());
        visitor.zone = zone.clone();
        sweep(&pass.scores[first..end], first, &mut visitor, &mut workspace.stack);
    }
}

/// A run that is relevant and covers a part of a target, alive for thresholds in `[parent_level, level)`.
#[derive(Debug, Clone, Copy)]
struct Part<S> {
    target: u32,
    start: u32,
    end: u32,
    level: S,
    parent_level: S,
    ticks: i64,
}

/// What is remembered at the left edge of a run, and the counts of the runs that merged into it.
#[derive(Debug, Clone, Copy)]
struct Open {
    own_covered: i64,
    covered_by_any: i64,
    first_target: u32,
    relevant: i32,
    found: i32,
    cross_triggers: u64,
}

/// The counts of a run.
#[derive(Debug, Clone, Copy)]
struct Closed {
    relevant: bool,
    found: i32,
    cross_triggers: u64,
}

struct Sweep<'a, S: Score, const TARGETS: bool, const OTHERS: bool> {
    pass: &'a Pass<'a, S>,
    own: Coverage<'a>,
    others: Coverage<'a>,
    other_mask: u64,
    own_error: f64,
    other_error: f64,
    zone: Range<usize>,
    now: f64,
    /// Number of targets with onset before, and with offset not after, the edge reached.
    n_begun: u32,
    n_ended: u32,
    untracked_before: &'a [u32],
    overlapping: bool,
    /// The latest offset of all targets up to each, where targets overlap.
    latest_offsets: &'a [f64],
    /// `covered` of all lanes at the left edge of each open run, one after the other.
    covered_at_start: &'a mut Vec<i64>,
    parts: &'a mut Vec<Part<S>>,
    cancel: &'a Cancel,
    out: &'a mut Vec<S::Word>,
}

impl<S: Score, const TARGETS: bool, const OTHERS: bool> Visitor<S> for Sweep<'_, S, TARGETS, OTHERS> {
    type Open = Open;
    type Closed = Closed;

    #[inline]
    fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    #[inline]
    fn reach(&mut self, frame: usize) {
        self.now = self.pass.edges[frame];
        let tick = self.pass.ticks.of(self.now);
        if TARGETS {
            self.own.reach(tick);
            let targets = self.pass.targets;
            while (self.n_begun as usize) < targets.len() && targets[self.n_begun as usize].onset < self.now {
                self.n_begun += 1;
            }
            while (self.n_ended as usize) < targets.len() && targets[self.n_ended as usize].offset <= self.now {
                self.n_ended += 1;
            }
        }
        if OTHERS {
            self.others.reach(tick);
        }
    }

    #[inline]
    fn open(&mut self, depth: usize) -> Open {
        if OTHERS {
            let lanes = self.others.lanes();
            let n = lanes.len();
            if self.covered_at_start.len() < (depth + 1) * n {
                self.covered_at_start.resize((depth + 8) * n, 0);
            }
            let at_start = &mut self.covered_at_start[depth * n..];
            at_start.iter_mut().zip(lanes).for_each(|(at_start, covered)| *at_start = covered);
        }
        Open {
            own_covered: if TARGETS { self.own.total() } else { 0 },
            covered_by_any: if OTHERS { self.others.total() } else { 0 },
            first_target: self.n_ended,
            relevant: 0,
            found: 0,
            cross_triggers: 0,
        }
    }

    #[inline]
    fn close(&mut self, detection: Detection<S>, open: &Open, depth: usize) -> Closed {
        let start = self.pass.edges[detection.start];
        let end = self.pass.edges[detection.end];
        let stays = self.zone.start <= detection.start && detection.end <= self.zone.end;
        let relevant = TARGETS && stays && self.is_relevant(start, end, open);
        let mut closed = Closed { relevant, found: 0, cross_triggers: 0 };
        let key = detection.level.to_key();
        if TARGETS && self.pass.counts_own {
            if relevant {
                closed.found = self.find_targets(detection, start, end, open);
            }
            // Relevant detections are no false positives.
            push(self.out, key, Count::FalsePositives, i64::from(open.relevant) - i64::from(relevant));
            push(self.out, key, Count::TruePositives, i64::from(closed.found - open.found));
        }
        if OTHERS {
            if stays && !relevant {
                closed.cross_triggers = self.cross_triggers(start, end, open, depth);
            }
            let changed = closed.cross_triggers ^ open.cross_triggers;
            if changed != 0 {
                self.push_cross_triggers(key, changed & closed.cross_triggers, 1);
                self.push_cross_triggers(key, changed & open.cross_triggers, -1);
            }
        }
        closed
    }

    #[inline]
    fn absorb(&mut self, parent: &mut Open, level: S, child: Closed) {
        parent.relevant += i32::from(child.relevant);
        parent.found += child.found;
        if OTHERS {
            // One bit holds one child; what a second one brings is taken back where the parent begins.
            let twice = parent.cross_triggers & child.cross_triggers;
            if twice != 0 {
                self.push_cross_triggers(level.to_key(), twice, -1);
            }
            parent.cross_triggers |= child.cross_triggers;
        }
    }

    #[inline]
    fn restart(open: &mut Open) {
        open.relevant = 0;
        open.found = 0;
        open.cross_triggers = 0;
    }
}

impl<S: Score, const TARGETS: bool, const OTHERS: bool> Sweep<'_, S, TARGETS, OTHERS> {
    #[inline]
    fn is_relevant(&self, start: f64, end: f64, open: &Open) -> bool {
        let covered = if TARGETS { self.pass.ticks.to_seconds(self.own.total() - open.own_covered) } else { 0.0 };
        self.pass.dtc.is_reached(covered, end - start, self.own_error, || total_overlap(self.pass.targets, start, end))
    }

    /// Counts the targets that lie whole in a relevant run and notes the parts of those it cuts.
    #[inline]
    fn find_targets(&mut self, detection: Detection<S>, start: f64, end: f64, open: &Open) -> i32 {
        let first = open.first_target as usize;
        let after_last = self.n_begun as usize;
        if self.overlapping {
            return self.find_overlapping_targets(detection, start, end);
        }
        if first >= after_last {
            return 0;
        }
        let targets = self.pass.targets;
        let cuts_first = targets[first].onset < start;
        let cuts_last = targets[after_last - 1].offset > end;
        if cuts_first {
            self.note_part(detection, start, end, first);
        }
        if cuts_last && !(cuts_first && first == after_last - 1) {
            self.note_part(detection, start, end, after_last - 1);
        }
        let first = first + usize::from(cuts_first);
        let after_last = after_last - usize::from(cuts_last);
        if first >= after_last {
            return 0;
        }
        let untracked = self.untracked_before[after_last] - self.untracked_before[first];
        (after_last - first) as i32 - untracked as i32
    }

    /// The same for targets that overlap each other, one by one.
    #[cold]
    fn find_overlapping_targets(&mut self, detection: Detection<S>, start: f64, end: f64) -> i32 {
        let mut found = 0;
        // Targets that ended before are passed over, unless an earlier one that goes on holds them.
        let first = self.latest_offsets.partition_point(|offset| *offset <= start);
        for target in first..self.n_begun as usize {
            let Event { onset, offset } = self.pass.targets[target];
            if onset >= start && offset <= end {
                found += 1 - (self.untracked_before[target + 1] - self.untracked_before[target]) as i32;
            } else if offset > start {
                self.note_part(detection, start, end, target);
            }
        }
        found
    }

    #[inline]
    fn note_part(&mut self, detection: Detection<S>, start: f64, end: f64, target: usize) {
        if self.untracked_before[target + 1] > self.untracked_before[target] {
            return;
        }
        let Event { onset, offset } = self.pass.targets[target];
        let ticks = self.pass.ticks;
        self.parts.push(Part {
            target: target as u32,
            start: detection.start as u32,
            end: detection.end as u32,
            level: detection.level,
            parent_level: detection.parent_level,
            ticks: ticks.of(end.min(offset)) - ticks.of(start.max(onset)),
        });
    }

    /// The lanes on which a false positive is a cross trigger, as a bit mask.
    #[inline]
    fn cross_triggers(&self, start: f64, end: f64, open: &Open, depth: usize) -> u64 {
        let Some(cttc) = self.pass.cttc else { return 0 };
        let ticks = self.pass.ticks;
        let length = end - start;
        // The events of all other classes together are not enough for any: most runs end here.
        let by_any = ticks.to_seconds(self.others.total() - open.covered_by_any);
        if cttc.is_out_of_reach(by_any, length, self.other_error) {
            return 0;
        }
        let covered = self.others.lanes();
        let at_start = &self.covered_at_start[depth * covered.len()..];
        let mut lanes = 0;
        for (lane, (now, before)) in covered.zip(at_start).enumerate() {
            let reached = cttc.is_reached(ticks.to_seconds(now - before), length, self.other_error, || {
                total_overlap(&self.pass.others[lane].events, start, end)
            });
            lanes |= u64::from(reached) << lane;
        }
        lanes & self.other_mask
    }

    #[inline]
    fn push_cross_triggers(&mut self, key: KeyOf<S>, mut lanes: u64, by: i64) {
        while lanes != 0 {
            let class = self.pass.others[lanes.trailing_zeros() as usize].class;
            push(self.out, key, Count::CrossTriggers(class), by);
            lanes &= lanes - 1;
        }
    }
}

/// The sum that the criterion is about, event by event in time order.
fn total_overlap(events: &[Event], start: f64, end: f64) -> f64 {
    let begun = events.partition_point(|event| event.onset < end);
    events[..begun].iter().map(|event| event.overlap(start, end)).sum()
}

/// Where the parts of a target that relevant runs cover add up to enough, the target is found.
fn push_found_by_parts<S: Score>(pass: &Pass<'_, S>, workspace: &mut Workspace<S>, out: &mut Vec<S::Word>) {
    let Workspace { parts, by_target, places, changes, .. } = workspace;
    group_by_target(parts, pass.targets.len(), places, by_target);
    for parts in by_target.chunk_by(|a, b| a.target == b.target) {
        let target = pass.targets[parts[0].target as usize];
        changes.clear();
        for part in parts {
            changes.push((part.level.to_key(), part.ticks));
            if part.parent_level > S::NEVER {
                changes.push((part.parent_level.to_key(), -part.ticks));
            }
        }
        // Integers sort without branches that are mispredicted.
        changes.sort_unstable_by_key(|(key, _)| Reverse(*key));
        let error = pass.ticks.error(parts.len());
        let mut covered = 0;
        let mut found = false;
        for changes in changes.chunk_by(|a, b| a.0 == b.0) {
            let key = changes[0].0;
            covered += changes.iter().map(|(_, ticks)| ticks).sum::<i64>();
            let seconds = pass.ticks.to_seconds(covered);
            let reached =
                (pass.gtc).is_reached(seconds, target.length(), error, || covered_at(pass, parts, target, key));
            if reached != found {
                push(out, key, Count::TruePositives, i64::from(reached) - i64::from(found));
                found = reached;
            }
        }
    }
}

/// Parts of one target after the other: a counting sort, since targets are few and parts are many.
fn group_by_target<S: Score>(parts: &[Part<S>], n_targets: usize, places: &mut Vec<usize>, grouped: &mut Vec<Part<S>>) {
    grouped.clear();
    let Some(&any) = parts.first() else { return };
    places.clear();
    places.resize(n_targets + 1, 0);
    for part in parts {
        places[part.target as usize + 1] += 1;
    }
    for target in 0..n_targets {
        places[target + 1] += places[target];
    }
    grouped.resize(parts.len(), any);
    for part in parts {
        let place = &mut places[part.target as usize];
        grouped[*place] = *part;
        *place += 1;
    }
}

/// What the runs alive just below a score cover of a target, added up in time order.
#[cold]
fn covered_at<S: Score>(pass: &Pass<'_, S>, parts: &[Part<S>], target: Event, key: KeyOf<S>) -> f64 {
    let mut alive: Vec<&Part<S>> =
        parts.iter().filter(|part| part.level.to_key() >= key && part.parent_level.to_key() < key).collect();
    alive.sort_unstable_by_key(|part| part.start);
    alive.iter().map(|part| target.overlap(pass.edges[part.start as usize], pass.edges[part.end as usize])).sum()
}
