//! The store of deltas.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use soundeval_core::clip_deltas::ClipDeltas;
use soundeval_core::curves::psd_roc::{Setting, averaged_psd_roc};
use soundeval_core::events::ClipEvents;
use soundeval_core::parallel::num_threads;
use soundeval_core::store::{self, ClipInput};

use crate::arrays::{Arrays, Buffers, LastEdges};
use crate::criterion;
use crate::detached;
use crate::errors::to_python;
use crate::event_lists::{Columns, by_clip, event_lists};

type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Ints<'py> = Bound<'py, PyArray1<i64>>;

/// Frames times classes for each thread that are copied, then worked on: they are still in its cache then, and
/// the next batch takes the same memory.
const BATCH: usize = 1 << 18;

/// Frames times classes from which on a clip is a long recording.
const LONG: usize = 1 << 22;

/// Deltas of many clips under one criterion, by clip id.
#[pyclass(frozen, module = "soundeval._core")]
pub struct DeltaStore {
    // Work is done detached, so the lock is Rust's and not the GIL.
    inner: RwLock<store::DeltaStore>,
}

impl DeltaStore {
    fn wrap(inner: store::DeltaStore) -> Self {
        Self { inner: RwLock::new(inner) }
    }

    /// Panics do not leave a store half changed, so a poisoned lock is as good as any.
    fn read(&self) -> RwLockReadGuard<'_, store::DeltaStore> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, store::DeltaStore> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl DeltaStore {
    #[new]
    fn new(event_classes: Vec<String>, criterion: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let store = store::DeltaStore::new(criterion::from_tuple(criterion)?, event_classes);
        Ok(Self::wrap(store.map_err(to_python)?))
    }

    /// Adds clips; `event_counts[i]` events of clip `i` follow each other in `onsets`, `offsets` and `classes`.
    #[expect(clippy::too_many_arguments, reason = "columns of one table")]
    fn extend(
        &self,
        py: Python<'_>,
        clip_ids: Vec<String>,
        scores: Vec<Bound<'_, PyAny>>,
        edges: Vec<Bound<'_, PyAny>>,
        event_counts: Vec<usize>,
        onsets: Vec<f64>,
        offsets: Vec<f64>,
        classes: Vec<usize>,
        durations: Vec<Option<f64>>,
    ) -> PyResult<()> {
        let n_clips = clip_ids.len();
        if scores.len() != n_clips || edges.len() != n_clips || durations.len() != n_clips {
            return Err(PyValueError::new_err("the columns of clips differ in length"));
        }
        let names = py.detach(|| self.read().classes().to_vec());
        let events = by_clip((event_counts, onsets, offsets, classes), n_clips, names.len())?;
        let batch_size = BATCH * num_threads();
        let mut batch = Vec::new();
        let mut size = 0;
        let mut buffers = Buffers::default();
        let mut last_edges = LastEdges::default();
        let clips = clip_ids.into_iter().zip(scores.iter().zip(&edges)).zip(events).zip(durations);
        for (((id, (scores, edges)), events), duration) in clips {
            let arrays = Arrays::new(&id, names.len(), scores, edges, &mut last_edges)?;
            let events = ClipEvents::new(events);
            let (n_frames, n_classes) = arrays.shape();
            if n_frames.saturating_mul(n_classes) > LONG {
                self.extend_by_class(py, &id, &arrays, &events, duration, &names, &mut buffers)?;
                continue;
            }
            let frames = arrays.frames(0..n_classes, &names, &mut Buffers::default())?;
            size += n_frames * n_classes;
            batch.push(ClipInput { id, first_class: 0, frames, events, duration });
            if size >= batch_size {
                self.extend_by_clips(py, std::mem::take(&mut batch), size)?;
                py.check_signals()?;
                size = 0;
            }
        }
        self.extend_by_clips(py, batch, size)
    }

    /// Adds clips whose detections are lists of events.
    fn extend_with_events(
        &self,
        py: Python<'_>,
        clip_ids: Vec<String>,
        detections: Columns,
        targets: Columns,
        durations: Vec<Option<f64>>,
    ) -> PyResult<()> {
        let n_classes = py.detach(|| self.read().classes().len());
        let clips = event_lists(clip_ids, detections, targets, durations, n_classes)?;
        let extended = detached::run(py, usize::MAX, move |cancel| {
            // Others may read the store while the deltas are computed.
            let deltas = self.read().compute_events(&clips, cancel)?;
            if cancel.is_set() {
                return Ok(());
            }
            let ids = clips.into_iter().map(|clip| clip.id);
            self.write().insert(ids.zip(deltas).collect())
        })?;
        extended.map_err(to_python)
    }

    /// Adds the clips of another store.
    fn merge(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        detached::run(py, 0, |_| {
            let other = other.read().clone();
            self.write().merge(other)
        })?
        .map_err(to_python)
    }

    /// The store as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.read().to_bytes()))
    }

    /// A store from the bytes of another one.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let data = data.to_vec();
        let store = detached::run(py, 0, move |_| store::DeltaStore::from_bytes(&data))?;
        Ok(Self::wrap(store.map_err(to_python)?))
    }

    #[getter]
    fn event_classes(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.read().classes().to_vec())
    }

    /// The criterion as the tuple from which the store was made.
    #[getter]
    fn criterion<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let criterion = py.detach(|| *self.read().criterion());
        criterion::to_tuple(py, &criterion)
    }

    fn clip_ids(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.read().clip_ids().map(str::to_owned).collect())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().clip_ids().len())
    }

    fn n_ref(&self, py: Python<'_>) -> Vec<usize> {
        py.detach(|| self.read().n_ref())
    }

    /// Number of negative entries of each class; `None` where events are counted.
    fn n_negatives(&self, py: Python<'_>) -> Option<Vec<usize>> {
        py.detach(|| self.read().n_negatives())
    }

    /// Substitutions, deletions, insertions and targets over `classes`, each at its threshold; `None` where events
    /// are counted.
    fn overall_errors(
        &self,
        py: Python<'_>,
        classes: Vec<usize>,
        thresholds: Vec<f64>,
    ) -> PyResult<Option<(u64, u64, u64, u64)>> {
        self.check_classes(py, &classes)?;
        if classes.len() != thresholds.len() {
            return Err(PyValueError::new_err("every class needs a threshold"));
        }
        let classes: Vec<(usize, f64)> = classes.into_iter().zip(thresholds).collect();
        let errors = detached::run(py, self.size(py), |_| self.read().overall_errors(&classes))?;
        Ok(errors.map(|errors| (errors.substitutions, errors.deletions, errors.insertions, errors.n_ref)))
    }

    fn t_ref(&self, py: Python<'_>) -> Vec<f64> {
        py.detach(|| self.read().t_ref())
    }

    /// Thresholds, true positives, false positives, and cross triggers on each other class of `classes`.
    fn class_statistics<'py>(
        &self,
        py: Python<'py>,
        class_index: usize,
        classes: Vec<usize>,
    ) -> PyResult<(Floats<'py>, Ints<'py>, Ints<'py>, Vec<(usize, Ints<'py>)>)> {
        let others: Vec<usize> = classes.into_iter().filter(|other| *other != class_index).collect();
        self.check_classes(py, others.iter().chain([&class_index]))?;
        let statistics = detached::run(py, self.size(py), |_| {
            let store = self.read();
            let counted = store.criterion().counts_cross_triggers();
            store.class_statistics(class_index, if counted { &others } else { &[] })
        })?;
        let cts = others.iter().zip(statistics.cts);
        Ok((
            statistics.thresholds.into_pyarray(py),
            statistics.tps.into_pyarray(py),
            statistics.fps.into_pyarray(py),
            cts.map(|(other, counts)| (*other, counts.into_pyarray(py))).collect(),
        ))
    }

    /// The averaged curve (etpr, efpr) and that of each class (tpr, efpr, thresholds).
    #[expect(clippy::too_many_arguments, reason = "the parameters of the curve, checked and named in Python")]
    #[pyo3(signature = (classes, dataset_duration, alpha_ct, alpha_st, seconds_per_unit, max_efpr, oracle))]
    fn psd_roc<'py>(
        &self,
        py: Python<'py>,
        classes: Vec<usize>,
        dataset_duration: f64,
        alpha_ct: f64,
        alpha_st: f64,
        seconds_per_unit: f64,
        max_efpr: Option<f64>,
        oracle: bool,
    ) -> PyResult<(Floats<'py>, Floats<'py>, Vec<(Floats<'py>, Floats<'py>, Floats<'py>)>)> {
        self.check_classes(py, &classes)?;
        let setting = Setting { dataset_duration, alpha_ct, seconds_per_unit, max_efpr, oracle };
        let (rocs, (etpr, efpr)) = detached::run(py, self.size(py), |cancel| {
            let rocs = self.read().psd_rocs(&classes, &setting, cancel);
            let averaged = averaged_psd_roc(&rocs, alpha_st, max_efpr);
            (rocs, averaged)
        })?;
        let rocs = rocs
            .into_iter()
            .map(|roc| (roc.tpr.into_pyarray(py), roc.efpr.into_pyarray(py), roc.thresholds.into_pyarray(py)));
        Ok((etpr.into_pyarray(py), efpr.into_pyarray(py), rocs.collect()))
    }
}

impl DeltaStore {
    /// What work on all deltas is measured by.
    fn size(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().n_deltas())
    }

    /// Adds whole clips.
    fn extend_by_clips(&self, py: Python<'_>, batch: Vec<ClipInput>, size: usize) -> PyResult<()> {
        let extended = detached::run(py, size, move |cancel| {
            // Others may read the store while the deltas are computed.
            let deltas = self.read().compute(&batch, cancel)?;
            if cancel.is_set() {
                return Ok(());
            }
            let ids = batch.into_iter().map(|input| input.id);
            self.write().insert(ids.zip(deltas).collect())
        })?;
        extended.map_err(to_python)
    }

    /// Adds a long recording, with as many classes at once as there are threads: a copy of all of it would
    /// be large, and memory that is used for the first time is slow.
    #[expect(clippy::too_many_arguments, reason = "what is known of one clip")]
    fn extend_by_class(
        &self,
        py: Python<'_>,
        id: &str,
        arrays: &Arrays<'_, '_>,
        events: &ClipEvents,
        duration: Option<f64>,
        names: &[String],
        buffers: &mut Buffers,
    ) -> PyResult<()> {
        let (n_frames, n_classes) = arrays.shape();
        let mut whole: Option<ClipDeltas> = None;
        for first in (0..n_classes).step_by(num_threads()) {
            let classes = first..(first + num_threads()).min(n_classes);
            let size = n_frames * classes.len();
            let frames = arrays.frames(classes.clone(), &names[classes], buffers)?;
            let input = ClipInput { id: id.to_owned(), first_class: first, frames, events: events.clone(), duration };
            let (input, deltas) = detached::run(py, size, move |cancel| {
                let deltas = self.read().compute(std::slice::from_ref(&input), cancel);
                (input, deltas)
            })?;
            py.check_signals()?;
            buffers.reclaim(input.frames);
            for deltas in deltas.map_err(to_python)? {
                match &mut whole {
                    None => whole = Some(deltas),
                    Some(whole) => whole.append(deltas),
                }
            }
        }
        let clips = whole.map(|deltas| (id.to_owned(), deltas)).into_iter().collect();
        py.detach(|| self.write().insert(clips)).map_err(to_python)
    }

    fn check_classes<'a>(&self, py: Python<'_>, classes: impl IntoIterator<Item = &'a usize>) -> PyResult<()> {
        let n_classes = py.detach(|| self.read().classes().len());
        if classes.into_iter().all(|class| *class < n_classes) {
            Ok(())
        } else {
            Err(PyValueError::new_err("a class index is out of range"))
        }
    }
}

/// The area under a PSD-ROC up to `max_efpr`, divided by `max_efpr`.
#[pyfunction]
pub fn psds_from_psd_roc(tpr: PyReadonlyArray1<'_, f64>, efpr: PyReadonlyArray1<'_, f64>, max_efpr: f64) -> f64 {
    let (tpr, efpr) = (tpr.as_array().to_vec(), efpr.as_array().to_vec());
    soundeval_core::metrics::psds::psds(&tpr, &efpr, max_efpr)
}
