//! The estimate itself: a weight for everything that is counted.

use super::family::Family;
use super::features::Features;
use super::fitted::{FLOOR, WEIGHTS};
use super::layout::PLACES;

/// Weighs [`Features`] into tokens.
#[derive(Debug, Clone, Copy)]
pub struct Estimator {
    weights: &'static [u32; PLACES],
}

impl Estimator {
    /// The estimator for one family of tokenizers.
    pub fn for_family(family: Family) -> Self {
        let [qwen25, llama31, gemma3, deepseek_v3, gpt_oss, llama2, unknown] = &WEIGHTS;
        let weights = match family {
            Family::Qwen25 => qwen25,
            Family::Llama31 => llama31,
            Family::Gemma3 => gemma3,
            Family::DeepseekV3 => deepseek_v3,
            Family::GptOss => gpt_oss,
            Family::Llama2 => llama2,
            Family::Unknown => unknown,
        };
        Self { weights }
    }

    /// Estimated tokens of a text by itself, without a template. How far off it may be is in docs/estimator.md.
    pub fn tokens(&self, features: &Features) -> f64 {
        weigh(features, self.weights)
    }

    /// Tokens that the text has at the very least, whatever the tokenizer.
    pub fn floor(&self, features: &Features) -> f64 {
        weigh(features, &FLOOR)
    }
}

/// The weights are ten-thousandths of a token.
fn weigh(features: &Features, weights: &[u32; PLACES]) -> f64 {
    let products = features.counts().iter().zip(weights);
    let sum: u64 = products.map(|(count, weight)| u64::from(*count) * u64::from(*weight)).sum();
    sum as f64 / 10_000.0
}
