//! What the driver must do next, and what it may tell the reader meanwhile.

use super::ending::RunEnd;
use crate::conversation::{MessageId, Request, ToolCall};
use crate::overflow::Judgement;
use crate::timeline::StepTaken;
use serde::{Deserialize, Serialize};

/// What the driver must do next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Call the model, then hand the answer to [`Run::model_replied`](super::Run::model_replied) or the failure to
    /// [`Run::model_failed`](super::Run::model_failed).
    CallModel(Request),
    /// Count the prompt that the server would make of this request, with the model's own vocabulary, then hand the count
    /// in tokens, or `None` if it can't be had, to [`Run::prompt_counted`](super::Run::prompt_counted).
    CountPrompt(Request),
    /// Ask the server for the prompt that it makes of this request, without having it answered, then hand the text, or
    /// `None` if it can't be had, to [`Run::prompt_read`](super::Run::prompt_read).
    ReadPrompt(Request),
    /// Run these tools, in order, then hand their outcomes to [`Run::tools_returned`](super::Run::tools_returned).
    RunTools(Vec<ToolCall>),
    /// Nothing: the run is over.
    Done(RunEnd),
}

/// What happened in a run, in order. The last one is always [`Event::Ended`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A message joined the conversation.
    MessageAdded(MessageId),
    /// One of the three steps made room, or could not.
    RoomMade(StepTaken),
    /// The model is called: turn `turn` of the timeline.
    CallStarted {
        /// The number of its record.
        turn: u32,
    },
    /// The server's count was compared with what was sent.
    CallJudged {
        /// The number of its record.
        turn: u32,
        /// The conclusion.
        judgement: Judgement,
    },
    /// The answer of a turn was set aside, since the model had not read the whole conversation.
    AnswerSetAside(MessageId),
    /// The run is over.
    Ended(RunEnd),
}

/// The driver handed back something that the run had not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run had not asked for that: it waits for {waits_for}")]
pub struct OutOfStep {
    /// What it waits for.
    pub waits_for: &'static str,
}
