//! `Read`: some lines of a file, numbered.

use super::arguments::{Form, Kind, Parameter};
use super::numbers::counted;
use super::page::Page;
use super::text::looks_binary;
use crate::workspace::{Workspace, WorkspaceError, WorkspacePath};
use serde::Deserialize;

/// Lines that are shown when the model doesn't say how many.
const DEFAULT_LINES: u64 = 400;

/// Lines that are shown at most.
const MOST_LINES: u64 = 2_000;

/// How much of a file is read at once, in bytes. Between two such pieces a run can be stopped.
const CHUNK_BYTES: u64 = 256 * 1024;

/// Files of up to so many bytes are read to their end to tell how many lines they have; of larger ones only as much as
/// is shown.
const COUNTED_BYTES: u64 = 4 * 1024 * 1024;

/// How far into a file a line is looked for, in bytes.
pub(super) const FARTHEST_BYTE: u64 = 256 * 1024 * 1024;

pub(super) static FORM: Form = Form {
    tool: "Read",
    description: "Shows lines of a text file, numbered.",
    example: r#"{"path": "src/main.rs", "offset": 1, "limit": 400}"#,
    parameters: &[
        Parameter {
            name: "path",
            aliases: &["filepath", "filename", "file"],
            kind: Kind::Text,
            required: true,
            description: "",
        },
        Parameter {
            name: "offset",
            aliases: &["startline", "start", "line", "fromline"],
            kind: Kind::Count,
            required: false,
            description: "first line, from 1",
        },
        Parameter {
            name: "limit",
            aliases: &["lines", "numlines", "linecount", "maxlines"],
            kind: Kind::Count,
            required: false,
            description: "how many lines; 400 if not given",
        },
    ],
};

#[derive(Deserialize)]
struct ReadArguments {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

/// Shows a page of a file, or says why there is none.
///
/// A file that an ignore rule leaves out of Glob and Grep can be read all the same: the rules keep searches small, they
/// are no wall.
pub(super) async fn run(arguments: &str, workspace: &impl Workspace) -> Result<String, String> {
    let ReadArguments { path, offset, limit } = FORM.read(arguments)?;
    let file = WorkspacePath::parse(&path).map_err(|error| format!("Read can't open that: {error}."))?;
    let limit = limit.unwrap_or(DEFAULT_LINES).clamp(1, MOST_LINES);
    let mut page = Page::new(offset.unwrap_or(1).max(1), limit);
    let mut position = 0;
    loop {
        let piece = match workspace.read(&file, position..position + CHUNK_BYTES).await {
            Ok(piece) => piece,
            Err(error) => return Err(unreadable(&file, &error)),
        };
        if position == 0 && looks_binary(&piece.bytes) {
            let size = counted(piece.size, "byte", "bytes");
            return Ok(format!("[{file} is a binary file of {size}. Its content is not shown.]\n"));
        }
        page.feed(&piece.bytes);
        position += piece.bytes.len() as u64;
        let complete = piece.bytes.is_empty() || position >= piece.size;
        let enough = page.is_full() && piece.size > COUNTED_BYTES;
        if complete || enough || position >= FARTHEST_BYTE {
            return page.finish(&file.to_string(), piece.size, complete);
        }
    }
}

/// Says why a file can't be read, and what to do about it.
fn unreadable(file: &WorkspacePath, error: &WorkspaceError) -> String {
    match error {
        WorkspaceError::NotFound => format!(
            "There is no file {file} (or no longer). Use Glob to find files by name, and mind capital letters."
        ),
        WorkspaceError::NotAFile => {
            format!("{file} is a folder. Use Glob with the path {file} to see the files in it.")
        }
        WorkspaceError::NotAFolder => {
            format!("A part of the path {file} is a file, not a folder. Use Glob to find files by name.")
        }
        WorkspaceError::Denied => format!("Reading {file} is not allowed. Go on without it."),
        WorkspaceError::Failed(words) => {
            format!("Reading {file} failed: {words}. Try again, or go on without it.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Entry, MemoryWorkspace, Piece};
    use pollster::block_on;
    use std::cell::Cell;
    use std::ops::Range;

    fn read(arguments: &str, workspace: &impl Workspace) -> Result<String, String> {
        block_on(run(arguments, workspace))
    }

    #[test]
    fn says_why_a_file_is_not_shown() {
        let workspace =
            MemoryWorkspace::default().with("src/a.rs", "x").with("logo.png", b"\x89PNG\0\0".as_slice());
        let ways = [
            (
                r#"{"path": "logo.png"}"#,
                Ok("[logo.png is a binary file of 6 bytes. Its content is not shown.]\n"),
            ),
            (
                r#"{"path": "src/A.rs"}"#,
                Err(
                    "There is no file src/A.rs (or no longer). Use Glob to find files by name, and mind capital \
                     letters.",
                ),
            ),
            (
                r#"{"path": "src"}"#,
                Err("src is a folder. Use Glob with the path src to see the files in it."),
            ),
            (
                r#"{"path": "/src/a.rs"}"#,
                Err("Read can't open that: paths are relative to the workspace; try `src/a.rs`."),
            ),
            (
                r#"{"path": "src/../../a.rs"}"#,
                Err("Read can't open that: `..` leaves the workspace; only what is inside can be looked at."),
            ),
            (r#"{"path": "src/a.rs", "offset": 0, "limit": 0}"#, Ok("1\tx\n")),
        ];
        for (arguments, expected) in ways {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(read(arguments, &workspace), expected, "{arguments}");
        }
    }

    #[test]
    fn the_model_is_told_the_limit_that_holds() {
        let told = FORM.parameters.iter().find(|parameter| parameter.name == "limit").unwrap().description;
        assert_eq!(told, format!("how many lines; {DEFAULT_LINES} if not given"));
    }

    /// A file that is shorter each time it is looked at.
    struct Shrinking(Cell<u64>);

    impl Workspace for Shrinking {
        async fn list(&self, _: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            Err(WorkspaceError::NotAFolder)
        }

        async fn read(&self, _: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
            let size = self.0.replace(self.0.get() / 3);
            let length = size.min(range.end).saturating_sub(range.start);
            Ok(Piece { bytes: b"\n".repeat(length as usize), size })
        }
    }

    #[test]
    fn a_file_that_shrinks_while_it_is_read_ends_where_it_ends() {
        let result = read(r#"{"path": "log", "limit": 1}"#, &Shrinking(Cell::new(2 * CHUNK_BYTES)));
        assert_eq!(
            result,
            Ok("1\t\n[Line 1 of 262,144. Read again with offset 2 for the rest.]\n".to_owned())
        );
    }

    #[test]
    fn a_name_with_a_line_break_can_be_read_as_it_is_shown() {
        let mut workspace = MemoryWorkspace::default();
        workspace.insert(WorkspacePath::root().join("a\nb \u{202e}😀.txt").unwrap(), "");
        assert_eq!(
            read(r#"{"path": "a<U+000A>b <U+202E>😀.txt"}"#, &workspace),
            Ok("[a<U+000A>b <U+202E>😀.txt is empty.]\n".to_owned())
        );
    }

    /// A file of so many lines of 16 bytes that is never in memory, and how many of its bytes were read.
    struct Huge {
        lines: u64,
        read: Cell<u64>,
    }

    impl Workspace for Huge {
        async fn list(&self, _: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            Err(WorkspaceError::NotAFolder)
        }

        async fn read(&self, _: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
            let size = self.lines * 16;
            let end = range.end.min(size);
            let length = (end - range.start) as usize;
            let skip = (range.start % 16) as usize;
            let bytes = b"fifteen letters\n".repeat(length / 16 + 2)[skip..skip + length].to_vec();
            self.read.set(self.read.get() + bytes.len() as u64);
            Ok(Piece { bytes, size })
        }
    }

    #[test]
    fn of_a_file_of_100_megabytes_only_what_is_shown_is_read() {
        let huge = Huge { lines: 6_553_600, read: Cell::new(0) };
        assert_eq!(
            read(r#"{"path": "log", "limit": 1}"#, &huge),
            Ok("1\tfifteen letters\n[Line 1 of a file of 104,857,600 bytes. Read again with offset 2 for \
                more.]\n"
                .to_owned())
        );
        assert_eq!(huge.read.get(), CHUNK_BYTES);
        assert_eq!(
            read(r#"{"path": "log", "offset": 6553600}"#, &huge),
            Ok("6553600\tfifteen letters\n[Line 6,553,600 of 6,553,600: the end of the file.]\n".to_owned())
        );
    }

    #[test]
    fn a_line_beyond_reach_is_refused() {
        let huge = Huge { lines: 1 << 30, read: Cell::new(0) };
        assert_eq!(
            read(r#"{"path": "log", "offset": 99999999}"#, &huge),
            Err("Line 99,999,999 of log is too far into it to be reached: only the first 268,435,456 bytes of its \
                 17,179,869,184 bytes are looked through, which hold 16,777,216 lines. Use Grep, or an offset from 1 to \
                 16777216."
                .to_owned())
        );
    }
}
