//! Score matrices of NumPy as frames of the core.
//!
//! A matrix is copied class by class while attached: the core needs each class in one piece anyway, and
//! another Python thread may write into the array as soon as the GIL is released.

use std::ops::Range;
use std::sync::Arc;

use numpy::ndarray::{ArrayView2, s};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use soundeval_core::scores::{FrameEdges, Frames, Score};
use soundeval_core::store::AnyFrames;

use crate::errors::to_python;

/// The scores `(T, K)` of a clip, where NumPy has them, and its edges.
pub struct Arrays<'a, 'py> {
    clip: &'a str,
    scores: Matrix<'py>,
    edges: Arc<FrameEdges>,
}

enum Matrix<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

/// The edges of the last clip: the next often has the same array.
#[derive(Default)]
pub struct LastEdges<'py>(Option<(Bound<'py, PyAny>, Arc<FrameEdges>)>);

impl<'py> LastEdges<'py> {
    /// Copies and checks the edges `(T + 1,)` of a clip, unless they are those of the last one.
    fn of(&mut self, clip: &str, n_frames: usize, edges: &Bound<'py, PyAny>) -> PyResult<Arc<FrameEdges>> {
        if let Some((array, known)) = &self.0
            && array.is(edges)
            && known.n_frames() == n_frames
        {
            return Ok(Arc::clone(known));
        }
        let array = edges
            .cast::<PyArray1<f64>>()
            .map_err(|_| PyTypeError::new_err(format!("clip '{clip}': frame edges must be a float64 array")))?
            .readonly();
        let times = array.as_array().to_vec();
        let checked = Arc::new(FrameEdges::new(clip, n_frames, times).map_err(to_python)?);
        self.0 = Some((edges.clone(), Arc::clone(&checked)));
        Ok(checked)
    }
}

/// Memory of frames that are done with, to copy the next into.
#[derive(Default)]
pub struct Buffers {
    single: Vec<f32>,
    double: Vec<f64>,
}

impl Buffers {
    /// Takes the memory of frames.
    pub fn reclaim(&mut self, frames: AnyFrames) {
        match frames {
            AnyFrames::Single(frames) => self.single = frames.into_scores(),
            AnyFrames::Double(frames) => self.double = frames.into_scores(),
        }
    }
}

impl<'a, 'py> Arrays<'a, 'py> {
    /// Checks kinds, shapes and edges; there must be a column for each class.
    pub fn new(
        clip: &'a str,
        n_classes: usize,
        scores: &Bound<'py, PyAny>,
        edges: &Bound<'py, PyAny>,
        last_edges: &mut LastEdges<'py>,
    ) -> PyResult<Self> {
        let scores = if let Ok(scores) = scores.cast::<PyArray2<f32>>() {
            Matrix::Single(scores.readonly())
        } else if let Ok(scores) = scores.cast::<PyArray2<f64>>() {
            Matrix::Double(scores.readonly())
        } else {
            return Err(PyTypeError::new_err(format!(
                "clip '{clip}': scores must be a two-dimensional float32 or float64 array"
            )));
        };
        let (n_frames, n_columns) = scores.shape();
        if n_columns != n_classes {
            return Err(PyValueError::new_err(format!(
                "clip '{clip}': scores must have a column for each of the {n_classes} event classes, got {n_columns} columns"
            )));
        }
        let edges = last_edges.of(clip, n_frames, edges)?;
        Ok(Self { clip, scores, edges })
    }

    /// Numbers of frames and of classes.
    pub fn shape(&self) -> (usize, usize) {
        self.scores.shape()
    }

    /// Copies the scores of `classes`, whose `names` those are, and checks them.
    pub fn frames(&self, classes: Range<usize>, names: &[String], buffers: &mut Buffers) -> PyResult<AnyFrames> {
        let edges = Arc::clone(&self.edges);
        let columns = s![.., classes];
        let frames = match &self.scores {
            Matrix::Single(scores) => {
                let mut copy = std::mem::take(&mut buffers.single);
                copy_class_major(scores.as_array().slice(columns), &mut copy);
                Frames::new(self.clip, names, edges, copy).map(AnyFrames::Single)
            }
            Matrix::Double(scores) => {
                let mut copy = std::mem::take(&mut buffers.double);
                copy_class_major(scores.as_array().slice(columns), &mut copy);
                Frames::new(self.clip, names, edges, copy).map(AnyFrames::Double)
            }
        };
        frames.map_err(to_python)
    }
}

impl Matrix<'_> {
    fn shape(&self) -> (usize, usize) {
        match self {
            Self::Single(scores) => scores.as_array().dim(),
            Self::Double(scores) => scores.as_array().dim(),
        }
    }
}

/// Copies the columns of a matrix, one after the other.
fn copy_class_major<S: Score>(scores: ArrayView2<'_, S>, out: &mut Vec<S>) {
    /// Rows of a block that is read once from memory and then, column by column, from the cache.
    const ROWS: usize = 512;
    let (n_rows, n_columns) = scores.dim();
    out.clear();
    if let Some(columns) = scores.t().as_slice() {
        out.extend_from_slice(columns);
        return;
    }
    out.resize(n_rows * n_columns, S::NEVER);
    for first in (0..n_rows).step_by(ROWS) {
        let rows = first..(first + ROWS).min(n_rows);
        for (column, out) in out.chunks_exact_mut(n_rows).enumerate() {
            let from = scores.slice(s![rows.clone(), column]);
            out[rows.clone()].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
    }
}

/// Copies the scores of all clips, and adds up their sizes.
pub fn frames_of(
    event_classes: &[String],
    clip_ids: &[String],
    scores: &[Bound<'_, PyAny>],
    edges: &[Bound<'_, PyAny>],
) -> PyResult<(Vec<AnyFrames>, usize)> {
    if clip_ids.len() != scores.len() || clip_ids.len() != edges.len() {
        return Err(PyValueError::new_err("the columns of clips differ in length"));
    }
    let n_classes = event_classes.len();
    let mut last_edges = LastEdges::default();
    let mut size = 0;
    let clips = clip_ids.iter().zip(scores.iter().zip(edges)).map(|(id, (scores, edges))| {
        let arrays = Arrays::new(id, n_classes, scores, edges, &mut last_edges)?;
        let (n_frames, n_classes) = arrays.shape();
        size += n_frames * n_classes;
        arrays.frames(0..n_classes, event_classes, &mut Buffers::default())
    });
    let clips = clips.collect::<PyResult<_>>()?;
    Ok((clips, size))
}
