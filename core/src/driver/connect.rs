//! What a server tells about itself: which wire it speaks, which models it has, how large their windows are.

use crate::wire::{
    ModelEntry, ProviderError, Wire, classify, lm_studio_models, models, ollama_running, ollama_tags,
    slot_window,
};

/// Something that answers questions about itself.
pub trait Asks {
    /// Asks with GET, and gives status and body of the answer.
    fn ask(&self, path: &str) -> impl Future<Output = Result<(u16, String), ProviderError>>;
}

/// A server that answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Connected {
    /// The wire that it speaks.
    pub wire: Wire,
    /// Its models, with their windows where it tells them.
    pub models: Vec<ModelEntry>,
}

/// Asks a server for its models: in Ollama's own way first, since Ollama speaks both and tells more that way.
pub async fn connect(server: &impl Asks) -> Result<Connected, ProviderError> {
    let (status, body) = server.ask("/api/tags").await?;
    if let (200, Some(models)) = (status, ollama_tags(&body)) {
        return Ok(Connected { wire: Wire::Ollama, models });
    }
    // LM Studio alone has this one, and only here it tells the window with which a model is loaded.
    let (status, body) = server.ask("/api/v0/models").await?;
    if let (200, Some(models)) = (status, lm_studio_models(&body)) {
        return Ok(Connected { wire: Wire::OpenAi, models });
    }
    let (status, body) = server.ask("/v1/models").await?;
    match (status, models(&body)) {
        (200, Some(models)) => Ok(Connected { wire: Wire::OpenAi, models }),
        (200, None) => Err(ProviderError::NotAModelServer { text: body.chars().take(200).collect() }),
        (status, _) => Err(classify(status, &body, "")),
    }
}

/// The window that the server tells for a model, in tokens: for Ollama that of a *loaded* model, so it is asked again
/// after a call. A server that doesn't tell, or fails, tells nothing.
pub async fn told_window(server: &impl Asks, connected: &Connected, model: &str) -> Option<u32> {
    match connected.wire {
        Wire::Ollama => {
            let (_, body) = server.ask("/api/ps").await.ok()?;
            ollama_running(&body)?.into_iter().find(|loaded| same_model(&loaded.name, model))?.window
        }
        Wire::OpenAi => {
            let known =
                connected.models.iter().find(|known| known.name == model).and_then(|known| known.window);
            if known.is_some() {
                return known;
            }
            let (_, body) = server.ask("/props").await.ok()?;
            slot_window(&body)
        }
    }
}

/// Ollama fills a missing tag in: `qwen3` is `qwen3:latest`.
fn same_model(one: &str, other: &str) -> bool {
    let whole = |name: &str| if name.contains(':') { name.to_owned() } else { format!("{name}:latest") };
    whole(one) == whole(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    struct Pages(&'static [(&'static str, &'static str)]);

    impl Asks for Pages {
        async fn ask(&self, path: &str) -> Result<(u16, String), ProviderError> {
            let page = self.0.iter().find(|(known, _)| *known == path);
            Ok(page.map_or((404, "404 page not found".to_owned()), |(_, body)| (200, (*body).to_owned())))
        }
    }

    fn connect_and_ask(
        pages: &'static [(&'static str, &'static str)],
        model: &str,
    ) -> (Connected, Option<u32>) {
        let server = Pages(pages);
        let connected = connect(&server).now_or_never().unwrap().unwrap();
        let window = told_window(&server, &connected, model).now_or_never().unwrap();
        (connected, window)
    }

    fn model(name: &str, window: Option<u32>) -> ModelEntry {
        ModelEntry { name: name.into(), window }
    }

    #[test]
    fn ollama_tells_the_window_of_a_loaded_model() {
        let pages = &[
            ("/api/tags", r#"{"models":[{"name":"qwen3:latest"},{"name":"smol:135m"}]}"#),
            ("/v1/models", r#"{"object":"list","data":[{"id":"qwen3:latest"}]}"#),
            ("/api/ps", r#"{"models":[{"name":"qwen3:latest","context_length":4096}]}"#),
        ];
        let connected = Connected {
            wire: Wire::Ollama,
            models: vec![model("qwen3:latest", None), model("smol:135m", None)],
        };
        assert_eq!(connect_and_ask(pages, "qwen3"), (connected.clone(), Some(4_096)));
        assert_eq!(connect_and_ask(pages, "smol:135m"), (connected, None));
    }

    #[test]
    fn others_tell_it_in_their_catalogue_or_their_props() {
        let vllm = &[("/v1/models", r#"{"data":[{"id":"m","max_model_len":32768}]}"#)];
        let models = vec![model("m", Some(32_768))];
        assert_eq!(connect_and_ask(vllm, "m"), (Connected { wire: Wire::OpenAi, models }, Some(32_768)));
        let llama = &[
            ("/v1/models", r#"{"data":[{"id":"m.gguf"}]}"#),
            ("/props", r#"{"default_generation_settings":{"n_ctx":1024}}"#),
        ];
        let models = vec![model("m.gguf", None)];
        assert_eq!(connect_and_ask(llama, "m.gguf"), (Connected { wire: Wire::OpenAi, models }, Some(1_024)));
    }

    #[test]
    fn a_page_that_is_no_model_server_is_called_that() {
        let server = Pages(&[("/v1/models", "<html>It works!</html>")]);
        let refused = connect(&server).now_or_never().unwrap();
        assert_eq!(refused, Err(ProviderError::NotAModelServer { text: "<html>It works!</html>".into() }));
    }
}
