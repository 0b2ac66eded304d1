//! Median filters: scores and edges of every clip in, the same out.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soundeval_core::median_filter::check_length;
use soundeval_core::median_filter::continuous::{self, Filtered};
use soundeval_core::median_filter::frames::{self, Boundary};
use soundeval_core::parallel::{Cancel, ordered_map};
use soundeval_core::scores::{Frames, Score};
use soundeval_core::store::AnyFrames;

use crate::arrays::frames_of;
use crate::detached;
use crate::errors::to_python;

/// Scores `(T, K)` and edges `(T + 1,)` of a clip.
type Clip<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<f64>>);

/// A result that is still Rust's: rows of the classes one after the other, and edges.
enum Output {
    Single(Vec<f32>, Vec<f64>),
    Double(Vec<f64>, Vec<f64>),
}

fn to_clips(py: Python<'_>, outputs: Vec<Output>, n_classes: usize) -> PyResult<Vec<Clip<'_>>> {
    fn matrix<S: Copy>(scores: Vec<S>, n_classes: usize) -> PyResult<Array2<S>> {
        let n_frames = scores.len() / n_classes;
        let classes = Array2::from_shape_vec((n_classes, n_frames), scores);
        let classes = classes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(classes.reversed_axes())
    }
    let clips = outputs.into_iter().map(|output| {
        Ok(match output {
            Output::Single(scores, edges) => {
                (matrix(scores, n_classes)?.into_pyarray(py).into_any(), edges.into_pyarray(py))
            }
            Output::Double(scores, edges) => {
                (matrix(scores, n_classes)?.into_pyarray(py).into_any(), edges.into_pyarray(py))
            }
        })
    });
    clips.collect()
}

/// Medians over windows of `lengths` seconds, one for each class.
#[pyfunction]
pub fn median_filter<'py>(
    py: Python<'py>,
    event_classes: Vec<String>,
    clip_ids: Vec<String>,
    scores: Vec<Bound<'py, PyAny>>,
    edges: Vec<Bound<'py, PyAny>>,
    lengths: Vec<f64>,
    time_decimals: u8,
) -> PyResult<Vec<Clip<'py>>> {
    lengths.iter().try_for_each(|length| check_length(*length)).map_err(to_python)?;
    if lengths.len() != event_classes.len() {
        return Err(PyValueError::new_err("every class needs a length"));
    }
    let (clips, size) = frames_of(&event_classes, &clip_ids, &scores, &edges)?;
    let outputs = detached::run(py, size, |cancel| {
        type Workspaces = (continuous::Workspace<f32>, continuous::Workspace<f64>);
        ordered_map(&clips, Workspaces::default, |(single, double), clip| match clip {
            _ if cancel.is_set() => Output::Double(Vec::new(), Vec::new()),
            AnyFrames::Single(frames) => {
                let Filtered { times, scores } = continuous::median_filter(frames, &lengths, time_decimals, single);
                Output::Single(scores, times)
            }
            AnyFrames::Double(frames) => {
                let Filtered { times, scores } = continuous::median_filter(frames, &lengths, time_decimals, double);
                Output::Double(scores, times)
            }
        })
    })?;
    to_clips(py, outputs, event_classes.len())
}

/// Medians of `sizes` frames, one for each class.
#[expect(clippy::too_many_arguments, reason = "what is known of the clips and of the filter")]
#[pyfunction]
pub fn median_filter_frames<'py>(
    py: Python<'py>,
    event_classes: Vec<String>,
    clip_ids: Vec<String>,
    scores: Vec<Bound<'py, PyAny>>,
    edges: Vec<Bound<'py, PyAny>>,
    sizes: Vec<usize>,
    mode: &str,
    cval: f64,
) -> PyResult<Vec<Clip<'py>>> {
    if sizes.len() != event_classes.len() || sizes.contains(&0) {
        return Err(PyValueError::new_err("every class needs a size of at least one frame"));
    }
    let single = boundary(mode, cval as f32)?;
    let double = boundary(mode, cval)?;
    let (clips, size) = frames_of(&event_classes, &clip_ids, &scores, &edges)?;
    let outputs = detached::run(py, size, |cancel| {
        type Workspaces = (frames::Workspace<f32>, frames::Workspace<f64>);
        ordered_map(&clips, Workspaces::default, |(of_single, of_double), clip| match clip {
            AnyFrames::Single(frames) => {
                Output::Single(all_classes(frames, &sizes, single, of_single, cancel), frames.edges().times().to_vec())
            }
            AnyFrames::Double(frames) => {
                Output::Double(all_classes(frames, &sizes, double, of_double, cancel), frames.edges().times().to_vec())
            }
        })
    })?;
    to_clips(py, outputs, event_classes.len())
}

fn boundary<S>(mode: &str, cval: S) -> PyResult<Boundary<S>> {
    Ok(match mode {
        "reflect" => Boundary::Reflect,
        "mirror" => Boundary::Mirror,
        "nearest" => Boundary::Nearest,
        "wrap" => Boundary::Wrap,
        "constant" => Boundary::Constant(cval),
        _ => return Err(PyValueError::new_err(format!("there is no mode '{mode}'"))),
    })
}

fn all_classes<S: Score>(
    clip: &Frames<S>,
    sizes: &[usize],
    boundary: Boundary<S>,
    workspace: &mut frames::Workspace<S>,
    cancel: &Cancel,
) -> Vec<S> {
    let mut all = Vec::with_capacity(clip.n_frames() * sizes.len());
    let mut filtered = Vec::new();
    for (class, size) in sizes.iter().enumerate() {
        if !cancel.is_set() {
            frames::median_filter(clip.class(class), *size, boundary, workspace, &mut filtered);
        }
        all.extend_from_slice(&filtered);
    }
    all
}
