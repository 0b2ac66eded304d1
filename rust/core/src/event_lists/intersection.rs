//! Relevant detections, found targets and cross triggers, by the time that events share.
//!
//! Every sum runs over events in time order, as it does where detections come from scores.

use super::interval_index::IntervalIndex;
use super::{ClipMatches, EventLists, all_classes, by_class};
use crate::criteria::Intersection;
use crate::events::Event;
use crate::numeric::Decimals;

/// Memory that is reused from clip to clip.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    detections: Vec<u32>,
    targets: Vec<u32>,
    own: IntervalIndex,
    all: IntervalIndex,
    /// Detections of one class in time order.
    in_order: Vec<(Event, u32)>,
    /// Places of relevant detections and targets of one class that share time, and the seconds.
    shares: Vec<(u32, u32, f64)>,
    /// Seconds that a target shares with relevant detections.
    covered: Vec<f64>,
    /// Seconds that a detection shares with the targets of each class, and the classes where there are any.
    shared_with: Vec<f64>,
    touched: Vec<usize>,
}

/// "At least this share of a length", both sides rounded.
#[derive(Clone, Copy)]
struct AtLeast {
    fraction: f64,
    decimals: Decimals,
}

impl AtLeast {
    fn is_reached(self, time: f64, length: f64) -> bool {
        self.decimals.round(time) >= self.decimals.round(self.fraction * length)
    }
}

/// Matches the events of a clip class by class.
pub(super) fn run(
    criterion: &Intersection,
    clip: &EventLists,
    workspace: &mut Workspace,
    matches: &mut ClipMatches<'_>,
) {
    let decimals = Decimals::new(criterion.time_decimals());
    let at_least = |fraction| AtLeast { fraction, decimals };
    let (dtc, gtc) = (at_least(criterion.dtc_threshold()), at_least(criterion.gtc_threshold()));
    let Workspace { detections, targets, own, all, in_order, shares, covered, shared_with, touched } = workspace;
    let detections = by_class(&clip.detections, detections);
    let targets = by_class(&clip.targets, targets);
    let cttc = criterion.cttc_threshold().map(at_least);
    if cttc.is_some() {
        all.refill(clip.targets.iter().map(|(_, event)| *event).zip(0..));
        let n_classes = targets.classes().last().map_or(0, |last| last + 1);
        shared_with.clear();
        shared_with.resize(n_classes, 0.0);
    }
    for class in all_classes(&detections, &targets) {
        own.refill(targets.of(class).iter().map(|number| (clip.targets[*number as usize].1, *number)));
        in_order.clear();
        in_order.extend(detections.of(class).iter().map(|number| (clip.detections[*number as usize].1, *number)));
        in_order.sort_by(|(a, _), (b, _)| a.onset.total_cmp(&b.onset).then(a.offset.total_cmp(&b.offset)));
        shares.clear();
        covered.clear();
        covered.resize(own.events().len(), 0.0);
        for (place, (detection, number)) in in_order.iter().enumerate() {
            let first = shares.len();
            let mut shared = 0.0;
            own.overlapping(*detection, |target| {
                let seconds = own.events()[target].0.overlap(detection.onset, detection.offset);
                shared += seconds;
                shares.push((place as u32, target as u32, seconds));
            });
            if dtc.is_reached(shared, detection.length()) {
                for (_, target, seconds) in &shares[first..] {
                    covered[*target as usize] += seconds;
                }
                continue;
            }
            shares.truncate(first);
            matches.false_alarms.push(*number);
            if let Some(cttc) = cttc {
                all.overlapping(*detection, |at| {
                    let (target, target_number) = all.events()[at];
                    let other = clip.targets[target_number as usize].0;
                    if shared_with[other] == 0.0 {
                        touched.push(other);
                    }
                    shared_with[other] += target.overlap(detection.onset, detection.offset);
                });
                for other in targets.classes().filter(|other| *other != class) {
                    if cttc.is_reached(shared_with[other], detection.length()) {
                        matches.cross_triggers.push((*number, other as u32));
                    }
                }
                touched.drain(..).for_each(|other| shared_with[other] = 0.0);
            }
        }
        // Where nothing is detected nothing is found, even if no time at all would be enough.
        let is_found = |at: usize| !in_order.is_empty() && gtc.is_reached(covered[at], own.events()[at].0.length());
        let missed = own.events().iter().enumerate().filter(|(at, _)| !is_found(*at));
        matches.misses.extend(missed.map(|(_, (_, number))| *number));
        let found = shares.iter().filter(|(_, target, _)| is_found(*target as usize));
        matches.pairs.extend(
            found.map(|(detection, target, _)| (in_order[*detection as usize].1, own.events()[*target as usize].1)),
        );
    }
}
