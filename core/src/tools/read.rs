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
