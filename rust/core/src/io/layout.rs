//! The columns of a table of scores, and a row of it.
//!
//! Scores are by far the largest input, so they are read in one pass over the bytes.
//! [`Layout::quickly`] takes the numbers of a row as they come, up to the end of its line, and
//! gives up at the first byte it does not expect. Then [`Layout::carefully`] cuts the same line
//! into fields and either reads it after all (blanks around numbers, say) or tells what is wrong
//! with it. The careful reader alone would do, only slower; a test of `scores` compares the two.

use std::collections::HashMap;

use super::header::{Header, wrong_count};
use super::lines::{Line, Lines, quoted};
use super::number::leading_number;
use crate::error::Result;

/// Which columns a table of scores has.
pub(super) struct Layout {
    with_clips: bool,
    pub classes: Vec<String>,
}

impl Layout {
    /// Says which columns there are, or what is wrong with the header.
    pub fn of(header: &Header, lines: &Lines) -> Result<Self> {
        let error = |problem: String| Err(lines.error(header.line, problem));
        let names: Vec<&str> = header.names.iter().map(|name| name.trim_ascii()).collect();
        let with_clips = names[0] == "filename";
        let first_class = 2 + usize::from(with_clips);
        if !names[first_class - 2..].starts_with(&["onset", "offset"]) {
            let hint = if names[1..].starts_with(&["onset", "offset"]) {
                "; name the first column 'filename'".to_owned()
            } else if names.contains(&"onset") && names.contains(&"offset") {
                "; put them in this order".to_owned()
            } else {
                header.hint(&["filename", "onset", "offset"])
            };
            return error(format!(
                "the header of a table of scores starts with 'onset', 'offset' or \
                 with 'filename', 'onset', 'offset', then come the classes, \
                 separated by tabs; {} came{hint}",
                header.list()
            ));
        }
        let classes = &header.names[first_class..];
        match classes {
            [] => return error("no class columns follow after 'onset', 'offset'".to_owned()),
            ["event_label"] => {
                let problem = "this is the header of a table of events; \
                               expected scores, with one column per class";
                return error(problem.to_owned());
            }
            _ => {}
        }
        let mut columns = HashMap::new();
        for (column, class) in (first_class + 1..).zip(classes) {
            let name = || quoted(class.as_bytes());
            if class.trim_ascii().is_empty() {
                let last = column == header.names.len();
                let hint = if last { "; remove the tab at the end of the header" } else { "" };
                return error(format!("column {column} has no class name{hint}"));
            }
            if class.trim_ascii() != *class {
                let name = name();
                return error(format!("the class name {name} of column {column} has blanks around it; remove them"));
            }
            if let Some(first) = columns.insert(class, column) {
                let name = name();
                return error(format!("columns {first} and {column} are both of the class {name}"));
            }
        }
        Ok(Layout { with_clips, classes: classes.iter().map(|&class| class.to_owned()).collect() })
    }

    /// Reads the line at the start of `text` into `numbers` and gives its clip and its length, or
    /// gives up.
    ///
    /// `clip` is the clip of the line before, most often also that of this one.
    pub fn quickly<'a>(
        &self,
        text: &'a [u8],
        clip: Option<&[u8]>,
        numbers: &mut [f64],
    ) -> Option<(Option<&'a [u8]>, usize)> {
        let mut rest = text;
        let mut name = None;
        if self.with_clips {
            let length = match clip {
                Some(clip) if text.starts_with(clip) && text.get(clip.len()) == Some(&b'\t') => clip.len(),
                _ => text.iter().position(|&byte| byte == b'\t' || byte == b'\n')?,
            };
            name = Some(&text[..length]);
            rest = text[length..].strip_prefix(b"\t")?;
        }
        let mut tabs = 1;
        for number in &mut *numbers {
            let (value, length) = leading_number(rest)?;
            if value.is_nan() {
                return None;
            }
            *number = value;
            rest = &rest[length..];
            if let [b'\t', behind @ ..] = rest {
                rest = behind;
                tabs += 1;
            }
        }
        rest = match rest {
            [] => rest,
            [b'\n', behind @ ..] | [b'\r', b'\n', behind @ ..] => behind,
            _ => return None,
        };
        // A tab too few lies between numbers that touch (`1.5-2.5`), one too many behind the last.
        (tabs == numbers.len()).then_some((name, text.len() - rest.len()))
    }

    /// Reads a line field by field into `numbers` and gives its clip, or says what is wrong with
    /// it.
    pub fn carefully<'a>(&self, lines: &Lines, line: Line<'a>, numbers: &mut [f64]) -> Result<Option<&'a [u8]>> {
        let expected = numbers.len() + usize::from(self.with_clips);
        if line.fields().count() != expected {
            return Err(lines.error(line.number, wrong_count(line, expected)));
        }
        let mut fields = line.fields();
        let clip = if self.with_clips { fields.next() } else { None };
        let columns = ["onset", "offset"].into_iter().chain(self.classes.iter().map(String::as_str));
        for ((number, column), field) in numbers.iter_mut().zip(columns).zip(fields) {
            *number = lines.number_of(line.number, column, field)?;
        }
        if let Some(class) = numbers[2..].iter().position(|score| score.is_nan()) {
            let class = quoted(self.classes[class].as_bytes());
            let problem = format!("the score of the class {class} is NaN; a number was expected");
            return Err(lines.error(line.number, problem));
        }
        Ok(clip)
    }
}
