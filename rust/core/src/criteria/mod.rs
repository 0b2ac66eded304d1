//! Criteria: when a detection is right.
//!
//! A criterion looks at the events of one clip and says how the counts of a class change with the
//! threshold. What it hands on are deltas ([`crate::deltas`]); nothing behind them sees an event again.

pub mod coverage;
pub mod extrema;
pub mod intersection;
pub(crate) mod intersection_sweep;
pub mod tolerance;
pub mod zones;

pub use intersection::Intersection;
