//! Scores in single and double precision, and the frames of one clip.
//!
//! Both precisions are first class: a matrix of `f32` is never widened. What differs between them
//! (the bits of a sort key, the word a delta is packed into) is the trait [`Score`].

use crate::deltas::Word;
use crate::error::{Error, Result};

/// A score of a system: `f32` or `f64`.
pub trait Score: Copy + PartialOrd + Send + Sync + 'static {
    /// The machine word that carries a delta whose threshold is such a score.
    type Word: Word;

    /// The score of a frame that is never active.
    const NEVER: Self;

    /// Whether the score is "not a number", which no order has a place for.
    fn is_nan(self) -> bool;

    /// An integer with the same order as the scores, with `-0.0` and `0.0` as one.
    fn to_key(self) -> <Self::Word as Word>::Key;

    /// The same value in double precision (exact).
    fn to_f64(self) -> f64;
}

impl Score for f32 {
    type Word = u64;
    const NEVER: Self = f32::NEG_INFINITY;

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
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Score for f64 {
    type Word = u128;
    const NEVER: Self = f64::NEG_INFINITY;

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
    fn to_f64(self) -> f64 {
        self
    }
}

/// The scores of one clip, class by class, on frames that follow each other without gaps.
///
/// ```text
/// edges   e0     e1     e2     e3        n_frames + 1 times in seconds
/// frames  |  x0  |  x1  |  x2  |         scores of one class; the next class follows
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Frames<S> {
    edges: Vec<f64>,
    scores: Vec<S>,
}

impl<S: Score> Frames<S> {
    /// Checks and takes the frames of a clip: `scores` holds the rows of the classes one after the other.
    ///
    /// `clip` and `class_names` are only used to say where something is wrong.
    pub fn new(clip: &str, class_names: &[String], edges: Vec<f64>, scores: Vec<S>) -> Result<Self> {
        let n_frames = edges.len().saturating_sub(1);
        if n_frames == 0 || scores.len() != n_frames * class_names.len() {
            let n_scores = scores.len() / class_names.len().max(1);
            return Err(Error::FrameEdges {
                clip: clip.to_owned(),
                n_frames: n_scores,
                n_edges: edges.len(),
                hint: if edges.len() == n_scores {
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
        check_edges(clip, &edges)?;
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

    /// The memory of the edges and of the scores, to be used again.
    pub fn into_parts(self) -> (Vec<f64>, Vec<S>) {
        (self.edges, self.scores)
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.scores.len() / self.n_frames()
    }

    /// Number of frames.
    pub fn n_frames(&self) -> usize {
        self.edges.len() - 1
    }

    /// The `n_frames + 1` times at which frames begin and end.
    pub fn edges(&self) -> &[f64] {
        &self.edges
    }

    /// The scores of one class, frame by frame.
    pub fn class(&self, class: usize) -> &[S] {
        &self.scores[class * self.n_frames()..][..self.n_frames()]
    }
}

/// Frame edges are finite and increase strictly.
fn check_edges(clip: &str, edges: &[f64]) -> Result<()> {
    let increasing = edges.windows(2).all(|pair| pair[0] < pair[1]);
    if increasing && edges[0].is_finite() && edges[edges.len() - 1].is_finite() {
        return Ok(());
    }
    let at = edges
        .iter()
        .enumerate()
        .position(|(i, edge)| !edge.is_finite() || (i > 0 && edges[i - 1] >= *edge))
        .unwrap_or(0);
    Err(Error::EdgeOrder {
        clip: clip.to_owned(),
        index: at,
        previous: if at > 0 { edges[at - 1] } else { f64::NEG_INFINITY },
        edge: edges[at],
    })
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
        let error = Frames::new("a", &names(2), vec![0.0, 1.0], vec![0.1_f32; 4]).unwrap_err();
        assert!(error.to_string().contains("n_frames + 1 = 3"), "{error}");
        assert!(error.to_string().contains("centres"), "{error}");
    }

    #[test]
    fn a_nan_is_refused_with_its_place() {
        let mut scores = vec![0.5_f64; 6];
        scores[4] = f64::NAN;
        let error = Frames::new("a", &names(2), vec![0.0, 1.0, 2.0, 3.0], scores).unwrap_err();
        assert_eq!(error, Error::NanScore { clip: "a".into(), class: "class1".into(), frame: 1 });
    }

    #[test]
    fn edges_that_do_not_increase_are_refused_with_their_place() {
        for (edges, index) in [
            (vec![0.0, 1.0, 0.5], 2),
            (vec![0.0, 0.0, 0.5], 1),
            (vec![f64::NAN, 1.0, 2.0], 0),
            (vec![0.0, 1.0, f64::INFINITY], 2),
        ] {
            let error = Frames::new("a", &names(1), edges, vec![0.1_f32; 2]).unwrap_err();
            assert!(matches!(error, Error::EdgeOrder { index: at, .. } if at == index), "{error}");
        }
    }
}
