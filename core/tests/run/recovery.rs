//! Honest refusals, prompts that are read back, and what can be done after an overflow.

use super::*;
use brimline_core::run::{Offer, Recovery};
use brimline_core::timeline::{SegmentForm, SegmentKind};
use brimline_core::window::WindowSource;

/// What a server does with a conversation that is larger than its window.
#[derive(Clone, Copy, PartialEq)]
enum Overflow {
    Refuse,
    RefuseWithoutNumbers,
    DropOldest,
}

/// A server with a model that reads `files` files and then names the first.
struct Server {
    window: u32,
    overflow: Overflow,
    files: usize,
    /// Tokens that a refused or dropping server was sent too many.
    lost: Vec<usize>,
}

impl Server {
    fn new(window: u32, overflow: Overflow) -> Self {
        Self { window, overflow, files: 12, lost: Vec::new() }
    }

    /// The messages that the server keeps.
    fn kept(&self, request: &Request) -> Request {
        let mut kept = request.clone();
        while count(&kept) > self.window && kept.messages.len() > 2 {
            kept.messages.remove(1);
        }
        kept
    }

    /// Drives a run to its end; `shows_prompt` says whether the server's prompt can be read.
    fn drive(&mut self, mut run: Run, shows_prompt: bool) -> Run {
        loop {
            match run.next_step() {
                Step::CallModel(request) => self.answer(&mut run, &request),
                Step::CountPrompt(request) => run.prompt_counted(Some(count(&request))).unwrap(),
                Step::ReadPrompt(request) => {
                    let prompt = rendered(&self.kept(&request).messages);
                    run.prompt_read(Some(prompt.as_str()).filter(|_| shows_prompt)).unwrap();
                }
                Step::RunTools(calls) => {
                    run.tools_returned(calls.iter().map(|_| file(120)).collect()).unwrap();
                }
                Step::Done(_) => return run,
            }
        }
    }

    fn answer(&mut self, run: &mut Run, request: &Request) {
        let size = count(request);
        if size > self.window && self.overflow != Overflow::DropOldest {
            let numbers = self.overflow == Overflow::Refuse;
            let error = ProviderError::ContextRefused {
                prompt_tokens: numbers.then_some(size),
                window: numbers.then_some(self.window),
            };
            return run.model_failed(error, None).unwrap();
        }
        let kept = self.kept(request);
        let dropped = request.messages.len() - kept.messages.len();
        self.lost.push(dropped);
        let reported = count(&kept);
        let results = run.session().conversation().entries().iter();
        let read = results.filter(|entry| matches!(entry.message.content, Content::ToolResult(_))).count();
        run.model_replied(match request.purpose {
            Purpose::Compaction => says(&format!("{read} files read so far."), reported),
            Purpose::Turn if read < self.files => reads(&format!("file{read}"), reported),
            Purpose::Turn | Purpose::Confirmation => says("The first.", reported),
        })
        .unwrap();
    }
}

fn asked(session: Session) -> Run {
    Run::begin(session, "Which file is the longest?")
}

#[test]
fn an_honest_refusal_proves_the_window_and_the_run_goes_on_within_it() {
    let run = Server::new(4_096, Overflow::Refuse).drive(asked(session(128_000)), false);
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
    let proven: Vec<&StepTaken> =
        steps(&run).into_iter().filter(|step| matches!(step, StepTaken::WindowProven { .. })).collect();
    assert_eq!(proven, [&StepTaken::WindowProven { before: 128_000, after: 4_096 }]);
    assert_eq!(run.session().window().window().source, WindowSource::Proven);
    let refused = run.session().timeline().iter().filter(|record| {
        record.judgement.as_ref().is_some_and(|judgement| judgement.verdict == Verdict::Refused)
    });
    assert_eq!(refused.count(), 1);
}

#[test]
fn a_refusal_without_numbers_is_met_with_what_is_told() {
    let mut session = session(128_000);
    session.window_mut().told = Some(4_096);
    let run = Server::new(4_096, Overflow::RefuseWithoutNumbers).drive(asked(session), false);
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
}

#[test]
fn a_server_that_refuses_whatever_it_is_sent_ends_the_run() {
    let run = Server::new(10, Overflow::Refuse).drive(asked(session(128_000)), false);
    let end = end(&run);
    assert!(matches!(end.reason, EndReason::WouldNotFit { .. } | EndReason::ServerRefused { .. }), "{end:?}");
    assert!(run.session().timeline().len() <= 4, "{:?}", run.session().timeline().len());
}

#[test]
fn with_recovering_switched_off_a_refusal_ends_the_run_and_offers() {
    let mut session = session(128_000);
    session.set_policy(ContextPolicy { recover: false, ..session.policy().clone() });
    let run = Server::new(4_096, Overflow::Refuse).drive(asked(session), false);
    let end = end(&run);
    assert!(matches!(end.reason, EndReason::ServerRefused { window: Some(4_096), .. }), "{end:?}");
    let offers = run.session().offers(&end);
    assert!(matches!(offers[0].recovery, Recovery::UseWindow { tokens: 4_096 }), "{offers:?}");
}

/// A run of which the server dropped the request, and its end.
fn cut(shows_prompt: bool) -> (Server, Run, RunEnd) {
    let mut server = Server::new(4_096, Overflow::DropOldest);
    let mut session = session(128_000);
    session.set_reads_back(shows_prompt);
    let run = server.drive(asked(session), shows_prompt);
    let end = end(&run);
    (server, run, end)
}

#[test]
fn a_prompt_that_is_read_tells_just_what_was_dropped() {
    let (server, run, end) = cut(true);
    let first_cut = server.lost.iter().position(|dropped| *dropped > 0).unwrap();
    let turn = u32::try_from(first_cut + 1).unwrap();
    assert_eq!(end.reason, EndReason::ServerDropped { turn, verdict: Verdict::Truncated });
    assert_eq!(end.assurance, Assurance::Verified, "every turn before was read whole");
    let record = &run.session().timeline()[first_cut];
    // The request was the oldest, and is at the place after the system prompt's two parts.
    assert_eq!(record.dropped[0], MessageId(2));
    assert_eq!(record.dropped.len(), server.lost[first_cut]);
    let said: Vec<String> = record
        .judgement
        .iter()
        .flat_map(|judgement| &judgement.evidence)
        .map(|seen| seen.sentence())
        .collect();
    assert_eq!(said.len(), 1);
    assert!(said[0].ends_with("are not in it, your request among them."), "{said:?}");
}

#[test]
fn after_a_silent_cut_every_way_that_is_offered_leads_to_the_answer() {
    let (_, run, end) = cut(true);
    let session = run.into_session();
    let offers: Vec<Offer> = session.offers(&end);
    let kinds: Vec<&str> = offers
        .iter()
        .map(|offer| match offer.recovery {
            Recovery::UseWindow { tokens } => {
                assert_eq!(tokens, 4_096);
                "use"
            }
            Recovery::RaiseWindow { .. } => "raise",
            Recovery::DropResults { .. } => "drop",
        })
        .collect();
    assert_eq!(kinds, ["use", "raise", "drop"]);
    for offer in offers {
        let window = match offer.recovery {
            Recovery::RaiseWindow { tokens } => tokens,
            Recovery::UseWindow { .. } | Recovery::DropResults { .. } => 4_096,
        };
        let mut server = Server::new(window, Overflow::DropOldest);
        let run = server.drive(Run::recover(session.clone(), &offer.recovery), true);
        let again = run.end().unwrap();
        assert!(again.looks_normal(), "{offer:?}: {again:?}");
        assert!(server.lost.iter().all(|lost| *lost == 0), "{:?}", server.lost);
        assert!(offer.after <= offer.before, "{offer:?}");
    }
}

#[test]
fn a_larger_window_is_offered_where_the_conversation_would_fit_it() {
    let run = Run::begin(session(1_024), &"a long request ".repeat(1_000));
    let end = end(&run);
    let offers = run.session().offers(&end);
    assert_eq!(offers.len(), 1, "{offers:?}");
    assert_eq!(offers[0].recovery, Recovery::RaiseWindow { tokens: 8_192 });
    let mut server = Server { files: 0, ..Server::new(8_192, Overflow::DropOldest) };
    let run = server.drive(Run::recover(run.into_session(), &offers[0].recovery), false);
    assert!(run.end().unwrap().looks_normal());
}

#[test]
fn where_system_messages_are_kept_the_request_is_said_twice_and_the_picture_shows_what_that_costs() {
    let mut session = session(32_768);
    session.set_keeps_system(true);
    let run = asked(session);
    let sent = request(&run);
    assert!(sent.messages[0].text.ends_with("\n\nWhich file is the longest?"));
    assert_eq!(sent.messages[1].text, "Which file is the longest?");
    let segments: Vec<(MessageId, SegmentKind, SegmentForm)> = run.session().timeline()[0]
        .segments
        .iter()
        .map(|segment| (segment.message, segment.kind, segment.form))
        .collect();
    assert_eq!(
        segments,
        [
            (MessageId(0), SegmentKind::SystemPrompt, SegmentForm::Whole),
            (MessageId(1), SegmentKind::ProjectInstructions, SegmentForm::Whole),
            (MessageId(2), SegmentKind::Request, SegmentForm::Repeated),
            (MessageId(2), SegmentKind::Request, SegmentForm::Whole),
        ]
    );
    // One that is long is not said twice.
    let run = Run::begin(run.into_session(), &"a long request ".repeat(1_000));
    assert!(!request(&run).messages[0].text.contains("a long request"));
}

#[test]
fn what_was_sent_in_a_turn_can_be_made_again_whatever_became_of_its_messages_since() {
    let mut session = session(4_096);
    session.set_keeps_system(true);
    let mut run = asked(session);
    let mut server = Server::new(32_768, Overflow::Refuse);
    let mut sent: Vec<Request> = Vec::new();
    for round in 0..2 {
        while let Step::CallModel(_) | Step::RunTools(_) = run.next_step() {
            match run.next_step() {
                Step::CallModel(request) => {
                    server.answer(&mut run, &request);
                    sent.push(request);
                }
                Step::RunTools(calls) => {
                    run.tools_returned(calls.iter().map(|_| file(120)).collect()).unwrap();
                }
                Step::CountPrompt(_) | Step::ReadPrompt(_) | Step::Done(_) => {}
            }
        }
        if round == 0 {
            run = Run::begin(run.into_session(), "And which is the shortest?");
        }
    }
    let purposes: Vec<Purpose> = sent.iter().map(|request| request.purpose).collect();
    assert!(purposes.contains(&Purpose::Compaction), "{purposes:?}");
    for (turn, request) in (1..).zip(&sent) {
        let again = run.session().request_of(turn);
        assert_eq!(
            again.as_ref(),
            Some(request).filter(|request| request.purpose == Purpose::Turn),
            "turn {turn}"
        );
    }
}
