//! How a request becomes bytes, and bytes a reply: pure in both directions.
//!
//! ```
//! use brimline_core::wire::{Delta, Wire};
//!
//! let mut decoder = Wire::OpenAi.decoder();
//! let deltas = decoder.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n").unwrap();
//! assert_eq!(deltas, vec![Delta::Text("Hi".into())]);
//! assert_eq!(decoder.finish().unwrap().text, "Hi");
//! ```

mod answer;
mod body;
mod catalogue;
mod decoder;
mod error;
mod lines;
mod ollama;
mod openai;
mod rendering;
mod reply;
mod textual_calls;
mod thinking;
mod tokenizing;
mod vocabulary;

pub use catalogue::{
    ModelEntry, ModelShown, RunningModel, lm_studio_models, models, ollama_running, ollama_shown,
    ollama_tags, slot_window,
};
pub use decoder::{Decoder, Delta};
pub use error::{ProviderError, classify};
pub use rendering::Rendering;
pub use reply::{Finish, Reply, Usage};
pub use textual_calls::take_textual_calls;
pub use tokenizing::{TOKENIZE, tokenize, tokenized};
pub use vocabulary::{SHOW, digest, show_vocabulary};

use crate::conversation::{Request, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A way to talk to a model server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wire {
    /// `/v1/chat/completions`, which most servers speak.
    OpenAi,
    /// Ollama's own `/api/chat`.
    Ollama,
}

/// What a request says beside the conversation. What is `None` is not sent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelOptions {
    /// The model's name.
    pub model: String,
    /// How freely it chooses its words.
    pub temperature: Option<f64>,
    /// Ollama's own wire only: the window to load the model with, in tokens. A change reloads the model.
    pub num_ctx: Option<u32>,
    /// Ollama's own wire only: `false` asks it to refuse what does not fit.
    pub truncate: Option<bool>,
    /// Ollama's own wire only: `false` asks it to stop at the window's edge.
    pub shift: Option<bool>,
}

impl Wire {
    /// The path of the chat endpoint, from the server's address.
    pub fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/v1/chat/completions",
            Self::Ollama => "/api/chat",
        }
    }

    /// The body of a request.
    pub fn encode(self, request: &Request, options: &ModelOptions) -> Value {
        match self {
            Self::OpenAi => openai::encode(request, options),
            Self::Ollama => ollama::encode(request, options),
        }
    }

    /// A decoder for the body of one response.
    pub fn decoder(self) -> Decoder {
        Decoder::new(self)
    }
}

/// Tools are described the same way on both wires.
fn tool_bodies(tools: &[ToolSpec]) -> Value {
    let body = |tool: &ToolSpec| {
        json!({
            "type": "function",
            "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters },
        })
    };
    tools.iter().map(body).collect()
}
