//! What the simulated server sends back.

use serde_json::Value;

/// A response: the body in the pieces in which it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The `Content-Type`.
    pub content_type: &'static str,
    /// The body, piece by piece: a model writes one after the other.
    pub chunks: Vec<Vec<u8>>,
}

pub(super) const JSON: &str = "application/json; charset=utf-8";

impl Answer {
    pub(super) fn json(status: u16, body: &Value) -> Self {
        Self { status, content_type: JSON, chunks: vec![body.to_string().into_bytes()] }
    }

    pub(super) fn text(status: u16, body: &str) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", chunks: vec![body.as_bytes().to_vec()] }
    }
}
