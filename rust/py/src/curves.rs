//! Curves and numbers from the counts of one class.
//!
//! Thresholds ascend and end with `+inf`; counts are `int64`. What is undefined is NaN here, and Python, which
//! knows the class, says why.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use soundeval_core::curves::error_rate::{self, ErrorRateLimits};
use soundeval_core::curves::f_score::{self, FScoreAim};
use soundeval_core::curves::psd_roc::{ClassPsdRoc, averaged_psd_roc};
use soundeval_core::curves::variants::best_of_variants;
use soundeval_core::curves::{precision_recall, roc};
use soundeval_core::metrics;
use soundeval_core::metrics::auroc::PartialArea;

use crate::errors::to_python;

type Floats<'py> = Bound<'py, PyArray1<f64>>;
type Counts<'py> = PyReadonlyArray1<'py, i64>;

/// The counts of a class, copied: the arrays belong to Python.
struct Columns {
    thresholds: Vec<f64>,
    tps: Vec<i64>,
    fps: Vec<i64>,
}

impl Columns {
    fn new(thresholds: Option<PyReadonlyArray1<'_, f64>>, tps: &Counts<'_>, fps: &Counts<'_>) -> PyResult<Self> {
        let (tps, fps) = (tps.as_array().to_vec(), fps.as_array().to_vec());
        // Numbers that hang on counts alone do not look at thresholds.
        let thresholds = thresholds.map_or_else(|| vec![f64::INFINITY; tps.len()], |array| array.as_array().to_vec());
        if tps.is_empty() || tps.len() != fps.len() || tps.len() != thresholds.len() {
            return Err(PyValueError::new_err(
                "thresholds and counts must have the same number of points, at least one",
            ));
        }
        Ok(Self { thresholds, tps, fps })
    }
}

/// Precision, recall and thresholds, sorted by recall, then precision.
#[pyfunction]
pub fn precision_recall_curve<'py>(
    py: Python<'py>,
    thresholds: PyReadonlyArray1<'py, f64>,
    tps: Counts<'py>,
    fps: Counts<'py>,
    n_ref: usize,
) -> PyResult<(Floats<'py>, Floats<'py>, Floats<'py>)> {
    let Columns { thresholds, tps, fps } = Columns::new(Some(thresholds), &tps, &fps)?;
    let curve = precision_recall::precision_recall_curve(&thresholds, &tps, &fps, n_ref);
    Ok((curve.precision.into_pyarray(py), curve.recall.into_pyarray(py), curve.thresholds.into_pyarray(py)))
}

/// Average precision.
#[pyfunction]
pub fn average_precision(tps: Counts<'_>, fps: Counts<'_>, n_ref: usize) -> PyResult<f64> {
    let Columns { tps, fps, .. } = Columns::new(None, &tps, &fps)?;
    Ok(metrics::average_precision::average_precision(&tps, &fps, n_ref).unwrap_or(f64::NAN))
}

/// True and false positive rates and thresholds, sorted by false, then true positive rate.
#[pyfunction]
pub fn roc_curve<'py>(
    py: Python<'py>,
    thresholds: PyReadonlyArray1<'py, f64>,
    tps: Counts<'py>,
    fps: Counts<'py>,
    n_ref: usize,
    n_negatives: usize,
) -> PyResult<(Floats<'py>, Floats<'py>, Floats<'py>)> {
    let Columns { thresholds, tps, fps } = Columns::new(Some(thresholds), &tps, &fps)?;
    let curve = roc::roc_curve(&thresholds, &tps, &fps, n_ref, n_negatives);
    Ok((curve.tpr.into_pyarray(py), curve.fpr.into_pyarray(py), curve.thresholds.into_pyarray(py)))
}

/// Area under the ROC, or under its part up to `max_fpr`.
#[pyfunction]
#[pyo3(signature = (tps, fps, n_ref, n_negatives, max_fpr, mcclish_correction))]
pub fn auroc(
    tps: Counts<'_>,
    fps: Counts<'_>,
    n_ref: usize,
    n_negatives: usize,
    max_fpr: Option<f64>,
    mcclish_correction: bool,
) -> PyResult<f64> {
    let Columns { thresholds, tps, fps } = Columns::new(None, &tps, &fps)?;
    let part = max_fpr.map(|max_fpr| PartialArea::new(max_fpr, mcclish_correction)).transpose().map_err(to_python)?;
    Ok(metrics::auroc::auroc(&thresholds, &tps, &fps, n_ref, n_negatives, part).unwrap_or(f64::NAN))
}

/// F-score, precision and recall at every point.
#[pyfunction]
pub fn f_score_curve<'py>(
    py: Python<'py>,
    tps: Counts<'py>,
    fps: Counts<'py>,
    n_ref: usize,
    beta: f64,
) -> PyResult<(Floats<'py>, Floats<'py>, Floats<'py>)> {
    let Columns { tps, fps, .. } = Columns::new(None, &tps, &fps)?;
    let curve = f_score::f_score_curve(&tps, &fps, n_ref, beta);
    Ok((curve.f_score.into_pyarray(py), curve.precision.into_pyarray(py), curve.recall.into_pyarray(py)))
}

/// The point with the best F-score, and a threshold that gives it.
#[pyfunction]
pub fn best_f_score(
    thresholds: PyReadonlyArray1<'_, f64>,
    tps: Counts<'_>,
    fps: Counts<'_>,
    n_ref: usize,
    beta: f64,
    min_precision: f64,
    min_recall: f64,
) -> PyResult<(usize, f64)> {
    let Columns { thresholds, tps, fps } = Columns::new(Some(thresholds), &tps, &fps)?;
    let best = f_score::best_f_score(&thresholds, &tps, &fps, n_ref, &FScoreAim { beta, min_precision, min_recall });
    Ok((best.point, best.threshold))
}

/// Error rate, insertion rate and deletion rate at every point.
#[pyfunction]
pub fn error_rate_curve<'py>(
    py: Python<'py>,
    tps: Counts<'py>,
    fps: Counts<'py>,
    n_ref: usize,
) -> PyResult<(Floats<'py>, Floats<'py>, Floats<'py>)> {
    let Columns { tps, fps, .. } = Columns::new(None, &tps, &fps)?;
    let curve = error_rate::error_rate_curve(&tps, &fps, n_ref);
    Ok((curve.error_rate.into_pyarray(py), curve.insertion_rate.into_pyarray(py), curve.deletion_rate.into_pyarray(py)))
}

/// The point with the lowest error rate, and a threshold that gives it.
#[pyfunction]
#[pyo3(signature = (thresholds, tps, fps, n_ref, max_insertion_rate, max_deletion_rate))]
pub fn best_error_rate(
    thresholds: PyReadonlyArray1<'_, f64>,
    tps: Counts<'_>,
    fps: Counts<'_>,
    n_ref: usize,
    max_insertion_rate: Option<f64>,
    max_deletion_rate: Option<f64>,
) -> PyResult<(usize, f64)> {
    let Columns { thresholds, tps, fps } = Columns::new(Some(thresholds), &tps, &fps)?;
    let limits = ErrorRateLimits { max_insertion_rate, max_deletion_rate };
    let best = error_rate::best_error_rate(&thresholds, &tps, &fps, n_ref, &limits);
    Ok((best.point, best.threshold))
}

type Rates<'py> = (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>);
type VariantCurve<'py> = (Floats<'py>, Floats<'py>, Floats<'py>, Bound<'py, PyArray1<i64>>);

/// The averaged curve (etpr, efpr) over variants, and that of each class (tpr, efpr, thresholds, variants).
///
/// `curves[variant][class]` are rates and thresholds of one variant.
#[pyfunction]
#[pyo3(signature = (curves, alpha_st, max_efpr))]
pub fn psd_roc_of_variants<'py>(
    py: Python<'py>,
    curves: Vec<Vec<Rates<'py>>>,
    alpha_st: f64,
    max_efpr: Option<f64>,
) -> PyResult<(Floats<'py>, Floats<'py>, Vec<VariantCurve<'py>>)> {
    let copy = |(tpr, efpr, thresholds): &Rates<'py>| ClassPsdRoc {
        tpr: tpr.as_array().to_vec(),
        efpr: efpr.as_array().to_vec(),
        thresholds: thresholds.as_array().to_vec(),
    };
    let curves: Vec<Vec<ClassPsdRoc>> = curves.iter().map(|classes| classes.iter().map(copy).collect()).collect();
    let n_classes = curves.first().map_or(0, Vec::len);
    if n_classes == 0 || curves.iter().any(|classes| classes.len() != n_classes) {
        return Err(PyValueError::new_err("every variant must have the curves of the same classes, at least one"));
    }
    let best = (0..n_classes).map(|class| {
        let of_class: Vec<&ClassPsdRoc> = curves.iter().map(|classes| &classes[class]).collect();
        best_of_variants(&of_class)
    });
    let (rocs, variants): (Vec<_>, Vec<_>) = best.map(|best| (best.roc, best.variants)).unzip();
    let (etpr, efpr) = averaged_psd_roc(&rocs, alpha_st, max_efpr);
    let per_class = rocs.into_iter().zip(variants).map(|(roc, variants)| {
        let variants: Vec<i64> = variants.into_iter().map(|variant| variant as i64).collect();
        (
            roc.tpr.into_pyarray(py),
            roc.efpr.into_pyarray(py),
            roc.thresholds.into_pyarray(py),
            variants.into_pyarray(py),
        )
    });
    Ok((etpr.into_pyarray(py), efpr.into_pyarray(py), per_class.collect()))
}
