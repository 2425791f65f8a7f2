//! What a server says about its models, and about the window of each. Pure parsers: bodies in, small structs out.
//!
//! A body that is not what was asked for gives `None`: the page then knows that this server does not speak that way.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelEntry {
    /// Its name, as requests carry it.
    pub name: String,
    /// The window that the server told for it, in tokens, where it told one.
    pub window: Option<u32>,
}

/// A model that Ollama holds in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningModel {
    /// Its name.
    pub name: String,
    /// The window that it was loaded with, in tokens.
    pub window: Option<u32>,
}

/// What Ollama shows of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelShown {
    /// The window that it was trained for, in tokens: a ceiling, and not the window that it has.
    pub trained_window: Option<u32>,
    /// Whether it can be given tools, where the server tells.
    pub tools: Option<bool>,
}

/// `/v1/models`. llama-server tells the window of a slot (`meta.n_ctx`), vLLM `max_model_len`; Ollama tells none.
pub fn models(body: &str) -> Option<Vec<ModelEntry>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let entry = |model: &Value| {
        let window = tokens(model.pointer("/meta/n_ctx"))
            .or_else(|| tokens(model.get("max_model_len")))
            .or_else(|| tokens(model.get("context_window")));
        Some(ModelEntry { name: model.get("id")?.as_str()?.to_owned(), window })
    };
    Some(value.get("data")?.as_array()?.iter().filter_map(entry).collect())
}

/// LM Studio's `/api/v0/models`: its language models, with the window of those that are loaded.
pub fn lm_studio_models(body: &str) -> Option<Vec<ModelEntry>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let is_language_model = |model: &&Value| {
        model.get("type").and_then(Value::as_str).is_none_or(|kind| matches!(kind, "llm" | "vlm"))
    };
    let entry = |model: &Value| {
        let name = model.get("id")?.as_str()?.to_owned();
        Some(ModelEntry { name, window: tokens(model.get("loaded_context_length")) })
    };
    Some(value.get("data")?.as_array()?.iter().filter(is_language_model).filter_map(entry).collect())
}

/// Ollama's `/api/tags`: what has been pulled. The window that some versions give there is the trained one, so it is
/// not taken.
pub fn ollama_tags(body: &str) -> Option<Vec<ModelEntry>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let entry =
        |model: &Value| Some(ModelEntry { name: model.get("name")?.as_str()?.to_owned(), window: None });
    Some(value.get("models")?.as_array()?.iter().filter_map(entry).collect())
}

/// Ollama's `/api/ps`: what is loaded, with the window that was allocated (from version 0.10).
pub fn ollama_running(body: &str) -> Option<Vec<RunningModel>> {
    let value: Value = serde_json::from_str(body).ok()?;
    let running = |model: &Value| {
        let name = model.get("name")?.as_str()?.to_owned();
        Some(RunningModel { name, window: tokens(model.get("context_length")) })
    };
    Some(value.get("models")?.as_array()?.iter().filter_map(running).collect())
}

/// Ollama's `/api/show`.
pub fn ollama_shown(body: &str) -> Option<ModelShown> {
    let value: Value = serde_json::from_str(body).ok()?;
    let info = value.get("model_info")?.as_object()?;
    let trained_window = info
        .iter()
        .find(|(key, _)| key.ends_with(".context_length"))
        .and_then(|(_, value)| tokens(Some(value)));
    let capabilities = value.get("capabilities").and_then(Value::as_array);
    let tools = capabilities.map(|all| all.iter().any(|capability| capability.as_str() == Some("tools")));
    Some(ModelShown { trained_window, tools })
}

/// llama-server's `/props`: the window of one slot, in tokens.
pub fn slot_window(body: &str) -> Option<u32> {
    let value: Value = serde_json::from_str(body).ok()?;
    tokens(value.pointer("/default_generation_settings/n_ctx"))
}

/// A number of tokens; zero says nothing.
fn tokens(value: Option<&Value>) -> Option<u32> {
    value?.as_u64().and_then(|tokens| u32::try_from(tokens).ok()).filter(|&tokens| tokens > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, window: Option<u32>) -> ModelEntry {
        ModelEntry { name: name.into(), window }
    }

    #[test]
    fn every_catalogue_tells_what_it_knows() {
        assert_eq!(
            models(
                r#"{"data":[{"id":"a","meta":{"n_ctx":1024}},{"id":"b","max_model_len":8192},{"id":"c"},{}]}"#
            ),
            Some(vec![entry("a", Some(1_024)), entry("b", Some(8_192)), entry("c", None)])
        );
        assert_eq!(
            lm_studio_models(
                r#"{"data":[{"id":"a","type":"llm","loaded_context_length":4096,"max_context_length":32768},{"id":"e","type":"embeddings"}]}"#
            ),
            Some(vec![entry("a", Some(4_096))])
        );
        assert_eq!(
            ollama_tags(r#"{"models":[{"name":"a:7b","details":{"context_length":8192}}]}"#),
            Some(vec![entry("a:7b", None)])
        );
        assert_eq!(
            ollama_running(r#"{"models":[{"name":"a:7b","context_length":4096},{"name":"old"}]}"#),
            Some(vec![
                RunningModel { name: "a:7b".into(), window: Some(4_096) },
                RunningModel { name: "old".into(), window: None },
            ])
        );
        assert_eq!(
            ollama_shown(r#"{"model_info":{"llama.context_length":8192},"capabilities":["completion"]}"#),
            Some(ModelShown { trained_window: Some(8_192), tools: Some(false) })
        );
        assert_eq!(slot_window(r#"{"default_generation_settings":{"n_ctx":1024}}"#), Some(1_024));
    }

    #[test]
    fn anything_else_is_not_a_catalogue() {
        for body in ["", "<html>", "[]", "null", "{}", r#"{"data":{}}"#, r#"{"models":7}"#] {
            assert_eq!(models(body), None, "{body}");
            assert_eq!(ollama_tags(body), None, "{body}");
            assert_eq!(ollama_running(body), None, "{body}");
            assert_eq!(ollama_shown(body), None, "{body}");
            assert_eq!(slot_window(body), None, "{body}");
        }
    }
}
