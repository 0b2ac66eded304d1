//! What can be wrong with input, said so that a person can mend it.
//!
//! Every variant names where the trouble is, what was expected and what came. The text of each is a
//! whole sentence for the user: callers in other languages pass it on unchanged.

/// Everything that can be wrong with what a user hands in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened or read.
    #[error("{file}: {reason}")]
    Unreadable {
        /// Path as the user gave it.
        file: String,
        /// What the operating system says.
        reason: String,
    },
    /// A line of a text file is not what its format asks for.
    #[error("{file}, line {line}: {problem}")]
    Line {
        /// Path as the user gave it.
        file: String,
        /// Line number counted from 1, the header being line 1.
        line: usize,
        /// What was expected, what came and what to try.
        problem: String,
    },
    /// The number of frame edges does not fit the number of frames.
    #[error(
        "clip '{clip}': frame edges must have n_frames + 1 = {expected} values in seconds for {n_frames} frames, got {n_edges}{hint}",
        expected = n_frames + 1
    )]
    FrameEdges {
        /// Clip id.
        clip: String,
        /// Number of frames that have scores.
        n_frames: usize,
        /// Number of edges that came.
        n_edges: usize,
        /// What may have gone wrong.
        hint: &'static str,
    },
    /// Frame edges that do not increase.
    #[error(
        "clip '{clip}': frame edges must be finite and increase strictly, but edge {index} is {edge} after {previous}"
    )]
    EdgeOrder {
        /// Clip id.
        clip: String,
        /// Index of the edge.
        index: usize,
        /// The edge before it.
        previous: f64,
        /// The edge.
        edge: f64,
    },
    /// A score that is not a number.
    #[error(
        "scores of clip '{clip}', class '{class}' are NaN at frame {frame}; a system that has no score there should say -inf (never active)"
    )]
    NanScore {
        /// Clip id.
        clip: String,
        /// Name of the class.
        class: String,
        /// Index of the frame.
        frame: usize,
    },
    /// A tagging score that is NaN or infinite.
    #[error(
        "y_score of clip {clip}, class {class} (row and column, counted from 0) is {value}, but scores must be finite numbers; where the label is unknown, say so with mask"
    )]
    TaggingScore {
        /// Row.
        clip: usize,
        /// Column.
        class: usize,
        /// The score.
        value: String,
    },
    /// Clips that have no label where one is needed.
    #[error(
        "{n_clips} of the clips have no label, clip {first} (row, counted from 0) is the first, and no class has a distance to them; say what such clips cost with unlabeled=\"max\" (every class is as far as can be), \"zero\" (they cost nothing) or \"one\" (weight 1 at all levels)"
    )]
    UnlabeledClips {
        /// How many.
        n_clips: usize,
        /// Row of the first.
        first: usize,
    },
    /// A duration that makes no sense for the length of segments.
    #[error("clip '{clip}': {duration} s in segments of {length} s are too many segments; are the times in seconds?")]
    TooManySegments {
        /// Clip id.
        clip: String,
        /// Its duration in seconds.
        duration: f64,
        /// The length of a segment in seconds.
        length: f64,
    },
    /// A parameter outside its range.
    #[error("{name} must be {expected}, got {value}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What came.
        value: String,
    },
    /// The same clip came twice with different content.
    #[error(
        "clip '{clip}' is there already with other counts (scores, their precision, or events differ); every clip counts once, so give the second one an id of its own or leave it out"
    )]
    ConflictingClip {
        /// Clip id.
        clip: String,
    },
    /// Two states that cannot be merged.
    #[error("cannot merge: {what} differ ({this} here, {other} there)")]
    Unmergeable {
        /// What differs.
        what: &'static str,
        /// Ours.
        this: String,
        /// Theirs.
        other: String,
    },
    /// Bytes that are no saved state.
    #[error("this is no usable soundeval state: {problem}")]
    State {
        /// What is wrong with the bytes.
        problem: String,
    },
}

/// Result of anything that reads user input.
pub type Result<T> = std::result::Result<T, Error>;
