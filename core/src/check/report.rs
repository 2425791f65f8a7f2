//! What a check found out.

use super::ask::{Ask, TWO_KEYS_GUESS};
use super::gauge::Gauge;
use super::log::{Exchange, Needle, Outcome, ToolAnswer};
use super::overflow::{self, AnswerOverflow, ConversationOverflow, Evidence, HugeOverflow};
use super::plan::{Facts, failure};
use super::progress::tokens_read;
use super::verdict::{Advice, Verdict};
use super::window::{WindowFinding, whole};
use super::{CheckSettings, words};
use crate::wire::ProviderError;
use serde::{Deserialize, Serialize};

/// What a check found out. It names no host and has no text of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The whole in one word.
    pub verdict: Verdict,
    /// What to do, the most useful first.
    pub advice: Vec<Advice>,
    /// What the server counts.
    pub usage: UsageFinding,
    /// How large its window is.
    pub window: WindowFinding,
    /// What it told its window to be, in tokens.
    pub told: Option<u32>,
    /// Whether it refuses what doesn't fit when asked to; `None` if it was not asked, or nothing was too large.
    pub refuses_when_asked: Option<bool>,
    /// What happens to a conversation that is too large.
    pub conversation: ConversationOverflow,
    /// What shows that.
    pub evidence: Vec<Evidence>,
    /// What happens to one message that is too large by itself.
    pub huge: HugeOverflow,
    /// What happens when an answer reaches the edge of the window.
    pub answer: AnswerOverflow,
    /// Whether the model calls tools.
    pub tools: ToolsFinding,
    /// Which key survived the fixed conversation, if it was played.
    pub two_keys: Option<TwoKeys>,
    /// Sent and reported counts of single messages, the smallest first.
    pub counts: Vec<Compared>,
    /// Requests made.
    pub calls: u32,
    /// Tokens that the server has read, as far as it counts them.
    pub tokens_read: u32,
}

/// What a server counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsageFinding {
    /// All that it reads.
    Complete,
    /// Only what was not in its cache.
    CachedOnly,
    /// Nothing.
    Missing,
    /// Something that doesn't grow with what is sent.
    Senseless,
    /// That was not asked.
    Unknown,
}

/// Whether a model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolsFinding {
    /// Its calls come as calls.
    Structured,
    /// Its calls come in the text of its answer.
    AsText,
    /// It made none, though asked to.
    NotCalled,
    /// The server refuses requests with tools for this model.
    Refused,
    /// That was not asked, or the request failed.
    Unknown,
}

/// What became of a key of the fixed conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyFate {
    /// It came through.
    Survived,
    /// The server dropped it.
    Lost,
    /// The model didn't say it, which may be its own fault.
    NotSaid,
}

/// A message of the fixed conversation has so many tokens at most.
const LONGEST_NOTE: u32 = 650;

/// What became of the fixed conversation of 27 messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TwoKeys {
    /// The server refused it, and said so.
    Refused,
    /// It answered.
    Answered {
        /// The key in the system prompt.
        system: KeyFate,
        /// The key in the first message.
        task: KeyFate,
        /// Tokens that the server says that it read.
        reported: Option<u32>,
    },
    /// The request failed.
    Failed,
}

/// One message as it was sent and as it was counted, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compared {
    /// What was sent, by what the server counted for smaller ones.
    pub sent: u32,
    /// What the server reported; `None` if it refused.
    pub reported: Option<u32>,
}

impl Report {
    /// The report as text in English.
    pub fn to_text(&self) -> String {
        words::text(self)
    }

    /// The report as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    pub(super) fn of(settings: &CheckSettings, log: &[Exchange], is_cancelled: bool) -> Self {
        let facts = Facts::of(settings, log);
        let gauge = facts.gauge;
        let target = facts.window_to_overflow();
        let (conversation, evidence) = overflow::of_conversation(log, &gauge, target);
        let mut report = Self {
            verdict: Verdict::Unclear,
            advice: Vec::new(),
            usage: facts.usage,
            window: facts.window(),
            told: settings.told,
            refuses_when_asked: refuses_when_asked(log, &gauge),
            conversation,
            evidence,
            huge: target.map_or(HugeOverflow::Unknown, |window| overflow::of_huge(log, &gauge, window)),
            answer: target.map_or(AnswerOverflow::Unknown, |window| {
                overflow::of_answer(log, &gauge, facts.edge(window))
            }),
            tools: tools(log),
            two_keys: two_keys(log, conversation, facts.window()),
            counts: compared(log, &facts),
            calls: u32::try_from(log.len()).unwrap_or(u32::MAX),
            tokens_read: tokens_read(log),
        };
        report.verdict = Verdict::of(&report, failure(log), is_cancelled);
        report.advice = Advice::of(&report);
        report
    }
}

/// Whether the wish to refuse was heeded, where it made a difference.
fn refuses_when_asked(log: &[Exchange], gauge: &Gauge) -> Option<bool> {
    log.iter().find_map(|Exchange { ask, outcome }| {
        let Ask::Count { size, refusing: true, .. } = ask else { return None };
        match outcome {
            Outcome::Refused { .. } => Some(true),
            Outcome::Answered(answered) => {
                answered.prompt_tokens.filter(|tokens| !gauge.is_whole(*size, *tokens)).map(|_| false)
            }
            Outcome::Failed(_) | Outcome::Read(_) => None,
        }
    })
}

fn tools(log: &[Exchange]) -> ToolsFinding {
    let outcome = log.iter().find(|exchange| exchange.ask == Ask::Tool).map(|exchange| &exchange.outcome);
    match outcome {
        Some(Outcome::Answered(answered)) => match answered.tool {
            ToolAnswer::Structured => ToolsFinding::Structured,
            ToolAnswer::AsText => ToolsFinding::AsText,
            ToolAnswer::None => ToolsFinding::NotCalled,
        },
        Some(Outcome::Failed(ProviderError::ToolsUnsupported)) => ToolsFinding::Refused,
        Some(Outcome::Failed(_) | Outcome::Refused { .. } | Outcome::Read(_)) | None => ToolsFinding::Unknown,
    }
}

fn two_keys(log: &[Exchange], overflow: ConversationOverflow, window: WindowFinding) -> Option<TwoKeys> {
    let of =
        |wanted: Ask| log.iter().find(|exchange| exchange.ask == wanted).map(|exchange| &exchange.outcome);
    let answered = match of(Ask::TwoKeys)? {
        Outcome::Answered(answered) => answered,
        Outcome::Refused { .. } => return Some(TwoKeys::Refused),
        Outcome::Failed(_) | Outcome::Read(_) => return Some(TwoKeys::Failed),
    };
    let prompt = match of(Ask::ReadTwoKeys) {
        Some(Outcome::Read(needles)) => needles.as_ref(),
        Some(Outcome::Answered(_) | Outcome::Refused { .. } | Outcome::Failed(_)) | None => None,
    };
    // By its count: either it can't have fitted, or the count is as near to the window as whole messages fill one, and
    // the model, which did say the other key, didn't say this one.
    let drops_oldest = overflow == ConversationOverflow::DropsOldest;
    let is_cut = match (answered.prompt_tokens, window.measured()) {
        (Some(reported), Some(window)) => {
            let can_not_fit = TWO_KEYS_GUESS > window.saturating_add(window / 5);
            let fills_it = reported <= window && window - reported < LONGEST_NOTE;
            can_not_fit || (fills_it && answered.needles.contains(&Needle::SystemKey))
        }
        (Some(_) | None, Some(_) | None) => false,
    };
    let fate = |key: Needle| match prompt {
        Some(needles) if needles.contains(&key) => KeyFate::Survived,
        Some(_) => KeyFate::Lost,
        None if answered.needles.contains(&key) => KeyFate::Survived,
        None if key == Needle::TaskKey && drops_oldest && is_cut => KeyFate::Lost,
        None => KeyFate::NotSaid,
    };
    Some(TwoKeys::Answered {
        system: fate(Needle::SystemKey),
        task: fate(Needle::TaskKey),
        reported: answered.prompt_tokens,
    })
}

fn compared(log: &[Exchange], facts: &Facts<'_>) -> Vec<Compared> {
    if facts.search.is_none() {
        return Vec::new();
    }
    let mut counts: Vec<Compared> = log
        .iter()
        .filter_map(|Exchange { ask, outcome }| {
            let Ask::Count { size, .. } = ask else { return None };
            let sent = whole(facts.gauge.expected(*size));
            match outcome {
                Outcome::Answered(answered) => {
                    Some(Compared { sent, reported: Some(answered.prompt_tokens?) })
                }
                Outcome::Refused { .. } => Some(Compared { sent, reported: None }),
                Outcome::Failed(_) | Outcome::Read(_) => None,
            }
        })
        .collect();
    counts.sort_by_key(|compared| (compared.sent, compared.reported));
    counts.dedup();
    counts
}
