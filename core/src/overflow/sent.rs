//! What was sent, counted.

use crate::conversation::{Purpose, Role};
use crate::tokens::Features;
use fnv::FnvHasher;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// One chat message, counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentMessage {
    /// Who speaks.
    pub role: Role,
    /// What its text and calls are made of.
    pub features: Features,
    /// A hash of role, text and calls: the same message has the same.
    pub fingerprint: u64,
}

/// A request, counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// Why the model is called.
    pub purpose: Purpose,
    /// Its messages, in order.
    pub messages: Vec<SentMessage>,
    /// What the descriptions of its tools are made of.
    pub tools: Features,
    /// A hash of the tools.
    pub tools_fingerprint: u64,
    /// How long the answer may be, in tokens.
    pub max_tokens: u32,
    /// The size of the whole prompt in tokens, where it was counted with the model's own vocabulary.
    #[serde(default)]
    pub exact: Option<u32>,
}

impl Sent {
    /// A hash of all that the prompt is made of: the same messages with the same tools have the same.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        self.tools_fingerprint.hash(&mut hasher);
        for message in &self.messages {
            message.fingerprint.hash(&mut hasher);
        }
        hasher.finish()
    }
}
