//! Prompts that were counted exactly before they were sent.

use super::*;

/// The talk, counted by a vocabulary that says `exact`.
fn counted(talk: &Talk, exact: u32) -> Sent {
    Sent { exact: Some(exact), ..talk.sent() }
}

fn judge(detector: &mut Detector, talk: &Talk, exact: u32, reported: u32) -> Judgement {
    detector.judge(&counted(talk, exact), &usage(reported), false)
}

/// A detector that saw the first turn counted as `more` tokens more than we do.
fn proven(talk: &Talk, more: u32) -> Detector {
    let mut detector = Detector::new(FAMILY, DetectorSettings::default());
    let judgement = judge(&mut detector, talk, talk.size(), talk.size() + more);
    assert_eq!(judgement.verdict, Verdict::Fits, "{judgement:?}");
    detector
}

#[test]
fn the_same_count_fits_and_is_foreseen() {
    let mut talk = Talk::begin();
    let mut detector = proven(&talk, 0);
    talk.read(40);
    let size = talk.size();
    assert_eq!(detector.predict(&counted(&talk, size)), Prediction { tokens: f64::from(size), spread: 0.0 });
    let judgement = judge(&mut detector, &talk, size, size);
    assert_eq!(judgement.verdict, Verdict::Fits);
    assert_eq!(judgement.evidence, [Evidence::CountedExactly { reported: size, exact: size }]);
}

#[test]
fn the_loss_of_the_smallest_message_is_seen() {
    let mut talk = Talk::begin();
    let mut detector = proven(&talk, 0);
    talk.say(Role::Assistant, 1).say(Role::Tool, 60);
    // The request, which is small beside what was added.
    let lost = talk.size() - talk.size_of(&[1]);
    let judgement = judge(&mut detector, &talk, talk.size(), lost);
    assert_eq!(judgement.verdict, Verdict::Truncated);
    assert_eq!(
        judgement.evidence.first(),
        Some(&Evidence::CountedExactly { reported: lost, exact: talk.size() })
    );
    assert_eq!(judgement.window.and_then(|window| window.at_most).map(|most| most < talk.size()), Some(true));
}

#[test]
fn what_the_server_always_adds_is_learnt_from_the_first_turn() {
    let mut talk = Talk::begin();
    let mut detector = proven(&talk, 3);
    talk.read(20);
    let whole = talk.size() + 3;
    assert_eq!(judge(&mut detector, &talk, talk.size(), whole).verdict, Verdict::Fits);
    talk.read(20);
    let short = talk.size() + 3 - 30;
    assert_ne!(judge(&mut detector, &talk, talk.size(), short).verdict, Verdict::Fits);
}

#[test]
fn a_first_count_far_below_ours_is_a_doubt() {
    let talk = Talk::begin();
    let mut detector = Detector::new(FAMILY, DetectorSettings::default());
    let judgement = judge(&mut detector, &talk, talk.size() + 40, talk.size());
    assert_eq!((judgement.verdict, kinds(&judgement)[0]), (Verdict::Suspect, "exact"));
    // Reading the prompt back settles it: ours was wrong, and says nothing from now on.
    let sent = counted(&talk, talk.size() + 40);
    let judgement = detector.settle_by_reading(&sent, &usage(talk.size()), &[]);
    assert_eq!(judgement.verdict, Verdict::Fits, "{judgement:?}");
    let judgement = judge(&mut detector, &talk, talk.size() + 40, talk.size());
    assert_eq!((judgement.verdict, judgement.evidence), (Verdict::Fits, vec![]));
}

#[test]
fn a_server_that_reads_more_than_we_counted_has_another_vocabulary() {
    let mut talk = Talk::begin();
    let mut detector = Detector::new(FAMILY, DetectorSettings::default());
    let judgement = judge(&mut detector, &talk, talk.size() - 30, talk.size());
    assert_eq!((judgement.verdict, judgement.evidence), (Verdict::Fits, vec![]));
    talk.read(20);
    // The estimate judges from then on.
    let judgement = judge(&mut detector, &talk, talk.size() + 200, talk.size());
    assert_eq!((judgement.verdict, judgement.evidence), (Verdict::Fits, vec![]));
}

#[test]
fn an_honest_refusal_proves_our_count_too() {
    let (_, talk) = grown();
    let mut detector = Detector::new(FAMILY, DetectorSettings::default());
    detector.refused(&counted(&talk, talk.size() - 1), Some(talk.size()), Some(1_000));
    assert_eq!(detector.exact(&counted(&talk, 500)), Some(501));
}
