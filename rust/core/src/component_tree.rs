//! The component tree (max-tree) of a score sequence: its detections at every threshold at once.
//!
//! A detection at threshold θ is a maximal run of frames with score > θ. Over all θ these runs are the
//! nodes of a tree: a run appears at its highest score, grows as θ falls, and merges with its
//! neighbours into a longer one.
//!
//! ```text
//! .8          ┌──┐            [4, 5)  at θ in [.7, .8)
//! .7      ┌───┘  └──┐         [3, 6)  at θ in [.6, .7)
//! .5   ┌──┘         └─┐  ┌─┐  [2, 7) and [8, 9) at θ in [.3, .5)
//! .3 ──┘              └──┘ └─ [0, 10) below .3
//! ```
//!
//! One pass from left to right with a stack of open runs visits every node once, children before
//! parents: `O(n_frames)`, whatever the number of thresholds. What is done with a node is up to the
//! [`Visitor`].

use crate::scores::Score;

/// A maximal run of frames that is a detection for every threshold in `[parent_level, level)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detection<S> {
    /// The lowest score in the run: it appears where the threshold falls below this.
    pub level: S,
    /// The higher of the scores that enclose it: it merges into a longer run where the threshold falls
    /// below this. [`Score::NEVER`] if it never does.
    pub parent_level: S,
    /// Its first frame.
    pub start: usize,
    /// The frame after its last.
    pub end: usize,
}

/// What happens at the nodes of the tree.
pub trait Visitor<S: Score> {
    /// What is remembered of a run while its end is not known yet.
    type Open: Copy;
    /// What a closed run leaves to its parent.
    type Closed: Copy;

    /// Whether nobody wants the rest any more; asked now and then.
    fn is_cancelled(&self) -> bool;

    /// The left edge of `frame` is reached and runs open or close there.
    fn reach(&mut self, frame: usize);

    /// A run begins at the edge just reached; `depth` runs enclose it.
    fn open(&mut self, depth: usize) -> Self::Open;

    /// A run ends at the edge just reached.
    fn close(&mut self, detection: Detection<S>, open: &Self::Open, depth: usize) -> Self::Closed;

    /// A closed run merges into `parent`, whose level is `level`.
    fn absorb(&mut self, parent: &mut Self::Open, level: S, child: Self::Closed);

    /// `open` becomes a longer run that begins at the same edge and has no children yet.
    fn restart(open: &mut Self::Open);
}

/// A run whose end is not known yet.
#[derive(Debug, Clone, Copy)]
pub struct OpenRun<S, O> {
    level: S,
    start: u32,
    open: O,
}

/// Frames after which to ask whether the work is still wanted: a few milliseconds.
const CANCEL_INTERVAL: usize = 1 << 16;

/// Visits every node of the component tree of `scores`, children before parents.
///
/// The frames are counted from `first`: `scores` may be a part of a longer sequence. `stack` is only scratch space that can be reused. Frames with [`Score::NEVER`] belong to no run.
pub fn sweep<S: Score, V: Visitor<S>>(
    scores: &[S],
    first: usize,
    visitor: &mut V,
    stack: &mut Vec<OpenRun<S, V::Open>>,
) {
    stack.clear();
    // Level of the innermost open run: levels increase strictly towards the top of the stack.
    let mut top = S::NEVER;
    for (frame, &score) in (first..).zip(scores) {
        if frame % CANCEL_INTERVAL == 0 && visitor.is_cancelled() {
            return;
        }
        if score == top {
            continue;
        }
        visitor.reach(frame);
        if score < top {
            top = close_above(score, frame, visitor, stack);
        }
        if score > top {
            let open = visitor.open(stack.len());
            stack.push(OpenRun { level: score, start: frame as u32, open });
            top = score;
        }
    }
    if top > S::NEVER {
        let end = first + scores.len();
        visitor.reach(end);
        close_above(S::NEVER, end, visitor, stack);
    }
}

/// Closes the runs above `score` at the left edge of `frame` and returns the level that is on top then.
#[inline]
fn close_above<S: Score, V: Visitor<S>>(
    score: S,
    frame: usize,
    visitor: &mut V,
    stack: &mut Vec<OpenRun<S, V::Open>>,
) -> S {
    while let Some((run, enclosing_runs)) = stack.split_last_mut() {
        if run.level <= score {
            return run.level;
        }
        let depth = enclosing_runs.len();
        let enclosing = enclosing_runs.last_mut();
        let enclosing_level = enclosing.as_ref().map_or(S::NEVER, |enclosing| enclosing.level);
        let detection = Detection {
            level: run.level,
            parent_level: if enclosing_level > score { enclosing_level } else { score },
            start: run.start as usize,
            end: frame,
        };
        let closed = visitor.close(detection, &run.open, depth);
        match enclosing {
            Some(parent) if enclosing_level >= score => {
                visitor.absorb(&mut parent.open, enclosing_level, closed);
                stack.pop();
            }
            _ if score > S::NEVER => {
                // No open run has this level: the closed run continues as one, from its own left edge.
                V::restart(&mut run.open);
                visitor.absorb(&mut run.open, score, closed);
                run.level = score;
                return score;
            }
            _ => {
                stack.pop();
            }
        }
    }
    S::NEVER
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists the detections as (start, end, level, `parent_level`).
    #[derive(Default)]
    struct List(Vec<(usize, usize, f32, f32)>);

    impl Visitor<f32> for List {
        type Open = u32;
        type Closed = ();
        fn is_cancelled(&self) -> bool {
            false
        }
        fn reach(&mut self, _: usize) {}
        fn open(&mut self, _: usize) -> u32 {
            0
        }
        fn close(&mut self, detection: Detection<f32>, _: &u32, _: usize) {
            let Detection { level, parent_level, start, end } = detection;
            self.0.push((start, end, level, parent_level));
        }
        fn absorb(&mut self, parent: &mut u32, _: f32, (): ()) {
            *parent += 1;
        }
        fn restart(open: &mut u32) {
            *open = 0;
        }
    }

    fn nodes(scores: &[f32]) -> Vec<(usize, usize, f32, f32)> {
        let mut list = List::default();
        sweep(scores, 0, &mut list, &mut Vec::new());
        list.0.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
        list.0
    }

    const NEVER: f32 = f32::NEG_INFINITY;

    #[test]
    fn a_hill_is_a_chain() {
        assert_eq!(nodes(&[0.3, 0.5, 0.8, 0.5]), [(0, 4, 0.3, NEVER), (1, 4, 0.5, 0.3), (2, 3, 0.8, 0.5)]);
    }

    #[test]
    fn two_peaks_merge_at_the_valley() {
        assert_eq!(nodes(&[0.8, 0.2, 0.9]), [(0, 1, 0.8, 0.2), (0, 3, 0.2, NEVER), (2, 3, 0.9, 0.2)]);
    }

    #[test]
    fn a_plateau_is_one_detection() {
        assert_eq!(nodes(&[0.4, 0.4, 0.4]), [(0, 3, 0.4, NEVER)]);
        assert_eq!(nodes(&[0.4, 0.7, 0.4, 0.7]), [(0, 4, 0.4, NEVER), (1, 2, 0.7, 0.4), (3, 4, 0.7, 0.4)]);
    }

    #[test]
    fn frames_that_are_never_active_split_everything() {
        assert_eq!(nodes(&[0.4, NEVER, 0.4, NEVER]), [(0, 1, 0.4, NEVER), (2, 3, 0.4, NEVER)]);
        assert!(nodes(&[NEVER, NEVER]).is_empty());
    }

    #[test]
    fn one_frame_is_one_detection() {
        assert_eq!(nodes(&[0.5]), [(0, 1, 0.5, NEVER)]);
    }

    #[test]
    fn the_tree_holds_exactly_the_runs_of_every_threshold() {
        let mut state = 7_u32;
        for _ in 0..2000 {
            let scores: Vec<f32> = (0..9)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    [NEVER, 0.1, 0.2, 0.3, 0.4][(state >> 24) as usize % 5]
                })
                .collect();
            let mut expected = Vec::new();
            for threshold in [NEVER, 0.1, 0.2, 0.3] {
                let mut start = None;
                for end in 0..=scores.len() {
                    let active = end < scores.len() && scores[end] > threshold;
                    match start {
                        None if active => start = Some(end),
                        Some(first) if !active => {
                            expected.push((threshold, first, end));
                            start = None;
                        }
                        _ => {}
                    }
                }
            }
            let mut seen = Vec::new();
            for threshold in [NEVER, 0.1, 0.2, 0.3] {
                for (start, end, level, parent) in nodes(&scores) {
                    if parent <= threshold && threshold < level {
                        seen.push((threshold, start, end));
                    }
                }
            }
            let by_place = |a: &(f32, usize, usize), b: &(f32, usize, usize)| a.partial_cmp(b).expect("no NaN");
            expected.sort_by(by_place);
            seen.sort_by(by_place);
            assert_eq!(seen, expected, "{scores:?}");
        }
    }
}
