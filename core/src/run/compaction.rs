//! Compact, within a run: ask for a summary, and use it only if it is one of the whole conversation.

use super::machine::{Answered, CallKind, CompactionState, Run, whole};
use crate::conversation::{ChatMessage, Content, MessageId, Purpose, Standing};
use crate::overflow::Verdict;
use crate::policy::{SummaryPart, part_messages, summary_messages, summary_parts};
use crate::timeline::{CompactionRejection, StepTaken};
use crate::wire::{Finish, Reply};
use serde::{Deserialize, Serialize};

/// A summary in the making.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Compaction {
    replaces: Vec<MessageId>,
    /// The size of the context before, in estimated tokens.
    before: f64,
    /// The parts that are still to be summarised after this one.
    parts_left: Vec<SummaryPart>,
}

/// The share of the room for a part that its text may take; the rest is for the question and for being wrong.
const PART_SHARE: f64 = 0.8;

impl Run {
    /// Asks the model for a summary that takes the place of these messages.
    pub(super) fn call_for_summary(&mut self, replaces: Vec<MessageId>, before: f64) {
        let budget = self.session.budget();
        let messages = summary_messages(self.session.conversation());
        let messages = self.session.with_request_repeated(messages);
        let request = self.session.request(Purpose::Compaction, messages);
        let sent = self.session.count(&request);
        if self.session.detector().predict(&sent).tokens <= f64::from(budget.available) {
            let compaction = Compaction { replaces, before, parts_left: Vec::new() };
            self.call(request, CallKind::Answered(Answered::Compaction(compaction)));
            return;
        }
        // A part leaves as much room again as an answer may take, for the summary that it carries on.
        let room = f64::from(budget.available.saturating_sub(budget.reserve).max(1)) * PART_SHARE;
        let mut parts =
            summary_parts(self.session.conversation(), room, |text| self.session.text_tokens(text))
                .into_iter();
        let first = parts.next().unwrap_or_default();
        let compaction = Compaction { replaces, before, parts_left: parts.collect() };
        self.call_for_part(part_messages(&first, None), compaction);
    }

    fn call_for_part(&mut self, messages: Vec<ChatMessage>, compaction: Compaction) {
        let mut request = self.session.request(Purpose::Compaction, messages);
        request.tools.clear();
        self.call(request, CallKind::Answered(Answered::Compaction(compaction)));
    }

    /// Uses a summary whose request was not cut, or says why it can't be used and leaves everything as it is.
    pub(super) fn accept_summary(&mut self, compaction: Compaction, reply: &Reply, verdict: Verdict) {
        let Compaction { replaces, before, mut parts_left } = compaction;
        let summary = reply.text.trim();
        if let Some(reason) = rejection(reply, summary, verdict) {
            self.reject_summary(reason);
            self.call_for_turn();
        } else if parts_left.is_empty() {
            self.replace_with_summary(replaces, before, summary);
            self.call_for_turn();
        } else {
            let part = parts_left.remove(0);
            self.call_for_part(
                part_messages(&part, Some(summary)),
                Compaction { replaces, before, parts_left },
            );
        }
    }

    fn replace_with_summary(&mut self, replaces: Vec<MessageId>, before: f64, summary: &str) {
        let kept = self.session.conversation().clone();
        let conversation = self.session.conversation_mut();
        let id = conversation.push(Content::Summary { text: summary.to_owned() });
        for replaced in &replaces {
            conversation.set_standing(*replaced, Standing::Compacted { into: id });
        }
        let after = self.session.size().tokens;
        if after >= before {
            *self.session.conversation_mut() = kept;
            self.reject_summary(CompactionRejection::NotSmaller);
            return;
        }
        self.compaction = CompactionState::JustDone;
        self.added(id);
        self.made_room(StepTaken::Compacted {
            summary: id,
            messages: replaces,
            before: whole(before),
            after: whole(after),
        });
    }

    pub(super) fn reject_summary(&mut self, reason: CompactionRejection) {
        self.compaction = CompactionState::GivenUp;
        self.made_room(StepTaken::CompactionRejected { reason });
    }
}

/// Why this summary can't be used, if it can't.
fn rejection(reply: &Reply, summary: &str, verdict: Verdict) -> Option<CompactionRejection> {
    if verdict == Verdict::Suspect {
        return Some(CompactionRejection::Unsettled);
    }
    match reply.finish {
        Finish::Refusal => Some(CompactionRejection::Refused),
        Finish::Length => Some(CompactionRejection::CutShort),
        Finish::Stop | Finish::ToolCalls | Finish::Other(_) if !reply.calls.is_empty() => {
            Some(CompactionRejection::Refused)
        }
        Finish::Stop | Finish::ToolCalls | Finish::Other(_) => {
            summary.is_empty().then_some(CompactionRejection::Empty)
        }
    }
}
