//! Scores: a table with a row for each frame and a column for each class.

use std::collections::HashMap;
use std::path::Path;

use super::header::Header;
use super::layout::Layout;
use super::lines::{Lines, quoted, read};
use crate::error::Result;
use crate::parallel::Cancel;

/// The scores of one clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    /// What the column `filename` says, if the table has one.
    pub clip: Option<String>,
    /// The T + 1 edges of the T frames in seconds: the onset of the first frame, then all offsets.
    pub edges: Vec<f64>,
    /// Class-major scores: the T scores of the first class, then those of the second, and so on.
    pub scores: Vec<f64>,
}

/// The scores of one clip or of many.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreFile {
    /// Names of the classes in the order of their columns.
    pub classes: Vec<String>,
    /// One table without a clip, or one for each clip of the column `filename` in the order of the
    /// file.
    pub tables: Vec<ScoreTable>,
}

/// Reads a table of scores from a file; see [`parse_scores`].
pub fn read_scores(path: &Path) -> Result<ScoreFile> {
    read(path, parse_scores)
}

/// Reads a table of scores from a file, or fails where the caller has given up.
pub fn read_scores_unless(cancel: &Cancel, path: &Path) -> Result<ScoreFile> {
    read(path, |text, file| parse(text, file, cancel))
}

/// Reads a table of scores.
///
/// The header is `onset`, `offset` and the names of the classes; with `filename` before them the
/// table holds many clips, the rows of each together. The frames of a clip follow each other: the
/// onset of a frame is exactly the offset of the frame before. Scores may be infinite but not NaN.
pub fn parse_scores(text: &[u8], file: &str) -> Result<ScoreFile> {
    parse(text, file, &Cancel::new())
}

/// Lines after which to ask whether the table is still wanted: a few milliseconds.
const CANCEL_INTERVAL: usize = 1 << 12;

fn parse(text: &[u8], file: &str, cancel: &Cancel) -> Result<ScoreFile> {
    let mut lines = Lines::new(text, file)?;
    let header = Header::read(&mut lines, "'onset', 'offset' and one column per class, separated by tabs")?;
    let layout = Layout::of(&header, &lines)?;
    let mut clips = Clips::default();
    let mut tables = Vec::new();
    let mut frames = Frames::default();
    let mut numbers = vec![0.0; 2 + layout.classes.len()];
    while !lines.rest().is_empty() {
        let (number, rest) = (lines.number(), lines.rest());
        if number % CANCEL_INTERVAL == 0 && cancel.is_set() {
            return Err(lines.error(number, "reading was cancelled".to_owned()));
        }
        let (line, clip) = if let Some((clip, bytes)) = layout.quickly(rest, frames.clip, &mut numbers) {
            lines.step_over(bytes);
            lines.check_length(number, bytes)?;
            (number, clip)
        } else if let Some(line) = lines.next_line()? {
            (line.number, layout.carefully(&lines, line, &mut numbers)?)
        } else {
            break;
        };
        if clip != frames.clip || frames.edges.is_empty() {
            tables.extend(frames.take_table(layout.classes.len()));
            frames.clip = clip;
            frames.name = clips.enter(&lines, line, clip)?;
        }
        frames.push(&lines, line, &numbers)?;
    }
    tables.extend(frames.take_table(layout.classes.len()));
    if tables.is_empty() {
        let problem = "there are no frames below the header; expected one line for each frame".to_owned();
        return Err(lines.error(header.line + 1, problem));
    }
    Ok(ScoreFile { classes: layout.classes, tables })
}

/// The clips of a table so far, and the line on which each started.
#[derive(Default)]
struct Clips<'a>(HashMap<&'a [u8], usize>);

impl<'a> Clips<'a> {
    /// Notes that a clip starts on `line`, and gives its name.
    fn enter(&mut self, lines: &Lines<'a>, line: usize, clip: Option<&'a [u8]>) -> Result<Option<String>> {
        let Some(clip) = clip else { return Ok(None) };
        let name = lines.utf8(line, "the file name", clip)?;
        if name.trim_ascii().is_empty() {
            return Err(lines.error(line, "column 'filename' is empty".to_owned()));
        }
        if let Some(first) = self.0.insert(clip, line) {
            let problem = format!(
                "{} comes back after other clips, it started on line {first}; \
                 put the lines of each clip together",
                quoted(clip)
            );
            return Err(lines.error(line, problem));
        }
        Ok(Some(name.to_owned()))
    }
}

/// The frames of the clip that is being read.
#[derive(Default)]
struct Frames<'a> {
    clip: Option<&'a [u8]>,
    name: Option<String>,
    edges: Vec<f64>,
    /// Frame-major, as the lines come.
    rows: Vec<f64>,
}

impl Frames<'_> {
    /// Adds a frame; `numbers` are its onset, its offset and its scores.
    fn push(&mut self, lines: &Lines, line: usize, numbers: &[f64]) -> Result<()> {
        let (onset, offset) = (numbers[0], numbers[1]);
        lines.check_finite(line, "onset", onset)?;
        lines.check_finite(line, "offset", offset)?;
        if let Some(&end) = self.edges.last() {
            if end != onset {
                let what = if onset > end { "a gap" } else { "an overlap" };
                let problem = format!(
                    "{what}: the frame starts at {onset:?}, but the frame before ends at {end:?}; \
                     the onset of each frame must equal the offset of the frame before, \
                     to the last digit"
                );
                return Err(lines.error(line, problem));
            }
        } else {
            self.edges.push(onset);
        }
        if offset <= onset {
            let problem = format!("the frame ends at {offset:?}, which is not after its start at {onset:?}");
            return Err(lines.error(line, problem));
        }
        self.edges.push(offset);
        self.rows.extend_from_slice(&numbers[2..]);
        Ok(())
    }

    /// Hands over the table of the clip, if any frame came, and is ready for the next clip.
    fn take_table(&mut self, classes: usize) -> Option<ScoreTable> {
        if self.edges.is_empty() {
            return None;
        }
        let scores = transposed(&self.rows, classes);
        self.rows.clear();
        let edges = std::mem::take(&mut self.edges);
        Some(ScoreTable { clip: self.name.take(), edges, scores })
    }
}

/// `rows`, each of `width` numbers, as columns.
fn transposed(rows: &[f64], width: usize) -> Vec<f64> {
    // A block of rows stays in the cache while each of its columns is copied out.
    const BLOCK: usize = 64;
    let height = rows.len() / width;
    let mut columns = vec![0.0; rows.len()];
    for (block, rows) in rows.chunks(BLOCK * width).enumerate() {
        for (column, target) in columns.chunks_exact_mut(height).enumerate() {
            for (target, row) in target[block * BLOCK..].iter_mut().zip(rows.chunks_exact(width)) {
                *target = row[column];
            }
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> ScoreFile {
        parse_scores(text.as_bytes(), "s.tsv").unwrap()
    }

    /// The error without the name of the file.
    fn error(text: &[u8]) -> String {
        let error = parse_scores(text, "s.tsv").unwrap_err().to_string();
        error.strip_prefix("s.tsv, ").expect("every error names the file").to_owned()
    }

    #[test]
    fn scores_come_class_by_class() {
        let file = parse("onset\toffset\tCat\tDog\n0.0\t0.5\t0.1\t0.9\n0.5\t1.25\t0.2\t0.8\n");
        assert_eq!(file.classes, ["Cat", "Dog"]);
        let [table] = &file.tables[..] else { panic!("one clip was expected") };
        assert_eq!(table.clip, None);
        assert_eq!(table.edges, [0.0, 0.5, 1.25]);
        assert_eq!(table.scores, [0.1, 0.2, 0.9, 0.8]);
    }

    #[test]
    fn a_table_with_file_names_holds_many_clips() {
        let file = parse(
            "filename\tonset\toffset\tDog\nb.wav\t0\t1\t0.5\nb.wav\t1\t2\t0.25\n\
             a b.wav\t3\t4\t-inf\nb.wav2\t0\t1\t1e-3\n",
        );
        let tables: Vec<_> = file
            .tables
            .iter()
            .map(|table| (table.clip.as_deref().unwrap(), &table.edges[..], &table.scores[..]))
            .collect();
        let expected: [(&str, &[f64], &[f64]); 3] = [
            ("b.wav", &[0.0, 1.0, 2.0], &[0.5, 0.25]),
            ("a b.wav", &[3.0, 4.0], &[f64::NEG_INFINITY]),
            ("b.wav2", &[0.0, 1.0], &[0.001]),
        ];
        assert_eq!(tables, expected);
    }

    #[test]
    fn line_ends_blank_lines_and_blanks_around_numbers_change_nothing() {
        let plain = parse("onset\toffset\tDog\n0.0\t1.0\t0.25\n1.0\t2.0\tinf\n");
        for text in [
            "\u{FEFF}onset\toffset\tDog\r\n0.0\t1.0\t0.25\r\n1.0\t2.0\tinf\r\n",
            "onset\toffset\tDog\n0.0\t1.0\t0.25\n1.0\t2.0\tinf",
            "onset\toffset\tDog\n\n0.0\t1.0\t0.25\n  \n1.0\t2.0\tinf\n\n\r\n",
            "onset\toffset\tDog\n 0.0\t1.0 \t 0.25\n1.0\t2.0\t  inf \n",
            "onset\toffset\tDog\n-0\t+1\t2.5e-1\n1.\t2\tInfinity\r",
        ] {
            assert_eq!(parse(text), plain, "{text:?}");
        }
    }

    #[test]
    fn the_quick_and_the_careful_reader_agree() {
        let numbers = ["0.0", "-1.5", "1e-05", "0.026012800633907318", "7", ".5", "inf", "12.75E+3"];
        let names: Vec<String> = (0..numbers.len()).map(|class| format!("class{class}")).collect();
        let mut text = format!("onset\toffset\t{}\n", names.join("\t"));
        for frame in 0..numbers.len() {
            let mut row = numbers;
            row.rotate_left(frame);
            text.push_str(&[format!("{frame}.5\t{}.5\t", frame + 1), row.join("\t")].concat());
            text.push('\n');
        }
        // The quick reader gives up at a blank.
        let careful = text.replace('\n', " \n");
        let careful = careful.replacen(" \n", "\n", 1);
        assert_eq!(parse(&text), parse(&careful));
        assert_eq!(parse(&text).tables[0].scores[8..11], [-1.5, 1e-5, 0.026_012_800_633_907_318]);
    }

    #[test]
    fn the_header_says_what_the_columns_are() {
        for (header, said) in [
            ("", "the file is empty; expected a header line: 'onset', 'offset' and one column"),
            ("Onset\toffset\tDog", "'Onset', 'offset', 'Dog' came; write 'onset' instead of 'Onset'"),
            ("onset,offset,Dog", "separated by commas, write tabs instead"),
            ("onset;offset;Running water", "separated by semicolons, write tabs instead"),
            ("offset\tonset\tDog", "'offset', 'onset', 'Dog' came; put them in this order"),
            ("audio\tonset\toffset\tDog", "came; name the first column 'filename'"),
            ("0.0\t0.5\t0.75", "the first line seems to be data, put a header line before it"),
            ("filename\tDog", "the classes, separated by tabs; 'filename', 'Dog' came"),
            ("onset", "the classes, separated by tabs; 'onset' came"),
            ("onset\toffset", "no class columns follow after 'onset', 'offset'"),
            ("filename\tonset\toffset\tevent_label", "this is the header of a table of events;"),
            ("onset\toffset\tDog\tCat\tDog", "columns 3 and 5 are both of the class 'Dog'"),
            ("onset\toffset\t\tDog", "column 3 has no class name"),
            ("onset\toffset\tDog\t", "column 4 has no class name; remove the tab at the end"),
            ("onset\toffset\tDog ", "the class name 'Dog ' of column 3 has blanks around it"),
        ] {
            let said_here = error(header.as_bytes());
            assert!(said_here.starts_with("line 1: ") && said_here.contains(said), "{said_here}");
        }
        assert!(error(b"onset\toffset\tB\xE4r\n").contains("'B\u{FFFD}r' is not UTF-8"));
        assert!(error(b"onset\toffset\tDog\n\n").starts_with("line 2: there are no frames below"));
    }

    #[test]
    fn a_bad_row_is_named_with_what_came() {
        for (rows, said) in [
            ("0\t1\t0.5\n", "line 2: the line has 3 fields, but the header has 4"),
            ("0\t1\t0.5\t0.5\t0.5\n", "line 2: the line has 5 fields, but the header has 4"),
            ("0\t1\t0.5\t0.5\t\n", "header has 4; remove the tab at the end of the line"),
            ("0,1,0.5,0.5\n", "line 2: the line has 1 field, but the header has 4; are the fields"),
            ("0\t1\t0.5-0.5\n", "line 2: the line has 3 fields, but the header has 4"),
            ("0\t1\t0.5-0.5\t1\n", "column 'Cat' has '0.5-0.5', which is no number"),
            ("0\t1\t0.5\tabc\n", "line 2: column 'Dog' has 'abc', which is no number"),
            ("0\t1\t0,5\t1\n", "'0,5', which is no number; write decimals with a point"),
            ("0\t1\t\t0.5\n", "line 2: column 'Cat' is empty; a number was expected"),
            ("0\t1\t0.5\tNaN\n", "line 2: the score of the class 'Dog' is NaN;"),
            ("0\tinf\t1\t1\n", "line 2: column 'offset' has inf; a finite time"),
            ("nan\t1\t1\t1\n", "line 2: column 'onset' has NaN; a finite time"),
            ("0\t1\t1\t1\n1\t1\t1\t1\n", "line 3: the frame ends at 1.0, which is not after its"),
            ("2\t1\t1\t1\n", "line 2: the frame ends at 1.0, which is not after its start at 2.0"),
        ] {
            let said_here = error(format!("onset\toffset\tCat\tDog\n{rows}").as_bytes());
            assert!(said_here.contains(said), "{said_here}");
        }
    }

    #[test]
    fn frames_must_follow_each_other() {
        let rows = |onset: &str| format!("onset\toffset\tDog\n0\t0.064\t1\n{onset}\t1\t1\n");
        assert_eq!(
            error(rows("0.07").as_bytes()),
            "line 3: a gap: the frame starts at 0.07, but the frame before ends at 0.064; \
             the onset of each frame must equal the offset of the frame before, to the last digit"
        );
        assert!(error(rows("0.06399999999999999").as_bytes()).starts_with("line 3: an overlap: "));
    }

    #[test]
    fn the_lines_of_a_clip_stand_together() {
        let header = "filename\tonset\toffset\tDog\n";
        let text = format!("{header}a\t0\t1\t1\nb\t0\t1\t1\na\t1\t2\t1\n");
        assert_eq!(
            error(text.as_bytes()),
            "line 4: 'a' comes back after other clips, it started on line 2; \
             put the lines of each clip together"
        );
        assert!(error(format!("{header}\t0\t1\t1\n").as_bytes()).contains("'filename' is empty"));
        assert!(error(format!("{header}a 0 1 1\n").as_bytes()).contains("has 1 field, but"));
    }

    #[test]
    fn an_endless_line_is_refused() {
        let name = "x".repeat(17 << 20);
        for (header, row) in [
            ("onset\toffset\tDog", format!("0\t1\t{name}")),
            ("filename\tonset\toffset\tDog", format!("{name}\t0\t1\t0.5")),
        ] {
            let said = error(format!("{header}\n{row}\n").as_bytes());
            assert!(said.starts_with("line 2: the line is 17825"), "{said}");
        }
    }

    #[test]
    fn many_frames_are_transposed_as_one_by_one() {
        let (height, width) = (131, 3);
        let rows: Vec<f64> = (0..height * width).map(f64::from).collect();
        let columns = transposed(&rows, width as usize);
        for (index, value) in (0..).zip(columns) {
            assert_eq!(value, f64::from(index % height * width + index / height));
        }
    }
}
