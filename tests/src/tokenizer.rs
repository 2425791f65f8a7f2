//! A tokenizer of the field, with a vocabulary of two hundred thousand tokens.

use brimline_core::simulate::Tokenizer;

/// OpenAI's `o200k_base`, as the crate `tiktoken-rs` carries it. It shares nothing with Brimline's estimator.
#[derive(Debug, Default)]
pub struct RealTokenizer;

impl Tokenizer for RealTokenizer {
    fn token_lengths(&self, text: &str) -> Vec<usize> {
        let tokenizer = tiktoken_rs::o200k_base_singleton();
        let tokens = tokenizer.encode_ordinary(text);
        let bytes = |token| tokenizer.decode_bytes(&[token]).map_or(0, |bytes| bytes.len());
        tokens.into_iter().map(bytes).collect()
    }

    fn count(&self, text: &str) -> u32 {
        u32::try_from(tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_lengths_are_the_text() {
        let text = "fn main() { println!(\"¡Hola, 世界! 🦀\"); }\n\t\tAnd so on…";
        let lengths = RealTokenizer.token_lengths(text);
        assert_eq!(lengths.iter().sum::<usize>(), text.len());
        assert_eq!(lengths.len(), RealTokenizer.count(text) as usize);
    }
}
