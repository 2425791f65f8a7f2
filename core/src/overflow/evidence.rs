//! What was seen, with its numbers, and a sentence for each.
//!
//! ```
//! use brimline_core::overflow::Evidence;
//!
//! let seen = Evidence::CountFell { before: 4057, reported: 4024, expected: 4625.0 };
//! assert_eq!(
//!     seen.sentence(),
//!     "The conversation only grew, by about 568 tokens, but the server's count fell from 4,057 to 4,024."
//! );
//! ```

use serde::{Deserialize, Serialize};

/// One thing that was seen. All counts are tokens; `expected`, `spread` and `smallest` are estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Evidence {
    /// The count fell although the conversation only grew. Nothing but a loss does that.
    CountFell {
        /// The last trusted count.
        before: u32,
        /// The count now.
        reported: u32,
        /// What it should be now.
        expected: f64,
    },
    /// The count grew by clearly less than what was added since the last trusted count, in however many small steps.
    GrowthStalled {
        /// What the count grew by.
        reported: i64,
        /// What was added, by our estimate.
        expected: f64,
    },
    /// The count is under what the text takes with any tokenizer.
    UnderFloor {
        /// The count, or what it grew by.
        reported: i64,
        /// The least that the text, or the new text, takes.
        floor: f64,
    },
    /// The count of a request without a trusted one before it is far under the estimate.
    FarBelowEstimate {
        /// The count.
        reported: u32,
        /// Our estimate.
        expected: f64,
    },
    /// The count is half of a window plus 2 or 3: what Ollama keeps of a message that is larger than its window.
    HalfWindow {
        /// The count.
        reported: u32,
        /// The window of which it is half.
        window: u32,
    },
    /// The count stands just below a round window that the conversation should have passed.
    PlateauBelowWindow {
        /// The count.
        reported: u32,
        /// The round window.
        window: u32,
        /// What the count should be.
        expected: f64,
    },
    /// The smallest message that the server could have dropped is so small that its loss would not show in the count.
    LossCouldHide {
        /// The size of that message.
        smallest: f64,
        /// How far off the expected count may be (one standard deviation).
        spread: f64,
        /// How probable a loss is, by all that was seen, from 0 to 1.
        probability: f64,
    },
    /// A confirming request (the first request and only the new messages) made the expected count exact.
    ConfirmedGrowth {
        /// The count that was in doubt.
        reported: u32,
        /// What it has to be if nothing was dropped.
        exact: u32,
    },
    /// A confirming request (the same without its oldest message) was counted too. The same count means that the
    /// server had not read that message; a count that is smaller by the message's size, that it had.
    ConfirmedWithoutOldest {
        /// The count that was in doubt.
        reported: u32,
        /// The count without the oldest message.
        without: u32,
        /// The size of the oldest message.
        oldest: f64,
    },
    /// The server showed the prompt that it made of the request, and these of its messages were not in it.
    ReadBackDropped {
        /// Messages that were sent.
        messages: usize,
        /// Of those, messages that are not in the prompt.
        dropped: usize,
        /// The user's request is one of them.
        request: bool,
    },
    /// The server showed the prompt that it made of the request, and every message was in it.
    ReadBackWhole {
        /// Messages that were sent.
        messages: usize,
    },
    /// The prompt had been counted exactly, with the model's own vocabulary.
    CountedExactly {
        /// The server's count.
        reported: u32,
        /// What it is if nothing is missing.
        exact: u32,
    },
    /// Prompt and answer together are larger than the window: the server dropped the oldest tokens while writing.
    BeyondWindow {
        /// Prompt tokens.
        prompt: u32,
        /// Completion tokens.
        completion: u32,
        /// The window.
        window: u32,
    },
    /// The answer ended where prompt and answer fill the window: the prompt was read, but left too little room.
    EdgeReached {
        /// Prompt tokens.
        prompt: u32,
        /// Completion tokens.
        completion: u32,
        /// The window.
        window: u32,
    },
    /// The server refused, honestly, with the numbers that it gave.
    RefusedBy {
        /// The prompt's size, where the server said it.
        prompt: Option<u32>,
        /// The window, where the server said it.
        window: Option<u32>,
    },
    /// A count fell, but a thinking model's template may have dropped its own old reasoning: that is no loss.
    ThinkingDropped {
        /// The last trusted count.
        before: u32,
        /// The count now.
        reported: u32,
    },
    /// The server counts only what did not come from its cache, so its count says nothing.
    OnlyUncachedCounted {
        /// The count.
        reported: u32,
        /// What the whole prompt should take.
        expected: f64,
    },
    /// The server gave no count, or zero.
    NoCount,
}

impl Evidence {
    /// What was seen, in one English sentence.
    pub fn sentence(&self) -> String {
        match *self {
            Self::CountFell { before, reported, expected } => {
                let added = grouped(expected - f64::from(before));
                let (before, reported) = (grouped(before), grouped(reported));
                format!(
                    "The conversation only grew, by about {added} tokens, but the server's count fell from {before} to \
                     {reported}."
                )
            }
            Self::GrowthStalled { reported, expected } => {
                let (reported, expected) = (grouped(reported as f64), grouped(expected));
                format!(
                    "About {expected} tokens were added since the last count that we trust, but the count grew by only \
                     {reported}."
                )
            }
            Self::UnderFloor { reported, floor } => {
                let (reported, floor) = (grouped(reported as f64), grouped(floor));
                format!(
                    "The server counted {reported} tokens for a text that takes at least {floor} with any tokenizer."
                )
            }
            Self::FarBelowEstimate { reported, expected } => {
                let (reported, expected) = (grouped(reported), grouped(expected));
                format!("The server counted {reported} tokens where about {expected} were sent.")
            }
            Self::HalfWindow { reported, window } => {
                let (reported, window) = (grouped(reported), grouped(window));
                format!(
                    "The count of {reported} is just over half of {window}: that is what Ollama keeps of a message that is \
                     larger than its window."
                )
            }
            Self::PlateauBelowWindow { reported, window, expected } => {
                let (reported, window, expected) = (grouped(reported), grouped(window), grouped(expected));
                format!(
                    "The count stands at {reported}, just below a window of {window}, where about {expected} were sent."
                )
            }
            Self::LossCouldHide { smallest, spread, probability } => {
                let (smallest, spread) = (grouped(smallest), grouped(spread));
                let percent = (probability * 100.0).clamp(1.0, 99.0).round();
                format!(
                    "A message of about {smallest} tokens could be missing without the count showing it: our estimate may be \
                     off by {spread}. We hold a loss for {percent} % probable."
                )
            }
            Self::ConfirmedGrowth { reported, exact } => {
                let (counted, exactly) = (grouped(reported), grouped(exact));
                format!(
                    "A confirming request showed that the whole conversation takes {exactly} tokens; the server had read \
                     {counted}."
                )
            }
            Self::ConfirmedWithoutOldest { reported, without, oldest } => {
                let (reported, without, oldest) = (grouped(reported), grouped(without), grouped(oldest));
                format!(
                    "The same request without its oldest message (about {oldest} tokens) was counted as {without}, with it as \
                     {reported}."
                )
            }
            Self::ReadBackDropped { messages, dropped, request } => {
                let lost = if request { ", your request among them" } else { "" };
                format!(
                    "The server showed the prompt that it made: of {messages} messages, {dropped} are not in it{lost}."
                )
            }
            Self::ReadBackWhole { messages } => {
                format!("The server showed the prompt that it made: all {messages} messages are in it.")
            }
            Self::CountedExactly { reported, exact } => {
                let (counted, exactly) = (grouped(reported), grouped(exact));
                format!(
                    "By the model's own vocabulary the prompt takes {exactly} tokens; the server counted {counted}."
                )
            }
            Self::BeyondWindow { prompt, completion, window } => {
                let total = grouped(f64::from(prompt) + f64::from(completion));
                let window = grouped(window);
                format!(
                    "Prompt and answer together are {total} tokens, more than the window of {window}: the oldest tokens left \
                     while the answer was written."
                )
            }
            Self::EdgeReached { prompt, completion, window } => {
                let (prompt, completion, window) = (grouped(prompt), grouped(completion), grouped(window));
                format!(
                    "The answer broke off after {completion} tokens, at the edge of the window: with the {prompt} that were \
                     read they fill {window}."
                )
            }
            Self::RefusedBy { prompt, window } => match (prompt, window) {
                (Some(prompt), Some(window)) => {
                    let (prompt, window) = (grouped(prompt), grouped(window));
                    format!("The server refused {prompt} tokens, since its window holds {window}.")
                }
                (Some(prompt), None) => {
                    format!("The server refused {} tokens, since they don't fit its window.", grouped(prompt))
                }
                (None, Some(window)) => {
                    format!("The server refused the request, since its window holds {}.", grouped(window))
                }
                (None, None) => {
                    "The server refused the request, since it does not fit its window.".to_owned()
                }
            },
            Self::ThinkingDropped { before, reported } => {
                let (before, reported) = (grouped(before), grouped(reported));
                format!(
                    "The count fell from {before} to {reported}, but a thinking model may leave out its own old reasoning, so \
                     that alone is no loss."
                )
            }
            Self::OnlyUncachedCounted { reported, expected } => {
                let (reported, expected) = (grouped(reported), grouped(expected));
                format!(
                    "The server seems to count only what its cache did not hold ({reported} of about {expected}), so its \
                     count says nothing."
                )
            }
            Self::NoCount => "The server did not say how many tokens it read.".to_owned(),
        }
    }
}

/// A count with thousands separated, rounded to whole tokens.
fn grouped(tokens: impl Into<f64>) -> String {
    let tokens = tokens.into().round();
    let digits = format!("{:.0}", tokens.abs());
    let mut text = String::new();
    if tokens <= -1.0 {
        text.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_thousands() {
        let cases =
            [(0.0, "0"), (12.4, "12"), (999.5, "1,000"), (4096.0, "4,096"), (1_234_567.0, "1,234,567")];
        for (tokens, text) in cases {
            assert_eq!(grouped(tokens), text);
        }
        assert_eq!(grouped(-1_024.0), "-1,024");
        assert_eq!(grouped(-0.3), "0");
    }

    #[test]
    fn every_kind_says_what_was_seen() {
        let cases = [
            (
                Evidence::GrowthStalled { reported: 16, expected: 604.2 },
                "About 604 tokens were added since the last count that we trust, but the count grew by only 16.",
            ),
            (
                Evidence::UnderFloor { reported: 63, floor: 2_100.0 },
                "The server counted 63 tokens for a text that takes at least 2,100 with any tokenizer.",
            ),
            (
                Evidence::FarBelowEstimate { reported: 3_725, expected: 6_204.0 },
                "The server counted 3,725 tokens where about 6,204 were sent.",
            ),
            (
                Evidence::HalfWindow { reported: 2_050, window: 4_096 },
                "The count of 2,050 is just over half of 4,096: that is what Ollama keeps of a message that is larger than \
                 its window.",
            ),
            (
                Evidence::PlateauBelowWindow { reported: 4_069, window: 4_096, expected: 4_140.0 },
                "The count stands at 4,069, just below a window of 4,096, where about 4,140 were sent.",
            ),
            (
                Evidence::LossCouldHide { smallest: 69.0, spread: 120.0, probability: 0.314 },
                "A message of about 69 tokens could be missing without the count showing it: our estimate may be off by \
                 120. We hold a loss for 31 % probable.",
            ),
            (
                Evidence::ConfirmedGrowth { reported: 4_069, exact: 4_138 },
                "A confirming request showed that the whole conversation takes 4,138 tokens; the server had read 4,069.",
            ),
            (
                Evidence::ConfirmedWithoutOldest { reported: 4_069, without: 4_069, oldest: 69.0 },
                "The same request without its oldest message (about 69 tokens) was counted as 4,069, with it as 4,069.",
            ),
            (
                Evidence::BeyondWindow { prompt: 3_519, completion: 1_200, window: 4_096 },
                "Prompt and answer together are 4,719 tokens, more than the window of 4,096: the oldest tokens left while \
                 the answer was written.",
            ),
            (
                Evidence::RefusedBy { prompt: Some(6_378), window: Some(4_096) },
                "The server refused 6,378 tokens, since its window holds 4,096.",
            ),
            (
                Evidence::RefusedBy { prompt: Some(6_378), window: None },
                "The server refused 6,378 tokens, since they don't fit its window.",
            ),
            (
                Evidence::RefusedBy { prompt: None, window: Some(4_096) },
                "The server refused the request, since its window holds 4,096.",
            ),
            (
                Evidence::RefusedBy { prompt: None, window: None },
                "The server refused the request, since it does not fit its window.",
            ),
            (
                Evidence::ThinkingDropped { before: 3_000, reported: 2_400 },
                "The count fell from 3,000 to 2,400, but a thinking model may leave out its own old reasoning, so that \
                 alone is no loss.",
            ),
            (
                Evidence::OnlyUncachedCounted { reported: 310, expected: 2_310.0 },
                "The server seems to count only what its cache did not hold (310 of about 2,310), so its count says \
                 nothing.",
            ),
            (Evidence::NoCount, "The server did not say how many tokens it read."),
        ];
        for (evidence, sentence) in cases {
            assert_eq!(evidence.sentence(), sentence);
        }
    }
}
