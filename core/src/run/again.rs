//! What was sent in an earlier turn, made again from its record: to show a reader what the server makes of it.

use super::session::Session;
use crate::conversation::{Purpose, Request, Standing};
use crate::policy::repeat_request;
use crate::timeline::SegmentForm;

impl Session {
    /// The request of that turn, or `None` if there is no such turn, or if it was no turn of the conversation itself: the
    /// question of a compaction isn't kept, nor which messages a confirming request left out.
    pub fn request_of(&self, turn: u32) -> Option<Request> {
        let record = self.timeline().iter().find(|record| record.turn == turn)?;
        match record.purpose {
            Purpose::Turn => {}
            Purpose::Compaction | Purpose::Confirmation => return None,
        }
        let mut then = self.conversation().clone();
        let form_of = |message| {
            let was_sent = |form: &SegmentForm| *form != SegmentForm::Repeated;
            let mut segments = record.segments.iter().filter(|segment| segment.message == message);
            segments.find(|segment| was_sent(&segment.form)).map(|segment| segment.form)
        };
        let ids: Vec<_> = then.entries().iter().map(|entry| entry.message.id).collect();
        for id in ids {
            then.set_standing(
                id,
                match form_of(id) {
                    Some(SegmentForm::Cleared) => Standing::Cleared,
                    Some(SegmentForm::Whole | SegmentForm::Trimmed | SegmentForm::Repeated) => Standing::Sent,
                    None => Standing::SetAside,
                },
            );
        }
        let mut messages = then.chat_messages();
        let repeated = record.segments.iter().find(|segment| segment.form == SegmentForm::Repeated);
        if let Some(entry) = repeated.and_then(|segment| then.entry(segment.message)) {
            repeat_request(&mut messages, entry);
        }
        let mut request = self.request(record.purpose, messages);
        request.max_tokens = record.budget.reserve;
        Some(request)
    }
}
