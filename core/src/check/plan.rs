//! What to ask next, from all that was asked and answered so far.

use super::ask::Ask;
use super::gauge::{DOUBLE, FINE, Gauge, SMALL};
use super::log::{Exchange, Outcome};
use super::overflow;
use super::report::UsageFinding;
use super::window::{MeasuredBy, Search, WindowFinding, search};
use super::{CheckSettings, LARGEST};
use crate::wire::ProviderError;

/// No check makes more calls, whatever the server does.
pub(super) const MOST_CALLS: usize = 48;

/// The next thing to ask, or `None` when all is known that can be.
pub(super) fn next(settings: &CheckSettings, log: &[Exchange]) -> Option<Ask> {
    if log.len() >= MOST_CALLS || failure(log).is_some() {
        return None;
    }
    let facts = Facts::of(settings, log);
    if let Some(ask) = facts.counting.or(facts.first(Ask::Tool)) {
        return Some(ask);
    }
    match facts.search {
        Some(Search::Ask { size, refusing }) => return Some(facts.count(size, refusing)),
        Some(Search::Found(_)) | None => {}
    }
    facts.of_overflow().or_else(|| facts.of_two_keys())
}

/// Why the check can't go on, if it can't.
pub(super) fn failure(log: &[Exchange]) -> Option<&ProviderError> {
    log.iter().enumerate().find_map(|(index, exchange)| match &exchange.outcome {
        Outcome::Failed(error) => {
            let is_final = match error {
                ProviderError::Unreachable { .. }
                | ProviderError::OriginRefused { .. }
                | ProviderError::ModelMissing { .. }
                | ProviderError::Unauthorized
                | ProviderError::NotAModelServer { .. } => true,
                // A server may choke on what is large. On the first and smallest request it is out of order.
                ProviderError::ToolsUnsupported
                | ProviderError::ContextRefused { .. }
                | ProviderError::Status { .. }
                | ProviderError::InStream { .. }
                | ProviderError::Closed
                | ProviderError::TimedOut { .. } => index == 0,
            };
            is_final.then_some(error)
        }
        Outcome::Answered(_) | Outcome::Refused { .. } | Outcome::Read(_) => None,
    })
}

/// What is known at one point of the check.
pub(super) struct Facts<'log> {
    settings: &'log CheckSettings,
    log: &'log [Exchange],
    pub(super) usage: UsageFinding,
    /// The next count that is needed to know what a line costs.
    counting: Option<Ask>,
    pub(super) gauge: Gauge,
    /// `None` without counts to search by.
    pub(super) search: Option<Search>,
}

impl<'log> Facts<'log> {
    pub(super) fn of(settings: &'log CheckSettings, log: &'log [Exchange]) -> Self {
        let measured = Gauge::of(log);
        let counts: Vec<Option<u32>> = small_counts(log);
        let usage = match counts.as_slice() {
            [] | [_] => UsageFinding::Unknown,
            [None, None, ..] => UsageFinding::Missing,
            [Some(first), Some(second), ..] if second.saturating_mul(2) > *first => UsageFinding::Complete,
            [_, _, ..] => UsageFinding::CachedOnly,
        };
        let mut facts = Self {
            settings,
            log,
            usage,
            counting: None,
            gauge: measured.unwrap_or_else(Gauge::guess),
            search: None,
        };
        let is_refused = log.iter().find_map(|exchange| match exchange.outcome {
            Outcome::Refused { window, .. } => window,
            Outcome::Answered(_) | Outcome::Failed(_) | Outcome::Read(_) => None,
        });
        facts.counting = match usage {
            UsageFinding::Unknown => (log.len() < 2).then(|| facts.same_again()),
            UsageFinding::Missing | UsageFinding::Senseless => None,
            UsageFinding::Complete | UsageFinding::CachedOnly => {
                let sizes = [FINE, DOUBLE];
                let again = (usage == UsageFinding::CachedOnly && counts.len() < 3).then_some(SMALL);
                let size =
                    again.into_iter().chain(sizes).find(|size| *size == SMALL || !facts.was_counted(*size));
                size.map(|size| facts.count(size, false))
            }
        };
        if facts.counting.is_some() && is_refused.is_none() {
            return facts;
        }
        facts.counting = None;
        if let Some(tokens) = is_refused {
            facts.search = Some(Search::Found(WindowFinding::Measured { tokens, by: MeasuredBy::Refusal }));
        } else if let Some(gauge) = measured {
            facts.search = Some(search(settings, usage, log, &gauge));
        } else if matches!(usage, UsageFinding::Complete | UsageFinding::CachedOnly) {
            facts.usage = UsageFinding::Senseless;
        }
        facts
    }

    /// What the search found, once it is over.
    pub(super) fn window(&self) -> WindowFinding {
        match self.search {
            Some(Search::Found(found)) => found,
            Some(Search::Ask { .. }) | None => WindowFinding::Unknown,
        }
    }

    /// The window to overflow, in tokens: the measured one, or the told one where nothing can be measured.
    pub(super) fn window_to_overflow(&self) -> Option<u32> {
        let window = match self.search {
            Some(_) => self.window().measured(),
            None => self.settings.told,
        };
        window.filter(|window| *window <= LARGEST)
    }

    /// The smallest prompt that surely doesn't fit, in tokens.
    pub(super) fn edge(&self, window: u32) -> u32 {
        match self.window() {
            WindowFinding::Measured { by: MeasuredBy::Bracket { failed, .. }, .. } => failed,
            WindowFinding::Measured { .. } | WindowFinding::AtLeast { .. } | WindowFinding::Unknown => window,
        }
    }

    fn of_overflow(&self) -> Option<Ask> {
        let window = self.window_to_overflow()?;
        let has_counts = self.search.is_some();
        if has_counts && overflow::huge(self.log, &self.gauge, window).is_none() {
            return Some(self.count(self.gauge.size_of(f64::from(window) * 1.25), false));
        }
        let layout = overflow::layout(&self.gauge, window);
        let read = self.settings.reads_back.then_some(Ask::ReadOverflow(layout));
        let asks = read.into_iter().chain([Ask::Overflow(layout)]);
        if let Some(ask) = asks.into_iter().find_map(|ask| self.first(ask)) {
            return Some(ask);
        }
        if let Some(ask) =
            self.first(Ask::FirstWord(layout)).filter(|_| overflow::has_no_room(self.log, window))
        {
            return Some(ask);
        }
        let edge = self.edge(window);
        // Room for a few tokens, so that even a short answer reaches the edge.
        let room = if edge == window { 8 } else { 0 };
        let size = self.gauge.size_of(f64::from(window.saturating_sub(room)));
        let ask = Ask::Edge { size, max_tokens: 64 + (edge - window) };
        self.first(ask).filter(|_| has_counts && size.lines > 0)
    }

    fn of_two_keys(&self) -> Option<Ask> {
        let read = self.settings.reads_back.then_some(Ask::ReadTwoKeys);
        read.into_iter().chain([Ask::TwoKeys]).find_map(|ask| self.first(ask))
    }

    /// That ask, if it was not asked yet.
    fn first(&self, ask: Ask) -> Option<Ask> {
        let is_same =
            |exchange: &Exchange| std::mem::discriminant(&exchange.ask) == std::mem::discriminant(&ask);
        (!self.log.iter().any(is_same)).then_some(ask)
    }

    fn same_again(&self) -> Ask {
        Ask::Count { size: SMALL, salt: 0, refusing: false }
    }

    /// A count; where only what was not cached is counted, of a message that no cache has.
    fn count(&self, size: super::Size, refusing: bool) -> Ask {
        let salt = if self.usage == UsageFinding::CachedOnly { self.log.len() as u32 } else { 0 };
        Ask::Count { size, salt, refusing }
    }

    fn was_counted(&self, wanted: super::Size) -> bool {
        self.log.iter().any(|exchange| matches!(exchange.ask, Ask::Count { size, .. } if size == wanted))
    }
}

/// The counts of the smallest message, in the order in which it was asked.
fn small_counts(log: &[Exchange]) -> Vec<Option<u32>> {
    log.iter()
        .filter(|exchange| matches!(exchange.ask, Ask::Count { size, .. } if size == SMALL))
        .map(|exchange| exchange.outcome.answered().and_then(|answered| answered.prompt_tokens))
        .collect()
}
