//! Real tokenizers, to count what a real server would count.

use anyhow::{Context, Result};
use brimline_exact::Counter;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tiktoken_rs::CoreBPE;

/// A tokenizer with its whole vocabulary.
pub enum Tokenizer {
    /// One that a server handed out.
    Handed(Box<Counter>),
    /// One that its crate carries.
    Carried(CoreBPE),
}

impl Tokenizer {
    /// The tokenizer of a model, from what its server told about it: the gzipped answer to `/api/show`, verbose.
    pub fn from_server(shown: &Path) -> Result<Self> {
        Ok(Self::Handed(Box::new(Counter::from_ollama(&show(shown)?)?)))
    }

    /// A tokenizer that its crate carries, by name.
    pub fn named(name: Named) -> Result<Self> {
        let bpe = match name {
            Named::O200k => tiktoken_rs::o200k_base(),
            Named::Cl100k => tiktoken_rs::cl100k_base(),
            Named::P50k => tiktoken_rs::p50k_base(),
        };
        Ok(Self::Carried(bpe.context("the tokenizer's vocabulary is broken")?))
    }

    /// The tokens of a text, control tokens written in it included.
    pub fn count(&self, text: &str) -> u32 {
        match self {
            Self::Handed(counter) => counter.count(text),
            Self::Carried(bpe) => {
                u32::try_from(bpe.encode_with_special_tokens(text).len()).unwrap_or(u32::MAX)
            }
        }
    }
}

/// The gzipped body of an answer to `/api/show`.
pub(crate) fn show(path: &Path) -> Result<Vec<u8>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut body = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut body)?;
    Ok(body)
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
