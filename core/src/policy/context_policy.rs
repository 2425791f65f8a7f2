//! The numbers of the three steps.

use crate::window::Budget;
use serde::{Deserialize, Serialize};

/// Every number of the three steps. Shares are of `available` (see [`Budget`]) unless said otherwise. The defaults are
/// those of docs/design.md.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContextPolicy {
    /// The longest answer to ask for, in tokens; the window may allow less.
    pub max_tokens: u32,
    /// The share of the *window* that the reserve may take.
    pub reserve_share: f64,
    /// A tool result may take this share.
    pub trim_share: f64,
    /// A tool result may take this many tokens at most, however large the window.
    pub trim_tokens: u32,
    /// Old tool results are cleared when the context passes this share.
    pub clear_share: f64,
    /// So many of the newest tool results are never cleared.
    pub keep_results: usize,
    /// The conversation is compacted when it still passes this share.
    pub compact_share: f64,
    /// A run ends `max_turns` after so many calls of the model.
    pub max_turns: u32,
    /// Ask the server to confirm a count that is in doubt. It costs the server's prompt cache once.
    pub confirm: bool,
    /// When the server refuses honestly and so proves its window, go by that window and try again.
    pub recover: bool,
    /// Say the user's request a second time, at the end of the system prompt. `None` does so where the server is known to
    /// keep system messages when it drops others. It costs its tokens on every turn.
    pub repeat_request: Option<bool>,
    /// A request that would take more than this share is not said twice.
    pub repeat_share: f64,
}

impl Default for ContextPolicy {
    fn default() -> Self {
        Self {
            max_tokens: 8_192,
            reserve_share: 0.25,
            trim_share: 0.20,
            trim_tokens: 25_000,
            clear_share: 0.60,
            keep_results: 6,
            compact_share: 0.85,
            max_turns: 40,
            confirm: true,
            recover: true,
            repeat_request: None,
            repeat_share: 0.05,
        }
    }
}

impl ContextPolicy {
    /// Shares a window of `window` tokens out.
    pub fn budget(&self, window: u32) -> Budget {
        Budget::new(window, self.max_tokens, self.reserve_share)
    }

    /// The size at which a tool result is trimmed, in tokens.
    pub fn trim_limit(&self, budget: Budget) -> f64 {
        (self.trim_share * f64::from(budget.available)).min(f64::from(self.trim_tokens))
    }

    /// The size past which a request is not said twice, in tokens.
    pub fn repeat_limit(&self, budget: Budget) -> f64 {
        self.repeat_share * f64::from(budget.available)
    }

    /// The size past which old tool results are cleared, in tokens.
    pub fn clear_limit(&self, budget: Budget) -> f64 {
        self.clear_share * f64::from(budget.available)
    }

    /// The size past which the conversation is compacted, in tokens.
    pub fn compact_limit(&self, budget: Budget) -> f64 {
        self.compact_share * f64::from(budget.available)
    }
}
