//! What a server does with what does not fit: the counts decide where they can, the words support them.

use super::ask::{Ask, Layout};
use super::gauge::Gauge;
use super::log::{Answered, Exchange, Needle, Outcome};
use serde::{Deserialize, Serialize};

/// What happens to a conversation that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversationOverflow {
    /// The server refuses it, and says so.
    Refuses,
    /// The oldest messages go, whole; the system prompt stays.
    DropsOldest,
    /// The oldest tokens go, the system prompt first.
    CutsBeginning,
    /// The tokens in the middle go.
    CutsMiddle,
    /// Tokens go until it fits, and neither counts nor words tell which.
    CutsSomewhere,
    /// Less comes through than was sent; how it is chosen is unclear.
    Loses,
    /// That was not seen: it was not tried, or nothing tells.
    Unknown,
}

/// What happens to one message that is too large by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HugeOverflow {
    /// The server refuses it, and says so.
    Refuses,
    /// A full window of it stays.
    KeepsWindow,
    /// About half a window of it stays.
    KeepsHalf,
    /// So many tokens stay.
    Keeps(u32),
    /// That was not seen.
    Unknown,
}

/// What happens when an answer reaches the edge of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AnswerOverflow {
    /// The server drops the oldest tokens and lets the model write on.
    Shifts,
    /// The answer stops there, and says so.
    Stops,
    /// That was not seen: the model had stopped before.
    Unknown,
}

/// What shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Evidence {
    /// The server said so.
    Said,
    /// The counts.
    Counts,
    /// The code words that the model repeated.
    Words,
    /// The prompt that the server made.
    Prompt,
}

/// The marks around a part of the conversation and its answer are of about so many tokens.
const MARKS: f64 = 22.0;
/// The system prompt and the question, in tokens.
const ENDS: f64 = 75.0;

/// The conversation for a window of so many tokens.
pub(super) fn layout(gauge: &Gauge, window: u32) -> Layout {
    let lines = |share: f64| gauge.lines_of((f64::from(window) * share - MARKS).max(gauge.per_line));
    Layout { long: lines(0.21), short: lines(0.16) }
}

/// What became of the conversation, and what shows it.
pub(super) fn of_conversation(
    log: &[Exchange],
    gauge: &Gauge,
    window: Option<u32>,
) -> (ConversationOverflow, Vec<Evidence>) {
    use ConversationOverflow::{Loses, Refuses, Unknown};
    let mut by_prompt = None;
    let mut by_counts = Unknown;
    let mut by_words = None;
    for Exchange { ask, outcome } in log {
        match (ask, outcome) {
            (Ask::ReadOverflow(_), Outcome::Read(Some(needles))) => by_prompt = of_words(needles),
            (Ask::Overflow(_), Outcome::Refused { .. }) => return (Refuses, vec![Evidence::Said]),
            (Ask::Overflow(layout), Outcome::Answered(answered)) => {
                let window = window.filter(|_| answered.prompt_tokens.is_some());
                by_counts = window.map_or(Unknown, |window| of_counts(*layout, gauge, window, answered));
                by_words = of_words(&answered.needles);
            }
            // Not from the beginning, since it is left; not from the end, since the question was answered.
            (Ask::FirstWord(_), Outcome::Answered(answered)) if !answered.needles.is_empty() => {
                by_words = Some(ConversationOverflow::CutsMiddle);
            }
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
            ) => {}
        }
    }
    let told = match (by_counts, by_prompt.or(by_words)) {
        // Counts know that tokens went, and words know which.
        (ConversationOverflow::CutsSomewhere | Loses, Some(told)) => told,
        (Unknown, Some(told)) => told,
        (by_counts, _) => by_counts,
    };
    let agree = [(by_prompt, Evidence::Prompt), (by_words, Evidence::Words)];
    let counted = (by_counts != Unknown).then_some(Evidence::Counts);
    let evidence = counted
        .into_iter()
        .chain(agree.into_iter().filter(|(what, _)| *what == Some(told)).map(|(_, by)| by));
    (told, evidence.collect())
}

fn of_counts(layout: Layout, gauge: &Gauge, window: u32, answered: &Answered) -> ConversationOverflow {
    let Some(reported) = answered.prompt_tokens.map(f64::from) else { return ConversationOverflow::Unknown };
    let window = f64::from(window);
    let sizes = layout.parts().map(|lines| f64::from(lines) * gauge.per_line + MARKS);
    let whole = ENDS + sizes.iter().sum::<f64>();
    // The longest run of messages from the end that fits.
    let mut suffix = ENDS;
    for size in sizes.iter().rev() {
        if suffix + size > window {
            break;
        }
        suffix += size;
    }
    if (reported - window).abs() <= window / 100.0 + 8.0 {
        ConversationOverflow::CutsSomewhere
    } else if (reported - suffix).abs() <= window / 50.0 + 40.0 {
        ConversationOverflow::DropsOldest
    } else if reported < whole * 0.95 {
        ConversationOverflow::Loses
    } else {
        ConversationOverflow::Unknown
    }
}

/// Whether the server filled the whole window with the conversation, so that nothing could be said.
pub(super) fn has_no_room(log: &[Exchange], window: u32) -> bool {
    log.iter().any(|Exchange { ask, outcome }| match (ask, outcome.answered()) {
        (Ask::Overflow(_), Some(answered)) => {
            let reported = answered.prompt_tokens.unwrap_or(0);
            answered.needles.is_empty() && answered.at_limit && reported.abs_diff(window) <= window / 100 + 8
        }
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

/// What the words say that came through. Without the first message's, the oldest went; without any, nothing is known:
/// a small model may not know how to repeat them.
fn of_words(needles: &[Needle]) -> Option<ConversationOverflow> {
    let has = |needle: Needle| needles.contains(&needle);
    match (has(Needle::System), has(Needle::First), has(Needle::Middle)) {
        (true, false, true) => Some(ConversationOverflow::DropsOldest),
        (false, false, true) => Some(ConversationOverflow::CutsBeginning),
        (_, true, false) => Some(ConversationOverflow::CutsMiddle),
        (_, true, true) | (_, false, false) => None,
    }
}

/// What became of one huge message.
pub(super) fn of_huge(log: &[Exchange], gauge: &Gauge, window: u32) -> HugeOverflow {
    let Some(outcome) = huge(log, gauge, window) else { return HugeOverflow::Unknown };
    match outcome {
        Outcome::Refused { .. } => HugeOverflow::Refuses,
        Outcome::Answered(Answered { prompt_tokens: Some(reported), .. }) => {
            let is_near = |tokens: u32| reported.abs_diff(tokens) <= window / 100 + 8;
            if is_near(window) {
                HugeOverflow::KeepsWindow
            } else if is_near(window / 2) {
                HugeOverflow::KeepsHalf
            } else if *reported > window {
                HugeOverflow::Unknown
            } else {
                HugeOverflow::Keeps(*reported)
            }
        }
        Outcome::Answered(Answered { prompt_tokens: None, .. }) | Outcome::Failed(_) | Outcome::Read(_) => {
            HugeOverflow::Unknown
        }
    }
}

/// A count of a message that is clearly too large, which the server was not asked to refuse, or took no notice.
pub(super) fn huge<'log>(log: &'log [Exchange], gauge: &Gauge, window: u32) -> Option<&'log Outcome> {
    log.iter().find_map(|Exchange { ask, outcome }| match ask {
        Ask::Count { size, refusing, .. } => {
            let is_huge = gauge.expected(*size) > f64::from(window) * 1.03;
            (is_huge && (!refusing || outcome.answered().is_some())).then_some(outcome)
        }
        Ask::Tool
        | Ask::Overflow(_)
        | Ask::ReadOverflow(_)
        | Ask::FirstWord(_)
        | Ask::Edge { .. }
        | Ask::TwoKeys
        | Ask::ReadTwoKeys => None,
    })
}

/// What became of the answer at the edge; `edge` is the smallest size that surely doesn't fit, in tokens.
pub(super) fn of_answer(log: &[Exchange], gauge: &Gauge, edge: u32) -> AnswerOverflow {
    let asked = log.iter().find_map(|Exchange { ask, outcome }| match ask {
        Ask::Edge { size, max_tokens } => Some((*size, *max_tokens, outcome.answered()?)),
        Ask::Count { .. }
        | Ask::Tool
        | Ask::Overflow(_)
        | Ask::ReadOverflow(_)
        | Ask::FirstWord(_)
        | Ask::TwoKeys
        | Ask::ReadTwoKeys => None,
    });
    let Some((size, max_tokens, answered)) = asked else { return AnswerOverflow::Unknown };
    let Some(completion) = answered.completion_tokens else { return AnswerOverflow::Unknown };
    let prompt = gauge.expected(size).max(answered.prompt_tokens.map_or(0.0, f64::from));
    if prompt + f64::from(completion) > f64::from(edge) {
        AnswerOverflow::Shifts
    } else if answered.at_limit && completion < max_tokens {
        AnswerOverflow::Stops
    } else {
        AnswerOverflow::Unknown
    }
}
