//! What a run's own counts teach about its tokenizer and its template.
//!
//! Every family is a hypothesis: a small regression that starts at the family's weights and learns from each trusted
//! count how far off they are, class of text by class, and what the template adds. Each count also says which hypothesis
//! foresaw it best: one number in a log tells a tokenizer that cuts digits apart from one that doesn't. A prediction is
//! their weighted mean, and their disagreement is in its spread: small for text like what was counted before, large for
//! text of a kind that this run has not met yet.
//!
//! ```
//! use brimline_core::tokens::{Calibration, Family, Features};
//!
//! let mut calibration = Calibration::new(Family::Unknown);
//! let message = calibration.message(&Features::of("2026-12-01 10:15:00 INFO listening on 127.0.0.1:8080"));
//! let before = calibration.predict(&message);
//! calibration.learn(&message, before.tokens * 1.2, 0.0);
//! let after = calibration.predict(&message);
//! assert!(after.tokens > before.tokens && after.spread < before.spread);
//! ```

use super::estimator::{CLASSES, Estimator};
use super::family::Family;
use super::features::Features;
use super::hypothesis::{Amounts, Hypothesis};
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

/// As many as there are families that we know.
const FAMILIES: usize = Family::KNOWN.len();

/// Tokens that a template adds to a message before anything was learnt: ChatML's `<|im_start|>role\n`, `<|im_end|>\n`.
/// The other templates of the families that we know add 4 to 6.
const TEMPLATE: f64 = 5.0;

/// Tokens that a template says once, before anything was learnt: a first token, the beginning of the answer, and in some
/// models a default system prompt.
const TEMPLATE_ONCE: f64 = 6.0;

/// How likely a model of unknown name is taken to be of [`Family::SmallEnglish`]'s kind before any count; the others,
/// whose models mostly go by names that we know, share the rest.
const SMALL_IF_UNKNOWN: f64 = 0.4;

/// How likely a model whose name we know is taken to be of another family after all: names lie (merged and distilled
/// models, own tags).
const MISNAMED: f64 = 0.02;

/// How likely it is taken to be, after each count, that all counts so far misled. It keeps every hypothesis alive.
const MISLED: f64 = 0.02;

/// Estimated tokens by what they come from, as each family would have it. Those of several messages add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    by_family: [Amounts; FAMILIES],
}

impl AddAssign for Shares {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.by_family.iter_mut().zip(other.by_family) {
            *sum += more;
        }
    }
}

/// What was learnt from the trusted counts of one run. Every call costs the same, however long the conversation is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    hypotheses: [Hypothesis; FAMILIES],
    /// How likely each is; together 1.
    likely: [f64; FAMILIES],
}

impl Calibration {
    /// Knows nothing of the run but the family of its model.
    pub fn new(family: Family) -> Self {
        let others = FAMILIES as f64 - 1.0;
        let (favourite, its_chance) = match family {
            Family::Unknown => (Family::SmallEnglish, SMALL_IF_UNKNOWN),
            Family::Qwen25
            | Family::Llama31
            | Family::Gemma3
            | Family::DeepseekV3
            | Family::GptOss
            | Family::Llama2
            | Family::SmallEnglish => (family, 1.0 - MISNAMED),
        };
        let chance =
            |family: Family| if family == favourite { its_chance } else { (1.0 - its_chance) / others };
        Self { hypotheses: Family::KNOWN.map(|_| Hypothesis::new()), likely: Family::KNOWN.map(chance) }
    }

    /// The shares of one message.
    pub fn message(&self, text: &Features) -> Shares {
        Self::shares(text, TEMPLATE)
    }

    /// The shares of what comes with every request: the descriptions of its tools, and what the template says once.
    pub fn overhead(&self, tools: &Features) -> Shares {
        let tools = |family| Estimator::for_family(family).tokens(tools);
        Shares { by_family: Family::KNOWN.map(|family| Amounts::of_overhead(tools(family), TEMPLATE_ONCE)) }
    }

    /// The size of what these shares stand for.
    pub fn predict(&self, shares: &Shares) -> Prediction {
        let each = || {
            let predicted = self.hypotheses.iter().zip(&shares.by_family);
            self.likely.iter().zip(predicted.map(|(hypothesis, amounts)| hypothesis.predict(amounts)))
        };
        let tokens: f64 = each().map(|(likely, one)| likely * one.tokens).sum();
        let variance: f64 =
            each().map(|(likely, one)| likely * (one.spread.powi(2) + (one.tokens - tokens).powi(2))).sum();
        Prediction { tokens, spread: variance.sqrt() }
    }

    /// The size of a text by itself, without a template.
    pub fn text(&self, text: &Features) -> Prediction {
        self.predict(&Self::shares(text, 0.0))
    }

    /// Learns that these shares took so many tokens; `variance` says how sure that is. Never call it with a count that
    /// the server may have cut.
    pub fn learn(&mut self, shares: &Shares, tokens: f64, variance: f64) {
        let mut log = self.likely.map(f64::ln);
        for ((hypothesis, amounts), log) in self.hypotheses.iter_mut().zip(&shares.by_family).zip(&mut log) {
            *log += hypothesis.learn(amounts, tokens, variance);
        }
        let most = log.iter().copied().fold(f64::MIN, f64::max);
        let likely = log.map(|log| (log - most).exp());
        let total: f64 = likely.iter().sum();
        self.likely = likely.map(|one| (1.0 - MISLED) * one / total + MISLED / FAMILIES as f64);
    }

    /// The family that foresaw the counts best, and how likely it is among all that we know (0 to 1).
    pub fn likely_family(&self) -> (Family, f64) {
        let each = Family::KNOWN.into_iter().zip(self.likely);
        each.max_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((Family::Unknown, 0.0))
    }

    fn shares(text: &Features, template: f64) -> Shares {
        let classes = |family| -> [f64; CLASSES] { Estimator::for_family(family).by_class(text) };
        Shares { by_family: Family::KNOWN.map(|family| Amounts::of_message(classes(family), template)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROSE: &str = "The quick brown fox jumps over the lazy dog while the cat looks on. ";

    #[test]
    fn learns_a_class_from_few_counts_and_grows_surer() {
        let mut calibration = Calibration::new(Family::Unknown);
        let shares = calibration.message(&Features::of(PROSE));
        let first = calibration.predict(&shares);
        let truth = first.tokens * 1.25;
        for _ in 0..8 {
            calibration.learn(&shares, truth, 0.0);
        }
        let last = calibration.predict(&shares);
        assert!((last.tokens - truth).abs() < 0.05 * truth, "{} for {truth}", last.tokens);
        assert!(last.spread < first.spread);
    }

    #[test]
    fn one_log_tells_how_digits_are_cut() {
        let log = Features::of(&"2026-12-01 10:15:00.123456 took 8491 of 30000 ms\n".repeat(20));
        for family in Family::KNOWN {
            let mut calibration = Calibration::new(Family::Unknown);
            let shares = calibration.message(&log);
            let truth = Estimator::for_family(family).tokens(&log);
            calibration.learn(&shares, truth, 0.0);
            let foreseen = calibration.text(&Features::of(&"1234567890 ".repeat(50))).tokens;
            let exact = Estimator::for_family(family).tokens(&Features::of(&"1234567890 ".repeat(50)));
            assert!((foreseen / exact - 1.0).abs() < 0.1, "{}: {foreseen} for {exact}", family.name());
        }
    }

    #[test]
    fn a_known_family_is_what_is_predicted_and_found() {
        let text = Features::of(&PROSE.repeat(10));
        for family in Family::KNOWN {
            let calibration = Calibration::new(family);
            let (likely, chance) = calibration.likely_family();
            assert_eq!((likely, chance), (family, 1.0 - MISNAMED));
            let estimate = Estimator::for_family(family).tokens(&text);
            assert!((calibration.text(&text).tokens / estimate - 1.0).abs() < 0.02);
        }
    }

    #[test]
    fn a_wild_count_moves_it_little_more_than_a_surprising_one() {
        let mut wild = Calibration::new(Family::Llama31);
        let shares = wild.message(&Features::of(&"word ".repeat(100)));
        let Prediction { tokens, spread } = wild.predict(&shares);
        wild.learn(&shares, tokens + 300.0 * spread, 0.0);
        assert!(wild.predict(&shares).tokens < tokens + 3.0 * spread);
    }

    #[test]
    fn a_single_text_carries_no_template() {
        let calibration = Calibration::new(Family::Unknown);
        let text = Features::of("one two three");
        let whole = calibration.predict(&calibration.message(&text)).tokens;
        assert!((calibration.text(&text).tokens - (whole - TEMPLATE)).abs() < 1e-9);
    }
}
