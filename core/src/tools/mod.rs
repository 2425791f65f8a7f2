//! `Glob`, `Grep`, `Read`: what the model may ask for. Read-only.

use serde::{Deserialize, Serialize};

/// What a tool returned, before it is trimmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// The text for the model.
    pub text: String,
    /// The call was at fault; `text` says what to change.
    pub is_error: bool,
}
