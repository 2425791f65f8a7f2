//! A published vocabulary in the shape in which Ollama hands one out: what a conversion to GGUF makes of it.

use anyhow::{Context, Result};
use brimline_core::tokens::Family;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Published {
    added_tokens: Vec<Added>,
    model: Model,
}

#[derive(Deserialize)]
struct Added {
    id: usize,
    content: String,
    special: bool,
}

#[derive(Deserialize)]
struct Model {
    vocab: HashMap<String, usize>,
    merges: Vec<Merge>,
    unk_token: Option<String>,
}

/// Older files write a merge as one text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Merge {
    Text(String),
    Pair(String, String),
}

/// The name that GGUF files give to a family's way to split a text; none for SentencePiece.
fn splitting(family: Family) -> Option<&'static str> {
    match family {
        Family::Qwen25 => Some("qwen2"),
        Family::Llama31 => Some("llama-bpe"),
        Family::DeepseekV3 => Some("deepseek-v3"),
        Family::GptOss => Some("gpt-4o"),
        Family::SmallEnglish => Some("gpt-2"),
        Family::Gemma3 | Family::Llama2 | Family::Unknown => None,
    }
}

/// The body of an answer to `/api/show`.
pub(super) fn body(tokenizer: &[u8], family: Family) -> Result<Vec<u8>> {
    let Published { added_tokens, model } = serde_json::from_slice(tokenizer)?;
    let last = model.vocab.values().copied().chain(added_tokens.iter().map(|added| added.id)).max();
    let mut tokens: Vec<String> = (0..=last.context("no tokens")?).map(|id| format!("[PAD{id}]")).collect();
    let mut types = vec![5_u8; tokens.len()];
    let mut put = |id: usize, token: &str, kind: u8| {
        if let (Some(slot), Some(slot_kind)) = (tokens.get_mut(id), types.get_mut(id)) {
            token.clone_into(slot);
            *slot_kind = kind;
        }
    };
    for (token, id) in &model.vocab {
        let is_byte = token.len() == 6 && token.starts_with("<0x");
        let is_unknown = model.unk_token.as_ref() == Some(token);
        put(
            *id,
            token,
            if is_byte {
                6
            } else if is_unknown {
                2
            } else {
                1
            },
        );
    }
    for added in &added_tokens {
        put(added.id, &added.content, if added.special { 3 } else { 4 });
    }
    let merges: Vec<String> = model
        .merges
        .into_iter()
        .map(|merge| match merge {
            Merge::Text(text) => text,
            Merge::Pair(left, right) => format!("{left} {right}"),
        })
        .collect();
    let info = match splitting(family) {
        Some(splitting) => json!({
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.pre": splitting,
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": types,
            "tokenizer.ggml.merges": merges,
        }),
        None => json!({
            "tokenizer.ggml.model": "llama",
            "tokenizer.ggml.scores": scores(&tokens, &merges),
            "tokenizer.ggml.tokens": tokens,
            "tokenizer.ggml.token_type": types,
            "tokenizer.ggml.add_space_prefix": family == Family::Llama2,
            "tokenizer.ggml.unknown_token_id": model.unk_token.and_then(|unknown| model.vocab.get(&unknown).copied()),
        }),
    };
    Ok(serde_json::to_vec(&json!({ "model_info": info }))?)
}

/// SentencePiece's scores, which the merges came from: the sooner a piece is made, the better.
fn scores(tokens: &[String], merges: &[String]) -> Vec<f32> {
    let mut first: HashMap<String, usize> = HashMap::new();
    for (rank, merge) in merges.iter().enumerate() {
        first.entry(merge.replacen(' ', "", 1)).or_insert(rank);
    }
    tokens.iter().map(|token| first.get(token).map_or(0.0, |rank| -(*rank as f32))).collect()
}
