//! The median of a number of frames, as `scipy.ndimage.median_filter` has it.
//!
//! The window of frame `i` begins `n / 2` frames before it; of its `n` values in ascending order the result is
//! number `n / 2`, so of an even number the upper of the two in the middle.

use super::ranked::Ranked;
use crate::scores::Score;

/// What is beyond the first and the last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Boundary<S> {
    /// The frames mirrored at the edge: `b a | a b c | c b`.
    Reflect,
    /// The frames mirrored at the last frame: `c b | a b c | b a`.
    Mirror,
    /// The last frame again and again: `a a | a b c | c c`.
    Nearest,
    /// The other end: `b c | a b c | a b`.
    Wrap,
    /// Always the same score.
    Constant(S),
}

impl<S: Score> Boundary<S> {
    /// The score at a place that may lie beyond the frames.
    fn at(self, scores: &[S], place: i64) -> S {
        let n = scores.len() as i64;
        let inside = match self {
            Self::Constant(score) if !(0..n).contains(&place) => return score,
            Self::Constant(_) => place,
            Self::Nearest => place.clamp(0, n - 1),
            Self::Wrap => place.rem_euclid(n),
            Self::Reflect => {
                let place = place.rem_euclid(2 * n);
                place.min(2 * n - 1 - place)
            }
            Self::Mirror => {
                let period = (2 * (n - 1)).max(1);
                let place = place.rem_euclid(period);
                place.min(period - place)
            }
        };
        scores[inside as usize]
    }
}

/// Memory that is reused from class to class.
#[derive(Debug)]
pub struct Workspace<S> {
    extended: Vec<S>,
    order: Vec<u32>,
    rank_of: Vec<u32>,
    ranked: Ranked<u32>,
}

impl<S> Default for Workspace<S> {
    fn default() -> Self {
        Self { extended: Vec::new(), order: Vec::new(), rank_of: Vec::new(), ranked: Ranked::default() }
    }
}

/// Outputs that are worked on with the same ranks, at least.
const BLOCK: usize = 64;

/// The filtered scores of one class; `size` is at least 1.
pub fn median_filter<S: Score>(
    scores: &[S],
    size: usize,
    boundary: Boundary<S>,
    workspace: &mut Workspace<S>,
    out: &mut Vec<S>,
) {
    out.clear();
    if size <= 1 {
        out.extend_from_slice(scores);
        return;
    }
    let Workspace { extended, order, rank_of, ranked } = workspace;
    let before = (size / 2) as i64;
    let places = -before..scores.len() as i64 + size as i64 - 1 - before;
    extended.clear();
    extended.extend(places.map(|place| boundary.at(scores, place)));
    let wanted = (size / 2 + 1) as u32;
    let block = size.max(BLOCK);
    for first in (0..scores.len()).step_by(block) {
        let last = (first + block).min(scores.len());
        let values = &extended[first..last + size - 1];
        order.clear();
        order.extend(0..values.len() as u32);
        // Equal values have ranks side by side, and any of them may be the result.
        order.sort_unstable_by_key(|i| values[*i as usize].to_key());
        rank_of.clear();
        rank_of.resize(values.len(), 0);
        order.iter().enumerate().for_each(|(rank, i)| rank_of[*i as usize] = rank as u32);
        ranked.reset(values.len());
        rank_of[..size - 1].iter().for_each(|rank| ranked.add(*rank as usize, 1));
        for i in 0..last - first {
            ranked.add(rank_of[i + size - 1] as usize, 1);
            out.push(values[order[ranked.first(|sum| sum >= wanted)] as usize]);
            ranked.add(rank_of[i] as usize, 1_u32.wrapping_neg());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(scores: &[f64], size: usize, boundary: Boundary<f64>) -> Vec<f64> {
        let mut out = Vec::new();
        median_filter(scores, size, boundary, &mut Workspace::default(), &mut out);
        out
    }

    /// Sorts every window.
    fn naive(scores: &[f64], size: usize, boundary: Boundary<f64>) -> Vec<f64> {
        let window = |i: usize| {
            let first = i as i64 - (size / 2) as i64;
            let mut window: Vec<f64> = (first..first + size as i64).map(|place| boundary.at(scores, place)).collect();
            window.sort_by(f64::total_cmp);
            window[size / 2]
        };
        (0..scores.len()).map(window).collect()
    }

    #[test]
    fn a_click_is_gone_and_a_step_stays() {
        let scores = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        assert_eq!(filtered(&scores, 3, Boundary::Reflect), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert_eq!(filtered(&scores, 1, Boundary::Reflect), scores);
        // Of two frames the higher: the window holds the frame before and the frame itself.
        assert_eq!(filtered(&scores, 2, Boundary::Reflect), [0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn every_boundary_and_size_agrees_with_sorting_windows() {
        let mut state = 7_u64;
        for n in [1, 2, 3, 10, 200] {
            let scores: Vec<f64> = (0..n)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 60) as f64
                })
                .collect();
            for size in [1, 2, 3, 4, 5, 16, 31, 401] {
                for boundary in [
                    Boundary::Reflect,
                    Boundary::Mirror,
                    Boundary::Nearest,
                    Boundary::Wrap,
                    Boundary::Constant(0.0),
                    Boundary::Constant(f64::NEG_INFINITY),
                ] {
                    let expected = naive(&scores, size, boundary);
                    assert_eq!(filtered(&scores, size, boundary), expected, "{n} {size} {boundary:?}");
                }
            }
        }
    }
}
