//! Counting detections that can only be false: local maxima and minima instead of a tree.
//!
//! Where a clip has no events at all, the number of detections at a threshold is all that counts. It
//! rises by one at each local maximum (a detection appears) and falls by one at each local minimum (two
//! merge), so one look at each frame and its neighbours is enough.

use crate::deltas::{Count, Word};
use crate::scores::Score;

/// Appends the changes of the number of detections as changes of the false positives.
///
/// With `x[-1] = x[n] = -inf`, frame `t` contributes `[x[t] > x[t-1]] - [x[t+1] > x[t]]` at its score.
/// `turns` is only scratch space that can be reused.
#[expect(clippy::needless_bitwise_bool, reason = "the lazy operator is a branch")]
pub fn push_extrema<S: Score>(scores: &[S], turns: &mut Vec<u32>, out: &mut Vec<S::Word>) {
    // Most frames are no extrema: first list those that are, always writing and only sometimes moving
    // on, since a branch would be mispredicted every time.
    if turns.len() < scores.len() {
        turns.resize(scores.len(), 0);
    }
    let mut n = 0;
    let mut score = S::NEVER;
    let mut rises = false;
    for (frame, &next) in scores.iter().enumerate() {
        let rises_next = next > score;
        turns[n] = (frame as u32).wrapping_sub(1);
        n += usize::from((rises != rises_next) & (score > S::NEVER));
        score = next;
        rises = rises_next;
    }
    out.extend(turns[..n].iter().map(|&frame| {
        let score = scores[frame as usize];
        let rises_next = scores[frame as usize + 1] > score;
        S::Word::pack(score.to_key(), Count::FalsePositives, if rises_next { -1 } else { 1 })
    }));
    if rises {
        out.push(S::Word::pack(score.to_key(), Count::FalsePositives, 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(scores: &[f32]) -> Vec<(f64, i64)> {
        let mut out = Vec::new();
        push_extrema(scores, &mut Vec::new(), &mut out);
        out.iter().map(|word| (word.score(), word.by())).collect()
    }

    #[test]
    fn a_hill_is_one_detection_from_its_top_on() {
        assert_eq!(changes(&[0.25, 0.5, 0.75, 0.5]), [(0.75, 1)]);
    }

    #[test]
    fn two_peaks_become_one_at_the_valley() {
        assert_eq!(changes(&[0.75, 0.25, 0.5]), [(0.75, 1), (0.25, -1), (0.5, 1)]);
    }

    #[test]
    fn frames_that_are_never_active_separate_detections() {
        let never = f32::NEG_INFINITY;
        assert_eq!(changes(&[never, 0.5, never, 0.25, never]), [(0.5, 1), (0.25, 1)]);
        assert_eq!(changes(&[never, never]), []);
        assert_eq!(changes(&[]), []);
    }
}
