//! Detections at one threshold: maximal runs of frames whose score is greater.

use crate::events::Event;
use crate::scores::{Frames, Score};

/// The detections of a class, in time order, as its frames have the times.
pub fn detections<S: Score>(frames: &Frames<S>, class: usize, threshold: f64) -> Vec<Event> {
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
    fn infinite_scores_and_thresholds_follow_the_same_rule() {
        let scores = [f32::NEG_INFINITY, 0.5, f32::INFINITY];
        assert_eq!(detected(&scores, f64::NEG_INFINITY), [(1.0, 3.0)]);
        assert_eq!(detected(&scores, 0.5), [(2.0, 3.0)]);
        assert_eq!(detected(&scores, f64::INFINITY), []);
    }
}
