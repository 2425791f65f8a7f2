//! After an overflow: what can be done, what each would do to the context, and going on.
//!
//! The history is whole: what the server dropped or refused is still here. [`Session::offers`] says what would make it
//! fit, [`Run::recover`] does it and takes the request up again where it stood. *Leave it* is to do neither.

use super::ending::{EndReason, Ending, RunEnd};
use super::machine::{Run, whole};
use super::session::Session;
use crate::conversation::{MessageId, Standing};
use crate::policy::{clearable, replaceable};
use serde::{Deserialize, Serialize};

/// A way to go on after an overflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Recovery {
    /// Go by the window that the server really has: what doesn't fit is cleared or compacted.
    UseWindow {
        /// That window, in tokens.
        tokens: u32,
    },
    /// The server is to have a larger window. Where it can be asked for one (`num_ctx`) the driver does; else the reader
    /// starts it anew.
    RaiseWindow {
        /// The window in which the conversation fits as it is, in tokens.
        tokens: u32,
    },
    /// Replace these tool results with notes, also new ones.
    DropResults {
        /// The results.
        messages: Vec<MessageId>,
        /// The window that the server really has, where the evidence shows one: it is gone by from then on.
        window: Option<u32>,
    },
}

/// A way to go on, and what it would do to the context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The way.
    pub recovery: Recovery,
    /// The context now, in estimated tokens.
    pub before: u32,
    /// The context then, before anything is compacted, in estimated tokens.
    pub after: u32,
    /// The room that there would be for it, in tokens.
    pub available: u32,
    /// The conversation would be replaced with a summary besides, since it would still be too large.
    pub compacts: bool,
}

/// A raised window is a power of two of at least so many tokens.
const SMALLEST_RAISED: u32 = 4_096;

impl Session {
    /// What can be done after a run that ended like this, gentlest first. Empty where nothing overflowed.
    pub fn offers(&self, end: &RunEnd) -> Vec<Offer> {
        if end.ending() != Ending::ContextOverflow {
            return Vec::new();
        }
        let before = self.clone().size().tokens;
        let real = self.real_window(&end.reason);
        let mut offers = Vec::new();
        if let Some(tokens) = real {
            offers.push(self.offer(Recovery::UseWindow { tokens }, before));
        }
        if let Some(tokens) = self.window_for(before, real) {
            offers.push(self.offer(Recovery::RaiseWindow { tokens }, before));
        }
        let messages = self.results_to_drop(real, before);
        if !messages.is_empty() {
            offers.push(self.offer(Recovery::DropResults { messages, window: real }, before));
        }
        offers
    }

    /// The window that the evidence speaks for.
    fn real_window(&self, reason: &EndReason) -> Option<u32> {
        let refused_at = match reason {
            EndReason::ServerRefused { window, .. } => *window,
            EndReason::WindowFull { window } => Some(*window),
            EndReason::ServerDropped { .. } => None,
            // Nobody proved anything: our own count said so.
            EndReason::WouldNotFit { .. }
            | EndReason::Answered
            | EndReason::TurnsUsedUp { .. }
            | EndReason::AnswerCutShort { .. }
            | EndReason::Stopped
            | EndReason::Failed(_)
            | EndReason::Declined => return None,
        };
        let believed = self.window().window().tokens;
        let told = self.window().told.filter(|told| *told < believed);
        refused_at.or(told).or(self.detector().likely_window())
    }

    /// The smallest usual window above the server's that has room for a context of this size.
    fn window_for(&self, size: f64, real: Option<u32>) -> Option<u32> {
        let now = real.unwrap_or(self.window().window().tokens);
        let powers = (0..).map_while(|power| SMALLEST_RAISED.checked_shl(power).filter(|tokens| *tokens > 0));
        let mut larger = powers.filter(|tokens| *tokens > now);
        larger.find(|tokens| size <= self.policy().clear_limit(self.policy().budget(*tokens)))
    }

    /// Tool results that are still sent whole, the oldest first, as many as have to go.
    fn results_to_drop(&self, window: Option<u32>, size: f64) -> Vec<MessageId> {
        let budget = self.policy().budget(window.unwrap_or(self.window().window().tokens));
        let mut excess = size - self.policy().clear_limit(budget);
        let results = clearable(self.conversation(), 0).into_iter();
        let needed = results.take_while(|id| {
            let is_needed = excess > 0.0;
            excess -= self
                .conversation()
                .entry(*id)
                .and_then(|entry| entry.sent_text())
                .map_or(0.0, |text| self.text_tokens(text));
            is_needed
        });
        needed.collect()
    }

    fn offer(&self, recovery: Recovery, before: f64) -> Offer {
        let mut then = self.clone();
        then.apply(&recovery);
        let budget = then.budget();
        let mut after = then.size().tokens;
        if after > then.policy().clear_limit(budget) {
            for id in clearable(then.conversation(), then.policy().keep_results) {
                then.conversation_mut().set_standing(id, Standing::Cleared);
            }
            after = then.size().tokens;
        }
        let compacts =
            after > then.policy().compact_limit(budget) && !replaceable(then.conversation()).is_empty();
        Offer { recovery, before: whole(before), after: whole(after), available: budget.available, compacts }
    }

    fn apply(&mut self, recovery: &Recovery) {
        match recovery {
            Recovery::UseWindow { tokens } => self.window_mut().proven = Some(*tokens),
            Recovery::RaiseWindow { tokens } => {
                let window = self.window_mut();
                (window.measured, window.proven) = (None, None);
                window.set = window.set.map(|_| *tokens);
                window.told = Some(*tokens);
            }
            Recovery::DropResults { messages, window } => {
                self.window_mut().proven = window.or(self.window().proven);
                for id in messages {
                    self.conversation_mut().set_standing(*id, Standing::Cleared);
                }
            }
        }
    }
}

impl Run {
    /// Takes the request up again after an overflow, in this way.
    pub fn recover(mut session: Session, recovery: &Recovery) -> Self {
        session.apply(recovery);
        Self::start(session, Vec::new())
    }
}
