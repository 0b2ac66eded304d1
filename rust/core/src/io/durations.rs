//! Durations of clips: a table with the columns `filename` and `duration`.

use std::path::Path;

use super::header::Header;
use super::lines::{Lines, quoted, read};
use crate::error::Result;

/// Reads a table of clip durations from a file; see [`parse_durations`].
pub fn read_durations(path: &Path) -> Result<Vec<(String, f64, usize)>> {
    read(path, parse_durations)
}

/// Reads a table of clip durations: file name, duration in seconds and line of every row.
///
/// The columns `filename` and `duration` may stand in any order among others, which are ignored. A
/// duration is a finite number above zero. Blanks around a file name are no part of it. Whether a
/// clip may come twice is for the caller to say, who has the lines at hand.
pub fn parse_durations(text: &[u8], file: &str) -> Result<Vec<(String, f64, usize)>> {
    let mut lines = Lines::new(text, file)?;
    let header = Header::read(&mut lines, "'filename' and 'duration', separated by a tab")?;
    let [filename, duration] = header.find(&lines, ["filename", "duration"])?;
    let mut rows = Vec::new();
    let mut fields = Vec::new();
    while let Some(row) = lines.next_line()? {
        header.split(&lines, row, &mut fields, |_| false)?;
        let name = lines.utf8(row.number, "the file name", fields[filename].trim_ascii())?;
        if name.is_empty() {
            return Err(lines.error(row.number, "column 'filename' is empty".to_owned()));
        }
        let seconds = lines.seconds(row.number, "duration", fields[duration])?;
        if seconds <= 0.0 {
            let name = quoted(name.as_bytes());
            let problem = format!("{name} has the duration {seconds:?}; it must be above 0 seconds");
            return Err(lines.error(row.number, problem));
        }
        rows.push((name.to_owned(), seconds, row.number));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        parse_durations(text.as_bytes(), "d.tsv").unwrap_err().to_string()
    }

    #[test]
    fn rows_come_with_their_lines() {
        let rows =
            parse_durations(b"duration\tid\tfilename\r\n10.0\t1\ta b.wav\r\n\r\n9.5\t2\t c.wav ", "d.tsv").unwrap();
        assert_eq!(rows, [("a b.wav".to_owned(), 10.0, 2), ("c.wav".to_owned(), 9.5, 4)]);
    }

    #[test]
    fn a_duration_is_a_finite_number_above_zero() {
        for (duration, said) in [
            ("0", "'a.wav' has the duration 0.0; it must be above 0 seconds"),
            ("-1", "'a.wav' has the duration -1.0; it must be above 0 seconds"),
            ("inf", "column 'duration' has inf; a finite time in seconds was expected"),
            ("nan", "column 'duration' has NaN; a finite time in seconds was expected"),
            ("", "column 'duration' is empty; a number was expected"),
            (
                "10,5",
                "column 'duration' has '10,5', which is no number; \
                 write decimals with a point, not a comma",
            ),
            ("\"10\"", "column 'duration' has '\"10\"', which is no number; write it without quotes"),
            ("10 s", "column 'duration' has '10 s', which is no number"),
        ] {
            assert_eq!(problem(&format!("filename\tduration\na.wav\t{duration}\n")), format!("d.tsv, line 2: {said}"));
        }
    }

    #[test]
    fn rows_have_as_many_fields_as_the_header() {
        assert_eq!(
            problem("filename\tduration\na.wav 10\n"),
            "d.tsv, line 2: the line has 1 field, but the header has 2; \
             are the fields separated by tabs?"
        );
        assert_eq!(
            problem("filename\tduration\na.wav\t10\t\n"),
            "d.tsv, line 2: the line has 3 fields, but the header has 2; \
             remove the tab at the end of the line"
        );
        assert_eq!(problem("filename\tduration\n\t10\n"), "d.tsv, line 2: column 'filename' is empty");
        assert!(problem("").starts_with("d.tsv, line 1: the file is empty"));
    }
}
