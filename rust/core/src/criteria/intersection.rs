//! The intersection criterion (Bilen et al., ICASSP 2020, doi 10.1109/ICASSP40776.2020.9052995).
//!
//! With the intersections `I(i, j)` of detection `i` and target `j` in seconds:
//!
//! * **DTC** (detection tolerance): detection `i` is *relevant* if `Σ_j I(i, j) >= dtc * length(i)` over
//!   the targets of its class. The others are false positives.
//! * **GTC** (ground truth intersection): target `j` is a true positive if
//!   `Σ_i I(i, j) >= gtc * length(j)` over the relevant detections.
//! * **CTTC** (cross-trigger tolerance): a false positive is a cross trigger on class `o` if
//!   `Σ_j I(i, j) >= cttc * length(i)` over the targets of `o`. It stays a false positive.
//!
//! Both sides are rounded to `time_decimals` before they are compared. Targets of one class may touch,
//! overlap or nest: the sums are taken as they stand.

use std::ops::Range;

use super::coverage::{Boundaries, Ticks};
use super::extrema::push_extrema;
use super::intersection_sweep::{self, Pass, Workspace};
use super::tolerance::Share;
use super::zones::Zones;
use crate::deltas::{Count, push};
use crate::error::{Error, Result};
use crate::events::{ClassEvents, ClipEvents, Event};
use crate::numeric::Decimals;
use crate::parallel::Cancel;
use crate::scores::{Frames, Score};

/// Parameters of the intersection criterion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intersection {
    dtc_threshold: f64,
    gtc_threshold: f64,
    cttc_threshold: Option<f64>,
    time_decimals: u8,
}

impl Intersection {
    /// Checks the parameters: thresholds are shares from 0 to 1.
    pub fn new(dtc_threshold: f64, gtc_threshold: f64, cttc_threshold: Option<f64>, time_decimals: u8) -> Result<Self> {
        for (name, value) in [
            ("dtc_threshold", Some(dtc_threshold)),
            ("gtc_threshold", Some(gtc_threshold)),
            ("cttc_threshold", cttc_threshold),
        ] {
            if let Some(value) = value
                && !(0.0..=1.0).contains(&value)
            {
                return Err(Error::Parameter {
                    name,
                    expected: "a share of a length from 0 to 1",
                    value: value.to_string(),
                });
            }
        }
        Decimals::check(time_decimals)?;
        Ok(Self { dtc_threshold, gtc_threshold, cttc_threshold, time_decimals })
    }

    /// Share of a detection that must lie in targets of its class.
    pub fn dtc_threshold(&self) -> f64 {
        self.dtc_threshold
    }

    /// Share of a target that relevant detections must cover.
    pub fn gtc_threshold(&self) -> f64 {
        self.gtc_threshold
    }

    /// Share of a false positive that must lie in targets of another class; `None` counts no cross triggers.
    pub fn cttc_threshold(&self) -> Option<f64> {
        self.cttc_threshold
    }

    /// Decimals to which times are rounded before they are compared.
    pub fn time_decimals(&self) -> u8 {
        self.time_decimals
    }
}

/// What is the same for all classes of a clip.
#[derive(Debug)]
pub struct Prepared<'a, S> {
    frames: &'a Frames<S>,
    events: &'a ClipEvents,
    ticks: Ticks,
    first_class: usize,
    /// Cross triggers are found for at most 64 classes in one pass: a bit mask keeps them apart.
    other_blocks: Vec<Boundaries>,
    dtc: Share,
    gtc: Share,
    cttc: Option<Share>,
    /// Where detections can be relevant, for each class with events; `None` if they can be anywhere.
    relevant_zones: Option<Vec<Zones>>,
    /// Where detections can be cross triggers on each class with events; `None` if they can be anywhere.
    cross_trigger_zones: Option<Vec<Zones>>,
    /// Where they can be on any class.
    any_cross_trigger: Vec<Range<usize>>,
}

/// Number of classes whose cross triggers are found in one pass.
pub(super) const BLOCK: usize = 64;

impl<'a, S: Score> Prepared<'a, S> {
    /// Prepares a clip, or its classes from `first_class` on, for a criterion.
    pub fn new(criterion: &Intersection, frames: &'a Frames<S>, first_class: usize, events: &'a ClipEvents) -> Self {
        let decimals = Decimals::new(criterion.time_decimals);
        let dtc = Share::new(criterion.dtc_threshold, decimals);
        let edges = frames.edges().times();
        let ticks = Ticks::new(edges, events.iter().map(|(_, event)| event));
        let shortest = frames.edges().shortest();
        let other_blocks = if criterion.cttc_threshold.is_some() {
            let blocks = events.classes().chunks(BLOCK);
            blocks.map(|block| Boundaries::new(block.iter().map(|class| &class.events[..]), ticks)).collect()
        } else {
            Vec::new()
        };
        let cttc = criterion.cttc_threshold.map(|cttc| Share::new(cttc, decimals));
        // Times round by half a unit, and sums of ticks are off by a little.
        let slack = 2.0 / decimals.scale() + 4.0 * ticks.error(events.iter().count());
        let zones = |share: Share| {
            // A detection so short that it needs no event at all can be anywhere.
            let needs_events = !share.is_reached_by_nothing(shortest);
            let zones_of = |class: &ClassEvents| Zones::new(&class.events, share.fraction(), slack);
            needs_events.then(|| events.classes().iter().map(zones_of).collect::<Vec<_>>())
        };
        let cross_trigger_zones = cttc.map_or(Some(Vec::new()), zones);
        let any_cross_trigger = match &cross_trigger_zones {
            Some(zones) => Zones::union(zones.iter()).frames(edges),
            None => everywhere(frames),
        };
        Self {
            frames,
            events,
            ticks,
            first_class,
            other_blocks,
            dtc,
            gtc: Share::new(criterion.gtc_threshold, decimals),
            cttc,
            relevant_zones: zones(dtc),
            cross_trigger_zones,
            any_cross_trigger,
        }
    }

    /// Appends the deltas of one class; returns early, with part of them, if the caller gave up.
    ///
    /// `O(n_frames)` plus `O(n log n)` in the number of detections that cover a part of a target,
    /// times the number of other classes with events in this clip where cross triggers are counted.
    pub fn push_deltas(&self, class: usize, workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
        let scores = self.frames.class(class - self.first_class);
        // Every detection counts as a false positive; those that are relevant are taken back.
        push_extrema(scores, &mut workspace.turns, out);
        match self.events.classes().iter().position(|events| events.class == class) {
            Some(own) => {
                let targets = &self.events.classes()[own].events;
                let zones = self.zones_of_class_with_targets(own);
                self.push_all_passes(class, targets, &zones, workspace, cancel, out);
                self.push_certain_targets(scores, targets, out);
            }
            None if self.relevant_zones.is_some() => {
                self.push_all_passes(class, &[], &self.any_cross_trigger, workspace, cancel, out);
            }
            None => self.push_all_passes(class, &[], &everywhere(self.frames), workspace, cancel, out),
        }
    }

    /// The targets.
    pub fn events(&self) -> &ClipEvents {
        self.events
    }

    /// Where a detection of the class, which is number `own` of those with events, can be anything but a false
    /// positive.
    fn zones_of_class_with_targets(&self, own: usize) -> Vec<Range<usize>> {
        let (Some(relevant), Some(cross)) = (&self.relevant_zones, &self.cross_trigger_zones) else {
            return everywhere(self.frames);
        };
        if cross.is_empty() {
            return relevant[own].frames(self.frames.edges().times());
        }
        let others = cross.iter().enumerate().filter(|(other, _)| *other != own);
        let zones = Zones::union(std::iter::once(&relevant[own]).chain(others.map(|(_, zones)| zones)));
        zones.frames(self.frames.edges().times())
    }

    /// Relevance and targets in the first pass, cross triggers in as many as their classes need.
    fn push_all_passes(
        &self,
        class: usize,
        targets: &[Event],
        zones: &[Range<usize>],
        workspace: &mut Workspace<S>,
        cancel: &Cancel,
        out: &mut Vec<S::Word>,
    ) {
        if zones.is_empty() {
            return;
        }
        let own = Boundaries::new(std::iter::once(targets), self.ticks);
        for block in 0..self.other_blocks.len().max(1) {
            let first_other = block * BLOCK;
            let others = self.events.classes().get(first_other..).unwrap_or(&[]);
            let pass = Pass {
                scores: self.frames.class(class - self.first_class),
                edges: self.frames.edges().times(),
                ticks: self.ticks,
                zones,
                targets,
                needs_targets: self.relevant_zones.is_some(),
                own: &own,
                others: &others[..others.len().min(BLOCK)],
                other_boundaries: self.other_blocks.get(block),
                class,
                dtc: self.dtc,
                gtc: self.gtc,
                cttc: self.cttc,
                counts_own: block == 0,
            };
            intersection_sweep::run(&pass, workspace, cancel, out);
        }
    }

    /// Targets of which zero seconds are enough (`gtc = 0`, or a length that rounds to nothing) are true
    /// positives as soon as there is any detection in the clip.
    fn push_certain_targets(&self, scores: &[S], targets: &[Event], out: &mut Vec<S::Word>) {
        let certain = targets.iter().filter(|target| self.gtc.is_reached_by_nothing(target.length())).count();
        if certain > 0 {
            let highest =
                scores.iter().fold(S::NEVER, |highest, score| if *score > highest { *score } else { highest });
            if highest > S::NEVER {
                push(out, highest.to_key(), Count::TruePositives, certain as i64);
            }
        }
    }
}

/// One zone with all frames.
#[expect(clippy::single_range_in_vec_init, reason = "it is one range that is meant")]
fn everywhere<S: Score>(frames: &Frames<S>) -> Vec<Range<usize>> {
    vec![0..frames.n_frames()]
}
