//! What a run's own usage teaches about its tokenizer and its template.

use super::estimator::Estimator;
use super::family::Family;
use super::features::Features;
use serde::{Deserialize, Serialize};

/// A prompt, counted: what [`Calibration`] learns from and predicts for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CountedPrompt {
    /// What its messages are made of, all together.
    pub text: Features,
    /// What the descriptions of its tools are made of.
    pub tools: Features,
    /// How many messages it has.
    pub messages: u32,
}

/// An estimate that knows how far off it may be, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The estimate.
    pub tokens: f64,
    /// Its standard deviation.
    pub spread: f64,
}

/// What was learnt from the trusted counts of one run. Every call costs the same, however long the conversation is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    family: Family,
    reference: Option<(CountedPrompt, u32)>,
}

/// Tokens that a template adds to a message.
const TEMPLATE: f64 = 5.0;

impl Calibration {
    /// Knows nothing of the run but the family of its model.
    pub fn new(family: Family) -> Self {
        Self { family, reference: None }
    }

    /// Learns from a prompt and the server's count of it. Never call it with a count that the server may have cut.
    pub fn trust(&mut self, prompt: &CountedPrompt, prompt_tokens: u32) {
        self.reference = Some((prompt.clone(), prompt_tokens));
    }

    /// The size that the server will report for a prompt, template and tools and all, if it keeps all of it.
    pub fn predict(&self, prompt: &CountedPrompt) -> Prediction {
        let raw = self.raw(prompt);
        match &self.reference {
            None => Prediction { tokens: raw, spread: raw * 0.15 },
            Some((before, reported)) => {
                let growth = (raw - self.raw(before)) * self.scale();
                Prediction { tokens: f64::from(*reported) + growth, spread: growth.abs() * 0.1 + 2.0 }
            }
        }
    }

    /// The size of a text by itself, without a template.
    pub fn text(&self, features: &Features) -> Prediction {
        let tokens = Estimator::for_family(self.family).tokens(features) * self.scale();
        Prediction { tokens, spread: tokens * 0.1 }
    }

    fn raw(&self, prompt: &CountedPrompt) -> f64 {
        let estimator = Estimator::for_family(self.family);
        estimator.tokens(&prompt.text)
            + estimator.tokens(&prompt.tools)
            + TEMPLATE * f64::from(prompt.messages)
    }

    fn scale(&self) -> f64 {
        self.reference
            .as_ref()
            .map_or(1.0, |(prompt, reported)| f64::from(*reported) / self.raw(prompt).max(1.0))
    }
}
