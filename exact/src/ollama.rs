//! What Ollama tells of a model's vocabulary: the metadata of its GGUF file.

use crate::sentence_piece::{BLANK, merges};
use crate::splitting::Splitting;
use crate::{CannotCount, Counter};
use serde::Deserialize;
use std::collections::HashMap;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::normalizers::{Prepend, Replace, Sequence};
use tokenizers::{AddedToken, Tokenizer};

#[derive(Deserialize)]
struct Shown {
    model_info: ModelInfo,
}

#[derive(Deserialize)]
struct ModelInfo {
    #[serde(rename = "tokenizer.ggml.model")]
    kind: Option<String>,
    #[serde(rename = "tokenizer.ggml.pre")]
    splitting: Option<String>,
    #[serde(rename = "tokenizer.ggml.tokens")]
    tokens: Option<Vec<String>>,
    #[serde(rename = "tokenizer.ggml.token_type")]
    types: Option<Vec<u8>>,
    #[serde(rename = "tokenizer.ggml.merges")]
    merges: Option<Vec<String>>,
    #[serde(rename = "tokenizer.ggml.scores")]
    scores: Option<Vec<f32>>,
    #[serde(rename = "tokenizer.ggml.bos_token_id")]
    begin: Option<usize>,
    #[serde(rename = "tokenizer.ggml.add_bos_token")]
    begins: Option<bool>,
    #[serde(rename = "tokenizer.ggml.add_space_prefix")]
    blank_first: Option<bool>,
    #[serde(rename = "tokenizer.ggml.unknown_token_id")]
    unknown: Option<usize>,
}

/// GGUF's types of tokens. Those not named here are ordinary.
mod types {
    /// Stands for what has no token.
    pub(super) const UNKNOWN: u8 = 2;
    /// Steers the model, and is found in a text before anything else: `<|im_start|>`.
    pub(super) const CONTROL: u8 = 3;
    /// Found in a text before anything else, too.
    pub(super) const USER_DEFINED: u8 = 4;
    /// A single byte: `<0x0A>`.
    pub(super) const BYTE: u8 = 6;
}

pub(crate) fn read(body: &[u8]) -> Result<Counter, CannotCount> {
    let Shown { model_info: info } =
        serde_json::from_slice(body).map_err(|error| CannotCount::Unreadable(error.to_string()))?;
    let kind = info.kind.as_deref().ok_or(CannotCount::Missing("kind"))?;
    let tokens = info.tokens.as_deref().ok_or(CannotCount::Missing("tokens"))?;
    let types = info.types.as_deref().filter(|types| types.len() == tokens.len());
    let types = types.ok_or(CannotCount::Missing("types of tokens"))?;
    let (mut tokenizer, begins) = match kind {
        "gpt2" => byte_pairs(&info, tokens)?,
        "llama" => sentence_pieces(&info, tokens, types)?,
        other => return Err(CannotCount::Kind(other.to_owned())),
    };
    let stands_alone = |kind: u8| matches!(kind, types::UNKNOWN | types::CONTROL | types::USER_DEFINED);
    let alone = tokens.iter().zip(types).filter(|(token, kind)| stands_alone(**kind) && !token.is_empty());
    let alone = alone.map(|(token, _)| AddedToken::from(token.clone(), true));
    tokenizer.add_special_tokens(alone.collect::<Vec<_>>()).map_err(inconsistent)?;
    let begin = info.begin.and_then(|id| tokens.get(id)).filter(|_| info.begins.unwrap_or(begins));
    Ok(Counter::new(tokenizer, begin.cloned()))
}

fn inconsistent(error: tokenizers::Error) -> CannotCount {
    CannotCount::Inconsistent(error.to_string())
}

/// GPT-2's kind: merges in their order. With whether prompts begin with a token by default.
fn byte_pairs(info: &ModelInfo, tokens: &[String]) -> Result<(Tokenizer, bool), CannotCount> {
    let name = info.splitting.as_deref().unwrap_or_default();
    let splitting = Splitting::named(name).ok_or_else(|| CannotCount::Splitting(name.to_owned()))?;
    let merges = info.merges.as_deref().ok_or(CannotCount::Missing("merges"))?;
    let pair = |merge: &String| match merge.split_once(' ') {
        Some((left, right)) => Ok((left.to_owned(), right.to_owned())),
        None => Err(CannotCount::Inconsistent(format!("{merge:?} merges nothing"))),
    };
    let merges = merges.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let model = BPE::builder()
        .vocab_and_merges(numbered(tokens), merges)
        .ignore_merges(splitting.ignores_merges)
        .build()
        .map_err(inconsistent)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(splitting.pre_tokenizer().map_err(inconsistent)?));
    Ok((tokenizer, splitting.begins))
}

/// SentencePiece's kind: the order of the merges follows from the scores.
fn sentence_pieces(
    info: &ModelInfo,
    tokens: &[String],
    types: &[u8],
) -> Result<(Tokenizer, bool), CannotCount> {
    let scores = info.scores.as_deref().filter(|scores| scores.len() == tokens.len());
    let scores = scores.ok_or(CannotCount::Missing("scores"))?;
    let merged = |kind: u8| !matches!(kind, types::UNKNOWN | types::CONTROL | types::BYTE);
    let pieces = tokens.iter().zip(types).zip(scores).filter(|((_, kind), _)| merged(**kind));
    let pieces: HashMap<&str, f32> = pieces.map(|((token, _), score)| (token.as_str(), *score)).collect();
    let unknown = info.unknown.unwrap_or(0);
    let mut model =
        BPE::builder().vocab_and_merges(numbered(tokens), merges(&pieces)).byte_fallback(true).fuse_unk(true);
    if let Some(unknown) = tokens.get(unknown) {
        model = model.unk_token(unknown.clone());
    }
    let mut tokenizer = Tokenizer::new(model.build().map_err(inconsistent)?);
    let blanks = Replace::new(" ", BLANK).map_err(inconsistent)?;
    let mut steps = Vec::new();
    if info.blank_first.unwrap_or(true) {
        steps.push(Prepend::new(BLANK.to_owned()).into());
    }
    steps.push(blanks.into());
    tokenizer.with_normalizer(Some(Sequence::new(steps))).map_err(inconsistent)?;
    Ok((tokenizer, true))
}

fn numbered(tokens: &[String]) -> Vocab {
    (0u32..).zip(tokens).map(|(id, token)| (token.clone(), id)).collect()
}
