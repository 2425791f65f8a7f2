//! Small vocabularies in the shapes in which they are handed out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use brimline_exact::{CannotCount, Counter};
use serde_json::{Value, json};

/// The visible character that stands for a byte in GPT-2's kind.
fn visible(byte: u8) -> char {
    match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => char::from(byte),
        _ => {
            let hidden = (0..byte).filter(|byte| !matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff));
            char::from_u32(0x100 + u32::try_from(hidden.count()).unwrap()).unwrap()
        }
    }
}

/// All bytes, two marks, and what these merges make.
fn byte_pairs(splitting: &str, merges: &[&str]) -> Value {
    let mut tokens: Vec<String> = vec!["<|im_start|>".into(), "<|im_end|>".into()];
    let mut types = vec![3, 3];
    tokens.extend((0..=u8::MAX).map(|byte| visible(byte).to_string()));
    tokens.extend(merges.iter().map(|merge| merge.replace(' ', "")));
    types.resize(tokens.len(), 1);
    json!({
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": splitting,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 1,
        "general.languages": ["en"],
    })
}

fn sentence_pieces() -> Value {
    let pieces = [
        ("<unk>", 0.0, 2),
        ("<s>", 0.0, 3),
        ("<0xC3>", 0.0, 6),
        ("<0xB1>", 0.0, 6),
        ("\u{2581}", -10.0, 1),
        ("a", -11.0, 1),
        ("b", -12.0, 1),
        ("ab", -2.0, 1),
        ("\u{2581}a", -1.0, 1),
        ("\u{2581}ab", -3.0, 1),
    ];
    json!({
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces.map(|(piece, _, _)| piece),
        "tokenizer.ggml.scores": pieces.map(|(_, score, _)| score),
        "tokenizer.ggml.token_type": pieces.map(|(_, _, kind)| kind),
        "tokenizer.ggml.bos_token_id": 1,
    })
}

fn counter(info: &Value) -> Result<Counter, CannotCount> {
    Counter::from_ollama(json!({ "model_info": info }).to_string().as_bytes())
}

fn refusal(info: &Value) -> String {
    counter(info).err().unwrap().to_string()
}

fn without(mut info: Value, name: &str) -> Value {
    info.as_object_mut().unwrap().insert(name.into(), Value::Null);
    info
}

#[test]
fn merges_are_made_in_their_order() {
    let counter = counter(&byte_pairs("smollm", &["a b", "b c", "ab c", "Ġ a"])).unwrap();
    for (text, tokens) in [
        ("", 0),
        ("abc", 1),
        ("bc", 1),
        ("cab", 2),
        // The blank goes to the word, but "a b" comes first.
        (" abc", 2),
        (" a", 1),
        ("12", 2),
        // Two bytes.
        ("ñ", 2),
    ] {
        assert_eq!(counter.count(text), tokens, "{text:?}");
    }
}

#[test]
fn marks_count_as_one_wherever_they_stand() {
    let counter = counter(&byte_pairs("gpt-2", &[])).unwrap();
    assert_eq!(counter.count("<|im_start|>user\nhi<|im_end|>\n"), 1 + 5 + 2 + 1 + 1);
    assert_eq!(counter.count("<|im_start"), 10);
}

#[test]
fn a_first_token_is_counted_where_the_model_has_one_and_the_text_has_not() {
    let info = byte_pairs("gpt-2", &[]);
    assert_eq!(counter(&info).unwrap().prompt("hi"), 2);
    let mut info = info;
    info["tokenizer.ggml.add_bos_token"] = json!(true);
    let counts = counter(&info).unwrap();
    assert_eq!((counts.prompt("hi"), counts.prompt("<|im_start|>hi")), (3, 3));
    // Where nothing is said, it depends on the kind.
    assert_eq!(counter(&byte_pairs("llama-bpe", &[])).unwrap().prompt("hi"), 3);
}

#[test]
fn a_whole_word_stays_whole_where_the_family_says_so() {
    // No merge leads to "hi".
    let mut info = byte_pairs("llama-bpe", &[]);
    info["tokenizer.ggml.tokens"][70] = json!("hi");
    assert_eq!(counter(&info).unwrap().count("hi"), 1);
    info["tokenizer.ggml.pre"] = json!("qwen2");
    assert_eq!(counter(&info).unwrap().count("hi"), 2);
}

#[test]
fn pieces_are_joined_by_their_scores() {
    let counter = counter(&sentence_pieces()).unwrap();
    for (text, tokens) in [
        // A blank is put before; "▁a" has the best score, then "▁a" and "b" join.
        ("ab", 1),
        ("ab ab", 2),
        ("b", 2),
        // A letter without a piece falls apart into bytes.
        ("ñ", 3),
        ("<s>ab", 2),
    ] {
        assert_eq!(counter.count(text), tokens, "{text:?}");
    }
    assert_eq!(counter.prompt("ab"), 2);
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let small = byte_pairs("smollm", &["a b"]);
    let mut unigram = small.clone();
    unigram["tokenizer.ggml.model"] = json!("t5");
    for (info, words) in [
        (unigram, "The model's vocabulary is of the kind \"t5\", which we can't count with."),
        (
            byte_pairs("viking", &[]),
            "The model's vocabulary splits a text in the way \"viking\", which we don't know.",
        ),
        (
            without(small.clone(), "tokenizer.ggml.merges"),
            "The server did not hand out the vocabulary's merges.",
        ),
        (
            without(small.clone(), "tokenizer.ggml.tokens"),
            "The server did not hand out the vocabulary's tokens.",
        ),
        (
            without(sentence_pieces(), "tokenizer.ggml.scores"),
            "The server did not hand out the vocabulary's scores.",
        ),
        (without(small, "tokenizer.ggml.model"), "The server did not hand out the vocabulary's kind."),
    ] {
        assert_eq!(refusal(&info), words);
    }
    let mut torn = byte_pairs("smollm", &[]);
    torn["tokenizer.ggml.merges"] = json!(["a b"]);
    assert!(
        refusal(&torn).starts_with("The model's vocabulary doesn't hold together: "),
        "{}",
        refusal(&torn)
    );
    assert!(matches!(Counter::from_ollama(b"[]"), Err(CannotCount::Unreadable(_))));
    assert!(matches!(Counter::from_hugging_face(b"{}"), Err(CannotCount::Unreadable(_))));
}

#[test]
fn a_published_tokenizer_counts_too() {
    let json = json!({
        "version": "1.0",
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": { "type": "Whitespace" },
        "post_processor": null,
        "decoder": null,
        "model": { "type": "BPE", "vocab": { "a": 0, "b": 1, "ab": 2 }, "merges": ["a b"] },
    });
    let counter = Counter::from_hugging_face(json.to_string().as_bytes()).unwrap();
    assert_eq!((counter.count("ab ba"), counter.prompt("ab")), (3, 1));
}
