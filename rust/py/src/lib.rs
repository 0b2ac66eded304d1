//! Python bindings of `soundeval-core`: conversion only, no arithmetic.
//!
//! | Python | Rust |
//! |---|---|
//! | `ndarray` `(T, K)`, `float32` or `float64`, any strides | [`soundeval_core::scores::Frames`], copied class by class |
//! | `ndarray` `(T + 1,)`, `float64` | frame edges, copied |
//! | `ValueError` | any [`soundeval_core::error::Error`] but unreadable files, which are `OSError` |
//!
//! The GIL: Memory of NumPy is only read while the thread is attached to the interpreter; everything that
//! computes works on copies and runs detached, through [`detached::run`].

mod arrays;
mod collar_distances;
mod criterion;
mod curves;
mod detached;
mod detect;
mod errors;
mod event_lists;
mod io;
mod median_filter;
mod store;
mod tagging;
mod threads;

use pyo3::prelude::*;

/// The compiled part of soundeval. Private: its functions check little and may change at any time.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::collar_distances::{cumulated_distances, pair_changes};
    #[pymodule_export]
    use super::curves::{
        auroc, average_precision, best_error_rate, best_f_score, error_rate_curve, f_score_curve,
        precision_recall_curve, psd_roc_of_variants, roc_curve,
    };
    #[pymodule_export]
    use super::detect::detect;
    #[pymodule_export]
    use super::event_lists::match_events;
    #[pymodule_export]
    use super::io::{read_durations, read_events, read_score_files};
    #[pymodule_export]
    use super::median_filter::{median_filter, median_filter_frames};
    #[pymodule_export]
    use super::store::{DeltaStore, psds_from_psd_roc};
    #[pymodule_export]
    use super::tagging::{
        obce_weights, tagging_best_f, tagging_numbers, tagging_oap, tagging_points, tagging_ranked_labels,
    };
    #[pymodule_export]
    use super::threads::{num_threads, set_num_threads};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Benchmarks refuse a debug build.
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        module.add("build_profile", profile)?;
        module.add("version", env!("CARGO_PKG_VERSION"))?;
        super::threads::read_environment(module.py())
    }
}
