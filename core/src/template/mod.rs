//! Prompt templates: how a server makes one text of a conversation, where that can be told from its template for sure.
//!
//! Ollama hands a model's template out as Go text (`template` of `/api/show`). One that only walks over the messages and
//! writes role and content of each is rendered here; any other is refused, since a prompt that is nearly right counts
//! wrongly. The prompts of those can be had from the server itself.
//!
//! ```
//! use brimline_core::conversation::{ChatMessage, Role};
//! use brimline_core::template::Template;
//!
//! let text = "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n";
//! let template = Template::from_go(text).unwrap();
//! let message = ChatMessage {
//!     role: Role::User,
//!     text: "Hello".into(),
//!     calls: Vec::new(),
//!     answers: None,
//!     sources: Vec::new(),
//! };
//! let prompt = "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n";
//! assert_eq!(template.render(&[message], &[]).as_deref(), Ok(prompt));
//! ```

mod go;

use crate::conversation::{ChatMessage, Role, ToolSpec};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A template that can be rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    before: String,
    message: Vec<Piece>,
    after: String,
}

/// A piece of what is written for each message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Piece {
    Text(String),
    Role,
    Content,
}

/// Why a template can't be rendered, or not for this request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CannotRender {
    /// It does more than to write the messages one after the other.
    #[error("The model's prompt template does more than write the messages one after the other.")]
    Template,
    /// It has no place for tools, so what the server does with them isn't known.
    #[error("The model's prompt template has no place for tools.")]
    Tools,
    /// Two messages of one role follow each other. Ollama joins them before it renders, but not in every version.
    #[error("Two messages of the same role follow each other, and servers differ in what they make of that.")]
    SameRole,
}

impl Template {
    /// From the text of a Go template.
    pub fn from_go(text: &str) -> Result<Self, CannotRender> {
        go::parse(text).ok_or(CannotRender::Template)
    }

    /// The prompt for these messages.
    pub fn render(&self, messages: &[ChatMessage], tools: &[ToolSpec]) -> Result<String, CannotRender> {
        if !tools.is_empty() || messages.iter().any(|message| !message.calls.is_empty()) {
            return Err(CannotRender::Tools);
        }
        let same = |pair: &[ChatMessage]| match pair {
            [one, next] => one.role == next.role,
            _ => false,
        };
        if messages.windows(2).any(same) {
            return Err(CannotRender::SameRole);
        }
        let mut prompt = self.before.clone();
        for message in messages {
            for piece in &self.message {
                prompt.push_str(match piece {
                    Piece::Text(text) => text,
                    Piece::Role => match message.role {
                        Role::System => "system",
                        Role::User => "user",
                        Role::Assistant => "assistant",
                        Role::Tool => "tool",
                    },
                    Piece::Content => &message.text,
                });
            }
        }
        prompt.push_str(&self.after);
        Ok(prompt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolCall;

    const CHATML: &str = "{{- range $i, $_ := .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n";

    fn message(role: Role, text: &str) -> ChatMessage {
        ChatMessage { role, text: text.into(), calls: Vec::new(), answers: None, sources: Vec::new() }
    }

    #[test]
    fn chatml_is_written_message_by_message() {
        let messages = [
            message(Role::System, "Be brief."),
            message(Role::User, "Hello {{ .Role }}\n"),
            message(Role::Assistant, ""),
            message(Role::Tool, "  x"),
        ];
        let prompt = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello {{ .Role }}\n<|im_end|>\n\
                      <|im_start|>assistant\n<|im_end|>\n<|im_start|>tool\n  x<|im_end|>\n<|im_start|>assistant\n";
        assert_eq!(Template::from_go(CHATML).unwrap().render(&messages, &[]).as_deref(), Ok(prompt));
    }

    #[test]
    fn what_is_not_sure_is_refused() {
        let template = Template::from_go(CHATML).unwrap();
        let tool =
            ToolSpec { name: "Read".into(), description: String::new(), parameters: serde_json::Value::Null };
        assert_eq!(template.render(&[message(Role::User, "a")], &[tool]), Err(CannotRender::Tools));
        let call = ToolCall { id: "1".into(), name: "Read".into(), arguments: "{}".into() };
        let calling = ChatMessage { calls: vec![call], ..message(Role::Assistant, "") };
        assert_eq!(template.render(&[calling], &[]), Err(CannotRender::Tools));
        let two = [message(Role::User, "a"), message(Role::User, "b")];
        assert_eq!(template.render(&two, &[]), Err(CannotRender::SameRole));
    }
}
