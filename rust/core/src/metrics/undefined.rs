//! Why a number does not exist.

/// What is missing that a number is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// Recall, and what is made of it, takes something to find.
    #[error("there are no positives (targets), so nothing can be found")]
    NoPositives,
    /// False positive rates take something that should not be detected.
    #[error("there are no negatives, so nothing can be detected wrongly")]
    NoNegatives,
}
