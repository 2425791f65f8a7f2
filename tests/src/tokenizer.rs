//! A tokenizer of the field, with a vocabulary of two hundred thousand tokens.

use brimline_core::simulate::Tokenizer;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;

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

    fn vocabulary(&self) -> Option<Map<String, Value>> {
        static HANDED_OUT: LazyLock<Map<String, Value>> = LazyLock::new(handed_out);
        Some(HANDED_OUT.clone())
    }

    fn count(&self, text: &str) -> u32 {
        u32::try_from(tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()).unwrap_or(u32::MAX)
    }
}

/// GPT-2's way to write a byte as a character that can be seen.
fn visible(byte: u8) -> char {
    let is_visible = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    if is_visible(&byte) {
        return char::from(byte);
    }
    let before = (0..byte).filter(|byte| !is_visible(byte)).count();
    u32::try_from(before).ok().and_then(|before| char::from_u32(0x100 + before)).unwrap_or(' ')
}

/// The two parts that the merges before `rank` leave of a token of that rank: the merge that makes it.
fn parts<'a>(token: &'a [u8], rank: usize, ranks: &HashMap<&[u8], usize>) -> Option<(&'a [u8], &'a [u8])> {
    let mut parts: Vec<&[u8]> = token.chunks(1).collect();
    let mut starts: Vec<usize> = (0..=token.len()).collect();
    while parts.len() > 2 {
        let joined = |at: usize| ranks.get(token.get(*starts.get(at)?..*starts.get(at + 2)?)?).copied();
        let best = (0..parts.len() - 1).filter_map(|at| Some((joined(at)?, at))).min();
        let (_, at) = best.filter(|(best, _)| *best < rank)?;
        starts.remove(at + 1);
        parts = starts.windows(2).filter_map(|pair| token.get(*pair.first()?..*pair.last()?)).collect();
    }
    match parts[..] {
        [left, right] => Some((left, right)),
        _ => None,
    }
}

/// `o200k_base` in the shape in which Ollama hands a vocabulary out. Nothing in it is a special token: this server's
/// marks are texts like any other to it.
fn handed_out() -> Map<String, Value> {
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    let bytes: Vec<Vec<u8>> = (0..).map_while(|token| tokenizer.decode_bytes(&[token]).ok()).collect();
    let ranks: HashMap<&[u8], usize> =
        bytes.iter().enumerate().map(|(rank, bytes)| (bytes.as_slice(), rank)).collect();
    let written = |bytes: &[u8]| -> String { bytes.iter().copied().map(visible).collect() };
    let merge = |(rank, token): (usize, &Vec<u8>)| {
        let (left, right) = parts(token, rank, &ranks)?;
        Some(format!("{} {}", written(left), written(right)))
    };
    let merges: Vec<String> = bytes.iter().enumerate().filter_map(merge).collect();
    let tokens: Vec<String> = bytes.iter().map(|bytes| written(bytes)).collect();
    Map::from_iter([
        ("tokenizer.ggml.model".to_owned(), json!("gpt2")),
        ("tokenizer.ggml.pre".to_owned(), json!("gpt-4o")),
        ("tokenizer.ggml.token_type".to_owned(), json!(vec![1; tokens.len()])),
        ("tokenizer.ggml.tokens".to_owned(), json!(tokens)),
        ("tokenizer.ggml.merges".to_owned(), json!(merges)),
    ])
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

    #[test]
    fn what_is_handed_out_counts_the_same() {
        let body = json!({ "model_info": RealTokenizer.vocabulary() }).to_string();
        let counter = brimline_exact::Counter::from_ollama(body.as_bytes()).unwrap();
        for text in [
            "fn main() { println!(\"¡Hola, 世界! 🦀\"); }\n\t\tAnd so on…",
            "<|im_start|>user\nGo on.<|im_end|>\n",
            include_str!("tokenizer.rs"),
        ] {
            assert_eq!(counter.count(text), RealTokenizer.count(text), "{text}");
        }
    }
}
