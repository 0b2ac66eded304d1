//! Tagging: a matrix of scores and one of labels, clips by classes.
//!
//! The matrices are walked through in blocks of classes, so that never more than a few columns are copied, whatever
//! the size of the data set. Labels are `uint8`: 0, 1, and 2 for unknown.

use std::ops::Range;

use numpy::ndarray::{Array2, ArrayView2, s};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use soundeval_core::error::Result;
use soundeval_core::parallel::{Cancel, ordered_map};
use soundeval_core::tagging::distances::{Distances, LabelLists, Unlabeled, nearest_labels};
use soundeval_core::tagging::keys::RankedScore;
use soundeval_core::tagging::labels::{RankedLabel, rank_labels};
use soundeval_core::tagging::metrics::{AveragePrecision, BestF, RocArea};
use soundeval_core::tagging::obce::{self, MeanOver, TargetDistance};
use soundeval_core::tagging::omap::{self, Levels, Normalization, ontology_aware_average_precision};
use soundeval_core::tagging::ranking::{self, Column};
use soundeval_core::tagging::weights::{ClipWeights, Ones, Weights};

use crate::detached;
use crate::errors::to_python;

type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Ints<'py> = Bound<'py, PyArray1<i64>>;
type Labels<'py> = PyReadonlyArray2<'py, u8>;

/// Entries that are copied at once; a block has at least one class.
const BLOCK: usize = 1 << 20;

/// Copies `columns` of a matrix, one after the other.
fn copy_columns<T: Copy + Default>(matrix: ArrayView2<'_, T>, columns: Range<usize>, out: &mut Vec<T>) {
    /// Rows that stay in the cache while they are read column by column.
    const ROWS: usize = 256;
    let n_rows = matrix.nrows();
    let part = matrix.slice(s![.., columns]);
    out.clear();
    if let Some(columns) = part.t().as_slice() {
        out.extend_from_slice(columns);
        return;
    }
    out.resize(n_rows * part.ncols(), T::default());
    for first in (0..n_rows).step_by(ROWS) {
        let rows = first..(first + ROWS).min(n_rows);
        for (column, out) in out.chunks_exact_mut(n_rows).enumerate() {
            let from = part.slice(s![rows.clone(), column]);
            out[rows.clone()].iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
    }
}

/// Copies block after block and does `work` for each class of it, detached and in parallel.
///
/// `prepare` makes what the classes of a block share; `space` makes memory that a thread reuses.
fn each_class<S, P, X, R>(
    py: Python<'_>,
    (scores, labels): (ArrayView2<'_, S>, ArrayView2<'_, u8>),
    mut prepare: impl FnMut(Range<usize>) -> P + Send,
    space: impl Fn() -> X + Sync + Send,
    work: impl Fn(&mut X, Column<'_, S>, &P, usize) -> Result<R> + Sync + Send,
) -> PyResult<Vec<R>>
where
    S: RankedScore + Default,
    P: Sync + Send,
    R: Send,
{
    let (n_clips, n_classes) = scores.dim();
    if labels.dim() != scores.dim() {
        return Err(PyValueError::new_err("scores and labels differ in shape"));
    }
    let width = (BLOCK / n_clips.max(1)).max(1);
    let mut results = Vec::with_capacity(n_classes);
    let (mut score_columns, mut label_columns) = (Vec::new(), Vec::new());
    for first in (0..n_classes).step_by(width) {
        let classes = first..(first + width).min(n_classes);
        copy_columns(scores, classes.clone(), &mut score_columns);
        copy_columns(labels, classes.clone(), &mut label_columns);
        let block = detached::run(py, score_columns.len(), |cancel: &Cancel| {
            let shared = prepare(classes.clone());
            let columns: Vec<usize> = classes.clone().collect();
            ordered_map(&columns, &space, |space, class| {
                if cancel.is_set() {
                    return None;
                }
                let place = (class - first) * n_clips..(class - first + 1) * n_clips;
                let column =
                    Column { scores: &score_columns[place.clone()], labels: &label_columns[place], class: *class };
                Some(work(space, column, &shared, class - first))
            })
        })?;
        py.check_signals()?;
        for result in block.into_iter().flatten() {
            results.push(result.map_err(to_python)?);
        }
    }
    Ok(results)
}

/// Does `work` for each class with the memory to rank its clips.
fn each_ranking<S, W, R>(
    py: Python<'_>,
    matrices: (ArrayView2<'_, S>, ArrayView2<'_, u8>),
    _weights: &W,
    work: impl Fn(&mut ranking::Workspace<S::Key, W::Tally>, Column<'_, S>) -> Result<R> + Sync + Send,
) -> PyResult<Vec<R>>
where
    S: RankedScore + Default,
    W: Weights,
    R: Send,
{
    let space = ranking::Workspace::default;
    each_class(py, matrices, |_| (), space, |space, column, (), _| work(space, column))
}

/// Calls a function with the scores in the precision they have, and the weights if there are any.
macro_rules! with_kinds {
    ($scores:expr, $weights:expr, $function:ident($($argument:expr),*)) => {{
        let weights = match $weights {
            None => None,
            Some(weights) => Some(ClipWeights::new(&weights.as_array().to_vec()).map_err(to_python)?),
        };
        if let Ok(scores) = $scores.cast::<PyArray2<f32>>() {
            let scores = scores.readonly();
            match weights {
                None => $function($($argument,)* scores.as_array(), &Ones),
                Some(weights) => $function($($argument,)* scores.as_array(), &weights),
            }
        } else if let Ok(scores) = $scores.cast::<PyArray2<f64>>() {
            let scores = scores.readonly();
            match weights {
                None => $function($($argument,)* scores.as_array(), &Ones),
                Some(weights) => $function($($argument,)* scores.as_array(), &weights),
            }
        } else {
            Err(PyTypeError::new_err("y_score must be a two-dimensional float32 or float64 array"))
        }
    }};
}

/// Average precision, ROC area, positives and negatives of every class.
#[pyfunction]
pub fn tagging_numbers<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Labels<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    max_fpr: f64,
) -> PyResult<(Floats<'py>, Floats<'py>, Floats<'py>, Floats<'py>)> {
    fn numbers<S: RankedScore + Default, W: Weights>(
        py: Python<'_>,
        labels: ArrayView2<'_, u8>,
        max_fpr: f64,
        scores: ArrayView2<'_, S>,
        weights: &W,
    ) -> PyResult<Vec<[f64; 4]>> {
        each_ranking(py, (scores, labels), weights, |space, column| {
            let mut precision = AveragePrecision::default();
            let mut area = RocArea::new(max_fpr);
            let totals = ranking::points(column, weights, space, |totals, point| {
                precision.add(point);
                area.add(totals, point);
            })?;
            Ok([precision.value(totals), area.value(totals), totals.positives, totals.negatives])
        })
    }
    let rows = with_kinds!(scores, weights, numbers(py, labels.as_array(), max_fpr))?;
    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>().into_pyarray(py);
    Ok((column(0), column(1), column(2), column(3)))
}

/// Points of all classes, one class after the other and the highest threshold first.
#[pyfunction]
pub fn tagging_points<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Labels<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<(Ints<'py>, Vec<Floats<'py>>, Floats<'py>, Floats<'py>)> {
    fn all_points<S: RankedScore + Default, W: Weights>(
        py: Python<'_>,
        labels: ArrayView2<'_, u8>,
        scores: ArrayView2<'_, S>,
        weights: &W,
    ) -> PyResult<Vec<([f64; 2], Vec<[f64; 4]>)>> {
        each_ranking(py, (scores, labels), weights, |space, column| {
            let mut found = Vec::new();
            let totals = ranking::points(column, weights, space, |_, point| {
                found.push([S::from_key(point.key), point.tps, point.fps_above, point.fps]);
            })?;
            Ok(([totals.positives, totals.negatives], found))
        })
    }
    let classes = with_kinds!(scores, weights, all_points(py, labels.as_array()))?;
    let mut starts = vec![0_i64];
    let mut end = 0;
    starts.extend(classes.iter().map(|(_, points)| {
        end += points.len() as i64;
        end
    }));
    let columns = (0..4).map(|i| {
        let column: Vec<f64> =
            classes.iter().flat_map(|(_, points)| points.iter().map(move |point| point[i])).collect();
        column.into_pyarray(py)
    });
    let total = |i: usize| classes.iter().map(|(totals, _)| totals[i]).collect::<Vec<f64>>().into_pyarray(py);
    Ok((starts.into_pyarray(py), columns.collect(), total(0), total(1)))
}

/// Best F, and its threshold, true and false positives, of every class; NaN without positives.
#[pyfunction]
pub fn tagging_best_f<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Labels<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    beta: f64,
) -> PyResult<(Vec<Floats<'py>>, Floats<'py>)> {
    fn best<S: RankedScore + Default, W: Weights>(
        py: Python<'_>,
        labels: ArrayView2<'_, u8>,
        beta: f64,
        scores: ArrayView2<'_, S>,
        weights: &W,
    ) -> PyResult<Vec<[f64; 5]>> {
        each_ranking(py, (scores, labels), weights, |space, column| {
            let mut best = BestF::new(beta);
            let totals = ranking::points(column, weights, space, |totals, point| best.add(totals, point))?;
            let found =
                best.value().map_or([f64::NAN; 4], |(f, point)| [f, S::from_key(point.key), point.tps, point.fps]);
            Ok([found[0], found[1], found[2], found[3], totals.positives])
        })
    }
    let rows = with_kinds!(scores, weights, best(py, labels.as_array(), beta))?;
    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>().into_pyarray(py);
    Ok(((0..4).map(column).collect(), column(4)))
}

/// Clip, class, hits and rank of every label, clip by clip.
#[pyfunction]
pub fn tagging_ranked_labels<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Labels<'py>,
) -> PyResult<(Ints<'py>, Ints<'py>, Ints<'py>, Ints<'py>)> {
    fn ranks<S: RankedScore + Default, W: Weights>(
        py: Python<'_>,
        labels: ArrayView2<'_, u8>,
        scores: ArrayView2<'_, S>,
        _weights: &W,
    ) -> PyResult<Vec<(i64, RankedLabel)>> {
        let mut all = Vec::new();
        if scores.dim() != labels.dim() {
            return Err(PyValueError::new_err("scores and labels differ in shape"));
        }
        let (n_clips, n_classes) = scores.dim();
        let height = (BLOCK / n_classes.max(1)).max(1);
        let (mut row_scores, mut row_labels) = (Vec::new(), Vec::new());
        for first in (0..n_clips).step_by(height) {
            let clips = first..(first + height).min(n_clips);
            // The columns of the transposed matrix are the clips.
            copy_columns(scores.t(), clips.clone(), &mut row_scores);
            copy_columns(labels.t(), clips.clone(), &mut row_labels);
            let rows: Vec<usize> = clips.collect();
            let found = detached::run(py, row_scores.len(), |cancel: &Cancel| {
                ordered_map(&rows, Default::default, |space, clip| {
                    let place = (clip - first) * n_classes..(clip - first + 1) * n_classes;
                    let mut out = Vec::new();
                    if !cancel.is_set() {
                        rank_labels(&row_scores[place.clone()], &row_labels[place], space, &mut out);
                    }
                    out
                })
            })?;
            py.check_signals()?;
            for (clip, labels) in rows.iter().zip(found) {
                all.extend(labels.into_iter().map(|label| (*clip as i64, label)));
            }
        }
        Ok(all)
    }
    let rows = with_kinds!(scores, None::<PyReadonlyArray1<'py, f64>>, ranks(py, labels.as_array()))?;
    let column = |of: fn(&(i64, RankedLabel)) -> i64| rows.iter().map(of).collect::<Vec<i64>>().into_pyarray(py);
    Ok((
        column(|row| row.0),
        column(|row| row.1.class as i64),
        column(|row| i64::from(row.1.hits)),
        column(|row| i64::from(row.1.rank)),
    ))
}

fn distances_of(matrix: &PyReadonlyArray2<'_, f64>) -> PyResult<Distances> {
    let matrix = matrix.as_array();
    let (n_rows, n_columns) = matrix.dim();
    if n_rows != n_columns {
        return Err(PyValueError::new_err(format!("distances must be a square matrix, got {n_rows} by {n_columns}")));
    }
    Distances::new(&matrix.iter().copied().collect::<Vec<f64>>(), n_rows).map_err(to_python)
}

fn lists_of(labels: ArrayView2<'_, u8>) -> LabelLists {
    let mut lists = LabelLists::default();
    for row in labels.rows() {
        match row.as_slice() {
            Some(row) => lists.push(row),
            None => lists.push(&row.to_vec()),
        }
    }
    lists
}

/// OAP by level and class, positives of every class, and the number of clips without labels.
#[expect(clippy::too_many_arguments, reason = "the data and the options of the metric")]
#[pyfunction]
pub fn tagging_oap<'py>(
    py: Python<'py>,
    scores: Bound<'py, PyAny>,
    labels: Labels<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    distances: PyReadonlyArray2<'py, f64>,
    levels: Vec<f64>,
    normalization: &str,
    unlabeled: &str,
    strict: bool,
) -> PyResult<(Bound<'py, PyArray2<f64>>, Floats<'py>, usize)> {
    struct Options {
        distances: Distances,
        lists: LabelLists,
        levels: Levels,
        unlabeled: Unlabeled,
        strict: bool,
    }
    fn oap<S: RankedScore + Default, W: Weights>(
        py: Python<'_>,
        labels: ArrayView2<'_, u8>,
        options: &Options,
        scores: ArrayView2<'_, S>,
        weights: &W,
    ) -> PyResult<Vec<(Vec<f64>, f64)>> {
        let Options { distances, lists, levels, unlabeled, strict } = options;
        let n_clips = lists.len();
        let prepare = |classes: Range<usize>| {
            let mut nearest = Vec::new();
            nearest_labels(distances, lists, classes, *unlabeled, &mut nearest);
            nearest
        };
        let space = omap::Workspace::<S::Key, W::Tally>::default;
        each_class(py, (scores, labels), prepare, space, |space, column, nearest, place| {
            let mut out = Vec::with_capacity(levels.len());
            let nearest = &nearest[place * n_clips..(place + 1) * n_clips];
            let positives =
                ontology_aware_average_precision(column, nearest, weights, levels, *strict, space, &mut out)?;
            Ok((out, positives))
        })
    }
    let normalization = match normalization {
        "offdiag" => Normalization::OffDiagonal,
        "all" => Normalization::All,
        "none" => Normalization::Nothing,
        _ => return Err(PyValueError::new_err(format!("there is no normalization '{normalization}'"))),
    };
    let unlabeled = match unlabeled {
        "error" => Unlabeled::Refuse,
        "max" => Unlabeled::Farthest,
        "zero" => Unlabeled::Nothing,
        "one" => Unlabeled::One,
        _ => return Err(PyValueError::new_err(format!("there is no policy '{unlabeled}' for clips without labels"))),
    };
    let distances = distances_of(&distances)?;
    let labels = labels.as_array();
    if labels.ncols() != distances.n_classes() {
        return Err(PyValueError::new_err(format!(
            "distances must have a row and a column for each of the {} classes, got {}",
            labels.ncols(),
            distances.n_classes()
        )));
    }
    let lists = lists_of(labels);
    let without = lists.unlabeled();
    if let (Unlabeled::Refuse, Some((n_clips, first))) = (unlabeled, without) {
        return Err(to_python(soundeval_core::error::Error::UnlabeledClips { n_clips, first }));
    }
    let n_levels = levels.len();
    let levels = Levels::new(&distances, &levels, normalization);
    let options = Options { distances, lists, levels, unlabeled, strict };
    let classes = with_kinds!(scores, weights, oap(py, labels, &options))?;
    let positives: Vec<f64> = classes.iter().map(|(_, positives)| *positives).collect();
    let oaps = Array2::from_shape_fn((n_levels, classes.len()), |(level, class)| classes[class].0[level]);
    Ok((oaps.into_pyarray(py), positives.into_pyarray(py), without.map_or(0, |(n_clips, _)| n_clips)))
}

/// OBCE weights of every clip and class.
#[pyfunction]
pub fn obce_weights<'py>(
    py: Python<'py>,
    labels: Labels<'py>,
    distances: PyReadonlyArray2<'py, f64>,
    beta: f64,
    over_batch: bool,
    to_other_labels: bool,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let distances = distances_of(&distances)?;
    let labels = labels.as_array();
    let (n_clips, n_classes) = labels.dim();
    if n_classes != distances.n_classes() {
        return Err(PyValueError::new_err("labels and distances differ in their number of classes"));
    }
    let lists = lists_of(labels);
    let mean_over = if over_batch { MeanOver::Batch } else { MeanOver::Clip };
    let target_distance = if to_other_labels { TargetDistance::Other } else { TargetDistance::Zero };
    let weights = detached::run(py, n_clips * n_classes, |_| {
        obce::obce_weights(&distances, &lists, beta, mean_over, target_distance)
    })?;
    let weights = Array2::from_shape_vec((n_clips, n_classes), weights);
    Ok(weights.map_err(|error| PyValueError::new_err(error.to_string()))?.into_pyarray(py))
}
