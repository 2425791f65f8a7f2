//! What became of one turn's prompt, in tokens: what stayed in the window, what the server dropped, what is left.
//!
//! The picture and the table are both made from a [`Share`], so that they say the same.

use brimline_core::conversation::MessageId;
use brimline_core::overflow::Verdict;
use brimline_core::timeline::{Segment, SegmentForm, SegmentKind, StepTaken, TurnRecord};

/// What a part of the prompt is made of, in the order in which a server reads a first request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartKind {
    /// Brimline's instructions to the model.
    System,
    /// `AGENTS.md`.
    Instructions,
    /// The template and the descriptions of the tools, which belong to no message.
    Overhead,
    /// A request of the user.
    Request,
    /// What the model said before, and summaries that it wrote.
    Assistant,
    /// What a tool returned.
    Tool,
}

impl PartKind {
    /// All of them, in that order.
    pub(super) const ALL: [Self; 6] =
        [Self::System, Self::Instructions, Self::Overhead, Self::Request, Self::Assistant, Self::Tool];

    /// Whether it is a part of the system prompt, and shares its fill.
    pub(super) const fn is_system(self) -> bool {
        match self {
            Self::System | Self::Instructions | Self::Overhead => true,
            Self::Request | Self::Assistant | Self::Tool => false,
        }
    }
}

impl From<SegmentKind> for PartKind {
    fn from(kind: SegmentKind) -> Self {
        match kind {
            SegmentKind::SystemPrompt => Self::System,
            SegmentKind::ProjectInstructions => Self::Instructions,
            SegmentKind::Request => Self::Request,
            SegmentKind::Assistant => Self::Assistant,
            SegmentKind::ToolResult => Self::Tool,
        }
    }
}

/// A stretch of the prompt that is drawn as one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    /// What it is made of.
    pub kind: PartKind,
    /// In what form it was sent.
    pub form: SegmentForm,
    /// It is a summary that took the place of older messages.
    pub summary: bool,
    /// The messages; none for the overhead.
    pub messages: Vec<MessageId>,
    /// Its size in tokens (an estimate).
    pub tokens: f64,
}

/// One turn's prompt, shared out. All sizes are tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Share {
    /// What stayed, in the order in which the server reads it.
    pub kept: Vec<Part>,
    /// What the server dropped, oldest first.
    pub dropped: Vec<Part>,
    /// The size of what stayed.
    pub used: f64,
    /// Room for more prompt.
    pub free: f64,
    /// What is left of the room for the answer.
    pub reserve: f64,
}

impl Share {
    /// Shares out a turn. `summaries` are the messages that took the place of older ones.
    pub(super) fn of(record: &TurnRecord, summaries: &[MessageId]) -> Self {
        let mut kept = Vec::new();
        let mut dropped = Vec::new();
        for part in parts(record, summaries) {
            // What stands in the system prompt too is not dropped with the message itself.
            let is_dropped = part.form != SegmentForm::Repeated
                && part.messages.iter().any(|message| record.dropped.contains(message));
            if is_dropped { dropped.push(part) } else { kept.push(part) }
        }
        if dropped.is_empty() {
            (dropped, kept) = cut_from_the_front(kept, lost(record));
        }
        let used: f64 = kept.iter().map(|part| part.tokens).sum();
        let (window, available) = (f64::from(record.budget.window), f64::from(record.budget.available));
        let reserve = (window - used.max(available)).max(0.0);
        Self { kept, dropped, used, free: (available - used).max(0.0), reserve }
    }

    /// The size of what the server dropped.
    pub(super) fn lost(&self) -> f64 {
        self.dropped.iter().map(|part| part.tokens).sum()
    }

    /// The size of what stayed of one kind.
    pub(super) fn kept_of(&self, kind: PartKind) -> f64 {
        self.kept.iter().filter(|part| part.kind == kind).map(|part| part.tokens).sum()
    }

    /// The same with one part for each kind and form: for a window so large that single messages can't be seen.
    pub(super) fn by_kind(self) -> Self {
        Self { kept: by_kind(self.kept), dropped: by_kind(self.dropped), ..self }
    }
}

/// The summaries that the steps of these turns made.
pub(super) fn summaries(turns: &[TurnRecord]) -> Vec<MessageId> {
    let steps = turns.iter().flat_map(|record| &record.steps);
    steps
        .filter_map(|step| match step {
            StepTaken::Compacted { summary, .. } => Some(*summary),
            StepTaken::Trimmed { .. }
            | StepTaken::Cleared { .. }
            | StepTaken::WindowProven { .. }
            | StepTaken::CompactionRejected { .. } => None,
        })
        .collect()
}

/// The parts of the prompt, in the order in which the server reads them. Templates put the descriptions of the tools
/// into the system prompt, so the overhead comes with it.
fn parts(record: &TurnRecord, summaries: &[MessageId]) -> Vec<Part> {
    let part = |segment: &Segment| Part {
        kind: segment.kind.into(),
        form: segment.form,
        summary: summaries.contains(&segment.message),
        messages: vec![segment.message],
        tokens: segment.tokens,
    };
    let mut parts: Vec<Part> = record.segments.iter().map(part).collect();
    if record.overhead > 0.0 {
        let after_system = parts.iter().take_while(|part| part.kind.is_system()).count();
        let (kind, form, tokens) = (PartKind::Overhead, SegmentForm::Whole, record.overhead);
        parts.insert(after_system, Part { kind, form, summary: false, messages: Vec::new(), tokens });
    }
    parts
}

/// How much the server dropped where it cut tokens and not messages, as far as its counts tell.
fn lost(record: &TurnRecord) -> f64 {
    let (Some(judgement), Some(usage)) = (&record.judgement, &record.usage) else { return 0.0 };
    let Some(prompt) = usage.prompt_tokens.map(f64::from) else { return 0.0 };
    match judgement.verdict {
        Verdict::Truncated => {
            let sent = record.segments.iter().map(|segment| segment.tokens).sum::<f64>() + record.overhead;
            (sent - prompt).max(0.0)
        }
        Verdict::Shifted => {
            let proven = judgement.window.and_then(|range| range.at_most);
            let window = f64::from(proven.unwrap_or(record.window.tokens));
            (prompt + usage.completion_tokens.map_or(0.0, f64::from) - window).max(0.0)
        }
        Verdict::Fits | Verdict::Suspect | Verdict::Refused | Verdict::Unverified => 0.0,
    }
}

/// Parts what was dropped from what stayed: the oldest tokens leave first, wherever that cuts a message.
fn cut_from_the_front(parts: Vec<Part>, mut lost: f64) -> (Vec<Part>, Vec<Part>) {
    let (mut dropped, mut kept) = (Vec::new(), Vec::new());
    for part in parts {
        let gone = part.tokens.min(lost);
        lost -= gone;
        if gone > 0.0 {
            dropped.push(Part { tokens: gone, ..part.clone() });
        }
        if gone < part.tokens {
            kept.push(Part { tokens: part.tokens - gone, ..part });
        }
    }
    (dropped, kept)
}

fn by_kind(parts: Vec<Part>) -> Vec<Part> {
    let mut kinds: Vec<Part> = Vec::new();
    for mut part in parts {
        let same = |other: &&mut Part| {
            (other.kind, other.form, other.summary) == (part.kind, part.form, part.summary)
        };
        match kinds.iter_mut().find(same) {
            Some(kind) => {
                kind.tokens += part.tokens;
                kind.messages.append(&mut part.messages);
            }
            None => kinds.push(part),
        }
    }
    kinds.sort_by_key(|part| part.kind);
    kinds
}
