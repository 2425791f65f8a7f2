//! The article's fixed conversation, straight to the test server over HTTP.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is the report")]

use brimline_core::conversation::{ChatMessage, Purpose, Request, Role};
use brimline_core::overflow::{
    Counted, Detector, DetectorSettings, Sent, SentMessage, Verdict, baseline, half_of_estimate,
};
use brimline_core::simulate::two_keys::{SYSTEM_KEY, TASK_KEY, messages, system_prompt};
use brimline_core::tokens::{Family, Features};
use brimline_core::wire::{Finish, ModelOptions, Reply, Wire};
use brimline_tests::server::{Settings, spawn};

fn request() -> Request {
    let message =
        |role, text| ChatMessage { role, text, calls: Vec::new(), answers: None, sources: Vec::new() };
    let mut all = vec![message(Role::System, system_prompt())];
    for (index, text) in messages().into_iter().enumerate() {
        all.push(message(if index % 2 == 0 { Role::User } else { Role::Assistant }, text));
    }
    Request { purpose: Purpose::Turn, messages: all, tools: Vec::new(), max_tokens: 1_024 }
}

async fn ask(url: &str, wire: Wire) -> (u16, Reply) {
    let options = ModelOptions { model: "keys:7b".into(), ..ModelOptions::default() };
    let body = wire.encode(&request(), &options);
    let response =
        reqwest::Client::new().post(format!("{url}{}", wire.path())).json(&body).send().await.unwrap();
    let status = response.status().as_u16();
    let mut decoder = wire.decoder();
    decoder.push(&response.bytes().await.unwrap()).unwrap();
    (status, decoder.finish().unwrap())
}

#[tokio::test]
async fn the_systems_key_survives_and_the_tasks_is_gone_without_a_word() {
    let server = spawn(Settings::default()).await.unwrap();
    for wire in [Wire::OpenAi, Wire::Ollama] {
        let (status, reply) = ask(&server.url(), wire).await;
        assert_eq!((status, reply.finish), (200, Finish::Stop));
        assert!(reply.text.contains(SYSTEM_KEY), "{}", reply.text);
        assert!(!reply.text.contains(TASK_KEY), "{}", reply.text);
        // The article saw 3,725 of a window of 4,096.
        let reported = reply.usage.prompt_tokens.unwrap();
        assert!(reported.abs_diff(3_725) < 373, "{reported}");
    }
    let truth = server.log();
    assert!(
        truth.iter().all(|exchange| !exchange.request_survived && exchange.true_tokens > 4_096),
        "{truth:?}"
    );
}

/// The conversation comes all at once here: there is no earlier count to grow from.
#[tokio::test]
async fn the_baseline_rule_does_not_see_this_loss_and_the_detector_does() {
    let server = spawn(Settings::default()).await.unwrap();
    let (_, reply) = ask(&server.url(), Wire::OpenAi).await;
    let request = request();
    let characters: usize = request.messages.iter().map(|message| message.text.chars().count()).sum();
    let counted = Counted { reported: reply.usage.prompt_tokens.unwrap(), estimate: characters as f64 / 4.0 };
    assert!(!baseline(Purpose::Turn, None, counted), "the baseline rule passes this loss: {counted:?}");
    assert!(!half_of_estimate(counted), "and so does 'less than half of the estimate'");

    let sent = Sent {
        purpose: Purpose::Turn,
        messages: (0..)
            .zip(&request.messages)
            .map(|(index, message)| SentMessage {
                role: message.role,
                features: Features::of(&message.text),
                fingerprint: index,
            })
            .collect(),
        tools: Features::default(),
        tools_fingerprint: 0,
        max_tokens: request.max_tokens,
        exact: None,
    };
    let mut detector = Detector::new(Family::Unknown, DetectorSettings::default());
    let judgement = detector.judge(&sent, &reply.usage, false);
    assert!(matches!(judgement.verdict, Verdict::Suspect | Verdict::Truncated), "{judgement:?}");
}

#[tokio::test]
async fn with_room_for_all_both_keys_survive() {
    let server = spawn(Settings { window: 16_384, ..Settings::default() }).await.unwrap();
    let (_, reply) = ask(&server.url(), Wire::OpenAi).await;
    assert!(reply.text.contains(SYSTEM_KEY) && reply.text.contains(TASK_KEY), "{}", reply.text);
}
