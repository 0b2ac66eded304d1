//! The deltas of one clip, class by class.

use crate::deltas::Word;

/// Deltas in the precision of the scores they come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Words {
    Single(Box<[u64]>),
    Double(Box<[u128]>),
}

/// The deltas of one class of a clip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ClassWords<'a> {
    Single(&'a [u64]),
    Double(&'a [u128]),
}

/// The deltas of some classes that follow each other.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) words: Words,
    /// Where the deltas of each class end.
    pub(crate) ends: Box<[usize]>,
}

/// The deltas of all classes of one clip, and its targets.
#[derive(Debug, Clone)]
pub struct ClipDeltas {
    /// One piece, but for long recordings, which are worked on class by class: joining would copy them.
    pub(crate) pieces: Vec<Piece>,
    /// Class and length of every target.
    pub(crate) targets: Box<[(u32, f64)]>,
    /// Number of entries that are positive or negative, where clips or segments are counted.
    pub(crate) n_entries: usize,
}

impl ClipDeltas {
    /// Adds the classes of `next`, which follow the classes that are here and come from the same clip.
    pub fn append(&mut self, next: Self) {
        self.pieces.extend(next.pieces);
    }

    /// Whether the clip has targets of a class.
    pub(crate) fn has_targets(&self, class: usize) -> bool {
        self.targets.iter().any(|(target, _)| *target as usize == class)
    }

    /// Whether all scores came in single precision.
    pub(crate) fn is_single(&self) -> bool {
        self.pieces.iter().all(|piece| matches!(piece.words, Words::Single(_)))
    }

    /// The deltas of a class.
    pub(crate) fn class(&self, class: usize) -> ClassWords<'_> {
        let mut class = class;
        for piece in &self.pieces {
            if let Some(end) = piece.ends.get(class) {
                let start = if class == 0 { 0 } else { piece.ends[class - 1] };
                return match &piece.words {
                    Words::Single(words) => ClassWords::Single(&words[start..*end]),
                    Words::Double(words) => ClassWords::Double(&words[start..*end]),
                };
            }
            class -= piece.ends.len();
        }
        ClassWords::Single(&[])
    }

    /// Number of deltas of all classes.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.ends.last().copied().unwrap_or(0)).sum()
    }

    /// Number of classes.
    pub(crate) fn n_classes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.ends.len()).sum()
    }
}

/// Equal deltas are equal however they are divided into pieces.
impl PartialEq for ClipDeltas {
    fn eq(&self, other: &Self) -> bool {
        self.targets == other.targets
            && self.n_entries == other.n_entries
            && self.n_classes() == other.n_classes()
            && (0..self.n_classes()).all(|class| self.class(class) == other.class(class))
    }
}

impl ClassWords<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Single(words) => words.len(),
            Self::Double(words) => words.len(),
        }
    }

    /// Appends the words as bytes, in single precision as far as they have it.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Single(words) => words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes())),
            Self::Double(words) => words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes())),
        }
    }

    /// The words in double precision.
    pub(crate) fn widened(&self) -> Vec<u128> {
        match self {
            Self::Single(words) => words.iter().map(|word| word.widen()).collect(),
            Self::Double(words) => words.to_vec(),
        }
    }
}
