//! Compact: replace the conversation with a summary that the model writes. The user's request survives word for word.

use super::trim::trim;
use crate::conversation::{ChatMessage, Content, Conversation, MessageId, Role, Standing};
use serde::{Deserialize, Serialize};

/// What the model is asked when it must summarise.
const ASK: &str = "This conversation is getting too long for the context window. Summarise it, so that the work can go on \
from your summary alone. Say what has been found out so far (file paths, names, numbers, exact findings), what has been \
done, and what is still to do. The user's request will be kept word for word beside your summary: do not answer it now, \
and do not call tools. Write only the summary.";

/// The system prompt of a request that summarises a part.
const PART_SYSTEM: &str = "You summarise parts of a conversation between a user, an assistant and its tools.";

/// The messages that a summary would replace: all that is still sent, but for the system prompt and the user's current
/// request. Empty when there is nothing to summarise.
pub fn replaceable(conversation: &Conversation) -> Vec<MessageId> {
    let current = conversation.current_request();
    conversation
        .entries()
        .iter()
        .filter(|entry| match (&entry.message.content, entry.standing) {
            (Content::System { .. }, _) => false,
            (_, Standing::Compacted { .. } | Standing::SetAside) => false,
            (_, Standing::Sent | Standing::Cleared) => Some(entry.message.id) != current,
        })
        .map(|entry| entry.message.id)
        .collect()
}

/// The request to summarise in one piece: the conversation as the server knows it, with the question at its end. A
/// request that nothing has answered yet is left out, since it is not a part of what is summarised, and the question
/// takes its place.
pub fn summary_messages(conversation: &Conversation) -> Vec<ChatMessage> {
    let mut messages = conversation.chat_messages();
    let current = conversation.current_request();
    if let Some(last) = messages.last()
        && last.role == Role::User
        && last.sources.last().copied() == current
    {
        let mut without = conversation.clone();
        if let Some(current) = current {
            without.set_standing(current, Standing::SetAside);
        }
        messages = without.chat_messages();
    }
    match messages.last_mut() {
        Some(last) if last.role == Role::User => last.text = format!("{}\n\n{ASK}", last.text),
        Some(_) | None => messages.push(ChatMessage {
            role: Role::User,
            text: ASK.into(),
            calls: Vec::new(),
            answers: None,
            sources: Vec::new(),
        }),
    }
    messages
}

/// A part of a conversation that is too large to summarise in one request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryPart {
    /// Its messages as text.
    pub text: String,
    /// Which messages they are.
    pub sources: Vec<MessageId>,
}

/// What is summarised, cut into parts of at most `room` tokens as `count` counts them. A call is never parted from its
/// result.
pub fn summary_parts(
    conversation: &Conversation,
    room: f64,
    count: impl Fn(&str) -> f64,
) -> Vec<SummaryPart> {
    let mut parts: Vec<SummaryPart> = Vec::new();
    let mut part = SummaryPart::default();
    for group in groups(conversation) {
        // A group that is too large by itself is shortened: the summary needs its gist only.
        let text = trim(&group.text, room, &count).map_or(group.text, |trimmed| trimmed.text);
        if !part.text.is_empty() && count(&part.text) + count(&text) > room {
            parts.push(std::mem::take(&mut part));
        }
        part.text.push_str(&text);
        part.sources.extend(group.sources);
    }
    parts.push(part);
    parts
}

/// The request to summarise one part, with the summary of the parts before it.
pub fn part_messages(part: &SummaryPart, before: Option<&str>) -> Vec<ChatMessage> {
    let before =
        before.map_or(String::new(), |summary| format!("Summary of what came before:\n\n{summary}\n\n"));
    let text = format!("{before}The next part of the conversation:\n\n{}\n{ASK}", part.text);
    let message = |role, text, sources| ChatMessage { role, text, calls: Vec::new(), answers: None, sources };
    vec![
        message(Role::System, PART_SYSTEM.to_owned(), Vec::new()),
        message(Role::User, text, part.sources.clone()),
    ]
}

/// What is summarised, as text: a call and its results are one group.
fn groups(conversation: &Conversation) -> Vec<SummaryPart> {
    let replaceable = replaceable(conversation);
    let mut groups: Vec<SummaryPart> = Vec::new();
    for message in conversation.chat_messages() {
        let sources: Vec<MessageId> =
            message.sources.into_iter().filter(|source| replaceable.contains(source)).collect();
        if sources.is_empty() {
            continue;
        }
        let speaker = match (message.role, groups.last_mut()) {
            (Role::Tool, Some(group)) => {
                let tool = message.answers.map_or(String::new(), |answers| answers.tool);
                group.text.push_str(&format!("Result of {tool}:\n{}\n\n", message.text));
                group.sources.extend(sources);
                continue;
            }
            (Role::Tool, None) => "Tool",
            (Role::System, _) => "System",
            (Role::User, _) => "User",
            (Role::Assistant, _) => "Assistant",
        };
        let calls: String =
            message.calls.iter().map(|call| format!("[calls {} {}]\n", call.name, call.arguments)).collect();
        groups.push(SummaryPart { text: format!("{speaker}: {}\n{calls}\n", message.text), sources });
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{SystemPart, ToolCall, ToolResult};

    fn conversation() -> Conversation {
        let mut conversation = Conversation::default();
        conversation.push(Content::System { part: SystemPart::Harness, text: "Be brief.".into() });
        conversation.push(Content::Request { text: "Which file is longest?".into() });
        for name in ["a", "b"] {
            conversation.push(Content::Assistant {
                thinking: String::new(),
                text: String::new(),
                calls: vec![ToolCall {
                    id: format!("call_{name}"),
                    name: "Read".into(),
                    arguments: format!("{{\"path\":\"{name}\"}}"),
                }],
            });
            conversation.push(Content::ToolResult(ToolResult {
                call_id: format!("call_{name}"),
                tool: "Read".into(),
                text: format!("text of {name}"),
                is_error: false,
                trimmed_tokens: 0,
            }));
        }
        conversation
    }

    fn words(text: &str) -> f64 {
        text.split_whitespace().count() as f64
    }

    #[test]
    fn the_system_prompt_and_the_request_are_not_replaced() {
        assert_eq!(replaceable(&conversation()), [2, 3, 4, 5].map(MessageId).to_vec());
    }

    #[test]
    fn what_fits_is_summarised_in_one_request_that_ends_with_the_question() {
        let conversation = conversation();
        let mut expected = conversation.chat_messages();
        expected.push(ChatMessage {
            role: Role::User,
            text: ASK.into(),
            calls: Vec::new(),
            answers: None,
            sources: Vec::new(),
        });
        assert_eq!(summary_messages(&conversation), expected);
    }

    #[test]
    fn what_does_not_fit_is_summarised_in_parts_that_keep_calls_with_their_results() {
        let part = |name: &str, sources: [u32; 2]| SummaryPart {
            text: format!(
                "Assistant: \n[calls Read {{\"path\":\"{name}\"}}]\n\nResult of Read:\ntext of {name}\n\n"
            ),
            sources: sources.map(MessageId).to_vec(),
        };
        assert_eq!(summary_parts(&conversation(), 12.0, words), vec![part("a", [2, 3]), part("b", [4, 5])]);
    }

    #[test]
    fn a_request_that_nothing_answered_yet_is_not_in_the_question() {
        let mut conversation = conversation();
        conversation.push(Content::Assistant {
            thinking: String::new(),
            text: "b is.".into(),
            calls: Vec::new(),
        });
        let before = conversation.clone();
        conversation.push(Content::Request { text: "And the shortest?".into() });
        assert_eq!(summary_messages(&before), summary_messages(&conversation));
    }
}
