//! Does what a run asks for. It decides nothing: the run says *call the model*, *run these tools* or *done*, and this
//! hands the results back until it is done.
//!
//! Whatever fails, the run with its whole conversation comes back out. The driver knows no browser: servers, clock and
//! tools are handed to it, so native tests drive it with made-up ones.

mod abilities;
mod call;
mod check;
mod connect;
mod count;
mod render;
mod simulated;
mod stop;

pub use abilities::{load_model, refuses, shown_model};
pub use call::{Call, CallEnd, call_model};
pub use check::{Checked, check_server};
pub use connect::{Asks, Connected, connect, told_window};
pub use count::{PromptSource, tokens_by_server};
pub use render::{find_rendering, read_prompt};
pub use simulated::Simulated;
pub use stop::Stop;

use crate::conversation::{Request, ToolCall};
use crate::run::{Run, Step};
use crate::tools::ToolOutcome;
use crate::wire::{Delta, ProviderError};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use futures_util::stream::LocalBoxStream;
use std::future::ready;
use std::pin::pin;

/// The chunks of an answer's body, as they come.
pub type Bytes = LocalBoxStream<'static, Result<Vec<u8>, ProviderError>>;

/// The start of an answer.
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub chunks: Bytes,
}

/// Something that answers requests as a model server does.
pub trait ModelServer {
    /// Sends a body to a path. Dropping the future, or the answer's chunks, abandons the request.
    fn post(&self, path: &str, body: String) -> impl Future<Output = Result<Response, ProviderError>>;
}

/// Sends a body to a path, and gives status and text of the whole answer.
pub async fn ask_with(
    server: &impl ModelServer,
    path: &str,
    body: String,
) -> Result<(u16, String), ProviderError> {
    let mut response = server.post(path, body).await?;
    let mut text = Vec::new();
    while let Some(chunk) = response.chunks.next().await {
        text.extend(chunk?);
    }
    Ok((response.status, String::from_utf8_lossy(&text).into_owned()))
}

/// Time.
pub trait Clock {
    /// Waits.
    fn sleep(&self, milliseconds: u32) -> impl Future<Output = ()>;

    /// Lets others work for a moment, if they have waited for long enough.
    fn breathe(&self) -> impl Future<Output = ()>;
}

/// What a run needs from the world.
pub trait World {
    /// Calls the model; `on_delta` hears every piece of the answer as it comes.
    fn call(&self, request: &Request, on_delta: &mut dyn FnMut(&Delta)) -> impl Future<Output = CallEnd>;

    /// The tokens of the prompt that the server would make of a request, counted exactly, if that can be done.
    fn count_prompt(&self, _request: &Request) -> impl Future<Output = Option<u32>> {
        ready(None)
    }

    /// The prompt that the server makes of a request, if it can be had.
    fn read_prompt(&self, request: &Request) -> impl Future<Output = Option<String>>;

    /// Runs one tool.
    fn run_tool(&self, call: &ToolCall) -> impl Future<Output = ToolOutcome>;
}

/// What the driver tells while it works.
pub enum Progress<'a> {
    /// A piece of the answer came.
    Delta(&'a Delta),
    /// The run went one step on.
    Stepped(&'a mut Run),
}

/// Drives a run to its end. When `stop` is requested it ends at once, in the middle of an answer or a tool.
pub async fn drive(
    mut run: Run,
    world: &impl World,
    clock: &impl Clock,
    stop: &Stop,
    mut report: impl FnMut(Progress<'_>),
) -> Run {
    loop {
        if stop.is_requested() {
            run.cancel(None);
        }
        report(Progress::Stepped(&mut run));
        let taken = match run.next_step() {
            Step::Done(_) => return run,
            Step::CallModel(request) => {
                match world.call(&request, &mut |delta| report(Progress::Delta(delta))).await {
                    CallEnd::Replied(reply) => run.model_replied(reply),
                    CallEnd::Failed(error, partial) => run.model_failed(error, partial),
                    CallEnd::Stopped(partial) => {
                        run.cancel(partial);
                        Ok(())
                    }
                }
            }
            Step::CountPrompt(request) => {
                match select(pin!(stop.wait()), pin!(world.count_prompt(&request))).await {
                    Either::Left(((), _)) => {
                        run.cancel(None);
                        Ok(())
                    }
                    Either::Right((tokens, _)) => run.prompt_counted(tokens),
                }
            }
            Step::ReadPrompt(request) => {
                match select(pin!(stop.wait()), pin!(world.read_prompt(&request))).await {
                    Either::Left(((), _)) => {
                        run.cancel(None);
                        Ok(())
                    }
                    Either::Right((prompt, _)) => run.prompt_read(prompt.as_deref()),
                }
            }
            Step::RunTools(calls) => match run_tools(&calls, world, clock, stop).await {
                Some(outcomes) => run.tools_returned(outcomes),
                None => {
                    run.cancel(None);
                    Ok(())
                }
            },
        };
        // The run was just asked what it waits for, so it can't be out of step; if it ever is, ending is better than
        // asking the same again for ever.
        if taken.is_err() {
            run.cancel(None);
        }
    }
}

/// The outcomes of all the calls, or `None` if the reader stopped meanwhile.
async fn run_tools(
    calls: &[ToolCall],
    world: &impl World,
    clock: &impl Clock,
    stop: &Stop,
) -> Option<Vec<ToolOutcome>> {
    let mut outcomes = Vec::with_capacity(calls.len());
    for call in calls {
        match select(pin!(stop.wait()), pin!(world.run_tool(call))).await {
            Either::Left(((), _)) => return None,
            Either::Right((outcome, _)) => outcomes.push(outcome),
        }
        clock.breathe().await;
    }
    Some(outcomes)
}

#[cfg(test)]
mod tests;
