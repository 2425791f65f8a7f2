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
mod numbers;
mod page;
mod read;
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
    Read,
}

impl Tool {
    const ALL: [Self; 1] = [Self::Read];

    fn form(self) -> &'static Form {
        match self {
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
