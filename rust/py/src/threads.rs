//! The one thread setting.

use std::num::NonZeroUsize;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use soundeval_core::parallel;

/// Uses `n` threads from now on.
#[pyfunction]
pub fn set_num_threads(n: NonZeroUsize) {
    parallel::set_num_threads(Some(n));
}

/// Number of threads in use.
#[pyfunction]
pub fn num_threads() -> usize {
    parallel::num_threads()
}

/// More threads than any machine has would only hang it.
const MOST_THREADS: usize = 1024;

/// Takes the number of threads from `SOUNDEVAL_NUM_THREADS`, where it is set.
pub fn read_environment(py: Python<'_>) -> PyResult<()> {
    let Ok(text) = std::env::var("SOUNDEVAL_NUM_THREADS") else {
        return Ok(());
    };
    if let Some(n) = text.trim().parse::<NonZeroUsize>().ok().filter(|n| n.get() <= MOST_THREADS) {
        parallel::set_num_threads(Some(n));
        return Ok(());
    }
    let message = format!(
        "SOUNDEVAL_NUM_THREADS must be a number of threads from 1 to {MOST_THREADS}, got '{text}'; using all processors"
    );
    let message = std::ffi::CString::new(message).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}
