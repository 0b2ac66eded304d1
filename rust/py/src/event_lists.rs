//! Lists of detections: counted, and matched with targets one by one.

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use soundeval_core::event_lists::{ClipMatches, EventLists, match_events as matches_of};
use soundeval_core::events::{Event, Labelled};

use crate::criterion;
use crate::detached;
use crate::errors::to_python;

type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Ints<'py> = Bound<'py, PyArray1<i64>>;

/// Events of clips: how many each has, then onsets, offsets and classes of all, clip by clip.
pub type Columns = (Vec<usize>, Vec<f64>, Vec<f64>, Vec<usize>);

/// Events: clip, class, onset and offset.
type Table<'py> = (Ints<'py>, Ints<'py>, Floats<'py>, Floats<'py>);

/// Detections and targets; pairs of their rows; rows of false alarms and of misses; rows of
/// detections with the class triggered; rows of detections and targets substituted; the units of every clip.
type Matches<'py> = (
    Table<'py>,
    Table<'py>,
    (Ints<'py>, Ints<'py>),
    Ints<'py>,
    Ints<'py>,
    (Ints<'py>, Ints<'py>),
    (Ints<'py>, Ints<'py>),
    Ints<'py>,
);

/// Brings the columns of clips together.
pub fn event_lists(
    ids: Vec<String>,
    detections: Columns,
    targets: Columns,
    durations: Vec<Option<f64>>,
    n_classes: usize,
) -> PyResult<Vec<EventLists>> {
    if durations.len() != ids.len() {
        return Err(PyValueError::new_err("the columns of clips differ in length"));
    }
    let detections = by_clip(detections, ids.len(), n_classes)?;
    let targets = by_clip(targets, ids.len(), n_classes)?;
    let clips = ids.into_iter().zip(detections.into_iter().zip(targets)).zip(durations);
    Ok(clips.map(|((id, (detections, targets)), duration)| EventLists { id, detections, targets, duration }).collect())
}

/// The events of every clip, of columns that fit together.
pub fn by_clip(columns: Columns, n_clips: usize, n_classes: usize) -> PyResult<Vec<Vec<Labelled>>> {
    let (counts, onsets, offsets, classes) = columns;
    let n_events = counts.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n));
    if counts.len() != n_clips || [onsets.len(), offsets.len(), classes.len()].map(Some) != [n_events; 3] {
        return Err(PyValueError::new_err("the columns of events differ in length"));
    }
    if classes.iter().any(|class| *class >= n_classes) {
        return Err(PyValueError::new_err("an event has a class that does not exist"));
    }
    let times = onsets.into_iter().zip(offsets).map(|(onset, offset)| Event { onset, offset });
    let mut events = classes.into_iter().zip(times);
    Ok(counts.into_iter().map(|n| events.by_ref().take(n).collect()).collect())
}

/// What became of every detection and every target.
#[pyfunction]
pub fn match_events<'py>(
    py: Python<'py>,
    criterion: &Bound<'py, PyTuple>,
    n_classes: usize,
    clip_ids: Vec<String>,
    detections: Columns,
    targets: Columns,
    durations: Vec<Option<f64>>,
) -> PyResult<Matches<'py>> {
    let criterion = criterion::from_tuple(criterion)?;
    let clips = event_lists(clip_ids, detections, targets, durations, n_classes)?;
    let flat = detached::run(py, usize::MAX, |cancel| {
        matches_of(&criterion, &clips, true, cancel).map(|matches| Flat::new(&matches))
    })?;
    Ok(flat.map_err(to_python)?.into_python(py))
}

/// The matches of all clips, one after the other.
#[derive(Default)]
struct Flat {
    detections: FlatTable,
    targets: FlatTable,
    pairs: (Vec<i64>, Vec<i64>),
    false_alarms: Vec<i64>,
    misses: Vec<i64>,
    cross_triggers: (Vec<i64>, Vec<i64>),
    substitutions: (Vec<i64>, Vec<i64>),
    n_units: Vec<i64>,
}

#[derive(Default)]
struct FlatTable {
    clips: Vec<i64>,
    classes: Vec<i64>,
    onsets: Vec<f64>,
    offsets: Vec<f64>,
}

impl FlatTable {
    fn extend(&mut self, clip: usize, events: &[Labelled]) {
        for (class, event) in events {
            self.clips.push(clip as i64);
            self.classes.push(*class as i64);
            self.onsets.push(event.onset);
            self.offsets.push(event.offset);
        }
    }

    fn into_python(self, py: Python<'_>) -> Table<'_> {
        (
            self.clips.into_pyarray(py),
            self.classes.into_pyarray(py),
            self.onsets.into_pyarray(py),
            self.offsets.into_pyarray(py),
        )
    }
}

impl Flat {
    fn new(clips: &[ClipMatches<'_>]) -> Self {
        let mut flat = Self::default();
        for (clip, matches) in clips.iter().enumerate() {
            // Numbers are those of the clip; rows go on from one clip to the next.
            let (first_detection, first_target) = (flat.detections.clips.len(), flat.targets.clips.len());
            let detected = |number: &u32| (first_detection + *number as usize) as i64;
            let target = |number: &u32| (first_target + *number as usize) as i64;
            flat.detections.extend(clip, &matches.detections);
            flat.targets.extend(clip, &matches.targets);
            for (number, found) in &matches.pairs {
                flat.pairs.0.push(detected(number));
                flat.pairs.1.push(target(found));
            }
            flat.false_alarms.extend(matches.false_alarms.iter().map(detected));
            flat.misses.extend(matches.misses.iter().map(target));
            for (number, other) in &matches.cross_triggers {
                flat.cross_triggers.0.push(detected(number));
                flat.cross_triggers.1.push(i64::from(*other));
            }
            for (number, missed) in &matches.substitutions {
                flat.substitutions.0.push(detected(number));
                flat.substitutions.1.push(target(missed));
            }
            flat.n_units.push(matches.n_units as i64);
        }
        flat
    }

    fn into_python(self, py: Python<'_>) -> Matches<'_> {
        let (matched, found) = self.pairs;
        let (triggering, triggered) = self.cross_triggers;
        let (substituting, substituted) = self.substitutions;
        (
            self.detections.into_python(py),
            self.targets.into_python(py),
            (matched.into_pyarray(py), found.into_pyarray(py)),
            self.false_alarms.into_pyarray(py),
            self.misses.into_pyarray(py),
            (triggering.into_pyarray(py), triggered.into_pyarray(py)),
            (substituting.into_pyarray(py), substituted.into_pyarray(py)),
            self.n_units.into_pyarray(py),
        )
    }
}
