//! What can go wrong with an answer.

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use brimline_core::simulate::Answer;
use futures_util::{StreamExt, stream};
use std::io;

/// A fault of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The connection breaks in the middle of the answer.
    BreaksMidStream,
    /// The body ends in the middle of a piece of JSON, as if that were all.
    HalfJson,
    /// A page instead of an answer.
    Html,
    /// Nothing at all.
    EmptyBody,
    /// A 500 with plain text.
    ErrorText,
    /// No answer, ever.
    Silent,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 6] =
        [Self::BreaksMidStream, Self::HalfJson, Self::Html, Self::EmptyBody, Self::ErrorText, Self::Silent];

    /// Its name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BreaksMidStream => "breaks-mid-stream",
            Self::HalfJson => "half-json",
            Self::Html => "html",
            Self::EmptyBody => "empty-body",
            Self::ErrorText => "error-text",
            Self::Silent => "silent",
        }
    }

    /// The fault of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| fault.name() == name)
    }
}

/// Sends an answer with its fault.
pub(super) fn respond(fault: Fault, answer: Answer) -> Response {
    let streamed = |body: Body| ([(header::CONTENT_TYPE, answer.content_type)], body).into_response();
    let half = answer.chunks.len() / 2;
    let first: Vec<Bytes> = answer.chunks.iter().take(half).cloned().map(Bytes::from).collect();
    match fault {
        Fault::BreaksMidStream => {
            let broken = stream::iter(vec![Err(io::Error::from(io::ErrorKind::ConnectionReset))]);
            streamed(Body::from_stream(stream::iter(first).map(Ok).chain(broken)))
        }
        Fault::HalfJson => {
            let mut bytes: Vec<u8> = answer.chunks.concat();
            bytes.truncate(bytes.len() / 2);
            while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'}')) {
                bytes.pop();
            }
            streamed(Body::from(bytes))
        }
        Fault::Html => {
            let page = "<!doctype html><title>Welcome</title><p>This is a router's login page.";
            ([(header::CONTENT_TYPE, "text/html")], page).into_response()
        }
        Fault::EmptyBody => streamed(Body::empty()),
        Fault::ErrorText => {
            (StatusCode::INTERNAL_SERVER_ERROR, "llama runner process has terminated").into_response()
        }
        Fault::Silent => streamed(Body::from_stream(stream::pending::<Result<Bytes, io::Error>>())),
    }
}
