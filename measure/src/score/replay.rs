//! Runs a rule over runs and tallies what it noticed, what it missed, and what it cost.

use super::run::{Run, RunTurn};
use super::server::{Counting, Outcome, Overflow};
use brimline_core::conversation::Purpose;
use brimline_core::overflow::{
    Counted, Detector, DetectorSettings, Judgement, Prediction, Sent, SentMessage, Verdict, baseline,
    half_of_estimate,
};
use brimline_core::tokens::Features;
use brimline_core::wire::Usage;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The detector, from usage alone.
    Detector,
    /// The detector, and a confirming request for every doubt.
    Confirming,
    /// Growth under a tenth of the estimate.
    Baseline,
    /// Reported less than half of the estimate.
    Half,
}

/// What a rule did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Turns that the server read whole, and those of them that the rule doubted or called truncated in the end.
    pub healthy: usize,
    /// See `healthy`.
    pub accused: usize,
    /// Runs in which something was cut, those noticed at the first cut, and those never noticed.
    pub cut_runs: usize,
    /// See `cut_runs`.
    pub first_noticed: usize,
    /// See `cut_runs`.
    pub never_noticed: usize,
    /// Turns that were judged until the run would have ended, and confirming requests in them.
    pub turns: usize,
    /// See `turns`.
    pub extra_requests: usize,
    /// Turns in which the answer pushed out what was read, and those called shifted.
    pub shifts: usize,
    /// See `shifts`.
    pub shifts_named: usize,
    /// Refusals, and those called so.
    pub refusals: usize,
    /// See `refusals`.
    pub refusals_named: usize,
    /// Turns without a count that means anything, and those shown as unverified.
    pub uncounted: usize,
    /// See `uncounted`.
    pub uncounted_named: usize,
    /// How far off the predicted size of each healthy turn but the first was, as a share of the true size.
    pub prediction_errors: Vec<f64>,
    /// Every first cut that was missed and every healthy turn that was accused, in words.
    pub mistakes: Vec<String>,
}

impl Tally {
    /// The share of runs whose first cut was noticed.
    pub fn first_cut_rate(&self) -> f64 {
        share(self.first_noticed, self.cut_runs)
    }

    /// The share of healthy turns that were accused.
    pub fn suspect_rate(&self) -> f64 {
        share(self.accused, self.healthy)
    }

    /// The share of cut runs in which nothing was ever noticed.
    pub fn never_noticed_rate(&self) -> f64 {
        share(self.never_noticed, self.cut_runs)
    }

    /// Confirming requests for each turn.
    pub fn extra_request_rate(&self) -> f64 {
        share(self.extra_requests, self.turns)
    }
}

/// A share; of nothing it is zero.
pub fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}

/// Runs a rule over all runs.
pub fn replay(runs: &[Run], rule: Rule) -> Tally {
    let mut tally = Tally::default();
    for (number, run) in runs.iter().enumerate() {
        let before = tally.mistakes.len();
        replay_one(run, rule, &mut tally);
        for mistake in tally.mistakes.iter_mut().skip(before) {
            *mistake = format!("{rule:?}, run {number}: {mistake}");
        }
    }
    tally
}

fn replay_one(run: &Run, rule: Rule, tally: &mut Tally) {
    let counted: Vec<SentMessage> = run.messages.iter().map(counted).collect();
    let mut judge = Judge::new(run, rule);
    let mut cut = false;
    let mut noticed = false;
    for turn in &run.turns {
        let sent = Sent {
            purpose: Purpose::Turn,
            messages: counted.iter().take(turn.messages).cloned().collect(),
            tools: Features::default(),
            tools_fingerprint: 0,
            max_tokens: 1_024,
            exact: None,
        };
        let first_turn = tally_prediction(run, turn, &judge, &sent, tally, cut);
        let expected = judge.predict(&sent);
        let (usage, truncated, shifted) = match turn.outcome {
            Outcome::Refused { prompt_tokens } => {
                tally.refusals += 1;
                tally.refusals_named +=
                    usize::from(judge.names_refusal(&sent, prompt_tokens, run.server.window));
                break;
            }
            Outcome::Answered { usage, truncated, shifted } => (usage, truncated, shifted),
        };
        tally.turns += 1;
        let verdict = judge.verdict(run, turn, &sent, &usage, tally);
        let accused = matches!(verdict, Verdict::Suspect | Verdict::Truncated | Verdict::Shifted);
        if shifted && !truncated {
            tally.shifts += 1;
            tally.shifts_named += usize::from(verdict == Verdict::Shifted);
        } else if run.server.counting != Counting::Whole && (truncated || !first_turn) {
            // A first request is counted whole by a server that counts what its cache does not hold.
            tally.uncounted += 1;
            tally.uncounted_named += usize::from(verdict != Verdict::Fits);
        }
        let wrong = if truncated { !cut && !accused } else { accused && !shifted };
        if wrong && run.server.counting == Counting::Whole {
            let (size, reported) = (run.whole(turn.messages), usage.prompt_tokens.unwrap_or(0));
            let (server, messages) = (&run.server, turn.messages);
            tally.mistakes.push(format!(
                "{verdict:?} though truncated is {truncated}: {messages} messages of {size} tokens, reported {reported}, \
                 expected {expected}, {server:?}"
            ));
        }
        if (truncated || !shifted) && run.server.counting == Counting::Whole {
            if truncated {
                if !cut {
                    tally.cut_runs += 1;
                    tally.first_noticed += usize::from(accused);
                }
                cut = true;
                noticed |= accused;
            } else {
                tally.healthy += 1;
                tally.accused += usize::from(accused);
            }
        }
        // There the real run ends; the other rules go on, to see what they notice later.
        if rule == Rule::Confirming && verdict == Verdict::Truncated {
            break;
        }
    }
    tally.never_noticed += usize::from(cut && !noticed);
}

/// Tallies the error of the predicted size of a healthy turn. Answers whether this turn is the first.
fn tally_prediction(
    run: &Run,
    turn: &RunTurn,
    judge: &Judge,
    sent: &Sent,
    tally: &mut Tally,
    cut: bool,
) -> bool {
    let first_turn = run.turns.first().is_some_and(|first| first.messages == turn.messages);
    // A server that does not count calibrates nothing.
    let counts = run.server.counting == Counting::Whole;
    let whole = matches!(turn.outcome, Outcome::Answered { truncated: false, .. }) && !cut && counts;
    if let (Judge::Detector { detector, .. }, false, true) = (judge, first_turn, whole) {
        let actual = f64::from(run.whole(turn.messages));
        tally.prediction_errors.push((detector.predict(sent).tokens - actual).abs() / actual);
    }
    first_turn
}

/// A rule with what it remembers of a run.
enum Judge {
    Detector { detector: Box<Detector>, confirming: bool },
    Baseline { before: Option<Counted> },
    Half,
}

impl Judge {
    fn new(run: &Run, rule: Rule) -> Self {
        // The window is told only where a shift is to be seen: nothing else shows one.
        let window = (run.server.overflow == Overflow::Shift).then_some(run.server.window);
        let detector = |confirming| {
            let settings = DetectorSettings { confirming, window };
            Self::Detector { detector: Box::new(Detector::new(run.family, settings)), confirming }
        };
        match rule {
            Rule::Detector => detector(false),
            Rule::Confirming => detector(true),
            Rule::Baseline => Self::Baseline { before: None },
            Rule::Half => Self::Half,
        }
    }

    fn verdict(
        &mut self,
        run: &Run,
        turn: &RunTurn,
        sent: &Sent,
        usage: &Usage,
        tally: &mut Tally,
    ) -> Verdict {
        let characters: usize =
            run.messages.iter().take(turn.messages).map(|message| message.text.chars().count()).sum();
        let now = usage
            .prompt_tokens
            .map(|reported| Counted { reported, estimate: characters as f64 / CHARACTERS_A_TOKEN });
        match self {
            Self::Detector { detector, confirming } => {
                let judgement = detector.judge(sent, usage, false);
                match (judgement.verdict, *confirming) {
                    (Verdict::Suspect, true) => settle(run, detector, sent, usage, judgement, tally).verdict,
                    (verdict, _) => verdict,
                }
            }
            Self::Baseline { before } => match now {
                None => Verdict::Unverified,
                Some(now) if baseline(sent.purpose, *before, now) => Verdict::Truncated,
                Some(now) => {
                    *before = Some(now);
                    Verdict::Fits
                }
            },
            Self::Half => match now {
                None => Verdict::Unverified,
                Some(now) if half_of_estimate(now) => Verdict::Truncated,
                Some(_) => Verdict::Fits,
            },
        }
    }

    /// What the rule expected, for people.
    fn predict(&self, sent: &Sent) -> String {
        match self {
            Self::Detector { detector, .. } => {
                let Prediction { tokens, spread } = detector.predict(sent);
                format!("{tokens:.0} ± {spread:.0}")
            }
            Self::Baseline { .. } | Self::Half => "nothing".to_owned(),
        }
    }

    fn names_refusal(&mut self, sent: &Sent, prompt_tokens: u32, window: u32) -> bool {
        match self {
            Self::Detector { detector, .. } => {
                detector.refused(sent, Some(prompt_tokens), Some(window)).verdict == Verdict::Refused
            }
            Self::Baseline { .. } | Self::Half => false,
        }
    }
}

/// The rule of thumb of the rules that we are measured against.
const CHARACTERS_A_TOKEN: f64 = 4.0;

fn settle(
    run: &Run,
    detector: &mut Detector,
    sent: &Sent,
    usage: &Usage,
    judgement: Judgement,
    tally: &mut Tally,
) -> Judgement {
    let Ok(confirming) = detector.confirming(sent) else { return judgement };
    tally.extra_requests += 1;
    match run.confirm(&confirming.indices) {
        Some(confirmed) => detector.settle(sent, usage, &confirming, &confirmed),
        None => judgement,
    }
}

fn counted(message: &super::run::RunMessage) -> SentMessage {
    let mut hasher = DefaultHasher::new();
    message.role.hash(&mut hasher);
    message.text.hash(&mut hasher);
    SentMessage { role: message.role, features: Features::of(&message.text), fingerprint: hasher.finish() }
}
