//! A model server over HTTP.
//!
//! A page sees a refused origin, a closed port and a broken connection all as the same "failed to fetch". So when a request
//! fails this asks once more in a way that needs no permission (`no-cors`): if that doesn't come through, nobody is there.
//! Then it asks in the way that needs this page's origin to be allowed: if that doesn't come through, it is refused.

use brimline_core::driver::{Asks, Bytes, ModelServer, Response};
use brimline_core::wire::ProviderError;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use gloo_net::http::{Method, RequestBuilder};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::window;
use std::pin::pin;
use wasm_bindgen::JsCast;
use web_sys::{AbortController, RequestMode};

/// How long a question about the server itself (is it up, what models has it) may take, in milliseconds.
const PATIENCE: u32 = 5_000;

/// Where a server is, and what it wants to let us in.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpServer {
    /// Its address without a slash at the end.
    pub base_url: String,
    /// The key for `Authorization: Bearer`, if it wants one. Kept in memory only.
    pub api_key: Option<String>,
}

/// Aborts the request when it is dropped: a server stops generating when nobody reads any more.
struct AbortOnDrop(Option<AbortController>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

impl ModelServer for HttpServer {
    async fn post(&self, path: &str, body: String) -> Result<Response, ProviderError> {
        self.send(Method::POST, path, Some(body)).await
    }
}

impl Asks for HttpServer {
    async fn ask(&self, path: &str) -> Result<(u16, String), ProviderError> {
        let answer = pin!(async {
            let mut response = self.send(Method::GET, path, None).await?;
            let mut bytes = Vec::new();
            while let Some(chunk) = response.chunks.next().await {
                bytes.extend(chunk?);
            }
            Ok((response.status, String::from_utf8_lossy(&bytes).into_owned()))
        });
        match select(answer, TimeoutFuture::new(PATIENCE)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(((), _)) => Err(ProviderError::TimedOut { seconds: PATIENCE / 1_000 }),
        }
    }
}

impl HttpServer {
    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<Response, ProviderError> {
        let url = format!("{}{path}", self.base_url);
        let controller = AbortController::new().ok();
        let signal = controller.as_ref().map(AbortController::signal);
        let guard = AbortOnDrop(controller);
        let request = RequestBuilder::new(&url).method(method).abort_signal(signal.as_ref());
        let request = self.with_key(request);
        let request = match body {
            Some(body) => request.header("Content-Type", "application/json").body(body),
            None => request.build(),
        };
        let unreachable = || ProviderError::Unreachable { url: self.base_url.clone() };
        let response = match request.map_err(|_| unreachable())?.send().await {
            Ok(response) => response,
            Err(_) => return Err(self.why_failed().await),
        };
        Ok(Response { status: response.status(), chunks: chunks(response.body(), guard) })
    }

    /// Tells a server that isn't there from one that refuses this origin, and from one that broke the connection off.
    async fn why_failed(&self) -> ProviderError {
        let knock = RequestBuilder::new(&self.base_url).mode(RequestMode::NoCors);
        if !comes_through(knock).await {
            return ProviderError::Unreachable { url: self.base_url.clone() };
        }
        // With the headers of a real request, so that the browser asks the server for the same leave.
        let probe = RequestBuilder::new(&format!("{}/v1/models", self.base_url));
        let probe = self.with_key(probe).header("Content-Type", "application/json");
        if comes_through(probe).await {
            return ProviderError::Closed;
        }
        ProviderError::OriginRefused { origin: window().location().origin().unwrap_or_default() }
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        match self.api_key.as_deref().filter(|key| !key.is_empty()) {
            Some(key) => request.header("Authorization", &format!("Bearer {key}")),
            None => request,
        }
    }
}

/// Whether anything answers this in time.
async fn comes_through(request: RequestBuilder) -> bool {
    let controller = AbortController::new().ok();
    let signal = controller.as_ref().map(AbortController::signal);
    let _guard = AbortOnDrop(controller);
    let answer = request.abort_signal(signal.as_ref()).send();
    match select(pin!(answer), TimeoutFuture::new(PATIENCE)).await {
        Either::Left((answer, _)) => answer.is_ok(),
        Either::Right(((), _)) => false,
    }
}

/// The chunks of a body. Dropping the stream aborts the request.
fn chunks(body: Option<web_sys::ReadableStream>, guard: AbortOnDrop) -> Bytes {
    let Some(body) = body else { return futures_util::stream::empty().boxed_local() };
    wasm_streams::ReadableStream::from_raw(body.unchecked_into())
        .into_stream()
        .map(move |chunk| {
            let _whole_request = &guard;
            match chunk.map(|chunk| chunk.dyn_into::<js_sys::Uint8Array>()) {
                Ok(Ok(bytes)) => Ok(bytes.to_vec()),
                Ok(Err(_)) | Err(_) => Err(ProviderError::Closed),
            }
        })
        .boxed_local()
}
