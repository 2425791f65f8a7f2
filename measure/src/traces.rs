//! Recorded runs against a real server.

use anyhow::{Result, bail};
use brimline_core::conversation::Role;
use serde::Deserialize;

/// One run: its messages, and what the server counted whenever the model was called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Trace {
    /// The server's real window, in tokens.
    pub window: u32,
    /// What its tool results are made of.
    pub profile: String,
    /// All messages.
    pub messages: Vec<TraceMessage>,
    /// The calls of the model.
    pub turns: Vec<TraceTurn>,
}

/// A message of a run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TraceMessage {
    /// Who speaks.
    pub role: String,
    /// What is said.
    pub content: String,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TraceTurn {
    /// How many of the messages were sent.
    pub messages: usize,
    /// What the server reported.
    pub prompt_tokens: u32,
    /// Whether the server dropped something.
    pub truncated: bool,
    /// Whether the first request of the user was still in the prompt.
    pub request_survived: bool,
}

/// A role by its name on the wires.
pub fn role_of(name: &str) -> Result<Role> {
    Ok(match name {
        "system" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        name => bail!("a message of the unknown role {name}"),
    })
}
