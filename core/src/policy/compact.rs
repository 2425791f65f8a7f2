//! Compact: replace the conversation with a summary that the model writes. The user's request survives word for word.

use super::trim::trim;
use crate::conversation::{ChatMessage, Content, Conversation, MessageId, Role, Standing};

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

/// What is summarised, cut into parts of at most `room` tokens as `count` counts them, for a conversation that is too
/// large to summarise in one request. A call is never parted from its result.
pub fn summary_parts(conversation: &Conversation, room: f64, count: impl Fn(&str) -> f64) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    for group in groups(conversation) {
        // A group that is too large by itself is shortened: the summary needs its gist only.
        let group = trim(&group, room, &count).map_or(group, |trimmed| trimmed.text);
        if !part.is_empty() && count(&part) + count(&group) > room {
            parts.push(std::mem::take(&mut part));
        }
        part.push_str(&group);
    }
    parts.push(part);
    parts
}

/// The request to summarise one part, with the summary of the parts before it.
pub fn part_messages(part: &str, before: Option<&str>) -> Vec<ChatMessage> {
    let before =
        before.map_or(String::new(), |summary| format!("Summary of what came before:\n\n{summary}\n\n"));
    let text = format!("{before}The next part of the conversation:\n\n{part}\n{ASK}");
    [(Role::System, PART_SYSTEM.to_owned()), (Role::User, text)]
        .map(|(role, text)| ChatMessage { role, text, calls: Vec::new(), answers: None, sources: Vec::new() })
        .to_vec()
}

/// What is summarised, as text: a call and its results are one group.
fn groups(conversation: &Conversation) -> Vec<String> {
    let replaceable = replaceable(conversation);
    let mut groups: Vec<String> = Vec::new();
    for message in conversation.chat_messages() {
        if !message.sources.iter().any(|source| replaceable.contains(source)) {
            continue;
        }
        let calls: String =
            message.calls.iter().map(|call| format!("[calls {} {}]\n", call.name, call.arguments)).collect();
        match (message.role, groups.last_mut()) {
            (Role::Tool, Some(group)) => {
                let tool = message.answers.map_or(String::new(), |answers| answers.tool);
                group.push_str(&format!("Result of {tool}:\n{}\n\n", message.text));
            }
            (Role::Tool, None) | (Role::System | Role::User | Role::Assistant, _) => {
                let speaker = match message.role {
                    Role::System => "System",
                    Role::User => "User",
                    Role::Assistant => "Assistant",
                    Role::Tool => "Tool",
                };
                groups.push(format!("{speaker}: {}\n{calls}\n", message.text));
            }
        }
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
        let part = |name: &str| {
            format!(
                "Assistant: \n[calls Read {{\"path\":\"{name}\"}}]\n\nResult of Read:\ntext of {name}\n\n"
            )
        };
        assert_eq!(summary_parts(&conversation(), 12.0, words), vec![part("a"), part("b")]);
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
