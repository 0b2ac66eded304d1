//! Readers of text files.

use std::path::PathBuf;

use numpy::ndarray::{Array2, ShapeBuilder};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soundeval_core::io;
use soundeval_core::parallel::ordered_map;

use crate::detached;
use crate::errors::to_python;

/// Clip name if the file gives it, scores `(T, K)`, edges `(T + 1,)`.
type Table<'py> = (Option<String>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

/// Reads score files in parallel: for each its class names and its tables.
#[pyfunction]
pub fn read_score_files(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<(Vec<String>, Vec<Table<'_>>)>> {
    let files = detached::run(py, usize::MAX, move |cancel| {
        ordered_map(&paths, || (), |(), path| (!cancel.is_set()).then(|| io::read_scores_unless(cancel, path)))
    })?;
    files
        .into_iter()
        .flatten()
        .map(|file| {
            let file = file.map_err(to_python)?;
            let n_classes = file.classes.len();
            let tables = file.tables.into_iter().map(|table| {
                let shape = (table.edges.len() - 1, n_classes).f();
                let scores = Array2::from_shape_vec(shape, table.scores);
                let scores = scores.map_err(|error| PyValueError::new_err(error.to_string()))?;
                Ok((table.clip, scores.into_pyarray(py), table.edges.into_pyarray(py)))
            });
            let tables = tables.collect::<PyResult<_>>()?;
            Ok((file.classes, tables))
        })
        .collect()
}

/// File name, onset, offset and label (`None` for a clip without events), and line.
type EventRow = (String, Option<f64>, Option<f64>, Option<String>, usize);

/// Reads a table of events: its rows, and the lines where blanks around a text were left out.
#[pyfunction]
pub fn read_events(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<EventRow>, Vec<usize>)> {
    let events = detached::run(py, usize::MAX, move |_| io::read_events(&path))?.map_err(to_python)?;
    let rows = events.rows.into_iter().map(|row| match row.event {
        Some((onset, offset, label)) => (row.filename, Some(onset), Some(offset), Some(label), row.line),
        None => (row.filename, None, None, None, row.line),
    });
    Ok((rows.collect(), events.trimmed))
}

/// Reads a table of durations: file name, seconds and line of each row.
#[pyfunction]
pub fn read_durations(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(String, f64, usize)>> {
    detached::run(py, usize::MAX, move |_| io::read_durations(&path))?.map_err(to_python)
}
