//! Drives a run against a server over HTTP, with the tools on a workspace in memory: what the page does, without a page.

use brimline_core::conversation::Request;
use brimline_core::run::{OutOfStep, Run, Step};
use brimline_core::tools;
use brimline_core::wire::{ModelOptions, ProviderError, Reply, Wire, classify};
use brimline_core::workspace::MemoryWorkspace;

/// A server, and how to talk to it.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    wire: Wire,
    options: ModelOptions,
}

impl Client {
    /// Talks to the server at `url` on one wire.
    pub fn new(url: String, wire: Wire, options: ModelOptions) -> Self {
        Self { http: reqwest::Client::new(), url, wire, options }
    }

    /// Calls the model once.
    ///
    /// # Errors
    /// Whatever kept the answer from coming whole.
    pub async fn call(&self, request: &Request) -> Result<Reply, ProviderError> {
        let unreachable = |_| ProviderError::Unreachable { url: self.url.clone() };
        let body = self.wire.encode(request, &self.options);
        let post = self.http.post(format!("{}{}", self.url, self.wire.path())).json(&body);
        let response = post.send().await.map_err(unreachable)?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(|_| ProviderError::Closed)?;
        if status != 200 {
            return Err(classify(status, &String::from_utf8_lossy(&bytes), &self.options.model));
        }
        let mut decoder = self.wire.decoder();
        decoder.push(&bytes)?;
        decoder.finish()
    }

    /// Drives a run to its end.
    ///
    /// # Errors
    /// Never for a run that was just asked for its step; the type says so where nobody has to trust it.
    pub async fn drive(&self, mut run: Run, workspace: &MemoryWorkspace) -> Result<Run, OutOfStep> {
        loop {
            match run.next_step() {
                Step::Done(_) => return Ok(run),
                Step::CallModel(request) => match self.call(&request).await {
                    Ok(reply) => run.model_replied(reply)?,
                    Err(error) => run.model_failed(error, None)?,
                },
                Step::RunTools(calls) => {
                    let mut outcomes = Vec::new();
                    for call in &calls {
                        outcomes.push(tools::run(call, workspace).await);
                    }
                    run.tools_returned(outcomes)?;
                }
            }
        }
    }
}
