//! The transcript as it is drawn: one entry a message, an answer in lines.
//!
//! It is a store with keys, so that a token redraws the line that it belongs to and nothing else.

use brimline_core::conversation::{Content, Conversation, Standing, SystemPart, ToolCall};
use brimline_core::wire::Delta;
use leptos::prelude::{GetUntracked, ReadUntracked, Set, Update, Write};
use reactive_stores::Store;

/// All entries, in order.
#[derive(Debug, Clone, Default, PartialEq, Store)]
pub struct Transcript {
    /// The entries.
    #[store(key: u32 = |entry| entry.key)]
    pub entries: Vec<TranscriptEntry>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Store)]
pub struct TranscriptEntry {
    /// The number of the message. An answer that is still being written has the number that it will get.
    pub key: u32,
    /// What it is.
    pub kind: EntryKind,
    /// What became of it.
    pub standing: Standing,
    /// It is still being written.
    pub is_live: bool,
    /// What the model thought.
    pub thinking: String,
    /// What it says.
    #[store(key: usize = |line| line.number)]
    pub lines: Vec<Line>,
    /// The tools that it asks for.
    pub calls: Vec<ToolCall>,
}

/// What an entry is, with what its heading needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// Brimline's instructions to the model.
    SystemPrompt,
    /// `AGENTS.md`.
    ProjectInstructions,
    /// The user's words.
    Request,
    /// The model's.
    Assistant,
    /// What a tool returned.
    ToolResult {
        /// The tool's name.
        tool: String,
        /// The call was at fault.
        is_error: bool,
        /// Estimated tokens left out of the middle; zero when it is whole.
        trimmed_tokens: u32,
    },
    /// A summary of older messages.
    Summary,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq, Store)]
pub struct Line {
    /// Its number within its entry, from 0.
    pub number: usize,
    /// Prose or code.
    pub kind: LineKind,
    /// The line without its end.
    pub text: String,
}

/// What a line is part of. Only code fences are told apart; nothing else of Markdown is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Ordinary text.
    Prose,
    /// ```` ``` ```` that opens a block of code.
    FenceOpens,
    /// Code.
    Code,
    /// ```` ``` ```` that closes it.
    FenceCloses,
}

impl LineKind {
    fn of(text: &str, before: Option<Self>) -> Self {
        let is_fence = text.trim_start().starts_with("```");
        let in_code = match before {
            Some(Self::FenceOpens | Self::Code) => true,
            Some(Self::Prose | Self::FenceCloses) | None => false,
        };
        match (in_code, is_fence) {
            (false, false) => Self::Prose,
            (false, true) => Self::FenceOpens,
            (true, false) => Self::Code,
            (true, true) => Self::FenceCloses,
        }
    }
}

/// The lines of a whole text.
fn lines_of(text: &str) -> Vec<Line> {
    let mut before = None;
    let line = |(number, text): (usize, &str)| {
        let kind = LineKind::of(text, before);
        before = Some(kind);
        Line { number, kind, text: text.to_owned() }
    };
    text.split('\n').enumerate().map(line).collect()
}

/// The transcript of a conversation.
pub(super) fn entries_of(conversation: &Conversation) -> Vec<TranscriptEntry> {
    let entry = |entry: &brimline_core::conversation::Entry| {
        let mut shown = TranscriptEntry {
            standing: entry.standing,
            ..live_entry(entry.message.id.0, EntryKind::Assistant)
        };
        shown.is_live = false;
        let text = match &entry.message.content {
            Content::System { part: SystemPart::Harness, text } => {
                shown.kind = EntryKind::SystemPrompt;
                text
            }
            Content::System { part: SystemPart::ProjectInstructions, text } => {
                shown.kind = EntryKind::ProjectInstructions;
                text
            }
            Content::Request { text } => {
                shown.kind = EntryKind::Request;
                text
            }
            Content::Assistant { thinking, text, calls } => {
                shown.thinking.clone_from(thinking);
                shown.calls.clone_from(calls);
                text
            }
            Content::ToolResult(result) => {
                shown.kind = EntryKind::ToolResult {
                    tool: result.tool.clone(),
                    is_error: result.is_error,
                    trimmed_tokens: result.trimmed_tokens,
                };
                &result.text
            }
            Content::Summary { text } => {
                shown.kind = EntryKind::Summary;
                text
            }
        };
        shown.lines = lines_of(text);
        shown
    };
    conversation.entries().iter().map(entry).collect()
}

fn live_entry(key: u32, kind: EntryKind) -> TranscriptEntry {
    TranscriptEntry {
        key,
        kind,
        standing: Standing::Sent,
        is_live: true,
        thinking: String::new(),
        lines: lines_of(""),
        calls: Vec::new(),
    }
}

/// Makes the transcript that of a conversation, and touches only what differs.
///
/// The store could patch itself, but its patch loses track of the keys of entries that it adds (`reactive_stores` 0.4).
pub(super) fn show_entries(transcript: Store<Transcript>, shown: Vec<TranscriptEntry>) {
    let entries = transcript.entries();
    let before = entries.read_untracked().len();
    if before > shown.len() {
        entries.write().truncate(shown.len());
    }
    let mut added = Vec::new();
    for new in shown {
        let entry = entries.at_key(new.key);
        let Some(old) = entry.try_get_untracked() else {
            added.push(new);
            continue;
        };
        if old.kind != new.kind {
            entry.kind().set(new.kind);
        }
        if old.standing != new.standing {
            entry.standing().set(new.standing);
        }
        if old.is_live != new.is_live {
            entry.is_live().set(new.is_live);
        }
        if old.thinking != new.thinking {
            entry.thinking().set(new.thinking);
        }
        if old.lines != new.lines {
            *entry.lines().write() = new.lines;
        }
        if old.calls != new.calls {
            entry.calls().set(new.calls);
        }
    }
    if !added.is_empty() {
        add_entries(transcript, added);
    }
}

/// An entry of the same number may have been there before, with fewer lines: the store learns of the new ones.
fn add_entries(transcript: Store<Transcript>, added: Vec<TranscriptEntry>) {
    let entries = transcript.entries();
    let keys: Vec<u32> = added.iter().map(|entry| entry.key).collect();
    entries.write().extend(added);
    for key in keys {
        entries.at_key(key).lines().update_keys();
    }
}

/// Opens the entry of an answer that is about to be written. When it is whole, its message takes the entry over.
pub(super) fn open_live_entry(transcript: Store<Transcript>, kind: EntryKind) {
    let key = u32::try_from(transcript.entries().read_untracked().len()).unwrap_or(u32::MAX);
    add_entries(transcript, vec![live_entry(key, kind)]);
}

/// Adds a piece to the entry that is being written: the last one, if it is live.
pub(super) fn append_to_entry(transcript: Store<Transcript>, delta: &Delta) {
    let last =
        transcript.entries().read_untracked().last().filter(|entry| entry.is_live).map(|entry| entry.key);
    let Some(key) = last else { return };
    let entry = transcript.entries().at_key(key);
    match delta {
        Delta::Thinking(text) => entry.thinking().update(|thinking| thinking.push_str(text)),
        Delta::Text(text) => {
            let mut pieces = text.split('\n');
            let lines = entry.lines();
            // Read before, not within, the condition: there the reader would still be held when the line is written.
            let last = lines.read_untracked().len().checked_sub(1);
            if let (Some(piece), Some(last)) = (pieces.next().filter(|piece| !piece.is_empty()), last) {
                let before = last.checked_sub(1).map(|before| lines.at_key(before).kind().get_untracked());
                let line = lines.at_key(last);
                line.text().update(|text| text.push_str(piece));
                let kind = LineKind::of(&line.text().read_untracked(), before);
                if line.kind().get_untracked() != kind {
                    line.kind().set(kind);
                }
            }
            for piece in pieces {
                let mut lines = lines.write();
                let before = lines.last().map(|line| line.kind);
                let number = lines.len();
                lines.push(Line { number, kind: LineKind::of(piece, before), text: piece.to_owned() });
            }
        }
        Delta::Call { index, name, arguments } => entry.calls().update(|calls| {
            let nothing = ToolCall { id: String::new(), name: String::new(), arguments: String::new() };
            // The decoder numbers calls as they begin, so this adds one at a time.
            while calls.len() <= *index {
                calls.push(nothing.clone());
            }
            if let Some(call) = calls.get_mut(*index) {
                call.name.push_str(name);
                call.arguments.push_str(arguments);
            }
        }),
        Delta::Progress { .. } => {}
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use brimline_core::conversation::MessageId;
    use leptos::prelude::{GetUntracked, Owner};
    use proptest::prelude::*;

    #[test]
    fn code_between_fences_is_told_from_prose() {
        let line = |number, kind, text: &str| Line { number, kind, text: text.into() };
        assert_eq!(
            lines_of("Look:\n```rust\nfn main() {}\n```\nThat's it."),
            [
                line(0, LineKind::Prose, "Look:"),
                line(1, LineKind::FenceOpens, "```rust"),
                line(2, LineKind::Code, "fn main() {}"),
                line(3, LineKind::FenceCloses, "```"),
                line(4, LineKind::Prose, "That's it."),
            ]
        );
    }

    #[test]
    fn an_answer_takes_over_the_entry_in_which_it_was_written() {
        let owner = Owner::new();
        owner.set();
        let mut conversation = Conversation::default();
        conversation.push(Content::Request { text: "Which is longest?".into() });
        let transcript = Store::new(Transcript { entries: entries_of(&conversation) });
        open_live_entry(transcript, EntryKind::Assistant);
        for delta in
            [Delta::Thinking("Hm.".into()), Delta::Text("The\nsec".into()), Delta::Text("ond.".into())]
        {
            append_to_entry(transcript, &delta);
        }
        let live = transcript.entries().get_untracked();
        conversation.push(Content::Assistant {
            thinking: "Hm.".into(),
            text: "The\nsecond.".into(),
            calls: Vec::new(),
        });
        let whole = entries_of(&conversation);
        let (written, kept) = (live.last().unwrap().clone(), whole.last().unwrap().clone());
        assert_eq!(TranscriptEntry { is_live: false, ..written }, kept);
        show_entries(transcript, whole.clone());
        assert_eq!(transcript.entries().get_untracked(), whole);
    }

    #[test]
    fn what_comes_when_nothing_is_being_written_changes_nothing() {
        let owner = Owner::new();
        owner.set();
        let mut conversation = Conversation::default();
        conversation.push_set_aside(Content::Summary { text: "So far.".into() });
        let transcript = Store::new(Transcript { entries: entries_of(&conversation) });
        append_to_entry(transcript, &Delta::Text(" And more.".into()));
        assert_eq!(transcript.entries().get_untracked(), entries_of(&conversation));
        assert_eq!(conversation.entries()[0].message.id, MessageId(0));
    }

    #[test]
    fn an_entry_that_takes_the_place_of_another_shows_all_its_lines() {
        let owner = Owner::new();
        owner.set();
        let mut conversation = Conversation::default();
        conversation.push(Content::Request { text: "Read on.".into() });
        let transcript = Store::new(Transcript::default());
        show_entries(transcript, entries_of(&conversation));
        open_live_entry(transcript, EntryKind::Summary);
        append_to_entry(transcript, &Delta::Text("So".into()));
        // The summary was rejected, and a longer message has its number.
        show_entries(transcript, entries_of(&conversation));
        for text in ["one\ntwo\nthree", "four\nfive"] {
            conversation.push(Content::Request { text: text.into() });
        }
        show_entries(transcript, entries_of(&conversation));
        let line =
            |key, number| transcript.entries().at_key(key).lines().at_key(number).text().get_untracked();
        let lines = [line(0, 0), line(1, 0), line(1, 2), line(2, 1)];
        assert_eq!(lines, ["Read on.", "one", "three", "five"]);
        assert_eq!(transcript.entries().get_untracked(), entries_of(&conversation));
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_the_lines_of_the_whole(pieces in prop::collection::vec("[a`\n é]{0,6}", 0..20)) {
            let owner = Owner::new();
            owner.set();
            let transcript = Store::new(Transcript::default());
            open_live_entry(transcript, EntryKind::Assistant);
            for piece in &pieces {
                append_to_entry(transcript, &Delta::Text(piece.clone()));
            }
            prop_assert_eq!(&transcript.entries().get_untracked()[0].lines, &lines_of(&pieces.concat()));
        }
    }
}
