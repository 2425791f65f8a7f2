//! Asking a server for the prompt that it makes of a request, without having it answered.

use super::{ModelOptions, Wire};
use crate::conversation::Request;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A way in which a server shows the prompt that it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rendering {
    /// Ollama's undocumented `_debug_render_only`: the prompt after messages were dropped.
    DebugRender,
    /// llama-server's `/apply-template`: the prompt before anything could be dropped (that server refuses instead).
    ApplyTemplate,
}

impl Rendering {
    /// The path to ask, from the server's address.
    pub fn path(self) -> &'static str {
        match self {
            Self::DebugRender => Wire::Ollama.path(),
            Self::ApplyTemplate => "/apply-template",
        }
    }

    /// The body to ask with: the request just as it would be sent. A server that doesn't know the field would answer
    /// it, so one token is all that it may write.
    pub fn encode(self, request: &Request, options: &ModelOptions) -> Value {
        let request = Request { max_tokens: 1, ..request.clone() };
        let (wire, field) = match self {
            Self::DebugRender => (Wire::Ollama, Some("_debug_render_only")),
            Self::ApplyTemplate => (Wire::OpenAi, None),
        };
        let mut body = wire.encode(&request, options);
        if let Value::Object(fields) = &mut body {
            fields.insert("stream".into(), json!(false));
            fields.remove("stream_options");
            fields.extend(field.map(|field| (field.to_owned(), json!(true))));
        }
        body
    }

    /// The prompt in the server's answer, or `None` if there is none in it.
    pub fn prompt(self, body: &str) -> Option<String> {
        let value: Value = serde_json::from_str(body).ok()?;
        let prompt = match self {
            Self::DebugRender => value.pointer("/_debug_info/rendered_template"),
            Self::ApplyTemplate => value.get("prompt"),
        };
        Some(prompt?.as_str()?.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{ChatMessage, Purpose, Role};

    #[test]
    fn the_request_goes_as_it_is_but_is_not_answered() {
        let hello = ChatMessage {
            role: Role::User,
            text: "Hello".into(),
            calls: Vec::new(),
            answers: None,
            sources: Vec::new(),
        };
        let request =
            Request { purpose: Purpose::Turn, messages: vec![hello], tools: Vec::new(), max_tokens: 900 };
        let options = ModelOptions { model: "m".into(), num_ctx: Some(4_096), ..ModelOptions::default() };
        let messages = json!([{ "role": "user", "content": "Hello" }]);
        assert_eq!(
            Rendering::DebugRender.encode(&request, &options),
            json!({
                "model": "m", "messages": messages, "stream": false, "_debug_render_only": true,
                "options": { "num_predict": 1, "num_ctx": 4_096 },
            })
        );
        assert_eq!(
            Rendering::ApplyTemplate.encode(&request, &options),
            json!({ "model": "m", "messages": messages, "stream": false, "max_tokens": 1 })
        );
    }

    #[test]
    fn only_an_answer_with_a_prompt_in_it_is_one() {
        let debug = r#"{"model":"m","_debug_info":{"rendered_template":"<|user|>Hello"}}"#;
        let told = Some("<|user|>Hello".to_owned());
        assert_eq!(Rendering::DebugRender.prompt(debug), told);
        assert_eq!(Rendering::ApplyTemplate.prompt(r#"{"prompt":"<|user|>Hello"}"#), told);
        for other in ["", "[]", r#"{"prompt":7}"#, r#"{"message":{"content":"Hi"},"done":true}"#] {
            assert_eq!(Rendering::DebugRender.prompt(other), None, "{other}");
            assert_eq!(Rendering::ApplyTemplate.prompt(other), None, "{other}");
        }
    }
}
