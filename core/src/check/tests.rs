use super::*;
use crate::simulate::{Face, SimulatedServer, SmallTokenizer};
use crate::wire::{Finish, ModelOptions, Rendering, Usage, Wire, classify};
use proptest::prelude::*;
use std::sync::Arc;

/// Checks a simulated server, as a driver would.
fn check(face: Face, window: u32, wire: Wire, settings: CheckSettings) -> Check {
    let mut server = SimulatedServer::new(face, window, Arc::new(SmallTokenizer::new()));
    let mut check = Check::begin(settings);
    loop {
        let options = ModelOptions { model: "reader:7b".into(), ..ModelOptions::default() };
        match check.next_step() {
            CheckStep::Call(CheckCall { request, refusing, .. }) => {
                let wish = refusing.then_some(false);
                let options = ModelOptions { truncate: wish, shift: wish, ..options };
                let answer = server.post(wire.path(), &wire.encode(&request, &options).to_string());
                let body = String::from_utf8(answer.chunks.concat()).unwrap();
                if answer.status == 200 {
                    let mut decoder = wire.decoder();
                    decoder.push(body.as_bytes()).unwrap();
                    check.replied(decoder.finish().unwrap());
                } else {
                    check.failed(classify(answer.status, &body, "reader:7b"));
                }
            }
            CheckStep::ReadPrompt(request) => {
                let rendering = Rendering::DebugRender;
                let body = rendering.encode(&request, &options).to_string();
                let answer = server.post(rendering.path(), &body);
                let body = String::from_utf8(answer.chunks.concat()).unwrap();
                check.prompt_read(rendering.prompt(&body).as_deref());
            }
            CheckStep::Done(_) => return check,
        }
    }
}

#[test]
fn a_server_that_drops_is_found_out() {
    let report = check(Face::Proxy, 4_096, Wire::OpenAi, CheckSettings::default()).report();
    assert_eq!(
        report,
        Report {
            verdict: Verdict::Silent,
            advice: vec![Advice::UseWindow(4_096), Advice::RaiseWindow, Advice::KeepReserve],
            usage: UsageFinding::Complete,
            window: WindowFinding::Measured { tokens: 4_096, by: MeasuredBy::Counts },
            told: None,
            refuses_when_asked: None,
            conversation: ConversationOverflow::DropsOldest,
            evidence: vec![Evidence::Counts, Evidence::Words],
            huge: HugeOverflow::KeepsHalf,
            answer: AnswerOverflow::Shifts,
            tools: ToolsFinding::Structured,
            two_keys: Some(TwoKeys::Answered {
                system: KeyFate::Survived,
                task: KeyFate::Lost,
                reported: Some(3_746),
            }),
            ..report.clone()
        }
    );
    let text = report.to_text();
    assert!(text.contains("silently throws away") && !text.contains("refused"), "{text}");
    assert_eq!(serde_json::from_str::<Report>(&report.to_json()).unwrap(), report);
}

#[test]
fn a_server_that_refuses_when_asked_is_measured_for_little() {
    let settings = CheckSettings { asks_to_refuse: true, reads_back: true, ..CheckSettings::default() };
    let report = check(Face::Ollama033, 4_096, Wire::Ollama, settings).report();
    assert_eq!(report.verdict, Verdict::SilentUnlessAsked);
    assert_eq!(report.window, WindowFinding::Measured { tokens: 4_096, by: MeasuredBy::Refusal });
    assert_eq!(
        (report.conversation, report.huge),
        (ConversationOverflow::DropsOldest, HugeOverflow::KeepsHalf)
    );
    assert_eq!(report.evidence, vec![Evidence::Counts, Evidence::Prompt, Evidence::Words]);
    let in_the_dark = check(Face::Ollama033, 4_096, Wire::OpenAi, CheckSettings::default()).report();
    assert!(report.tokens_read * 4 < in_the_dark.tokens_read * 3, "{report:?}");
}

#[test]
fn a_told_window_is_put_to_the_test() {
    for told in [4_096, 16_384] {
        let settings = CheckSettings { told: Some(told), ..CheckSettings::default() };
        let report = check(Face::LmStudio, 4_096, Wire::OpenAi, settings).report();
        assert_eq!(
            report.window,
            WindowFinding::Measured { tokens: 4_096, by: MeasuredBy::Counts },
            "{told}"
        );
        assert_eq!(report.conversation, ConversationOverflow::CutsMiddle);
        let distrust = Advice::DistrustTold { told, measured: 4_096 };
        assert_eq!(report.advice.contains(&distrust), told == 16_384);
    }
}

#[test]
fn nothing_is_read_beyond_the_ceiling() {
    let settings = CheckSettings { ceiling: 2_000, ..CheckSettings::default() };
    let check = check(Face::Ollama033, 32_768, Wire::OpenAi, settings);
    let report = check.report();
    let WindowFinding::AtLeast { tokens } = report.window else { panic!("{report:?}") };
    assert!((2_000..2_100).contains(&tokens), "{tokens}");
    assert_eq!(report.verdict, Verdict::Roomy { at_least: tokens });
    assert_eq!(check.progress(), Progress { stage: Stage::Over, tokens_left: 0, ..check.progress() });
}

#[test]
fn a_stopped_check_tells_what_it_knows_and_names_no_host() {
    let mut check = Check::begin(CheckSettings::default());
    check.cancel();
    let CheckStep::Done(report) = check.next_step() else { panic!("it was stopped") };
    assert_eq!(report.verdict, Verdict::Stopped);

    let mut check = Check::begin(CheckSettings::default());
    check.failed(ProviderError::Unreachable { url: "http://secret.example:11434".into() });
    let CheckStep::Done(report) = check.next_step() else { panic!("it can't go on") };
    assert_eq!(report.verdict, Verdict::Failed(Failure::NothingAnswers));
    assert!(!report.to_json().contains("secret") && !report.to_text().contains("secret"));
}

/// What a server may do, out of its mind or not.
fn outcomes() -> impl Strategy<Value = Result<Reply, ProviderError>> {
    let count = || prop::option::of(prop_oneof![Just(0), 1..40_000u32, Just(u32::MAX)]);
    let reply = (count(), count(), count(), any::<bool>(), "[A-Z0-9 -]{0,12}").prop_map(
        |(prompt_tokens, cached_tokens, completion_tokens, at_limit, text)| {
            Ok(Reply {
                thinking: String::new(),
                text,
                calls: Vec::new(),
                finish: if at_limit { Finish::Length } else { Finish::Stop },
                usage: Usage { prompt_tokens, cached_tokens, completion_tokens },
            })
        },
    );
    let refusal = (count(), count())
        .prop_map(|(prompt_tokens, window)| Err(ProviderError::ContextRefused { prompt_tokens, window }));
    let error = prop_oneof![
        Just(ProviderError::Closed),
        Just(ProviderError::ToolsUnsupported),
        Just(ProviderError::TimedOut { seconds: 60 }),
        Just(ProviderError::Status { status: 500, text: String::new() }),
    ];
    prop_oneof![8 => reply, 2 => refusal, 1 => error.prop_map(Err)]
}

/// A server with a rule of its own: every word is so many tokens, and above its window it keeps a share.
fn keep_share(request: &Request, per_word: u32, window: u32, share: f64) -> Usage {
    let words: usize = request.messages.iter().map(|message| message.text.split_whitespace().count()).sum();
    let tokens = 11 + per_word * words as u32;
    let kept = if tokens > window { (f64::from(window) * share) as u32 } else { tokens };
    Usage { prompt_tokens: Some(kept), cached_tokens: None, completion_tokens: Some(1) }
}

fn reply(usage: Usage) -> Reply {
    Reply { thinking: String::new(), text: "So".into(), calls: Vec::new(), finish: Finish::Length, usage }
}

proptest! {
    #[test]
    fn whatever_a_server_does_it_ends_with_a_report(
        answers in prop::collection::vec(outcomes(), 1..12),
        asks_to_refuse in any::<bool>(),
        reads_back in any::<bool>(),
        told in prop::option::of(1..40_000u32),
        ceiling in prop_oneof![Just(0), 1..40_000u32, Just(u32::MAX)],
    ) {
        let mut check = Check::begin(CheckSettings { told, ceiling, asks_to_refuse, reads_back, nonce: 7 });
        let mut answers = answers.into_iter().cycle();
        for step in 0.. {
            prop_assert!(step <= plan::MOST_CALLS);
            check.progress();
            let saved = serde_json::to_string(&check).unwrap();
            prop_assert_eq!(&serde_json::from_str::<Check>(&saved).unwrap(), &check);
            match (check.next_step(), answers.next().unwrap()) {
                (CheckStep::Call(_), Ok(reply)) => check.replied(reply),
                (CheckStep::Call(_), Err(error)) => check.failed(error),
                (CheckStep::ReadPrompt(_), answer) => check.prompt_read(answer.ok().map(|reply| reply.text).as_deref()),
                (CheckStep::Done(report), _) => {
                    prop_assert!(!report.to_text().is_empty());
                    break;
                }
            }
        }
    }

    #[test]
    fn any_window_is_found_within_two_hundredths(
        window in 1_300..30_000u32,
        per_word in 1..3u32,
        share in prop_oneof![Just(1.0), Just(0.5), 0.2..1.0f64],
    ) {
        let mut check = Check::begin(CheckSettings::default());
        while let CheckStep::Call(CheckCall { request, .. }) = check.next_step() {
            check.replied(reply(keep_share(&request, per_word, window, share)));
        }
        let WindowFinding::Measured { tokens, .. } = check.report().window else {
            return Err(TestCaseError::fail(format!("{:?}", check.report())));
        };
        prop_assert!(tokens.abs_diff(window) <= window / 50, "{} for {}", tokens, window);
    }
}
