//! What a server can be asked beside answering: to load a model, how large the model's window could be, and to refuse what
//! doesn't fit. Each is found out by asking; no version tells.

use super::{ModelServer, ask_with};
use crate::conversation::{ChatMessage, Purpose, Request, Role};
use crate::wire::{ModelOptions, ModelShown, ProviderError, Wire, classify, ollama_shown};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A window is tried out only up to this size, in tokens: a server that ignores the wish reads half of it.
const LARGEST_TRIED: u32 = 32_768;

/// So many words more than the window has tokens.
const BEYOND: u32 = 64;

/// Has Ollama load the model, with the window that the options ask for. It answers when it is loaded, which takes from a
/// second to minutes; whoever doesn't want to wait drops the future.
///
/// # Errors
/// Whatever kept the server from loading it.
pub async fn load_model(server: &impl ModelServer, options: &ModelOptions) -> Result<(), ProviderError> {
    let request = Request { purpose: Purpose::Turn, messages: Vec::new(), tools: Vec::new(), max_tokens: 1 };
    let mut body = Wire::Ollama.encode(&request, options);
    in_one_piece(&mut body);
    let (status, text) = ask_with(server, Wire::Ollama.path(), body.to_string()).await?;
    if status == 200 { Ok(()) } else { Err(classify(status, &text, &options.model)) }
}

/// What Ollama shows of a model: among it the window that it was trained for, which is a ceiling and not its window.
pub async fn shown_model(server: &impl ModelServer, model: &str) -> Option<ModelShown> {
    let (status, body) = ask_with(server, "/api/show", json!({ "model": model }).to_string()).await.ok()?;
    if status == 200 { ollama_shown(&body) } else { None }
}

/// Whether Ollama refuses, when it is asked to, what is larger than its window: `None` where that can't be found out at
/// a fair price. One request that is too large for sure, with one token for the answer.
pub async fn refuses(server: &impl ModelServer, options: &ModelOptions, window: u32) -> Option<bool> {
    if window > LARGEST_TRIED {
        return None;
    }
    // A number takes a token at least, with every tokenizer.
    let mut text = String::new();
    for number in 0..window.saturating_add(BEYOND) {
        let _ = write!(text, "{number} ");
    }
    // The message before is what a server would drop; the request itself fits.
    let message =
        |role, text| ChatMessage { role, text, calls: Vec::new(), answers: None, sources: Vec::new() };
    let messages = vec![
        message(Role::User, text),
        message(Role::Assistant, "Go on.".to_owned()),
        message(Role::User, "Say yes.".to_owned()),
    ];
    let request = Request { purpose: Purpose::Turn, messages, tools: Vec::new(), max_tokens: 1 };
    let options = ModelOptions { truncate: Some(false), shift: Some(false), ..options.clone() };
    let mut body = Wire::Ollama.encode(&request, &options);
    in_one_piece(&mut body);
    let (status, text) = ask_with(server, Wire::Ollama.path(), body.to_string()).await.ok()?;
    match (status, classify(status, &text, &options.model)) {
        (200, _) => Some(false),
        (_, ProviderError::ContextRefused { .. }) => Some(true),
        (_, _) => None,
    }
}

/// Asks for an answer that is no stream.
fn in_one_piece(body: &mut Value) {
    if let Value::Object(fields) = body {
        fields.insert("stream".into(), json!(false));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Instant;
    use super::super::{Asks, Simulated, connect, told_window};
    use super::*;
    use crate::simulate::Face;
    use pollster::block_on;
    use std::rc::Rc;

    fn server(face: Face) -> Simulated<Instant> {
        Simulated::new(face, 1_024, Rc::new(Instant))
    }

    fn options() -> ModelOptions {
        ModelOptions { model: "reader:7b".into(), ..ModelOptions::default() }
    }

    #[test]
    fn only_those_that_know_the_wish_refuse() {
        let asked = [Face::Ollama033, Face::Ollama012, Face::Ollama03, Face::Blind, Face::Proxy]
            .map(|face| block_on(refuses(&server(face), &options(), 1_024)));
        // A proxy hasn't even the endpoint.
        assert_eq!(asked, [Some(true), Some(true), Some(false), Some(false), None]);
        assert_eq!(block_on(refuses(&server(Face::Ollama033), &options(), 100_000)), None);
    }

    #[test]
    fn a_loaded_model_tells_the_window_that_it_was_loaded_with() {
        let server = server(Face::Ollama033);
        let found = block_on(connect(&server)).unwrap();
        assert_eq!(block_on(told_window(&server, &found, "reader:7b")), None);
        let wider = ModelOptions { num_ctx: Some(2_048), ..options() };
        block_on(load_model(&server, &wider)).unwrap();
        assert_eq!(block_on(told_window(&server, &found, "reader:7b")), Some(2_048));
        assert_eq!(block_on(server.ask("/api/ps")).unwrap().0, 200);
        let missing = ModelOptions { model: "nobody:1b".into(), ..options() };
        assert_eq!(
            block_on(load_model(&server, &missing)),
            Err(ProviderError::ModelMissing { model: "nobody:1b".into() })
        );
    }

    #[test]
    fn the_trained_window_is_shown_by_ollama_alone() {
        let shown = |face| block_on(shown_model(&server(face), "reader:7b"));
        assert!(shown(Face::Ollama033).unwrap().trained_window.is_some());
        assert_eq!(shown(Face::LlamaServer), None);
    }
}
