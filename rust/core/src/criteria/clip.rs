//! The clip criterion: is the class somewhere in the clip?
//!
//! The score of a clip is the highest of its frames, and a clip is positive if it has an event of the
//! class. Every clip is one entry of the counts: a true positive or a false positive from its score on.

use crate::events::ClipEvents;
use crate::scores::{Frames, Score};
use crate::units::push_units;

/// A clip and what is positive in it.
#[derive(Debug)]
pub struct Prepared<'a, S> {
    frames: &'a Frames<S>,
    first_class: usize,
    events: &'a ClipEvents,
}

impl<'a, S: Score> Prepared<'a, S> {
    /// Prepares a clip, or its classes from `first_class` on.
    pub fn new(frames: &'a Frames<S>, first_class: usize, events: &'a ClipEvents) -> Self {
        Self { frames, first_class, events }
    }

    /// Appends the delta of one class.
    pub fn push_deltas(&self, class: usize, out: &mut Vec<S::Word>) {
        let highest = highest(self.frames.class(class - self.first_class));
        let is_positive = self.events.classes().iter().any(|events| events.class == class);
        push_units(std::iter::once((highest, is_positive)), out);
    }

    /// The positive classes, each with the length of the clip.
    pub fn targets(&self) -> Box<[(u32, f64)]> {
        let times = self.frames.edges().times();
        let length = times[times.len() - 1] - times[0];
        self.events.classes().iter().map(|events| (events.class as u32, length)).collect()
    }
}

/// The highest score, [`Score::NEVER`] if there is none.
pub(super) fn highest<S: Score>(scores: &[S]) -> S {
    scores.iter().fold(S::NEVER, |highest, score| if *score > highest { *score } else { highest })
}
