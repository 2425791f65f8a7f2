//! Asking llama.cpp's server for the tokens of a text.

use serde_json::{Value, json};

/// The path to ask, from the server's address.
pub const TOKENIZE: &str = "/tokenize";

/// The body to ask with. The text is taken as the server takes a prompt: with a first token, if the model has one, and
/// with special tokens read as such.
pub fn tokenize(text: &str) -> Value {
    json!({ "content": text, "add_special": true, "parse_special": true })
}

/// The number of tokens in the server's answer, or `None` if it is no list of tokens.
pub fn tokenized(body: &str) -> Option<u32> {
    let value: Value = serde_json::from_str(body).ok()?;
    u32::try_from(value.get("tokens")?.as_array()?.len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_list_of_tokens_has_a_number() {
        assert_eq!(tokenized(r#"{"tokens":[88,7866,23902,95]}"#), Some(4));
        assert_eq!(tokenized(r#"{"tokens":[]}"#), Some(0));
        for other in ["", "[]", r#"{"tokens":4}"#, r#"{"error":{"code":404}}"#, "<html>"] {
            assert_eq!(tokenized(other), None, "{other}");
        }
    }
}
