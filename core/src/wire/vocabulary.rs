//! Asking Ollama for a model's vocabulary.

use serde_json::{Value, json};

/// The path to ask, from the server's address.
pub const SHOW: &str = "/api/show";

/// The body to ask with. The answer is of megabytes.
pub fn show_vocabulary(model: &str) -> Value {
    json!({ "model": model, "verbose": true })
}

/// The digest of a model, from the body of `/api/tags`: two models of one digest have one vocabulary.
pub fn digest(tags: &str, model: &str) -> Option<String> {
    let value: Value = serde_json::from_str(tags).ok()?;
    let of = |model: &Value, name: &str| Some(model.get(name)?.as_str()?.to_owned());
    let models = value.get("models")?.as_array()?.iter();
    let named = |name: &str| models.clone().find(|entry| of(entry, "name").as_deref() == Some(name));
    of(named(model).or_else(|| named(&format!("{model}:latest")))?, "digest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_with_its_tag_or_without() {
        let tags =
            r#"{"models":[{"name":"a:latest","digest":"1f"},{"name":"b:7b","digest":"2e"},{"name":"c:1b"}]}"#;
        for (model, found) in
            [("a", Some("1f")), ("a:latest", Some("1f")), ("b:7b", Some("2e")), ("b", None), ("c:1b", None)]
        {
            assert_eq!(digest(tags, model).as_deref(), found, "{model}");
        }
        assert_eq!(digest("<html>", "a"), None);
    }
}
