//! The lines that Grep found, as they are shown: `path:line:text`, with `-` instead of `:` for lines around a match and
//! `--` where lines were left out between two of them, as grep itself does.

use super::numbers::counted;
use super::text::{RESULT_BYTES, character_boundary};
use crate::workspace::WorkspacePath;
use regex::Regex;
use std::ops::Range;

/// Lines that match and are shown at most.
const MOST_MATCHES: usize = 100;

/// How much of a line is shown, in bytes: of a longer one, the part around the match.
const LINE_BYTES: usize = 240;

/// How much of a long line is shown before the match, in bytes.
const BEFORE_MATCH: usize = 80;

/// What is shown so far.
#[derive(Debug)]
pub(super) struct Matches {
    context: usize,
    text: String,
    shown: usize,
    more: bool,
    shortened: bool,
}

impl Matches {
    /// Shows `context` lines on either side of a match.
    pub(super) fn new(context: usize) -> Self {
        Self { context, text: String::new(), shown: 0, more: false, shortened: false }
    }

    /// Whether there are more matches than are shown, so that nothing is gained by going on.
    pub(super) fn is_full(&self) -> bool {
        self.more
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.shown == 0
    }

    /// Adds the matches in one file.
    pub(super) fn search(&mut self, regex: &Regex, file: &WorkspacePath, text: &str) {
        let text = text.trim_start_matches('\u{feff}');
        let lines: Vec<&str> = text.lines().collect();
        let mut last_shown: Option<usize> = None;
        for (at, line) in lines.iter().enumerate() {
            let Some(found) = regex.find(line) else { continue };
            if self.shown == MOST_MATCHES || self.text.len() >= RESULT_BYTES {
                self.more = true;
                break;
            }
            self.shown += 1;
            let unshown = last_shown.map_or(0, |last| last + 1);
            let from = at.saturating_sub(self.context).max(unshown);
            if self.context > 0 && !self.text.is_empty() && (last_shown.is_none() || from > unshown) {
                self.text.push_str("--\n");
            }
            for (before, line) in lines.iter().enumerate().take(at).skip(from) {
                self.show(file, before, '-', line, 0..0);
            }
            self.show(file, at, ':', line, found.range());
            last_shown = Some(at);
            // The lines after it, up to the next match, which shows itself.
            for (after, line) in lines.iter().enumerate().skip(at + 1).take(self.context) {
                if regex.is_match(line) {
                    break;
                }
                self.show(file, after, '-', line, 0..0);
                last_shown = Some(after);
            }
        }
    }

    fn show(&mut self, file: &WorkspacePath, at: usize, mark: char, line: &str, found: Range<usize>) {
        let part = part_around(line, &found);
        let before = if part.start > 0 { "…" } else { "" };
        let after = if part.end < line.len() { "…" } else { "" };
        self.shortened |= part.len() < line.len();
        let shown = line.get(part).unwrap_or(line);
        self.text.push_str(&format!("{file}{mark}{}{mark}{before}{shown}{after}\n", at + 1));
    }

    /// What has to be said about lines that are not shown, or not whole.
    pub(super) fn note(&self) -> Option<String> {
        let more = format!(
            "Only the first {} shown; there are more. Use a narrower pattern, path or glob, or less context.",
            counted(self.shown as u64, "match is", "matches are")
        );
        let shortened = format!("Of lines longer than {LINE_BYTES} bytes only a part is shown.");
        match (self.more, self.shortened) {
            (false, false) => None,
            (true, false) => Some(more),
            (false, true) => Some(shortened),
            (true, true) => Some(format!("{more} {shortened}")),
        }
    }

    /// The lines.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// The part of a line that is shown: all of it, or where it is too long what is around the match.
fn part_around(line: &str, found: &Range<usize>) -> Range<usize> {
    if line.len() <= LINE_BYTES {
        return 0..line.len();
    }
    let wanted = found.start.saturating_sub(BEFORE_MATCH).min(line.len() - LINE_BYTES);
    let start = character_boundary(line.as_bytes(), wanted);
    let end = character_boundary(line.as_bytes(), start + LINE_BYTES);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, context: usize, files: &[(&str, &str)]) -> (String, Option<String>) {
        let mut matches = Matches::new(context);
        for (file, text) in files {
            matches.search(&Regex::new(pattern).unwrap(), &WorkspacePath::parse(file).unwrap(), text);
        }
        let note = matches.note();
        (matches.into_text(), note)
    }

    #[test]
    fn lines_around_matches_are_shown_once_and_gaps_are_marked() {
        let text = "a\nX1\nb\nX2\nc\nd\ne\nf\nX3\n";
        let (shown, note) = found("X", 1, &[("t", text), ("u", "X4\r\ng\r\n")]);
        assert_eq!(shown, "t-1-a\nt:2:X1\nt-3-b\nt:4:X2\nt-5-c\n--\nt-8-f\nt:9:X3\n--\nu:1:X4\nu-2-g\n");
        assert_eq!(note, None);
        let neighbours = found("X", 1, &[("t", "X\nX\na\nb\nX\n")]);
        assert_eq!(neighbours, ("t:1:X\nt:2:X\nt-3-a\nt-4-b\nt:5:X\n".to_owned(), None));
    }

    #[test]
    fn of_a_long_line_the_part_around_the_match_is_shown() {
        let line = format!("{}needle{}", "é".repeat(500), "z".repeat(5_000));
        let (shown, note) = found("needle", 0, &[("min.js", &line)]);
        assert_eq!(shown, format!("min.js:1:…{}needle{}…\n", "é".repeat(40), "z".repeat(154)));
        assert_eq!(note, Some("Of lines longer than 240 bytes only a part is shown.".to_owned()));
        let (shown, _) = found("end$", 0, &[("min.js", &format!("{}end", "z".repeat(500)))]);
        assert_eq!(shown, format!("min.js:1:…{}end\n", "z".repeat(237)));
    }

    #[test]
    fn lines_around_matches_count_too() {
        // The first match shows 20 lines of 238 bytes around it, each later one the ten that follow: 16 make 40,000.
        let text = format!("{}\n", "x".repeat(230)).repeat(10) + "hit\n";
        let mut matches = Matches::new(10);
        let (regex, file) = (Regex::new("hit").unwrap(), WorkspacePath::parse("t").unwrap());
        matches.search(&regex, &file, &text.repeat(100));
        let note = "Only the first 16 matches are shown; there are more. Use a narrower pattern, path or glob, or less \
                    context.";
        assert_eq!((matches.is_full(), matches.note()), (true, Some(note.to_owned())));
        let text = matches.into_text();
        assert!(text.len() < RESULT_BYTES + 21 * 260, "{}", text.len());
    }

    #[test]
    fn stops_when_there_are_more_than_are_shown() {
        let hundred = "x\n".repeat(100);
        let mut matches = Matches::new(0);
        let (regex, file) = (Regex::new("x").unwrap(), WorkspacePath::parse("t").unwrap());
        matches.search(&regex, &file, &hundred);
        assert_eq!((matches.is_full(), matches.note()), (false, None));
        matches.search(&regex, &file, "x\n");
        let note = "Only the first 100 matches are shown; there are more. Use a narrower pattern, path or glob, or less context.";
        assert_eq!((matches.is_full(), matches.note()), (true, Some(note.to_owned())));
        assert_eq!(matches.into_text().lines().count(), 100);
    }
}
