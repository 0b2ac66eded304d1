//! Criteria as tuples: their name, then their parameters.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use soundeval_core::criteria::{Collar, Criterion, Intersection, Segment};

use crate::errors::to_python;

/// The criterion that a tuple describes.
pub fn from_tuple(tuple: &Bound<'_, PyTuple>) -> PyResult<Criterion> {
    let name: String = tuple.get_item(0)?.extract()?;
    let criterion = match name.as_str() {
        "clip" => Ok(Criterion::Clip),
        "segment" => {
            let (_, length, decimals): (String, f64, u8) = tuple.extract()?;
            Segment::new(length, decimals).map(Criterion::from)
        }
        "collar" => {
            let (_, onset, offset, rate, decimals): (String, f64, Option<f64>, f64, u8) = tuple.extract()?;
            Collar::new(onset, offset, rate, decimals).map(Criterion::from)
        }
        "intersection" => {
            let (_, dtc, gtc, cttc, decimals): (String, f64, f64, Option<f64>, u8) = tuple.extract()?;
            Intersection::new(dtc, gtc, cttc, decimals).map(Criterion::from)
        }
        _ => return Err(PyValueError::new_err(format!("there is no criterion '{name}'"))),
    };
    criterion.map_err(to_python)
}

/// The tuple that describes a criterion.
pub fn to_tuple<'py>(py: Python<'py>, criterion: &Criterion) -> PyResult<Bound<'py, PyTuple>> {
    match criterion {
        Criterion::Clip => ("clip",).into_pyobject(py),
        Criterion::Segment(segment) => ("segment", segment.segment_length(), segment.time_decimals()).into_pyobject(py),
        Criterion::Collar(collar) => {
            let (onset, offset) = (collar.onset_collar(), collar.offset_collar());
            ("collar", onset, offset, collar.offset_collar_rate(), collar.time_decimals()).into_pyobject(py)
        }
        Criterion::Intersection(intersection) => {
            let (dtc, gtc) = (intersection.dtc_threshold(), intersection.gtc_threshold());
            ("intersection", dtc, gtc, intersection.cttc_threshold(), intersection.time_decimals()).into_pyobject(py)
        }
    }
}
