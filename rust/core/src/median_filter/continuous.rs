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

/// Memory that is reused from class to class.
#[derive(Debug)]
pub struct Workspace<S> {
    values: Vec<S>,
    ranks: Vec<u32>,
    masses: Ranked<f64>,
    steps: Vec<Step>,
    steps_of: Option<f64>,
}

impl<S> Default for Workspace<S> {
    fn default() -> Self {
        Self { values: Vec::new(), ranks: Vec::new(), masses: Ranked::default(), steps: Vec::new(), steps_of: None }
    }
}

/// A place of the window's centre, and the frames that the window meets there.
#[derive(Debug, Clone, Copy)]
struct Step {
    time: f64,
    first: usize,
    last: usize,
}

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
    let edges = frames.edges();
    workspace.steps_of = None;
    let tolerance = tolerance(time_decimals);
    let changes: Vec<Vec<(f64, S)>> = lengths
        .iter()
        .enumerate()
        .map(|(class, length)| changes(frames.class(class), edges, *length, time_decimals, workspace))
        .collect();
    let mut times: Vec<f64> = changes.iter().flatten().map(|(time, _)| *time).collect();
    times.sort_unstable_by(f64::total_cmp);
    times.dedup_by(|time, kept| *time - *kept <= tolerance);
    if times.len() < 2 {
        let [first, last] = [edges.times()[0], edges.times()[edges.n_frames()]];
        return Filtered { times: vec![first, last], scores: vec![S::NEVER; lengths.len()] };
    }
    let mut scores = Vec::with_capacity(lengths.len() * (times.len() - 1));
    for changes in &changes {
        let mut changes = changes.iter().peekable();
        let mut score = S::NEVER;
        for time in &times[..times.len() - 1] {
            while let Some((_, changed)) = changes.next_if(|(change, _)| *change <= *time + tolerance) {
                score = *changed;
            }
            scores.push(score);
        }
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
    edges: &FrameEdges,
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
    if workspace.steps_of != Some(length) {
        steps(edges, length, time_decimals, &mut workspace.steps);
        workspace.steps_of = Some(length);
    }
    let Workspace { values, ranks, masses, steps, .. } = workspace;
    let (half, tolerance) = (length / 2.0, tolerance(time_decimals));
    let mut changes = Vec::new();
    let mut median = S::NEVER;
    // As many steps per block as the window has frames: two for each, as they come in and go out.
    let mut begin = 0;
    while begin < steps.len() {
        let width = steps[begin].last - steps[begin].first;
        let end = (begin + (2 * width).max(BLOCK)).min(steps.len());
        let block = &steps[begin..end];
        let first = block[0].first;
        let inside = &scores[first..block[block.len() - 1].last];
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
        let mut covered = Covered { first, last: first, start: f64::NAN, stop: f64::NAN };
        let mut outside = 0.0;
        for step in block {
            let window =
                Covered { first: step.first, last: step.last, start: step.time - half, stop: step.time + half };
            // Frames that the window met before, or meets now, in other parts than all: those at its ends.
            for frame in window.changed_since(&covered) {
                let change = window.share(frame, times) - covered.share(frame, times);
                if change != 0.0 {
                    masses.add(ranks[frame - first] as usize, change);
                }
            }
            covered = window;
            let now = length - (window.stop.min(times[scores.len()]) - window.start.max(times[0])).max(0.0);
            masses.add(0, now - outside);
            outside = now;
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
                        changes.push((decimals.round(step.time - (half - (length - up_to))), values[rank]));
                    }
                }
            }
            median = values[rank];
        }
        begin = end;
    }
    changes
}

/// Where the centre of the window has to stop: when one of its ends is at an edge of a frame.
fn steps(edges: &FrameEdges, length: f64, time_decimals: u8, steps: &mut Vec<Step>) {
    let times = edges.times();
    let n_frames = edges.n_frames();
    let half = length / 2.0;
    let decimals = Decimals::new(time_decimals.saturating_add(2));
    let tolerance = tolerance(time_decimals);
    steps.clear();
    let (mut entered, mut left) = (0, 0);
    let (mut first, mut last) = (0, 0);
    let mut previous = f64::NEG_INFINITY;
    while left <= n_frames {
        let enters = times.get(entered).map_or(f64::INFINITY, |edge| decimals.round(edge - half));
        let leaves = decimals.round(times[left] + half);
        let time = enters.min(leaves);
        if enters <= leaves {
            entered += 1;
        } else {
            left += 1;
        }
        if time - previous < tolerance {
            continue;
        }
        previous = time;
        while first < n_frames && times[first + 1] <= time - half {
            first += 1;
        }
        while last < n_frames && times[last] < time + half {
            last += 1;
        }
        steps.push(Step { time, first: first.min(last), last });
    }
}

/// A window, and the frames that it meets.
#[derive(Debug, Clone, Copy)]
struct Covered {
    first: usize,
    last: usize,
    start: f64,
    stop: f64,
}

impl Covered {
    /// The time that the window spends in a frame.
    fn share(&self, frame: usize, times: &[f64]) -> f64 {
        if frame < self.first || frame >= self.last {
            return 0.0;
        }
        (times[frame + 1].min(self.stop) - times[frame].max(self.start)).max(0.0)
    }

    /// Frames of which this window may meet another part than an earlier one did.
    fn changed_since(&self, earlier: &Self) -> impl Iterator<Item = usize> + use<> {
        // What both meet entirely is unchanged: all but the first and the last of each.
        let left = earlier.first..(self.first + 1).min(self.last).max(earlier.first);
        let right = earlier.last.saturating_sub(1).max(left.end)..self.last;
        left.chain(right)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

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
