//! One record a turn: the picture's data, and the session file's.
//!
//! A record says what was sent, segment by segment in the order in which the server reads it, how big we think it is,
//! what the server reported, and what the detector made of that.

use crate::conversation::{MessageId, Purpose};
use crate::overflow::Judgement;
use crate::window::{Budget, Window};
use crate::wire::Usage;
use serde::{Deserialize, Serialize};

/// One call of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// Its number in the session, from 1.
    pub turn: u32,
    /// Why the model was called.
    pub purpose: Purpose,
    /// The window that was believed then.
    pub window: Window,
    /// How it was shared out.
    pub budget: Budget,
    /// What was sent, in the order in which the server reads it.
    pub segments: Vec<Segment>,
    /// Tokens of the template and the tool descriptions, which belong to no message (an estimate).
    pub overhead: f64,
    /// The whole prompt's size in tokens, calibrated (an estimate).
    pub estimate: f64,
    /// How far off that estimate may well be, in tokens.
    pub spread: f64,
    /// What the three steps did before this call.
    pub steps: Vec<StepTaken>,
    /// What the server counted; `None` while the answer is on its way, and where the call failed.
    pub usage: Option<Usage>,
    /// What the detector concluded; `None` while the answer is on its way.
    pub judgement: Option<Judgement>,
    /// The messages that the server dropped, as far as the counts tell, oldest first.
    pub dropped: Vec<MessageId>,
    /// The answer, once there is one.
    pub answer: Option<MessageId>,
}

impl TurnRecord {
    /// Scales segments and overhead so that together they are `total` tokens: the prediction before the call, and the
    /// server's own count where that can be trusted.
    pub(crate) fn scale_to(&mut self, total: f64) {
        let drawn: f64 = self.segments.iter().map(|segment| segment.tokens).sum::<f64>() + self.overhead;
        if drawn > 0.0 {
            let scale = total / drawn;
            self.overhead *= scale;
            for segment in &mut self.segments {
                segment.tokens *= scale;
            }
        }
    }
}

/// A stretch of the prompt that came from one message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// The message.
    pub message: MessageId,
    /// Its kind, which gives it its fill.
    pub kind: SegmentKind,
    /// Its size in tokens, calibrated (an estimate).
    pub tokens: f64,
    /// In what form it was sent.
    pub form: SegmentForm,
}

/// What a segment is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SegmentKind {
    /// Brimline's instructions to the model.
    SystemPrompt,
    /// `AGENTS.md`.
    ProjectInstructions,
    /// A request of the user.
    Request,
    /// What the model said before, and summaries that it wrote.
    Assistant,
    /// What a tool returned.
    ToolResult,
}

/// In what form a message was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SegmentForm {
    /// Whole.
    Whole,
    /// With its middle left out when it was produced.
    Trimmed,
    /// As a note in place of an old result.
    Cleared,
    /// A second time, at the end of the system prompt: only a request is.
    Repeated,
}

/// What one of the three steps did. All sizes are estimated tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StepTaken {
    /// A tool result was shortened when it was produced.
    Trimmed {
        /// The result.
        message: MessageId,
        /// What was left out of its middle.
        left_out: u32,
    },
    /// Old tool results were replaced by notes.
    Cleared {
        /// The results.
        messages: Vec<MessageId>,
        /// The whole context before.
        before: u32,
        /// The whole context after.
        after: u32,
    },
    /// The conversation was replaced by a summary.
    Compacted {
        /// The summary.
        summary: MessageId,
        /// What it replaced.
        messages: Vec<MessageId>,
        /// The whole context before.
        before: u32,
        /// The whole context after.
        after: u32,
    },
    /// The server refused, and so proved a smaller window than the one that was believed: that one is used since.
    WindowProven {
        /// The window that was believed, in tokens.
        before: u32,
        /// The server's, in tokens.
        after: u32,
    },
    /// A summary came back that could not be used, so nothing was replaced.
    CompactionRejected {
        /// Why.
        reason: CompactionRejection,
    },
}

/// Why a summary could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CompactionRejection {
    /// The server cut the request to summarise: the summary is of what was left.
    Truncated,
    /// Whether the server cut it could not be settled.
    Unsettled,
    /// The summary was cut short.
    CutShort,
    /// The summary was empty.
    Empty,
    /// The model or the server declined, or the model asked for a tool instead.
    Refused,
    /// The summary is not smaller than what it would replace.
    NotSmaller,
    /// The call failed.
    Failed,
}
