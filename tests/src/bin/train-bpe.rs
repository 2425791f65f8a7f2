//! Learns the page's small byte-pair encoding from this project's own texts, and writes its vocabulary.
//!
//! `cargo xtask bpe` runs it. The same texts give the same vocabulary.

#![expect(clippy::print_stdout, reason = "a command line's answer")]

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;

/// Tokens to learn, beside the 256 bytes.
const LEARNT: usize = 3_500;

/// The folders and files that it learns from, from the project's root.
const SOURCES: [&str; 8] =
    ["README.md", "docs", "core/src", "core/sample", "web/src", "web/locales", "web/styles", "tests/src"];

/// What it writes.
const VOCABULARY: &str = "core/src/simulate/vocabulary.txt";

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut words: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for source in SOURCES {
        read_words(&root.join(source), &mut words)?;
    }
    let tokens = learn(&words);
    let lines: Vec<String> = tokens
        .iter()
        .map(|token| token.iter().map(|byte| char::from(*byte)).collect::<String>())
        .map(|token| serde_json::to_string(&token))
        .collect::<Result<_, _>>()?;
    std::fs::write(root.join(VOCABULARY), lines.join("\n") + "\n")?;
    println!("{} words, {} tokens learnt, written to {VOCABULARY}", words.len(), tokens.len());
    Ok(())
}

fn read_words(path: &Path, words: &mut BTreeMap<Vec<u8>, usize>) -> io::Result<()> {
    if path.is_dir() {
        let mut entries = std::fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::path);
        return entries.iter().try_for_each(|entry| read_words(&entry.path(), words));
    }
    let is_text = path.extension().is_some_and(|extension| {
        ["md", "rs", "json", "css", "toml", "csv", "py"].iter().any(|known| extension == *known)
    });
    if is_text && path.exists() {
        for word in words_of(&std::fs::read_to_string(path)?) {
            *words.entry(word).or_default() += 1;
        }
    }
    Ok(())
}

/// Words as GPT-2's tokenizer sees them: letters, digits or marks with the blank before them, and runs of blanks.
fn words_of(text: &str) -> Vec<Vec<u8>> {
    let kind = |c: char| match c {
        c if c.is_alphabetic() => 0,
        c if c.is_numeric() => 1,
        c if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        let joins = last == Some(kind(c)) || (kind(c) != 2 && words.last().is_some_and(|word| word == " "));
        match words.last_mut() {
            Some(word) if joins => word.push(c),
            Some(_) | None => words.push(c.to_string()),
        }
        last = Some(kind(c));
    }
    words.into_iter().map(String::into_bytes).collect()
}

/// Merges the most frequent pair of neighbours, again and again. Ties go to the pair that sorts first.
fn learn(words: &BTreeMap<Vec<u8>, usize>) -> Vec<Vec<u8>> {
    let mut split: Vec<(Vec<Vec<u8>>, usize)> =
        words.iter().map(|(word, count)| (word.iter().map(|byte| vec![*byte]).collect(), *count)).collect();
    let mut learnt: Vec<Vec<u8>> = Vec::new();
    while learnt.len() < LEARNT {
        let mut pairs: HashMap<(&[u8], &[u8]), usize> = HashMap::new();
        for (tokens, count) in &split {
            for pair in tokens.windows(2) {
                if let [left, right] = pair {
                    *pairs.entry((left, right)).or_default() += count;
                }
            }
        }
        let best = pairs.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
        let Some(((left, right), 2..)) = best else { break };
        let token = [left, right].concat();
        let (left, right) = (left.to_vec(), right.to_vec());
        for (tokens, _) in &mut split {
            merge(tokens, &left, &right);
        }
        if !learnt.contains(&token) {
            learnt.push(token);
        }
    }
    learnt
}

fn merge(tokens: &mut Vec<Vec<u8>>, left: &[u8], right: &[u8]) {
    let mut at = 0;
    while at + 1 < tokens.len() {
        let is_pair =
            tokens.get(at).is_some_and(|t| t == left) && tokens.get(at + 1).is_some_and(|t| t == right);
        if is_pair {
            let taken = tokens.remove(at + 1);
            if let Some(token) = tokens.get_mut(at) {
                token.extend(taken);
            }
        }
        at += 1;
    }
}
