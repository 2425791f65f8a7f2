//! Searching for the window: growth until the server cuts or refuses, then as few probes as the counts allow.

use super::ask::{Ask, Size};
use super::gauge::Gauge;
use super::log::{Exchange, Outcome};
use super::report::UsageFinding;
use super::{CheckSettings, LARGEST};
use serde::{Deserialize, Serialize};

/// What is known about the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WindowFinding {
    /// It is of this size.
    Measured {
        /// Its size in tokens: the largest that passed, where it could not be pinned down.
        tokens: u32,
        /// How that was found out.
        by: MeasuredBy,
    },
    /// A prompt of this size passed whole, and nothing larger was tried, or came back.
    AtLeast {
        /// Its size in tokens.
        tokens: u32,
    },
    /// It could not be measured.
    Unknown,
}

/// How a window was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MeasuredBy {
    /// The server refused, and said it.
    Refusal,
    /// The counts of cut prompts give it.
    Counts,
    /// The largest prompt that passed and the smallest that did not, in tokens, are close together.
    Bracket {
        /// Passed whole.
        passed: u32,
        /// Was cut or refused.
        failed: u32,
    },
}

/// What the search does next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Search {
    /// Ask for a count.
    Ask { size: Size, refusing: bool },
    /// It is over.
    Found(WindowFinding),
}

/// No search takes more probes.
const MOST_PROBES: usize = 28;

impl WindowFinding {
    /// The window to go by, in tokens, if one was measured.
    pub fn measured(&self) -> Option<u32> {
        match self {
            Self::Measured { tokens, .. } => Some(*tokens),
            Self::AtLeast { .. } | Self::Unknown => None,
        }
    }
}

/// What the counts have shown.
#[derive(Debug, Default)]
struct Seen {
    /// The largest message that passed whole, in expected tokens.
    passed: f64,
    /// The smallest that did not.
    failed: Option<f64>,
    /// Those that were cut: expected and reported tokens.
    cuts: Vec<(f64, u32)>,
    /// The largest that was refused without numbers when asked to refuse.
    refused_when_asked: Option<Size>,
    /// A wish to refuse was not heeded.
    ignores_refusing: bool,
    /// The window that a refusal gave, in tokens.
    told_by_refusal: Option<u32>,
    /// A call failed, or had no count: nothing larger is asked.
    gave_out: bool,
    probes: usize,
}

impl Seen {
    fn of(usage: UsageFinding, log: &[Exchange], gauge: &Gauge) -> Self {
        let mut seen = Self::default();
        for Exchange { ask, outcome } in log {
            let Ask::Count { size, refusing, .. } = ask else { continue };
            seen.probes += 1;
            let expected = gauge.expected(*size);
            match outcome {
                Outcome::Answered(answered) => match answered.prompt_tokens {
                    Some(reported) if gauge.is_whole(*size, reported) => seen.pass(expected),
                    Some(reported) => {
                        seen.cuts.push((expected, reported));
                        seen.fail(expected);
                        seen.ignores_refusing |= refusing;
                    }
                    // The second of the two that are alike: that it was cached whole is what it was asked for.
                    None if seen.probes == 2 => {}
                    // No cache knows the beginnings of these: if all was cached, the beginning was cut off.
                    None if usage == UsageFinding::CachedOnly => seen.fail(expected),
                    None => seen.gave_out = true,
                },
                Outcome::Refused { window: Some(window), .. } => seen.told_by_refusal = Some(*window),
                Outcome::Refused { window: None, .. } => {
                    seen.fail(expected);
                    if *refusing {
                        seen.refused_when_asked = Some(*size);
                    }
                }
                Outcome::Failed(_) => seen.gave_out = true,
                Outcome::Read(_) => {}
            }
        }
        seen
    }

    fn pass(&mut self, expected: f64) {
        self.passed = self.passed.max(expected);
    }

    fn fail(&mut self, expected: f64) {
        self.failed = Some(self.failed.map_or(expected, |failed| failed.min(expected)));
    }

    fn at_least(&self) -> WindowFinding {
        if self.passed > 0.0 {
            WindowFinding::AtLeast { tokens: whole(self.passed) }
        } else {
            WindowFinding::Unknown
        }
    }

    fn bracket(&self, failed: f64) -> WindowFinding {
        let (passed, failed) = (whole(self.passed), whole(failed));
        if passed == 0 {
            return WindowFinding::Unknown;
        }
        WindowFinding::Measured { tokens: passed, by: MeasuredBy::Bracket { passed, failed } }
    }

    /// The window that the counts give without another probe.
    fn by_counts(&self, told: Option<u32>) -> Option<u32> {
        let (expected, reported) = *self.cuts.last()?;
        // A server that keeps half of one message reports `window / 2 + 2` (of 4 tokens kept and half of the others).
        let doubled = reported.saturating_mul(2).saturating_sub(4);
        if let Some(told) = told
            && (told.abs_diff(reported) <= 1 || told.abs_diff(doubled) <= 1)
            && f64::from(told) >= self.passed - 2.0
        {
            return Some(told);
        }
        // Two prompts of different sizes that count the same were both cut to that, and one that is hardly larger than
        // what is left of it shows that this is the window, and not a share of it.
        let is_twin = |(other, count): &(f64, u32)| {
            count.abs_diff(reported) <= 1 && (other - expected).abs() > 4.0 + expected / 250.0
        };
        let full = f64::from(reported);
        let fits = full >= self.passed - 2.0 && self.failed.is_some_and(|failed| failed <= full * 1.02 + 4.0);
        (fits && self.cuts.iter().any(is_twin)).then_some(reported)
    }

    /// A size at which a guess at the window shows to be right or wrong, if a guess can be made.
    fn telling_size(&self, failed: f64) -> Option<f64> {
        let (_, reported) = *self.cuts.last()?;
        let full = f64::from(reported);
        if full > self.passed && full < failed {
            return Some((full * 1.015).min(f64::midpoint(full, failed)));
        }
        let doubled = full * 2.0 - 4.0;
        if self.passed < doubled - 3.0 && doubled < failed + 1.0 {
            return Some(doubled - 2.0);
        }
        if self.passed <= doubled && failed > doubled + 3.0 {
            return Some(doubled + 2.0);
        }
        // Near it, but not quite: the server may leave a few tokens of its cache out of the count.
        let is_near = self.passed > doubled && self.passed < doubled * 1.01;
        (is_near && failed > self.passed * 1.02).then_some(self.passed * 1.01)
    }

    /// Half a window is kept, and both sides of the window were tried.
    fn by_both_sides(&self, failed: f64) -> Option<u32> {
        let (_, reported) = *self.cuts.last()?;
        let doubled = f64::from(reported) * 2.0 - 4.0;
        let is_tight = self.passed >= doubled - 4.0 && failed <= doubled + 4.0;
        (is_tight && self.passed < doubled && failed > doubled - 1.0).then_some(whole(doubled))
    }
}

/// The smallest size that did not pass, in tokens, if one was met.
pub(super) fn smallest_failed(usage: UsageFinding, log: &[Exchange], gauge: &Gauge) -> Option<u32> {
    Seen::of(usage, log, gauge).failed.map(whole)
}

/// What to ask next, from all that was counted so far.
pub(super) fn search(
    settings: &CheckSettings,
    usage: UsageFinding,
    log: &[Exchange],
    gauge: &Gauge,
) -> Search {
    let seen = Seen::of(usage, log, gauge);
    if let Some(tokens) = seen.told_by_refusal {
        return measured(tokens, MeasuredBy::Refusal);
    }
    if seen.gave_out {
        return Search::Found(seen.at_least());
    }
    let refusing = settings.asks_to_refuse && !seen.ignores_refusing;
    let Some(failed) = seen.failed else {
        let ceiling = f64::from(settings.ceiling.min(LARGEST));
        if seen.passed >= ceiling || seen.probes >= MOST_PROBES {
            return Search::Found(seen.at_least());
        }
        let told = settings.told.map(f64::from).filter(|told| *told > seen.passed && *told <= ceiling);
        let target = match told {
            Some(told) => told * 1.06 + 32.0,
            None => (seen.passed * 2.0).min(ceiling + (ceiling / 50.0).max(32.0)),
        };
        let size = gauge.size_of(target);
        return if gauge.expected(size) > seen.passed {
            Search::Ask { size, refusing }
        } else {
            Search::Found(seen.at_least())
        };
    };
    if let Some(tokens) = seen.by_counts(settings.told).or_else(|| seen.by_both_sides(failed)) {
        return measured(tokens, MeasuredBy::Counts);
    }
    if failed - seen.passed <= (failed / 128.0).max(8.0) || seen.probes >= MOST_PROBES {
        return Search::Found(seen.bracket(failed));
    }
    // What it keeps of a message that it may cut gives a guess at the window, which the refusal did not.
    if let Some(size) = seen.refused_when_asked.filter(|_| seen.cuts.is_empty() && !was_asked(log, false)) {
        return Search::Ask { size, refusing: false };
    }
    let middle = f64::midpoint(seen.passed, failed);
    let is_inside = |size: &Size| {
        let expected = gauge.expected(*size);
        expected > seen.passed + 0.5 && expected < failed - 0.5
    };
    let telling = seen.telling_size(failed).map(|target| gauge.size_of(target)).filter(is_inside);
    match telling.or_else(|| Some(gauge.size_of(middle)).filter(is_inside)) {
        Some(size) => Search::Ask { size, refusing },
        None => Search::Found(seen.bracket(failed)),
    }
}

/// Whether a large message was counted with or without the wish that it be refused.
fn was_asked(log: &[Exchange], with_wish: bool) -> bool {
    log.iter().any(|Exchange { ask, outcome }| match (ask, outcome) {
        (Ask::Count { refusing, .. }, Outcome::Refused { .. }) => *refusing == with_wish,
        (
            Ask::Count { .. }
            | Ask::Tool
            | Ask::Overflow(_)
            | Ask::ReadOverflow(_)
            | Ask::FirstWord(_)
            | Ask::Edge { .. }
            | Ask::TwoKeys
            | Ask::ReadTwoKeys,
            _,
        ) => false,
    })
}

fn measured(tokens: u32, by: MeasuredBy) -> Search {
    Search::Found(WindowFinding::Measured { tokens, by })
}

/// The cast saturates.
pub(super) fn whole(tokens: f64) -> u32 {
    tokens.round() as u32
}
