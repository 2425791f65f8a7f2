//! What a prompt of known pieces costs in this server's tokens, learnt from its first counts.

use super::ask::{Ask, LINE_GUESS, Size};
use super::log::Exchange;

/// The first message, asked twice.
pub(super) const SMALL: Size = Size { lines: 24, words: 0 };
/// The same and some words: what a word costs.
pub(super) const FINE: Size = Size { lines: 24, words: 16 };
/// Twice the lines: what a line costs.
pub(super) const DOUBLE: Size = Size { lines: 48, words: 0 };

/// A line has so many characters, so that it can't have more tokens; with fewer than these it isn't counted at all.
const TOKENS_PER_LINE: std::ops::RangeInclusive<f64> = 3.0..=62.0;

/// What the pieces cost, in tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gauge {
    /// The template, and the message's first words.
    base: f64,
    pub(super) per_line: f64,
    per_word: f64,
}

impl Gauge {
    /// A gauge from the counts of the first three sizes, if they make sense together.
    pub(super) fn of(log: &[Exchange]) -> Option<Self> {
        let count = |wanted: Size| {
            log.iter().rev().find_map(|exchange| match exchange.ask {
                Ask::Count { size, .. } if size == wanted => {
                    exchange.outcome.answered()?.prompt_tokens.map(f64::from)
                }
                Ask::Count { .. }
                | Ask::Tool
                | Ask::Overflow(_)
                | Ask::ReadOverflow(_)
                | Ask::FirstWord(_)
                | Ask::Edge { .. }
                | Ask::TwoKeys
                | Ask::ReadTwoKeys => None,
            })
        };
        let (small, fine, double) = (count(SMALL)?, count(FINE)?, count(DOUBLE)?);
        let per_line = (double - small) / f64::from(DOUBLE.lines - SMALL.lines);
        let per_word = ((fine - small) / f64::from(FINE.words)).clamp(0.5, 8.0);
        let base = small - f64::from(SMALL.lines) * per_line;
        TOKENS_PER_LINE.contains(&per_line).then_some(Self { base, per_line, per_word })
    }

    /// A gauge by the rule of four characters each, for a server that counts nothing.
    pub(super) fn guess() -> Self {
        Self { base: 30.0, per_line: LINE_GUESS, per_word: 1.0 }
    }

    /// What a message of that size should count, in tokens.
    pub(super) fn expected(&self, size: Size) -> f64 {
        self.base + self.per_line * f64::from(size.lines) + self.per_word * f64::from(size.words)
    }

    /// The largest message that should count no more than so many tokens.
    pub(super) fn size_of(&self, tokens: f64) -> Size {
        // The casts saturate, and take what is negative as zero.
        let lines = ((tokens - self.base) / self.per_line).floor() as u32;
        let left = tokens - self.expected(Size { lines, words: 0 });
        Size { lines, words: (left / self.per_word).floor() as u32 }
    }

    /// So many lines are of about that many tokens.
    pub(super) fn lines_of(&self, tokens: f64) -> u32 {
        (tokens / self.per_line).round() as u32
    }

    /// Whether a count is that of the whole message. A tokenizer may join what follows each other a little differently.
    pub(super) fn is_whole(&self, size: Size, reported: u32) -> bool {
        let expected = self.expected(size);
        f64::from(reported) >= expected - 2.0 - expected / 500.0
    }
}
