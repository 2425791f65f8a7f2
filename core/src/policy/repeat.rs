//! Say the user's request twice: a server that drops the oldest messages keeps the system prompt.

use crate::conversation::{ChatMessage, Entry, Role};

/// What comes before the request at the end of the system prompt.
const HEADING: &str = "The user's current request, word for word. Work on it even if you can't see it below:";

/// Adds a request to the end of the system prompt, if there is one. The request itself stays where it is.
pub fn repeat_request(messages: &mut [ChatMessage], request: &Entry) {
    let system = messages.first_mut().filter(|message| message.role == Role::System);
    if let (Some(system), Some(text)) = (system, request.sent_text()) {
        system.text = format!("{}\n\n{HEADING}\n\n{text}", system.text);
        system.sources.push(request.message.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{Content, Conversation, MessageId, SystemPart};

    #[test]
    fn the_latest_request_stands_in_the_system_prompt_too() {
        let mut conversation = Conversation::default();
        conversation.push(Content::System { part: SystemPart::Harness, text: "Be brief.".into() });
        conversation.push(Content::Request { text: "Which file is longest?".into() });
        conversation.push(Content::Assistant {
            thinking: String::new(),
            text: "b is.".into(),
            calls: Vec::new(),
        });
        let request = conversation.push(Content::Request { text: "And the shortest?".into() });
        let mut messages = conversation.chat_messages();
        let rest = messages[1..].to_vec();
        repeat_request(&mut messages, conversation.entry(request).unwrap());
        assert_eq!(
            messages[0],
            ChatMessage {
                role: Role::System,
                text: format!("Be brief.\n\n{HEADING}\n\nAnd the shortest?"),
                calls: Vec::new(),
                answers: None,
                sources: vec![MessageId(0), MessageId(3)],
            }
        );
        assert_eq!(messages[1..], rest);
        // Without a system prompt there is nothing to add it to.
        let mut without = rest.clone();
        repeat_request(&mut without, conversation.entry(request).unwrap());
        assert_eq!(without, rest);
    }
}
