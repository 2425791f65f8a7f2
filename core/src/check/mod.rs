//! *Check my server*: how large a server's window really is, what it does when a conversation doesn't fit, and whether
//! it tells.
//!
//! Like a run, a check does no input or output: it says which request to send, takes the answer, and plans the next one
//! from all that it has seen. It never asks which server it has before it; it goes by answers only.
//!
//! ```
//! use brimline_core::check::{Check, CheckSettings, CheckStep};
//!
//! let check = Check::begin(CheckSettings::default());
//! let CheckStep::Call(call) = check.next_step() else { panic!("there is something to ask") };
//! assert_eq!(call.request.max_tokens, 1);
//! ```

mod ask;
mod gauge;
mod log;
mod overflow;
mod plan;
mod progress;
mod report;
mod verdict;
mod window;
mod words;

pub use ask::{Ask, Layout, Size};
pub use log::{Answered, Exchange, Needle, Outcome, ToolAnswer};
pub use overflow::{AnswerOverflow, ConversationOverflow, Evidence, HugeOverflow};
pub use progress::{Progress, Stage};
pub use report::{Compared, KeyFate, Report, ToolsFinding, TwoKeys, UsageFinding};
pub use verdict::{Advice, Failure, Verdict};
pub use window::{MeasuredBy, WindowFinding};

use crate::conversation::Request;
use crate::wire::{ProviderError, Reply};
use serde::{Deserialize, Serialize};

/// Nothing larger is ever sent, in tokens, whatever the settings or the server say.
const LARGEST: u32 = 1 << 20;

/// How a server is to be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSettings {
    /// The window that the server told, in tokens: a hint, which is put to the test.
    pub told: Option<u32>,
    /// Windows larger than this are not searched for, in tokens: reading 100,000 tokens without a graphics card takes
    /// minutes.
    pub ceiling: u32,
    /// Whether the wire can carry the wish that the server refuse what doesn't fit.
    pub asks_to_refuse: bool,
    /// Whether the server shows its prompt after messages were dropped.
    pub reads_back: bool,
    /// A number that makes this check's prompts differ from those of earlier ones, so that no cache knows them.
    pub nonce: u32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self { told: None, ceiling: 32_768, asks_to_refuse: false, reads_back: false, nonce: 0 }
    }
}

/// A check of a server on its way to a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    settings: CheckSettings,
    log: Vec<Exchange>,
    is_cancelled: bool,
}

/// A call of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckCall {
    /// What it is to find out.
    pub ask: Ask,
    /// What to send.
    pub request: Request,
    /// Whether to ask the server to refuse what doesn't fit: on Ollama's own wire, `truncate: false` and `shift: false`.
    pub refusing: bool,
}

/// What the driver must do next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CheckStep {
    /// Call the model, then hand the answer to [`Check::replied`] or the failure to [`Check::failed`].
    Call(CheckCall),
    /// Ask the server for the prompt that it makes of this request, then hand it to [`Check::prompt_read`].
    ReadPrompt(Request),
    /// Nothing: the check is over.
    Done(Box<Report>),
}

impl Check {
    /// Begins a check.
    pub fn begin(settings: CheckSettings) -> Self {
        Self { settings, log: Vec::new(), is_cancelled: false }
    }

    /// What the driver must do now. Asking twice gives the same step twice.
    pub fn next_step(&self) -> CheckStep {
        let Some(ask) = self.next_ask() else { return CheckStep::Done(Box::new(self.report())) };
        let request = ask.request(self.settings.nonce);
        if ask.reads_back() {
            return CheckStep::ReadPrompt(request);
        }
        let refusing = matches!(ask, Ask::Count { refusing: true, .. });
        CheckStep::Call(CheckCall { ask, request, refusing })
    }

    /// The model answered. After the end it changes nothing.
    pub fn replied(&mut self, reply: Reply) {
        self.take(|ask| Outcome::of_reply(ask, reply));
    }

    /// The call failed. After the end it changes nothing.
    pub fn failed(&mut self, error: ProviderError) {
        self.take(|_| Outcome::of_error(error));
    }

    /// The server showed its prompt, or `None` if it would not. After the end it changes nothing.
    pub fn prompt_read(&mut self, prompt: Option<&str>) {
        self.take(|_| Outcome::Read(prompt.map(Needle::all_in)));
    }

    /// The reader stops the check: the report has what was found until then.
    pub fn cancel(&mut self) {
        if self.next_ask().is_some() {
            self.is_cancelled = true;
        }
    }

    /// The server told its window meanwhile, in tokens: Ollama tells that of a loaded model only.
    pub fn told(&mut self, window: u32) {
        let told = Some(window).filter(|window| *window > 0);
        if let (Some(told), None) = (told, self.settings.told) {
            self.settings.ceiling = self.settings.ceiling.min(told);
        }
        self.settings.told = told;
    }

    /// What was asked so far, and what came of it.
    pub fn log(&self) -> &[Exchange] {
        &self.log
    }

    /// How it was to be done.
    pub fn settings(&self) -> &CheckSettings {
        &self.settings
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress::of(&self.settings, &self.log, self.next_ask())
    }

    /// What is known by now.
    pub fn report(&self) -> Report {
        Report::of(&self.settings, &self.log, self.is_cancelled)
    }

    fn next_ask(&self) -> Option<Ask> {
        if self.is_cancelled { None } else { plan::next(&self.settings, &self.log) }
    }

    fn take(&mut self, outcome: impl FnOnce(&Ask) -> Outcome) {
        if let Some(ask) = self.next_ask() {
            let outcome = outcome(&ask);
            self.log.push(Exchange { ask, outcome });
        }
    }
}

#[cfg(test)]
mod tests;
