//! Text as lines and fields: what the three formats have in common.

use std::path::Path;

use crate::error::{Error, Result};

/// Longest line that is read. No table of the field comes near it; a binary file may.
pub(super) const MAX_LINE_BYTES: usize = 16 << 20;

/// Largest number of columns of a table.
pub(super) const MAX_COLUMNS: usize = 65_536;

/// How much of a field an error message quotes.
const QUOTED_CHARS: usize = 60;

/// Reads a whole file and hands its bytes, with its name for messages, to `parse`.
pub(super) fn read<T>(path: &Path, parse: impl FnOnce(&[u8], &str) -> Result<T>) -> Result<T> {
    let file = path.display().to_string();
    match std::fs::read(path) {
        Ok(text) => parse(&text, &file),
        Err(error) => Err(Error::Unreadable { file, reason: format!("cannot be read: {error}") }),
    }
}

/// A line without its end, and its number counted from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub text: &'a [u8],
}

impl<'a> Line<'a> {
    /// The fields between the tabs; an empty line is one empty field.
    pub fn fields(self) -> impl Iterator<Item = &'a [u8]> {
        self.text.split(|&byte| byte == b'\t')
    }
}

/// A place in a text, moving from line to line.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    file: &'a str,
    rest: &'a [u8],
    /// Number of the line at which `rest` starts.
    number: usize,
}

impl<'a> Lines<'a> {
    /// Starts at the first line, behind a byte order mark.
    ///
    /// A file that is plainly something else than UTF-8 text is refused here, before its bytes lead
    /// to messages about columns that nobody wrote.
    pub fn new(text: &'a [u8], file: &'a str) -> Result<Self> {
        let rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let lines = Lines { file, rest, number: 1 };
        let start = &rest[..rest.len().min(64)];
        let kind = if start.starts_with(b"\xFF\xFE") || start.starts_with(b"\xFE\xFF") {
            Some("the file starts with the byte order mark of UTF-16; save it as UTF-8")
        } else if start.starts_with(b"\x1F\x8B") {
            Some("the file is compressed with gzip; decompress it first")
        } else if start.starts_with(b"PK\x03\x04") {
            Some("the file is a zip archive or a spreadsheet; save it as tab-separated text")
        } else if start.contains(&0) {
            Some("there are NUL bytes in it; is it UTF-16, or no text at all?")
        } else {
            None
        };
        match kind {
            Some(kind) => Err(lines.error(1, format!("expected tab-separated text in UTF-8, but {kind}"))),
            None => Ok(lines),
        }
    }

    /// The error of a line of this file.
    pub fn error(&self, line: usize, problem: String) -> Error {
        Error::Line { file: self.file.to_owned(), line, problem }
    }

    /// Everything from the start of the next line on.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Number of the line at which [`rest`](Self::rest) starts.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Steps over one line of `bytes` bytes, its end included, which the caller has read by itself.
    pub fn step_over(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
        self.number += 1;
    }

    /// The next line that is not blank, or `None` at the end of the text.
    pub fn next_line(&mut self) -> Result<Option<Line<'a>>> {
        while !self.rest.is_empty() {
            let number = self.number;
            let feed = self.rest.iter().position(|&byte| byte == b'\n');
            let text = &self.rest[..feed.unwrap_or(self.rest.len())];
            self.step_over(feed.map_or(self.rest.len(), |feed| feed + 1));
            self.check_length(number, text.len())?;
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if text.iter().any(|&byte| byte != b' ') {
                return Ok(Some(Line { number, text }));
            }
        }
        Ok(None)
    }

    /// Refuses a line that is longer than any table has.
    #[inline]
    pub fn check_length(&self, line: usize, bytes: usize) -> Result<()> {
        if bytes > MAX_LINE_BYTES {
            let problem = format!(
                "the line is {bytes} bytes long, more than {MAX_LINE_BYTES}; \
                 is this a table with tabs and line ends?"
            );
            return Err(self.error(line, problem));
        }
        Ok(())
    }

    /// The field as text, or the error that it is not UTF-8. `what` names the field.
    pub fn utf8(&self, line: usize, what: &str, field: &'a [u8]) -> Result<&'a str> {
        std::str::from_utf8(field).map_err(|_| {
            let field = quoted(field);
            let problem = format!("{what} {field} is not UTF-8; was the file saved as Latin-1? Save it as UTF-8");
            self.error(line, problem)
        })
    }

    /// The field as a number, blanks around it aside, or the error that it is none. `column` names
    /// it.
    pub fn number_of(&self, line: usize, column: &str, field: &[u8]) -> Result<f64> {
        let field = field.trim_ascii();
        // `fast_float2` rounds as `str::parse` does, and needs no check that the bytes are UTF-8.
        fast_float2::parse(field).map_err(|_| {
            if field.is_empty() {
                let problem = format!("column '{column}' is empty; a number was expected");
                return self.error(line, problem);
            }
            let hint = if field.contains(&b',') && is_number(&with_points(field)) {
                "; write decimals with a point, not a comma"
            } else if is_number(without_quotes(field)) {
                "; write it without quotes"
            } else {
                ""
            };
            let came = quoted(field);
            let problem = format!("column '{column}' has {came}, which is no number{hint}");
            self.error(line, problem)
        })
    }

    /// As [`number_of`](Self::number_of), for a time in seconds, which must be finite.
    pub fn seconds(&self, line: usize, column: &str, field: &[u8]) -> Result<f64> {
        let value = self.number_of(line, column, field)?;
        self.check_finite(line, column, value)?;
        Ok(value)
    }

    /// Refuses a time that is infinite or NaN.
    #[inline]
    pub fn check_finite(&self, line: usize, column: &str, value: f64) -> Result<()> {
        if value.is_finite() {
            return Ok(());
        }
        let problem = format!("column '{column}' has {value:?}; a finite time in seconds was expected");
        Err(self.error(line, problem))
    }
}

/// Whether a field is a number as a whole.
pub(super) fn is_number(field: &[u8]) -> bool {
    fast_float2::parse::<f64, _>(field).is_ok()
}

/// The field with decimal points for decimal commas.
fn with_points(field: &[u8]) -> Vec<u8> {
    field.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect()
}

/// The field without the quotes that some programs write around every field.
pub(super) fn without_quotes(field: &[u8]) -> &[u8] {
    match field {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => field,
    }
}

/// `bytes` in single quotes for a message: shortened, control characters escaped.
pub(super) fn quoted(bytes: &[u8]) -> String {
    // Four bytes are enough for any character; a field may be megabytes long.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * QUOTED_CHARS + 4)]);
    let mut quoted = String::from("'");
    for (index, character) in text.chars().enumerate() {
        if index == QUOTED_CHARS {
            quoted.push_str("...");
            break;
        }
        if character.is_control() {
            quoted.extend(character.escape_default());
        } else {
            quoted.push(character);
        }
    }
    quoted.push('\'');
    quoted
}

/// Several names, each in quotes, for a message; a long list is shortened.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a [u8]>) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        if index == SHOWN {
            shown.push("...".to_owned());
            break;
        }
        shown.push(quoted(name));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &[u8]) -> Vec<(usize, &[u8])> {
        let mut lines = Lines::new(text, "x.tsv").unwrap();
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.text));
        }
        found
    }

    #[test]
    fn every_kind_of_line_end_gives_the_same_lines() {
        let expected: [(usize, &[u8]); 2] = [(1, b"a\tb"), (2, b"c")];
        for text in ["a\tb\nc", "a\tb\nc\n", "a\tb\r\nc\r\n", "\u{FEFF}a\tb\nc\r", "a\tb\nc\n\n \n\r\n"] {
            assert_eq!(lines_of(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(lines_of(b""), []);
    }

    #[test]
    fn blank_lines_are_skipped_but_counted() {
        assert_eq!(lines_of(b"\n  \na\n\r\n\t\nb"), [(3, &b"a"[..]), (5, b"\t"), (6, b"b")]);
    }

    #[test]
    fn an_endless_line_is_refused() {
        let text = vec![b'x'; MAX_LINE_BYTES + 1];
        let error = Lines::new(&text, "x.tsv").unwrap().next_line().unwrap_err().to_string();
        assert!(error.starts_with("x.tsv, line 1: the line is 16777217 bytes long"), "{error}");
        assert!(Lines::new(&text[1..], "x.tsv").unwrap().next_line().is_ok());
    }

    #[test]
    fn what_is_no_utf8_text_is_called_by_its_name() {
        for (text, said) in [
            (&b"\xFF\xFEo\0n\0"[..], "byte order mark of UTF-16; save it as UTF-8"),
            (b"\xFE\xFF\0o\0n", "byte order mark of UTF-16; save it as UTF-8"),
            (b"o\0n\0s\0", "there are NUL bytes in it; is it UTF-16, or no text at all?"),
            (b"\x1F\x8B\x08\0", "compressed with gzip; decompress it first"),
            (b"PK\x03\x04\0", "zip archive or a spreadsheet; save it as tab-separated text"),
        ] {
            let error = Lines::new(text, "x.tsv").unwrap_err().to_string();
            assert!(error.starts_with("x.tsv, line 1: expected tab-separated text in UTF-8, but "));
            assert!(error.ends_with(said), "{error}");
        }
    }

    #[test]
    fn messages_quote_fields_short_and_printable() {
        assert_eq!(quoted(b"a\x07\xFFb\r"), "'a\\u{7}\u{FFFD}b\\r'");
        assert_eq!(quoted("x".repeat(1 << 20).as_bytes()), format!("'{}...'", "x".repeat(QUOTED_CHARS)));
        assert_eq!(quoted("é".repeat(60).as_bytes()), format!("'{}'", "é".repeat(60)));
        assert_eq!(list([&b"a"[..]; 9]), "'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', ...");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let error = read(Path::new("no such/file.tsv"), |_, _| Ok(())).unwrap_err().to_string();
        assert!(error.starts_with("no such/file.tsv: cannot be read: "), "{error}");
    }
}
