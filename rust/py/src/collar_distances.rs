//! Distances of matched detections: scores and events of every clip in, changes and their sums out.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use soundeval_core::criteria::Criterion;
use soundeval_core::criteria::collar_distances::{self, PairChange, Workspace};
use soundeval_core::events::{ClassEvents, ClipEvents};
use soundeval_core::parallel::ordered_map;
use soundeval_core::store::AnyFrames;

use crate::arrays::frames_of;
use crate::event_lists::{Columns, by_clip};
use crate::{criterion, detached};

type Floats<'py> = Bound<'py, PyArray1<f64>>;

/// Scores, distances of onsets and of offsets, and whether a pair comes.
type Changes<'py> = (Floats<'py>, Floats<'py>, Floats<'py>, Bound<'py, PyArray1<bool>>);

/// Thresholds, numbers of pairs, and sums of the distances of onsets and of offsets.
type Distances<'py> = (Floats<'py>, Bound<'py, PyArray1<i64>>, Floats<'py>, Floats<'py>);

/// The pairs that come and go, class by class.
#[pyfunction]
pub fn pair_changes<'py>(
    py: Python<'py>,
    event_classes: Vec<String>,
    clip_ids: Vec<String>,
    scores: Vec<Bound<'py, PyAny>>,
    edges: Vec<Bound<'py, PyAny>>,
    events: Columns,
    criterion: &Bound<'py, PyTuple>,
) -> PyResult<Vec<Changes<'py>>> {
    let Criterion::Collar(collar) = criterion::from_tuple(criterion)? else {
        return Err(PyValueError::new_err("only collars have distances"));
    };
    let n_classes = event_classes.len();
    let events = by_clip(events, clip_ids.len(), n_classes)?;
    let (frames, size) = frames_of(&event_classes, &clip_ids, &scores, &edges)?;
    let clips: Vec<(AnyFrames, ClipEvents)> = frames.into_iter().zip(events.into_iter().map(ClipEvents::new)).collect();
    let changes = detached::run(py, size, |cancel| {
        type Workspaces = (Workspace<f32>, Workspace<f64>);
        ordered_map(&clips, Workspaces::default, |(single, double), (frames, events)| {
            let of_class = |class: &ClassEvents| {
                let mut out = Vec::new();
                let (class, targets) = (class.class, &class.events);
                match frames {
                    _ if cancel.is_set() => {}
                    AnyFrames::Single(frames) => {
                        collar_distances::push_pair_changes(&collar, frames, class, targets, single, cancel, &mut out);
                    }
                    AnyFrames::Double(frames) => {
                        collar_distances::push_pair_changes(&collar, frames, class, targets, double, cancel, &mut out);
                    }
                }
                (class, out)
            };
            events.classes().iter().map(of_class).collect::<Vec<_>>()
        })
    })?;
    let mut by_class: Vec<Vec<PairChange>> = vec![Vec::new(); n_classes];
    for (class, changes) in changes.into_iter().flatten() {
        by_class[class].extend(changes);
    }
    Ok(by_class.into_iter().map(|changes| to_arrays(py, &changes)).collect())
}

fn to_arrays<'py>(py: Python<'py>, changes: &[PairChange]) -> Changes<'py> {
    let floats = |of: fn(&PairChange) -> f64| changes.iter().map(of).collect::<Vec<f64>>().into_pyarray(py);
    (
        floats(|change| change.score),
        floats(|change| change.onset_distance),
        floats(|change| change.offset_distance),
        changes.iter().map(|change| change.comes).collect::<Vec<bool>>().into_pyarray(py),
    )
}

/// The sums at all thresholds of the changes of any clips.
#[pyfunction]
pub fn cumulated_distances<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    onset_distances: PyReadonlyArray1<'py, f64>,
    offset_distances: PyReadonlyArray1<'py, f64>,
    comes: PyReadonlyArray1<'py, bool>,
) -> PyResult<Distances<'py>> {
    let columns = (scores.as_array(), onset_distances.as_array(), offset_distances.as_array(), comes.as_array());
    if [columns.1.len(), columns.2.len(), columns.3.len()] != [columns.0.len(); 3] {
        return Err(PyValueError::new_err("the columns of changes differ in length"));
    }
    let rows = (0..columns.0.len()).map(|i| PairChange {
        score: columns.0[i],
        onset_distance: columns.1[i],
        offset_distance: columns.2[i],
        comes: columns.3[i],
    });
    let found = collar_distances::cumulate(rows.collect());
    Ok((
        found.thresholds.into_pyarray(py),
        found.n_matched.into_pyarray(py),
        found.onset_distance_sums.into_pyarray(py),
        found.offset_distance_sums.into_pyarray(py),
    ))
}
