//! Drives a run against a server over HTTP, with the tools on a workspace in memory: what the page does, without a page.
//! The driver is the page's own.

use brimline_core::check::Check;
use brimline_core::conversation::{Request, ToolCall};
use brimline_core::driver::{
    Asks, Call, CallEnd, Checked, Clock, Connected, ModelServer, PromptSource, Response, Stop, World,
    call_model, check_server, drive, read_prompt, tokens_by_server,
};
use brimline_core::run::Run;
use brimline_core::tools::{self, ToolOutcome};
use brimline_core::wire::{Delta, ModelOptions, ProviderError, Rendering, Wire};
use brimline_core::workspace::MemoryWorkspace;
use brimline_exact::Counter;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;

/// A server over HTTP.
#[derive(Debug, Clone)]
pub struct HttpServer {
    http: reqwest::Client,
    url: String,
}

/// How to talk to it.
#[derive(Debug, Clone)]
pub struct Client {
    /// The server.
    pub server: HttpServer,
    /// The wire that it speaks.
    pub wire: Wire,
    /// What every request says beside the conversation.
    pub options: ModelOptions,
    /// How it shows the prompts that it makes.
    pub rendering: Option<Rendering>,
    /// How prompts are counted before they are sent, if they are.
    pub counting: Option<Counting>,
}

/// A way to count prompts exactly.
#[derive(Debug, Clone)]
pub enum Counting {
    /// The server counts.
    ByServer,
    /// With the vocabulary that the server handed out.
    ByVocabulary(Arc<Counter>),
}

/// The time of the machine.
struct Tokio;

/// What a run needs: a server to call, and files to read.
pub struct OverHttp<'a> {
    client: &'a Client,
    workspace: &'a MemoryWorkspace,
    stop: Stop,
}

impl HttpServer {
    /// The server at that address.
    pub fn new(url: String) -> Self {
        Self { http: reqwest::Client::new(), url }
    }

    fn unreachable(&self) -> ProviderError {
        ProviderError::Unreachable { url: self.url.clone() }
    }
}

impl ModelServer for HttpServer {
    async fn post(&self, path: &str, body: String) -> Result<Response, ProviderError> {
        let post = self.http.post(format!("{}{path}", self.url)).header("Content-Type", "application/json");
        let response = post.body(body).send().await.map_err(|_| self.unreachable())?;
        let status = response.status().as_u16();
        let chunks = response.bytes_stream().map(|chunk| match chunk {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(_) => Err(ProviderError::Closed),
        });
        Ok(Response { status, chunks: chunks.boxed_local() })
    }
}

impl Asks for HttpServer {
    async fn ask(&self, path: &str) -> Result<(u16, String), ProviderError> {
        let get = self.http.get(format!("{}{path}", self.url));
        let response = get.send().await.map_err(|_| self.unreachable())?;
        let status = response.status().as_u16();
        Ok((status, response.text().await.map_err(|_| ProviderError::Closed)?))
    }
}

impl Clock for Tokio {
    async fn sleep(&self, milliseconds: u32) {
        tokio::time::sleep(Duration::from_millis(milliseconds.into())).await;
    }

    async fn breathe(&self) {}
}

impl World for OverHttp<'_> {
    async fn call(&self, request: &Request, on_delta: &mut dyn FnMut(&Delta)) -> CallEnd {
        let Client { server, wire, options, .. } = self.client;
        let call = Call { wire: *wire, options: options.clone(), time_limit: 60 };
        call_model(server, &Tokio, &self.stop, &call, request, on_delta).await
    }

    async fn count_prompt(&self, request: &Request) -> Option<u32> {
        let Client { server, options, rendering, counting, .. } = self.client;
        let counting = counting.as_ref()?;
        let source = PromptSource { template: None, rendering: *rendering };
        let prompt = source.whole_prompt(server, options, request).await?;
        match counting {
            Counting::ByServer => tokens_by_server(server, &prompt).await,
            Counting::ByVocabulary(counter) => Some(counter.prompt(&prompt)),
        }
    }

    async fn read_prompt(&self, request: &Request) -> Option<String> {
        let Client { server, options, rendering, .. } = self.client;
        read_prompt(server, (*rendering)?, options, request).await
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        tools::run(call, self.workspace).await
    }
}

impl Client {
    /// Talks to the server at `url` on one wire.
    pub fn new(url: String, wire: Wire, options: ModelOptions) -> Self {
        Self { server: HttpServer::new(url), wire, options, rendering: None, counting: None }
    }

    /// What a run with these files needs.
    pub fn world<'a>(&'a self, workspace: &'a MemoryWorkspace) -> OverHttp<'a> {
        OverHttp { client: self, workspace, stop: Stop::default() }
    }

    /// Checks the server, up to a window of so many tokens.
    pub async fn check(&self, connected: &Connected, ceiling: Option<u32>) -> Check {
        let Self { server, options, .. } = self;
        let call = Call { wire: connected.wire, options: options.clone(), time_limit: 60 };
        let checked = Checked { server, connected, call };
        check_server(&checked, &Tokio, &Stop::default(), ceiling, 7, |_| {}).await
    }

    /// Drives a run to its end.
    pub async fn drive(&self, run: Run, workspace: &MemoryWorkspace) -> Run {
        drive_in(run, &self.world(workspace)).await
    }
}

/// Drives a run to its end in a world of one's own.
pub async fn drive_in(run: Run, world: &impl World) -> Run {
    drive(run, world, &Tokio, &Stop::default(), |_| {}).await
}
