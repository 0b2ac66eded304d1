//! The deltas of many clips, kept by clip id: what is computed, merged, saved and cumulated.
//!
//! Clips are independent of each other, so the store is the same whatever the order in which they came,
//! the number of threads that worked on them, or the machines they came from.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::criteria::Intersection;
use crate::criteria::intersection::Clip;
use crate::criteria::intersection_sweep::Workspace;
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
}

/// A clip to evaluate.
#[derive(Debug, Clone)]
pub struct ClipInput {
    /// Clip id.
    pub id: String,
    /// Scores of all classes.
    pub frames: AnyFrames,
    /// Target events.
    pub events: ClipEvents,
}

/// Deltas in the precision of the scores they come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    Single(Box<[u64]>),
    Double(Box<[u128]>),
}

/// The deltas of all classes of one clip, and its targets.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipDeltas {
    pub(crate) words: Words,
    /// Where the deltas of each class end.
    pub(crate) ends: Box<[usize]>,
    /// Class and length of every target.
    pub(crate) targets: Box<[(u32, f64)]>,
}

/// Deltas of a set of clips under one criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct DeltaStore {
    pub(crate) criterion: Intersection,
    pub(crate) classes: Vec<String>,
    pub(crate) clips: BTreeMap<String, ClipDeltas>,
}

/// Frames times classes that one thread takes on at once: about ten milliseconds of work.
const UNIT: usize = 1 << 18;

impl DeltaStore {
    /// An empty store.
    pub fn new(criterion: Intersection, classes: Vec<String>) -> Result<Self> {
        if classes.is_empty() || classes.len() > Count::MAX_CLASS {
            return Err(Error::Parameter {
                name: "event_classes",
                expected: "a list of 1 to 65533 names",
                value: format!("{} names", classes.len()),
            });
        }
        Ok(Self { criterion, classes, clips: BTreeMap::new() })
    }

    /// The criterion of all deltas.
    pub fn criterion(&self) -> &Intersection {
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

    /// Computes the deltas of clips in parallel and keeps them.
    ///
    /// A clip that is there already must be the same, and then counts once. If one is not, none is kept; if
    /// the work was cancelled, none is kept either.
    pub fn extend(&mut self, inputs: Vec<ClipInput>, cancel: &Cancel) -> Result<()> {
        let deltas = self.compute(&inputs, cancel);
        if cancel.is_set() {
            return Ok(());
        }
        self.insert_all(inputs, deltas)
    }

    /// Keeps deltas that [`DeltaStore::compute`] made of the same clips.
    pub fn insert_all(&mut self, inputs: Vec<ClipInput>, deltas: Vec<ClipDeltas>) -> Result<()> {
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

    fn insert(&mut self, clips: Vec<(String, ClipDeltas)>) -> Result<()> {
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
    pub fn compute(&self, inputs: &[ClipInput], cancel: &Cancel) -> Vec<ClipDeltas> {
        let prepared: Vec<Prepared<'_>> = ordered_map(inputs, || (), |(), input| Prepared::new(&self.criterion, input));
        // A long recording is shared out class by class; short clips stay whole.
        let n_classes = self.classes.len();
        let mut units: Vec<(&Prepared<'_>, usize, usize)> = Vec::new();
        for (input, prepared) in inputs.iter().zip(&prepared) {
            let step = (UNIT / input.frames.n_frames()).clamp(1, n_classes);
            units.extend((0..n_classes).step_by(step).map(|first| (prepared, first, (first + step).min(n_classes))));
        }
        let pieces = ordered_map(&units, Scratch::default, |scratch, (clip, first, end)| match clip {
            Prepared::Single(clip) => {
                let (words, ends) = scratch.single.deltas(clip, *first..*end, cancel);
                (Words::Single(words), ends)
            }
            Prepared::Double(clip) => {
                let (words, ends) = scratch.double.deltas(clip, *first..*end, cancel);
                (Words::Double(words), ends)
            }
        });
        let mut pieces = pieces.into_iter().peekable();
        inputs
            .iter()
            .map(|input| {
                let mut ends: Vec<usize> = Vec::new();
                let mut words: Option<Words> = None;
                while ends.len() < n_classes {
                    let Some((piece, piece_ends)) = pieces.next() else { break };
                    let offset = ends.last().copied().unwrap_or(0);
                    ends.extend(piece_ends.iter().map(|end| offset + end));
                    words = Some(match words {
                        None => piece,
                        Some(words) => words.followed_by(piece),
                    });
                }
                ClipDeltas {
                    words: words.unwrap_or(Words::Single(Box::default())),
                    ends: ends.into(),
                    targets: input.events.iter().map(|(class, event)| (class as u32, event.length())).collect(),
                }
            })
            .collect()
    }

    /// Number of targets of each class.
    pub fn n_ref(&self) -> Vec<usize> {
        let mut n_ref = vec![0; self.classes.len()];
        for (class, _) in self.targets() {
            n_ref[class] += 1;
        }
        n_ref
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

impl ClipDeltas {
    /// Whether the clip has targets of a class.
    pub(crate) fn has_targets(&self, class: usize) -> bool {
        self.targets.iter().any(|(target, _)| *target as usize == class)
    }

    /// Where the deltas of a class are.
    pub(crate) fn range(&self, class: usize) -> std::ops::Range<usize> {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        start..self.ends[class]
    }
}

impl Words {
    fn followed_by(self, next: Self) -> Self {
        match (self, next) {
            (Self::Single(a), Self::Single(b)) => {
                let mut joined = a.into_vec();
                joined.extend_from_slice(&b);
                Self::Single(joined.into())
            }
            (Self::Double(a), Self::Double(b)) => {
                let mut joined = a.into_vec();
                joined.extend_from_slice(&b);
                Self::Double(joined.into())
            }
            // The pieces of one clip have the precision of that clip.
            (this, _) => this,
        }
    }
}

/// A clip with what is the same for all its classes.
enum Prepared<'a> {
    Single(Clip<'a, f32>),
    Double(Clip<'a, f64>),
}

impl<'a> Prepared<'a> {
    fn new(criterion: &Intersection, input: &'a ClipInput) -> Self {
        match &input.frames {
            AnyFrames::Single(frames) => Self::Single(Clip::new(criterion, frames, &input.events)),
            AnyFrames::Double(frames) => Self::Double(Clip::new(criterion, frames, &input.events)),
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
        clip: &Clip<'_, S>,
        classes: std::ops::Range<usize>,
        cancel: &Cancel,
    ) -> (Box<[S::Word]>, Vec<usize>) {
        self.words.clear();
        let mut ends = Vec::with_capacity(classes.len());
        for class in classes {
            if !cancel.is_set() {
                clip.push_deltas(class, &mut self.workspace, cancel, &mut self.words);
            }
            ends.push(self.words.len());
        }
        (Box::from(&self.words[..]), ends)
    }
}
