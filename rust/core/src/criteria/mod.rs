//! Criteria: when a detection is right.
//!
//! A criterion looks at the events of one clip and says how the counts of a class change with the
//! threshold. What it hands on are deltas ([`crate::deltas`]); nothing behind them sees an event again.

pub mod clip;
pub mod collar;
pub mod collar_distances;
pub(crate) mod collar_sweep;
pub mod coverage;
pub mod extrema;
pub mod intersection;
pub(crate) mod intersection_sweep;
pub mod matching;
pub mod segment;
pub mod tolerance;
pub mod zones;

pub use collar::Collar;
pub use intersection::Intersection;
pub use segment::Segment;

use crate::error::Result;
use crate::events::ClipEvents;
use crate::parallel::Cancel;
use crate::scores::{Frames, Score};

/// A criterion with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Criterion {
    /// Whole clips.
    Clip,
    /// Segments of fixed length.
    Segment(Segment),
    /// Onsets and offsets of detections and targets.
    Collar(Collar),
    /// Intersections of detections and targets.
    Intersection(Intersection),
}

impl From<Collar> for Criterion {
    fn from(collar: Collar) -> Self {
        Self::Collar(collar)
    }
}

impl From<Segment> for Criterion {
    fn from(segment: Segment) -> Self {
        Self::Segment(segment)
    }
}

impl From<Intersection> for Criterion {
    fn from(intersection: Intersection) -> Self {
        Self::Intersection(intersection)
    }
}

impl Criterion {
    /// Whether entries are clips or segments, each positive or negative: only then are there true negatives.
    pub fn has_negatives(&self) -> bool {
        matches!(self, Self::Clip | Self::Segment(_))
    }

    /// Whether cross triggers are counted.
    pub fn counts_cross_triggers(&self) -> bool {
        matches!(self, Self::Intersection(intersection) if intersection.cttc_threshold().is_some())
    }

    /// Prepares what is the same for all classes of a clip, or for those from `first_class` on.
    pub fn prepare<'a, S: Score>(
        &self,
        clip: &str,
        frames: &'a Frames<S>,
        first_class: usize,
        events: &'a ClipEvents,
        duration: Option<f64>,
    ) -> Result<Prepared<'a, S>> {
        Ok(match self {
            Self::Clip => Prepared::Clip(clip::Prepared::new(frames, first_class, events)),
            Self::Segment(segment) => {
                Prepared::Segment(segment::Prepared::new(segment, clip, frames, first_class, events, duration)?)
            }
            Self::Collar(collar) => Prepared::Collar(collar::Prepared::new(collar, frames, first_class, events)),
            Self::Intersection(intersection) => {
                Prepared::Intersection(intersection::Prepared::new(intersection, frames, first_class, events))
            }
        })
    }
}

/// Memory that is reused from one class to the next.
#[derive(Debug)]
pub struct Workspace<S: Score> {
    collar: collar_sweep::Workspace<S>,
    intersection: intersection_sweep::Workspace<S>,
}

impl<S: Score> Default for Workspace<S> {
    fn default() -> Self {
        Self { collar: collar_sweep::Workspace::default(), intersection: intersection_sweep::Workspace::default() }
    }
}

/// A clip that is ready to be looked at class by class.
#[derive(Debug)]
pub enum Prepared<'a, S> {
    /// For [`Criterion::Clip`].
    Clip(clip::Prepared<'a, S>),
    /// For [`Criterion::Segment`].
    Segment(segment::Prepared<'a, S>),
    /// For [`Criterion::Collar`].
    Collar(collar::Prepared<'a, S>),
    /// For [`Criterion::Intersection`].
    Intersection(intersection::Prepared<'a, S>),
}

impl<S: Score> Prepared<'_, S> {
    /// Appends the deltas of one class; returns early, with part of them, if the caller gave up.
    pub fn push_deltas(&self, class: usize, workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
        match self {
            Self::Clip(clip) => clip.push_deltas(class, out),
            Self::Segment(clip) => clip.push_deltas(class, out),
            Self::Collar(clip) => clip.push_deltas(class, &mut workspace.collar, cancel, out),
            Self::Intersection(clip) => clip.push_deltas(class, &mut workspace.intersection, cancel, out),
        }
    }

    /// Class and length of everything that should be detected.
    pub fn targets(&self) -> Box<[(u32, f64)]> {
        match self {
            Self::Clip(clip) => clip.targets(),
            Self::Segment(clip) => clip.targets(),
            Self::Collar(clip) => clip.events().lengths(),
            Self::Intersection(clip) => clip.events().lengths(),
        }
    }

    /// Number of entries that are positive or negative; none where events are counted.
    pub fn n_entries(&self) -> usize {
        match self {
            Self::Clip(_) => 1,
            Self::Segment(clip) => clip.n_segments(),
            Self::Collar(_) | Self::Intersection(_) => 0,
        }
    }
}
