//! Say the user's request twice: a server that drops the oldest messages keeps the system prompt.

use crate::conversation::{ChatMessage, Content, Conversation, Role};

/// What comes before the request at the end of the system prompt.
const HEADING: &str = "The user's current request, word for word. Work on it even if you can't see it below:";

/// Adds the current request to the end of the system prompt, if there are both. The request itself stays where it is.
pub fn repeat_request(messages: &mut [ChatMessage], conversation: &Conversation) {
    let entry = conversation.current_request().and_then(|id| conversation.entry(id));
    let Some((entry, Content::Request { text })) = entry.map(|entry| (entry, &entry.message.content)) else {
        return;
    };
    if let Some(system) = messages.first_mut().filter(|message| message.role == Role::System) {
        system.text = format!("{}\n\n{HEADING}\n\n{text}", system.text);
        system.sources.push(entry.message.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{MessageId, SystemPart};

    #[test]
    fn the_latest_request_stands_in_the_system_prompt_too() {
        let mut conversation = Conversation::default();
        conversation.push(Content::System { part: SystemPart::Harness, text: "Be brief.".into() });
        let mut without = conversation.chat_messages();
        repeat_request(&mut without, &conversation);
        assert_eq!(without, conversation.chat_messages(), "there is no request yet");

        conversation.push(Content::Request { text: "Which file is longest?".into() });
        conversation.push(Content::Assistant {
            thinking: String::new(),
            text: "b is.".into(),
            calls: Vec::new(),
        });
        conversation.push(Content::Request { text: "And the shortest?".into() });
        let mut messages = conversation.chat_messages();
        let rest = messages[1..].to_vec();
        repeat_request(&mut messages, &conversation);
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
    }
}
