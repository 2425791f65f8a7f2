//! What came of what was asked. It keeps counts and findings, never a text of the server.

use super::ask::{Ask, offered_tools};
use crate::simulate::two_keys::{SYSTEM_KEY, TASK_KEY};
use crate::wire::{Finish, ProviderError, Reply, take_textual_calls};
use serde::{Deserialize, Serialize};

/// One thing asked, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked.
    pub ask: Ask,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// The model answered.
    Answered(Answered),
    /// The server refused, since it was too large; in tokens, where the server said so.
    Refused {
        /// The prompt's size.
        prompt_tokens: Option<u32>,
        /// The server's window.
        window: Option<u32>,
    },
    /// It failed in another way.
    Failed(ProviderError),
    /// The words that were found in the prompt that the server made, if it showed it.
    Read(Option<Vec<Needle>>),
}

/// What an answer tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Tokens that the server says that it read. A count of zero is none.
    pub prompt_tokens: Option<u32>,
    /// Of those, tokens from its cache.
    pub cached_tokens: Option<u32>,
    /// Tokens that it wrote.
    pub completion_tokens: Option<u32>,
    /// Whether it stopped at a limit.
    pub at_limit: bool,
    /// The words that the model said.
    pub needles: Vec<Needle>,
    /// How it asked for a tool.
    pub tool: ToolAnswer,
}

/// How a model asked for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolAnswer {
    /// As a call of its own.
    Structured,
    /// In the text of its answer.
    AsText,
    /// Not at all.
    None,
}

/// A word that can't be missed, put at one place of a conversation to see whether that place survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Needle {
    /// In the system prompt.
    System,
    /// In the first message.
    First,
    /// In the middle.
    Middle,
    /// In the last message.
    Last,
    /// The fixed conversation's key in the system prompt.
    SystemKey,
    /// The fixed conversation's key in the first message.
    TaskKey,
}

impl Needle {
    pub(super) const OF_OVERFLOW: [Self; 4] = [Self::System, Self::First, Self::Middle, Self::Last];
    pub(super) const OF_TWO_KEYS: [Self; 2] = [Self::SystemKey, Self::TaskKey];

    /// The word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::System => "CHALK-1618",
            Self::First => "DELTA-1414",
            Self::Middle => "MAPLE-1732",
            Self::Last => "OCEAN-2236",
            Self::SystemKey => SYSTEM_KEY,
            Self::TaskKey => TASK_KEY,
        }
    }

    /// Whether a text is the beginning of the word: an answer may be cut after its first token.
    fn begins_with(self, text: &str) -> bool {
        let text = text.trim();
        !text.is_empty() && self.word().starts_with(text)
    }

    /// All the words in a text.
    pub(super) fn all_in(text: &str) -> Vec<Self> {
        let text = text.to_uppercase();
        let all = Self::OF_OVERFLOW.into_iter().chain(Self::OF_TWO_KEYS);
        all.filter(|needle| text.contains(needle.word())).collect()
    }
}

impl Outcome {
    pub(super) fn of_reply(ask: &Ask, reply: Reply) -> Self {
        let has_call = |reply: &Reply| !reply.calls.is_empty();
        let is_structured = has_call(&reply);
        let text = format!("{}\n{}", reply.thinking, reply.text);
        let usage = reply.usage;
        let at_limit = reply.finish == Finish::Length;
        let tool = match ask {
            Ask::Tool if is_structured => ToolAnswer::Structured,
            Ask::Tool if has_call(&take_textual_calls(reply, &offered_tools())) => ToolAnswer::AsText,
            Ask::Tool
            | Ask::Count { .. }
            | Ask::Overflow(_)
            | Ask::ReadOverflow(_)
            | Ask::FirstWord(_)
            | Ask::Edge { .. }
            | Ask::TwoKeys
            | Ask::ReadTwoKeys => ToolAnswer::None,
        };
        let sent = ask.needles();
        let mut needles = Needle::all_in(&text);
        if matches!(ask, Ask::FirstWord(_)) && Needle::First.begins_with(&text) {
            needles.push(Needle::First);
        }
        needles.retain(|needle| sent.contains(needle));
        Self::Answered(Answered {
            prompt_tokens: usage.prompt_tokens.filter(|tokens| *tokens > 0),
            cached_tokens: usage.cached_tokens,
            completion_tokens: usage.completion_tokens,
            at_limit,
            needles,
            tool,
        })
    }

    pub(super) fn of_error(error: ProviderError) -> Self {
        match error {
            ProviderError::ContextRefused { prompt_tokens, window } => {
                Self::Refused { prompt_tokens, window: window.filter(|window| *window > 0) }
            }
            ProviderError::Unreachable { .. }
            | ProviderError::OriginRefused { .. }
            | ProviderError::ModelMissing { .. }
            | ProviderError::ToolsUnsupported
            | ProviderError::Unauthorized
            | ProviderError::Status { .. }
            | ProviderError::InStream { .. }
            | ProviderError::NotAModelServer { .. }
            | ProviderError::Closed
            | ProviderError::TimedOut { .. } => Self::Failed(error),
        }
    }

    /// The answer, if there was one.
    pub(super) fn answered(&self) -> Option<&Answered> {
        match self {
            Self::Answered(answered) => Some(answered),
            Self::Refused { .. } | Self::Failed(_) | Self::Read(_) => None,
        }
    }
}
