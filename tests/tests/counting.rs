//! Whole runs over HTTP whose prompts are counted exactly before they are sent.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use brimline_core::conversation::Purpose;
use brimline_core::driver::{ask_with, find_rendering};
use brimline_core::overflow::{Evidence, Verdict};
use brimline_core::policy::ContextPolicy;
use brimline_core::run::{EndReason, Run, Session, SessionSettings};
use brimline_core::simulate::Face;
use brimline_core::window::WindowBelief;
use brimline_core::wire::{ModelOptions, SHOW, Wire, show_vocabulary};
use brimline_core::{tools, workspace};
use brimline_exact::Counter;
use brimline_tests::server::{RunningServer, Settings, spawn};
use brimline_tests::{Client, Counting};
use std::sync::Arc;

const MODEL: &str = "reader:7b";

/// A run over the sample with the window set to this, counted.
async fn run(server: &RunningServer, wire: Wire, window: u32) -> Run {
    let options = ModelOptions { model: MODEL.into(), ..ModelOptions::default() };
    let mut client = Client::new(server.url(), wire, options);
    client.rendering = find_rendering(&client.server, wire, &client.options).await;
    client.counting = Some(match wire {
        Wire::OpenAi => Counting::ByServer,
        Wire::Ollama => {
            let asked = show_vocabulary(MODEL).to_string();
            let (_, body) = ask_with(&client.server, SHOW, asked).await.unwrap();
            Counting::ByVocabulary(Arc::new(Counter::from_ollama(body.as_bytes()).unwrap()))
        }
    });
    let mut session = Session::new(SessionSettings {
        model: MODEL.into(),
        window: WindowBelief { set: Some(window), ..WindowBelief::default() },
        policy: ContextPolicy::default(),
        project_instructions: None,
        tools: tools::specs(),
    });
    session.set_counts(true);
    let request = "Read the eight files under src/ and say which is the longest.";
    client.drive(Run::begin(session, request), &workspace::sample_workspace()).await
}

#[tokio::test]
async fn every_turn_is_counted_as_the_server_will_count_it() {
    for (face, wire) in [(Face::Ollama033, Wire::Ollama), (Face::LlamaServer, Wire::OpenAi)] {
        for window in [4_096, 32_768] {
            let server = spawn(Settings { face, window, ..Settings::default() }).await.unwrap();
            let run = run(&server, wire, window).await;
            assert!(run.end().unwrap().looks_normal(), "{}: {:?}", face.name(), run.end());
            for record in run.session().timeline() {
                let counted = record.usage.unwrap().prompt_tokens.unwrap();
                assert_eq!((record.estimate, record.spread), (f64::from(counted), 0.0), "{}", face.name());
                let evidence = &record.judgement.as_ref().unwrap().evidence;
                assert_eq!(evidence, &[Evidence::CountedExactly { reported: counted, exact: counted }]);
            }
        }
    }
}

/// An Ollama drops the oldest messages and shows what is left: that is not counted as the whole, and still noticed.
#[tokio::test]
async fn what_the_server_would_drop_is_not_taken_for_the_whole() {
    let server = spawn(Settings::default()).await.unwrap();
    let run = run(&server, Wire::Ollama, 128_000).await;
    let end = run.end().unwrap();
    assert!(
        matches!(end.reason, EndReason::ServerDropped { verdict: Verdict::Truncated, .. }),
        "{end:?}, {:?}",
        server.log()
    );
    let turns = run.session().timeline().iter().filter(|record| record.purpose == Purpose::Turn);
    let exact: Vec<bool> = turns.map(|record| record.spread == 0.0).collect();
    let (last, before) = exact.split_last().unwrap();
    assert!(!last && before.iter().all(|exact| *exact), "{exact:?}");
}
