//! Counting detections that can only be false: local maxima and minima instead of a tree.
//!
//! Where a clip has no events at all, the number of detections at a threshold is all that counts. It
//! rises by one at each local maximum (a detection appears) and falls by one at each local minimum (two
//! merge), so one look at each frame and its neighbours is enough.

use crate::deltas::{Count, Word};
use crate::scores::Score;

/// Frames whose extrema are listed at once: the list stays in the cache.
const CHUNK: usize = 4096;

/// Appends the changes of the number of detections as changes of the false positives.
///
/// With `x[-1] = x[n] = -inf`, frame `t` contributes `[x[t] > x[t-1]] - [x[t+1] > x[t]]` at its score.
/// `turns` is only scratch space that can be reused.
#[expect(clippy::needless_bitwise_bool, reason = "the lazy operator is a branch")]
pub fn push_extrema<S: Score>(scores: &[S], turns: &mut Vec<(S, bool)>, out: &mut Vec<S::Word>) {
    turns.resize(CHUNK, (S::NEVER, false));
    let mut push = |turns: &[(S, bool)]| {
        out.extend(turns.iter().map(|(score, is_maximum)| {
            let by = if *is_maximum { 1 } else { -1 };
            S::Word::pack(score.to_key(), Count::FalsePositives, by)
        }));
    };
    let mut score = S::NEVER;
    let mut rises = false;
    for chunk in scores.chunks(CHUNK) {
        // Most frames are no extrema: first list those that are, always writing and only sometimes moving
        // on, since a branch would be mispredicted every time.
        let mut n = 0;
        for &next in chunk {
            let rises_next = next > score;
            turns[n] = (score, rises);
            n += usize::from((rises != rises_next) & (score > S::NEVER));
            score = next;
            rises = rises_next;
        }
        push(&turns[..n]);
    }
    if rises {
        push(&[(score, true)]);
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
