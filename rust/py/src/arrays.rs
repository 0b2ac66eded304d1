//! Score matrices of NumPy as frames of the core.
//!
//! A matrix is copied class by class while attached: the core needs each class in one piece anyway, and
//! another Python thread may write into the array as soon as the GIL is released.

use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use soundeval_core::scores::{Frames, Score};
use soundeval_core::store::AnyFrames;

use crate::errors::to_python;

/// Copies the scores `(T, K)` and edges `(T + 1,)` of a clip and checks them.
pub fn frames(
    clip: &str,
    classes: &[String],
    scores: &Bound<'_, PyAny>,
    edges: &Bound<'_, PyAny>,
) -> PyResult<AnyFrames> {
    let edges: PyReadonlyArray1<'_, f64> = edges
        .cast::<PyArray1<f64>>()
        .map_err(|_| PyTypeError::new_err(format!("clip '{clip}': frame edges must be a float64 array")))?
        .readonly();
    let edges = edges.as_array().to_vec();
    if let Ok(scores) = scores.cast::<PyArray2<f32>>() {
        let scores = scores.readonly();
        Ok(AnyFrames::Single(copy(clip, classes, edges, scores.as_array())?))
    } else if let Ok(scores) = scores.cast::<PyArray2<f64>>() {
        let scores = scores.readonly();
        Ok(AnyFrames::Double(copy(clip, classes, edges, scores.as_array())?))
    } else {
        Err(PyTypeError::new_err(format!("clip '{clip}': scores must be a two-dimensional float32 or float64 array")))
    }
}

fn copy<S: Score>(clip: &str, classes: &[String], edges: Vec<f64>, scores: ArrayView2<'_, S>) -> PyResult<Frames<S>> {
    if scores.ncols() != classes.len() {
        return Err(pyo3::exceptions::PyValueError::new_err(format!(
            "clip '{clip}': scores must have a column for each of the {} event classes, got {} columns",
            classes.len(),
            scores.ncols()
        )));
    }
    Frames::new(clip, classes, edges, class_major(scores)).map_err(to_python)
}

/// The columns of a matrix one after the other.
fn class_major<S: Score>(scores: ArrayView2<'_, S>) -> Vec<S> {
    /// Rows of a block that is read once from memory and then, column by column, from the cache.
    const ROWS: usize = 512;
    let (n_rows, n_columns) = scores.dim();
    let transposed = scores.t();
    if let Some(columns) = transposed.as_slice() {
        return columns.to_vec();
    }
    let mut out = vec![S::NEVER; n_rows * n_columns];
    if let Some(rows) = scores.as_slice() {
        for (block, rows) in rows.chunks(ROWS * n_columns.max(1)).enumerate() {
            for column in 0..n_columns {
                let to = &mut out[column * n_rows + block * ROWS..];
                let from = rows[column..].iter().step_by(n_columns);
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
            }
        }
    } else {
        out.iter_mut().zip(transposed.iter()).for_each(|(to, from)| *to = *from);
    }
    out
}
