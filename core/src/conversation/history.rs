//! Every message that ever was, and what of it is still sent.

use super::message::{Content, Message, MessageId, SystemPart};
use super::request::{Answers, ChatMessage, Role};
use serde::{Deserialize, Serialize};

/// All messages of a conversation, in order. Messages are never removed: they change their [`Standing`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    entries: Vec<Entry>,
}

/// A message, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The message, whole, as it was first said.
    pub message: Message,
    /// What became of it.
    pub standing: Standing,
}

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// It is sent as it is.
    Sent,
    /// A tool result of which only a note is still sent.
    Cleared,
    /// A summary is sent in its place.
    Compacted {
        /// The summary.
        into: MessageId,
    },
    /// An answer that the model gave without having read the whole conversation. Shown to the reader, never sent.
    SetAside,
}

/// What is sent in place of a cleared tool result.
pub const CLEARED_NOTE: &str = "[An older result, cleared to make room. Run the tool again if you need it.]";

/// What comes before a summary, so that the model knows what it reads.
const SUMMARY_HEADING: &str = "Summary of the work so far (the messages themselves are no longer here):";

/// What comes between a summary and the user's own words, so that a small model takes the task up again.
const TASK_AFTER_SUMMARY: &str =
    "The user's request, word for word. Go on with it now, from where the summary ends:";

impl Conversation {
    /// Adds a message at the end and names it.
    pub fn push(&mut self, content: Content) -> MessageId {
        self.push_with_standing(content, Standing::Sent)
    }

    /// Adds an answer that the reader may see and the model never gets again.
    pub fn push_set_aside(&mut self, content: Content) -> MessageId {
        self.push_with_standing(content, Standing::SetAside)
    }

    fn push_with_standing(&mut self, content: Content, standing: Standing) -> MessageId {
        let id = MessageId(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        self.entries.push(Entry { message: Message { id, content }, standing });
        id
    }

    /// Every message, also those that are no longer sent.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The message of that name.
    pub fn entry(&self, id: MessageId) -> Option<&Entry> {
        self.entries.get(usize::try_from(id.0).ok()?)
    }

    /// Changes what becomes of a message.
    pub(crate) fn set_standing(&mut self, id: MessageId, standing: Standing) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.message.id == id) {
            entry.standing = standing;
        }
    }

    /// The user's latest request.
    pub fn current_request(&self) -> Option<MessageId> {
        let is_request = |entry: &&Entry| matches!(entry.message.content, Content::Request { .. });
        self.entries.iter().rev().find(is_request).map(|entry| entry.message.id)
    }

    /// What the model gets: the messages that are still sent, as a chat wire carries them.
    ///
    /// Neighbours with one role (the parts of the system prompt; a summary and the request after it) become one message,
    /// since many chat templates refuse two of one role in a row.
    pub fn chat_messages(&self) -> Vec<ChatMessage> {
        let mut sent: Vec<ChatMessage> = Vec::new();
        let mut after_summary = false;
        for entry in self.in_sending_order() {
            let Some(mut message) = entry.as_chat_message() else { continue };
            if after_summary && matches!(entry.message.content, Content::Request { .. }) {
                message.text = format!("{TASK_AFTER_SUMMARY}\n\n{}", message.text);
            }
            after_summary = matches!(entry.message.content, Content::Summary { .. });
            match sent.last_mut() {
                Some(last) if last.role == message.role && message.role.joins_neighbours() => {
                    last.text = format!("{}\n\n{}", last.text, message.text);
                    last.sources.append(&mut message.sources);
                }
                Some(_) | None => sent.push(message),
            }
        }
        sent
    }

    /// The entries in the order in which the server reads them: a summary comes before the request that it made room
    /// for, wherever in the history it was made.
    fn in_sending_order(&self) -> Vec<&Entry> {
        let mut order: Vec<&Entry> = self.entries.iter().collect();
        let summary = order.iter().position(|entry| {
            entry.standing == Standing::Sent && matches!(entry.message.content, Content::Summary { .. })
        });
        let first_after_system = order.iter().position(|entry| {
            entry.standing == Standing::Sent && !matches!(entry.message.content, Content::System { .. })
        });
        if let (Some(summary), Some(first)) = (summary, first_after_system)
            && first < summary
        {
            let entry = order.remove(summary);
            order.insert(first, entry);
        }
        order
    }
}

impl Entry {
    /// The text that is sent for this entry, or `None` if nothing is.
    pub fn sent_text(&self) -> Option<&str> {
        match self.standing {
            Standing::Compacted { .. } | Standing::SetAside => None,
            Standing::Cleared => Some(CLEARED_NOTE),
            Standing::Sent => Some(match &self.message.content {
                Content::System { text, .. }
                | Content::Request { text }
                | Content::Assistant { text, .. }
                | Content::Summary { text } => text,
                Content::ToolResult(result) => &result.text,
            }),
        }
    }

    fn as_chat_message(&self) -> Option<ChatMessage> {
        let text = self.sent_text()?.to_owned();
        let mut message = ChatMessage {
            role: Role::User,
            text,
            calls: Vec::new(),
            answers: None,
            sources: vec![self.message.id],
        };
        match &self.message.content {
            Content::System { part: SystemPart::Harness, .. } => message.role = Role::System,
            Content::System { part: SystemPart::ProjectInstructions, .. } => {
                message.role = Role::System;
                message.text = format!("Instructions of this project, from AGENTS.md:\n\n{}", message.text);
            }
            Content::Request { .. } => message.role = Role::User,
            Content::Summary { .. } => message.text = format!("{SUMMARY_HEADING}\n\n{}", message.text),
            Content::Assistant { calls, .. } => {
                message.role = Role::Assistant;
                message.calls.clone_from(calls);
            }
            Content::ToolResult(result) => {
                message.role = Role::Tool;
                message.answers =
                    Some(Answers { call_id: result.call_id.clone(), tool: result.tool.clone() });
            }
        }
        Some(message)
    }
}

impl Role {
    /// Whether two messages of this role in a row are sent as one.
    fn joins_neighbours(self) -> bool {
        match self {
            Role::System | Role::User => true,
            Role::Assistant | Role::Tool => false,
        }
    }
}
