//! Which lines of a file are shown: a page of it, taken from pieces as they come.

use super::numbers::{counted, grouped};
use super::text::{LINE_BYTES, RESULT_BYTES, character_boundary, readable};
use std::fmt::Write;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of a file that are wanted, taken from its bytes in pieces of any size.
#[derive(Debug)]
pub(super) struct Page {
    /// The first line wanted, from 1.
    first: u64,
    /// How many lines are wanted.
    limit: u64,
    /// The wanted lines as they are shown.
    text: String,
    /// How many lines are in `text`.
    shown: u64,
    /// A line was left for the next page, since this one is full.
    full: bool,
    /// Lines that have ended.
    ended: u64,
    /// What has come of the line that hasn't: as many bytes as may be shown, and one more.
    line: Vec<u8>,
    /// How many bytes have come of it.
    line_length: u64,
    /// Lines that were shown in part.
    cut: u64,
    /// Something was shown as `�`.
    unreadable: bool,
}

impl Page {
    /// `limit` lines from line `first` on, which counts from 1.
    pub(super) fn new(first: u64, limit: u64) -> Self {
        Self {
            first,
            limit,
            text: String::new(),
            shown: 0,
            full: limit == 0,
            ended: 0,
            line: Vec::new(),
            line_length: 0,
            cut: 0,
            unreadable: false,
        }
    }

    /// Whether no further line will be shown.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Takes the next bytes of the file.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (content, ends) = match part.strip_suffix(b"\n") {
                Some(content) => (content, true),
                None => (part, false),
            };
            // One more than is shown tells where a character ends, and one more a CR at the end of the longest line.
            let room = (LINE_BYTES + 2).saturating_sub(self.line.len());
            self.line.extend_from_slice(content.get(..room).unwrap_or(content));
            self.line_length += content.len() as u64;
            if ends {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        self.ended += 1;
        let line = std::mem::take(&mut self.line);
        let length = std::mem::take(&mut self.line_length);
        if self.ended < self.first || self.full {
            return;
        }
        let (mut line, mut length) = (line.as_slice(), length);
        if self.ended == 1
            && let Some(rest) = line.strip_prefix(BYTE_ORDER_MARK)
        {
            (line, length) = (rest, length - BYTE_ORDER_MARK.len() as u64);
        }
        if line.len() as u64 == length
            && let Some(rest) = line.strip_suffix(b"\r")
        {
            (line, length) = (rest, length - 1);
        }
        let kept = character_boundary(line, LINE_BYTES);
        let (shown, whole) = readable(line.get(..kept).unwrap_or(line));
        let mut numbered = format!("{}\t{shown}", self.ended);
        let rest = length - kept as u64;
        if rest > 0 {
            // Writing to a string can't fail.
            let _ = write!(numbered, " … [{} more]", counted(rest, "byte", "bytes"));
        }
        numbered.push('\n');
        if self.shown > 0 && self.text.len() + numbered.len() > RESULT_BYTES {
            self.full = true;
            return;
        }
        self.text.push_str(&numbered);
        self.shown += 1;
        self.cut += u64::from(rest > 0);
        self.unreadable |= !whole;
        self.full = self.shown >= self.limit;
    }

    /// What is shown to the model, after the last bytes of the file, or the last that were read of it.
    ///
    /// `file` is what the file is called, `size` its size in bytes; `complete` says whether all of it has come.
    ///
    /// # Errors
    ///
    /// A sentence, where there is nothing to show because the file has fewer lines.
    pub(super) fn finish(mut self, file: &str, size: u64, complete: bool) -> Result<String, String> {
        // Where the only line there is doesn't end within reach, its beginning is better than nothing.
        let endless = self.shown == 0 && self.ended + 1 >= self.first;
        if self.line_length > 0 && (complete || endless) {
            self.end_line();
        }
        let lines = self.ended;
        if complete && lines == 0 {
            return Ok(format!("[{file} is empty.]\n"));
        }
        if self.shown == 0 {
            return Err(if complete {
                format!(
                    "{file} has only {}. Read it with an offset from 1 to {lines}.",
                    counted(lines, "line", "lines")
                )
            } else {
                format!(
                    "Line {} of {file} is too far into it to be reached: only the first {} of its {} are looked \
                     through, which hold {}. Use Grep, or an offset from 1 to {}.",
                    grouped(self.first),
                    counted(super::read::FARTHEST_BYTE, "byte", "bytes"),
                    counted(size, "byte", "bytes"),
                    counted(lines, "line", "lines"),
                    lines.max(1),
                )
            });
        }
        let last = self.first + self.shown - 1;
        let range = match self.shown {
            1 => format!("Line {}", grouped(last)),
            _ => format!("Lines {}–{}", grouped(self.first), grouped(last)),
        };
        let mut notes = Vec::new();
        if !complete {
            notes.push(format!(
                "{range} of a file of {}. Read again with offset {} for more.",
                counted(size, "byte", "bytes"),
                last + 1
            ));
        } else if last < lines {
            notes.push(format!(
                "{range} of {}. Read again with offset {} for the rest.",
                grouped(lines),
                last + 1
            ));
        } else if self.first > 1 {
            notes.push(format!("{range} of {}: the end of the file.", grouped(lines)));
        }
        if self.cut > 0 {
            notes.push(format!(
                "{} cut after {LINE_BYTES} bytes: Grep shows a long line around a match.",
                counted(self.cut, "line was", "lines were")
            ));
        }
        if self.unreadable {
            notes.push("Bytes that are not UTF-8 text are shown as �.".to_owned());
        }
        if !notes.is_empty() {
            let _ = writeln!(self.text, "[{}]", notes.join(" "));
        }
        Ok(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &[u8], first: u64, limit: u64) -> Result<String, String> {
        let mut page = Page::new(first, limit);
        page.feed(text);
        page.finish("f", text.len() as u64, true)
    }

    fn ok(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    #[test]
    fn a_whole_file_is_shown_without_a_word() {
        assert_eq!(shown(b"a\n\tb\n", 1, 9), ok("1\ta\n2\t\tb\n"));
        assert_eq!(shown(b"a\nb", 1, 2), ok("1\ta\n2\tb\n"));
        assert_eq!(shown(b"\n\n", 1, 9), ok("1\t\n2\t\n"));
        assert_eq!(shown(b"\xef\xbb\xbfa\r\nb\r\n", 1, 9), ok("1\ta\n2\tb\n"));
        assert_eq!(shown(b"", 1, 9), ok("[f is empty.]\n"));
    }

    #[test]
    fn says_which_lines_it_shows_and_how_to_get_the_others() {
        let text: String = (1..=2_310).map(|n| format!("l{n}\n")).collect();
        let page = shown(text.as_bytes(), 1, 2).unwrap();
        assert_eq!(page, "1\tl1\n2\tl2\n[Lines 1–2 of 2,310. Read again with offset 3 for the rest.]\n");
        assert_eq!(shown(b"a\nb\nc\n", 3, 2), ok("3\tc\n[Line 3 of 3: the end of the file.]\n"));
        assert_eq!(
            shown(b"a\n", 7, 2),
            Err("f has only 1 line. Read it with an offset from 1 to 1.".to_owned())
        );
    }

    #[test]
    fn says_so_when_the_file_was_not_read_to_its_end() {
        let mut page = Page::new(1, 1);
        page.feed(b"a\nb\nc");
        assert!(page.is_full());
        assert_eq!(
            page.finish("f", 104_857_600, false),
            ok("1\ta\n[Line 1 of a file of 104,857,600 bytes. Read again with offset 2 for more.]\n")
        );
        let mut page = Page::new(9, 1);
        page.feed(b"a\nb\nc");
        assert_eq!(
            page.finish("f", 999_999_999, false),
            Err("Line 9 of f is too far into it to be reached: only the first 268,435,456 bytes of its 999,999,999 \
                 bytes are looked through, which hold 2 lines. Use Grep, or an offset from 1 to 2."
                .to_owned())
        );
    }

    #[test]
    fn of_a_line_without_an_end_the_beginning_is_shown() {
        let mut page = Page::new(1, 9);
        page.feed(&[b'x'; 1_000]);
        assert_eq!(
            page.finish("f", 999_999_999, false),
            Ok(format!(
                "1\t{} … [400 bytes more]\n[Line 1 of a file of 999,999,999 bytes. Read again with offset 2 for more. 1 \
                 line was cut after 600 bytes: Grep shows a long line around a match.]\n",
                "x".repeat(600)
            ))
        );
    }

    #[test]
    fn long_lines_are_cut_and_it_says_where_to_see_them() {
        let text = format!("{}é!\nb\n", "x".repeat(LINE_BYTES - 1));
        assert_eq!(
            shown(text.as_bytes(), 1, 9),
            Ok(format!(
                "1\t{} … [3 bytes more]\n2\tb\n[1 line was cut after 600 bytes: Grep shows a long line around a \
                 match.]\n",
                "x".repeat(LINE_BYTES - 1)
            ))
        );
        let just_fits = format!("{}\r\n", "x".repeat(LINE_BYTES));
        assert_eq!(shown(just_fits.as_bytes(), 1, 9), Ok(format!("1\t{}\n", "x".repeat(LINE_BYTES))));
    }

    #[test]
    fn a_page_holds_only_so_much() {
        let text = format!("{}\n", "x".repeat(500)).repeat(200);
        let page = shown(text.as_bytes(), 1, 400).unwrap();
        assert!(page.len() <= RESULT_BYTES + 100, "{}", page.len());
        assert!(page.ends_with("[Lines 1–79 of 200. Read again with offset 80 for the rest.]\n"), "{page}");
    }

    #[test]
    fn what_is_not_utf8_is_marked() {
        assert_eq!(
            shown(b"caf\xe9\n", 1, 9),
            ok("1\tcaf\u{fffd}\n[Bytes that are not UTF-8 text are shown as \u{fffd}.]\n")
        );
    }

    proptest! {
        #[test]
        fn pages_cover_the_file_once_whatever_the_pieces(
            lines in prop::collection::vec("[a-zé\\t]{0,30}", 1..60), limit in 1u64..9, piece in 1usize..40,
        ) {
            let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let mut seen = Vec::new();
            let mut offset = 1;
            loop {
                let mut page = Page::new(offset, limit);
                text.as_bytes().chunks(piece).for_each(|piece| page.feed(piece));
                let shown = page.finish("f", text.len() as u64, true).unwrap();
                for line in shown.lines().filter(|line| !line.starts_with('[')) {
                    let (number, line) = line.split_once('\t').unwrap();
                    prop_assert_eq!(number.parse::<usize>().unwrap(), seen.len() + 1);
                    seen.push(line.to_owned());
                }
                match shown.split_once("with offset ") {
                    Some((_, rest)) => offset = rest.split_once(' ').unwrap().0.parse().unwrap(),
                    None => break,
                }
            }
            prop_assert_eq!(seen, lines);
        }

        #[test]
        fn never_panics(bytes in any::<Vec<u8>>(), first in 0u64..20, limit in 0u64..20) {
            let _ = shown(&bytes, first, limit);
        }
    }
}
