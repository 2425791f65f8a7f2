//! One message of a conversation.

use serde::{Deserialize, Serialize};

/// Names a message within its conversation. It stays the same when the message is cleared or compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MessageId(pub u32);

/// A message and its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// What it says.
    pub content: Content,
}

/// What a message says, by who says it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Content {
    /// A part of the system prompt. Neither clearing nor compacting touches it.
    System {
        /// Where it comes from.
        part: SystemPart,
        /// Its text.
        text: String,
    },
    /// What the user asked for: the message that must never be lost.
    Request {
        /// The user's words.
        text: String,
    },
    /// What the model answered.
    Assistant {
        /// What a thinking model thought. Shown to the reader, never sent back: templates drop it or count it twice.
        thinking: String,
        /// What it said.
        text: String,
        /// The tools that it asked for.
        calls: Vec<ToolCall>,
    },
    /// What a tool returned.
    ToolResult(ToolResult),
    /// A summary that took the place of older messages.
    Summary {
        /// The model's summary.
        text: String,
    },
}

/// Where a part of the system prompt comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SystemPart {
    /// Brimline's own instructions to the model.
    Harness,
    /// `AGENTS.md` at the workspace root.
    ProjectInstructions,
}

/// A tool that the model asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The server's name for the call, or ours (`call_7`) where the server gave none.
    pub id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// The arguments as JSON text, as the model wrote them: it may be broken.
    pub arguments: String,
}

/// What a tool returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call that it answers.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// The text that the model gets.
    pub text: String,
    /// The call was at fault, and `text` says what to change.
    pub is_error: bool,
    /// Estimated tokens left out of the middle when the result was trimmed; zero when it is whole.
    pub trimmed_tokens: u32,
}
