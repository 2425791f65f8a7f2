//! Whole runs against every face and every way to overflow, and what became of the user's request in each.
//!
//! The truth is what the test server logged: which messages the model read. A loss is *silent* if the request did not
//! survive in a call that the run went on with, and the run ended as if nothing had happened.

mod case;
mod outcome;

pub use case::{Case, Way, WindowSet};
pub use outcome::{Outcome, Tally};

use crate::server::{RunningServer, Settings, spawn};
use crate::{Client, OverHttp, drive_in};
use brimline_core::conversation::{Content, Purpose, Request, ToolCall};
use brimline_core::driver::{CallEnd, World, connect, find_rendering, told_window};
use brimline_core::policy::ContextPolicy;
use brimline_core::run::{Recovery, Run, Session, SessionSettings};
use brimline_core::simulate::Face;
use brimline_core::tools::{self, ToolOutcome};
use brimline_core::window::WindowBelief;
use brimline_core::wire::{Delta, ModelOptions, Rendering, Wire};
use std::cell::{Cell, RefCell};
use std::io;

/// After so many ways to go on the case is given up.
const MOST_RECOVERIES: usize = 3;

/// A world that notes which exchanges of the server were whose.
struct Watched<'a> {
    world: OverHttp<'a>,
    server: &'a RunningServer,
    told: Cell<Option<u32>>,
    calls: RefCell<Vec<Watching>>,
}

/// One call of the model, and where it stands in the server's log.
#[derive(Debug, Clone, Copy)]
struct Watching {
    purpose: Purpose,
    /// The exchanges from here on are this call's.
    from: usize,
    /// Tokens that were written.
    completion: u32,
}

impl World for Watched<'_> {
    async fn call(&self, request: &Request, on_delta: &mut dyn FnMut(&Delta)) -> CallEnd {
        let from = self.server.log().len();
        let end = self.world.call(request, on_delta).await;
        let completion = match &end {
            CallEnd::Replied(reply) => reply.usage.completion_tokens.unwrap_or(0),
            CallEnd::Failed(..) | CallEnd::Stopped(_) => 0,
        };
        self.calls.borrow_mut().push(Watching { purpose: request.purpose, from, completion });
        end
    }

    async fn count_prompt(&self, request: &Request) -> Option<u32> {
        self.world.count_prompt(request).await
    }

    async fn read_prompt(&self, request: &Request) -> Option<String> {
        self.world.read_prompt(request).await
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        self.world.run_tool(call).await
    }
}

/// Plays one case from the first request to its last way out.
///
/// # Errors
/// When no server could be started or asked.
pub async fn play(case: &Case) -> io::Result<Outcome> {
    let server = spawn(Settings { face: case.face, window: case.window, ..Settings::default() }).await?;
    let workspace = case.workspace();
    let failed = |error| io::Error::other(format!("{}: {error}", case.name()));
    let (client, told) = connected(&server, case).await.map_err(failed)?;
    let mut session = Session::new(SessionSettings {
        model: client.options.model.clone(),
        window: WindowBelief { set: case.window_set(), told, ..WindowBelief::default() },
        policy: ContextPolicy { repeat_request: case.repeat_request(), ..ContextPolicy::default() },
        project_instructions: None,
        tools: tools::specs(),
    });
    session.set_reads_back(client.rendering == Some(Rendering::DebugRender));
    session.set_keeps_system(client.wire == Wire::Ollama);
    let world = Watched {
        world: client.world(&workspace),
        server: &server,
        told: Cell::new(told),
        calls: RefCell::default(),
    };
    let mut outcome = Outcome::default();
    for request in case.requests() {
        let mut run = drive_in(Run::begin(session, &request), &world).await;
        outcome.take(case, &run, &truth(&world, case));
        for _ in 0..MOST_RECOVERIES {
            let Some(end) = run.end().cloned() else { break };
            let offers = run.session().offers(&end);
            let way = offers.iter().find(|offer| matches!(offer.recovery, Recovery::UseWindow { .. }));
            let Some(offer) = way.or(offers.first()).cloned() else { break };
            // The page can't start the server anew, and neither can this.
            if matches!(offer.recovery, Recovery::RaiseWindow { .. }) {
                break;
            }
            run = drive_in(Run::recover(run.into_session(), &offer.recovery), &world).await;
            outcome.take(case, &run, &truth(&world, case));
        }
        outcome.answered(last_answer(&run), &case.right_answer());
        session = run.into_session();
        // The page asks again after a call: by then the model is loaded.
        if world.told.get().is_none() {
            world.told.set(asked_again(&client).await);
            session.window_mut().tell(world.told.get());
        }
    }
    Ok(outcome)
}

/// What was lost in the calls since the last time.
fn truth(world: &Watched<'_>, case: &Case) -> outcome::Truth {
    let log = world.server.log();
    let calls = world.calls.take();
    let mut truth = outcome::Truth::default();
    for (index, call) in calls.iter().enumerate() {
        let to = calls.get(index + 1).map_or(log.len(), |next| next.from);
        for exchange in log.get(call.from..to).unwrap_or_default() {
            let Some(read) = exchange.read_tokens else {
                truth.refused = true;
                continue;
            };
            let shifted = read.saturating_add(call.completion) > case.window;
            truth.anything_lost |= read < exchange.true_tokens || shifted;
            // Nobody goes on with the answer to a confirming request.
            truth.request_lost |= call.purpose != Purpose::Confirmation && !exchange.request_survived;
        }
    }
    truth
}

/// Asks the server for all that the page asks it for.
async fn connected(
    server: &RunningServer,
    case: &Case,
) -> Result<(Client, Option<u32>), brimline_core::wire::ProviderError> {
    let options = ModelOptions {
        model: case.model().to_owned(),
        truncate: Some(false),
        shift: Some(false),
        ..ModelOptions::default()
    };
    let mut client = Client::new(server.url(), Wire::OpenAi, options);
    let found = connect(&client.server).await?;
    client.wire = if case.native { found.wire } else { Wire::OpenAi };
    client.rendering =
        if case.native { find_rendering(&client.server, client.wire, &client.options).await } else { None };
    let told =
        if case.native { told_window(&client.server, &found, &client.options.model).await } else { None };
    Ok((client, told))
}

async fn asked_again(client: &Client) -> Option<u32> {
    let found = connect(&client.server).await.ok()?;
    told_window(&client.server, &found, &client.options.model).await
}

fn last_answer(run: &Run) -> &str {
    let texts = run.session().conversation().entries().iter().rev();
    let mut texts = texts.filter_map(|entry| match &entry.message.content {
        Content::Assistant { text, .. } => Some(text.as_str()),
        Content::System { .. }
        | Content::Request { .. }
        | Content::ToolResult(_)
        | Content::Summary { .. } => None,
    });
    texts.next().unwrap_or_default()
}

/// Whether a face has a wire of its own beside `/v1`.
fn is_native(face: Face) -> bool {
    match face {
        Face::Ollama033
        | Face::Ollama033Native
        | Face::Ollama012
        | Face::Ollama03
        | Face::CachedOnly
        | Face::Blind => true,
        Face::LlamaServer | Face::LlamaServerShift | Face::Vllm | Face::LmStudio | Face::Proxy => false,
    }
}
