//! One family as an explanation of a run's counts: a linear regression that starts at the family's weights (a Kalman
//! filter over a state that stands still).

use super::calibration::Prediction;
use super::estimator::CLASSES;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What is weighed: the classes of text, and after them the template's words around messages, the descriptions of tools,
/// and what a template says once.
const SHARES: usize = CLASSES + 3;
type Vector = [f64; SHARES];

/// How far off the family's weights may be, as standard deviations, in the order of the estimator's classes and of what
/// follows them: a model's vocabulary is rarely just its family's. How a vocabulary cuts digits is hardly ever in between;
/// what it does with a script of which it has seen little is anything.
const DOUBT: Vector = [0.08, 0.1, 0.05, 0.08, 0.2, 0.12, 0.3, 0.3, 0.3, 0.3, 0.4, 1.5];

/// How far off all classes may be together.
const SHARED_DOUBT: f64 = 0.05;

/// How much of a text's size its classes don't explain: a share of the estimate, as one standard deviation. In
/// cross-validation half of all texts are within 2.2 %, 95 in a hundred within 10 %.
const UNEXPLAINED: f64 = 0.05;

/// The same for short texts: a variance, in tokens.
const UNEXPLAINED_FLAT: f64 = 4.0;

/// An innovation of more standard deviations than this moves the weights by no more than one of this would.
const SURPRISE: f64 = 3.0;

/// No weight falls under this: no class of text is free.
const LEAST_WEIGHT: f64 = 0.02;

/// Degrees of freedom of the likelihood (Student's t): a count that is far off must not rule a family out at once.
const FREEDOM: f64 = 4.0;

/// Estimated tokens by what they come from, as one family has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Amounts {
    tokens: Vector,
    /// The variance of what the classes don't explain.
    unexplained: f64,
}

impl Amounts {
    /// Of a message: its text by class, and what the template puts around it.
    pub(super) fn of_message(classes: [f64; CLASSES], template: f64) -> Self {
        let mut tokens = [0.0; SHARES];
        for (share, amount) in tokens.iter_mut().zip(classes.into_iter().chain([template])) {
            *share = amount;
        }
        let unexplained = UNEXPLAINED * classes.iter().sum::<f64>();
        Self { tokens, unexplained: unexplained * unexplained + UNEXPLAINED_FLAT }
    }

    /// Of what comes with every request: the descriptions of tools, and what the template says once.
    pub(super) fn of_overhead(tools: f64, once: f64) -> Self {
        let mut tokens = [0.0; SHARES];
        for (share, amount) in tokens.iter_mut().skip(CLASSES + 1).zip([tools, once]) {
            *share = amount;
        }
        Self { tokens, unexplained: UNEXPLAINED_FLAT }
    }
}

impl AddAssign for Amounts {
    fn add_assign(&mut self, other: Self) {
        for (sum, tokens) in self.tokens.iter_mut().zip(other.tokens) {
            *sum += tokens;
        }
        self.unexplained += other.unexplained;
    }
}

/// What was learnt about how one family fits this run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Hypothesis {
    weights: Vector,
    covariance: [Vector; SHARES],
}

impl Hypothesis {
    pub(super) fn new() -> Self {
        let mut covariance = [[0.0; SHARES]; SHARES];
        for (row, line) in covariance.iter_mut().enumerate() {
            for (column, (cell, doubt)) in line.iter_mut().zip(DOUBT).enumerate() {
                let together = row < CLASSES && column < CLASSES;
                let shared = if together { SHARED_DOUBT * SHARED_DOUBT } else { 0.0 };
                let own = if row == column { doubt * doubt } else { 0.0 };
                *cell = shared + own;
            }
        }
        Self { weights: [1.0; SHARES], covariance }
    }

    pub(super) fn predict(&self, amounts: &Amounts) -> Prediction {
        let variance = dot(&self.spread_along(amounts), &amounts.tokens) + amounts.unexplained;
        Prediction { tokens: dot(&self.weights, &amounts.tokens), spread: variance.max(0.0).sqrt() }
    }

    /// Learns, and says how well the count was foreseen: the logarithm of its likelihood, but for a constant.
    pub(super) fn learn(&mut self, amounts: &Amounts, tokens: f64, variance: f64) -> f64 {
        let along = self.spread_along(amounts);
        let innovation = tokens - dot(&self.weights, &amounts.tokens);
        let expected = dot(&along, &amounts.tokens) + amounts.unexplained + variance;
        if expected <= 0.0 {
            return 0.0;
        }
        let squares = innovation * innovation / expected;
        let gain = along.map(|part| part / (expected * (squares / (SURPRISE * SURPRISE)).max(1.0)));
        for (weight, gain) in self.weights.iter_mut().zip(gain) {
            *weight = (*weight + gain * innovation).max(LEAST_WEIGHT);
        }
        for (line, gain) in self.covariance.iter_mut().zip(gain) {
            for (cell, part) in line.iter_mut().zip(along) {
                *cell -= gain * part;
            }
        }
        -0.5 * expected.ln() - 0.5 * (FREEDOM + 1.0) * (squares / FREEDOM).ln_1p()
    }

    /// The covariance times the amounts.
    fn spread_along(&self, amounts: &Amounts) -> Vector {
        self.covariance.map(|line| dot(&line, &amounts.tokens))
    }
}

fn dot(left: &Vector, right: &Vector) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}
