//! An answer under way, the same for both wires: texts, calls, and why it ended.

use super::decoder::Delta;
use super::reply::{Finish, Reply, Usage};
use super::thinking::{Part, ThinkingTags};
use crate::conversation::ToolCall;

/// What has come of an answer so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    thinking: String,
    text: String,
    calls: Vec<ToolCall>,
    /// The server's own number of each call, where it gives one.
    numbers: Vec<Option<u64>>,
    finish: Option<Finish>,
    pub(super) usage: Usage,
    tags: ThinkingTags,
    begun: bool,
}

/// What one message or delta says of one call.
#[derive(Debug, Default)]
pub(super) struct CallPart {
    pub(super) number: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

impl Answer {
    /// Something of this answer came.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    pub(super) fn has_finished(&self) -> bool {
        self.finish.is_some()
    }

    pub(super) fn finish(&mut self, finish: Finish) {
        self.finish = Some(finish);
    }

    pub(super) fn think(&mut self, thinking: &str, deltas: &mut Vec<Delta>) {
        if !thinking.is_empty() {
            self.thinking.push_str(thinking);
            deltas.push(Delta::Thinking(thinking.to_owned()));
        }
    }

    /// Text of the answer. Thinking that the server left in it, between tags, is told apart.
    pub(super) fn say(&mut self, text: &str, deltas: &mut Vec<Delta>) {
        for part in self.tags.push(text) {
            match part {
                Part::Thinking(thinking) => self.think(&thinking, deltas),
                Part::Text(text) => {
                    self.text.push_str(&text);
                    deltas.push(Delta::Text(text));
                }
            }
        }
    }

    /// A part of a call, or a whole one.
    ///
    /// Servers differ: some number the parts of a call, some only name a call at its start, some send whole calls under
    /// one number. A part belongs to the call of its number, unless it brings an id of its own.
    pub(super) fn call(&mut self, part: CallPart, deltas: &mut Vec<Delta>) {
        let known = match part.number {
            Some(number) => self.numbers.iter().rposition(|known| *known == Some(number)),
            None if part.id.is_empty() && part.name.is_empty() => self.calls.len().checked_sub(1),
            None => None,
        };
        let is_another = |call: &ToolCall| !part.id.is_empty() && !call.id.is_empty() && call.id != part.id;
        let known = known.filter(|index| self.calls.get(*index).is_some_and(|call| !is_another(call)));
        let index = known.unwrap_or_else(|| {
            self.calls.push(ToolCall { id: String::new(), name: String::new(), arguments: String::new() });
            self.numbers.push(part.number);
            self.calls.len() - 1
        });
        let Some(call) = self.calls.get_mut(index) else { return };
        if call.id.is_empty() {
            call.id = part.id;
        }
        // Some servers repeat the whole name with every part.
        let name = if call.name == part.name { String::new() } else { part.name };
        call.name.push_str(&name);
        call.arguments.push_str(&part.arguments);
        deltas.push(Delta::Call { index, name, arguments: part.arguments });
    }

    pub(super) fn into_reply(mut self) -> Reply {
        for part in self.tags.finish() {
            match part {
                Part::Thinking(thinking) => self.thinking.push_str(&thinking),
                Part::Text(text) => self.text.push_str(&text),
            }
        }
        // A template may open the tag in the prompt: then the answer only closes it.
        if let Some((thinking, text)) = self.text.split_once("</think>")
            && self.thinking.is_empty()
        {
            (self.thinking, self.text) = (thinking.trim().to_owned(), text.trim_start().to_owned());
        }
        name_calls(&mut self.calls);
        let finish = self.finish.unwrap_or_else(|| Finish::Other(String::new()));
        Reply { thinking: self.thinking, text: self.text, calls: self.calls, finish, usage: self.usage }
    }
}

/// Gives every call an id of its own within the reply, and arguments that are at least an empty object.
pub(super) fn name_calls(calls: &mut [ToolCall]) {
    let mut taken: Vec<String> = Vec::new();
    for (index, call) in calls.iter_mut().enumerate() {
        if call.id.is_empty() || taken.contains(&call.id) {
            call.id = format!("call_{}", index + 1);
        }
        taken.push(call.id.clone());
        if call.arguments.trim().is_empty() {
            call.arguments = "{}".into();
        }
    }
}
