//! Metrics: one number from a curve or from counts.

pub mod auroc;
pub mod average_precision;
pub mod psds;
mod undefined;

pub use undefined::Undefined;
