//! Every recorded answer of a real server decodes to what it says, however its bytes are split.
//!
//! The recordings are not a part of this repository. They are looked for in `BRIMLINE_DATA`, then beside the checkout;
//! where they are missing, this test says so.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use brimline_core::wire::{Finish, ProviderError, Reply, Usage, Wire, classify};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use std::path::PathBuf;

/// A recorded exchange.
struct Recording {
    name: String,
    wire: Wire,
    status: u16,
    body: String,
}

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let data = std::env::var_os("BRIMLINE_DATA").map_or_else(beside, PathBuf::from);
    Some(data.join("servers")).filter(|folder| folder.is_dir())
}

/// The recorded chats.
fn recordings() -> Vec<Recording> {
    let Some(folder) = folder() else {
        eprintln!("no recordings here: set BRIMLINE_DATA to the folder that holds `servers` to check them");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let recordings: Vec<Recording> = files.iter().filter_map(|file| recording(file)).collect();
    assert!(recordings.len() > 15, "only {} chats among the recordings", recordings.len());
    recordings
}

fn recording(file: &std::path::Path) -> Option<Recording> {
    let value: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).ok()?;
    let wire = match value.get("path")?.as_str()? {
        "/v1/chat/completions" => Wire::OpenAi,
        "/api/chat" => Wire::Ollama,
        _ => return None,
    };
    Some(Recording {
        name: file.file_stem().unwrap().to_string_lossy().into_owned(),
        wire,
        status: u16::try_from(value.get("status")?.as_u64()?).unwrap(),
        body: value.get("body")?.as_str()?.to_owned(),
    })
}

fn decode<'a>(wire: Wire, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Reply, ProviderError> {
    let mut decoder = wire.decoder();
    for piece in pieces {
        decoder.push(piece)?;
    }
    decoder.finish()
}

/// What a recording says, read without the decoder: all its JSON values, and in them what there is to find.
fn read_otherwise(body: &str) -> (String, Option<String>, Usage) {
    let values: Vec<Value> = body
        .lines()
        .map(|line| line.strip_prefix("data: ").unwrap_or(line))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let first = |value: &Value, pointers: &[&str]| pointers.iter().find_map(|at| value.pointer(at).cloned());
    let text = values
        .iter()
        .filter_map(|value| {
            first(value, &["/choices/0/delta/content", "/choices/0/message/content", "/message/content"])
        })
        .filter_map(|content| content.as_str().map(str::to_owned))
        .collect();
    let finish = values
        .iter()
        .filter_map(|value| first(value, &["/choices/0/finish_reason", "/done_reason"]))
        .find_map(|reason| reason.as_str().map(str::to_owned));
    let count = |pointers: &[&str]| {
        let found = values.iter().rev().find_map(|value| first(value, pointers)?.as_u64());
        found.map(|tokens| u32::try_from(tokens).unwrap())
    };
    let usage = Usage {
        prompt_tokens: count(&["/usage/prompt_tokens", "/prompt_eval_count"]),
        cached_tokens: count(&["/usage/prompt_tokens_details/cached_tokens"]),
        completion_tokens: count(&["/usage/completion_tokens", "/eval_count"]),
    };
    (text, finish, usage)
}

#[test]
fn recorded_answers_say_what_they_say() {
    for Recording { name, wire, status, body } in recordings() {
        if status != 200 {
            continue;
        }
        let decoded = decode(wire, [body.as_bytes()]);
        if name.contains("debug-render") {
            // A render without an answer is not one.
            assert_eq!(decoded, Err(ProviderError::Closed), "{name}");
            continue;
        }
        let reply = decoded.unwrap();
        let (text, finish, usage) = read_otherwise(&body);
        let finish = match finish.as_deref() {
            Some("stop") => Finish::Stop,
            Some("length") => Finish::Length,
            Some("tool_calls") => Finish::ToolCalls,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!((reply.text, reply.finish, reply.usage), (text, finish, usage), "{name}");
    }
}

#[test]
fn recorded_refusals_give_their_cause() {
    let refused = ProviderError::ContextRefused { prompt_tokens: Some(6_378), window: Some(4_096) };
    let missing = ProviderError::ModelMissing { model: "no-such-model".into() };
    for Recording { name, status, body, .. } in recordings() {
        if status == 200 {
            continue;
        }
        let cause = classify(status, &body, "no-such-model");
        let case = name.rsplit('.').next().unwrap().to_owned();
        match case.as_str() {
            "chat-truncate-false-stream" | "v1-refused-stream" => assert_eq!(cause, refused, "{name}"),
            "unknown-model" | "v1-unknown-model" => assert_eq!(cause, missing, "{name}"),
            "tools-unsupported" => assert_eq!(cause, ProviderError::ToolsUnsupported, "{name}"),
            "malformed-json" | "v1-malformed" => {
                assert!(matches!(cause, ProviderError::Status { status: 400, .. }), "{name}: {cause:?}");
            }
            other => panic!("no expectation for the recording {other}"),
        }
    }
}

#[test]
fn recorded_answers_decode_the_same_at_every_split() {
    for Recording { name, wire, status, body } in recordings() {
        if status != 200 {
            continue;
        }
        let bytes = body.as_bytes();
        let whole = decode(wire, [bytes]);
        assert_eq!(decode(wire, bytes.chunks(1)), whole, "{name}, byte by byte");
        // Two pieces at every place would take minutes for the longest: those are cut at random below.
        let every_place = if bytes.len() < 5_000 { bytes.len() } else { 0 };
        for at in 0..every_place {
            let (head, tail) = bytes.split_at(at);
            assert_eq!(decode(wire, [head, tail]), whole, "{name}, split at {at}");
        }
        let cuts = prop::collection::vec(0..=bytes.len(), 0..12);
        let mut runner = TestRunner::new(ProptestConfig { cases: 64, ..ProptestConfig::default() });
        runner
            .run(&cuts, |mut cuts| {
                cuts.extend([0, bytes.len()]);
                cuts.sort_unstable();
                let pieces = cuts.windows(2).filter_map(|pair| bytes.get(*pair.first()?..*pair.last()?));
                prop_assert_eq!(&decode(wire, pieces), &whole);
                Ok(())
            })
            .unwrap();
    }
}
