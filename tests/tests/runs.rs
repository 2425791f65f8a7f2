//! Whole runs over HTTP against servers that do not say when a conversation does not fit.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use brimline_core::conversation::{Content, Standing};
use brimline_core::overflow::Verdict;
use brimline_core::policy::ContextPolicy;
use brimline_core::run::{Assurance, EndReason, Run, Session, SessionSettings};
use brimline_core::simulate::Face;
use brimline_core::timeline::StepTaken;
use brimline_core::window::{Window, WindowBelief, WindowSource};
use brimline_core::wire::{ModelOptions, Wire};
use brimline_core::{tools, workspace};
use brimline_tests::Client;
use brimline_tests::server::{RunningServer, Settings, spawn};

const REQUEST: &str = "Read the eight files under src/ and say which is the longest.";

/// The page's settings for a server, with the window that the user set.
fn session(model: &str, window: u32) -> Session {
    Session::new(SessionSettings {
        model: model.into(),
        window: WindowBelief { set: Some(window), ..WindowBelief::default() },
        policy: ContextPolicy::default(),
        project_instructions: None,
        tools: tools::specs(),
    })
}

async fn run(server: &RunningServer, wire: Wire, model: &str, window: u32) -> Run {
    let client =
        Client::new(server.url(), wire, ModelOptions { model: model.into(), ..ModelOptions::default() });
    client.drive(Run::begin(session(model, window), REQUEST), &workspace::sample_workspace()).await
}

fn answer(run: &Run) -> &str {
    let last =
        run.session().conversation().entries().iter().rev().find_map(|entry| match &entry.message.content {
            Content::Assistant { text, .. } => Some(text.as_str()),
            Content::System { .. }
            | Content::Request { .. }
            | Content::ToolResult(_)
            | Content::Summary { .. } => None,
        });
    last.unwrap()
}

#[tokio::test]
async fn with_the_window_known_the_answer_arrives() {
    for (wire, model) in
        [(Wire::OpenAi, "reader:7b"), (Wire::Ollama, "thinker:4b"), (Wire::OpenAi, "texter:1b")]
    {
        let server = spawn(Settings::default()).await.unwrap();
        let run = run(&server, wire, model, 4_096).await;
        let steps: Vec<&StepTaken> =
            run.session().timeline().iter().flat_map(|record| &record.steps).collect();
        assert!(steps.iter().any(|step| matches!(step, StepTaken::Compacted { .. })), "{model}: {steps:?}");
        assert!(run.end().unwrap().looks_normal(), "{model}: {:?}", run.end());
        assert!(answer(&run).contains("src/predict.py"), "{model}: {}", answer(&run));
        assert!(
            server.log().iter().all(|exchange| exchange.read_tokens == Some(exchange.true_tokens)),
            "{model}"
        );
    }
}

#[tokio::test]
async fn with_the_window_set_far_too_high_the_loss_is_noticed() {
    for (face, wire) in
        [(Face::Ollama033, Wire::OpenAi), (Face::Ollama012, Wire::Ollama), (Face::Proxy, Wire::OpenAi)]
    {
        let server = spawn(Settings { face, ..Settings::default() }).await.unwrap();
        let run = run(&server, wire, "reader:7b", 128_000).await;
        let end = run.end().unwrap();
        assert!(
            matches!(end.reason, EndReason::ServerDropped { verdict: Verdict::Truncated, .. }),
            "{}: {end:?}, {:?}",
            face.name(),
            server.log()
        );
        let set_aside = run
            .session()
            .conversation()
            .entries()
            .iter()
            .filter(|entry| entry.standing == Standing::SetAside);
        assert_eq!(set_aside.count(), 1);
        // No answer was taken from a conversation that the server had cut.
        let log = server.log();
        let cut = log.iter().position(|exchange| exchange.read_tokens < Some(exchange.true_tokens)).unwrap();
        assert!(cut + 2 >= log.len(), "{}: noticed late: {log:?}", face.name());
    }
}

#[tokio::test]
async fn a_server_that_refuses_is_taken_at_its_word_and_the_answer_still_arrives() {
    let server = spawn(Settings { face: Face::LlamaServer, ..Settings::default() }).await.unwrap();
    let run = run(&server, Wire::OpenAi, "reader:7b", 128_000).await;
    assert!(run.end().unwrap().looks_normal(), "{:?}", run.end());
    assert_eq!(run.session().window().window(), Window { tokens: 4_096, source: WindowSource::Proven });
    assert!(answer(&run).contains("src/predict.py"), "{}", answer(&run));
}

#[tokio::test]
async fn a_server_that_counts_nothing_is_never_called_safe() {
    let server = spawn(Settings { face: Face::Blind, window: 32_768, ..Settings::default() }).await.unwrap();
    let run = run(&server, Wire::OpenAi, "reader:7b", 32_768).await;
    let end = run.end().unwrap();
    assert_eq!((&end.reason, end.assurance), (&EndReason::Answered, Assurance::Unverified));
}

#[tokio::test]
async fn many_files_are_cleared_and_the_answer_still_arrives() {
    let server = spawn(Settings { window: 8_192, ..Settings::default() }).await.unwrap();
    let text = |n: usize| -> String {
        (0..38 + n).map(|line| format!("let value_{line} = compute({line}, {n}); // step {line}\n")).collect()
    };
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let mut workspace = workspace::MemoryWorkspace::default();
    for (n, name) in names.into_iter().enumerate() {
        let path = workspace::WorkspacePath::parse(&format!("src/{name}.rs")).unwrap();
        workspace.insert(path, text(n).into_bytes());
    }
    let options = ModelOptions { model: "reader:7b".into(), ..ModelOptions::default() };
    let client = Client::new(server.url(), Wire::OpenAi, options);
    let request = "Read the files under src/ and say which is the longest.";
    let run = client.drive(Run::begin(session("reader:7b", 8_192), request), &workspace).await;
    assert!(run.end().unwrap().looks_normal(), "{:?}", run.end());
    let steps: Vec<&StepTaken> = run.session().timeline().iter().flat_map(|record| &record.steps).collect();
    assert!(steps.iter().any(|step| matches!(step, StepTaken::Cleared { .. })), "{steps:?}");
    assert!(answer(&run).contains("src/l.rs"), "{}", answer(&run));
}
