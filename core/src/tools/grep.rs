//! `Grep`: lines by a regular expression.

use super::arguments::{Form, Kind, Parameter};
use super::line_pattern::{LinePattern, MOST_FILE_BYTES, compile};
use super::matches::Matches;
use super::numbers::counted;
use super::path_pattern::PathPattern;
use super::scope::{Scope, listed, notes_of};
use super::text::{looks_binary, quoted, readable};
use crate::workspace::{Workspace, WorkspaceError, WorkspacePath};
use serde::Deserialize;

/// How much is read of a file before it is known to be searched, in bytes. Most source files are smaller.
const FIRST_BYTES: u64 = 256 * 1024;

/// How much one call searches, in bytes, in all files together.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

/// Lines around a match that are shown at most, on either side.
const MOST_CONTEXT: u64 = 10;

pub(super) static FORM: Form = Form {
    tool: "Grep",
    description: "Finds lines in files by a regular expression, as path:line:text.",
    example: r#"{"pattern": "fn main", "path": "src", "glob": "*.rs"}"#,
    parameters: &[
        Parameter {
            name: "pattern",
            aliases: &["regex", "regexp", "query", "search"],
            kind: Kind::Text,
            required: true,
            description: "",
        },
        Parameter {
            name: "path",
            aliases: &["folder", "directory", "dir", "file", "filepath", "filename"],
            kind: Kind::Text,
            required: false,
            description: "folder or file to look in",
        },
        Parameter {
            name: "glob",
            aliases: &["include", "filepattern"],
            kind: Kind::Text,
            required: false,
            description: "which files, like *.rs",
        },
        Parameter {
            name: "ignore_case",
            aliases: &["i", "caseinsensitive"],
            kind: Kind::Flag,
            required: false,
            description: "",
        },
        Parameter {
            name: "context",
            aliases: &["c", "contextlines"],
            kind: Kind::Count,
            required: false,
            description: "lines to show around a match",
        },
    ],
};

#[derive(Deserialize)]
struct GrepArguments {
    pattern: String,
    path: Option<String>,
    glob: Option<String>,
    ignore_case: Option<bool>,
    context: Option<u64>,
}

/// Files that were not searched, by the reason.
#[derive(Default)]
struct Skipped {
    too_large: Vec<WorkspacePath>,
    binary: Vec<WorkspacePath>,
    unreadable: Vec<WorkspacePath>,
}

/// What a file turned out to be.
enum Opened {
    Text(String, u64),
    TooLarge,
    Binary,
}

/// Shows the lines that match, by path.
pub(super) async fn run(arguments: &str, workspace: &impl Workspace) -> Result<String, String> {
    let arguments: GrepArguments = FORM.read(arguments)?;
    let pattern = compile(&arguments.pattern, arguments.ignore_case.unwrap_or(false))?;
    let glob = arguments.glob.as_deref().map(PathPattern::parse).transpose()?;
    let Scope { start, mut walk, is_file } = Scope::open(workspace, arguments.path.as_deref()).await?;
    let mut matches = Matches::new(arguments.context.unwrap_or(0).min(MOST_CONTEXT) as usize);
    let mut skipped = Skipped::default();
    let mut searched_bytes = 0;
    let mut searched_files = 0;
    let mut stopped_before = None;
    while let Some(file) = walk.next().await {
        // A file that was named outright is meant, whatever the glob says.
        if !is_file && glob.as_ref().is_some_and(|glob| !glob.means(&file, &start)) {
            continue;
        }
        if searched_bytes >= MOST_BYTES {
            stopped_before = Some(file);
            break;
        }
        match open(workspace, &file, pattern.most_file_bytes).await {
            Ok(Opened::Text(text, size)) => {
                searched_bytes += size;
                searched_files += 1;
                matches.search(&pattern.regex, &file, &text);
            }
            Ok(Opened::TooLarge) => skipped.too_large.push(file),
            Ok(Opened::Binary) => skipped.binary.push(file),
            Err(_) => skipped.unreadable.push(file),
        }
        if matches.is_full() {
            break;
        }
    }
    let mut notes = Vec::new();
    if matches.is_empty() {
        let files = counted(searched_files, "file", "files");
        notes.push(format!(
            "No line matches `{}` in {files}. A pattern matches within one line; files that .gitignore names are left \
             out.",
            quoted(&arguments.pattern)
        ));
    }
    notes.extend(matches.note());
    if let Some(file) = stopped_before {
        let searched = counted(searched_bytes, "byte", "bytes");
        notes.push(format!("Stopped before {file}, after {searched}. Give a `path` to search the rest."));
    }
    notes.extend(skipped.notes(&pattern));
    notes.extend(notes_of(&walk));
    let mut text = matches.into_text();
    if !notes.is_empty() {
        text.push_str(&format!("[{}]\n", notes.join(" ")));
    }
    Ok(text)
}

/// Reads a file that is small enough and text.
async fn open(
    workspace: &impl Workspace,
    file: &WorkspacePath,
    most_bytes: u64,
) -> Result<Opened, WorkspaceError> {
    let mut piece = workspace.read(file, 0..FIRST_BYTES).await?;
    let size = piece.size;
    if looks_binary(&piece.bytes) {
        return Ok(Opened::Binary);
    }
    if size > most_bytes {
        return Ok(Opened::TooLarge);
    }
    let read = piece.bytes.len() as u64;
    if read < size {
        piece.bytes.extend(workspace.read(file, read..size).await?.bytes);
    }
    let (text, _) = readable(&piece.bytes);
    Ok(Opened::Text(text, size))
}

impl Skipped {
    fn notes(&self, pattern: &LinePattern) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.too_large.is_empty() {
            let most = counted(pattern.most_file_bytes, "byte", "bytes");
            notes.push(format!("Not searched, being larger than {most}: {}.", listed(&self.too_large)));
            if pattern.most_file_bytes < MOST_FILE_BYTES {
                notes.push(
                    "With smaller counts in the pattern, or `*` and `+`, larger files are searched."
                        .to_owned(),
                );
            }
        }
        if !self.binary.is_empty() {
            notes.push(format!("Not searched, being binary: {}.", listed(&self.binary)));
        }
        if !self.unreadable.is_empty() {
            notes.push(format!("Could not be read: {}.", listed(&self.unreadable)));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Entry, EntryKind, MemoryWorkspace, Piece};
    use pollster::block_on;
    use std::ops::Range;

    fn grep(arguments: &str) -> Result<String, String> {
        let workspace = MemoryWorkspace::default()
            .with(".gitignore", "/made\n")
            .with("src/b.rs", "fn main() {\r\n    run();\r\n}\r\n")
            .with("src/a.rs", "// Main\nfn run() {}\n")
            .with("docs/main.md", "The main file.")
            .with("made", "main")
            .with("logo.png", b"\x89PNG\0main".as_slice())
            .with("latin.txt", b"caf\xe9 main".as_slice())
            .with("big.log", "main\n".repeat(900_000));
        block_on(run(arguments, &workspace))
    }

    const SKIPPED: &str =
        "[Not searched, being larger than 4,194,304 bytes: big.log. Not searched, being binary: logo.png.]\n";

    #[test]
    fn shows_matching_lines_by_path_and_names_what_was_not_searched() {
        assert_eq!(
            grep(r#"{"pattern": "main"}"#),
            Ok(format!(
                "docs/main.md:1:The main file.\nlatin.txt:1:caf\u{fffd} main\nsrc/b.rs:1:fn main() {{\n{SKIPPED}"
            ))
        );
        assert_eq!(
            grep(r#"{"pattern": "^// main$", "-i": "true", "glob": "*.rs", "-C": 1}"#),
            Ok("src/a.rs:1:// Main\nsrc/a.rs-2-fn run() {}\n".to_owned())
        );
        assert_eq!(grep(r#"{"pattern": "main", "path": "made"}"#), Ok("made:1:main\n".to_owned()));
        assert_eq!(grep(r#"{"pattern": ";$", "path": "src"}"#), Ok("src/b.rs:2:    run();\n".to_owned()));
    }

    #[test]
    fn says_when_nothing_matches() {
        assert_eq!(
            grep(r#"{"pattern": "gone\\n", "path": "src"}"#),
            Ok("[No line matches `gone\\n` in 2 files. A pattern matches within one line; files that .gitignore \
                names are left out.]\n"
                .to_owned())
        );
    }

    #[test]
    fn a_pattern_with_large_counts_searches_small_files_only_and_says_so() {
        let workspace = MemoryWorkspace::default()
            .with("large.js", format!("{}fix", "TODO ".repeat(32_000)))
            .with("small.js", "TODO: fix");
        assert_eq!(
            block_on(run(r#"{"pattern": "TODO.{0,200}fix"}"#, &workspace)),
            Ok("small.js:1:TODO: fix\n[Not searched, being larger than 160,000 bytes: large.js. With smaller counts in \
                the pattern, or `*` and `+`, larger files are searched.]\n"
                .to_owned())
        );
    }

    #[test]
    fn a_pattern_that_cannot_be_used_is_an_error() {
        let error = grep(r#"{"pattern": "main("}"#).unwrap_err();
        assert_eq!(Err(error), compile("main(", false).map(|_| ()));
    }

    /// A folder that still lists a file that is gone.
    struct Vanishing(MemoryWorkspace);

    impl Workspace for Vanishing {
        async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            self.0.list(folder).await
        }

        async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
            match file.as_str() {
                "gone.txt" => Err(WorkspaceError::NotFound),
                _ => self.0.read(file, range).await,
            }
        }
    }

    /// A folder of 130 files that are as large as a file that is searched may be, of which only the first line comes.
    struct Bulky;

    impl Workspace for Bulky {
        async fn list(&self, _: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            let kind = EntryKind::File;
            Ok((0..130).map(|n| Entry { name: format!("{n:03}"), kind }).collect())
        }

        async fn read(&self, _: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
            // What is not there need not be made up: a file may give less than it has.
            let bytes = if range.start == 0 { b"x\n".to_vec() } else { Vec::new() };
            Ok(Piece { bytes, size: MOST_FILE_BYTES })
        }
    }

    #[test]
    fn a_search_ends_when_it_has_read_enough_and_says_where() {
        assert_eq!(
            block_on(run(r#"{"pattern": "y"}"#, &Bulky)),
            Ok("[No line matches `y` in 128 files. A pattern matches within one line; files that .gitignore names are \
                left out. Stopped before 128, after 536,870,912 bytes. Give a `path` to search the rest.]\n"
                .to_owned())
        );
    }

    #[test]
    fn a_file_that_vanished_is_named_and_the_others_are_searched() {
        let workspace = Vanishing(MemoryWorkspace::default().with("gone.txt", "x").with("here.txt", "x"));
        assert_eq!(
            block_on(run(r#"{"pattern": "x"}"#, &workspace)),
            Ok("here.txt:1:x\n[Could not be read: gone.txt.]\n".to_owned())
        );
    }
}
