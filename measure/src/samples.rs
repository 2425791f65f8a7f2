//! Texts with exact token counts.

use anyhow::{Context, Result};
use brimline_core::tokens::Family;
use flate2::read::GzDecoder;
use fnv::FnvHasher;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A text and how many tokens each tokenizer makes of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Sample {
    /// What kind of text it is: `rust`, `log`, `zh` …
    pub class: String,
    /// The counts, by [`Family::name`].
    pub tokens: BTreeMap<String, u32>,
    /// The text.
    pub text: String,
}

impl Sample {
    /// The exact count, if that tokenizer counted this text.
    pub fn tokens_of(&self, family: Family) -> Option<u32> {
        self.tokens.get(family.name()).copied()
    }
}

/// Reads a file that holds one JSON value, gzipped (`.gz`) or not.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_reader(open(path)?).with_context(|| format!("{}: not the expected JSON", path.display()))
}

fn open(path: &Path) -> Result<BufReader<Box<dyn Read>>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let is_gzipped = path.extension().is_some_and(|end| end == "gz");
    Ok(BufReader::new(if is_gzipped { Box::new(GzDecoder::new(file)) } else { Box::new(file) }))
}

/// Adds the counts of [`Family::SmallEnglish`] to given texts, which have none. The file knows texts by their hash
/// (FNV-1a, 64 bits) only; it was counted with the vocabulary of GPT-2 with runs of spaces (`p50k_base`), digits cut one
/// by one before, as StarCoder, Granite 3 and SmolLM do. Says how many of the texts it knows.
pub fn add_small_english(samples: &mut [Sample], path: &Path) -> Result<usize> {
    let file = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut counts = BTreeMap::new();
    for line in file.lines() {
        let (hash, count) = line.split_once(' ').context("a line without a count")?;
        counts.insert(u64::from_str_radix(hash, 16)?, count.parse::<u32>()?);
    }
    let mut known = 0;
    for sample in samples {
        let mut hasher = FnvHasher::default();
        hasher.write(sample.text.as_bytes());
        if let Some(count) = counts.get(&hasher.finish()) {
            sample.tokens.insert(Family::SmallEnglish.name().to_owned(), *count);
            known += 1;
        }
    }
    Ok(known)
}

/// Reads a file with one JSON value a line, gzipped (`.gz`) or not.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let mut values = Vec::new();
    for (number, line) in open(path)?.lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {}", path.display()))?;
        if !line.trim().is_empty() {
            let value = serde_json::from_str(&line)
                .with_context(|| format!("{}, line {}: not the expected JSON", path.display(), number + 1))?;
            values.push(value);
        }
    }
    Ok(values)
}
