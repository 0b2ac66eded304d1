//! The first line of a table: its columns, and a guess at what went wrong when one is not there.

use super::lines::{Line, Lines, MAX_COLUMNS, is_number, list, quoted, without_quotes};
use crate::error::Result;

/// The names of the columns as they stand in the file.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub line: usize,
    pub names: Vec<&'a str>,
}

impl<'a> Header<'a> {
    /// Reads the first line. `layout` says in a message what it should have been.
    pub fn read(lines: &mut Lines<'a>, layout: &str) -> Result<Self> {
        let Some(line) = lines.next_line()? else {
            return Err(lines.error(1, format!("the file is empty; expected a header line: {layout}")));
        };
        let number = line.number;
        if line.text.contains(&b'\r') {
            let problem = "lines end with a carriage return alone; \
                           save the file with line feeds (\\n) as line ends";
            return Err(lines.error(number, problem.to_owned()));
        }
        let count = line.fields().count();
        if count > MAX_COLUMNS {
            let problem = format!("the header has {count} columns; at most {MAX_COLUMNS} are read");
            return Err(lines.error(number, problem));
        }
        let names = line.fields().map(|name| lines.utf8(number, "the column name", name)).collect::<Result<_>>()?;
        Ok(Header { line: number, names })
    }

    /// The places of the columns `expected`, which may stand in any order among others.
    pub fn find<const N: usize>(&self, lines: &Lines, expected: [&str; N]) -> Result<[usize; N]> {
        let mut found = [0; N];
        for (place, name) in found.iter_mut().zip(expected) {
            let mut places = (0..self.names.len()).filter(|&column| self.names[column].trim_ascii() == name);
            *place = places.next().ok_or_else(|| {
                let problem = format!(
                    "the header has no column '{name}'; \
                     expected the columns {} separated by tabs, but {} came{}",
                    list(expected.map(str::as_bytes)),
                    self.list(),
                    self.hint(&expected)
                );
                lines.error(self.line, problem)
            })?;
            if places.next().is_some() {
                return Err(lines.error(self.line, format!("the header has more than one column '{name}'")));
            }
        }
        Ok(found)
    }

    /// The names that came, for a message.
    pub fn list(&self) -> String {
        list(self.names.iter().map(|name| name.as_bytes()))
    }

    /// What to try, as the end of a sentence about a header that lacks some `expected` column; may
    /// be empty.
    pub fn hint(&self, expected: &[&str]) -> String {
        const SEPARATORS: [(char, &str); 4] = [(',', "commas"), (';', "semicolons"), ('|', "bars"), (' ', "blanks")];
        for (separator, called) in SEPARATORS {
            let joined = self.names.iter().filter(|name| name.contains(separator));
            let mut parts = joined.flat_map(|name| name.split(separator)).map(str::trim_ascii);
            if parts.any(|part| is_one_of(part, expected)) {
                return format!("; the columns seem to be separated by {called}, write tabs instead");
            }
        }
        let is_data = |name: &&str| is_number(name.trim_ascii().as_bytes());
        let is_expected = |name: &&str| is_one_of(name.trim_ascii(), expected);
        if self.names.iter().any(is_data) && !self.names.iter().any(is_expected) {
            return "; the first line seems to be data, put a header line before it".to_owned();
        }
        for name in &self.names {
            let name = name.trim_ascii().as_bytes();
            let bare = without_quotes(name);
            let meant = expected.iter().find(|meant| meant.as_bytes().eq_ignore_ascii_case(bare));
            match meant {
                Some(_) if bare != name => {
                    return "; write the names of the columns without quotes".to_owned();
                }
                Some(meant) if meant.as_bytes() != bare => {
                    return format!("; write '{meant}' instead of {}", quoted(name));
                }
                _ => {}
            }
        }
        String::new()
    }

    /// Puts the fields of a row into `fields`; a row of another number of fields than the header is
    /// an error.
    ///
    /// A row that ends early is filled with empty fields when `may_end_early` agrees to what there
    /// is.
    pub fn split<'t>(
        &self,
        lines: &Lines,
        row: Line<'t>,
        fields: &mut Vec<&'t [u8]>,
        may_end_early: impl Fn(&[&[u8]]) -> bool,
    ) -> Result<()> {
        let expected = self.names.len();
        fields.clear();
        // One more than expected shows that there are too many, however long the line is.
        fields.extend(row.fields().take(expected + 1));
        let came = fields.len();
        if came == expected {
            return Ok(());
        }
        fields.resize(expected, b"");
        if came < expected && may_end_early(fields) {
            return Ok(());
        }
        Err(lines.error(row.number, wrong_count(row, expected)))
    }
}

/// Says that `row` has not the `expected` number of fields.
pub(super) fn wrong_count(row: Line, expected: usize) -> String {
    let came = row.fields().count();
    let hint = match came {
        _ if came == expected + 1 && row.text.ends_with(b"\t") => "; remove the tab at the end of the line",
        1 if expected > 1 => "; are the fields separated by tabs?",
        _ => "",
    };
    let fields = if came == 1 { "field" } else { "fields" };
    format!("the line has {came} {fields}, but the header has {expected}{hint}")
}

fn is_one_of(name: &str, expected: &[&str]) -> bool {
    let bare = without_quotes(name.as_bytes());
    expected.iter().any(|meant| meant.as_bytes().eq_ignore_ascii_case(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(header: &str) -> String {
        let mut lines = Lines::new(header.as_bytes(), "x.tsv").unwrap();
        let header = Header::read(&mut lines, "filename, duration").unwrap();
        header.find(&lines, ["filename", "duration"]).unwrap_err().to_string()
    }

    #[test]
    fn columns_are_found_in_any_order_among_others() {
        let mut lines = Lines::new(b"note\tduration \tfilename\n", "x.tsv").unwrap();
        let header = Header::read(&mut lines, "").unwrap();
        assert_eq!(header.find(&lines, ["filename", "duration"]).unwrap(), [2, 1]);
    }

    #[test]
    fn a_missing_column_is_named_with_what_came_and_what_to_try() {
        assert_eq!(
            error("filename\tDuration"),
            "x.tsv, line 1: the header has no column 'duration'; \
             expected the columns 'filename', 'duration' separated by tabs, \
             but 'filename', 'Duration' came; write 'duration' instead of 'Duration'"
        );
        assert!(error("filename,duration").ends_with("separated by commas, write tabs instead"));
        assert!(error("filename;duration").ends_with("separated by semicolons, write tabs instead"));
        assert!(error("filename duration").ends_with("separated by blanks, write tabs instead"));
        assert!(error("\"filename\"\t\"duration\"").ends_with("without quotes"));
        assert!(error("a.wav\t10.0").ends_with("put a header line before it"));
        assert!(error("length").ends_with("but 'length' came"));
        assert!(error("filename\tno duration").ends_with("write tabs instead"));
        assert!(error("filename\tthe length\t1").ends_with("but 'filename', 'the length', '1' came"));
        assert!(error("filename\tduration\tduration").ends_with("more than one column 'duration'"));
    }

    #[test]
    fn old_line_ends_and_endless_headers_are_refused() {
        let mut lines = Lines::new(b"filename\tduration\ra.wav\t1\r", "x.tsv").unwrap();
        assert!(Header::read(&mut lines, "").unwrap_err().to_string().contains("carriage return"));
        let wide = "\t".repeat(MAX_COLUMNS);
        let mut lines = Lines::new(wide.as_bytes(), "x.tsv").unwrap();
        assert!(Header::read(&mut lines, "").unwrap_err().to_string().contains("has 65537 columns"));
    }
}
