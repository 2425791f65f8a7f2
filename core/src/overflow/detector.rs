//! The detector.

use super::evidence::Evidence;
use super::sent::Sent;
use super::verdict::{Judgement, Verdict, WindowRange};
use crate::conversation::Purpose;
use crate::tokens::{Estimator, Family, Features, Prediction};
use crate::wire::Usage;
use serde::{Deserialize, Serialize};

/// What can be set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetectorSettings {}

/// Compares what was sent with what was reported, over one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detector {
    family: Family,
    reference: Option<(u32, f64)>,
}

/// A confirming request: the messages of the doubted one that it carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirming {
    /// Their indices.
    pub indices: Vec<usize>,
}

/// Why no confirming request can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CannotConfirm {
    /// There is no trusted first request.
    NoReference,
}

impl Detector {
    /// Knows nothing yet.
    pub fn new(family: Family, _settings: DetectorSettings) -> Self {
        Self { family, reference: None }
    }

    /// The size of a text by itself, in tokens.
    pub fn text_tokens(&self, features: &Features) -> f64 {
        let scale =
            self.reference.map_or(1.0, |(reported, estimate)| f64::from(reported) / estimate.max(1.0));
        Estimator::for_family(self.family).tokens(features) * scale
    }

    /// The size of a request.
    pub fn predict(&self, sent: &Sent) -> Prediction {
        let mut features = sent.tools.clone();
        for message in &sent.messages {
            features += message.features.clone();
        }
        let tokens = self.text_tokens(&features);
        Prediction { tokens, spread: tokens * 0.1 }
    }

    /// Judges what the server reported, by the baseline rule.
    pub fn judge(&mut self, sent: &Sent, usage: &Usage, _thinking: bool) -> Judgement {
        let mut features = sent.tools.clone();
        for message in &sent.messages {
            features += message.features.clone();
        }
        let estimate = Estimator::for_family(self.family).tokens(&features);
        let Some(reported) = usage.prompt_tokens.filter(|count| *count > 0) else {
            return Judgement {
                verdict: Verdict::Unverified,
                evidence: vec![Evidence::NoCount],
                window: None,
            };
        };
        let least = match sent.purpose {
            Purpose::Compaction => 50.0,
            Purpose::Turn | Purpose::Confirmation => 200.0,
        };
        let evidence = match self.reference {
            Some((before, estimated_before)) => {
                let expected = estimate - estimated_before;
                let grown = i64::from(reported) - i64::from(before);
                (expected >= least && (grown as f64) < 0.1 * expected)
                    .then_some(Evidence::GrowthStalled { reported: grown, expected })
            }
            None => (estimate >= 500.0 && f64::from(reported) < 0.1 * estimate)
                .then_some(Evidence::FarBelowEstimate { reported, expected: estimate }),
        };
        match evidence {
            Some(evidence) => {
                let held = self.reference.map_or(0, |(before, _)| before).max(reported);
                let window = Some(WindowRange { at_least: held, at_most: Some(estimate as u32) });
                Judgement { verdict: Verdict::Truncated, evidence: vec![evidence], window }
            }
            None => {
                self.reference = Some((reported, estimate));
                Judgement { verdict: Verdict::Fits, evidence: Vec::new(), window: None }
            }
        }
    }

    /// The server refused honestly.
    pub fn refused(&mut self, _sent: &Sent, _prompt_tokens: Option<u32>, window: Option<u32>) -> Judgement {
        let window = window.map(|window| WindowRange { at_least: window, at_most: Some(window) });
        Judgement { verdict: Verdict::Refused, evidence: Vec::new(), window }
    }

    /// The request that would settle a doubt.
    pub fn confirming(&self, _sent: &Sent) -> Result<Confirming, CannotConfirm> {
        Err(CannotConfirm::NoReference)
    }

    /// Settles a doubt.
    pub fn settle(
        &mut self,
        sent: &Sent,
        usage: &Usage,
        _confirming: &Confirming,
        _confirmed: &Usage,
    ) -> Judgement {
        self.judge(sent, usage, false)
    }

    /// The messages that the server must have dropped, oldest first.
    pub fn dropped(&self, sent: &Sent, usage: &Usage) -> Vec<usize> {
        let mut excess = self.predict(sent).tokens - f64::from(usage.prompt_tokens.unwrap_or(0));
        let mut dropped = Vec::new();
        for (index, message) in sent.messages.iter().enumerate().skip(1) {
            if excess <= 0.0 {
                break;
            }
            excess -= self.text_tokens(&message.features);
            dropped.push(index);
        }
        dropped
    }
}
