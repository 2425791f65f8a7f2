//! How far a check is, for somebody who waits.

use super::CheckSettings;
use super::ask::{Ask, TWO_KEYS_GUESS};
use super::log::{Exchange, Outcome};
use super::plan::Facts;
use super::window::{Search, WindowFinding, smallest_failed};
use serde::{Deserialize, Serialize};

/// What is being found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// What the server counts.
    Counting,
    /// Whether tools work.
    Tools,
    /// How large the window is.
    Window,
    /// What happens when a conversation doesn't fit.
    Overflow,
    /// Which key survives the fixed conversation.
    TwoKeys,
    /// Nothing more.
    Over,
}

impl Stage {
    /// The stages in which something is asked, in their order.
    pub const ALL: [Self; 5] = [Self::Counting, Self::Tools, Self::Window, Self::Overflow, Self::TwoKeys];
}

/// How far a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// What is being found out.
    pub stage: Stage,
    /// Requests answered so far.
    pub calls: u32,
    /// Tokens that the server has read for this check, as far as it counts them.
    pub tokens_read: u32,
    /// Tokens that it may still have to read: about as many as if the window were as large as it still can be.
    pub tokens_left: u32,
}

impl Progress {
    pub(super) fn of(settings: &CheckSettings, log: &[Exchange], next: Option<Ask>) -> Self {
        let facts = Facts::of(settings, log);
        let stage = match next {
            None => Stage::Over,
            Some(Ask::Tool) => Stage::Tools,
            Some(Ask::Count { .. }) => match facts.search {
                None => Stage::Counting,
                Some(Search::Ask { .. }) => Stage::Window,
                Some(Search::Found(_)) => Stage::Overflow,
            },
            Some(Ask::Overflow(_) | Ask::ReadOverflow(_) | Ask::FirstWord(_) | Ask::Edge { .. }) => {
                Stage::Overflow
            }
            Some(Ask::TwoKeys | Ask::ReadTwoKeys) => Stage::TwoKeys,
        };
        let failed = facts.search.and_then(|_| smallest_failed(facts.usage, log, &facts.gauge));
        let bound = failed.or(settings.told);
        let largest = bound.unwrap_or(settings.ceiling).min(settings.ceiling);
        let window = match facts.window() {
            WindowFinding::Measured { tokens, .. } => tokens,
            WindowFinding::AtLeast { .. } => 0,
            WindowFinding::Unknown => largest,
        };
        // Doubling up to a size reads twice that size, and finding the place of the cut reads it once or twice more.
        let searching = if bound.is_some() { 2 } else { 3 };
        let left = match stage {
            Stage::Counting | Stage::Tools | Stage::Window => {
                largest.saturating_mul(searching).saturating_add(window.saturating_mul(3))
            }
            Stage::Overflow => window.saturating_mul(2),
            Stage::TwoKeys | Stage::Over => 0,
        };
        let conversation = match stage {
            Stage::Over => 0,
            Stage::Counting | Stage::Tools | Stage::Window | Stage::Overflow | Stage::TwoKeys => {
                TWO_KEYS_GUESS
            }
        };
        Self {
            stage,
            calls: u32::try_from(log.len()).unwrap_or(u32::MAX),
            tokens_read: tokens_read(log),
            tokens_left: left.saturating_add(conversation),
        }
    }
}

/// Tokens that the server has read, less those that it says to have had in its cache.
pub(super) fn tokens_read(log: &[Exchange]) -> u32 {
    let read = |exchange: &Exchange| match &exchange.outcome {
        Outcome::Answered(answered) => {
            answered.prompt_tokens.unwrap_or(0).saturating_sub(answered.cached_tokens.unwrap_or(0))
        }
        Outcome::Refused { .. } | Outcome::Failed(_) | Outcome::Read(_) => 0,
    };
    log.iter().map(read).fold(0, u32::saturating_add)
}
