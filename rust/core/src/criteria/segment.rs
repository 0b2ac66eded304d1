//! The segment criterion: is the class somewhere in a segment of fixed length?
//!
//! Segment `k` of a clip reaches from `b[k] = round(k * segment_length)` to `b[k + 1]`; there are
//! `ceil(duration / segment_length)`, and the last is not cut to the duration. A segment is positive if it
//! shares any time with an event (`b[k] < offset` and `b[k + 1] > onset`), and its score is the highest of
//! the frames that share any time with it. Without such a frame it has no score and is never active: there
//! is no number that would be right for probabilities and logits alike.

use std::ops::Range;

use super::clip::highest;
use crate::error::{Error, Result};
use crate::events::{ClassEvents, ClipEvents, Event};
use crate::numeric::Decimals;
use crate::scores::{Frames, Score};
use crate::units::push_units;

/// Parameters of the segment criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    segment_length: f64,
    time_decimals: u8,
}

impl Segment {
    /// Checks the parameters.
    pub fn new(segment_length: f64, time_decimals: u8) -> Result<Self> {
        if !(segment_length > 0.0 && segment_length.is_finite()) {
            return Err(Error::Parameter {
                name: "segment_length",
                expected: "a number of seconds above 0",
                value: segment_length.to_string(),
            });
        }
        Decimals::check(time_decimals)?;
        Ok(Self { segment_length, time_decimals })
    }

    /// Length of a segment in seconds.
    pub fn segment_length(&self) -> f64 {
        self.segment_length
    }

    /// Decimals to which frame edges and segment boundaries are rounded.
    pub fn time_decimals(&self) -> u8 {
        self.time_decimals
    }

    /// The number of segments of a clip.
    ///
    /// Without a duration the clip ends with its last frame or event, whichever is later.
    fn n_segments(
        &self,
        clip: &str,
        last_edge: f64,
        offsets: impl Iterator<Item = f64>,
        duration: Option<f64>,
    ) -> Result<usize> {
        let end = duration.unwrap_or_else(|| {
            let last_edge = Decimals::new(self.time_decimals).round(last_edge);
            offsets.fold(last_edge, f64::max)
        });
        let n_segments = (end / self.segment_length).ceil();
        if n_segments > f64::from(u32::MAX) {
            return Err(Error::TooManySegments { clip: clip.to_owned(), duration: end, length: self.segment_length });
        }
        Ok(n_segments.max(0.0) as usize)
    }
}

/// A clip cut into segments.
#[derive(Debug)]
pub struct Prepared<'a, S> {
    frames: &'a Frames<S>,
    first_class: usize,
    segment_length: f64,
    /// The frames that share time with each segment.
    frames_of: Vec<Range<usize>>,
    /// For each class with events, which segments are positive.
    positive: Vec<(usize, Vec<bool>)>,
}

impl<'a, S: Score> Prepared<'a, S> {
    /// Cuts a clip, or its classes from `first_class` on, into segments.
    pub fn new(
        criterion: &Segment,
        clip: &str,
        frames: &'a Frames<S>,
        first_class: usize,
        events: &ClipEvents,
        duration: Option<f64>,
    ) -> Result<Self> {
        let decimals = Decimals::new(criterion.time_decimals);
        let edges: Vec<f64> = frames.edges().times().iter().map(|edge| decimals.round(*edge)).collect();
        let n_frames = frames.n_frames();
        let offsets = events.iter().map(|(_, event)| event.offset);
        let boundaries = boundaries(criterion, clip, edges[n_frames], offsets, duration)?;
        // Numbers of edges not after the beginning, and before the end, of a segment: both only grow.
        let (mut begun, mut ended) = (0, 0);
        let frames_of = boundaries.windows(2).map(|segment| {
            while begun < edges.len() && edges[begun] <= segment[0] {
                begun += 1;
            }
            while ended < edges.len() && edges[ended] < segment[1] {
                ended += 1;
            }
            let first = begun.saturating_sub(1);
            first..ended.min(n_frames).max(first)
        });
        let frames_of = frames_of.collect();
        let positive = events.classes().iter().map(|class| (class.class, positive_segments(class, &boundaries)));
        let positive = positive.collect();
        Ok(Self { frames, first_class, segment_length: criterion.segment_length, frames_of, positive })
    }

    /// Appends the deltas of one class, one for each segment.
    pub fn push_deltas(&self, class: usize, out: &mut Vec<S::Word>) {
        let scores = self.frames.class(class - self.first_class);
        let positive = self.positive.iter().find(|(positive, _)| *positive == class).map(|(_, positive)| positive);
        let segments = self.frames_of.iter().enumerate().map(|(segment, frames)| {
            (highest(&scores[frames.clone()]), positive.is_some_and(|positive| positive[segment]))
        });
        push_units(segments, out);
    }

    /// The positive segments by class, each with its length.
    pub fn targets(&self) -> Box<[(u32, f64)]> {
        let positive = self.positive.iter().flat_map(|(class, positive)| {
            positive.iter().filter(|positive| **positive).map(|_| (*class as u32, self.segment_length))
        });
        positive.collect()
    }

    /// Number of segments.
    pub fn n_segments(&self) -> usize {
        self.frames_of.len()
    }
}

/// Where the segments of a clip begin and end, given the last edge of its frames and the offsets of its targets.
pub(crate) fn boundaries(
    criterion: &Segment,
    clip: &str,
    last_edge: f64,
    offsets: impl Iterator<Item = f64>,
    duration: Option<f64>,
) -> Result<Vec<f64>> {
    let decimals = Decimals::new(criterion.time_decimals);
    let n_segments = criterion.n_segments(clip, last_edge, offsets, duration)?;
    Ok((0..=n_segments).map(|k| decimals.round(k as f64 * criterion.segment_length)).collect())
}

/// The segments that share time with an event.
pub(crate) fn segments_of(event: Event, boundaries: &[f64]) -> Range<usize> {
    let n_segments = boundaries.len() - 1;
    let first = boundaries[1..].partition_point(|end| *end <= event.onset);
    let after_last = boundaries[..n_segments].partition_point(|start| *start < event.offset);
    first..after_last.max(first)
}

fn positive_segments(class: &ClassEvents, boundaries: &[f64]) -> Vec<bool> {
    let mut positive = vec![false; boundaries.len() - 1];
    for event in &class.events {
        positive[segments_of(*event, boundaries)].fill(true);
    }
    positive
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::deltas::{Count, Word};
    use crate::scores::FrameEdges;

    const NEVER: f32 = f32::NEG_INFINITY;

    /// Score (or never) and whether positive, of each segment.
    fn segments(
        edges: &[f64],
        scores: &[f32],
        events: &[(f64, f64)],
        length: f64,
        duration: Option<f64>,
    ) -> Vec<(f32, bool)> {
        let edges = Arc::new(FrameEdges::new("a", scores.len(), edges.to_vec()).unwrap());
        let frames = Frames::new("a", &["Dog".to_owned()], edges, scores.to_vec()).unwrap();
        let events =
            ClipEvents::new(events.iter().map(|(onset, offset)| (0, Event { onset: *onset, offset: *offset })));
        let criterion = Segment::new(length, 6).unwrap();
        let prepared = Prepared::new(&criterion, "a", &frames, 0, &events, duration).unwrap();
        let mut words: Vec<u64> = Vec::new();
        prepared.push_deltas(0, &mut words);
        assert_eq!(words.len(), prepared.n_segments());
        words.iter().map(|word| (word.score() as f32, word.count() == Count::TruePositives)).collect()
    }

    #[test]
    fn a_segment_has_the_highest_score_of_the_frames_it_touches() {
        // Frames of .75 s, segments of 1 s: the second frame lies in both.
        assert_eq!(
            segments(&[0.0, 0.75, 1.5, 2.25], &[0.1, 0.9, 0.4], &[(1.0, 1.2)], 1.0, Some(3.0)),
            [(0.9, false), (0.9, true), (0.4, false)]
        );
    }

    #[test]
    fn any_shared_time_makes_a_segment_positive() {
        let positive = |events: &[(f64, f64)]| {
            let found = segments(&[0.0, 3.0], &[0.5], events, 1.0, None);
            found.into_iter().map(|(_, positive)| positive).collect::<Vec<_>>()
        };
        assert_eq!(positive(&[(0.5, 1.0)]), [true, false, false]);
        assert_eq!(positive(&[(0.999, 2.001)]), [true, true, true]);
        assert_eq!(positive(&[(1.0, 1.0)]), [false, false, false]); // no time at all, on a boundary
        assert_eq!(positive(&[(2.5, 4.5)]), [false, false, true, true, true]); // the clip ends with its last event
    }

    #[test]
    fn a_segment_without_frames_has_no_score() {
        assert_eq!(
            segments(&[1.0, 2.0], &[0.5], &[], 1.0, Some(3.5)),
            [(NEVER, false), (0.5, false), (NEVER, false), (NEVER, false)]
        );
    }

    #[test]
    fn lengths_are_checked() {
        assert!(Segment::new(0.0, 6).is_err());
        assert!(Segment::new(f64::NAN, 6).is_err());
        assert!(Segment::new(1.0, 99).is_err());
    }
}
