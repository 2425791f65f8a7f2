//! A run from the user's request to its named ending, driven by hand.
#![expect(clippy::unwrap_used, reason = "in a test, a panic is the message")]

use brimline_core::conversation::{
    ChatMessage, Content, MessageId, Purpose, Request, Role, Standing, ToolCall, ToolSpec,
};
use brimline_core::overflow::Verdict;
use brimline_core::policy::ContextPolicy;
use brimline_core::run::{Assurance, EndReason, Event, Run, RunEnd, Session, SessionSettings, Step};
use brimline_core::timeline::{CompactionRejection, StepTaken};
use brimline_core::tools::ToolOutcome;
use brimline_core::window::WindowBelief;
use brimline_core::wire::{Finish, ProviderError, Reply, Usage};
use proptest::prelude::*;

mod exact;
mod recovery;

fn session(window: u32) -> Session {
    Session::new(SessionSettings {
        model: "reader:7b".into(),
        window: WindowBelief { set: Some(window), ..WindowBelief::default() },
        policy: ContextPolicy { confirm: false, ..ContextPolicy::default() },
        project_instructions: Some("Answer in one line.".into()),
        tools: vec![ToolSpec {
            name: "Read".into(),
            description: "Shows a file.".into(),
            parameters: serde_json::json!({"type": "object"}),
        }],
    })
}

/// A server's count that is not our estimate: a token for every six letters, digit, mark and line, five a message.
fn count(request: &Request) -> u32 {
    let tokens = |text: &str| {
        let letters: usize =
            text.split(|c: char| !c.is_alphabetic()).map(|word| word.len().div_ceil(6)).sum();
        letters + text.chars().filter(|c| !c.is_alphabetic() && *c != ' ').count()
    };
    let called = |call: &ToolCall| tokens(&call.name) + tokens(&call.arguments);
    let messages = request
        .messages
        .iter()
        .map(|message| 5 + tokens(&message.text) + message.calls.iter().map(called).sum::<usize>())
        .sum::<usize>();
    let tools = request.tools.iter().map(|tool| tokens(&tool.description)).sum::<usize>();
    u32::try_from(messages + tools).unwrap()
}

fn says(text: &str, prompt_tokens: u32) -> Reply {
    Reply {
        thinking: String::new(),
        text: text.into(),
        calls: Vec::new(),
        finish: Finish::Stop,
        usage: Usage { prompt_tokens: Some(prompt_tokens), cached_tokens: None, completion_tokens: Some(5) },
    }
}

fn reads(path: &str, prompt_tokens: u32) -> Reply {
    let call = ToolCall {
        id: format!("call_{path}"),
        name: "Read".into(),
        arguments: format!(r#"{{"path":"{path}"}}"#),
    };
    Reply { calls: vec![call], finish: Finish::ToolCalls, ..says("", prompt_tokens) }
}

/// The prompt that a template makes of messages.
fn rendered(messages: &[ChatMessage]) -> String {
    let block = |message: &ChatMessage| {
        let calls: String =
            message.calls.iter().map(|call| format!("[{} {}]", call.name, call.arguments)).collect();
        format!("<{:?}>\n{}{calls}\n</>\n", message.role, message.text)
    };
    messages.iter().map(block).collect()
}

fn file(words: usize) -> ToolOutcome {
    let text = (0..words).map(|n| format!("word{n}{}", if n % 10 == 9 { "\n" } else { " " })).collect();
    ToolOutcome { text, is_error: false }
}

fn request(run: &Run) -> Request {
    match run.next_step() {
        Step::CallModel(request) => request,
        other @ (Step::CountPrompt(_) | Step::ReadPrompt(_) | Step::RunTools(_) | Step::Done(_)) => {
            panic!("expected a call of the model, not {other:?}")
        }
    }
}

fn end(run: &Run) -> RunEnd {
    match run.next_step() {
        Step::Done(end) => end,
        other @ (Step::CallModel(_) | Step::CountPrompt(_) | Step::ReadPrompt(_) | Step::RunTools(_)) => {
            panic!("expected the end, not {other:?}")
        }
    }
}

#[test]
fn a_question_a_tool_and_an_answer() {
    let mut run = Run::begin(session(32_768), "What is in a.txt?");
    let first = request(&run);
    assert_eq!(
        first.messages.iter().map(|message| (message.role, message.sources.clone())).collect::<Vec<_>>(),
        vec![(Role::System, vec![MessageId(0), MessageId(1)]), (Role::User, vec![MessageId(2)])]
    );
    assert!(first.messages[0].text.ends_with("from AGENTS.md:\n\nAnswer in one line."));
    run.model_replied(reads("a.txt", count(&first))).unwrap();
    let Step::RunTools(calls) = run.next_step() else { panic!("tools expected") };
    assert_eq!(calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>(), vec!["call_a.txt"]);
    run.tools_returned(vec![file(50)]).unwrap();
    let second = request(&run);
    run.model_replied(says("Fifty words.", count(&second))).unwrap();

    let judged: Vec<&Event> =
        run.events().iter().filter(|event| matches!(event, Event::CallJudged { .. })).collect();
    let events: Vec<Event> =
        run.events().iter().filter(|event| !matches!(event, Event::CallJudged { .. })).cloned().collect();
    assert_eq!(judged.len(), 2);
    assert_eq!(
        events,
        vec![
            Event::MessageAdded(MessageId(2)),
            Event::CallStarted { turn: 1 },
            Event::MessageAdded(MessageId(3)),
            Event::MessageAdded(MessageId(4)),
            Event::CallStarted { turn: 2 },
            Event::MessageAdded(MessageId(5)),
            Event::Ended(RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified }),
        ]
    );
    assert!(end(&run).looks_normal());
}

#[test]
fn a_truncated_turn_is_set_aside_and_the_history_stays_whole() {
    let mut run = Run::begin(session(128_000), "Which file is the longest?");
    run.model_replied(reads("a.txt", 900)).unwrap();
    run.tools_returned(vec![file(3_000)]).unwrap();
    let before = request(&run);
    // A growth of thousands of words, and the server counts eleven more.
    run.model_replied(says("These files are lovely. What would you like to know?", 911)).unwrap();

    let RunEnd { reason, .. } = end(&run);
    assert_eq!(reason, EndReason::ServerDropped { turn: 2, verdict: Verdict::Truncated });
    assert!(!end(&run).looks_normal());
    let record = &run.session().timeline()[1];
    let answer = record.answer.unwrap();
    assert_eq!(run.session().conversation().entry(answer).unwrap().standing, Standing::SetAside);
    assert_eq!(
        record.dropped.first(),
        Some(&MessageId(2)),
        "the request is the oldest after the system prompt"
    );

    // The next request finds the history as it was, without the answer that was set aside.
    let run = Run::begin(run.into_session(), "Once more, please.");
    let after = request(&run);
    assert_eq!(after.messages[..before.messages.len()], before.messages[..]);
    assert_eq!(after.messages.len(), before.messages.len() + 1);
}

#[test]
fn a_truncated_turn_does_not_run_its_tools() {
    let mut run = Run::begin(session(128_000), "Which file is the longest?");
    run.model_replied(reads("a.txt", 900)).unwrap();
    run.tools_returned(vec![file(3_000)]).unwrap();
    run.model_replied(reads("b.txt", 905)).unwrap();
    assert_eq!(end(&run).reason, EndReason::ServerDropped { turn: 2, verdict: Verdict::Truncated });
}

/// Drives a run against a server with all the room in the world; the model reads `files` of `words` words each.
fn read_all(window: u32, files: usize, words: usize) -> Run {
    let mut run = Run::begin(session(window), "Which file is the longest?");
    let mut read = 0;
    loop {
        match run.next_step() {
            Step::CallModel(request) if request.purpose == Purpose::Compaction => {
                run.model_replied(says(&format!("{read} files read so far."), count(&request))).unwrap();
            }
            Step::CallModel(request) if read < files => {
                read += 1;
                run.model_replied(reads(&format!("file{read}"), count(&request))).unwrap();
            }
            Step::CallModel(request) => run.model_replied(says("The first.", count(&request))).unwrap(),
            Step::RunTools(calls) => run.tools_returned(calls.iter().map(|_| file(words)).collect()).unwrap(),
            Step::CountPrompt(request) => run.prompt_counted(Some(count(&request))).unwrap(),
            Step::ReadPrompt(_) => run.prompt_read(None).unwrap(),
            Step::Done(_) => return run,
        }
    }
}

#[test]
fn old_results_are_cleared_all_at_once_and_the_newest_stay() {
    let run = read_all(16_384, 12, 350);
    let cleared: Vec<&StepTaken> = steps(&run);
    assert!(matches!(cleared[0], StepTaken::Cleared { messages, .. } if !messages.is_empty()), "{cleared:?}");
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
    let entries = run.session().conversation().entries();
    let results: Vec<Standing> = entries
        .iter()
        .filter(|entry| matches!(entry.message.content, Content::ToolResult(_)))
        .map(|entry| entry.standing)
        .collect();
    assert_eq!(results[results.len() - 6..], [Standing::Sent; 6]);
    assert_eq!(results[0], Standing::Cleared);
}

#[test]
fn a_conversation_that_is_still_too_large_is_compacted_and_keeps_the_request_word_for_word() {
    let run = read_all(4_096, 8, 850);
    assert!(steps(&run).iter().any(|step| matches!(step, StepTaken::Compacted { .. })), "{:?}", steps(&run));
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
    let sent = run.session().conversation().chat_messages();
    assert_eq!(sent[1].role, Role::User);
    assert!(sent[1].text.starts_with("Summary of the work so far"));
    assert!(sent[1].text.ends_with("Which file is the longest?"));
}

fn steps(run: &Run) -> Vec<&StepTaken> {
    run.session()
        .timeline()
        .iter()
        .flat_map(|record| &record.steps)
        .filter(|step| !matches!(step, StepTaken::Trimmed { .. }))
        .collect()
}

/// A run that is about to summarise, and the request to do it: six results, too few to clear any, over 85 % of the room
/// and still within one request.
fn about_to_compact() -> (Run, Request) {
    let mut run = Run::begin(session(4_096), "Which file is the longest?");
    for read in 0.. {
        match run.next_step() {
            Step::CallModel(request) if request.purpose == Purpose::Compaction => return (run, request),
            Step::CallModel(request) => {
                run.model_replied(reads(&format!("f{read}"), count(&request))).unwrap()
            }
            Step::RunTools(_) => run.tools_returned(vec![file(128)]).unwrap(),
            other @ (Step::CountPrompt(_) | Step::ReadPrompt(_) | Step::Done(_)) => {
                panic!("not compacting: {other:?}")
            }
        }
    }
    unreachable!("the loop returns")
}

#[test]
fn a_summary_that_cannot_be_used_changes_nothing() {
    let (run, request) = about_to_compact();
    let standing = run.session().conversation().clone();
    let reported = count(&request);
    let cases = [
        (says("", reported), CompactionRejection::Empty),
        (Reply { finish: Finish::Length, ..says("Cut sh", reported) }, CompactionRejection::CutShort),
        (Reply { finish: Finish::Refusal, ..says("No.", reported) }, CompactionRejection::Refused),
        (reads("f9", reported), CompactionRejection::Refused),
        (says(&"word ".repeat(20_000), reported), CompactionRejection::NotSmaller),
    ];
    for (reply, reason) in cases {
        let mut run = run.clone();
        run.model_replied(reply).unwrap();
        let rejected = Event::RoomMade(StepTaken::CompactionRejected { reason });
        assert!(run.events().contains(&rejected), "{reason:?}: {:?}", run.events());
        assert_eq!(run.session().conversation(), &standing, "{reason:?}");
    }
}

#[test]
fn a_summary_of_a_truncated_conversation_replaces_nothing_and_ends_the_run() {
    let (mut run, _) = about_to_compact();
    let before = run.session().conversation().clone();
    let last_trusted = run.session().timeline().iter().rev().find_map(|record| record.usage).unwrap();
    // The question alone is more than fifty tokens; the count falls.
    run.model_replied(says("A lovely summary of what was left.", last_trusted.prompt_tokens.unwrap() - 300))
        .unwrap();
    assert_eq!(run.session().conversation(), &before);
    assert!(matches!(end(&run).reason, EndReason::ServerDropped { verdict: Verdict::Truncated, .. }));
}

#[test]
fn what_cannot_fit_is_not_sent() {
    let run = Run::begin(session(1_024), &"a long request ".repeat(1_000));
    assert!(matches!(end(&run).reason, EndReason::WouldNotFit { available: 768, .. }), "{:?}", end(&run));
    assert!(run.session().timeline().is_empty());
}

#[test]
fn endings_have_their_names() {
    let answered = |reply: Reply| {
        let mut run = Run::begin(session(32_768), "Hello");
        run.model_replied(reply).unwrap();
        end(&run)
    };
    let failed = |error: ProviderError| {
        let mut session = session(32_768);
        session.set_policy(ContextPolicy { recover: false, ..session.policy().clone() });
        let mut run = Run::begin(session, "Hello");
        run.model_failed(error, None).unwrap();
        end(&run)
    };
    let ends = [
        answered(says("Hello.", 300)),
        answered(Reply { finish: Finish::Length, ..says("Hel", 300) }),
        answered(Reply { finish: Finish::Refusal, ..says("I can't.", 300) }),
        answered(Reply { usage: Usage::default(), ..says("Hello.", 0) }),
        failed(ProviderError::Closed),
        failed(ProviderError::ContextRefused { prompt_tokens: Some(7_200), window: Some(4_096) }),
    ];
    let names: Vec<(&str, Assurance)> = ends.iter().map(|end| (end.ending().name(), end.assurance)).collect();
    assert_eq!(
        names,
        vec![
            ("end_turn", Assurance::Verified),
            ("max_tokens", Assurance::Verified),
            ("refusal", Assurance::Verified),
            ("end_turn", Assurance::Unverified),
            ("provider_error", Assurance::Unverified),
            ("context_overflow", Assurance::Unverified),
        ]
    );
}

#[test]
fn a_run_that_uses_up_its_turns_says_so() {
    let mut session = session(128_000);
    session.set_policy(ContextPolicy { max_turns: 2, confirm: false, ..ContextPolicy::default() });
    let mut run = Run::begin(session, "Read on and on.");
    for turn in 0..2 {
        let sent = request(&run);
        run.model_replied(reads(&format!("f{turn}"), count(&sent))).unwrap();
        run.tools_returned(vec![file(100)]).unwrap();
    }
    assert_eq!(
        end(&run),
        RunEnd { reason: EndReason::TurnsUsedUp { max_turns: 2 }, assurance: Assurance::Verified }
    );
}

#[test]
fn stopping_leaves_no_call_without_a_result() {
    let mut run = Run::begin(session(32_768), "What is in a.txt?");
    run.model_replied(reads("a.txt", 300)).unwrap();
    run.cancel(None);
    run.cancel(None);
    assert_eq!(end(&run).reason, EndReason::Stopped);
    assert_eq!(run.events().iter().filter(|event| matches!(event, Event::Ended(_))).count(), 1);
    let last = run.session().conversation().chat_messages().pop().unwrap();
    assert_eq!((last.role, last.text.as_str()), (Role::Tool, "The user stopped before this tool had run."));
}

#[test]
fn calls_of_one_name_in_two_turns_are_told_apart() {
    let mut run = Run::begin(session(32_768), "Read a.txt twice.");
    for _ in 0..2 {
        let sent = request(&run);
        run.model_replied(reads("a.txt", count(&sent))).unwrap();
        run.tools_returned(vec![file(20)]).unwrap();
    }
    let messages = request(&run).messages;
    let called: Vec<&str> =
        messages.iter().flat_map(|message| &message.calls).map(|call| call.id.as_str()).collect();
    let answered: Vec<&str> = messages
        .iter()
        .filter_map(|message| message.answers.as_ref())
        .map(|answers| answers.call_id.as_str())
        .collect();
    assert_eq!(called, vec!["call_a.txt", "call_5_0"]);
    assert_eq!(answered, called);
}

#[test]
fn handing_back_what_was_not_asked_for_is_refused() {
    let mut run = Run::begin(session(32_768), "Hello");
    assert_eq!(run.tools_returned(Vec::new()).unwrap_err().waits_for, "the model");
    run.cancel(None);
    assert_eq!(run.model_replied(says("Hello.", 300)).unwrap_err().waits_for, "nothing: it is over");
}

/// One thing that a driver may hand back.
#[derive(Debug, Clone)]
enum Move {
    Say { words: usize, finish: Finish, count_share: f64 },
    Read { calls: usize, count_share: f64 },
    Fail(ProviderError),
    Stop,
}

fn moves() -> impl Strategy<Value = Move> {
    let finish = prop_oneof![Just(Finish::Stop), Just(Finish::Length), Just(Finish::Other("eos".into()))];
    prop_oneof![
        2 => (0..400usize, finish, 0.0..1.3f64).prop_map(|(words, finish, count_share)| Move::Say { words, finish, count_share }),
        12 => (1..4usize, 0.8..1.2f64).prop_map(|(calls, count_share)| Move::Read { calls, count_share }),
        1 => Just(Move::Fail(ProviderError::Closed)),
        1 => (1_000..30_000u32).prop_map(|window| Move::Fail(ProviderError::ContextRefused { prompt_tokens: None, window: Some(window) })),
        1 => Just(Move::Fail(ProviderError::ContextRefused { prompt_tokens: None, window: None })),
        1 => Just(Move::Stop),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the server does: a run that is saved and loaded at every step ends once, every call that is sent has its
    /// result, and every turn carries the request word for word.
    #[test]
    fn any_run_ends_once_and_never_loses_the_request(moves in prop::collection::vec(moves(), 1..30), words in 1..900usize, window in 2_000..20_000u32, counts: bool) {
        let mut session = session(window);
        session.set_reads_back(true);
        session.set_counts(counts);
        let mut run = Run::begin(session, "Find THE LONGEST file, please.");
        for next in moves {
            let saved = serde_json::to_string(&run).unwrap();
            run = serde_json::from_str(&saved).unwrap();
            match run.next_step() {
                Step::Done(_) => break,
                Step::RunTools(calls) => run.tools_returned(calls.iter().map(|_| file(words)).collect()).unwrap(),
                Step::CountPrompt(request) => match next {
                    Move::Say { .. } => run.prompt_counted(Some(count(&request))).unwrap(),
                    Move::Read { count_share, .. } => {
                        run.prompt_counted(Some((f64::from(count(&request)) * count_share) as u32)).unwrap();
                    }
                    Move::Fail(_) => run.prompt_counted(None).unwrap(),
                    Move::Stop => run.cancel(None),
                },
                // What is shown is the whole prompt, a part of it, or nothing.
                Step::ReadPrompt(request) => match next {
                    Move::Say { .. } => run.prompt_read(Some(&rendered(&request.messages))).unwrap(),
                    Move::Read { calls, .. } => {
                        run.prompt_read(Some(&rendered(&request.messages[calls.min(request.messages.len() - 1)..]))).unwrap();
                    }
                    Move::Fail(_) => run.prompt_read(None).unwrap(),
                    Move::Stop => run.cancel(None),
                },
                Step::CallModel(request) => {
                    let calls: usize = request.messages.iter().map(|message| message.calls.len()).sum();
                    let results = request.messages.iter().filter(|message| message.role == Role::Tool).count();
                    prop_assert_eq!(calls, results);
                    if request.purpose == Purpose::Turn {
                        prop_assert!(request.messages.iter().any(|message| message.text.ends_with("Find THE LONGEST file, please.")));
                    }
                    let reported = |share: f64| (f64::from(count(&request)) * share) as u32;
                    match next {
                        Move::Say { words, finish, count_share } => {
                            run.model_replied(Reply { finish, ..says(&file(words).text, reported(count_share)) }).unwrap();
                        }
                        Move::Read { calls, count_share } => {
                            let mut reply = reads("a", reported(count_share));
                            reply.calls = vec![reply.calls[0].clone(); calls];
                            run.model_replied(reply).unwrap();
                        }
                        Move::Fail(error) => run.model_failed(error, None).unwrap(),
                        Move::Stop => run.cancel(None),
                    }
                }
            }
        }
        run.cancel(None);
        let ended: Vec<usize> = (0..run.events().len()).filter(|index| matches!(run.events()[*index], Event::Ended(_))).collect();
        prop_assert_eq!(ended, vec![run.events().len() - 1]);
    }
}
