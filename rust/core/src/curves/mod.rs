//! Curves: rates at every threshold, in the order and with the conventions of their papers.

pub mod psd_roc;
