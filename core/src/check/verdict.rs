//! The verdict, and what to do about it.

use super::overflow::{AnswerOverflow, ConversationOverflow, HugeOverflow};
use super::report::{Report, ToolsFinding, UsageFinding};
use super::window::WindowFinding;
use crate::wire::ProviderError;
use serde::{Deserialize, Serialize};

/// The whole check in one word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// What doesn't fit is refused: nothing is lost without a word.
    Honest,
    /// What doesn't fit is thrown away without a word.
    Silent,
    /// The same, unless the server is asked to refuse.
    SilentUnlessAsked,
    /// Nothing was lost up to the largest size that was tried, in tokens.
    Roomy {
        /// That size.
        at_least: u32,
    },
    /// The server leaves what was in its cache out of its counts, so that no answer can be checked.
    CachedOnly,
    /// The server counts nothing, so that no answer can be checked.
    Blind,
    /// The answers don't add up to a verdict.
    Unclear,
    /// The check was stopped before its end.
    Stopped,
    /// The server can't be used at all.
    Failed(Failure),
}

/// Why a server can't be checked: a [`ProviderError`] without what would tell the host, or a text of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// Nothing answers at its address.
    NothingAnswers,
    /// It does not accept requests from this page.
    OriginRefused,
    /// It does not have the model.
    ModelMissing,
    /// It wants a key, or another one.
    Unauthorized,
    /// What answers is not a model server.
    NotAModelServer,
    /// It answers the smallest request with an error of this HTTP status.
    Status(u16),
    /// It breaks off in the middle of its answer to the smallest request.
    BreaksOff,
    /// It said nothing for so many seconds.
    Silent(u32),
}

impl From<&ProviderError> for Failure {
    fn from(error: &ProviderError) -> Self {
        match error {
            ProviderError::Unreachable { .. } => Self::NothingAnswers,
            ProviderError::OriginRefused { .. } => Self::OriginRefused,
            ProviderError::ModelMissing { .. } => Self::ModelMissing,
            ProviderError::Unauthorized => Self::Unauthorized,
            ProviderError::NotAModelServer { .. } => Self::NotAModelServer,
            ProviderError::Status { status, .. } => Self::Status(*status),
            ProviderError::ToolsUnsupported | ProviderError::ContextRefused { .. } => Self::Status(400),
            ProviderError::InStream { .. } | ProviderError::Closed => Self::BreaksOff,
            ProviderError::TimedOut { seconds } => Self::Silent(*seconds),
        }
    }
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Advice {
    /// Go by this window, in tokens.
    UseWindow(u32),
    /// Don't go by more than this window, in tokens, until a larger one was tried.
    UseAtMost(u32),
    /// The server told a larger window than it has.
    DistrustTold {
        /// What it told, in tokens.
        told: u32,
        /// What was measured, in tokens.
        measured: u32,
    },
    /// Ask it to refuse what doesn't fit.
    AskToRefuse,
    /// Start it with a larger window.
    RaiseWindow,
    /// Update the server, or take another: what it does can't be checked.
    ReplaceServer,
    /// Take a model that can call tools.
    ChooseToolModel,
    /// Keep a reserve for the answer: the beginning goes while the model writes.
    KeepReserve,
}

/// Under this window, in tokens, an agent that reads files is soon out of room.
const NARROW: u32 = 16_384;

impl Verdict {
    pub(super) fn of(report: &Report, failure: Option<&ProviderError>, is_cancelled: bool) -> Self {
        if let Some(error) = failure {
            return Self::Failed(error.into());
        }
        if is_cancelled {
            return Self::Stopped;
        }
        match report.usage {
            UsageFinding::Missing if !report.refuses_all() => return Self::Blind,
            UsageFinding::CachedOnly if !report.refuses_all() => return Self::CachedOnly,
            UsageFinding::Complete
            | UsageFinding::CachedOnly
            | UsageFinding::Missing
            | UsageFinding::Senseless
            | UsageFinding::Unknown => {}
        }
        if report.refuses_all() {
            return Self::Honest;
        }
        if report.loses() {
            return if report.refuses_when_asked == Some(true) {
                Self::SilentUnlessAsked
            } else {
                Self::Silent
            };
        }
        match report.window {
            WindowFinding::AtLeast { tokens } => Self::Roomy { at_least: tokens },
            WindowFinding::Measured { .. } | WindowFinding::Unknown => Self::Unclear,
        }
    }
}

impl Report {
    /// What doesn't fit is refused, be it a conversation or one message.
    fn refuses_all(&self) -> bool {
        self.conversation == ConversationOverflow::Refuses
            && matches!(self.huge, HugeOverflow::Refuses | HugeOverflow::Unknown)
    }

    /// Something was seen to be thrown away without a word.
    fn loses(&self) -> bool {
        let conversation = match self.conversation {
            ConversationOverflow::DropsOldest
            | ConversationOverflow::CutsBeginning
            | ConversationOverflow::CutsMiddle
            | ConversationOverflow::CutsSomewhere
            | ConversationOverflow::Loses => true,
            ConversationOverflow::Refuses | ConversationOverflow::Unknown => false,
        };
        let huge = match self.huge {
            HugeOverflow::KeepsWindow | HugeOverflow::KeepsHalf | HugeOverflow::Keeps(_) => true,
            HugeOverflow::Refuses | HugeOverflow::Unknown => false,
        };
        conversation || huge
    }
}

impl Advice {
    pub(super) fn of(report: &Report) -> Vec<Self> {
        let mut advice = Vec::new();
        match report.window {
            WindowFinding::Measured { tokens, .. } => {
                advice.push(Self::UseWindow(tokens));
                let told = report.told.filter(|told| *told > tokens.saturating_add(tokens / 50));
                advice.extend(told.map(|told| Self::DistrustTold { told, measured: tokens }));
            }
            WindowFinding::AtLeast { tokens } => advice.push(Self::UseAtMost(tokens)),
            WindowFinding::Unknown => {}
        }
        if report.verdict == Verdict::SilentUnlessAsked {
            advice.push(Self::AskToRefuse);
        }
        if report.window.measured().is_some_and(|tokens| tokens < NARROW) {
            advice.push(Self::RaiseWindow);
        }
        if report.answer == AnswerOverflow::Shifts {
            advice.push(Self::KeepReserve);
        }
        if matches!(report.verdict, Verdict::Blind | Verdict::CachedOnly) {
            advice.push(Self::ReplaceServer);
        }
        if matches!(report.tools, ToolsFinding::Refused | ToolsFinding::NotCalled) {
            advice.push(Self::ChooseToolModel);
        }
        advice
    }
}
