//! One class of one clip under the collar criterion: which detections hit targets, and how many can count.
//!
//! A pass over the zones of the targets lists the *candidates*: detections that hit at least one target, each
//! with the range of thresholds at which it is there. Sorted by score, they come and go in a [`Matching`],
//! whose size is the number of true positives. This is done for one group of targets after the other, which
//! no candidate links: mostly each is a group of its own, and whatever is looked at stays in the cache.
//!
//! A run that grows on a slope mostly keeps hitting what it hit. To the matching it is the same detection,
//! so it stays the same candidate, and no search is made for it.

use std::cmp::Reverse;
use std::ops::Range;

use super::matching::Matching;
use crate::component_tree::{Detection, OpenRun, Visitor, sweep};
use crate::deltas::{Count, Word, push};
use crate::parallel::Cancel;
use crate::scores::Score;

type KeyOf<S> = <<S as Score>::Word as Word>::Key;

/// Where a detection has to begin and end to hit a target, as indices of frame edges.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Window {
    pub(super) starts: Range<u32>,
    pub(super) ends: Range<u32>,
}

impl Window {
    /// A window from ranges of edges. Clips have less than 2^32 frames.
    pub(super) fn new(starts: Range<usize>, ends: Range<usize>) -> Self {
        let narrow = |range: Range<usize>| range.start as u32..range.end as u32;
        Self { starts: narrow(starts), ends: narrow(ends) }
    }

    /// The frames that a detection may have which hits the target.
    fn frames(&self) -> Range<usize> {
        self.starts.start as usize..self.ends.end.saturating_sub(1) as usize
    }
}

/// Memory that is reused from one class to the next.
#[derive(Debug)]
pub struct Workspace<S: Score> {
    /// The windows of the targets, which are sorted by onset: both ends of `starts` never fall then.
    pub(super) windows: Vec<Window>,
    pub(super) turns: Vec<(S, bool)>,
    zones: Vec<Range<usize>>,
    stack: Vec<OpenRun<S, Open>>,
    candidates: Vec<Candidate<S>>,
    groups: Groups,
    changes: Vec<Change<KeyOf<S>>>,
    hits: Vec<u32>,
    matching: Matching,
}

impl<S: Score> Default for Workspace<S> {
    fn default() -> Self {
        Self {
            windows: Vec::new(),
            turns: Vec::new(),
            zones: Vec::new(),
            stack: Vec::new(),
            candidates: Vec::new(),
            groups: Groups::default(),
            changes: Vec::new(),
            hits: Vec::new(),
            matching: Matching::default(),
        }
    }
}

/// Appends a true positive for each pair, and takes back the false positive that its detection was counted as.
pub(super) fn run<S: Score>(scores: &[S], workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
    list_candidates(scores, workspace, cancel);
    if !cancel.is_set() {
        push_matched(workspace, cancel, out);
    }
}

/// Goes through the component tree in the zones of the targets.
fn list_candidates<S: Score>(scores: &[S], workspace: &mut Workspace<S>, cancel: &Cancel) {
    let Workspace { windows, zones, stack, candidates, .. } = workspace;
    join_zones(windows, zones);
    candidates.clear();
    let mut visitor = Sweep { windows, n_reached: 0, n_passed: 0, candidates, cancel };
    for zone in zones {
        // One frame more at either end, if there is one: a run that reaches it begins too early or ends too late
        // for every target of this zone, and other zones are further away.
        let first = zone.start.saturating_sub(1);
        let end = (zone.end + 1).min(scores.len());
        sweep(&scores[first..end], first, &mut visitor, stack);
    }
}

/// Zones closer than this become one, so that each can be looked at with a frame more at either end.
const GAP: usize = 2;

/// The frames in which detections can hit targets, in ranges with at least [`GAP`] frames between them.
pub(super) fn join_zones(windows: &[Window], zones: &mut Vec<Range<usize>>) {
    zones.clear();
    for frames in windows.iter().map(Window::frames) {
        match zones.last_mut() {
            _ if frames.is_empty() => {}
            Some(last) if frames.start < last.end + GAP => last.end = last.end.max(frames.end),
            _ => zones.push(frames),
        }
    }
}

/// Stands for no candidate.
const NONE: u32 = u32::MAX;

/// A detection that hits at least one target, there for thresholds in `[parent_level, level)`.
#[derive(Debug, Clone, Copy)]
struct Candidate<S> {
    level: S,
    parent_level: S,
    /// Its hits lie from this target to this one. Those between begin near enough, too, but may end elsewhere.
    first_hit: u32,
    last_hit: u32,
    end: u32,
}

/// What is remembered at the left edge of a run.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// The targets near which it begins.
    first_near: u32,
    after_last_near: u32,
    /// A candidate that merged into it and may be hitting the same targets.
    child: u32,
}

struct Sweep<'a, S> {
    windows: &'a [Window],
    /// Number of targets for which the edge reached is not too early, and is too late, to begin.
    n_reached: u32,
    n_passed: u32,
    candidates: &'a mut Vec<Candidate<S>>,
    cancel: &'a Cancel,
}

impl<S: Score> Visitor<S> for Sweep<'_, S> {
    type Open = Open;
    /// The candidate that the run is, if any.
    type Closed = u32;

    #[inline]
    fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }

    #[inline]
    fn reach(&mut self, frame: usize) {
        let is_reached = |window: &Window| window.starts.start as usize <= frame;
        while self.windows.get(self.n_reached as usize).is_some_and(is_reached) {
            self.n_reached += 1;
        }
        let is_passed = |window: &Window| window.starts.end as usize <= frame;
        while self.windows.get(self.n_passed as usize).is_some_and(is_passed) {
            self.n_passed += 1;
        }
    }

    #[inline]
    fn open(&mut self, _: usize) -> Open {
        Open { first_near: self.n_passed, after_last_near: self.n_reached, child: NONE }
    }

    #[inline]
    fn close(&mut self, detection: Detection<S>, open: &Open, _: usize) -> u32 {
        let Detection { level, parent_level, end, .. } = detection;
        let end = end as u32;
        let near = &self.windows[open.first_near as usize..open.after_last_near as usize];
        let is_hit = |window: &Window| window.ends.contains(&end);
        let (Some(first), Some(last)) = (near.iter().position(is_hit), near.iter().rposition(is_hit)) else {
            return NONE;
        };
        let (first_hit, last_hit) = (open.first_near + first as u32, open.first_near + last as u32);
        if let Some(child) = self.candidates.get_mut(open.child as usize)
            && (child.first_hit, child.last_hit) == (first_hit, last_hit)
            && near[first..=last].iter().all(|window| is_hit(window) == window.ends.contains(&child.end))
        {
            child.parent_level = parent_level;
            return open.child;
        }
        self.candidates.push(Candidate { level, parent_level, first_hit, last_hit, end });
        self.candidates.len() as u32 - 1
    }

    #[inline]
    fn absorb(&mut self, parent: &mut Open, _: S, child: u32) {
        if let Some(candidate) = self.candidates.get(child as usize)
            && candidate.first_hit >= parent.first_near
            && candidate.last_hit < parent.after_last_near
        {
            parent.child = child;
        }
    }

    #[inline]
    fn restart(open: &mut Open) {
        open.child = NONE;
    }
}

/// Candidates by the group of targets they hit: what happens in one group does not matter to the others.
#[derive(Debug, Default)]
struct Groups {
    /// The group of each target.
    of_target: Vec<u32>,
    /// The first target of each group.
    first_targets: Vec<u32>,
    /// Candidates in the order of their groups.
    sorted: Vec<u32>,
    /// Where those of each group end.
    ends: Vec<usize>,
}

impl Groups {
    /// Puts targets into one group if a candidate's hits reach from one to the other.
    fn arrange<S>(&mut self, n_targets: usize, candidates: &[Candidate<S>]) {
        let Self { of_target, first_targets, sorted, ends } = self;
        // Up to which target each is linked, by candidates that begin with it or before.
        let linked_up_to = of_target;
        linked_up_to.clear();
        linked_up_to.extend(0..n_targets as u32);
        for candidate in candidates {
            let last = &mut linked_up_to[candidate.first_hit as usize];
            *last = candidate.last_hit.max(*last);
        }
        first_targets.clear();
        let of_target = linked_up_to;
        let mut reached = None;
        for (target, linked) in (0..).zip(of_target.iter_mut()) {
            if reached.is_none_or(|reached| reached < target) {
                first_targets.push(target);
            }
            reached = reached.max(Some(*linked));
            *linked = first_targets.len() as u32 - 1;
        }
        // A counting sort, which leaves them in the order of time.
        ends.clear();
        ends.resize(first_targets.len() + 1, 0);
        let group_of = |candidate: &Candidate<S>| of_target[candidate.first_hit as usize] as usize;
        for candidate in candidates {
            ends[group_of(candidate) + 1] += 1;
        }
        for group in 1..ends.len() {
            ends[group] += ends[group - 1];
        }
        sorted.clear();
        sorted.resize(candidates.len(), 0);
        for (number, candidate) in (0..).zip(candidates) {
            let place = &mut ends[group_of(candidate)];
            sorted[*place] = number;
            *place += 1;
        }
        ends.pop();
    }

    /// The candidates of each group, with its targets.
    fn iter(&self) -> impl Iterator<Item = (Range<u32>, &[u32])> + '_ {
        let n_targets = self.of_target.len() as u32;
        let ends_of_targets = self.first_targets.iter().skip(1).copied().chain(std::iter::once(n_targets));
        let mut start = 0;
        self.first_targets.iter().zip(ends_of_targets).zip(&self.ends).map(move |((first, end_of_targets), end)| {
            let candidates = &self.sorted[start..*end];
            start = *end;
            (*first..end_of_targets, candidates)
        })
    }
}

/// A candidate comes or goes where the threshold falls below a score.
#[derive(Debug, Clone, Copy)]
struct Change<K> {
    key: K,
    /// Its number among those of its group.
    number: u32,
    appears: bool,
}

/// Lets the candidates come and go, group by group, and notes how the number of pairs changes.
fn push_matched<S: Score>(workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
    let Workspace { windows, candidates, groups, changes, hits, matching, .. } = workspace;
    groups.arrange(windows.len(), candidates);
    for (targets, members) in groups.iter() {
        if members.is_empty() {
            continue;
        }
        changes.clear();
        for (number, candidate) in (0..).zip(members) {
            let Candidate { level, parent_level, .. } = candidates[*candidate as usize];
            changes.push(Change { key: level.to_key(), number, appears: true });
            if parent_level > S::NEVER {
                changes.push(Change { key: parent_level.to_key(), number, appears: false });
            }
        }
        // At equal scores those that go come first: they leave their target to the run they merge into.
        changes.sort_unstable_by_key(|change| (Reverse(change.key), change.appears, change.number));
        matching.reset(targets.len());
        let mut size = 0;
        for changes in changes.chunk_by(|a, b| a.key == b.key) {
            if cancel.is_set() {
                return;
            }
            for change in changes {
                let number = change.number as usize;
                if change.appears {
                    list_hits(windows, &candidates[members[number] as usize], targets.start, hits);
                    matching.insert(number, hits);
                } else {
                    matching.remove(number);
                }
            }
            let gained = matching.size() as i64 - size;
            push(out, changes[0].key, Count::TruePositives, gained);
            push(out, changes[0].key, Count::FalsePositives, -gained);
            size += gained;
        }
    }
}

/// The targets that a candidate hits, counted from the first of its group.
fn list_hits<S>(windows: &[Window], candidate: &Candidate<S>, first_target: u32, hits: &mut Vec<u32>) {
    let near = candidate.first_hit..=candidate.last_hit;
    let is_hit = |target: &u32| windows[*target as usize].ends.contains(&candidate.end);
    hits.clear();
    hits.extend(near.filter(is_hit).map(|target| target - first_target));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_that_touch_or_nearly_touch_are_one() {
        let windows = [
            Window::new(2..5, 6..9),
            Window::new(9..9, 12..13),
            Window::new(14..16, 20..23),
            Window::new(15..17, 18..19),
            Window::new(30..32, 25..29), // ends before it can begin
            Window::new(40..41, 41..42),
        ];
        let mut zones = Vec::new();
        join_zones(&windows, &mut zones);
        assert_eq!(zones, [2..12, 14..22, 40..41]);
    }

    /// Levels of the candidates and of the runs that end them, in the order in which they close.
    fn candidates(scores: &[f32], windows: Vec<Window>) -> Vec<(f32, f32)> {
        let mut workspace = Workspace { windows, ..Workspace::default() };
        list_candidates(scores, &mut workspace, &Cancel::new());
        workspace.candidates.iter().map(|candidate| (candidate.level, candidate.parent_level)).collect()
    }

    #[test]
    fn a_run_that_keeps_hitting_the_same_targets_stays_the_same_candidate() {
        let found = candidates(&[0.1, 0.2, 0.9, 0.8, 0.7, 0.2, 0.1], vec![Window::new(0..3, 3..7)]);
        assert_eq!(found, [(0.9, 0.1)]); // below .1 it ends at edge 7
    }

    #[test]
    fn a_run_that_hits_another_set_of_targets_is_another_candidate() {
        // The target in the middle is lost where the run grows from [1, 4) to [1, 6); the outer two are not.
        let windows = vec![Window::new(0..3, 3..9), Window::new(0..3, 3..5), Window::new(0..3, 3..9)];
        let found = candidates(&[0.1, 0.9, 0.9, 0.9, 0.5, 0.5, 0.1, 0.1, 0.1, 0.1], windows);
        assert_eq!(found, [(0.9, 0.5), (0.5, 0.1)]);
    }

    #[test]
    fn targets_that_candidates_link_are_one_group() {
        let candidate =
            |first_hit, last_hit| Candidate { level: 0.5_f32, parent_level: 0.1, first_hit, last_hit, end: 0 };
        let mut groups = Groups::default();
        groups.arrange(
            7,
            &[candidate(3, 3), candidate(1, 2), candidate(5, 6), candidate(2, 2), candidate(1, 1), candidate(5, 5)],
        );
        let groups: Vec<_> = groups.iter().collect();
        assert_eq!(groups, [(0..1, &[][..]), (1..3, &[1, 3, 4]), (3..4, &[0]), (4..5, &[]), (5..7, &[2, 5])]);
    }
}
