//! Prompts that are counted exactly before they are sent.

use super::*;

/// A session whose prompts can be counted.
fn counting(window: u32) -> Session {
    let mut session = session(window);
    session.set_counts(true);
    session
}

fn to_count(run: &Run) -> Request {
    match run.next_step() {
        Step::CountPrompt(request) => request,
        other @ (Step::CallModel(_) | Step::ReadPrompt(_) | Step::RunTools(_) | Step::Done(_)) => {
            panic!("expected a prompt to count, not {other:?}")
        }
    }
}

/// Counts the prompt that is to be counted, and gives the request that is sent then.
fn counted(run: &mut Run) -> Request {
    let request = to_count(run);
    run.prompt_counted(Some(count(&request))).unwrap();
    super::request(run)
}

#[test]
fn a_turn_is_counted_before_it_is_sent_and_judged_by_that() {
    let mut run = Run::begin(counting(32_768), "What is in a.txt?");
    let asked = to_count(&run);
    let first = counted(&mut run);
    assert_eq!(asked, first);
    run.model_replied(reads("a.txt", count(&first))).unwrap();
    run.tools_returned(vec![file(50)]).unwrap();
    let second = counted(&mut run);
    let record = &run.session().timeline()[1];
    assert_eq!((record.estimate, record.spread), (f64::from(count(&second)), 0.0));
    // The user's few words are missing: far less than an estimate could tell.
    run.model_replied(says("Fifty.", count(&second) - 9)).unwrap();
    let reason = EndReason::ServerDropped { turn: 2, verdict: Verdict::Truncated };
    assert_eq!(end(&run).reason, reason);
}

#[test]
fn a_prompt_that_cannot_be_counted_goes_by_the_estimate() {
    let mut run = Run::begin(counting(32_768), "What is in a.txt?");
    run.prompt_counted(None).unwrap();
    let first = request(&run);
    assert!(run.session().timeline()[0].spread > 0.0);
    run.model_replied(says("Nothing.", count(&first))).unwrap();
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
}

#[test]
fn room_is_made_by_the_exact_size() {
    let mut run = Run::begin(counting(4_096), "Which file is the longest?");
    let mut answered = 0;
    for number in 0..9 {
        let request = counted(&mut run);
        assert_eq!(request.purpose, Purpose::Turn);
        run.model_replied(reads(&format!("{number}.txt"), count(&request))).unwrap();
        run.tools_returned(vec![file(20)]).unwrap();
        answered += 1;
    }
    // By the estimate there is room for far more. By this count there is not, so the old results are cleared, and what
    // is left is counted anew.
    let whole = to_count(&run);
    run.prompt_counted(Some(2_500)).unwrap();
    let cleared = to_count(&run);
    assert_ne!(whole, cleared);
    run.prompt_counted(Some(count(&cleared))).unwrap();
    assert_eq!(request(&run), cleared);
    let steps = &run.session().timeline()[answered].steps;
    assert!(matches!(steps[..], [StepTaken::Cleared { before: 2_500, .. }]), "{steps:?}");
}

#[test]
fn a_prompt_that_is_known_not_to_fit_is_not_sent() {
    let mut run = Run::begin(counting(4_096), "What is in a.txt?");
    run.prompt_counted(Some(50_000)).unwrap();
    let reason = EndReason::WouldNotFit { tokens: 50_000, available: 3_072 };
    assert_eq!(end(&run).reason, reason);
}

#[test]
fn counting_can_be_stopped_and_nothing_else_is_taken_meanwhile() {
    let mut run = Run::begin(counting(32_768), "What is in a.txt?");
    assert!(run.tools_returned(Vec::new()).is_err());
    assert!(run.model_replied(says("", 1)).is_err());
    run.cancel(None);
    assert_eq!(end(&run).reason, EndReason::Stopped);
    assert!(run.prompt_counted(Some(1)).is_err());
}

#[test]
fn counts_that_prove_wrong_are_not_asked_for_again() {
    let mut run = Run::begin(counting(32_768), "What is in a.txt?");
    let first = to_count(&run);
    run.prompt_counted(Some(count(&first) / 2)).unwrap();
    run.model_replied(reads("a.txt", count(&first))).unwrap();
    run.tools_returned(vec![file(50)]).unwrap();
    let second = request(&run);
    run.model_replied(says("Fifty words.", count(&second))).unwrap();
    assert_eq!(end(&run), RunEnd { reason: EndReason::Answered, assurance: Assurance::Verified });
}

#[test]
fn a_run_that_waits_for_a_count_can_be_kept() {
    let run = Run::begin(counting(32_768), "What is in a.txt?");
    let mut kept: Run = serde_json::from_str(&serde_json::to_string(&run).unwrap()).unwrap();
    assert_eq!(to_count(&kept), to_count(&run));
    assert_eq!(counted(&mut kept), to_count(&run));
}
