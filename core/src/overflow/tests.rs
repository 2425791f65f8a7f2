//! Every kind of evidence, by itself.

mod exact;

use super::*;
use crate::conversation::{Purpose, Role};
use crate::tokens::{Estimator, Family, Features};
use crate::wire::Usage;

/// A conversation whose texts a tokenizer of the family cuts exactly as estimated, and five tokens for each message.
#[derive(Clone)]
struct Talk {
    messages: Vec<SentMessage>,
    sizes: Vec<u32>,
}

const FAMILY: Family = Family::Qwen25;
const SENTENCE: &str = "The server drops the oldest message when the conversation does not fit its window. ";

impl Talk {
    /// A system prompt of about 200 tokens and a request of about 60.
    fn begin() -> Self {
        let mut talk = Self { messages: Vec::new(), sizes: Vec::new() };
        talk.say(Role::System, 14);
        talk.say(Role::User, 4);
        talk
    }

    /// Adds a message of so many sentences.
    fn say(&mut self, role: Role, sentences: usize) -> &mut Self {
        let features = Features::of(&SENTENCE.repeat(sentences));
        let size = Estimator::for_family(FAMILY).tokens(&features) + 5.0;
        let fingerprint = u64::try_from(self.messages.len() * 1_000 + sentences).unwrap();
        self.messages.push(SentMessage { role, features, fingerprint });
        self.sizes.push(size.round() as u32);
        self
    }

    /// A short call and a result of so many sentences.
    fn read(&mut self, sentences: usize) -> &mut Self {
        self.say(Role::Assistant, 1).say(Role::Tool, sentences)
    }

    fn sent(&self) -> Sent {
        Sent {
            purpose: Purpose::Turn,
            messages: self.messages.clone(),
            tools: Features::default(),
            tools_fingerprint: 0,
            max_tokens: 1_024,
            exact: None,
        }
    }

    fn size(&self) -> u32 {
        self.sizes.iter().sum()
    }

    fn size_of(&self, indices: &[usize]) -> u32 {
        indices.iter().map(|index| self.sizes[*index]).sum()
    }
}

fn usage(prompt: u32) -> Usage {
    Usage { prompt_tokens: Some(prompt), cached_tokens: None, completion_tokens: Some(10) }
}

/// A detector that has seen the conversation grow to this.
fn detector(settings: DetectorSettings, turns: &[&Talk]) -> Detector {
    let mut detector = Detector::new(FAMILY, settings);
    for talk in turns {
        let judgement = detector.judge(&talk.sent(), &usage(talk.size()), false);
        assert_eq!(judgement.verdict, Verdict::Fits, "{judgement:?}");
    }
    detector
}

/// A conversation that grew by six results of about 500 tokens, turn by turn, to about 3,600.
fn grown() -> (Vec<Talk>, Talk) {
    let mut turns = vec![Talk::begin()];
    for _ in 0..6 {
        let mut next = turns[turns.len() - 1].clone();
        next.read(35);
        turns.push(next);
    }
    let last = turns[turns.len() - 1].clone();
    (turns, last)
}

fn grown_detector(settings: DetectorSettings) -> (Detector, Talk) {
    let (turns, last) = grown();
    (detector(settings, &turns.iter().collect::<Vec<_>>()), last)
}

fn kinds(judgement: &Judgement) -> Vec<&'static str> {
    judgement
        .evidence
        .iter()
        .map(|evidence| match evidence {
            Evidence::CountFell { .. } => "fell",
            Evidence::GrowthStalled { .. } => "stalled",
            Evidence::UnderFloor { .. } => "floor",
            Evidence::FarBelowEstimate { .. } => "far below",
            Evidence::HalfWindow { .. } => "half",
            Evidence::PlateauBelowWindow { .. } => "plateau",
            Evidence::LossCouldHide { .. } => "could hide",
            Evidence::ConfirmedGrowth { .. } => "confirmed by growth",
            Evidence::ConfirmedWithoutOldest { .. } => "confirmed without oldest",
            Evidence::ReadBackDropped { .. } => "read back dropped",
            Evidence::ReadBackWhole { .. } => "read back whole",
            Evidence::CountedExactly { .. } => "exact",
            Evidence::BeyondWindow { .. } => "beyond",
            Evidence::EdgeReached { .. } => "edge",
            Evidence::RefusedBy { .. } => "refused",
            Evidence::ThinkingDropped { .. } => "thinking",
            Evidence::OnlyUncachedCounted { .. } => "uncached",
            Evidence::NoCount => "no count",
        })
        .collect()
}

#[test]
fn a_healthy_conversation_fits_all_along_and_is_foreseen() {
    let (detector, mut talk) = grown_detector(DetectorSettings::default());
    let held = talk.size();
    assert_eq!(detector.window_range(), Some(WindowRange { at_least: held, at_most: None }));
    talk.read(40);
    let Prediction { tokens, spread } = detector.predict(&talk.sent());
    assert!((tokens - f64::from(talk.size())).abs() < 2.0 * spread && spread < 60.0, "{tokens} ± {spread}");
}

#[test]
fn a_count_that_falls_while_the_conversation_grows_is_a_loss() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    let before = talk.size();
    talk.read(5);
    let judgement = detector.judge(&talk.sent(), &usage(before - 20), false);
    assert_eq!(judgement.verdict, Verdict::Truncated);
    assert_eq!(kinds(&judgement), ["fell"]);
    assert_eq!(judgement.window.map(|window| window.at_least), Some(before));
}

#[test]
fn growth_that_stalls_in_small_steps_is_summed_since_the_last_trusted_count() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    let mut verdicts = Vec::new();
    // The server stands still; each step by itself is small.
    let stuck = talk.size() + 4;
    for _ in 0..4 {
        talk.read(2);
        verdicts.push(detector.judge(&talk.sent(), &usage(stuck), false).verdict);
    }
    assert_eq!(verdicts.last(), Some(&Verdict::Truncated), "{verdicts:?}");
    let judgement = detector.judge(&talk.sent(), &usage(stuck), false);
    assert!(kinds(&judgement).contains(&"stalled"), "{judgement:?}");
}

#[test]
fn a_first_request_under_the_floor_of_its_text_is_a_loss() {
    let mut talk = Talk::begin();
    talk.say(Role::Assistant, 1).say(Role::User, 280);
    let mut detector = Detector::new(Family::Unknown, DetectorSettings::default());
    let judgement = detector.judge(&talk.sent(), &usage(63), false);
    assert_eq!(judgement.verdict, Verdict::Truncated);
    assert_eq!(kinds(&judgement), ["floor", "far below"]);
}

#[test]
fn a_first_request_that_lost_a_third_is_noticed_which_the_baseline_does_not() {
    let mut talk = Talk::begin();
    for _ in 0..12 {
        talk.say(Role::User, 36).say(Role::Assistant, 1);
    }
    talk.say(Role::User, 2);
    // As Ollama does with a window of 4,096: the longest end that fits, and the system prompt.
    let mut read = talk.sizes[0];
    for size in talk.sizes.iter().rev() {
        if read + size > 4_096 {
            break;
        }
        read += size;
    }
    let mut detector = Detector::new(FAMILY, DetectorSettings::default());
    let judgement = detector.judge(&talk.sent(), &usage(read), false);
    assert!(matches!(judgement.verdict, Verdict::Suspect | Verdict::Truncated), "{judgement:?}");
    let now = Counted { reported: read, estimate: f64::from(talk.size()) };
    assert!(!baseline(Purpose::Turn, None, now));
}

#[test]
fn half_of_a_window_and_two_is_what_ollama_keeps_of_a_huge_message() {
    for off in [2, 3] {
        let mut talk = Talk::begin();
        let mut detector = detector(DetectorSettings::default(), &[&talk]);
        talk.read(500);
        let judgement = detector.judge(&talk.sent(), &usage(2_048 + off), false);
        assert_eq!(judgement.verdict, Verdict::Truncated);
        assert!(judgement.evidence.contains(&Evidence::HalfWindow { reported: 2_048 + off, window: 4_096 }));
        assert_eq!(judgement.window, Some(WindowRange { at_least: 2_048 + off, at_most: Some(4_096) }));
    }
}

/// A conversation that grew to just beyond 4,096, so that its request was dropped and the count stays just below.
fn request_lost() -> (Vec<Talk>, Talk, u32) {
    let (turns, mut talk) = grown();
    let sentences = (4_115 - talk.size()) / (talk.sizes[3] / 35) - 2;
    talk.read(usize::try_from(sentences).unwrap());
    let read = talk.size() - talk.sizes[1];
    assert!(talk.size() > 4_096 && read <= 4_096, "{} {read}", talk.size());
    (turns, talk, read)
}

#[test]
fn a_request_that_could_hide_just_below_a_round_window_is_suspect_until_confirmed() {
    let (turns, talk, read) = request_lost();
    let settings = DetectorSettings { confirming: true, window: None };
    let mut cut = detector(settings, &turns.iter().collect::<Vec<_>>());
    let judgement = cut.judge(&talk.sent(), &usage(read), false);
    assert_eq!(judgement.verdict, Verdict::Suspect, "{judgement:?}");
    assert!(kinds(&judgement).ends_with(&["plateau", "could hide"]), "{judgement:?}");
    let confirming = cut.confirming(&talk.sent()).unwrap();
    assert_eq!(confirming.way, ConfirmingWay::FirstAndNew);
    let confirmed = usage(talk.size_of(&confirming.indices));
    let settled = cut.settle(&talk.sent(), &usage(read), &confirming, &confirmed);
    assert_eq!(settled.verdict, Verdict::Truncated);
    assert_eq!(settled.evidence, vec![Evidence::ConfirmedGrowth { reported: read, exact: talk.size() }]);
    assert_eq!(cut.dropped(&talk.sent(), &usage(read)), vec![1]);
}

#[test]
fn a_doubt_about_a_whole_turn_is_settled_as_fitting_and_teaches() {
    let (turns, talk, _) = request_lost();
    let settings = DetectorSettings { confirming: true, window: None };
    let mut whole = detector(settings, &turns.iter().collect::<Vec<_>>());
    let confirming = whole.confirming(&talk.sent()).unwrap();
    let confirmed = usage(talk.size_of(&confirming.indices));
    let settled = whole.settle(&talk.sent(), &usage(talk.size()), &confirming, &confirmed);
    assert_eq!(settled.verdict, Verdict::Fits);
    assert_eq!(whole.window_range(), Some(WindowRange { at_least: talk.size(), at_most: None }));
}

#[test]
fn without_the_oldest_message_a_cut_counts_the_same_and_a_whole_turn_less() {
    let mut talk = Talk::begin();
    let settings = DetectorSettings { confirming: true, window: None };
    let first = detector(settings, &[&talk]);
    // A window of 2,048 lies between the whole and what is left without the first message.
    talk.read(117);
    assert!((talk.size() - talk.sizes[1]..talk.size()).contains(&2_048), "{}", talk.size());
    let confirming = first.confirming(&talk.sent()).unwrap();
    assert_eq!(confirming, Confirming { indices: vec![0, 2, 3], way: ConfirmingWay::WithoutOldest });
    let reported = talk.size() - talk.sizes[1];
    let settle = |reported: u32, confirmed: u32| {
        let judgement = first.clone().settle(&talk.sent(), &usage(reported), &confirming, &usage(confirmed));
        (judgement.verdict, kinds(&judgement)[0])
    };
    let by = "confirmed without oldest";
    assert_eq!(settle(reported, reported), (Verdict::Truncated, by));
    assert_eq!(settle(talk.size(), reported), (Verdict::Fits, by));
    // A server that cut the middle out: the difference is neither nothing nor the message.
    assert_eq!(settle(talk.size(), talk.size() - 15), (Verdict::Suspect, by));
    // Where no window lies, the same counts are rather those of a server that leaves its cache out.
    let new = talk.sizes[2..].iter().sum::<u32>();
    assert_eq!(settle(new, new), (Verdict::Unverified, "uncached"));
}

#[test]
fn says_why_no_confirming_request_can_be_made() {
    let mut talk = Talk::begin();
    let detector = detector(DetectorSettings::default(), &[]);
    assert_eq!(detector.confirming(&talk.sent()), Err(CannotConfirm::TooFewMessages));
    talk.messages.remove(1);
    talk.read(3);
    assert_eq!(detector.confirming(&talk.sent()), Err(CannotConfirm::PartsCallFromResult));
}

#[test]
fn what_the_first_and_new_messages_alone_cannot_show_is_asked_otherwise() {
    let (turns, mut talk) = grown();
    let all: Vec<&Talk> = turns.iter().collect();
    let way = |detector: &Detector, talk: &Talk| detector.confirming(&talk.sent()).map(|it| it.way);
    let (settings, without) = (DetectorSettings::default(), Ok(ConfirmingWay::WithoutOldest));
    // It may not fit itself.
    let mut large = talk.clone();
    large.read(400);
    assert_eq!(way(&detector(settings, &all), &large), without);
    // Two messages of one role in a row.
    let mut same_role = talk.clone();
    same_role.say(Role::User, 3);
    assert_eq!(way(&detector(settings, &all), &same_role), without);
    talk.read(3);
    assert_eq!(way(&detector(settings, &all), &talk), Ok(ConfirmingWay::FirstAndNew));
    // A thinking model.
    let mut thinking = detector(settings, &all);
    thinking.judge(&talk.sent(), &usage(talk.size()), true);
    talk.read(3);
    assert_eq!(way(&thinking, &talk), without);
    // Another tool list.
    let mut other_tools = talk.sent();
    other_tools.tools_fingerprint = 7;
    let confirming = detector(settings, &all).confirming(&other_tools);
    assert_eq!(confirming.map(|it| it.way), without);
}

#[test]
fn an_answer_beyond_the_window_is_a_shift_and_one_cut_by_max_tokens_is_not() {
    let (turns, mut talk) = grown();
    let all: Vec<&Talk> = turns.iter().collect();
    let settings = DetectorSettings { confirming: false, window: Some(4_096) };
    talk.read(4);
    let prompt = talk.size();
    let judge = |completion: u32| {
        let usage = Usage { completion_tokens: Some(completion), ..usage(prompt) };
        detector(settings, &all).judge(&talk.sent(), &usage, false)
    };
    let shifted = judge(4_096 - prompt + 1);
    assert_eq!((shifted.verdict, kinds(&shifted)[0]), (Verdict::Shifted, "beyond"));
    assert_eq!(judge(4_096 - prompt).verdict, Verdict::Fits);
    assert_eq!(judge(talk.sent().max_tokens.min(4_096 - prompt)).verdict, Verdict::Fits);
}

#[test]
fn a_refusal_tells_the_window() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    talk.read(200);
    let judgement = detector.refused(&talk.sent(), Some(6_378), Some(4_096));
    assert_eq!(
        judgement,
        Judgement {
            verdict: Verdict::Refused,
            evidence: vec![Evidence::RefusedBy { prompt: Some(6_378), window: Some(4_096) }],
            window: Some(WindowRange { at_least: 4_096, at_most: Some(4_096) }),
        }
    );
}

#[test]
fn a_thinking_models_count_may_fall_honestly() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    let before = talk.size();
    talk.say(Role::Assistant, 1).say(Role::User, 2);
    let judgement = detector.judge(&talk.sent(), &usage(before - 300), true);
    assert_eq!(kinds(&judgement), ["thinking"], "{judgement:?}");
    assert_eq!(judgement.verdict, Verdict::Fits);
    // From there on like is compared with like again.
    let reported = before - 300;
    talk.read(40);
    let grown = talk.sizes[talk.sizes.len() - 2..].iter().sum::<u32>();
    assert_eq!(detector.judge(&talk.sent(), &usage(reported + grown), false).verdict, Verdict::Fits);
}

#[test]
fn missing_and_cached_only_counts_say_nothing_and_change_nothing() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    talk.read(40);
    let before = detector.clone();
    let added = talk.sizes[talk.sizes.len() - 2..].iter().sum::<u32>();
    let cached = Usage { cached_tokens: Some(talk.size() - added), ..usage(added) };
    for (usage, kind) in [
        (Usage::default(), "no count"),
        (usage(0), "no count"),
        (usage(added), "uncached"),
        (cached, "uncached"),
    ] {
        let judgement = detector.judge(&talk.sent(), &usage, false);
        assert_eq!((judgement.verdict, kinds(&judgement)), (Verdict::Unverified, vec![kind]));
        assert_eq!(detector, Detector { counts_uncached: kind == "uncached", ..before.clone() });
    }
    // What else such a server leaves out is no loss, and a whole count is still one.
    let low = detector.judge(&talk.sent(), &usage(added / 2), false);
    assert_eq!((low.verdict, kinds(&low)), (Verdict::Unverified, vec!["uncached"]));
    assert_eq!(detector.judge(&talk.sent(), &usage(talk.size()), false).verdict, Verdict::Fits);
}

#[test]
fn a_truncated_turn_teaches_nothing() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    let before = talk.size();
    talk.read(60);
    let expected = detector.predict(&talk.sent());
    assert_eq!(detector.judge(&talk.sent(), &usage(before - 5), false).verdict, Verdict::Truncated);
    assert_eq!(detector.predict(&talk.sent()), expected);
}

#[test]
fn a_conversation_that_was_cleared_is_compared_message_by_message() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    // Two old results become notes.
    for index in [3, 5] {
        let features = Features::of("[cleared]");
        talk.sizes[index] = Estimator::for_family(FAMILY).tokens(&features).round() as u32 + 5;
        let fingerprint = 999_999;
        talk.messages[index] = SentMessage { role: Role::Tool, features, fingerprint };
    }
    talk.read(40);
    let Prediction { tokens, spread } = detector.predict(&talk.sent());
    assert!((tokens - f64::from(talk.size())).abs() < 3.0 * spread.max(5.0), "{tokens} ± {spread}");
    // Far less than what was read before: no window cuts that.
    assert_eq!(detector.judge(&talk.sent(), &usage(talk.size()), false).verdict, Verdict::Fits);
}

#[test]
fn a_compaction_request_is_judged_and_does_not_become_the_reference() {
    let (mut detector, mut talk) = grown_detector(DetectorSettings::default());
    let before = talk.clone();
    talk.say(Role::User, 6);
    let ask = Sent { purpose: Purpose::Compaction, ..talk.sent() };
    let cut = detector.clone().judge(&ask, &usage(before.size() - 200), false);
    assert_eq!(cut.verdict, Verdict::Truncated);
    assert_eq!(detector.judge(&ask, &usage(talk.size()), false).verdict, Verdict::Fits);
    let mut next = before;
    next.read(20);
    assert_eq!(detector.judge(&next.sent(), &usage(next.size()), false).verdict, Verdict::Fits);
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever a server counts: no panic, a saved detector judges the same, what is trusted never shrinks the
        /// window's lower bound, and a count of nothing is never taken for safe.
        #[test]
        fn any_counts(counts in prop::collection::vec(prop::option::of(0_u32..20_000), 1..12), steps in prop::collection::vec(1_usize..60, 12)) {
            let mut detector = Detector::new(Family::Unknown, DetectorSettings { confirming: true, window: None });
            let mut talk = Talk::begin();
            let mut held = 0;
            for (count, step) in counts.into_iter().zip(steps) {
                let usage = Usage { prompt_tokens: count, cached_tokens: None, completion_tokens: None };
                let saved = serde_json::to_string(&detector).unwrap();
                let mut loaded: Detector = serde_json::from_str(&saved).unwrap();
                let judgement = detector.judge(&talk.sent(), &usage, false);
                prop_assert_eq!(judgement.verdict, loaded.judge(&talk.sent(), &usage, false).verdict);
                if count.unwrap_or(0) == 0 {
                    prop_assert_eq!(judgement.verdict, Verdict::Unverified);
                }
                let at_least = detector.window_range().map_or(0, |range| range.at_least);
                prop_assert!(at_least >= held);
                held = at_least;
                for index in detector.dropped(&talk.sent(), &usage) {
                    prop_assert!(index + 1 < talk.messages.len());
                }
                talk.read(step);
            }
        }
    }
}
