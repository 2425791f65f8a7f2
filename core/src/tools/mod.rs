//! `Glob`, `Grep`, `Read`: what the model may ask for. Read-only.
//!
//! A call is never fatal. Whatever the model wrote (a tool that isn't there, broken JSON, a path that leaves the
//! workspace) becomes a [`ToolOutcome`] whose text says what to change. A result that was cut says so, and how to get
//! the rest.
//!
//! ```
//! use brimline_core::conversation::ToolCall;
//! use brimline_core::tools::{ToolOutcome, run};
//! use brimline_core::workspace::MemoryWorkspace;
//!
//! let workspace = MemoryWorkspace::default().with("notes.txt", "one\ntwo\nthree\n");
//! let call = |arguments: &str| ToolCall { id: "1".into(), name: "Read".into(), arguments: arguments.into() };
//!
//! let outcome = pollster::block_on(run(&call(r#"{"path": "notes.txt", "limit": 2}"#), &workspace));
//! assert_eq!(outcome.text, "1\tone\n2\ttwo\n[Lines 1–2 of 3. Read again with offset 3 for the rest.]\n");
//!
//! let outcome = pollster::block_on(run(&call(r#"{"path": "../secrets"}"#), &workspace));
//! assert!(outcome.is_error);
//! ```

mod arguments;
mod glob;
mod grep;
mod line_pattern;
mod matches;
mod numbers;
mod page;
mod path_pattern;
mod read;
mod scope;
mod text;

use crate::conversation::{ToolCall, ToolSpec};
use crate::workspace::Workspace;
use arguments::Form;
use serde::{Deserialize, Serialize};

/// What a tool returned, before it is trimmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// The text for the model.
    pub text: String,
    /// The call was at fault; `text` says what to change.
    pub is_error: bool,
}

/// The tools that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    Glob,
    Grep,
    Read,
}

impl Tool {
    const ALL: [Self; 3] = [Self::Glob, Self::Grep, Self::Read];

    fn form(self) -> &'static Form {
        match self {
            Self::Glob => &glob::FORM,
            Self::Grep => &grep::FORM,
            Self::Read => &read::FORM,
        }
    }

    /// The tool of that name, in whatever case the model wrote it.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.form().tool.eq_ignore_ascii_case(name.trim()))
    }
}

/// The tools as they are described to the model.
pub fn specs() -> Vec<ToolSpec> {
    Tool::ALL.into_iter().map(|tool| tool.form().spec()).collect()
}

/// Runs one call.
///
/// Dropping the future stops it at the next file or folder: nothing is left behind, since nothing is ever written.
pub async fn run(call: &ToolCall, workspace: &impl Workspace) -> ToolOutcome {
    let result = match Tool::named(&call.name) {
        Some(Tool::Glob) => glob::run(&call.arguments, workspace).await,
        Some(Tool::Grep) => grep::run(&call.arguments, workspace).await,
        Some(Tool::Read) => read::run(&call.arguments, workspace).await,
        None => Err(no_such_tool(&call.name)),
    };
    match result {
        Ok(text) => ToolOutcome { text, is_error: false },
        Err(text) => ToolOutcome { text, is_error: true },
    }
}

fn no_such_tool(name: &str) -> String {
    let known: Vec<&str> = Tool::ALL.into_iter().map(|tool| tool.form().tool).collect();
    format!("There is no tool `{}`. The tools are {}.", text::quoted(name), known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::MemoryWorkspace;
    use pollster::block_on;
    use proptest::prelude::*;
    use serde_json::json;

    fn outcome(name: &str, arguments: &str) -> ToolOutcome {
        let workspace = MemoryWorkspace::default().with("a.txt", "one\ntwo\n").with("b/c.txt", "three");
        let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
        block_on(run(&call, &workspace))
    }

    #[test]
    fn a_name_in_the_wrong_case_is_understood_and_an_unknown_one_told() {
        let read = ToolOutcome { text: "1\tthree\n".into(), is_error: false };
        assert_eq!(outcome(" READ", r#"{"path": "b/c.txt"}"#), read);
        let unknown = "There is no tool `write_file`. The tools are Glob, Grep, Read.";
        assert_eq!(outcome("write_file", "{}"), ToolOutcome { text: unknown.into(), is_error: true });
    }

    #[test]
    fn the_descriptions_are_short_and_their_examples_right() {
        let spec = |name: &str, description: &str, parameters: serde_json::Value| ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
        };
        let expected = [
            spec(
                "Glob",
                "Finds files by name. `*.rs` looks in all folders, `src/*.rs` in one, `src/**` below it.",
                json!({
                    "type": "object",
                    "properties": {
                        "pattern": { "type": "string" },
                        "path": { "type": "string", "description": "folder to look in" },
                    },
                    "required": ["pattern"],
                }),
            ),
            spec(
                "Grep",
                "Finds lines in files by a regular expression, as path:line:text.",
                json!({
                    "type": "object",
                    "properties": {
                        "pattern": { "type": "string" },
                        "path": { "type": "string", "description": "folder or file to look in" },
                        "glob": { "type": "string", "description": "which files, like *.rs" },
                        "ignore_case": { "type": "boolean" },
                        "context": { "type": "integer", "description": "lines to show around a match" },
                    },
                    "required": ["pattern"],
                }),
            ),
            spec(
                "Read",
                "Shows lines of a text file, numbered.",
                json!({
                    "type": "object",
                    "properties": {
                        "path": { "type": "string" },
                        "offset": { "type": "integer", "description": "first line, from 1" },
                        "limit": { "type": "integer", "description": "how many lines; 400 if not given" },
                    },
                    "required": ["path"],
                }),
            ),
        ];
        assert_eq!(specs(), expected);
        for tool in Tool::ALL {
            assert!(tool.form().read::<serde_json::Value>(tool.form().example).is_ok());
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_something_is_answered(
            tool in "Glob|Grep|Read|[a-z]{0,4}",
            key in "path|pattern|glob|offset|limit|context|-i|[a-z]{0,4}",
            value in prop_oneof![
                any::<String>().prop_map(serde_json::Value::from),
                "[a.*+?(){}\\[\\]|^$/\\\\,!<U+]{0,20}".prop_map(serde_json::Value::from),
                any::<i64>().prop_map(serde_json::Value::from),
                any::<bool>().prop_map(serde_json::Value::from),
            ],
            raw in any::<String>(),
        ) {
            prop_assert!(!outcome(&tool, &raw).text.is_empty());
            let mut arguments = json!({ "path": "a.txt", "pattern": "t" });
            if tool == "Read" {
                arguments = json!({ "path": "a.txt" });
            }
            arguments[key] = value;
            prop_assert!(!outcome(&tool, &arguments.to_string()).text.is_empty());
        }
    }
}
