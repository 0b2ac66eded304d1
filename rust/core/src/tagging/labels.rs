//! Rows of labels: how a clip ranks its classes.
//!
//! For each label of a clip, its rank among the classes (`rank`: classes with at least its score) and how many of
//! these are labels too (`hits`). `hits / rank` is the precision at that label, from which lwlrap, the average
//! precision of clips and their top-k hits follow. Equal scores take the worst rank, whatever their order.

use super::keys::RankedScore;
use super::label;
use super::ranking::{Column, Scratch, Steps};
use super::weights::Ones;

/// A label of a clip and its place among the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankedLabel {
    /// Column of the label.
    pub class: usize,
    /// Labels with at least its score.
    pub hits: u32,
    /// Classes with at least its score.
    pub rank: u32,
}

/// Memory that is reused from clip to clip.
#[derive(Debug)]
pub struct Workspace<S: RankedScore> {
    steps: Steps<S::Key, u64>,
    scratch: Scratch<S::Key>,
    reached: Vec<u32>,
    gained: Vec<u32>,
}

impl<S: RankedScore> Default for Workspace<S> {
    fn default() -> Self {
        Self { steps: Steps::default(), scratch: Scratch::default(), reached: Vec::new(), gained: Vec::new() }
    }
}

/// Appends the ranked labels of a clip in the order of classes; scores must be finite where labels are known.
pub fn rank_labels<S: RankedScore>(
    scores: &[S],
    labels: &[u8],
    workspace: &mut Workspace<S>,
    out: &mut Vec<RankedLabel>,
) {
    let Workspace { steps, scratch, reached, gained } = workspace;
    steps.fill(Column { scores, labels, class: 0 }, &Ones, scratch);
    if steps.keys.is_empty() {
        return;
    }
    reached.clear();
    reached.resize(steps.keys.len() + 1, 0);
    for (score, known) in scores.iter().zip(labels) {
        if *known != label::UNKNOWN {
            reached[steps.reached(score.to_key())] += 1;
        }
    }
    gained.clear();
    gained.push(0);
    gained.extend(steps.gained.iter().map(|n| *n as u32));
    // From "in this step" to "in this step or above".
    for i in (0..reached.len() - 1).rev() {
        reached[i] += reached[i + 1];
        gained[i] += gained[i + 1];
    }
    for (class, (score, known)) in scores.iter().zip(labels).enumerate() {
        if *known == label::POSITIVE {
            let step = steps.reached(score.to_key());
            out.push(RankedLabel { class, hits: gained[step], rank: reached[step] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(scores: &[f32], labels: &[u8]) -> Vec<(usize, u32, u32)> {
        let mut out = Vec::new();
        rank_labels(scores, labels, &mut Workspace::default(), &mut out);
        out.iter().map(|l| (l.class, l.hits, l.rank)).collect()
    }

    #[test]
    fn a_label_ranks_behind_all_classes_with_at_least_its_score() {
        assert_eq!(ranked(&[0.2, 0.9, 0.5, 0.5], &[1, 0, 1, 0]), [(0, 2, 4), (2, 1, 3)]);
        assert_eq!(ranked(&[0.2, 0.9, 0.5, 0.5], &[1, 2, 1, 0]), [(0, 2, 3), (2, 1, 2)]);
        assert_eq!(ranked(&[0.2, 0.9], &[0, 0]), []);
    }
}
