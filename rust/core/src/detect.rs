//! Detections at one threshold: maximal runs of frames whose score is greater.

use crate::events::{Event, Labelled};
use crate::scores::{Frames, Score};

/// The detections of all classes of a clip, each at its threshold.
///
/// They are in time order; at the same time the class of the lower rank comes first.
pub fn detections_of_clip<S: Score>(frames: &Frames<S>, thresholds: &[f64], ranks: &[i64]) -> Vec<Labelled> {
    let of_class = |(class, threshold): (usize, &f64)| {
        detections(frames, class, *threshold).into_iter().map(move |event| (class, event))
    };
    let mut all: Vec<Labelled> = thresholds.iter().enumerate().flat_map(of_class).collect();
    all.sort_by(|(class_a, a), (class_b, b)| {
        let times = a.onset.total_cmp(&b.onset).then(a.offset.total_cmp(&b.offset));
        times.then(ranks[*class_a].cmp(&ranks[*class_b]))
    });
    all
}

/// The detections of a class, in time order, as its frames have the times.
fn detections<S: Score>(frames: &Frames<S>, class: usize, threshold: f64) -> Vec<Event> {
    let times = frames.edges().times();
    let mut detections = Vec::new();
    let mut onset = None;
    for (frame, score) in frames.class(class).iter().enumerate() {
        let is_active = score.to_f64() > threshold;
        match onset {
            None if is_active => onset = Some(times[frame]),
            Some(begin) if !is_active => {
                detections.push(Event { onset: begin, offset: times[frame] });
                onset = None;
            }
            _ => {}
        }
    }
    if let Some(begin) = onset {
        detections.push(Event { onset: begin, offset: times[times.len() - 1] });
    }
    detections
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scores::FrameEdges;

    fn detected(scores: &[f32], threshold: f64) -> Vec<(f64, f64)> {
        let edges = (0..=scores.len()).map(|edge| edge as f64).collect();
        let edges = Arc::new(FrameEdges::new("a", scores.len(), edges).unwrap());
        let frames = Frames::new("a", &["Dog".to_owned()], edges, scores.to_vec()).unwrap();
        detections(&frames, 0, threshold).iter().map(|event| (event.onset, event.offset)).collect()
    }

    #[test]
    fn runs_above_the_threshold_are_detections() {
        let scores = [0.75, 0.25, 0.5, 0.75, 0.25, 0.75];
        assert_eq!(detected(&scores, 0.25), [(0.0, 1.0), (2.0, 4.0), (5.0, 6.0)]);
        assert_eq!(detected(&scores, 0.5), [(0.0, 1.0), (3.0, 4.0), (5.0, 6.0)]);
        assert_eq!(detected(&scores, 0.0), [(0.0, 6.0)]);
        assert_eq!(detected(&scores, 0.75), []);
    }

    #[test]
    fn classes_at_the_same_time_stand_in_the_order_of_their_ranks() {
        let edges = Arc::new(FrameEdges::new("a", 2, vec![0.0, 1.0, 2.0]).unwrap());
        let names = ["Dog".to_owned(), "Cat".to_owned()];
        let frames = Frames::new("a", &names, edges, vec![0.5_f32, 0.25, 0.5, 0.25]).unwrap();
        let classes = |ranks: &[i64]| {
            let found = detections_of_clip(&frames, &[0.25, 0.0], ranks);
            found.into_iter().map(|(class, event)| (class, event.offset)).collect::<Vec<_>>()
        };
        assert_eq!(classes(&[1, 0]), [(0, 1.0), (1, 2.0)]);
        let found = detections_of_clip(&frames, &[0.25, 0.25], &[1, 0]);
        assert_eq!(found.iter().map(|(class, _)| *class).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn infinite_scores_and_thresholds_follow_the_same_rule() {
        let scores = [f32::NEG_INFINITY, 0.5, f32::INFINITY];
        assert_eq!(detected(&scores, f64::NEG_INFINITY), [(1.0, 3.0)]);
        assert_eq!(detected(&scores, 0.5), [(2.0, 3.0)]);
        assert_eq!(detected(&scores, f64::INFINITY), []);
    }
}
