//! Reference events: a table with the columns `filename`, `onset`, `offset` and `event_label`.

use std::path::Path;

use super::header::Header;
use super::lines::{Line, Lines, quoted, read};
use crate::error::Result;

const COLUMNS: [&str; 4] = ["filename", "onset", "offset", "event_label"];

/// A row of a table of events.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRow {
    /// Name of the clip's file as it stands in the table.
    pub filename: String,
    /// Onset and offset in seconds and the label, or `None` for a clip without events.
    pub event: Option<(f64, f64, String)>,
    /// Line of the row, the header being line 1.
    pub line: usize,
}

/// A table of events.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Events {
    /// The rows in the order of the file.
    pub rows: Vec<EventRow>,
    /// Lines on which blanks around a file name or a label were left out, one entry for each such
    /// field.
    pub trimmed: Vec<usize>,
}

/// Reads a table of events from a file; see [`parse_events`].
pub fn read_events(path: &Path) -> Result<Events> {
    read(path, parse_events)
}

/// Reads a table of events.
///
/// The columns may stand in any order among others, which are ignored. A row with empty onset,
/// offset and label says that the clip has no events, also when the tabs at its end are gone; a row
/// with only some of them empty is an error. Every label is taken at its word: `NA`, `nan`, `null`
/// and `None` are labels. Times are finite and may be negative. An onset after its offset is an
/// error; an event of no length is let through, for the caller to judge.
pub fn parse_events(text: &[u8], file: &str) -> Result<Events> {
    let mut lines = Lines::new(text, file)?;
    let header = Header::read(&mut lines, "'filename', 'onset', 'offset' and 'event_label', separated by tabs")?;
    let columns = header.find(&lines, COLUMNS)?;
    let mut events = Events::default();
    let mut fields: Vec<&[u8]> = Vec::new();
    while let Some(row) = lines.next_line()? {
        header.split(&lines, row, &mut fields, |fields| {
            // Editors strip the tabs behind a clip that has no events.
            columns[1..].iter().all(|&column| fields[column].trim_ascii().is_empty())
        })?;
        let row = event_row(&lines, row, columns.map(|column| fields[column]), &mut events.trimmed)?;
        events.rows.push(row);
    }
    Ok(events)
}

/// Reads the four fields of a row, in the order of [`COLUMNS`].
fn event_row(lines: &Lines, row: Line, fields: [&[u8]; 4], trimmed: &mut Vec<usize>) -> Result<EventRow> {
    let line = row.number;
    let [filename, onset, offset, label] = fields.map(<[u8]>::trim_ascii);
    for column in [0, 3] {
        // An empty label of blanks loses nothing that anyone could miss.
        if fields[column].trim_ascii().len() < fields[column].len() && !fields[column].trim_ascii().is_empty() {
            trimmed.push(line);
        }
    }
    if filename.is_empty() {
        return Err(lines.error(line, "column 'filename' is empty".to_owned()));
    }
    let filename = text_of(lines, line, "the file name", filename)?;
    if [onset, offset, label].iter().all(|field| field.is_empty()) {
        return Ok(EventRow { filename, event: None, line });
    }
    if let Some(empty) = [onset, offset, label].iter().position(|field| field.is_empty()) {
        let problem = format!(
            "column '{}' is empty for {}; an event needs onset, offset and event_label, \
             a clip without events none of them",
            COLUMNS[empty + 1],
            quoted(filename.as_bytes())
        );
        return Err(lines.error(line, problem));
    }
    let onset = lines.seconds(line, "onset", onset)?;
    let offset = lines.seconds(line, "offset", offset)?;
    let label = text_of(lines, line, "the label", label)?;
    if onset > offset {
        let problem = format!(
            "the event {} of {} has its onset {onset:?} after its offset {offset:?}; \
             are the two swapped, or is the offset a duration?",
            quoted(label.as_bytes()),
            quoted(filename.as_bytes())
        );
        return Err(lines.error(line, problem));
    }
    Ok(EventRow { filename, event: Some((onset, offset, label)), line })
}

fn text_of(lines: &Lines, line: usize, what: &str, field: &[u8]) -> Result<String> {
    lines.utf8(line, what, field).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "filename\tonset\toffset\tevent_label\n";

    fn parse(rows: &str) -> Events {
        parse_events(format!("{HEADER}{rows}").as_bytes(), "e.tsv").unwrap()
    }

    fn problem(rows: &str) -> String {
        parse_events(format!("{HEADER}{rows}").as_bytes(), "e.tsv").unwrap_err().to_string()
    }

    fn row(filename: &str, event: Option<(f64, f64, &str)>, line: usize) -> EventRow {
        let event = event.map(|(onset, offset, label)| (onset, offset, label.to_owned()));
        EventRow { filename: filename.to_owned(), event, line }
    }

    #[test]
    fn columns_may_stand_in_any_order_among_others() {
        let text = b"\xEF\xBB\xBFevent_label\tconfidence\toffset\tfilename\tonset\r\n\
                     Dog\t\t1.5\ta.wav\t-0.5\r\n";
        let events = parse_events(text, "e.tsv").unwrap();
        assert_eq!(events.rows, [row("a.wav", Some((-0.5, 1.5, "Dog")), 2)]);
    }

    #[test]
    fn a_row_without_times_and_label_is_a_clip_without_events() {
        let none = [row("a.wav", None, 2), row("b.wav", Some((0.0, 1.0, "Dog")), 3)];
        assert_eq!(parse("a.wav\t\t\t\nb.wav\t0\t1\tDog\n").rows, none);
        assert_eq!(parse("a.wav\nb.wav\t0\t1\tDog").rows, none);
        assert_eq!(parse("").rows, []);
    }

    #[test]
    fn words_for_nothing_are_labels() {
        for label in ["NA", "nan", "null", "None", "N/A", "-"] {
            assert_eq!(parse(&format!("a\t0\t1\t{label}\n")).rows, [row("a", Some((0.0, 1.0, label)), 2)]);
        }
    }

    #[test]
    fn blanks_around_names_and_labels_are_left_out_and_reported() {
        let events = parse("a.wav \t 0\t1 \t Running water \nb c.wav\t0\t1\tDog\nd\t\t\t \n");
        assert_eq!(
            events.rows,
            [
                row("a.wav", Some((0.0, 1.0, "Running water")), 2),
                row("b c.wav", Some((0.0, 1.0, "Dog")), 3),
                row("d", None, 4)
            ]
        );
        assert_eq!(events.trimmed, [2, 2]);
    }

    #[test]
    fn an_event_without_length_is_let_through() {
        assert_eq!(parse("a\t1\t1\tDog\n").rows, [row("a", Some((1.0, 1.0, "Dog")), 2)]);
    }

    #[test]
    fn an_onset_after_its_offset_is_refused() {
        assert_eq!(
            problem("a.wav\t0\t1\tDog\nb.wav\t2.5\t1\tDog\n"),
            "e.tsv, line 3: the event 'Dog' of 'b.wav' has its onset 2.5 after its offset 1.0; \
             are the two swapped, or is the offset a duration?"
        );
    }

    #[test]
    fn half_an_event_is_refused() {
        for (event, column) in [("\t1\tDog", "onset"), ("0\t\tDog", "offset"), ("0\t1\t", "event_label")] {
            let said = problem(&format!("a.wav\t{event}\n"));
            assert!(said.starts_with(&format!("e.tsv, line 2: column '{column}' is empty for 'a.wav';")), "{said}");
        }
        assert!(problem("a.wav\t0\t1\n").contains("line 2: the line has 3 fields, but the header has 4"));
        assert!(problem("\t0\t1\tDog\n").contains("column 'filename' is empty"));
    }

    #[test]
    fn times_are_finite_numbers() {
        assert!(problem("a\tnan\t1\tDog\n").contains("column 'onset' has NaN; a finite time"));
        assert!(problem("a\t0\tinf\tDog\n").contains("column 'offset' has inf; a finite time"));
        assert!(problem("a\t0,5\t1\tDog\n").contains("column 'onset' has '0,5', which is no number; write decimals"));
    }

    #[test]
    fn a_label_that_is_not_utf8_is_refused() {
        let error = parse_events(b"filename\tonset\toffset\tevent_label\na\t0\t1\tB\xE4r\n", "e.tsv").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("e.tsv, line 2: the label 'B\u{FFFD}r' is not UTF-8; was the file saved as Latin-1?")
        );
    }
}
