//! What came back from one call of the model.

use crate::conversation::ToolCall;
use serde::{Deserialize, Serialize};

/// A whole answer, whatever the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// What a thinking model thought.
    pub thinking: String,
    /// What it said.
    pub text: String,
    /// The tools that it asked for.
    pub calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// What the server counted.
    pub usage: Usage,
}

/// Why the model stopped, as the server says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finish {
    /// It had said what it had to say (`stop`).
    Stop,
    /// It asks for tools (`tool_calls`).
    ToolCalls,
    /// It reached `max_tokens` or the end of the window (`length`).
    Length,
    /// The server or the model declined (`content_filter`, `refusal`).
    Refusal,
    /// A word that we don't know.
    Other(String),
}

/// What the server counted. A server may leave out any of it; a missing or zero count is no signal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens that the server says that it read.
    pub prompt_tokens: Option<u32>,
    /// Of those, tokens that came from the server's cache.
    pub cached_tokens: Option<u32>,
    /// Tokens that it wrote.
    pub completion_tokens: Option<u32>,
}
