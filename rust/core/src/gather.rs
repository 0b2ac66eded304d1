//! The deltas of one class from all clips, sorted; where a limit is known, only those that can matter.
//!
//! A clip without targets has a false positive at every threshold below its highest score. So the number of
//! such clips whose highest score reaches a threshold bounds the false positives there from below, and this
//! bound grows as the threshold falls. Below the score at which it exceeds the limit of a curve no point of
//! the curve can lie, whatever merges with what: most deltas need not even be sorted.

use std::borrow::Cow;

use crate::clip_deltas::{ClassWords, ClipDeltas};
use crate::deltas::{Count, Word, sort};
use crate::units::detectable;

/// Sorted deltas in single precision, or in double precision if any clip has it.
pub enum Sorted<'a> {
    /// All clips have scores in single precision.
    Single(&'a [u64]),
    /// Some have not.
    Double(&'a [u128]),
}

/// Memory for the deltas of a class, reused from class to class.
#[derive(Default)]
pub struct Gathered {
    single: Sortable<u64>,
    double: Sortable<u128>,
}

impl Gathered {
    /// Gathers and sorts the deltas of `class`.
    ///
    /// With `most_fps`, deltas may be missing below scores where there are certainly more false positives.
    pub fn sorted<'a, C>(&mut self, clips: C, class: usize, most_fps: Option<i64>) -> Sorted<'_>
    where
        C: Iterator<Item = &'a ClipDeltas> + Clone,
    {
        if clips.clone().all(ClipDeltas::is_single) {
            Sorted::Single(self.single.sorted(clips, class, most_fps, single_words))
        } else {
            Sorted::Double(self.double.sorted(clips, class, most_fps, double_words))
        }
    }
}

fn single_words(clip: &ClipDeltas, class: usize) -> Cow<'_, [u64]> {
    match clip.class(class) {
        ClassWords::Single(words) => Cow::Borrowed(words),
        ClassWords::Double(_) => Cow::Borrowed(&[]),
    }
}

fn double_words(clip: &ClipDeltas, class: usize) -> Cow<'_, [u128]> {
    match clip.class(class) {
        ClassWords::Double(words) => Cow::Borrowed(words),
        words @ ClassWords::Single(_) => Cow::Owned(words.widened()),
    }
}

#[derive(Default)]
struct Sortable<W: Word> {
    words: Vec<W>,
    buffer: Vec<W>,
    certain: Vec<W::Key>,
}

impl<W: Word> Sortable<W> {
    fn sorted<'a, C>(
        &mut self,
        clips: C,
        class: usize,
        most_fps: Option<i64>,
        words_of: fn(&ClipDeltas, usize) -> Cow<'_, [W]>,
    ) -> &[W]
    where
        C: Iterator<Item = &'a ClipDeltas>,
    {
        self.words.clear();
        self.certain.clear();
        for clip in clips {
            let words = words_of(clip, class);
            self.words.extend_from_slice(&words);
            if most_fps.is_some() && !clip.has_targets(class) {
                self.certain.extend(highest_false_positive(&words));
            }
        }
        if let Some(cut) = most_fps.and_then(|most_fps| self.cut(most_fps)) {
            self.words.retain(|word| word.key() >= cut);
        }
        sort(&mut self.words, &mut self.buffer);
        detectable(&self.words)
    }

    /// The highest score below which there are certainly more than `most_fps` false positives.
    fn cut(&mut self, most_fps: i64) -> Option<W::Key> {
        let most_fps = usize::try_from(most_fps).ok()?;
        if self.certain.len() <= most_fps {
            return None;
        }
        // With the scores in descending order, number `most_fps` is the one that is too many.
        let (_, cut, _) = self.certain.select_nth_unstable_by(most_fps, |a, b| b.cmp(a));
        Some(*cut)
    }
}

/// The highest score of a clip without targets, if there is a false positive from there on.
///
/// There is none right away in the odd case of a detection so short that it counts as relevant by itself.
fn highest_false_positive<W: Word>(words: &[W]) -> Option<W::Key> {
    let mut highest = None;
    let mut fps = 0;
    for word in words {
        let key = Some(word.key());
        if key > highest {
            highest = key;
            fps = 0;
        }
        if key == highest && word.count() == Count::FalsePositives {
            fps += word.by();
        }
    }
    highest.filter(|_| fps > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip_deltas::{Piece, Words};
    use crate::scores::Score;

    fn clip(scores: &[f32], has_target: bool) -> ClipDeltas {
        let words = scores.iter().map(|score| u64::pack(score.to_key(), Count::FalsePositives, 1)).collect();
        ClipDeltas {
            pieces: vec![Piece { words: Words::Single(words), ends: [scores.len()].into() }],
            targets: if has_target { [(0, 1.0)].into() } else { [].into() },
            n_entries: 0,
        }
    }

    #[test]
    fn deltas_below_too_many_false_positives_are_left_out() {
        let clips = [clip(&[0.9, 0.2], false), clip(&[0.3, 0.7], false), clip(&[0.5], false), clip(&[0.8, 0.1], true)];
        let kept = |most_fps| {
            let mut gathered = Gathered::default();
            match gathered.sorted(clips.iter(), 0, most_fps) {
                Sorted::Single(words) => words.iter().map(|word| word.score() as f32).collect::<Vec<_>>(),
                Sorted::Double(_) => unreachable!("all are single"),
            }
        };
        assert_eq!(kept(None), [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9]);
        assert_eq!(kept(Some(1)), [0.7, 0.8, 0.9]); // from .7 on two clips without targets have a detection
        assert_eq!(kept(Some(2)), [0.5, 0.7, 0.8, 0.9]);
        assert_eq!(kept(Some(3)), kept(None));
    }
}
