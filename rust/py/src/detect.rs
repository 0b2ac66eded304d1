//! Detections at given thresholds.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soundeval_core::detect::detections_of_clip;
use soundeval_core::events::Labelled;
use soundeval_core::store::AnyFrames;

use crate::arrays::{Arrays, Buffers, LastEdges};

type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Ints<'py> = Bound<'py, PyArray1<i64>>;

/// Numbers of detections of each clip, then their onsets, offsets and classes: in time order, then by rank.
#[pyfunction]
pub fn detect<'py>(
    py: Python<'py>,
    event_classes: Vec<String>,
    clip_ids: Vec<String>,
    scores: Vec<Bound<'py, PyAny>>,
    edges: Vec<Bound<'py, PyAny>>,
    thresholds: Vec<f64>,
    ranks: Vec<i64>,
) -> PyResult<(Ints<'py>, Floats<'py>, Floats<'py>, Ints<'py>)> {
    let n_classes = event_classes.len();
    if clip_ids.len() != scores.len()
        || clip_ids.len() != edges.len()
        || thresholds.len() != n_classes
        || ranks.len() != n_classes
    {
        return Err(PyValueError::new_err("the columns of clips or classes differ in length"));
    }
    let mut counts = Vec::with_capacity(clip_ids.len());
    let mut all: Vec<Labelled> = Vec::new();
    let mut last_edges = LastEdges::default();
    let mut buffers = Buffers::default();
    for (id, (scores, edges)) in clip_ids.iter().zip(scores.iter().zip(&edges)) {
        let arrays = Arrays::new(id, n_classes, scores, edges, &mut last_edges)?;
        let frames = arrays.frames(0..n_classes, &event_classes, &mut buffers)?;
        let found = match &frames {
            AnyFrames::Single(frames) => detections_of_clip(frames, &thresholds, &ranks),
            AnyFrames::Double(frames) => detections_of_clip(frames, &thresholds, &ranks),
        };
        counts.push(found.len() as i64);
        all.extend(found);
        buffers.reclaim(frames);
        py.check_signals()?;
    }
    let onsets: Vec<f64> = all.iter().map(|(_, event)| event.onset).collect();
    let offsets: Vec<f64> = all.iter().map(|(_, event)| event.offset).collect();
    let classes: Vec<i64> = all.iter().map(|(class, _)| *class as i64).collect();
    Ok((counts.into_pyarray(py), onsets.into_pyarray(py), offsets.into_pyarray(py), classes.into_pyarray(py)))
}
