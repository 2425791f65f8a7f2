//! The detector: judges each count, learns from those that it trusts, and from no other.

use super::evidence::Evidence;
use super::exact::Exactness;
use super::hypotheses::{Loss, Seen, Weighing, weigh};
use super::sent::Sent;
use super::sizes::{Expectation, Extremes, Sample, Sizes};
use super::verdict::{Judgement, Verdict, WindowRange};
use super::window_prior::WindowPrior;
use crate::conversation::{Purpose, Role};
use crate::tokens::{Calibration, Family, Features, Prediction};
use crate::wire::Usage;
use serde::{Deserialize, Serialize};

/// What can be set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetectorSettings {
    /// A doubt will be settled by a confirming request, so doubting costs little: doubt sooner.
    pub confirming: bool,
    /// The window that the server itself told, or that was measured, in tokens. Not one that the user only set.
    pub window: Option<u32>,
}

/// Compares what was sent with what was reported, over one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detector {
    pub(super) family: Family,
    pub(super) settings: DetectorSettings,
    pub(super) calibration: Calibration,
    pub(super) sizes: Sizes,
    /// The first trusted request of what is sent now.
    pub(super) first: Option<Sample>,
    /// The last trusted request.
    pub(super) last: Option<Sample>,
    /// The most that the server ever read at once, in tokens.
    pub(super) held: u32,
    /// What the window holds at most, by the evidence.
    pub(super) ceiling: Option<u32>,
    pub(super) thinking: bool,
    #[serde(default)]
    pub(super) exactness: Exactness,
    /// The server was seen to count only what did not come from its cache.
    #[serde(default)]
    pub(super) counts_uncached: bool,
}

/// From this probability of a loss on, a count is in doubt. Chosen on one half of the recorded runs, checked on the
/// other: see docs/detector.md.
pub(super) const SUSPECT: f64 = 0.17;

/// The same where a confirming request will settle it.
const SUSPECT_CONFIRMING: f64 = 0.007;

/// From this probability on, a loss needs no confirmation.
const TRUNCATED: f64 = 0.999_9;

/// A count that is further below the expectation than so many standard deviations teaches nothing, even if it is
/// believed (a thinking model whose old reasoning left).
const TEACHES_NOTHING: f64 = 5.0;

/// A count stands just below a window if it is within this share of it.
const PLATEAU: f64 = 0.05;

/// What a template may leave out or put into an assistant's message of a thinking model (an empty block of thoughts).
const EMPTY_THOUGHTS: f64 = 6.0;

impl Detector {
    /// Knows nothing yet but the family of the model.
    pub fn new(family: Family, settings: DetectorSettings) -> Self {
        Self {
            family,
            settings,
            calibration: Calibration::new(family),
            sizes: Sizes::default(),
            first: None,
            last: None,
            held: 0,
            ceiling: None,
            thinking: false,
            exactness: Exactness::default(),
            counts_uncached: false,
        }
    }

    /// Changes what is set. What was learnt stays.
    pub fn set(&mut self, settings: DetectorSettings) {
        self.settings = settings;
    }

    /// The size of a text by itself, in tokens, by what this run's counts have taught.
    pub fn text_tokens(&self, features: &Features) -> f64 {
        self.calibration.text(features).tokens
    }

    /// What a request should take, in tokens, and how far off that may be.
    pub fn predict(&self, sent: &Sent) -> Prediction {
        if let Some(exact) = self.exact(sent) {
            return Prediction { tokens: f64::from(exact), spread: 0.0 };
        }
        let (tokens, spread) = self.expect(sent).size(&self.calibration);
        Prediction { tokens, spread }
    }

    /// What the evidence so far says about the server's window.
    pub fn window_range(&self) -> Option<WindowRange> {
        (self.held > 0 || self.ceiling.is_some())
            .then_some(WindowRange { at_least: self.held, at_most: self.ceiling })
    }

    /// The window that the server most probably has, if there is evidence against a larger one: the round one between what
    /// it read and what it can't have read, or else what it is known to hold.
    pub fn likely_window(&self) -> Option<u32> {
        let ceiling = self.ceiling?;
        let round =
            WindowPrior::new(self.settings.window).standing_out(f64::from(self.held), f64::from(ceiling));
        Some(round.unwrap_or(if self.held > 0 { self.held } else { ceiling }))
    }

    /// The most that the server ever read at once, in tokens.
    pub(super) fn held(&self) -> u32 {
        self.held
    }

    /// Judges what the server reported. A count that is trusted calibrates and becomes the reference; no other does.
    pub fn judge(&mut self, sent: &Sent, usage: &Usage, thinking: bool) -> Judgement {
        self.thinking |= thinking;
        let Some(reported) = usage.prompt_tokens.filter(|count| *count > 0) else {
            return self.judgement(Verdict::Unverified, vec![Evidence::NoCount]);
        };
        let expectation = self.expect(sent);
        let (exactly, counted_exactly) = self.judge_exactly(sent, reported).unzip();
        if let (Some(Verdict::Fits), Some(evidence)) = (exactly, &counted_exactly) {
            self.trust(sent, reported, &expectation);
            return self.with_answer(Verdict::Fits, vec![evidence.clone()], reported, usage);
        }
        let (expected, spread) = self.size(sent, &expectation);
        let weighing = self.weigh(sent, &expectation, reported);
        let counts_cached_apart = usage.cached_tokens.is_some_and(|cached| {
            let whole = f64::from(reported) + f64::from(cached);
            f64::from(reported) < expected - 5.0 * spread && (whole - expected).abs() < 3.0 * spread + 16.0
        });
        let certain = self.certain(&expectation, reported);
        let counts_uncached =
            weighing.only_uncached || counts_cached_apart || (certain && weighing.uncached_to_lost > 1.0);
        self.counts_uncached |= counts_uncached;
        // A server that leaves its cache out once does so again: a low count is no signal from it any more.
        let is_low = f64::from(reported) < expected - 2.0 * spread;
        let could_be_lost = weighing.probability >= SUSPECT_CONFIRMING;
        if counts_uncached || (self.counts_uncached && (is_low || could_be_lost)) {
            return self
                .judgement(Verdict::Unverified, vec![Evidence::OnlyUncachedCounted { reported, expected }]);
        }
        let verdict = if certain || weighing.probability >= TRUNCATED || exactly == Some(Verdict::Truncated) {
            Verdict::Truncated
        } else if weighing.probability >= self.suspect_from(sent) || exactly == Some(Verdict::Suspect) {
            Verdict::Suspect
        } else {
            Verdict::Fits
        };
        let estimated = self.evidence(sent, &expectation, reported, weighing, verdict);
        let at_most = self.exact(sent).map_or(expected + 3.0 * spread, f64::from);
        let evidence = counted_exactly.into_iter().chain(estimated).collect();
        self.held = self.held.max(reported);
        match verdict {
            Verdict::Truncated => self.lower_ceiling(weighing.loss, reported, at_most),
            Verdict::Fits => self.trust(sent, reported, &expectation),
            Verdict::Suspect | Verdict::Shifted | Verdict::Refused | Verdict::Unverified => {}
        }
        self.with_answer(verdict, evidence, reported, usage)
    }

    /// The server refused honestly.
    pub fn refused(&mut self, sent: &Sent, prompt_tokens: Option<u32>, window: Option<u32>) -> Judgement {
        let expected = self.predict(sent);
        // What it counted before it refused is as good as any count.
        if let Some(prompt) = prompt_tokens {
            let expectation = self.expect(sent);
            self.compare_exactly(sent, prompt);
            self.sizes.learn(sent, prompt, &expectation, &mut self.calibration);
        }
        let at_most = match (window, prompt_tokens) {
            (Some(window), _) => window,
            (None, Some(prompt)) => prompt.saturating_sub(1),
            (None, None) => (expected.tokens + 3.0 * expected.spread) as u32,
        };
        self.ceiling = Some(self.ceiling.map_or(at_most, |ceiling| ceiling.min(at_most)));
        if let Some(window) = window {
            self.held = window;
        }
        self.judgement(Verdict::Refused, vec![Evidence::RefusedBy { prompt: prompt_tokens, window }])
    }

    /// The messages that the server must have dropped, oldest first, as far as the counts tell.
    pub fn dropped(&self, sent: &Sent, usage: &Usage) -> Vec<usize> {
        let Some(reported) = usage.prompt_tokens else { return Vec::new() };
        let expectation = self.expect(sent);
        let count = match self.weigh(sent, &expectation, reported).loss {
            Loss::Oldest { messages, .. } => messages,
            Loss::Half { .. } | Loss::Edge { .. } => sent.messages.len(),
            Loss::Middle { .. } | Loss::Unexplained => {
                let mut excess = self.size(sent, &expectation).0 - f64::from(reported);
                let mut count = 0;
                for index in droppable(sent) {
                    if excess <= 0.0 {
                        break;
                    }
                    excess -= sent.messages.get(index).map_or(0.0, |message| self.message_size(message));
                    count += 1;
                }
                count
            }
        };
        droppable(sent).take(count).collect()
    }

    /// What `sent` should take.
    pub(super) fn expect(&self, sent: &Sent) -> Expectation {
        self.sizes.expect(sent, self.last.as_ref(), &self.calibration, self.family)
    }

    /// The expected size and its standard deviation, with what a thinking model's template may do to it.
    pub(super) fn size(&self, sent: &Sent, expectation: &Expectation) -> (f64, f64) {
        let (tokens, spread) = expectation.size(&self.calibration);
        if !self.thinking {
            return (tokens, spread);
        }
        let answers = sent.messages.iter().filter(|message| message.role == Role::Assistant).count();
        (tokens, spread.hypot(EMPTY_THOUGHTS * answers as f64))
    }

    pub(super) fn message_size(&self, message: &super::sent::SentMessage) -> f64 {
        self.sizes.of(message, &self.calibration)
    }

    /// Believes a count: it calibrates, and becomes the reference if it is one of the conversation itself.
    pub(super) fn trust(&mut self, sent: &Sent, reported: u32, expectation: &Expectation) {
        self.compare_exactly(sent, reported);
        let (expected, spread) = self.size(sent, expectation);
        if (f64::from(reported) - expected).abs() <= TEACHES_NOTHING * spread || self.last.is_none() {
            self.sizes.learn(sent, reported, expectation, &mut self.calibration);
        }
        self.held = self.held.max(reported);
        match sent.purpose {
            Purpose::Turn => {
                let extremes = self.extremes(sent, expectation, sent.messages.len());
                let sample = match self.last.take().filter(|_| expectation.new_from.is_some()) {
                    Some(last) => last.extended(sent, reported, extremes),
                    None => Sample::of(sent, reported, extremes),
                };
                if !self.first.as_ref().is_some_and(|first| first.begins(sent)) {
                    self.first = Some(sample.clone());
                }
                self.last = Some(sample);
            }
            // Its question is not part of the conversation, so the next turn does not extend it.
            Purpose::Compaction | Purpose::Confirmation => {}
        }
    }

    /// Adds what the length of the answer says: an answer that goes beyond the window pushed out what was read.
    pub(super) fn with_answer(
        &mut self,
        verdict: Verdict,
        mut evidence: Vec<Evidence>,
        prompt: u32,
        usage: &Usage,
    ) -> Judgement {
        let completion = usage.completion_tokens.unwrap_or(0);
        let window = self.settings.window.or(self.ceiling.filter(|ceiling| *ceiling == self.held));
        let beyond = window.filter(|window| {
            *window >= self.held && u64::from(prompt) + u64::from(completion) > u64::from(*window)
        });
        match (verdict, beyond) {
            (Verdict::Fits | Verdict::Suspect, Some(window)) => {
                evidence.insert(0, Evidence::BeyondWindow { prompt, completion, window });
                self.judgement(Verdict::Shifted, evidence)
            }
            (verdict, _) => self.judgement(verdict, evidence),
        }
    }

    pub(super) fn lower_ceiling(&mut self, loss: Loss, reported: u32, expected_at_most: f64) {
        let at_most = match loss {
            Loss::Oldest { last, .. } => f64::from(reported) + last,
            Loss::Half { window } | Loss::Edge { window } => window,
            Loss::Middle { .. } | Loss::Unexplained => expected_at_most,
        };
        let at_most = (at_most.min(expected_at_most) as u32).max(self.held);
        self.ceiling = Some(self.ceiling.map_or(at_most, |ceiling| ceiling.min(at_most)));
    }

    pub(super) fn judgement(&self, verdict: Verdict, evidence: Vec<Evidence>) -> Judgement {
        Judgement { verdict, evidence, window: self.window_range() }
    }

    /// What needs no weighing: a count that fell although the conversation only grew, or that no tokenizer could reach.
    fn certain(&self, expectation: &Expectation, reported: u32) -> bool {
        let grown = f64::from(reported) - f64::from(expectation.before.unwrap_or(0));
        match expectation.before {
            Some(_) if self.thinking => false,
            Some(_) => grown < 0.0 || grown < expectation.floor,
            None => grown < expectation.floor,
        }
    }

    fn suspect_from(&self, sent: &Sent) -> f64 {
        if self.settings.confirming && self.confirming(sent).is_ok() { SUSPECT_CONFIRMING } else { SUSPECT }
    }

    pub(super) fn weigh(&self, sent: &Sent, expectation: &Expectation, reported: u32) -> Weighing {
        self.weigh_dropping(sent, expectation, reported, droppable(sent))
    }

    /// The same if it is known that no whole message was dropped.
    pub(super) fn weigh_without_dropping(
        &self,
        sent: &Sent,
        expectation: &Expectation,
        reported: u32,
    ) -> Weighing {
        self.weigh_dropping(sent, expectation, reported, std::iter::empty())
    }

    fn weigh_dropping(
        &self,
        sent: &Sent,
        expectation: &Expectation,
        reported: u32,
        droppable: impl Iterator<Item = usize>,
    ) -> Weighing {
        let (expected, spread) = self.size(sent, expectation);
        let size_of =
            |index: usize| sent.messages.get(index).map_or(0.0, |message| self.message_size(message));
        let Extremes { system, largest } =
            self.extremes(sent, expectation, sent.messages.len().saturating_sub(1));
        let last = sent.messages.last().filter(|message| message.role != Role::System);
        let kept = system + last.map_or(0.0, |message| self.message_size(message));
        let added = expectation.before.map(|before| {
            let added = self.calibration.predict(&expectation.unknown);
            (expected - f64::from(before), added.spread + 8.0)
        });
        let seen = Seen {
            reported: f64::from(reported),
            expected,
            spread,
            held: f64::from(self.held),
            kept: kept + self.sizes.overhead(sent, &self.calibration),
            largest,
            added,
            thinking: self.thinking,
        };
        weigh(seen, droppable.map(size_of), WindowPrior::new(self.settings.window))
    }

    /// What has to be known of all messages but is looked up for the new ones only; of the others up to `end` the
    /// largest.
    fn extremes(&self, sent: &Sent, expectation: &Expectation, end: usize) -> Extremes {
        let known = self.last.as_ref().filter(|_| expectation.new_from.is_some());
        let mut extremes = known.map_or_else(Extremes::default, |last| last.extremes);
        let new = sent.messages.iter().enumerate().skip(expectation.new_from.unwrap_or(0));
        for (index, message) in new {
            let size = self.message_size(message);
            if message.role == Role::System {
                extremes.system += size;
            } else if index < end {
                extremes.largest = extremes.largest.max(size);
            }
        }
        extremes
    }

    /// What speaks for a loss, strongest first.
    fn evidence(
        &self,
        sent: &Sent,
        expectation: &Expectation,
        reported: u32,
        weighing: Weighing,
        verdict: Verdict,
    ) -> Vec<Evidence> {
        let (expected, spread) = self.size(sent, expectation);
        let mut evidence = Vec::new();
        let fell = expectation.before.filter(|before| reported < *before);
        if let Some(before) = fell.filter(|_| self.thinking) {
            evidence.push(Evidence::ThinkingDropped { before, reported });
        }
        match verdict {
            Verdict::Suspect | Verdict::Truncated => {}
            Verdict::Fits | Verdict::Shifted | Verdict::Refused | Verdict::Unverified => return evidence,
        }
        if let Some(before) = fell.filter(|_| !self.thinking) {
            evidence.push(Evidence::CountFell { before, reported, expected });
        }
        let grown = i64::from(reported) - i64::from(expectation.before.unwrap_or(0));
        // A count that fell has grown too little in every other sense too: said once is enough.
        let grew = grown >= 0 || self.thinking;
        if grew && (grown as f64) < expectation.floor {
            evidence.push(Evidence::UnderFloor { reported: grown, floor: expectation.floor });
        }
        if let Loss::Half { window } = weighing.loss {
            evidence.push(Evidence::HalfWindow { reported, window: window as u32 });
        }
        if grew && f64::from(reported) < expected - 2.0 * spread {
            evidence.push(match expectation.before {
                Some(before) => {
                    Evidence::GrowthStalled { reported: grown, expected: expected - f64::from(before) }
                }
                None => Evidence::FarBelowEstimate { reported, expected },
            });
        }
        let prior = WindowPrior::new(self.settings.window);
        let reach = match weighing.loss {
            Loss::Oldest { last, .. } => last,
            Loss::Middle { window } | Loss::Edge { window } => window - f64::from(reported),
            Loss::Half { .. } | Loss::Unexplained => 0.0,
        };
        let near = f64::from(reported.max(self.held));
        let plateau =
            prior.standing_out(near, f64::from(reported) + reach.min(PLATEAU * f64::from(reported)));
        if let Some(window) = plateau {
            evidence.push(Evidence::PlateauBelowWindow { reported, window, expected });
        }
        if verdict == Verdict::Suspect {
            let smallest = match weighing.loss {
                Loss::Oldest { tokens, .. } => tokens,
                Loss::Half { .. } | Loss::Edge { .. } | Loss::Middle { .. } | Loss::Unexplained => {
                    (expected - f64::from(reported)).max(0.0)
                }
            };
            evidence.push(Evidence::LossCouldHide { smallest, spread, probability: weighing.probability });
        }
        evidence
    }
}

/// The messages that a server may drop, oldest first: all but system messages and the last one.
pub(super) fn droppable(sent: &Sent) -> impl Iterator<Item = usize> {
    let last = sent.messages.len().saturating_sub(1);
    let messages = sent.messages.iter().take(last).enumerate();
    messages.filter(|(_, message)| message.role != Role::System).map(|(index, _)| index)
}
