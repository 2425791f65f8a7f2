//! What a run's own counts teach about its tokenizer and its template.
//!
//! The estimator says how many tokens a text takes *by what it is made of* (words, digits, blanks, CJK …). A server's
//! counts tell how far off each of these shares is. The calibration keeps one weight for each share, how sure it is of
//! it, and how they hang together (a Kalman filter over a constant state), so that a prediction comes with its spread:
//! small for text like what was counted before, large for text of a kind that this run has not met yet.
//!
//! ```
//! use brimline_core::tokens::{Calibration, Family, Features};
//!
//! let mut calibration = Calibration::new(Family::Unknown);
//! let message = calibration.message(&Features::of("2026-12-01 10:15:00 INFO listening on 127.0.0.1:8080"));
//! let before = calibration.predict(&message);
//! calibration.learn(&message, before.tokens * 1.4, 0.0);
//! let after = calibration.predict(&message);
//! assert!(after.tokens > before.tokens && after.spread < before.spread);
//! ```

use super::estimator::{CLASSES, Estimator};
use super::family::Family;
use super::features::Features;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// An estimate that knows how far off it may be, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The estimate.
    pub tokens: f64,
    /// Its standard deviation.
    pub spread: f64,
}

/// The shares of an estimate that a calibration weighs: the classes of text, and after them the template's words around
/// messages, the descriptions of tools, and what a template says once (a first token, a default system prompt).
const SHARES: usize = CLASSES + 3;
const MESSAGE: usize = CLASSES;
const TOOLS: usize = CLASSES + 1;
const ONCE: usize = CLASSES + 2;

/// Tokens that a template adds to a message before anything was learnt: ChatML's `<|im_start|>role\n`, `<|im_end|>\n`.
const TEMPLATE: f64 = 5.0;

/// Tokens that a template says once, before anything was learnt.
const TEMPLATE_ONCE: f64 = 6.0;

/// How much of a text's size its classes don't explain: a share of the estimate, as one standard deviation.
const UNEXPLAINED: f64 = 0.05;

/// The same for short texts: a variance, in tokens.
const UNEXPLAINED_FLAT: f64 = 4.0;

/// An innovation of more standard deviations than this moves the weights by no more than one of this would.
const SURPRISE: f64 = 3.0;

/// No weight falls under this: no class of text is free.
const LEAST_WEIGHT: f64 = 0.02;

/// Estimated tokens by what they come from. Those of several messages add up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    tokens: [f64; SHARES],
    /// The variance of what the classes don't explain.
    unexplained: f64,
}

impl Default for Shares {
    fn default() -> Self {
        Self { tokens: [0.0; SHARES], unexplained: 0.0 }
    }
}

impl AddAssign for Shares {
    fn add_assign(&mut self, other: Self) {
        for (sum, tokens) in self.tokens.iter_mut().zip(other.tokens) {
            *sum += tokens;
        }
        self.unexplained += other.unexplained;
    }
}

/// What was learnt from the trusted counts of one run. Every call costs the same, however long the conversation is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    family: Family,
    weights: [f64; SHARES],
    covariance: [[f64; SHARES]; SHARES],
}

impl Calibration {
    /// Knows nothing of the run but the family of its model.
    pub fn new(family: Family) -> Self {
        let doubt = if family == Family::Unknown { DOUBT_UNKNOWN } else { DOUBT_KNOWN };
        let mut covariance = [[0.0; SHARES]; SHARES];
        for (row, line) in covariance.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                let together = row < CLASSES && column < CLASSES;
                let shared = if together { doubt.shared * doubt.shared } else { 0.0 };
                let own = if row == column { doubt.of(row) } else { 0.0 };
                *cell = shared + own * own;
            }
        }
        Self { family, weights: [1.0; SHARES], covariance }
    }

    /// The shares of one message.
    pub fn message(&self, text: &Features) -> Shares {
        let mut tokens = [0.0; SHARES];
        let classes = Estimator::for_family(self.family).by_class(text);
        for (share, class) in tokens.iter_mut().zip(classes) {
            *share = class;
        }
        let unexplained = UNEXPLAINED * classes.iter().sum::<f64>();
        if let Some(share) = tokens.get_mut(MESSAGE) {
            *share = TEMPLATE;
        }
        Shares { tokens, unexplained: unexplained * unexplained + UNEXPLAINED_FLAT }
    }

    /// The shares of what comes with every request: the descriptions of its tools, and what the template says once.
    pub fn overhead(&self, tools: &Features) -> Shares {
        let mut tokens = [0.0; SHARES];
        if let Some(share) = tokens.get_mut(TOOLS) {
            *share = Estimator::for_family(self.family).tokens(tools);
        }
        if let Some(share) = tokens.get_mut(ONCE) {
            *share = TEMPLATE_ONCE;
        }
        Shares { tokens, unexplained: UNEXPLAINED_FLAT }
    }

    /// The size of what these shares stand for.
    pub fn predict(&self, shares: &Shares) -> Prediction {
        let tokens = dot(&self.weights, &shares.tokens);
        let variance = dot(&self.spread_along(shares), &shares.tokens) + shares.unexplained;
        Prediction { tokens, spread: variance.max(0.0).sqrt() }
    }

    /// The size of a text by itself, without a template.
    pub fn text(&self, text: &Features) -> Prediction {
        let mut shares = self.message(text);
        if let Some(share) = shares.tokens.get_mut(MESSAGE) {
            *share = 0.0;
        }
        self.predict(&shares)
    }

    /// Learns that these shares took so many tokens; `variance` says how sure that is. Never call it with a count that
    /// the server may have cut.
    pub fn learn(&mut self, shares: &Shares, tokens: f64, variance: f64) {
        let along = self.spread_along(shares);
        let innovation = tokens - dot(&self.weights, &shares.tokens);
        let expected = dot(&along, &shares.tokens) + shares.unexplained + variance;
        if expected <= 0.0 {
            return;
        }
        let surprise = (innovation * innovation / expected / (SURPRISE * SURPRISE)).max(1.0);
        let gain = along.map(|part| part / (expected * surprise));
        for (weight, gain) in self.weights.iter_mut().zip(gain) {
            *weight = (*weight + gain * innovation).max(LEAST_WEIGHT);
        }
        for (line, gain) in self.covariance.iter_mut().zip(gain) {
            for (cell, part) in line.iter_mut().zip(along) {
                *cell -= gain * part;
            }
        }
    }

    /// The covariance times the shares.
    fn spread_along(&self, shares: &Shares) -> [f64; SHARES] {
        let mut along = [0.0; SHARES];
        for (part, line) in along.iter_mut().zip(&self.covariance) {
            *part = dot(line, &shares.tokens);
        }
        along
    }
}

/// How far off the weights may be before anything was counted, as standard deviations.
struct Doubt {
    /// All classes of text together: a tokenizer with a smaller or larger vocabulary.
    shared: f64,
    /// Each class by itself, in the order of the estimator's classes.
    classes: [f64; CLASSES],
    /// The template's words around a message.
    message: f64,
    /// The descriptions of tools: every template writes them in its own way.
    tools: f64,
    /// What the template says once.
    once: f64,
}

impl Doubt {
    fn of(&self, share: usize) -> f64 {
        let after = [self.message, self.tools, self.once];
        self.classes.iter().chain(&after).nth(share).copied().unwrap_or(0.0)
    }
}

/// For a tokenizer that we have no figures of.
const DOUBT_UNKNOWN: Doubt = Doubt {
    shared: 0.15,
    classes: [0.12, 0.35, 0.5, 0.25, 0.35, 0.35, 0.7, 0.7, 0.6],
    message: 0.4,
    tools: 0.4,
    once: 2.0,
};

/// For a tokenizer that the estimator was fitted to.
const DOUBT_KNOWN: Doubt = Doubt {
    shared: 0.04,
    classes: [0.05, 0.15, 0.15, 0.12, 0.15, 0.1, 0.15, 0.2, 0.25],
    message: 0.4,
    tools: 0.4,
    once: 2.0,
};

fn dot(left: &[f64; SHARES], right: &[f64; SHARES]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_a_class_from_few_counts_and_grows_surer() {
        let mut calibration = Calibration::new(Family::Unknown);
        let prose = Features::of("The quick brown fox jumps over the lazy dog while the cat looks on. ");
        let shares = calibration.message(&prose);
        let first = calibration.predict(&shares);
        let truth = first.tokens * 1.25;
        for _ in 0..8 {
            calibration.learn(&shares, truth, 0.0);
        }
        let last = calibration.predict(&shares);
        assert!((last.tokens - truth).abs() < 0.02 * truth, "{} for {truth}", last.tokens);
        assert!(last.spread < first.spread);
    }

    #[test]
    fn a_wild_count_moves_it_no_more_than_a_surprising_one() {
        let message = |calibration: &Calibration| calibration.message(&Features::of(&"word ".repeat(100)));
        let mut wild = Calibration::new(Family::Unknown);
        let shares = message(&wild);
        let Prediction { tokens, spread } = wild.predict(&shares);
        let mut surprising = wild.clone();
        surprising.learn(&shares, tokens + SURPRISE * spread, 0.0);
        wild.learn(&shares, tokens + 100.0 * SURPRISE * spread, 0.0);
        assert!(wild.predict(&shares).tokens <= surprising.predict(&shares).tokens);
    }

    #[test]
    fn a_single_text_carries_no_template() {
        let calibration = Calibration::new(Family::Unknown);
        let text = Features::of("one two three");
        let whole = calibration.predict(&calibration.message(&text)).tokens;
        assert_eq!(calibration.text(&text).tokens, whole - TEMPLATE);
    }
}
