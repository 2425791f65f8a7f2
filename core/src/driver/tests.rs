//! The driver with a made-up world: whatever fails, the conversation is there afterwards.

use super::*;
use crate::conversation::{Content, Purpose, Standing};
use crate::policy::ContextPolicy;
use crate::run::{Assurance, EndReason, Ending, RunEnd, Session, SessionSettings};
use crate::simulate::Face;
use crate::window::WindowBelief;
use crate::wire::{Finish, ModelOptions, Reply, Usage, Wire};
use futures_util::StreamExt;
use futures_util::future::{FutureExt, pending};
use std::cell::RefCell;
use std::rc::Rc;

/// Time that never passes, except where a test lets it.
struct NoTime {
    sleep_ends: bool,
}

impl Clock for NoTime {
    async fn sleep(&self, _milliseconds: u32) {
        if !self.sleep_ends {
            pending::<()>().await;
        }
    }

    async fn breathe(&self) {}
}

const FROZEN: NoTime = NoTime { sleep_ends: false };

/// A server that sends these chunks, and then ends, breaks, or says nothing more.
struct Scripted {
    status: u16,
    chunks: &'static [&'static str],
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    End,
    Break,
    Silence,
}

impl ModelServer for Scripted {
    async fn post(&self, _path: &str, _body: String) -> Result<Response, ProviderError> {
        let chunks = futures_util::stream::iter(self.chunks).map(|chunk| Ok(chunk.as_bytes().to_vec()));
        let chunks = match self.then {
            Then::End => chunks.boxed_local(),
            Then::Break => {
                chunks.chain(futures_util::stream::iter([Err(ProviderError::Closed)])).boxed_local()
            }
            Then::Silence => chunks.chain(futures_util::stream::pending()).boxed_local(),
        };
        Ok(Response { status: self.status, chunks })
    }
}

const HALF: &[&str] = &["{\"message\":{\"role\":\"assistant\",\"content\":\"Ha", "lf\"},\"done\":false}\n"];

fn request() -> Request {
    Request { purpose: Purpose::Turn, messages: Vec::new(), tools: Vec::new(), max_tokens: 100 }
}

fn call(server: &Scripted, clock: &NoTime, stop: &Stop) -> (CallEnd, String) {
    let call = Call {
        wire: Wire::Ollama,
        options: ModelOptions { model: "m".into(), ..ModelOptions::default() },
        time_limit: 7,
    };
    let mut heard = String::new();
    let mut listen = |delta: &Delta| {
        if let Delta::Text(text) = delta {
            heard.push_str(text);
        }
    };
    let end = call_model(server, clock, stop, &call, &request(), &mut listen).now_or_never();
    (end.unwrap(), heard)
}

fn half() -> Option<Reply> {
    Some(answer("Half", Finish::Other(String::new())))
}

fn answer(text: &str, finish: Finish) -> Reply {
    Reply { thinking: String::new(), text: text.into(), calls: Vec::new(), finish, usage: Usage::default() }
}

/// Without its word for why it stopped: an answer that broke off has none worth comparing.
fn but_for_finish(end: CallEnd) -> CallEnd {
    let same =
        |reply: Option<Reply>| reply.map(|reply| Reply { finish: Finish::Other(String::new()), ..reply });
    match end {
        CallEnd::Replied(reply) => CallEnd::Replied(reply),
        CallEnd::Failed(error, partial) => CallEnd::Failed(error, same(partial)),
        CallEnd::Stopped(partial) => CallEnd::Stopped(same(partial)),
    }
}

#[test]
fn a_connection_that_breaks_or_falls_silent_keeps_what_had_come() {
    let stop = Stop::default();
    let server = |then| Scripted { status: 200, chunks: HALF, then };
    let broken = call(&server(Then::Break), &FROZEN, &stop);
    let ended = call(&server(Then::End), &FROZEN, &stop);
    let silent = call(&server(Then::Silence), &NoTime { sleep_ends: true }, &stop);
    let ends = [broken, ended, silent].map(|(end, heard)| (but_for_finish(end), heard));
    assert_eq!(
        ends,
        [
            (CallEnd::Failed(ProviderError::Closed, half()), "Half".to_owned()),
            (CallEnd::Failed(ProviderError::Closed, half()), "Half".to_owned()),
            (CallEnd::Failed(ProviderError::TimedOut { seconds: 7 }, half()), "Half".to_owned()),
        ]
    );
}

#[test]
fn an_error_page_is_told_with_its_status() {
    let server = Scripted { status: 500, chunks: &["out of ", "memory"], then: Then::Break };
    let (end, heard) = call(&server, &FROZEN, &Stop::default());
    let error = ProviderError::Status { status: 500, text: "out of memory".into() };
    assert_eq!((end, heard.as_str()), (CallEnd::Failed(error, None), ""));
}

#[test]
fn a_wish_to_stop_ends_a_call_that_says_nothing() {
    let stop = Stop::default();
    stop.request();
    let server = Scripted { status: 200, chunks: HALF, then: Then::Silence };
    let (end, _) = call(&server, &FROZEN, &stop);
    assert_eq!(end, CallEnd::Stopped(None));
}

/// A world of scripted answers and tools that may hang.
struct Play {
    answers: RefCell<Vec<CallEnd>>,
    tools_hang: bool,
    stop: Stop,
}

impl World for Play {
    async fn call(&self, _request: &Request, _on_delta: &mut dyn FnMut(&Delta)) -> CallEnd {
        self.answers.borrow_mut().remove(0)
    }

    async fn read_prompt(&self, _request: &Request) -> Option<String> {
        None
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        if self.tools_hang {
            self.stop.request();
            pending::<()>().await;
        }
        ToolOutcome { text: format!("{} ran", call.name), is_error: false }
    }
}

fn played(answers: Vec<CallEnd>, tools_hang: bool) -> (RunEnd, Vec<Content>) {
    let session = Session::new(SessionSettings {
        model: "m".into(),
        window: WindowBelief::default(),
        policy: ContextPolicy::default(),
        project_instructions: None,
        tools: Vec::new(),
    });
    let stop = Stop::default();
    let world = Play { answers: RefCell::new(answers), tools_hang, stop: stop.clone() };
    let run = Run::begin(session, "Which is longest?");
    let mut driven = pin!(drive(run, &world, &FROZEN, &stop, |_| {}));
    // Twice: a tool that asks to stop wakes the run that waits for it.
    let run = driven.as_mut().now_or_never().or_else(|| driven.as_mut().now_or_never()).unwrap();
    let Step::Done(end) = run.next_step() else { panic!("not done") };
    let said = run.session().conversation().entries().iter().skip(1);
    (end, said.map(|entry| entry.message.content.clone()).collect())
}

fn asks_for_a_tool() -> CallEnd {
    let calls = vec![ToolCall { id: "call_0".into(), name: "Glob".into(), arguments: "{}".into() }];
    CallEnd::Replied(Reply { calls, ..answer("", Finish::ToolCalls) })
}

fn words(contents: &[Content]) -> Vec<String> {
    let word = |content: &Content| match content {
        Content::System { text, .. }
        | Content::Request { text }
        | Content::Assistant { text, .. }
        | Content::Summary { text } => text.clone(),
        Content::ToolResult(result) => result.text.clone(),
    };
    contents.iter().map(word).collect()
}

#[test]
fn tools_run_and_the_model_goes_on() {
    let answers = vec![asks_for_a_tool(), CallEnd::Replied(answer("src/b.rs", Finish::Stop))];
    let (end, said) = played(answers, false);
    assert_eq!(end.reason, EndReason::Answered);
    assert_eq!(words(&said), ["Which is longest?", "", "Glob ran", "src/b.rs"]);
}

#[test]
fn a_tool_that_hangs_can_be_stopped() {
    let (end, said) = played(vec![asks_for_a_tool()], true);
    assert_eq!(end.reason, EndReason::Stopped);
    assert_eq!(words(&said), ["Which is longest?", "", "The user stopped before this tool had run."]);
}

#[test]
fn a_failure_loses_nothing() {
    let failed = CallEnd::Failed(ProviderError::Closed, half());
    let (end, said) = played(vec![asks_for_a_tool(), failed], false);
    assert_eq!(end.reason, EndReason::Failed(ProviderError::Closed));
    assert_eq!(words(&said), ["Which is longest?", "", "Glob ran", "Half"]);
}

/// The simulated server, the sample workspace and the real tools: all of the page but the browser.
struct Simulation {
    server: Simulated<Instant>,
    stop: Stop,
}

/// Time that passes at once, and so often that a limit on silence would end every call: none is set here.
#[derive(Default)]
pub(super) struct Instant;

impl Clock for Instant {
    async fn sleep(&self, milliseconds: u32) {
        // The server's pauses are short; the limit on silence is not.
        if milliseconds > 1_000 {
            pending::<()>().await;
        }
    }

    async fn breathe(&self) {}
}

impl World for Simulation {
    async fn call(&self, request: &Request, on_delta: &mut dyn FnMut(&Delta)) -> CallEnd {
        let call = Call {
            wire: Wire::Ollama,
            options: ModelOptions { model: "reader:7b".into(), ..ModelOptions::default() },
            time_limit: 100,
        };
        call_model(&self.server, &Instant, &self.stop, &call, request, on_delta).await
    }

    async fn read_prompt(&self, _request: &Request) -> Option<String> {
        None
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        crate::tools::run(call, &crate::workspace::sample_workspace()).await
    }
}

/// How a run over the sample ends, and the last answer that was kept.
fn simulated(real_window: u32, set_window: u32) -> (RunEnd, String) {
    let server = Simulated::new(Face::Ollama033, real_window, Rc::new(Instant));
    let world = Simulation { server, stop: Stop::default() };
    let session = Session::new(SessionSettings {
        model: "reader:7b".into(),
        window: WindowBelief { set: Some(set_window), ..WindowBelief::default() },
        policy: ContextPolicy::default(),
        project_instructions: None,
        tools: crate::tools::specs(),
    });
    let run = Run::begin(session, "Read the eight files under src/ and say which is the longest");
    let run = drive(run, &world, &Instant, &world.stop.clone(), |_| {}).now_or_never().unwrap();
    let Step::Done(end) = run.next_step() else { panic!("not done") };
    let entries = run.session().conversation().entries();
    let kept = entries.iter().rev().find_map(|entry| match (&entry.message.content, entry.standing) {
        (Content::Assistant { text, .. }, Standing::Sent) => Some(text.clone()),
        _ => None,
    });
    (end, kept.unwrap_or_default())
}

#[test]
fn a_server_with_room_answers_and_every_count_is_checked() {
    let (end, answer) = simulated(32_768, 32_768);
    assert_eq!(end, RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
    assert_eq!(answer, "The longest file is src/predict.py, with 208 lines. I have read 8 of 8 files.");
}

#[test]
fn a_window_set_far_too_high_ends_in_context_overflow() {
    let (end, _) = simulated(2_048, 32_768);
    assert_eq!(end.ending(), Ending::ContextOverflow);
}
