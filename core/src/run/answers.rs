//! What becomes of an answer: kept with its calls, cut short, declined, or set aside; and of what its tools return.

use super::ending::EndReason;
use super::machine::{Phase, Run};
use super::step::Event;
use crate::conversation::{Content, MessageId, ToolCall, ToolResult, ToolSpec};
use crate::policy::trim;
use crate::timeline::StepTaken;
use crate::tools::ToolOutcome;
use crate::wire::{Finish, Reply, take_textual_calls};

impl Run {
    pub(super) fn accept_answer(&mut self, record: usize, reply: Reply, tools: &[ToolSpec]) {
        let mut reply = take_textual_calls(reply, tools);
        self.name_calls_anew(&mut reply.calls);
        let calls = reply.calls.clone();
        let (reason, kept_calls) = match reply.finish {
            Finish::Refusal => (Some(EndReason::Declined), Vec::new()),
            // A call that was cut short is no call: nothing would answer it.
            Finish::Length => {
                (Some(EndReason::AnswerCutShort { max_tokens: self.session.budget().reserve }), Vec::new())
            }
            Finish::Stop | Finish::ToolCalls | Finish::Other(_) if calls.is_empty() => {
                (Some(EndReason::Answered), Vec::new())
            }
            Finish::Stop | Finish::ToolCalls | Finish::Other(_) => (None, calls.clone()),
        };
        let id = self.push(answer(reply, kept_calls));
        if let Some(record) = self.session.record_mut(record) {
            record.answer = Some(id);
        }
        match reason {
            Some(reason) => self.end_with(reason),
            None => self.phase = Phase::Tools(calls),
        }
    }

    /// Gives a call a name of its own where an earlier one has the same: a server that names none, and one that begins
    /// at `call_0` with every answer, would let results answer the wrong call.
    fn name_calls_anew(&self, calls: &mut [ToolCall]) {
        let entries = self.session.conversation().entries();
        let is_taken = |id: &str| {
            entries.iter().any(|entry| match &entry.message.content {
                Content::Assistant { calls, .. } => calls.iter().any(|call| call.id == id),
                Content::System { .. }
                | Content::Request { .. }
                | Content::ToolResult(_)
                | Content::Summary { .. } => false,
            })
        };
        for (index, call) in calls.iter_mut().enumerate() {
            if is_taken(&call.id) {
                call.id = format!("call_{}_{index}", entries.len());
            }
        }
    }

    /// Adds the results of the calls to the conversation, trimmed.
    pub(super) fn take_results(&mut self, calls: Vec<ToolCall>, outcomes: Vec<ToolOutcome>, missing: &str) {
        let limit = self.session.policy().trim_limit(self.session.budget());
        let mut outcomes = outcomes.into_iter();
        for call in calls {
            let outcome =
                outcomes.next().unwrap_or_else(|| ToolOutcome { text: missing.to_owned(), is_error: true });
            let trimmed = trim(&outcome.text, limit, |text| self.session.text_tokens(text));
            let (text, trimmed_tokens) = match trimmed {
                Some(trimmed) => (trimmed.text, trimmed.left_out),
                None => (outcome.text, 0),
            };
            let id = self.push(Content::ToolResult(ToolResult {
                call_id: call.id,
                tool: call.name,
                text,
                is_error: outcome.is_error,
                trimmed_tokens,
            }));
            if trimmed_tokens > 0 {
                self.made_room(StepTaken::Trimmed { message: id, left_out: trimmed_tokens });
            }
        }
    }

    pub(super) fn set_aside(&mut self, reply: Reply) -> MessageId {
        let calls = reply.calls.clone();
        let id = self.session.conversation_mut().push_set_aside(answer(reply, calls));
        self.events.push(Event::AnswerSetAside(id));
        id
    }
}

/// An answer as a message.
pub(super) fn answer(reply: Reply, calls: Vec<ToolCall>) -> Content {
    Content::Assistant { thinking: reply.thinking, text: reply.text, calls }
}
