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

use super::coverage::{Boundaries, Ticks};
use super::extrema::push_extrema;
use super::intersection_sweep::{self, Pass, Workspace};
use super::tolerance::Share;
use crate::deltas::{Count, push};
use crate::error::{Error, Result};
use crate::events::{ClipEvents, Event};
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
        if time_decimals > Decimals::MAX {
            return Err(Error::Parameter {
                name: "time_decimals",
                expected: "a number of decimals from 0 to 30",
                value: time_decimals.to_string(),
            });
        }
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
pub struct Clip<'a, S> {
    frames: &'a Frames<S>,
    events: &'a ClipEvents,
    ticks: Ticks,
    edge_ticks: Vec<i64>,
    /// Cross triggers are found for at most 64 classes in one pass: a bit mask keeps them apart.
    other_blocks: Vec<Boundaries>,
    dtc: Share,
    gtc: Share,
    cttc: Option<Share>,
    /// No detection is so short that it would be relevant without any target.
    dtc_needs_targets: bool,
}

/// Number of classes whose cross triggers are found in one pass.
pub(super) const BLOCK: usize = 64;

impl<'a, S: Score> Clip<'a, S> {
    /// Prepares a clip for a criterion.
    pub fn new(criterion: &Intersection, frames: &'a Frames<S>, events: &'a ClipEvents) -> Self {
        let decimals = Decimals::new(criterion.time_decimals);
        let dtc = Share::new(criterion.dtc_threshold, decimals);
        let edges = frames.edges();
        let ticks = Ticks::new(edges, events.iter().map(|(_, event)| event));
        let shortest = edges.windows(2).map(|frame| frame[1] - frame[0]).fold(f64::INFINITY, f64::min);
        let other_blocks = if criterion.cttc_threshold.is_some() {
            let blocks = events.classes().chunks(BLOCK);
            blocks.map(|block| Boundaries::new(block.iter().map(|class| &class.events[..]), ticks)).collect()
        } else {
            Vec::new()
        };
        Self {
            frames,
            events,
            ticks,
            edge_ticks: edges.iter().map(|edge| ticks.of(*edge)).collect(),
            other_blocks,
            dtc,
            gtc: Share::new(criterion.gtc_threshold, decimals),
            cttc: criterion.cttc_threshold.map(|cttc| Share::new(cttc, decimals)),
            dtc_needs_targets: !dtc.is_reached_by_nothing(shortest),
        }
    }

    /// Appends the deltas of one class; returns early, with part of them, if the caller gave up.
    ///
    /// `O(n_frames)` plus `O(n log n)` in the number of detections that cover a part of a target,
    /// times the number of other classes with events in this clip where cross triggers are counted.
    pub fn push_deltas(&self, class: usize, workspace: &mut Workspace<S>, cancel: &Cancel, out: &mut Vec<S::Word>) {
        let scores = self.frames.class(class);
        let targets = self.events.classes().iter().find(|events| events.class == class);
        let has_others = self.other_blocks.iter().any(|block| block.n_lanes() > usize::from(targets.is_some()));
        let Some(targets) = targets.map(|targets| &targets.events[..]) else {
            if !has_others && self.dtc_needs_targets {
                push_extrema(scores, &mut workspace.turns, out);
                return;
            }
            self.push_all_passes(class, &[], workspace, cancel, out);
            return;
        };
        self.push_all_passes(class, targets, workspace, cancel, out);
        self.push_certain_targets(scores, targets, out);
    }

    /// Relevance and targets in the first pass, cross triggers in as many as their classes need.
    fn push_all_passes(
        &self,
        class: usize,
        targets: &[Event],
        workspace: &mut Workspace<S>,
        cancel: &Cancel,
        out: &mut Vec<S::Word>,
    ) {
        let own = Boundaries::new(std::iter::once(targets), self.ticks);
        for block in 0..self.other_blocks.len().max(1) {
            let first_other = block * BLOCK;
            let others = self.events.classes().get(first_other..).unwrap_or(&[]);
            let pass = Pass {
                scores: self.frames.class(class),
                edges: self.frames.edges(),
                edge_ticks: &self.edge_ticks,
                ticks: self.ticks,
                targets,
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
