//! What is sent: the messages of a conversation, and the request that is made of them.
//!
//! A [`Conversation`] keeps every message that ever was, whole, for the reader. What the *model* gets is derived from
//! it: a cleared tool result is sent as a note, a compacted message is not sent at all, an answer that was set aside
//! never is.
//!
//! ```
//! use brimline_core::conversation::{Content, Conversation, Role};
//!
//! let mut conversation = Conversation::default();
//! conversation.push(Content::Request { text: "Which file is the longest?".into() });
//! let sent = conversation.chat_messages();
//! assert_eq!(sent[0].role, Role::User);
//! assert_eq!(sent[0].text, "Which file is the longest?");
//! ```

mod history;
mod message;
mod request;

pub use history::{CLEARED_NOTE, Conversation, Entry, Standing};
pub use message::{Content, Message, MessageId, SystemPart, ToolCall, ToolResult};
pub use request::{Answers, ChatMessage, Purpose, Request, Role, ToolSpec};
