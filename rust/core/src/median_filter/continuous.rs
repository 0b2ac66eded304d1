//! The median over a window of some seconds, where frames last as long as they last.
//!
//! Scores are a function of time that is constant within frames, and -inf before the first and after the last. The
//! median at a time is the value above which, and below which, the function is for at most half of the window
//! around that time. While it moves on, the median keeps its value until that is no longer a median, so a value
//! that fills exactly one half of the window stays.
//!
//! The time that the window spends at each value changes evenly between the times at which one of its ends
//! reaches an edge of a frame. So only these have to be looked at: if the median has to change there, the time
//! since when follows from by how much it is too late.
//!
//! ```text
//! score    ___        window         [----|----]
//!         |   |____                 the left end leaves one frame while the right one enters another
//! ________|        |________
//! ```

use std::sync::Arc;

use super::ranked::Ranked;
use crate::numeric::Decimals;
use crate::scores::{FrameEdges, Frames, Score};

/// Scores on frames of their own: where they begin and end, and the rows of the classes one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered<S> {
    /// Edges of the frames.
    pub times: Vec<f64>,
    /// Scores, class by class.
    pub scores: Vec<S>,
}

/// Memory that is reused from class to class and from clip to clip.
#[derive(Debug)]
pub struct Workspace<S> {
    values: Vec<S>,
    ranks: Vec<u32>,
    masses: Ranked<f64>,
    /// The steps of the last lengths on the same edges: clips usually have the same, and so have classes.
    walks: Vec<Walk>,
    walks_of: Option<(Arc<FrameEdges>, u8)>,
}

impl<S> Default for Workspace<S> {
    fn default() -> Self {
        Self { values: Vec::new(), ranks: Vec::new(), masses: Ranked::default(), walks: Vec::new(), walks_of: None }
    }
}

impl<S> Workspace<S> {
    /// Where the walk over the edges with a window of some seconds is kept.
    fn walk(&mut self, edges: &Arc<FrameEdges>, length: f64, time_decimals: u8) -> usize {
        /// Walks that are kept at once: one for each length of a few.
        const KEPT: usize = 64;
        let is_same =
            self.walks_of.as_ref().is_some_and(|(of, decimals)| Arc::ptr_eq(of, edges) && *decimals == time_decimals);
        if !is_same || self.walks.len() >= KEPT {
            self.walks.clear();
            self.walks_of = Some((Arc::clone(edges), time_decimals));
        }
        if let Some(known) = self.walks.iter().position(|walk| walk.length == length) {
            return known;
        }
        self.walks.push(Walk::new(edges, length, time_decimals));
        self.walks.len() - 1
    }
}

/// Windows of up to so many frames are searched frame by frame, wider ones in a tree.
const NARROW: usize = 96;

/// Number of steps that are made with the same ranks, at least.
const BLOCK: usize = 64;

/// Filters every class of a clip over a window of `lengths[class]` seconds.
///
/// Times of the result are rounded to `time_decimals`, and two that are closer than a tenth of that are one.
pub fn median_filter<S: Score>(
    frames: &Frames<S>,
    lengths: &[f64],
    time_decimals: u8,
    workspace: &mut Workspace<S>,
) -> Filtered<S> {
    let edges = frames.shared_edges();
    let tolerance = tolerance(time_decimals);
    let changes: Vec<Vec<(f64, S)>> = lengths
        .iter()
        .enumerate()
        .map(|(class, length)| changes(frames.class(class), edges, *length, time_decimals, workspace))
        .collect();
    let mut times: Vec<f64> = changes.iter().flatten().map(|(time, _)| *time).collect();
    // The changes of each class are in order already, and the stable sort merges what is.
    times.sort_by(f64::total_cmp);
    times.dedup_by(|time, kept| *time - *kept <= tolerance);
    if times.len() < 2 {
        let [first, last] = [edges.times()[0], edges.times()[edges.n_frames()]];
        return Filtered { times: vec![first, last], scores: vec![S::NEVER; lengths.len()] };
    }
    let n_frames = times.len() - 1;
    let mut scores = Vec::with_capacity(lengths.len() * n_frames);
    for changes in &changes {
        let mut score = S::NEVER;
        let start = scores.len();
        let mut at = 0;
        for (change, changed) in changes {
            while at < n_frames && times[at] + tolerance < *change {
                scores.push(score);
                at += 1;
            }
            score = *changed;
        }
        scores.resize(start + n_frames, score);
    }
    Filtered { times, scores }
}

/// A tenth of the last decimal: times that differ by less are the same.
fn tolerance(time_decimals: u8) -> f64 {
    1.0 / (Decimals::new(time_decimals).scale() * 10.0)
}

/// When the median of a class changes, and to what.
fn changes<S: Score>(
    scores: &[S],
    edges: &Arc<FrameEdges>,
    length: f64,
    time_decimals: u8,
    workspace: &mut Workspace<S>,
) -> Vec<(f64, S)> {
    let decimals = Decimals::new(time_decimals);
    let times = edges.times();
    if length == 0.0 {
        let begins = times.iter().zip(scores).map(|(time, score)| (decimals.round(*time), *score));
        return begins.chain([(decimals.round(times[scores.len()]), S::NEVER)]).collect();
    }
    let walk = workspace.walk(edges, length, time_decimals);
    let Workspace { values, ranks, masses, walks, .. } = workspace;
    let walk = &walks[walk];
    if walk.widest <= NARROW {
        narrow_changes(scores, walk, times, decimals)
    } else {
        wide_changes(scores, walk, times, decimals, (values, ranks, masses))
    }
}

/// The changes where the window is narrow.
///
/// Of the masses only that below the median and that at the median are kept up to date. Where the median has to
/// move, the next value is looked for among the frames in the window.
fn narrow_changes<S: Score>(scores: &[S], walk: &Walk, times: &[f64], decimals: Decimals) -> Vec<(f64, S)> {
    let (half, tolerance) = (walk.length / 2.0, walk.tolerance);
    let mut changes = Vec::new();
    let mut median = S::NEVER;
    // Nothing is lower than -inf, and the window begins outside.
    let (mut below, mut at) = (0.0, 0.0);
    for (step, moves) in walk.steps() {
        for (frame, change) in moves {
            // Which of them it is nobody can predict: no branches.
            let score = scores[*frame as usize];
            below += if score < median { *change } else { 0.0 };
            at += if score == median { *change } else { 0.0 };
        }
        if S::NEVER < median {
            below += step.outside_change;
        } else {
            at += step.outside_change;
        }
        if below + at < half - tolerance {
            loop {
                let inside = &scores[step.first..step.last];
                let next = inside.iter().fold(S::ALWAYS, |next, score| {
                    let candidate = if *score > median { *score } else { S::ALWAYS };
                    if candidate < next { candidate } else { next }
                });
                let Some(mass) = walk.time_at(next, scores, step, times).filter(|_| next > median) else {
                    break;
                };
                below += at;
                (median, at) = (next, mass);
                let is_last = below + at >= half - tolerance;
                if is_last || at > tolerance {
                    changes.push((decimals.round(step.time - (half - below)), median));
                }
                if is_last {
                    break;
                }
            }
        } else if below >= half + tolerance {
            loop {
                if median == S::NEVER {
                    break;
                }
                let inside = &scores[step.first..step.last];
                let next = inside.iter().fold(S::NEVER, |next, score| {
                    let candidate = if *score < median { *score } else { S::NEVER };
                    if candidate > next { candidate } else { next }
                });
                let mut mass = walk.time_at(next, scores, step, times).unwrap_or(0.0);
                if next == S::NEVER {
                    // That is what is outside, too.
                    mass += step.outside;
                }
                below = if next > S::NEVER { below - mass } else { 0.0 };
                (median, at) = (next, mass);
                let above = walk.length - below - at;
                let is_last = above + at > half - tolerance;
                if is_last || at > tolerance {
                    changes.push((decimals.round(step.time - (half - above)), median));
                }
                if is_last {
                    break;
                }
            }
        }
    }
    changes
}

/// The changes where the window is wide: by ranks, block by block.
fn wide_changes<S: Score>(
    scores: &[S],
    walk: &Walk,
    times: &[f64],
    decimals: Decimals,
    (values, ranks, masses): (&mut Vec<S>, &mut Vec<u32>, &mut Ranked<f64>),
) -> Vec<(f64, S)> {
    let (half, tolerance) = (walk.length / 2.0, walk.tolerance);
    let mut changes = Vec::new();
    let mut median = S::NEVER;
    // As many steps per block as the window has frames: two for each, as they come in and go out.
    let mut begin = 0;
    while begin < walk.steps.len() {
        let first_step = walk.steps[begin];
        let width = first_step.last - first_step.first;
        let end = (begin + (2 * width).max(BLOCK)).min(walk.steps.len());
        let first = if begin == 0 { first_step.first } else { walk.steps[begin - 1].first };
        let inside = &scores[first..walk.steps[end - 1].last];
        // Ranks of the block: -inf, which is also outside, all scores inside, and the present median.
        values.clear();
        values.extend_from_slice(inside);
        values.extend([S::NEVER, median]);
        values.sort_unstable_by_key(|value| value.to_key());
        values.dedup_by_key(|value| value.to_key());
        let rank_of = |score: S| values.partition_point(|value| value.to_key() < score.to_key());
        ranks.clear();
        ranks.extend(inside.iter().map(|score| rank_of(*score) as u32));
        masses.reset(values.len());
        let mut rank = rank_of(median);
        if begin > 0 {
            // What the window held when the last block ended.
            let before = walk.steps[begin - 1];
            for frame in before.first..before.last {
                masses.add(ranks[frame - first] as usize, walk.share(&before, frame, times));
            }
            masses.add(0, before.outside);
        }
        for (step, moves) in walk.steps().skip(begin).take(end - begin) {
            for (frame, change) in moves {
                masses.add(ranks[*frame as usize - first] as usize, *change);
            }
            masses.add(0, step.outside_change);
            if masses.below(rank + 1) < half - tolerance {
                let target = masses.first(|sum| sum >= half - tolerance).min(values.len() - 1);
                while rank < target {
                    let below = masses.below(rank + 1);
                    let next = masses.first(|sum| sum > below + tolerance).min(target);
                    rank = next.max(rank + 1);
                    let below = masses.below(rank);
                    if rank == target || masses.below(rank + 1) - below > tolerance {
                        changes.push((decimals.round(step.time - (half - below)), values[rank]));
                    }
                }
            } else if masses.below(rank) >= half - tolerance {
                let target = masses.first(|sum| sum >= half + tolerance).min(rank);
                while rank > target {
                    let below = masses.below(rank);
                    let next = masses.first(|sum| sum > below - tolerance).max(target);
                    rank = next.min(rank - 1);
                    let up_to = masses.below(rank + 1);
                    if rank == target || up_to - masses.below(rank) > tolerance {
                        changes.push((decimals.round(step.time - (half - (walk.length - up_to))), values[rank]));
                    }
                }
            }
            median = values[rank];
        }
        begin = end;
    }
    changes
}

/// A place of the window's centre, and the frames that the window meets there.
#[derive(Debug, Clone, Copy)]
struct Step {
    time: f64,
    first: usize,
    last: usize,
    /// The time that the window spends outside of the clip.
    outside: f64,
    /// By how much that is more than at the last step.
    outside_change: f64,
    /// Where the moves of this step end.
    moves_end: usize,
}

/// The places where the centre of a window has to stop: when one of its ends is at an edge of a frame.
#[derive(Debug)]
struct Walk {
    length: f64,
    tolerance: f64,
    steps: Vec<Step>,
    /// Frames in which the window spends another time than at the last step, and by how much.
    moves: Vec<(u32, f64)>,
    /// The largest number of frames in the window.
    widest: usize,
}

impl Walk {
    fn new(edges: &FrameEdges, length: f64, time_decimals: u8) -> Self {
        let times = edges.times();
        let n_frames = edges.n_frames();
        let half = length / 2.0;
        let decimals = Decimals::new(time_decimals.saturating_add(2));
        let mut walk =
            Self { length, tolerance: tolerance(time_decimals), steps: Vec::new(), moves: Vec::new(), widest: 0 };
        let (mut entered, mut left) = (0, 0);
        let (mut first, mut last) = (0, 0);
        let mut previous: Option<Step> = None;
        while left <= n_frames {
            let enters = times.get(entered).map_or(f64::INFINITY, |edge| decimals.round(edge - half));
            let leaves = decimals.round(times[left] + half);
            let time = enters.min(leaves);
            if enters <= leaves {
                entered += 1;
            } else {
                left += 1;
            }
            if previous.is_some_and(|previous| time - previous.time < walk.tolerance) {
                continue;
            }
            while first < n_frames && times[first + 1] <= time - half {
                first += 1;
            }
            while last < n_frames && times[last] < time + half {
                last += 1;
            }
            let first = first.min(last);
            let inside = ((time + half).min(times[n_frames]) - (time - half).max(times[0])).max(0.0);
            let outside = length - inside;
            let mut step = Step { time, first, last, outside, outside_change: outside, moves_end: 0 };
            if let Some(previous) = previous {
                step.outside_change -= previous.outside;
            }
            // Frames that the window meets entirely, now as before, are unchanged: all but those at its ends.
            let (old_first, old_last) = previous.map_or((first, first), |step| (step.first, step.last));
            let left_end = (first + 1).min(last).max(old_first);
            let right_end = old_last.saturating_sub(1).max(left_end)..last;
            for frame in (old_first..left_end).chain(right_end) {
                let before = previous.map_or(0.0, |previous| walk.share(&previous, frame, times));
                let change = walk.share(&step, frame, times) - before;
                if change != 0.0 {
                    walk.moves.push((frame as u32, change));
                }
            }
            step.moves_end = walk.moves.len();
            walk.widest = walk.widest.max(last - first);
            walk.steps.push(step);
            previous = Some(step);
        }
        walk
    }

    /// Every step with its moves.
    fn steps(&self) -> impl Iterator<Item = (&Step, &[(u32, f64)])> {
        let starts = std::iter::once(0).chain(self.steps.iter().map(|step| step.moves_end));
        self.steps.iter().zip(starts).map(|(step, start)| (step, &self.moves[start..step.moves_end]))
    }

    /// The time that the window spends in a frame.
    #[inline]
    fn share(&self, step: &Step, frame: usize, times: &[f64]) -> f64 {
        if frame < step.first || frame >= step.last {
            return 0.0;
        }
        let half = self.length / 2.0;
        (times[frame + 1].min(step.time + half) - times[frame].max(step.time - half)).max(0.0)
    }

    /// The time that the window spends at a score, or `None` if no frame in it has the score.
    #[inline]
    fn time_at<S: Score>(&self, score: S, scores: &[S], step: &Step, times: &[f64]) -> Option<f64> {
        let mut sum = None;
        for (frame, its) in (step.first..).zip(&scores[step.first..step.last]) {
            if *its == score {
                sum = Some(sum.unwrap_or(0.0) + self.share(step, frame, times));
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: f64 = f64::NEG_INFINITY;

    fn filtered(times: &[f64], scores: &[f64], length: f64) -> (Vec<f64>, Vec<f64>) {
        let edges = Arc::new(FrameEdges::new("a", scores.len(), times.to_vec()).unwrap());
        let frames = Frames::new("a", &["Dog".to_owned()], edges, scores.to_vec()).unwrap();
        let Filtered { times, scores } = median_filter(&frames, &[length], 6, &mut Workspace::default());
        (times, scores)
    }

    fn regular(scores: &[f64], length: f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..=scores.len()).map(|edge| edge as f64).collect();
        filtered(&times, scores, length)
    }

    #[test]
    fn a_click_is_gone_and_a_step_stays() {
        let (times, scores) = regular(&[0.25, 0.25, 1.0, 0.25, 0.25, 0.75, 0.75, 0.75], 3.0);
        assert_eq!(times, [0.0, 5.0, 8.0]);
        assert_eq!(scores, [0.25, 0.75]);
    }

    #[test]
    fn a_window_of_no_length_changes_nothing() {
        assert_eq!(regular(&[0.5, 0.5, 0.25], 0.0), (vec![0.0, 1.0, 2.0, 3.0], vec![0.5, 0.5, 0.25]));
    }

    #[test]
    fn a_window_that_is_mostly_outside_sees_nothing() {
        assert_eq!(regular(&[0.5, 0.75], 4.0), (vec![0.0, 2.0], vec![NEVER]));
        // A little less, and the middle of the clip has a median: the lower score for an instant at its ends.
        let (times, scores) = regular(&[0.5, 0.75], 3.0);
        assert_eq!(times.len(), scores.len() + 1);
        assert!(scores.iter().all(|score| *score > NEVER));
    }

    #[test]
    fn edges_of_the_median_are_where_half_of_the_window_is_above() {
        // A frame of 3 s at .75: with a window of 2 s the median is .75 from 1 s on, where half of it is.
        assert_eq!(regular(&[0.25, 0.75, 0.75, 0.75, 0.25], 2.0), (vec![0.0, 1.0, 4.0, 5.0], vec![0.25, 0.75, 0.25]));
    }

    /// The median by the definition, at one time: the time at each value, and the values in order.
    fn allowed(times: &[f64], scores: &[f64], length: f64, time: f64) -> (f64, f64) {
        let (start, stop) = (time - length / 2.0, time + length / 2.0);
        let mut inside: Vec<(f64, f64)> = scores
            .iter()
            .zip(times.windows(2))
            .map(|(score, frame)| (*score, (frame[1].min(stop) - frame[0].max(start)).max(0.0)))
            .collect();
        let outside = length - inside.iter().map(|(_, mass)| mass).sum::<f64>();
        inside.push((NEVER, outside));
        inside.sort_by(|a, b| a.0.total_cmp(&b.0));
        let at = |target: f64| {
            let mut sum = 0.0;
            inside.iter().find(|(_, mass)| {
                sum += mass;
                sum >= target
            })
        };
        let lower = at(length / 2.0 - 1e-6).map_or(NEVER, |(score, _)| *score);
        let upper = at(length / 2.0 + 1e-6).map_or(f64::INFINITY, |(score, _)| *score);
        (lower, upper)
    }

    #[test]
    fn narrow_and_wide_windows_are_searched_to_the_same_end() {
        let mut state = 5_u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for round in 0..200 {
            let n = 1 + next(400) as usize;
            let mut times = vec![next(3) as f64];
            for _ in 0..n {
                times.push(times[times.len() - 1] + (1 + next(4)) as f64 / 64.0);
            }
            let levels = if round % 2 == 0 { 5 } else { 1000 };
            let scores: Vec<f64> =
                (0..n).map(|_| if next(9) == 0 { NEVER } else { next(levels) as f64 / 4.0 }).collect();
            let edges = FrameEdges::new("a", n, times).unwrap();
            for length in [1.0 / 64.0, 0.25, 1.0, 3.0] {
                let walk = Walk::new(&edges, length, 6);
                let decimals = Decimals::new(6);
                let narrow = narrow_changes(&scores, &walk, edges.times(), decimals);
                let (mut values, mut ranks, mut masses) = (Vec::new(), Vec::new(), Ranked::default());
                let memory = (&mut values, &mut ranks, &mut masses);
                assert_eq!(narrow, wide_changes(&scores, &walk, edges.times(), decimals, memory));
            }
        }
    }

    #[test]
    fn at_any_time_the_result_is_a_median_of_the_window() {
        let mut state = 11_u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for round in 0..400 {
            let n = 1 + next(if round % 10 == 0 { 300 } else { 12 }) as usize;
            let mut times = vec![next(3) as f64];
            for _ in 0..n {
                times.push(times[times.len() - 1] + (1 + next(4)) as f64 / 4.0);
            }
            let scores: Vec<f64> = (0..n).map(|_| if next(9) == 0 { NEVER } else { next(5) as f64 / 4.0 }).collect();
            for length in [0.25, 0.5, 1.0, 1.75, 4.0, 10.0] {
                let (grid, medians) = filtered(&times, &scores, length);
                assert!(grid.windows(2).all(|frame| frame[0] < frame[1]), "{grid:?}");
                for (frame, median) in grid.windows(2).zip(&medians) {
                    for share in [0.25, 0.5, 0.75] {
                        let time = frame[0] + share * (frame[1] - frame[0]);
                        let (lower, upper) = allowed(&times, &scores, length, time);
                        assert!(lower <= *median && *median <= upper, "{times:?} {scores:?} {length} at {time}");
                    }
                }
            }
        }
    }
}
