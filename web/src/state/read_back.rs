//! What the server makes of a turn's request: asked for by the reader, and shown beside what was sent.

use super::page::PageState;
use brimline_core::conversation::{Request, Role};
use brimline_core::driver::read_prompt;
use brimline_core::overflow::{Fate, read_back};
use brimline_core::wire::Rendering;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// What came of asking.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReadBack {
    /// Nobody asked.
    #[default]
    NotAsked,
    /// The server is asked.
    Asking,
    /// The server does not show its prompts, or failed to.
    NotShown,
    /// The server showed this.
    Shown(Shown),
}

/// A prompt, and which messages are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// How it was asked for.
    pub rendering: Rendering,
    /// The prompt.
    pub prompt: String,
    /// What was sent, and what became of it.
    pub messages: Vec<SentAndRead>,
}

/// A message, and whether the model gets to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAndRead {
    /// Who speaks.
    pub role: Role,
    /// The start of what is said.
    pub start: String,
    /// It carries the user's latest request.
    pub is_request: bool,
    /// Whether it is in the prompt.
    pub fate: Fate,
}

/// So much of a message is shown to know it by, in characters.
const SHOWN: usize = 90;

impl Shown {
    /// Looks for what was sent in the prompt.
    pub fn of(rendering: Rendering, prompt: String, request: &Request) -> Self {
        let fates = read_back(&prompt, &request.messages);
        let latest = request.messages.iter().rposition(|message| message.role == Role::User);
        let sent = request.messages.iter().zip(fates).enumerate();
        let messages = sent.map(|(place, (message, fate))| {
            let called = message.calls.iter().map(|call| format!("{} {}", call.name, call.arguments));
            let said: Vec<String> = std::iter::once(message.text.clone()).chain(called).collect();
            let words: Vec<&str> = said.iter().flat_map(|text| text.split_whitespace()).collect();
            let mut start = words.join(" ");
            if let Some((end, _)) = start.char_indices().nth(SHOWN) {
                start.truncate(end);
                start.push('…');
            }
            SentAndRead { role: message.role, start, is_request: latest == Some(place), fate }
        });
        Self { rendering, messages: messages.collect(), prompt }
    }

    /// Whether the user's latest request is in the prompt.
    pub fn has_request(&self) -> bool {
        self.messages.iter().any(|message| message.is_request && message.fate == Fate::Kept)
    }
}

impl PageState {
    /// Whether that turn's request can be made again, so that the server can be asked what it makes of it.
    pub fn can_read_turn(self, turn: u32) -> bool {
        self.session
            .with_value(|session| session.as_ref().is_some_and(|session| session.request_of(turn).is_some()))
    }

    /// Asks the server for the prompt that it makes of that turn's request.
    pub fn read_turn(self, turn: u32, shown: RwSignal<ReadBack>) {
        let request = self.session.with_value(|session| session.as_ref()?.request_of(turn));
        let Some(request) = request else { return };
        shown.set(ReadBack::Asking);
        spawn_local(async move {
            let rendering = self.ask_rendering().await;
            let prompt = match rendering {
                Some(rendering) => {
                    read_prompt(&self.server(), rendering, &self.model_options(), &request).await
                }
                None => None,
            };
            shown.set(match (rendering, prompt) {
                (Some(rendering), Some(prompt)) => ReadBack::Shown(Shown::of(rendering, prompt, &request)),
                (Some(_), None) | (None, _) => ReadBack::NotShown,
            });
        });
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use brimline_core::conversation::{ChatMessage, MessageId, Purpose};

    #[test]
    fn each_message_is_known_by_its_start_and_told_found_or_not() {
        let message = |role, text: &str, id| ChatMessage {
            role,
            text: text.into(),
            calls: Vec::new(),
            answers: None,
            sources: vec![MessageId(id)],
        };
        let request = Request {
            purpose: Purpose::Turn,
            messages: vec![
                message(Role::System, "Be\n  brief.", 0),
                message(Role::User, "Which file is the longest?", 1),
                message(Role::Assistant, &"long ".repeat(40), 2),
            ],
            tools: Vec::new(),
            max_tokens: 100,
        };
        let prompt = format!("<s>Be\n  brief.</s><a>{}</a>", "long ".repeat(40));
        let shown = Shown::of(Rendering::DebugRender, prompt, &request);
        let told: Vec<(&str, bool, Fate)> = shown
            .messages
            .iter()
            .map(|message| (message.start.as_str(), message.is_request, message.fate))
            .collect();
        let long = format!("{}…", "long ".repeat(18));
        assert_eq!(
            told,
            [
                ("Be brief.", false, Fate::Kept),
                ("Which file is the longest?", true, Fate::Dropped),
                (long.as_str(), false, Fate::Kept),
            ]
        );
        assert!(!shown.has_request());
    }
}
