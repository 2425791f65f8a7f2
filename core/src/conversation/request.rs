//! What goes to the server in one call, whatever the wire.

use super::message::{MessageId, ToolCall};
use serde::{Deserialize, Serialize};

/// Who speaks, in the words of the chat wires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// `system`
    System,
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// `tool`
    Tool,
}

/// A message as a chat wire carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// The tools that an assistant asks for.
    pub calls: Vec<ToolCall>,
    /// For a tool's message: the call that it answers.
    pub answers: Option<Answers>,
    /// The messages of the conversation that it carries, for the picture. Never sent.
    pub sources: Vec<MessageId>,
}

/// The call that a tool's message answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The call's id.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
}

/// A tool as it is described to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON schema of its arguments.
    pub parameters: serde_json::Value,
}

/// Why the model is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Purpose {
    /// To go on with the user's request.
    Turn,
    /// To summarise a conversation that grew too large.
    Compaction,
    /// To learn the true size of the new messages, when the count of a turn is in doubt.
    Confirmation,
}

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Why the model is called.
    pub purpose: Purpose,
    /// What it gets to read.
    pub messages: Vec<ChatMessage>,
    /// The tools that it may ask for.
    pub tools: Vec<ToolSpec>,
    /// How long the answer may be, in tokens: the reserve.
    pub max_tokens: u32,
}
