//! Metrics: one number from a curve or from counts.

pub mod psds;
