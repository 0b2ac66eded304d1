//! Distances between classes, and from every class to the nearest label of a clip.
//!
//! Distances are kept as ranks among their distinct values, 0 first. The nearest label at any level of `OmAP` is the
//! nearest of all: forgiving small distances does not change their order. So one number for each clip and class
//! serves all levels, and it is found with comparisons of small integers only.

use std::ops::Range;

use super::label;
use crate::error::{Error, Result};

/// Distances between all pairs of classes.
#[derive(Debug, Clone)]
pub struct Distances {
    n_classes: usize,
    ranks: Vec<u16>,
    values: Vec<f64>,
}

/// What a clip without any label costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlabeled {
    /// It is an error.
    Refuse,
    /// Every class is as far away as the two classes that are farthest apart.
    Farthest,
    /// Nothing, as if the clip were not there.
    Nothing,
    /// Weight 1 at every level, without normalisation.
    One,
}

impl Distances {
    /// Checks a matrix, rows one after the other: symmetric, finite, not negative, 0 from a class to itself.
    pub fn new(matrix: &[f64], n_classes: usize) -> Result<Self> {
        let wrong = |value: String| Error::Parameter {
            name: "distances",
            expected: "a symmetric matrix of finite numbers, 0 or more, with zeros on the diagonal",
            value,
        };
        if matrix.len() != n_classes * n_classes {
            return Err(wrong(format!("{} numbers for {n_classes} classes", matrix.len())));
        }
        for i in 0..n_classes {
            for j in 0..=i {
                let (there, back) = (matrix[i * n_classes + j], matrix[j * n_classes + i]);
                if !(there.is_finite() && there >= 0.0 && there == back && (i != j || there == 0.0)) {
                    return Err(wrong(format!("{there} from class {i} to class {j} and {back} back")));
                }
            }
        }
        let mut values: Vec<f64> = matrix.iter().map(|distance| distance + 0.0).collect();
        values.push(0.0);
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        if values.len() > usize::from(u16::MAX) {
            return Err(wrong(format!(
                "{} distinct values, more than {} cannot be told apart",
                values.len(),
                u16::MAX
            )));
        }
        let rank = |distance: &f64| values.partition_point(|value| value < distance) as u16;
        Ok(Self { n_classes, ranks: matrix.iter().map(rank).collect(), values })
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Distinct distances, ascending, 0 first.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Ranks of the distances from a class to all.
    pub fn row(&self, class: usize) -> &[u16] {
        &self.ranks[class * self.n_classes..][..self.n_classes]
    }

    /// How many entries of the matrix have each of the values.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.values.len()];
        self.ranks.iter().for_each(|rank| counts[usize::from(*rank)] += 1);
        counts
    }
}

/// The labels of every clip, one clip after the other.
#[derive(Debug, Clone)]
pub struct LabelLists {
    starts: Vec<usize>,
    classes: Vec<u32>,
}

impl Default for LabelLists {
    fn default() -> Self {
        Self { starts: vec![0], classes: Vec::new() }
    }
}

impl LabelLists {
    /// Adds a clip with a [`label`] for each class.
    pub fn push(&mut self, labels: &[u8]) {
        for (first, eight) in labels.chunks(8).enumerate() {
            // Most classes are in no clip: look at eight of them at a time.
            if eight.iter().all(|known| *known != label::POSITIVE) {
                continue;
            }
            for (i, known) in eight.iter().enumerate() {
                if *known == label::POSITIVE {
                    self.classes.push((8 * first + i) as u32);
                }
            }
        }
        self.starts.push(self.classes.len());
    }

    /// Number of clips.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no clips.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The labels of a clip.
    pub fn of(&self, clip: usize) -> &[u32] {
        &self.classes[self.starts[clip]..self.starts[clip + 1]]
    }

    /// Number of clips without labels, and the first of them.
    pub fn unlabeled(&self) -> Option<(usize, usize)> {
        let mut empty = (0..self.len()).filter(|clip| self.of(*clip).is_empty());
        empty.next().map(|first| (1 + empty.count(), first))
    }
}

/// Ranks of the distances from `classes` to the nearest label of every clip; class by class.
///
/// A clip without labels gets what `unlabeled` says; the rank behind the last stands for [`Unlabeled::One`].
pub fn nearest_labels(
    distances: &Distances,
    lists: &LabelLists,
    classes: Range<usize>,
    unlabeled: Unlabeled,
    out: &mut Vec<u16>,
) {
    let n_clips = lists.len();
    out.clear();
    out.resize(classes.len() * n_clips, 0);
    let mut nearest = vec![0_u16; classes.len()];
    let n_values = distances.values.len();
    for clip in 0..n_clips {
        let start = match unlabeled {
            _ if !lists.of(clip).is_empty() => u16::MAX,
            Unlabeled::Refuse | Unlabeled::Nothing => 0,
            Unlabeled::Farthest => (n_values - 1) as u16,
            Unlabeled::One => n_values as u16,
        };
        nearest.fill(start);
        for class in lists.of(clip) {
            let row = &distances.row(*class as usize)[classes.clone()];
            nearest.iter_mut().zip(row).for_each(|(least, rank)| *least = (*least).min(*rank));
        }
        for (column, rank) in nearest.iter().enumerate() {
            out[column * n_clips + clip] = *rank;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three classes.
    const PATH: [f64; 9] = [0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0];

    #[test]
    fn the_nearest_label_counts() {
        let distances = Distances::new(&PATH, 3).unwrap();
        let mut lists = LabelLists::default();
        for labels in [[1, 0, 0], [1, 0, 1], [0, label::UNKNOWN, 0]] {
            lists.push(&labels);
        }
        assert_eq!(lists.unlabeled(), Some((1, 2)));
        let mut nearest = Vec::new();
        for (policy, expected) in [(Unlabeled::Farthest, 2), (Unlabeled::Nothing, 0), (Unlabeled::One, 3)] {
            nearest_labels(&distances, &lists, 1..3, policy, &mut nearest);
            assert_eq!(nearest, [1, 1, expected, 2, 0, expected]);
        }
        assert_eq!(distances.values(), [0.0, 1.0, 2.0]);
        assert_eq!(distances.histogram(), [3, 4, 2]);
    }

    #[test]
    fn a_matrix_must_be_symmetric_finite_and_zero_on_the_diagonal() {
        for (place, value) in [(0, 1.0), (1, 3.0), (1, -1.0), (1, f64::NAN), (1, f64::INFINITY)] {
            let mut matrix = PATH;
            matrix[place] = value;
            assert!(Distances::new(&matrix, 3).is_err());
        }
        assert!(Distances::new(&PATH[..8], 3).is_err());
    }
}
