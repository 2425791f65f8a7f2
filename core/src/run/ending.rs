//! Why a run stopped, always one name, and how far its answer can be trusted.

use crate::overflow::Verdict;
use crate::wire::ProviderError;
use serde::{Deserialize, Serialize};

/// How a run ended: the last event of every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    /// Why it stopped.
    pub reason: EndReason,
    /// How far the turns whose answers were kept can be trusted.
    pub assurance: Assurance,
}

/// The name of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The model answered.
    EndTurn,
    /// It used up its turns.
    MaxTurns,
    /// Its answer was cut at `max_tokens`.
    MaxTokens,
    /// The conversation did not fit.
    ContextOverflow,
    /// The user stopped it.
    Cancelled,
    /// The server failed.
    ProviderError,
    /// The model or the server declined.
    Refusal,
}

/// Why a run stopped, with what a reader needs to understand it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EndReason {
    /// The model answered.
    Answered,
    /// It used up its turns.
    TurnsUsedUp {
        /// How many it was allowed.
        max_turns: u32,
    },
    /// Its answer was cut at `max_tokens`.
    AnswerCutShort {
        /// What it was allowed, in tokens.
        max_tokens: u32,
    },
    /// The server silently dropped a part of the conversation: the verdict is `Truncated` or `Shifted`, and the turn's
    /// record holds the evidence.
    ServerDropped {
        /// The turn that lost it.
        turn: u32,
        /// What the server did.
        verdict: Verdict,
    },
    /// The server honestly refused a conversation that does not fit.
    ServerRefused {
        /// The prompt's size in tokens, where the server said it.
        prompt_tokens: Option<u32>,
        /// The server's window in tokens, where the server said it.
        window: Option<u32>,
    },
    /// The prompt was read whole, but the answer ended at the window's edge.
    WindowFull {
        /// The window, in tokens.
        window: u32,
    },
    /// By our own count the conversation can't fit, so it was not sent.
    WouldNotFit {
        /// Its estimated size in tokens.
        tokens: u32,
        /// The room that there is for it, in tokens.
        available: u32,
    },
    /// The user stopped it.
    Stopped,
    /// The call failed.
    Failed(ProviderError),
    /// The model or the server declined.
    Declined,
}

/// How far the answers of a run can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assurance {
    /// Every turn was checked, and whole.
    Verified,
    /// A doubt that could not be settled.
    Suspect,
    /// The server reports too little to check.
    Unverified,
}

impl RunEnd {
    /// The ending's name.
    pub fn ending(&self) -> Ending {
        match self.reason {
            EndReason::Answered => Ending::EndTurn,
            EndReason::TurnsUsedUp { .. } => Ending::MaxTurns,
            EndReason::AnswerCutShort { .. } => Ending::MaxTokens,
            EndReason::ServerDropped { .. }
            | EndReason::ServerRefused { .. }
            | EndReason::WindowFull { .. }
            | EndReason::WouldNotFit { .. } => Ending::ContextOverflow,
            EndReason::Stopped => Ending::Cancelled,
            EndReason::Failed(_) => Ending::ProviderError,
            EndReason::Declined => Ending::Refusal,
        }
    }

    /// Whether the answer may be shown as a normal one: only `end_turn` with every turn checked and whole.
    pub fn looks_normal(&self) -> bool {
        self.ending() == Ending::EndTurn && self.assurance == Assurance::Verified
    }
}

impl Ending {
    /// The name as it is shown and written to files.
    pub fn name(self) -> &'static str {
        match self {
            Self::EndTurn => "end_turn",
            Self::MaxTurns => "max_turns",
            Self::MaxTokens => "max_tokens",
            Self::ContextOverflow => "context_overflow",
            Self::Cancelled => "cancelled",
            Self::ProviderError => "provider_error",
            Self::Refusal => "refusal",
        }
    }
}
