//! Scores in single and double precision, and the frames of one clip.
//!
//! Both precisions are first class: a matrix of `f32` is never widened. What differs between them
//! (the bits of a sort key, the word a delta is packed into) is the trait [`Score`].

use std::sync::Arc;

use crate::deltas::Word;
use crate::error::{Error, Result};

/// A score of a system: `f32` or `f64`.
pub trait Score: Copy + PartialOrd + Send + Sync + 'static {
    /// The machine word that carries a delta whose threshold is such a score.
    type Word: Word;

    /// The score of a frame that is never active.
    const NEVER: Self;

    /// The score of a frame that is always active.
    const ALWAYS: Self;

    /// Whether the score is "not a number", which no order has a place for.
    fn is_nan(self) -> bool;

    /// An integer with the same order as the scores, with `-0.0` and `0.0` as one.
    fn to_key(self) -> <Self::Word as Word>::Key;

    /// The score of such an integer in double precision (exact).
    fn from_key(key: <Self::Word as Word>::Key) -> f64;

    /// The same value in double precision (exact).
    fn to_f64(self) -> f64;
}

impl Score for f32 {
    type Word = u64;
    const NEVER: Self = f32::NEG_INFINITY;
    const ALWAYS: Self = f32::INFINITY;

    #[inline]
    fn is_nan(self) -> bool {
        f32::is_nan(self)
    }

    #[inline]
    fn to_key(self) -> u32 {
        let bits = (self + 0.0).to_bits(); // folds -0.0 into 0.0
        bits ^ ((((bits as i32) >> 31) as u32) | 0x8000_0000)
    }

    #[inline]
    fn from_key(key: u32) -> f64 {
        let flip = if key & 0x8000_0000 == 0 { u32::MAX } else { 0x8000_0000 };
        f64::from(f32::from_bits(key ^ flip))
    }

    #[inline]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Score for f64 {
    type Word = u128;
    const NEVER: Self = f64::NEG_INFINITY;
    const ALWAYS: Self = f64::INFINITY;

    #[inline]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }

    #[inline]
    fn to_key(self) -> u64 {
        let bits = (self + 0.0).to_bits();
        bits ^ ((((bits as i64) >> 63) as u64) | 0x8000_0000_0000_0000)
    }

    #[inline]
    fn from_key(key: u64) -> f64 {
        let flip = if key & (1 << 63) == 0 { u64::MAX } else { 1 << 63 };
        f64::from_bits(key ^ flip)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

/// The times at which the frames of a clip begin and end: finite, and increasing strictly.
///
/// ```text
/// edges   e0     e1     e2     e3        n_frames + 1 times in seconds
/// frames  |      |      |      |
/// ```
///
/// They are checked once and shared by all clips that have the same.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameEdges {
    times: Vec<f64>,
    shortest: f64,
}

impl FrameEdges {
    /// Checks the edges of `n_frames` frames; `clip` is only used to say where something is wrong.
    pub fn new(clip: &str, n_frames: usize, times: Vec<f64>) -> Result<Self> {
        if n_frames == 0 || times.len() != n_frames + 1 {
            return Err(Error::FrameEdges {
                clip: clip.to_owned(),
                n_frames,
                n_edges: times.len(),
                hint: if times.len() == n_frames {
                    "; did you pass the onsets or the centres of the frames? The end of the last frame is needed too"
                } else {
                    ""
                },
            });
        }
        if u32::try_from(n_frames).is_err() {
            return Err(Error::Parameter {
                name: "number of frames of a clip",
                expected: "at most 4294967295",
                value: n_frames.to_string(),
            });
        }
        let shortest = times.windows(2).fold(f64::INFINITY, |shortest, frame| shortest.min(frame[1] - frame[0]));
        let increasing = times.windows(2).all(|frame| frame[0] < frame[1]);
        if increasing && times[0].is_finite() && times[n_frames].is_finite() {
            return Ok(Self { times, shortest });
        }
        let is_wrong = |index: usize| !times[index].is_finite() || (index > 0 && times[index - 1] >= times[index]);
        let index = (0..=n_frames).find(|index| is_wrong(*index)).unwrap_or(0);
        Err(Error::EdgeOrder {
            clip: clip.to_owned(),
            index,
            previous: if index > 0 { times[index - 1] } else { f64::NEG_INFINITY },
            edge: times[index],
        })
    }

    /// The times in seconds.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Length of the shortest frame.
    pub fn shortest(&self) -> f64 {
        self.shortest
    }

    /// Number of frames.
    pub fn n_frames(&self) -> usize {
        self.times.len() - 1
    }
}

/// The scores of one clip, class by class, on frames that follow each other without gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Frames<S> {
    edges: Arc<FrameEdges>,
    scores: Vec<S>,
}

impl<S: Score> Frames<S> {
    /// Checks and takes the frames of a clip: `scores` holds the rows of the classes one after the other.
    ///
    /// `clip` and `class_names` are only used to say where something is wrong.
    pub fn new(clip: &str, class_names: &[String], edges: Arc<FrameEdges>, scores: Vec<S>) -> Result<Self> {
        let n_frames = edges.n_frames();
        if scores.len() != n_frames * class_names.len() {
            return Err(Error::FrameEdges {
                clip: clip.to_owned(),
                n_frames: scores.len() / class_names.len().max(1),
                n_edges: n_frames + 1,
                hint: "",
            });
        }
        // No early exit: the loop then runs in vector registers, and NaN is rare.
        if scores.iter().fold(false, |found, score| found | score.is_nan()) {
            let at = scores.iter().position(|score| score.is_nan()).unwrap_or(0);
            return Err(Error::NanScore {
                clip: clip.to_owned(),
                class: class_names[at / n_frames].clone(),
                frame: at % n_frames,
            });
        }
        Ok(Self { edges, scores })
    }

    /// The memory of the scores, to be used again.
    pub fn into_scores(self) -> Vec<S> {
        self.scores
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.scores.len() / self.n_frames()
    }

    /// Number of frames.
    pub fn n_frames(&self) -> usize {
        self.edges.n_frames()
    }

    /// The times at which frames begin and end.
    pub fn edges(&self) -> &FrameEdges {
        &self.edges
    }

    /// The same, as clips share them.
    pub fn shared_edges(&self) -> &Arc<FrameEdges> {
        &self.edges
    }

    /// The scores of one class, frame by frame.
    pub fn class(&self, class: usize) -> &[S] {
        &self.scores[class * self.n_frames()..][..self.n_frames()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(n: usize) -> Vec<String> {
        (0..n).map(|i| format!("class{i}")).collect()
    }

    #[test]
    fn keys_order_like_the_scores() {
        let ascending = [f32::NEG_INFINITY, -2.5, -1e-40, -0.0, 1e-40, 0.3, 0.300_000_1, 7.0, f32::INFINITY];
        for pair in ascending.windows(2) {
            assert!(pair[0].to_key() < pair[1].to_key(), "{pair:?}");
            let wide = [f64::from(pair[0]), f64::from(pair[1])];
            assert!(wide[0].to_key() < wide[1].to_key(), "{wide:?}");
        }
        assert_eq!((-0.0_f32).to_key(), 0.0_f32.to_key());
        assert_eq!((-0.0_f64).to_key(), 0.0_f64.to_key());
    }

    #[test]
    fn as_many_edges_as_frames_are_refused_with_a_hint() {
        let error = FrameEdges::new("a", 2, vec![0.0, 1.0]).unwrap_err();
        assert!(error.to_string().contains("n_frames + 1 = 3"), "{error}");
        assert!(error.to_string().contains("centres"), "{error}");
        assert!(FrameEdges::new("a", 0, vec![0.0]).is_err());
    }

    #[test]
    fn a_nan_is_refused_with_its_place() {
        let edges = FrameEdges::new("a", 3, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let mut scores = vec![0.5_f64; 6];
        scores[4] = f64::NAN;
        let error = Frames::new("a", &names(2), Arc::new(edges), scores).unwrap_err();
        assert_eq!(error, Error::NanScore { clip: "a".into(), class: "class1".into(), frame: 1 });
    }

    #[test]
    fn edges_that_do_not_increase_are_refused_with_their_place() {
        for (edges, index) in [
            (vec![0.0, 1.0, 0.5], 2),
            (vec![0.0, 0.0, 0.5], 1),
            (vec![f64::NAN, 1.0, 2.0], 0),
            (vec![0.0, f64::NAN, 2.0], 1),
            (vec![0.0, 1.0, f64::INFINITY], 2),
            (vec![f64::NEG_INFINITY, 1.0, 2.0], 0),
        ] {
            let error = FrameEdges::new("a", 2, edges).unwrap_err();
            assert!(matches!(error, Error::EdgeOrder { index: at, .. } if at == index), "{error}");
        }
        assert_eq!(FrameEdges::new("a", 2, vec![0.0, 1.0, 1.5]).unwrap().shortest(), 0.5);
    }
}
