//! Weights of the ontology-aware binary cross entropy (OBCE).
//!
//! Liu et al., ICASSP 2023, Algorithm 1. For a clip with labels `L`:
//!
//! ```text
//! r[c] = min over k in L of D[c, k]^beta;   r /= max(r);   r[k] = 1 for k in L;   r /= mean(r)
//! ```

use super::distances::{Distances, LabelLists};

/// Over what the mean weight is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeanOver {
    /// The classes of each clip, as printed.
    Clip,
    /// All clips together, as in the published code.
    Batch,
}

/// The distance of a label to the labels of its own clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetDistance {
    /// Zero, as printed.
    Zero,
    /// That to the nearest other label, as in the published code, where distances of zero do not count.
    Other,
}

/// Weights of all clips, one clip after the other. Clips without labels have weight 1 throughout.
pub fn obce_weights(
    distances: &Distances,
    lists: &LabelLists,
    beta: f64,
    mean_over: MeanOver,
    target_distance: TargetDistance,
) -> Vec<f64> {
    let n_classes = distances.n_classes();
    // Powers of the few distances there are; 0^0 is 1.
    let powers: Vec<f64> = distances.values().iter().map(|distance| distance.powf(beta)).collect();
    let mut weights = vec![1.0; lists.len() * n_classes];
    let mut nearest = vec![0_u16; n_classes];
    for (clip, weights) in weights.chunks_exact_mut(n_classes.max(1)).enumerate() {
        let labels = lists.of(clip);
        if labels.is_empty() {
            continue;
        }
        nearest.fill(u16::MAX);
        for label in labels {
            let row = distances.row(*label as usize);
            for (least, rank) in nearest.iter_mut().zip(row) {
                let counts = *rank > 0 || target_distance == TargetDistance::Zero;
                *least = (*least).min(if counts { *rank } else { u16::MAX });
            }
        }
        for (weight, rank) in weights.iter_mut().zip(&nearest) {
            *weight = if *rank == u16::MAX { powers[0] } else { powers[usize::from(*rank)] };
        }
        let greatest = weights.iter().copied().fold(0.0, f64::max);
        if greatest > 0.0 {
            weights.iter_mut().for_each(|weight| *weight /= greatest);
        }
        labels.iter().for_each(|label| weights[*label as usize] = 1.0);
        if mean_over == MeanOver::Clip {
            let mean = weights.iter().sum::<f64>() / n_classes as f64;
            weights.iter_mut().for_each(|weight| *weight /= mean);
        }
    }
    if mean_over == MeanOver::Batch {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        weights.iter_mut().for_each(|weight| *weight /= mean);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_weigh_one_and_others_their_distance_before_the_mean() {
        let path = [0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0];
        let distances = Distances::new(&path, 3).unwrap();
        let mut lists = LabelLists::default();
        lists.push(&[1, 0, 0]);
        lists.push(&[0, 0, 0]);
        let weights = |beta| obce_weights(&distances, &lists, beta, MeanOver::Clip, TargetDistance::Zero);
        // 1, 1/2, 1 with mean 5/6.
        let mean = 2.5 / 3.0;
        assert_eq!(weights(1.0), [1.0 / mean, 0.5 / mean, 1.0 / mean, 1.0, 1.0, 1.0]);
        assert_eq!(weights(0.0), [1.0; 6]);
    }
}
