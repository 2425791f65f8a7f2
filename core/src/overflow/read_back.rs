//! Reading back: which of the messages that were sent are in the prompt that the server made of them.
//!
//! Some servers show the prompt as the model gets it (Ollama's `_debug_render_only`, llama-server's `/apply-template`).
//! Every chat template writes the texts of the messages in order with markers in between, so what survived is found by
//! looking for the texts, without knowing the template:
//!
//! ```
//! use brimline_core::conversation::{ChatMessage, Role};
//! use brimline_core::overflow::{Fate, read_back};
//!
//! let message = |role, text: &str| ChatMessage {
//!     role,
//!     text: text.into(),
//!     calls: Vec::new(),
//!     answers: None,
//!     sources: Vec::new(),
//! };
//! let sent = [
//!     message(Role::System, "Be brief."),
//!     message(Role::User, "Which file is the longest?"),
//!     message(Role::User, "line 1\nline 2"),
//! ];
//! let prompt = "<|system|>Be brief.<|end|><|user|>line 1\nline 2<|end|><|assistant|>";
//! assert_eq!(read_back(prompt, &sent), [Fate::Kept, Fate::Dropped, Fate::Kept]);
//! ```
//!
//! A server drops the oldest messages and keeps the system's, so system messages are looked for from the front, and the
//! others from the end: a short text that was dropped ("yes") then isn't taken for the same word in an older message
//! that was kept, since nothing older was.

use super::detector::{Detector, SUSPECT};
use super::evidence::Evidence;
use super::sent::Sent;
use super::verdict::{Judgement, Verdict};
use crate::conversation::{ChatMessage, Role};
use crate::wire::Usage;
use serde::{Deserialize, Serialize};

/// What became of a message on its way into the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    /// It is in the prompt.
    Kept,
    /// It is not.
    Dropped,
}

/// Between two messages a template writes markers, roles and dates, but not more than so many bytes. A text that is
/// found farther away from its neighbour is another one.
const LONGEST_GAP: usize = 600;

/// The fate of each message, by the prompt that the server rendered of them.
pub fn read_back(prompt: &str, messages: &[ChatMessage]) -> Vec<Fate> {
    let mut fates = vec![Fate::Dropped; messages.len()];
    let mut front = 0;
    for (message, fate) in messages.iter().zip(&mut fates) {
        if message.role == Role::System
            && let Some(end) = find(prompt, front, message)
        {
            front = end;
            *fate = Fate::Kept;
        }
    }
    let mut back = prompt.len();
    for (message, fate) in messages.iter().zip(&mut fates).rev() {
        if message.role == Role::System {
            continue;
        }
        if let Some(start) = find_last(prompt, front, back, message) {
            back = start;
            *fate = Fate::Kept;
        }
    }
    fates
}

impl Detector {
    /// Judges a count anew, now that the prompt was read: `dropped` are the places of the messages that are not in it.
    ///
    /// The prompt is read before it is cut by tokens, so one that is whole settles only that no message was dropped. If
    /// the count could still be one of a prompt that was cut by tokens, the doubt stays.
    pub fn settle_by_reading(&mut self, sent: &Sent, usage: &Usage, dropped: &[usize]) -> Judgement {
        let messages = sent.messages.len();
        let reported = usage.prompt_tokens.filter(|count| *count > 0);
        let expectation = self.expect(sent);
        if dropped.is_empty() {
            let whole = Evidence::ReadBackWhole { messages };
            let Some(reported) = reported else {
                return self.judgement(Verdict::Unverified, vec![Evidence::NoCount, whole]);
            };
            let by_tokens = self.weigh_without_dropping(sent, &expectation, reported).probability;
            let verdict = if by_tokens < SUSPECT { Verdict::Fits } else { Verdict::Suspect };
            if verdict == Verdict::Fits {
                self.trust(sent, reported, &expectation);
            }
            return self.with_answer(verdict, vec![whole], reported, usage);
        }
        let request = sent.messages.iter().rposition(|message| message.role == Role::User);
        let evidence = Evidence::ReadBackDropped {
            messages,
            dropped: dropped.len(),
            request: request.is_some_and(|request| dropped.contains(&request)),
        };
        if let Some(reported) = reported {
            let loss = self.weigh(sent, &expectation, reported).loss;
            let (expected, spread) = self.size(sent, &expectation);
            self.lower_ceiling(loss, reported, expected + 3.0 * spread);
        }
        self.judgement(Verdict::Truncated, vec![evidence])
    }
}

/// The texts by which a message is known: its own, and those of its calls. A template may trim them, and writes the
/// arguments of a call in its own way, so only its name and the texts among its arguments are looked for.
fn marks(message: &ChatMessage) -> Vec<String> {
    let mut marks: Vec<String> = vec![message.text.trim().to_owned()];
    for call in &message.calls {
        marks.push(call.name.clone());
        let arguments: serde_json::Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        let texts = arguments.as_object().into_iter().flatten().filter_map(|(_, value)| value.as_str());
        marks.extend(texts.map(str::to_owned));
    }
    marks.retain(|mark| !mark.is_empty());
    marks
}

/// Where the message ends if it is found from `from` on.
fn find(prompt: &str, from: usize, message: &ChatMessage) -> Option<usize> {
    let mut at = from;
    for mark in marks(message) {
        at += prompt.get(at..)?.find(&mark)? + mark.len();
    }
    Some(at)
}

/// Where the message begins if it is the last thing before `end`.
fn find_last(prompt: &str, from: usize, end: usize, message: &ChatMessage) -> Option<usize> {
    let marks = marks(message);
    // The names of a call may stand in either order, so each is looked for in the room before what follows.
    let length: usize = marks.iter().map(String::len).sum();
    let farthest = end.saturating_sub(length + LONGEST_GAP * (marks.len() + 1)).max(from);
    let farthest = (farthest..=end).find(|at| prompt.is_char_boundary(*at))?;
    let room = prompt.get(farthest..end)?;
    let mut start = end;
    for mark in &marks {
        let found = room.rmatch_indices(mark.as_str()).find(|(at, mark)| stands_alone(room, *at, mark.len()));
        start = start.min(farthest + found?.0);
    }
    Some(start)
}

/// Whether the text at `at` is no part of a longer word or tag: `user` in `<|im_start|>user_1` is not somebody's "user".
fn stands_alone(text: &str, at: usize, length: usize) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let touches = |inside: Option<char>, outside: Option<char>| {
        inside.is_some_and(is_part) && outside.is_some_and(is_part)
    };
    let (before, rest) = text.split_at_checked(at).unwrap_or_default();
    let (found, after) = rest.split_at_checked(length).unwrap_or_default();
    !touches(found.chars().next(), before.chars().next_back())
        && !touches(found.chars().next_back(), after.chars().next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{Answers, ToolCall};
    use proptest::prelude::*;

    fn message(role: Role, text: &str) -> ChatMessage {
        ChatMessage { role, text: text.into(), calls: Vec::new(), answers: None, sources: Vec::new() }
    }

    fn call(path: &str) -> ChatMessage {
        let call = ToolCall {
            id: "call_1".into(),
            name: "Read".into(),
            arguments: format!("{{\"path\":\"{path}\"}}"),
        };
        ChatMessage { calls: vec![call], ..message(Role::Assistant, "") }
    }

    fn result(text: &str) -> ChatMessage {
        let answers = Some(Answers { call_id: "call_1".into(), tool: "Read".into() });
        ChatMessage { answers, ..message(Role::Tool, text) }
    }

    /// ChatML, with a model's call in two ways of writing JSON.
    fn rendered(messages: &[ChatMessage], spaced: bool) -> String {
        let mut prompt = String::new();
        for message in messages {
            let role = match message.role {
                Role::System => "system",
                Role::User | Role::Tool => "user",
                Role::Assistant => "assistant",
            };
            prompt += &format!("<|im_start|>{role}\n{}", message.text.trim());
            for call in &message.calls {
                let path = &call.arguments;
                prompt += &if spaced {
                    format!(
                        "<tool_call>\n{{\"arguments\": {}, \"name\": \"{}\"}}",
                        path.replace(':', ": "),
                        call.name
                    )
                } else {
                    format!("<tool_call>{{\"name\":\"{}\",\"arguments\":{path}}}", call.name)
                };
            }
            prompt += "<|im_end|>\n";
        }
        prompt + "<|im_start|>assistant\n"
    }

    fn without(messages: &[ChatMessage], dropped: std::ops::Range<usize>) -> Vec<ChatMessage> {
        let kept = messages.iter().enumerate().filter(|(index, _)| !dropped.contains(index));
        kept.map(|(_, message)| message.clone()).collect()
    }

    fn fates(count: usize, dropped: std::ops::Range<usize>) -> Vec<Fate> {
        (0..count).map(|index| if dropped.contains(&index) { Fate::Dropped } else { Fate::Kept }).collect()
    }

    #[test]
    fn notes_that_are_all_alike_are_told_apart_by_their_place() {
        let note = "[An older result, cleared to make room.]";
        let messages = [
            message(Role::System, "Be brief."),
            call("a"),
            result(note),
            call("b"),
            result(note),
            call("c"),
            result(note),
        ];
        for dropped in [1..1, 1..3, 1..5] {
            for spaced in [false, true] {
                let prompt = rendered(&without(&messages, dropped.clone()), spaced);
                assert_eq!(read_back(&prompt, &messages), fates(7, dropped.clone()), "{prompt}");
            }
        }
    }

    #[test]
    fn a_short_request_is_not_found_in_the_words_around_it() {
        let messages = [
            message(Role::System, "You are a user's assistant. Go on."),
            message(Role::User, "Go on"),
            message(Role::Assistant, "assist"),
            message(Role::User, "ready?"),
        ];
        let prompt = rendered(&without(&messages, 1..3), false);
        assert_eq!(read_back(&prompt, &messages), fates(4, 1..3));
    }

    #[test]
    fn a_middle_that_is_gone_is_seen_too() {
        let long = |word: &str| message(Role::User, &format!("{word} ").repeat(300));
        let messages =
            [message(Role::System, "Be brief."), long("one"), long("two"), long("three"), long("four")];
        let prompt = rendered(&without(&messages, 2..4), false);
        assert_eq!(read_back(&prompt, &messages), fates(5, 2..4));
    }

    proptest! {
        /// Whatever is said, and however much of the oldest is dropped.
        #[test]
        fn what_was_dropped_is_what_is_found_missing(
            texts in prop::collection::vec("[ -~äñ\n]{1,400}", 2..12),
            roles in prop::collection::vec(prop::sample::select(vec![Role::User, Role::Assistant, Role::Tool]), 12),
            dropped in 0_usize..11,
        ) {
            let mut messages = vec![message(Role::System, "You look at one folder, and change nothing in it.")];
            // Every text ends with its number, or one that says nothing would be found anywhere.
            messages.extend(texts.iter().zip(roles).enumerate().map(|(n, (text, role))| message(role, &format!("{text} #{n}#"))));
            let dropped = 1..1 + dropped.min(messages.len() - 2);
            let prompt = rendered(&without(&messages, dropped.clone()), false);
            prop_assert_eq!(read_back(&prompt, &messages), fates(messages.len(), dropped));
        }

        /// A prompt that is not ours breaks nothing.
        #[test]
        fn any_text_gives_a_fate_for_each_message(prompt in "\\PC{0,200}", text in "\\PC{0,20}") {
            let messages = [message(Role::System, &text), message(Role::User, &text), call(&text)];
            prop_assert_eq!(read_back(&prompt, &messages).len(), 3);
        }
    }
}
