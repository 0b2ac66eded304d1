//! The deltas of many clips, kept by clip id: what is computed, merged, saved and cumulated.
//!
//! Clips are independent of each other, so the store is the same whatever the order in which they came,
//! the number of threads that worked on them, or the machines they came from.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use crate::clip_deltas::{ClipDeltas, Piece, Words};
use crate::criteria::{Criterion, Prepared, Workspace};
use crate::curves::psd_roc::{ClassPsdRoc, OtherClasses, Setting, class_psd_roc};
use crate::deltas::Count;
use crate::error::{Error, Result};
use crate::events::ClipEvents;
use crate::gather::{Gathered, Sorted};
use crate::numeric::exact_sum;
use crate::parallel::{Cancel, ordered_map};
use crate::scores::{Frames, Score};
use crate::statistics::ClassStatistics;

/// The frames of a clip in the precision in which they came.
#[derive(Debug, Clone)]
pub enum AnyFrames {
    /// Single precision.
    Single(Frames<f32>),
    /// Double precision.
    Double(Frames<f64>),
}

impl AnyFrames {
    fn n_frames(&self) -> usize {
        match self {
            Self::Single(frames) => frames.n_frames(),
            Self::Double(frames) => frames.n_frames(),
        }
    }

    fn n_classes(&self) -> usize {
        match self {
            Self::Single(frames) => frames.n_classes(),
            Self::Double(frames) => frames.n_classes(),
        }
    }
}

/// A clip to evaluate, or some of its classes.
#[derive(Debug, Clone)]
pub struct ClipInput {
    /// Clip id.
    pub id: String,
    /// The class to which the first scores belong; 0 for a whole clip.
    pub first_class: usize,
    /// Scores of the classes from `first_class` on.
    pub frames: AnyFrames,
    /// Target events of all classes.
    pub events: ClipEvents,
    /// Duration in seconds, where it is known and the criterion asks for it.
    pub duration: Option<f64>,
}

/// Deltas of a set of clips under one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct DeltaStore {
    pub(crate) criterion: Criterion,
    pub(crate) classes: Vec<String>,
    pub(crate) clips: BTreeMap<String, ClipDeltas>,
}

/// Frames times classes that one thread takes on at once: about ten milliseconds of work.
const UNIT: usize = 1 << 18;

/// Number of deltas that are better handed on than copied.
const LONG: usize = 1 << 17;

impl DeltaStore {
    /// An empty store.
    pub fn new(criterion: impl Into<Criterion>, classes: Vec<String>) -> Result<Self> {
        if classes.is_empty() || classes.len() > Count::MAX_CLASS {
            return Err(Error::Parameter {
                name: "event_classes",
                expected: "a list of 1 to 65533 names",
                value: format!("{} names", classes.len()),
            });
        }
        Ok(Self { criterion: criterion.into(), classes, clips: BTreeMap::new() })
    }

    /// The criterion of all deltas.
    pub fn criterion(&self) -> &Criterion {
        &self.criterion
    }

    /// Names of the classes, in column order.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Ids of the clips, sorted.
    pub fn clip_ids(&self) -> impl ExactSizeIterator<Item = &str> {
        self.clips.keys().map(String::as_str)
    }

    /// Computes the deltas of clips in parallel and keeps them; of cancelled work nothing is kept.
    pub fn extend(&mut self, inputs: Vec<ClipInput>, cancel: &Cancel) -> Result<()> {
        let deltas = self.compute(&inputs, cancel)?;
        if cancel.is_set() {
            return Ok(());
        }
        self.insert(inputs.into_iter().map(|input| input.id).zip(deltas).collect())
    }

    /// Adds the clips of another store.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let differ = |what, this: String, other: String| Err(Error::Unmergeable { what, this, other });
        if self.criterion != other.criterion {
            return differ("the criteria", format!("{:?}", self.criterion), format!("{:?}", other.criterion));
        }
        if self.classes != other.classes {
            return differ("the event classes", self.classes.join(", "), other.classes.join(", "));
        }
        self.insert(other.clips.into_iter().collect())
    }

    /// Keeps the deltas of whole clips, by clip id.
    ///
    /// A clip that is there already must be the same, and then counts once. If one is not, none is kept.
    pub fn insert(&mut self, clips: Vec<(String, ClipDeltas)>) -> Result<()> {
        for (id, deltas) in &clips {
            if self.clips.get(id).is_some_and(|kept| kept != deltas) {
                return Err(Error::ConflictingClip { clip: id.clone() });
            }
        }
        for (id, deltas) in clips {
            match self.clips.entry(id) {
                Entry::Vacant(place) => drop(place.insert(deltas)),
                Entry::Occupied(kept) if *kept.get() == deltas => {}
                Entry::Occupied(kept) => return Err(Error::ConflictingClip { clip: kept.key().clone() }),
            }
        }
        Ok(())
    }

    /// Computes the deltas of clips in parallel, in their order. What a cancelled computation returns is of no use.
    pub fn compute(&self, inputs: &[ClipInput], cancel: &Cancel) -> Result<Vec<ClipDeltas>> {
        let prepared = ordered_map(inputs, || (), |(), input| AnyPrepared::new(&self.criterion, input));
        let prepared = prepared.into_iter().collect::<Result<Vec<_>>>()?;
        // A long recording is shared out class by class; short clips stay whole.
        let step = |frames: &AnyFrames| (UNIT / frames.n_frames()).clamp(1, frames.n_classes());
        let mut units: Vec<(&AnyPrepared<'_>, Range<usize>)> = Vec::new();
        for (input, prepared) in inputs.iter().zip(&prepared) {
            let end = input.first_class + input.frames.n_classes();
            let step = step(&input.frames);
            units
                .extend((input.first_class..end).step_by(step).map(|first| (prepared, first..(first + step).min(end))));
        }
        let mut pieces = ordered_map(&units, Scratch::default, |scratch, (clip, classes)| match clip {
            AnyPrepared::Single(clip) => {
                let (words, ends) = scratch.single.deltas(clip, classes.clone(), cancel);
                Piece { words: Words::Single(words), ends }
            }
            AnyPrepared::Double(clip) => {
                let (words, ends) = scratch.double.deltas(clip, classes.clone(), cancel);
                Piece { words: Words::Double(words), ends }
            }
        })
        .into_iter();
        let clips = inputs.iter().zip(&prepared).map(|(input, prepared)| {
            let n_pieces = input.frames.n_classes().div_ceil(step(&input.frames));
            let (targets, n_entries) = prepared.targets();
            ClipDeltas { pieces: pieces.by_ref().take(n_pieces).collect(), targets, n_entries }
        });
        Ok(clips.collect())
    }

    /// Number of deltas of all clips and classes: what work on them is measured by.
    pub fn n_deltas(&self) -> usize {
        self.clips.values().map(ClipDeltas::len).sum()
    }

    /// Number of targets of each class.
    pub fn n_ref(&self) -> Vec<usize> {
        let mut n_ref = vec![0; self.classes.len()];
        for (class, _) in self.targets() {
            n_ref[class] += 1;
        }
        n_ref
    }

    /// Number of negative entries of each class; `None` where events are counted, which have no negatives.
    pub fn n_negatives(&self) -> Option<Vec<usize>> {
        if !self.criterion.has_negatives() {
            return None;
        }
        let n_entries: usize = self.clips.values().map(|clip| clip.n_entries).sum();
        Some(self.n_ref().into_iter().map(|n_ref| n_entries - n_ref).collect())
    }

    /// Total length of the targets of each class in seconds, correctly rounded.
    pub fn t_ref(&self) -> Vec<f64> {
        let mut lengths = vec![Vec::new(); self.classes.len()];
        for (class, length) in self.targets() {
            lengths[class].push(length);
        }
        lengths.into_iter().map(exact_sum).collect()
    }

    fn targets(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let clips = self.clips.values();
        clips.flat_map(|clip| clip.targets.iter().map(|(class, length)| (*class as usize, *length)))
    }

    /// The counts of a class at every distinct threshold, with its cross triggers on `others`.
    pub fn class_statistics(&self, class: usize, others: &[usize]) -> ClassStatistics {
        let n_classes = self.classes.len();
        match Gathered::default().sorted(self.clips.values(), class, None) {
            Sorted::Single(words) => ClassStatistics::from_sorted(words, n_classes, others),
            Sorted::Double(words) => ClassStatistics::from_sorted(words, n_classes, others),
        }
    }

    /// The PSD-ROC of each of `classes`, which are all that take part.
    pub fn psd_rocs(&self, classes: &[usize], setting: &Setting, cancel: &Cancel) -> Vec<ClassPsdRoc> {
        let n_ref = self.n_ref();
        let t_ref = self.t_ref();
        let most_fps = setting.most_false_positives();
        ordered_map(classes, Gathered::default, |gathered, &class| {
            if cancel.is_set() {
                return ClassPsdRoc::default();
            }
            let others = classes.iter().filter(|other| **other != class);
            let others = OtherClasses::new(self.classes.len(), others.map(|other| (*other, t_ref[*other])));
            match gathered.sorted(self.clips.values(), class, most_fps) {
                Sorted::Single(words) => class_psd_roc(words, n_ref[class], &others, setting),
                Sorted::Double(words) => class_psd_roc(words, n_ref[class], &others, setting),
            }
        })
    }
}

/// A clip with what is the same for all its classes, in the precision of its scores.
enum AnyPrepared<'a> {
    Single(Prepared<'a, f32>),
    Double(Prepared<'a, f64>),
}

impl<'a> AnyPrepared<'a> {
    fn new(criterion: &Criterion, input: &'a ClipInput) -> Result<Self> {
        let ClipInput { id, first_class, frames, events, duration } = input;
        Ok(match frames {
            AnyFrames::Single(frames) => {
                Self::Single(criterion.prepare(id, frames, *first_class, events, *duration)?)
            }
            AnyFrames::Double(frames) => {
                Self::Double(criterion.prepare(id, frames, *first_class, events, *duration)?)
            }
        })
    }

    /// The targets of all classes, and the number of entries that are positive or negative.
    fn targets(&self) -> (Box<[(u32, f64)]>, usize) {
        match self {
            Self::Single(clip) => (clip.targets(), clip.n_entries()),
            Self::Double(clip) => (clip.targets(), clip.n_entries()),
        }
    }
}

/// Memory that a thread reuses from clip to clip.
#[derive(Default)]
struct Scratch {
    single: ClassScratch<f32>,
    double: ClassScratch<f64>,
}

struct ClassScratch<S: Score> {
    workspace: Workspace<S>,
    words: Vec<S::Word>,
}

impl<S: Score> Default for ClassScratch<S> {
    fn default() -> Self {
        Self { workspace: Workspace::default(), words: Vec::new() }
    }
}

impl<S: Score> ClassScratch<S> {
    fn deltas(
        &mut self,
        clip: &Prepared<'_, S>,
        classes: Range<usize>,
        cancel: &Cancel,
    ) -> (Box<[S::Word]>, Box<[usize]>) {
        self.words.clear();
        let mut ends = Vec::with_capacity(classes.len());
        for class in classes {
            if !cancel.is_set() {
                clip.push_deltas(class, &mut self.workspace, cancel, &mut self.words);
            }
            ends.push(self.words.len());
        }
        // Short lists are copied, so that their memory is used again; a long one would have to be copied far.
        let words =
            if self.words.len() < LONG { Box::from(&self.words[..]) } else { std::mem::take(&mut self.words).into() };
        (words, ends.into())
    }
}
