//! Why a call of the model failed.

use serde::{Deserialize, Serialize};
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
