//! *Check my server* over HTTP, against every server that a reader may have.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use brimline_core::check::{
    AnswerOverflow, ConversationOverflow, HugeOverflow, KeyFate, MeasuredBy, Report, TwoKeys, UsageFinding,
    Verdict, WindowFinding,
};
use brimline_core::driver::{Connected, connect};
use brimline_core::simulate::Face;
use brimline_core::wire::{ModelOptions, Wire};
use brimline_tests::server::{RunningServer, Settings, spawn};
use brimline_tests::{Client, HttpServer};

/// What is true of a server, by docs/design.md.
#[derive(Debug, PartialEq)]
struct Truth {
    verdict: Verdict,
    usage: UsageFinding,
    conversation: ConversationOverflow,
    huge: HugeOverflow,
    answer: AnswerOverflow,
}

/// What is true of it on the wire that the page chooses for it.
fn truth(face: Face, wire: Wire) -> Truth {
    use ConversationOverflow::{CutsMiddle, DropsOldest, Refuses, Unknown};
    let dropping = |verdict, huge| Truth {
        verdict,
        usage: UsageFinding::Complete,
        conversation: DropsOldest,
        huge,
        answer: AnswerOverflow::Shifts,
    };
    let refusing = |answer| Truth {
        verdict: Verdict::Honest,
        usage: UsageFinding::Complete,
        conversation: Refuses,
        huge: HugeOverflow::Refuses,
        answer,
    };
    let if_asked = if wire == Wire::Ollama { Verdict::SilentUnlessAsked } else { Verdict::Silent };
    match face {
        Face::Ollama033 => dropping(if_asked, HugeOverflow::KeepsHalf),
        Face::Ollama033Native => dropping(if_asked, HugeOverflow::Refuses),
        Face::Ollama012 => dropping(if_asked, HugeOverflow::KeepsWindow),
        Face::Ollama03 | Face::Proxy => dropping(Verdict::Silent, HugeOverflow::KeepsHalf),
        Face::LlamaServer | Face::Vllm => refusing(AnswerOverflow::Stops),
        Face::LlamaServerShift => refusing(AnswerOverflow::Shifts),
        Face::LmStudio => Truth {
            conversation: CutsMiddle,
            answer: AnswerOverflow::Stops,
            ..dropping(Verdict::Silent, HugeOverflow::KeepsWindow)
        },
        Face::CachedOnly => Truth {
            usage: UsageFinding::CachedOnly,
            ..dropping(Verdict::CachedOnly, HugeOverflow::KeepsHalf)
        },
        Face::Blind => Truth {
            verdict: Verdict::Blind,
            usage: UsageFinding::Missing,
            conversation: Unknown,
            huge: HugeOverflow::Unknown,
            answer: AnswerOverflow::Unknown,
        },
    }
}

fn found(report: &Report) -> Truth {
    let Report { verdict, usage, conversation, huge, answer, .. } = report.clone();
    Truth { verdict, usage, conversation, huge, answer }
}

async fn server(face: Face, window: u32) -> RunningServer {
    spawn(Settings { face, window, ..Settings::default() }).await.unwrap()
}

async fn check(server: &RunningServer, connected: &Connected, model: &str) -> Report {
    let options = ModelOptions { model: model.into(), ..ModelOptions::default() };
    Client::new(server.url(), connected.wire, options).check(connected, None).await.report()
}

async fn check_as_the_page_does(face: Face, window: u32) -> (Wire, Report) {
    let server = server(face, window).await;
    let connected = connect(&HttpServer::new(server.url())).await.unwrap();
    (connected.wire, check(&server, &connected, "reader:7b").await)
}

/// Checks it as somebody would who only knows `/v1`, and was told nothing.
async fn check_in_the_dark(face: Face, window: u32) -> Report {
    let server = server(face, window).await;
    check(&server, &Connected { wire: Wire::OpenAi, models: Vec::new() }, "keys:7b").await
}

const WINDOWS: [u32; 2] = [4_096, 6_000];

#[tokio::test]
async fn every_server_is_called_what_it_is() {
    for face in Face::ALL {
        for window in WINDOWS {
            let (wire, report) = check_as_the_page_does(face, window).await;
            assert_eq!(found(&report), truth(face, wire), "{} {window}: {report:#?}", face.name());
            let measured = report.window.measured();
            match face {
                Face::Blind => assert_eq!(measured, None),
                // A few tokens of the template are always cached, and never counted.
                Face::CachedOnly => assert!(measured.unwrap().abs_diff(window) <= window / 50, "{report:#?}"),
                Face::Ollama033
                | Face::Ollama033Native
                | Face::Ollama012
                | Face::Ollama03
                | Face::LlamaServer
                | Face::LlamaServerShift
                | Face::Vllm
                | Face::LmStudio
                | Face::Proxy => assert_eq!(measured, Some(window), "{} {window}: {report:#?}", face.name()),
            }
        }
    }
}

#[tokio::test]
async fn every_server_is_found_out_by_its_counts_alone() {
    for face in Face::ALL {
        for window in WINDOWS {
            let report = check_in_the_dark(face, window).await;
            assert_eq!(found(&report), truth(face, Wire::OpenAi), "{} {window}: {report:#?}", face.name());
            let off = report.window.measured().map(|measured| measured.abs_diff(window));
            let is_near = off.is_none_or(|off| off <= window / 50);
            assert!(
                is_near && off.is_some() == (face != Face::Blind),
                "{} {window}: {report:#?}",
                face.name()
            );
        }
    }
}

#[tokio::test]
async fn a_refusal_ends_the_search_at_once() {
    for face in [Face::Ollama033, Face::LlamaServer, Face::LmStudio] {
        let (_, report) = check_as_the_page_does(face, 4_096).await;
        let by = if face == Face::LmStudio { MeasuredBy::Counts } else { MeasuredBy::Refusal };
        assert_eq!(report.window, WindowFinding::Measured { tokens: 4_096, by });
        // Three sizes to know what a line costs, and one that is too large.
        assert!(report.counts.len() <= 5, "{}: {:#?}", face.name(), report.counts);
    }
}

#[tokio::test]
async fn the_tasks_key_is_lost_and_the_systems_survives() {
    for face in [Face::Ollama033, Face::Ollama012, Face::Proxy, Face::CachedOnly] {
        let (_, report) = check_as_the_page_does(face, 4_096).await;
        let Some(TwoKeys::Answered { system, task, .. }) = report.two_keys else { panic!("{report:#?}") };
        assert_eq!((system, task), (KeyFate::Survived, KeyFate::Lost), "{}", face.name());
    }
    let (_, report) = check_as_the_page_does(Face::Ollama033, 8_192).await;
    let Some(TwoKeys::Answered { system, task, .. }) = report.two_keys else { panic!("{report:#?}") };
    assert_eq!((system, task), (KeyFate::Survived, KeyFate::Survived));
}
