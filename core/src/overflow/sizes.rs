//! What trusted counts have told about single messages, and what a request should take by that.
//!
//! A message is known by its fingerprint, so like is compared with like however the conversation changed: it grew, old
//! results were cleared to notes, a summary took the place of messages, a question was asked at its end.

use super::sent::{Sent, SentMessage};
use crate::tokens::{Calibration, Estimator, Family, Shares};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A size in tokens and its variance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Size {
    pub(super) tokens: f64,
    pub(super) variance: f64,
}

/// A request whose count we trust.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    pub(super) fingerprints: Vec<u64>,
    pub(super) tools: u64,
    pub(super) count: u32,
    pub(super) extremes: Extremes,
}

/// What is kept of all messages of a request, so that they need not be looked at again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Extremes {
    /// The system messages together, in tokens.
    pub(super) system: f64,
    /// The largest other message, in tokens.
    pub(super) largest: f64,
}

/// The sizes of messages, as far as trusted counts tell them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sizes {
    messages: BTreeMap<u64, Size>,
    /// Tools and what the template says once, by the fingerprint of the tools.
    overhead: BTreeMap<u64, Size>,
}

/// What a request should take.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expectation {
    /// What is known of it: the last trusted count if the request extends that one, and the sizes of known messages.
    known: Size,
    /// What has to be estimated.
    pub(super) unknown: Shares,
    /// The least that the estimated messages take with any tokenizer.
    pub(super) floor: f64,
    /// Where the messages begin that the last trusted request did not have, if it is extended.
    pub(super) new_from: Option<usize>,
    /// The last trusted count, if the request extends that one.
    pub(super) before: Option<u32>,
    /// Tools and template are not known from an earlier request.
    overhead_unknown: bool,
}

/// How sure the split of one count among several messages is, as a share of each.
const SPLIT: f64 = 0.1;

impl Sample {
    /// The trusted count of a request.
    pub(super) fn of(sent: &Sent, count: u32, extremes: Extremes) -> Self {
        let fingerprints = sent.messages.iter().map(|message| message.fingerprint).collect();
        Self { fingerprints, tools: sent.tools_fingerprint, count, extremes }
    }

    /// The trusted count of a request that begins with this one.
    pub(super) fn extended(mut self, sent: &Sent, count: u32, extremes: Extremes) -> Self {
        let new = sent.messages.iter().skip(self.fingerprints.len());
        self.fingerprints.extend(new.map(|message| message.fingerprint));
        Self { count, extremes, ..self }
    }

    /// Whether `sent` begins with all messages of this request, and has its tools.
    pub(super) fn begins(&self, sent: &Sent) -> bool {
        self.tools == sent.tools_fingerprint
            && self.fingerprints.len() <= sent.messages.len()
            && self.fingerprints.iter().zip(&sent.messages).all(|(known, sent)| *known == sent.fingerprint)
    }
}

impl Expectation {
    /// The size, and its standard deviation.
    pub(super) fn size(&self, calibration: &Calibration) -> (f64, f64) {
        let unknown = calibration.predict(&self.unknown);
        (self.known.tokens + unknown.tokens, self.known.variance.sqrt().hypot(unknown.spread))
    }
}

impl Sizes {
    /// What `sent` should take. Only what the last trusted request did not have is looked at if it is extended.
    pub(super) fn expect(
        &self,
        sent: &Sent,
        last: Option<&Sample>,
        calibration: &Calibration,
        family: Family,
    ) -> Expectation {
        let extended = last.filter(|last| last.begins(sent));
        let mut expectation = Expectation {
            known: Size { tokens: extended.map_or(0.0, |last| f64::from(last.count)), variance: 0.0 },
            unknown: Shares::default(),
            floor: 0.0,
            new_from: extended.map(|last| last.fingerprints.len()),
            before: extended.map(|last| last.count),
            overhead_unknown: false,
        };
        if extended.is_none() {
            match self.overhead.get(&sent.tools_fingerprint) {
                Some(size) => expectation.known += *size,
                None => {
                    expectation.unknown += calibration.overhead(&sent.tools);
                    expectation.overhead_unknown = true;
                }
            }
        }
        let estimator = Estimator::for_family(family);
        for message in sent.messages.iter().skip(expectation.new_from.unwrap_or(0)) {
            match self.messages.get(&message.fingerprint) {
                Some(size) => expectation.known += *size,
                None => {
                    expectation.unknown += calibration.message(&message.features);
                    expectation.floor += estimator.floor(&message.features);
                }
            }
        }
        expectation
    }

    /// The size of one message: known, or estimated.
    pub(super) fn of(&self, message: &SentMessage, calibration: &Calibration) -> f64 {
        match self.messages.get(&message.fingerprint) {
            Some(size) => size.tokens,
            None => calibration.predict(&calibration.message(&message.features)).tokens,
        }
    }

    /// The size of tools and template: known, or estimated.
    pub(super) fn overhead(&self, sent: &Sent, calibration: &Calibration) -> f64 {
        match self.overhead.get(&sent.tools_fingerprint) {
            Some(size) => size.tokens,
            None => calibration.predict(&calibration.overhead(&sent.tools)).tokens,
        }
    }

    /// Learns from a trusted count: the calibration from all that was not known, the sizes by sharing the count out.
    pub(super) fn learn(
        &mut self,
        sent: &Sent,
        count: u32,
        expectation: &Expectation,
        calibration: &mut Calibration,
    ) {
        let taken = f64::from(count) - expectation.known.tokens;
        let new: Vec<&SentMessage> = sent
            .messages
            .iter()
            .skip(expectation.new_from.unwrap_or(0))
            .filter(|message| !self.messages.contains_key(&message.fingerprint))
            .collect();
        let parts = new.len() + usize::from(expectation.overhead_unknown);
        if parts == 0 || taken <= 0.0 {
            return;
        }
        calibration.learn(&expectation.unknown, taken, expectation.known.variance);
        let scale = taken / calibration.predict(&expectation.unknown).tokens.max(1.0);
        let shared_out = |estimate: f64| {
            let tokens = estimate * scale;
            let variance = if parts == 1 { expectation.known.variance } else { (SPLIT * tokens).powi(2) };
            Size { tokens, variance }
        };
        if expectation.overhead_unknown {
            let estimate = calibration.predict(&calibration.overhead(&sent.tools)).tokens;
            self.overhead.insert(sent.tools_fingerprint, shared_out(estimate));
        }
        for message in new {
            let estimate = calibration.predict(&calibration.message(&message.features)).tokens;
            self.messages.insert(message.fingerprint, shared_out(estimate));
        }
    }
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.tokens += other.tokens;
        self.variance += other.variance;
    }
}
