//! What the reader set, as it is kept between visits. The API key is not among it: that stays in memory.

use brimline_core::policy::ContextPolicy;
use brimline_core::simulate::Face;
use serde::{Deserialize, Serialize};

/// Which server answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerKind {
    /// The one inside the page, which needs nothing.
    #[default]
    Simulated,
    /// One over HTTP.
    Server,
}

/// The knobs of the simulated server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SimulatedSettings {
    /// Its real window, in tokens.
    pub window: u32,
    /// Which server it is like: that says what it does when a conversation doesn't fit.
    pub face: Face,
    /// Its model.
    pub model: String,
}

/// Everything that is kept between visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Which server answers.
    pub server_kind: ServerKind,
    /// The address of the HTTP server, as typed.
    pub server_url: String,
    /// The model to ask the HTTP server for.
    pub model: String,
    /// The window that the user set, in tokens; it is of the server that is connected.
    pub window_set: Option<u32>,
    /// The window that Ollama is asked to load the model with, in tokens (`num_ctx`); `None` leaves it to the server.
    pub num_ctx: Option<u32>,
    /// The server may be silent for so long, in seconds.
    pub time_limit: u32,
    /// The numbers of the three steps.
    pub policy: ContextPolicy,
    /// The knobs of the simulated server.
    pub simulated: SimulatedSettings,
}

/// The name under which the browser keeps them.
pub(super) const STORED_AS: &str = "brimline.settings";

impl Default for Settings {
    fn default() -> Self {
        Self {
            server_kind: ServerKind::default(),
            server_url: "http://localhost:11434".into(),
            model: String::new(),
            window_set: None,
            num_ctx: None,
            // Loading a large model from a slow disk takes a minute or two before the first byte.
            time_limit: 180,
            policy: ContextPolicy::default(),
            simulated: SimulatedSettings::default(),
        }
    }
}

impl Settings {
    /// The name of the model that answers: it tells the family of its tokenizer.
    pub fn model_name(&self) -> &str {
        match self.server_kind {
            ServerKind::Simulated => &self.simulated.model,
            ServerKind::Server => &self.model,
        }
    }

    /// Asks another model of the same server from now on.
    pub fn set_model(&mut self, model: &str) {
        match self.server_kind {
            ServerKind::Simulated => model.clone_into(&mut self.simulated.model),
            ServerKind::Server => model.clone_into(&mut self.model),
        }
    }
}

impl Default for SimulatedSettings {
    fn default() -> Self {
        Self { window: 4_096, face: Face::Ollama033, model: "reader:7b".into() }
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn an_older_or_partial_form_keeps_what_it_has() {
        let kept: Settings =
            serde_json::from_str(r#"{"model":"qwen3:4b","policy":{"max_turns":7}}"#).unwrap();
        assert_eq!(
            kept,
            Settings {
                model: "qwen3:4b".into(),
                policy: ContextPolicy { max_turns: 7, ..ContextPolicy::default() },
                ..Settings::default()
            }
        );
    }
}
