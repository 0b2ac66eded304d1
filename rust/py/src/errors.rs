//! Errors of the core as exceptions of Python, with the same text.

use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use soundeval_core::error::Error;

/// The exception for an error of the core.
pub fn to_python(error: Error) -> PyErr {
    match error {
        Error::Unreadable { .. } => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
