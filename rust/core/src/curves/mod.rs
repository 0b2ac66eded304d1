//! Curves: rates at every threshold, in the order and with the conventions of their papers.
//!
//! All take the counts of one class at ascending thresholds, the last of which is `+inf`, and nothing else.
//! Each says what it is where a rate has nothing to divide by.

pub mod error_rate;
pub mod f_score;
pub mod operating_point;
pub mod precision_recall;
pub mod psd_roc;
pub mod roc;
pub mod variants;
