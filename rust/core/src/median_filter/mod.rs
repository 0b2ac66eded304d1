//! Median filters along time: in seconds, on frames of any length, and in frames.
//!
//! Both slide a window over the scores and keep the values inside by rank, so that a step costs the logarithm of
//! the window's width. Ranks are those of a block of frames about as long as the window: sorting all blocks costs
//! the same per frame as the steps do, and a recording of a day needs no more memory than a short clip. Windows of
//! some seconds that hold few frames are simply looked through, which is faster than any tree.

pub mod continuous;
pub mod frames;
mod ranked;

use crate::error::{Error, Result};

/// Refuses lengths that are no time.
pub fn check_length(length: f64) -> Result<()> {
    if length >= 0.0 && length.is_finite() {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "length",
        expected: "a finite number of seconds, 0 or more",
        value: length.to_string(),
    })
}
