//! Exact evaluation of sound event detection at every decision threshold at once.
//!
//! # The problem
//!
//! A sound event detector gives a score to every class in every frame. A threshold turns scores into
//! events, and a metric such as PSDS asks how well these do at *every* threshold. Trying thresholds one by
//! one is slow, and trying only some of them is wrong.
//!
//! # The idea (Ebbers, Haeb-Umbach, Serizel, ICASSP 2022)
//!
//! ```text
//! scores + targets --criterion--> deltas --merge, sort, cumulate--> statistics --> curve --> number
//! ```
//!
//! * The detections of a clip at all thresholds are the nodes of the **component tree** of its scores, at most
//!   one for each frame ([`component_tree`]).
//! * A **criterion** looks at a node and says how the counts change where it appears, and how they change
//!   back where it merges into its parent ([`criteria`]). These changes are the **deltas** ([`deltas`]); most
//!   frames change nothing.
//! * Deltas of all clips, sorted by score and cumulated, are the **statistics**: exact counts at every
//!   distinct threshold ([`statistics`]). Nothing after this sees an event again.
//! * **Curves** ([`curves`]) and **metrics** ([`metrics`]) are short functions of counts.
//!
//! Detections that come as lists of events, without scores, are one point of such statistics; what became of each
//! of them can be looked at ([`event_lists`]).
//!
//! Clips are independent of each other. Their deltas are kept by clip id ([`store`]), so a result does not
//! depend on threads, on the order of clips, or on how they were spread over machines ([`state`]).
//!
//! # Notation
//!
//! | word | meaning |
//! |---|---|
//! | frame | the time between two consecutive edges, with one score for each class |
//! | detection | a maximal run of frames with score > threshold |
//! | target | an event of the ground truth |
//! | DTC, GTC, CTTC | detection, ground truth and cross-trigger tolerance: shares of a length, inclusive |
//! | point `i` | the counts for all thresholds θ with `thresholds[i-1] <= θ < thresholds[i]` |
//!
//! # Quick start
//!
//! ```
//! use std::sync::Arc;
//!
//! use soundeval_core::criteria::Intersection;
//! use soundeval_core::events::{ClipEvents, Event};
//! use soundeval_core::parallel::Cancel;
//! use soundeval_core::scores::{FrameEdges, Frames};
//! use soundeval_core::store::{AnyFrames, ClipInput, DeltaStore};
//!
//! # fn main() -> soundeval_core::error::Result<()> {
//! let classes = vec!["Dog".to_owned()];
//! let edges = FrameEdges::new("a", 3, vec![0.0, 1.0, 2.0, 3.0])?;
//! let frames = Frames::new("a", &classes, Arc::new(edges), vec![0.2_f32, 0.9, 0.4])?;
//! let clip = ClipInput {
//!     id: "a".to_owned(),
//!     first_class: 0,
//!     frames: AnyFrames::Single(frames),
//!     events: ClipEvents::new([(0, Event { onset: 1.0, offset: 2.0 })]),
//!     duration: None,
//! };
//! let mut store = DeltaStore::new(Intersection::new(0.7, 0.7, None, 6)?, classes)?;
//! store.extend(vec![clip], &Cancel::new())?;
//!
//! let statistics = store.class_statistics(0, &[]);
//! assert_eq!(statistics.tps, [0, 1, 0]); // below .4, below .9, at +inf
//! assert_eq!(statistics.fps, [1, 0, 0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to start
//!
//! * To check a number: `tests/naive.rs`, the threshold loop that everything here must agree with.
//! * To understand the speed: [`component_tree`], then [`criteria`].
//! * To add a criterion: its deltas are all that the rest needs.

#![forbid(unsafe_code)]

pub mod clip_deltas;
pub mod component_tree;
pub mod criteria;
pub mod curves;
pub mod deltas;
pub mod detect;
pub mod error;
pub mod event_lists;
pub mod events;
pub mod gather;
pub mod io;
pub mod maximum_matching;
pub mod median_filter;
pub mod metrics;
pub mod numeric;
pub mod parallel;
pub mod radix_sort;
pub mod scores;
pub mod state;
pub mod statistics;
pub mod store;
pub mod tagging;
pub mod units;
