//! What was counted once is not counted again: the features of every message that is sent.

use crate::conversation::{ChatMessage, Conversation, MessageId, Standing, ToolSpec};
use crate::overflow::SentMessage;
use crate::tokens::Features;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// The counted messages of a conversation. Only a cache: a session that was loaded from a file counts anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    counted: HashMap<Key, SentMessage>,
}

/// What a chat message is made of. A message never changes but by its standing, so the same sources in the same
/// standing give the same text; the length tells a question at the end of a compaction request apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    sources: Vec<(MessageId, bool)>,
    bytes: usize,
}

impl Ledger {
    /// Counts the messages that are new since the last time.
    pub(super) fn count(
        &mut self,
        conversation: &Conversation,
        messages: &[ChatMessage],
    ) -> Vec<SentMessage> {
        messages.iter().map(|message| self.count_one(conversation, message)).collect()
    }

    fn count_one(&mut self, conversation: &Conversation, message: &ChatMessage) -> SentMessage {
        if message.sources.is_empty() {
            return counted(message);
        }
        let is_cleared =
            |id: &MessageId| conversation.entry(*id).is_some_and(|entry| entry.standing == Standing::Cleared);
        let key = Key {
            sources: message.sources.iter().map(|id| (*id, is_cleared(id))).collect(),
            bytes: message.text.len(),
        };
        self.counted.entry(key).or_insert_with(|| counted(message)).clone()
    }
}

fn counted(message: &ChatMessage) -> SentMessage {
    let mut features = Features::of(&message.text);
    let mut hasher = fnv::FnvHasher::default();
    message.role.hash(&mut hasher);
    message.text.hash(&mut hasher);
    for call in &message.calls {
        features += Features::of(&call.name);
        features += Features::of(&call.arguments);
        call.name.hash(&mut hasher);
        call.arguments.hash(&mut hasher);
    }
    SentMessage { role: message.role, features, fingerprint: hasher.finish() }
}

/// The features of the tool descriptions as they are sent, and their fingerprint.
pub(super) fn count_tools(tools: &[ToolSpec]) -> (Features, u64) {
    let mut features = Features::default();
    let mut hasher = fnv::FnvHasher::default();
    for tool in tools {
        for text in [&tool.name, &tool.description, &tool.parameters.to_string()] {
            features += Features::of(text);
            text.hash(&mut hasher);
        }
    }
    (features, hasher.finish())
}
