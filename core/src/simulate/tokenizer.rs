//! How the simulated server counts.

use bpe::byte_pair_encoding::BytePairEncoding;
use serde_json::{Map, Value};

/// A real tokenizer.
pub trait Tokenizer: Send + Sync {
    /// The bytes of each token of a text, in order: together they are the text's.
    fn token_lengths(&self, text: &str) -> Vec<usize>;

    /// The vocabulary as Ollama hands one out in `model_info`, if it can be told so.
    fn vocabulary(&self) -> Option<Map<String, Value>> {
        None
    }

    /// The number of tokens of a text.
    fn count(&self, text: &str) -> u32 {
        u32::try_from(self.token_lengths(text).len()).unwrap_or(u32::MAX)
    }
}

/// The page's own byte-pair encoding: a few thousand tokens, learnt from this project's own texts by `cargo xtask bpe`.
/// Real vocabularies are of megabytes.
pub struct SmallTokenizer(BytePairEncoding);

/// One token a line as a JSON string of Latin-1 characters, each standing for the byte of its number.
const VOCABULARY: &str = include_str!("vocabulary.txt");

impl SmallTokenizer {
    /// Reads the vocabulary.
    pub fn new() -> Self {
        let bytes = (0..=255).map(|byte: u8| vec![byte]);
        let learnt =
            VOCABULARY.lines().filter_map(|line| serde_json::from_str::<String>(line).ok()).map(|token| {
                // Every character is the number of a byte: the trainer wrote nothing else.
                token.chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect()
            });
        Self(BytePairEncoding::from_dictionary(bytes.chain(learnt), None))
    }
}

impl Default for SmallTokenizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokenizer for SmallTokenizer {
    fn token_lengths(&self, text: &str) -> Vec<usize> {
        let tokens = self.0.encode_via_backtracking(text.as_bytes());
        tokens.into_iter().map(|token| self.0.token_len(token)).collect()
    }

    fn count(&self, text: &str) -> u32 {
        u32::try_from(self.0.count(text.as_bytes())).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text_and_fewer_than_its_bytes() {
        let tokenizer = SmallTokenizer::new();
        let text = "The tide table says when the water is high. ¿Cuándo sube la marea? 潮\n";
        let lengths = tokenizer.token_lengths(text);
        assert_eq!(lengths.iter().sum::<usize>(), text.len());
        assert_eq!(tokenizer.count(text) as usize, lengths.len());
        assert!(lengths.len() * 2 < text.len(), "{} tokens for {} bytes", lengths.len(), text.len());
    }
}
