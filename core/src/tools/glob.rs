//! `Glob`: files by their names.

use super::arguments::{Form, Kind, Parameter};
use super::numbers::grouped;
use super::path_pattern::PathPattern;
use super::scope::{Scope, notes_of};
use super::text::{RESULT_BYTES, quoted};
use crate::workspace::Workspace;
use serde::Deserialize;

/// Files that are named at most: about 2,000 tokens.
const MOST_FILES: usize = 200;

pub(super) static FORM: Form = Form {
    tool: "Glob",
    description: "Finds files by name. `*.rs` looks in all folders, `src/*.rs` in one, `src/**` below it.",
    example: r#"{"pattern": "src/**/*.rs"}"#,
    parameters: &[
        Parameter {
            name: "pattern",
            aliases: &["glob", "query", "name"],
            kind: Kind::Text,
            required: true,
            description: "",
        },
        Parameter {
            name: "path",
            aliases: &["folder", "directory", "dir"],
            kind: Kind::Text,
            required: false,
            description: "folder to look in",
        },
    ],
};

#[derive(Deserialize)]
struct GlobArguments {
    pattern: String,
    path: Option<String>,
}

/// Names the files that a pattern means, by path.
pub(super) async fn run(arguments: &str, workspace: &impl Workspace) -> Result<String, String> {
    let GlobArguments { pattern: written, path } = FORM.read(arguments)?;
    let pattern = PathPattern::parse(&written)?;
    let Scope { start, mut walk, is_file } = Scope::open(workspace, path.as_deref()).await?;
    if is_file {
        return Err(format!("{start} is a file, not a folder. Use Read to see it."));
    }
    let mut text = String::new();
    let mut found = 0;
    let mut shown = 0;
    let mut full = false;
    while let Some(file) = walk.next().await {
        if pattern.means(&file, &start) {
            found += 1;
            let line = format!("{file}\n");
            full |= shown == MOST_FILES || (shown > 0 && text.len() + line.len() > RESULT_BYTES);
            if !full {
                text.push_str(&line);
                shown += 1;
            }
        }
    }
    let mut notes = Vec::new();
    if found == 0 {
        notes.push(format!(
            "No file matches `{}`. Patterns match files, not folders; files that .gitignore names are left out.",
            quoted(&written)
        ));
    }
    if full {
        notes.push(format!(
            "{shown} of {} files are shown. Use a narrower pattern or path to see the others.",
            grouped(found as u64)
        ));
    }
    notes.extend(notes_of(&walk));
    if !notes.is_empty() {
        text.push_str(&format!("[{}]\n", notes.join(" ")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{MemoryWorkspace, WorkspacePath};
    use pollster::block_on;

    fn glob(arguments: &str) -> Result<String, String> {
        let mut workspace = MemoryWorkspace::default()
            .with(".gitignore", "target/\n")
            .with("src/main.rs", "")
            .with("src/io/read.rs", "")
            .with("target/debug/made.rs", "")
            .with("README.md", "");
        for n in 0..201 {
            workspace.insert(WorkspacePath::parse(&format!("data/{n:03}.csv")).unwrap(), "");
        }
        block_on(run(arguments, &workspace))
    }

    #[test]
    fn names_files_by_path() {
        assert_eq!(glob(r#"{"pattern": "*.rs"}"#), Ok("src/io/read.rs\nsrc/main.rs\n".to_owned()));
        assert_eq!(
            glob(r#"{"pattern": "*.rs", "path": "./src/"}"#),
            Ok("src/io/read.rs\nsrc/main.rs\n".to_owned())
        );
        assert_eq!(
            glob(r#"{"pattern": "debug/*", "path": "target"}"#),
            Ok("target/debug/made.rs\n".to_owned())
        );
    }

    #[test]
    fn says_when_there_are_none_or_too_many() {
        assert_eq!(
            glob(r#"{"pattern": "src"}"#),
            Ok("[No file matches `src`. Patterns match files, not folders; files that .gitignore names are left out.]\n"
                .to_owned())
        );
        let many = glob(r#"{"pattern": "**"}"#).unwrap();
        assert_eq!(many.lines().count(), 201);
        assert!(many.starts_with(".gitignore\nREADME.md\ndata/000.csv\n"), "{many}");
        assert!(
            many.ends_with(
                "data/197.csv\n[200 of 205 files are shown. Use a narrower pattern or path to see the others.]\n"
            ),
            "{many}"
        );
    }

    #[test]
    fn shows_fewer_where_their_paths_are_long() {
        let folder = format!("{}/", "d".repeat(200)).repeat(40);
        let workspace =
            ["a", "b", "c", "d", "e", "f"].into_iter().fold(MemoryWorkspace::default(), |workspace, name| {
                workspace.with(&format!("{folder}{name}"), "")
            });
        // Each path has 8,041 bytes: a fifth would go beyond 40,000.
        let shown: String = ["a", "b", "c", "d"].map(|name| format!("{folder}{name}\n")).concat();
        let note = "[4 of 6 files are shown. Use a narrower pattern or path to see the others.]\n";
        assert_eq!(block_on(run(r#"{"pattern": "*"}"#, &workspace)), Ok(format!("{shown}{note}")));
    }

    #[test]
    fn says_what_is_wrong_with_the_folder() {
        let ways = [
            ("README.md", "README.md is a file, not a folder. Use Read to see it."),
            (
                "lib",
                "There is nothing at lib (or no longer). Leave `path` out to search the whole workspace.",
            ),
            ("/src", "That path can't be searched: paths are relative to the workspace; try `src`."),
            (
                "..",
                "That path can't be searched: `..` leaves the workspace; only what is inside can be looked at.",
            ),
        ];
        for (path, expected) in ways {
            assert_eq!(glob(&format!(r#"{{"pattern": "*", "path": "{path}"}}"#)), Err(expected.to_owned()));
        }
    }
}
