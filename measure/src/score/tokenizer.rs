//! Real tokenizers, to count what a real server would count.

use crate::samples::read_json;
use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use tiktoken_rs::CoreBPE;

/// A tokenizer with its whole vocabulary.
pub struct Tokenizer {
    bpe: CoreBPE,
}

/// What Ollama's `/api/show` with `"verbose": true` tells about a model.
#[derive(Deserialize)]
struct Shown {
    model_info: ModelInfo,
}

#[derive(Deserialize)]
struct ModelInfo {
    #[serde(rename = "tokenizer.ggml.tokens")]
    tokens: Vec<String>,
    #[serde(rename = "tokenizer.ggml.token_type")]
    types: Vec<u8>,
    #[serde(rename = "tokenizer.ggml.merges")]
    merges: Vec<String>,
    #[serde(rename = "tokenizer.ggml.pre")]
    split: String,
}

/// The type of a token that stands for itself in the text: `<|im_start|>`.
const CONTROL: u8 = 3;

/// How `smollm` splits a text before merging: digits one by one, the rest as GPT-2 does.
const SMOLLM: &str = r"\p{N}|'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?=\p{N})|\s+(?!\S)|\s+";

impl Tokenizer {
    /// The tokenizer of a model, from what its server told about it.
    pub fn from_server(shown: &Path) -> Result<Self> {
        let Shown { model_info: ModelInfo { tokens, types, merges, split } } = read_json(shown)?;
        ensure!(split == "smollm", "{}: a vocabulary that splits as {split}", shown.display());
        let bytes = byte_alphabet();
        let raw = |token: &str| token.chars().map(|c| bytes.get(&c).copied()).collect::<Option<Vec<u8>>>();
        let mut controls: HashMap<String, u32> = HashMap::new();
        let mut ranks: HashMap<Vec<u8>, u32> = HashMap::new();
        for ((id, token), kind) in (0u32..).zip(&tokens).zip(&types) {
            if *kind == CONTROL {
                controls.insert(token.clone(), id);
            } else if let Some(raw) = raw(token).filter(|raw| raw.len() == 1) {
                ranks.insert(raw, id);
            }
        }
        // The order of the merges decides, so they get the ranks above every single byte, in their order.
        let first = u32::try_from(tokens.len())?;
        for (rank, merge) in (first..).zip(&merges) {
            let joined = merge.replacen(' ', "", 1);
            let raw = raw(&joined).ok_or_else(|| anyhow!("a merge that is not of bytes: {merge}"))?;
            ranks.entry(raw).or_insert(rank);
        }
        let bpe = CoreBPE::new(ranks.into_iter().collect(), controls.into_iter().collect(), SMOLLM)?;
        Ok(Self { bpe })
    }

    /// A tokenizer that its crate carries, by name.
    pub fn named(name: Named) -> Result<Self> {
        let bpe = match name {
            Named::O200k => tiktoken_rs::o200k_base(),
            Named::Cl100k => tiktoken_rs::cl100k_base(),
            Named::P50k => tiktoken_rs::p50k_base(),
        };
        Ok(Self { bpe: bpe.context("the tokenizer's vocabulary is broken")? })
    }

    /// The tokens of a text, control tokens written in it included.
    pub fn count(&self, text: &str) -> u32 {
        u32::try_from(self.bpe.encode_with_special_tokens(text).len()).unwrap_or(u32::MAX)
    }
}

/// The tokenizers of the default set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// That of gpt-oss and GPT-4o.
    O200k,
    /// That of GPT-4, from which Llama 3 and Qwen 2 grew.
    Cl100k,
    /// That of Codex: small, and poor at anything but English.
    P50k,
}

/// GPT-2 writes every byte as a visible character; this is the way back.
fn byte_alphabet() -> HashMap<char, u8> {
    let visible = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut alphabet: HashMap<char, u8> =
        (0..=u8::MAX).filter(visible).map(|byte| (char::from(byte), byte)).collect();
    let hidden = (0..=u8::MAX).filter(|byte| !visible(byte));
    alphabet.extend(hidden.zip(0x100u32..).filter_map(|(byte, code)| Some((char::from_u32(code)?, byte))));
    alphabet
}
