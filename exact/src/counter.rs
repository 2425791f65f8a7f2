//! A vocabulary that counts.

use crate::{CannotCount, ollama};
use std::fmt;
use tokenizers::Tokenizer;

/// Counts tokens exactly.
pub struct Counter {
    tokenizer: Tokenizer,
    /// The token that the server puts before every prompt.
    begin: Option<String>,
}

impl fmt::Debug for Counter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A vocabulary fills screens.
        formatter.debug_struct("Counter").field("begin", &self.begin).finish_non_exhaustive()
    }
}

impl Counter {
    /// From the body of Ollama's answer to `/api/show` with `"verbose": true`.
    pub fn from_ollama(body: &[u8]) -> Result<Self, CannotCount> {
        ollama::read(body)
    }

    /// From a `tokenizer.json`, as models are published with.
    pub fn from_hugging_face(json: &[u8]) -> Result<Self, CannotCount> {
        let tokenizer =
            Tokenizer::from_bytes(json).map_err(|error| CannotCount::Unreadable(error.to_string()))?;
        Ok(Self::new(tokenizer, None))
    }

    pub(crate) fn new(tokenizer: Tokenizer, begin: Option<String>) -> Self {
        Self { tokenizer, begin }
    }

    /// The tokens of a text by itself. Special tokens that are written in it count as such.
    pub fn count(&self, text: &str) -> u32 {
        // A text without characters to normalise can't fail; it would then have no tokens either.
        self.tokenizer
            .encode_fast(text, false)
            .map_or(0, |encoding| u32::try_from(encoding.len()).unwrap_or(u32::MAX))
    }

    /// The tokens of a whole rendered prompt: with the token that the server puts before it, unless it is there already.
    pub fn prompt(&self, rendered: &str) -> u32 {
        let added = self.begin.as_ref().is_some_and(|begin| !rendered.starts_with(begin.as_str()));
        self.count(rendered) + u32::from(added)
    }
}
