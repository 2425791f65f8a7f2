//! Why a call of the model failed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// Why a call failed. Each has one cause and one thing to do, which the page says in the reader's language.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum ProviderError {
    /// Nothing answered at that address.
    #[error("nothing answers at {url}")]
    Unreachable {
        /// The address that was tried.
        url: String,
    },
    /// Something answers there, but not to this page: the server does not allow its origin.
    #[error("the server does not accept requests from {origin}")]
    OriginRefused {
        /// This page's origin.
        origin: String,
    },
    /// The server does not have the model.
    #[error("the server does not have the model {model}")]
    ModelMissing {
        /// The model that was asked for.
        model: String,
    },
    /// The model can't be given tools.
    #[error("the model does not support tools")]
    ToolsUnsupported,
    /// The server honestly refused a conversation that does not fit.
    #[error("the conversation does not fit: {prompt_tokens:?} tokens in a window of {window:?}")]
    ContextRefused {
        /// The prompt's size in tokens, where the server said it.
        prompt_tokens: Option<u32>,
        /// The server's window in tokens, where the server said it.
        window: Option<u32>,
    },
    /// The server wants a key, or another one.
    #[error("the server wants a key")]
    Unauthorized,
    /// The server answered with an error of its own.
    #[error("the server answered {status}: {text}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// The start of what it said.
        text: String,
    },
    /// The server reported an error in the middle of its answer.
    #[error("the server stopped with an error: {text}")]
    InStream {
        /// What it said.
        text: String,
    },
    /// The answer is not in the form of a model server.
    #[error("the answer is not one of a model server: {text}")]
    NotAModelServer {
        /// The start of what came instead.
        text: String,
    },
    /// The connection closed before the answer was whole.
    #[error("the connection closed before the answer was whole")]
    Closed,
    /// The server said nothing for too long.
    #[error("the server said nothing for {seconds} seconds")]
    TimedOut {
        /// The limit that the user set, in seconds.
        seconds: u32,
    },
}

/// So much of what a server said is shown, in characters.
const SHOWN: usize = 300;

/// Why an unsuccessful response failed, from its HTTP status and its body. `model` is the one that was asked for.
pub fn classify(status: u16, body: &str, model: &str) -> ProviderError {
    let value = serde_json::from_str::<Value>(body).ok();
    let told = value.as_ref().and_then(error_in);
    match (status, told) {
        (_, Some(error @ (ProviderError::ContextRefused { .. } | ProviderError::ToolsUnsupported))) => error,
        (401, _) => ProviderError::Unauthorized,
        (404, Some(error)) if error.told().contains("model") => {
            ProviderError::ModelMissing { model: model.to_owned() }
        }
        (_, Some(error)) => ProviderError::Status { status, text: error.told() },
        (_, None) => ProviderError::Status { status, text: shortened(body.trim()) },
    }
}

/// The error that a body carries, if it carries one: an object or a text under `error`, or a text under `detail` or
/// `message` beside `object: "error"` (vLLM's form).
pub(super) fn error_in(value: &Value) -> Option<ProviderError> {
    let error = match value.get("error") {
        Some(Value::Null) | None if value.get("object").and_then(Value::as_str) == Some("error") => value,
        Some(Value::Null) | None => return None,
        Some(error) => error,
    };
    let message = error.as_str().or_else(|| error.get("message").and_then(Value::as_str));
    let text = message.map_or_else(|| error.to_string(), str::to_owned);
    // Ollama hands the error of the server behind it through as JSON text within its own.
    if let Some(inner) = serde_json::from_str::<Value>(&text).ok().as_ref().and_then(error_in) {
        return Some(inner);
    }
    if let Some(refused) = refused_context(error, &text) {
        return Some(refused);
    }
    if text.contains("does not support tools") {
        return Some(ProviderError::ToolsUnsupported);
    }
    Some(ProviderError::InStream { text: shortened(&text) })
}

/// Whether an error says that the conversation does not fit, with the numbers where it gives them.
fn refused_context(error: &Value, text: &str) -> Option<ProviderError> {
    let field =
        |name: &str| error.get(name).and_then(Value::as_u64).and_then(|tokens| u32::try_from(tokens).ok());
    let kind = |name: &str| error.get(name).and_then(Value::as_str);
    let (mut prompt_tokens, mut window) = (field("n_prompt_tokens"), field("n_ctx"));
    let lower = text.to_lowercase();
    let says_so = kind("type") == Some("exceed_context_size_error")
        || kind("code") == Some("context_length_exceeded")
        || lower.contains("maximum context length")
        || lower.contains("exceeds the available context size")
        || lower.contains("exceeds the context length")
        || lower.contains("longer than the context length");
    if !says_so {
        return None;
    }
    // vLLM and OpenAI say it in words: "maximum context length is 4096 tokens … resulted in 6378 tokens".
    let mut numbers =
        lower.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
    if lower.contains("maximum context length is") {
        window = window.or_else(|| numbers.next());
        prompt_tokens = prompt_tokens.or_else(|| numbers.find(|tokens| Some(*tokens) > window));
    }
    Some(ProviderError::ContextRefused { prompt_tokens, window })
}

impl ProviderError {
    /// What the server said of it, where it said something.
    pub(super) fn told(&self) -> String {
        match self {
            Self::InStream { text } | Self::Status { text, .. } | Self::NotAModelServer { text } => {
                text.clone()
            }
            Self::Unreachable { .. }
            | Self::OriginRefused { .. }
            | Self::ModelMissing { .. }
            | Self::ToolsUnsupported
            | Self::ContextRefused { .. }
            | Self::Unauthorized
            | Self::Closed
            | Self::TimedOut { .. } => self.to_string(),
        }
    }
}

/// The start of a text, on one line.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_gives_its_numbers() {
        let plain = r#"{"error":{"code":400,"message":"request (6378 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":6378,"n_ctx":4096}}"#;
        let within = serde_json::json!({ "error": plain }).to_string();
        let within_twice =
            serde_json::json!({ "error": { "message": plain, "type": "invalid_request_error" } }).to_string();
        let words = r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 6378 tokens in the messages.","code":400}"#;
        for body in [plain, &within, &within_twice, words] {
            assert_eq!(
                classify(400, body, "m"),
                ProviderError::ContextRefused { prompt_tokens: Some(6_378), window: Some(4_096) },
                "{body}"
            );
        }
        let without = r#"{"error":"the input length exceeds the context length"}"#;
        assert_eq!(
            classify(400, without, "m"),
            ProviderError::ContextRefused { prompt_tokens: None, window: None }
        );
    }

    #[test]
    fn every_failure_has_one_cause() {
        let status = |status, text: &str| ProviderError::Status { status, text: text.into() };
        let cases = [
            (404, r#"{"error":"model 'm' not found"}"#, ProviderError::ModelMissing { model: "m".into() }),
            (
                404,
                r#"{"error":{"message":"model 'm' not found","type":"not_found_error","param":null,"code":null}}"#,
                ProviderError::ModelMissing { model: "m".into() },
            ),
            (404, "404 page not found", status(404, "404 page not found")),
            (400, r#"{"error":"registry/m does not support tools"}"#, ProviderError::ToolsUnsupported),
            (401, "", ProviderError::Unauthorized),
            (500, "out of\n  luck", status(500, "out of luck")),
            (400, r#"{"error":"unexpected EOF"}"#, status(400, "unexpected EOF")),
            (502, "", status(502, "")),
            (200, r#"{"error":{"code":7}}"#, status(200, r#"{"code":7}"#)),
        ];
        for (code, body, error) in cases {
            assert_eq!(classify(code, body, "m"), error, "{body}");
        }
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(shortened(&"é".repeat(1_000)).chars().count(), SHOWN + 1);
    }
}
