//! What a check asks, and the requests that ask it.

use super::log::Needle;
use crate::conversation::{ChatMessage, Purpose, Request, Role, ToolSpec};
use crate::simulate::two_keys;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// One thing to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// How many tokens does the server count for one message of this size?
    Count {
        /// Its size.
        size: Size,
        /// Sets its beginning apart from that of messages with another number.
        salt: u32,
        /// Whether the server is asked to refuse it if it is too large.
        refusing: bool,
    },
    /// Does the model call a tool?
    Tool,
    /// What is left of a conversation that is too large?
    Overflow(Layout),
    /// The same, read from the prompt that the server made.
    ReadOverflow(Layout),
    /// Is the first message left, where the server leaves no room for a longer answer?
    FirstWord(Layout),
    /// What happens when an answer reaches the edge of the window?
    Edge {
        /// The size of the prompt, which leaves room for a few tokens.
        size: Size,
        /// How long the answer may be, in tokens: well past the edge.
        max_tokens: u32,
    },
    /// Which key survives the fixed conversation?
    TwoKeys,
    /// The same, read from the prompt that the server made.
    ReadTwoKeys,
}

/// The size of a prompt in pieces whose tokens can be measured: lines that are all alike, then words that are all alike.
/// In whatever tokenizer, a line more costs what the line before cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Whole lines.
    pub lines: u32,
    /// Words after them, for the last few tokens.
    pub words: u32,
}

/// How large the seven parts of the overflowing conversation are, in lines: three long ones, four short ones.
///
/// For a window of `w` tokens the long ones are of 0.21 w, the short ones of 0.16 w, 1.27 w together. So the longest run
/// of messages from the end that fits is of 0.85 w, the longest from the start of 0.95 w, and what is cut token by token
/// of 1.0 w: the count alone tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Each of the first three.
    pub long: u32,
    /// Each of the last four.
    pub short: u32,
}

const LINE: &str = "The tide comes in, the tide goes out, and the harbour waits.\n";
const WORD: &str = " tide";

/// An answer with code words is of at most so many tokens: a thinking model thinks first.
const RECITAL: u32 = 256;

impl Ask {
    /// Whether the driver reads the server's prompt instead of calling the model.
    pub(super) fn reads_back(&self) -> bool {
        match self {
            Self::ReadOverflow(_) | Self::ReadTwoKeys => true,
            Self::Count { .. }
            | Self::Tool
            | Self::Overflow(_)
            | Self::FirstWord(_)
            | Self::Edge { .. }
            | Self::TwoKeys => false,
        }
    }

    /// The words that were sent and can come back.
    pub(super) fn needles(&self) -> &'static [Needle] {
        match self {
            Self::Overflow(_) | Self::ReadOverflow(_) => &Needle::OF_OVERFLOW,
            Self::TwoKeys | Self::ReadTwoKeys => &Needle::OF_TWO_KEYS,
            Self::FirstWord(_) => &[Needle::First],
            Self::Count { .. } | Self::Tool | Self::Edge { .. } => &[],
        }
    }

    /// The request that asks it.
    pub(super) fn request(&self, nonce: u32) -> Request {
        let (messages, tools, max_tokens) = match self {
            Self::Count { size, salt, .. } => {
                (vec![said(Role::User, size.text(nonce, *salt))], Vec::new(), 1)
            }
            Self::Edge { size, max_tokens } => {
                (vec![said(Role::User, size.text(nonce, 0))], Vec::new(), *max_tokens)
            }
            Self::Tool => (vec![said(Role::User, TOOL_REQUEST.to_owned())], vec![tool()], RECITAL),
            Self::Overflow(layout) | Self::ReadOverflow(layout) => {
                (layout.messages(nonce, RECITE), Vec::new(), RECITAL)
            }
            Self::FirstWord(layout) => (layout.messages(nonce, SAY_FIRST), Vec::new(), RECITAL),
            Self::TwoKeys | Self::ReadTwoKeys => (two_keys_messages(), Vec::new(), RECITAL),
        };
        Request { purpose: Purpose::Turn, messages, tools, max_tokens }
    }
}

impl Size {
    fn text(self, nonce: u32, salt: u32) -> String {
        let Self { lines, words } = self;
        let lines = LINE.repeat(lines as usize);
        // The salt comes first, so that a server's cache has nothing of a message with another one.
        format!("{salt:02} {nonce:06}\n{lines}Tide{}", WORD.repeat(words as usize))
    }
}

impl Layout {
    /// The parts, in lines, oldest first.
    pub(super) fn parts(self) -> [u32; 7] {
        let Self { long, short } = self;
        [long, long, long, short, short, short, short]
    }

    fn messages(self, nonce: u32, question: &str) -> Vec<ChatMessage> {
        let system = format!("{nonce:06} The code word of the rules is {}.", Needle::System.word());
        let mut messages = vec![said(Role::System, system)];
        for (index, lines) in self.parts().into_iter().enumerate() {
            let told = match index {
                0 => format!("The code word of my first message is {}.\n", Needle::First.word()),
                3 => format!("The code word of the middle is {}.\n", Needle::Middle.word()),
                _ => "This part has none.\n".to_owned(),
            };
            messages.push(said(Role::User, told + &LINE.repeat(lines as usize)));
            messages.push(said(Role::Assistant, "Understood.".to_owned()));
        }
        let last = format!("The code word of my last message is {}. {question}", Needle::Last.word());
        messages.push(said(Role::User, last));
        messages
    }
}

const RECITE: &str = "Repeat every code word that you can still read, and nothing else.";
const SAY_FIRST: &str = "What was the code word of my first message? Answer with the word alone.";

/// Tokens of one line by the rule of four characters each, until the server has counted some.
pub(super) const LINE_GUESS: f64 = LINE.len() as f64 / 4.0;

/// The fixed conversation in tokens, by the rule of four characters each.
pub(super) const TWO_KEYS_GUESS: u32 = 6_200;

fn two_keys_messages() -> Vec<ChatMessage> {
    let mut messages = vec![said(Role::System, two_keys::system_prompt())];
    for (index, text) in two_keys::messages().into_iter().enumerate() {
        messages.push(said(if index % 2 == 0 { Role::User } else { Role::Assistant }, text));
    }
    messages
}

fn said(role: Role, text: String) -> ChatMessage {
    ChatMessage { role, text, calls: Vec::new(), answers: None, sources: Vec::new() }
}

const TOOL_REQUEST: &str = "Use the Read tool to read the file README.md, then tell me its first line.";

fn tool() -> ToolSpec {
    ToolSpec {
        name: "Read".to_owned(),
        description: "Reads a text file and gives its lines.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "path": { "type": "string", "description": "The file's path." } },
            "required": ["path"],
        }),
    }
}

/// Whether a reply asks for the tool in its text.
pub(super) fn offered_tools() -> Vec<ToolSpec> {
    vec![tool()]
}
