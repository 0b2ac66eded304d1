//! Reading the text formats of the field, exact to the last bit.
//!
//! | file | header | reader |
//! |---|---|---|
//! | scores of one clip | `onset offset class...` | [`read_scores`] |
//! | scores of many clips | `filename onset offset class...` | [`read_scores`] |
//! | reference events | `filename onset offset event_label`, any order | [`read_events`] |
//! | durations of the clips | `filename duration`, any order | [`read_durations`] |
//!
//! Times are seconds. Every number is rounded correctly: it is the `f64` nearest to the decimal
//! text, the one that [`str::parse`] gives. Accepted without a word are a UTF-8 byte order mark,
//! lines that end with a carriage return and a line feed, a last line without an end, and blank
//! lines. Everything else that a format does not ask for is an error which names the file, the
//! line, what was expected and what came.
//!
//! Where to look: `lines` cuts text into lines and fields, `number` reads a number, `header` finds
//! columns by name and guesses what went wrong when one is not there. Then there is a file for each
//! format; `layout` holds the columns and the rows of `scores`.

mod durations;
mod events;
mod header;
mod layout;
mod lines;
mod number;
mod scores;

pub use durations::{parse_durations, read_durations};
pub use events::{EventRow, Events, parse_events, read_events};
pub use scores::{ScoreFile, ScoreTable, parse_scores, read_scores, read_scores_unless};
