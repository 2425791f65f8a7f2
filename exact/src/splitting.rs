//! How a text is split before its parts are merged. GGUF files name the ways (`tokenizer.ggml.pre`); the patterns are
//! those of the models' own `tokenizer.json`.

use tokenizers::SplitDelimiterBehavior::Isolated;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};

/// A way to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Splitting {
    /// One after the other: what a pattern matches stands alone for the next.
    patterns: &'static [&'static str],
    /// A part that is a token as it is stays one, whatever the merges make of it.
    pub(crate) ignores_merges: bool,
    /// Whether prompts get a token before them where the vocabulary doesn't say.
    pub(crate) begins: bool,
}

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";

const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const QWEN35: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const GPT4O: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const DEEPSEEK3: &str = r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##;

impl Splitting {
    /// The way of this name, if we know it for sure.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let plain = |patterns| Self { patterns, ignores_merges: false, begins: false };
        let whole_words = |patterns| Self { patterns, ignores_merges: true, begins: true };
        Some(match name {
            "gpt-2" | "phi-2" | "mpt" | "olmo" | "exaone4" | "mellum" | "granite-docling" | "trillion" => {
                plain(&[GPT2])
            }
            "smollm" | "starcoder" | "refact" | "command-r" | "codeshell" | "exaone" | "minerva-7b" => {
                plain(&[r"\p{N}", GPT2])
            }
            "qwen2" | "deepseek-r1-qwen" | "stablelm2" | "megrez" | "kormo" | "hunyuan" | "grok-2" => {
                plain(&[QWEN2])
            }
            "qwen35" => plain(&[QWEN35]),
            "dbrx" | "smaug-bpe" | "glm4" | "chatglm-bpe" => plain(&[LLAMA3]),
            "gpt-4o" | "llama4" => plain(&[GPT4O]),
            "deepseek-v3" | "hunyuan-dense" => {
                plain(&[r"\p{N}{1,3}", "[\u{4e00}-\u{9fa5}\u{3040}-\u{309f}\u{30a0}-\u{30ff}]+", DEEPSEEK3])
            }
            "deepseek-coder" => plain(&[
                r"[\r\n]",
                r"\s?\p{L}+",
                r"\s?\p{P}+",
                "[\u{4e00}-\u{9fa5}\u{800}-\u{4e00}\u{ac00}-\u{d7ff}]+",
                r"\p{N}",
            ]),
            "llama3" | "llama-v3" | "llama-bpe" | "falcon3" | "lfm2" => whole_words(&[LLAMA3]),
            "tekken" => whole_words(&[TEKKEN]),
            _ => return None,
        })
    }

    /// As the tokenizer takes it; every byte becomes a visible character at last.
    pub(crate) fn pre_tokenizer(self) -> tokenizers::Result<Sequence> {
        let mut steps: Vec<PreTokenizerWrapper> = Vec::new();
        for pattern in self.patterns {
            let pattern = SplitPattern::Regex((*pattern).to_owned());
            steps.push(Split::new(pattern, Isolated, false)?.into());
        }
        steps.push(ByteLevel::new(false, false, false).into());
        Ok(Sequence::new(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer};

    fn parts(name: &str, text: &str) -> Vec<String> {
        let mut splits = PreTokenizedString::from(text);
        Splitting::named(name).unwrap().pre_tokenizer().unwrap().pre_tokenize(&mut splits).unwrap();
        let parts = splits.get_splits(OffsetReferential::Original, OffsetType::Byte);
        parts.into_iter().map(|(_, (start, end), _)| text[start..end].to_owned()).collect()
    }

    #[test]
    fn digits_are_split_as_each_family_does() {
        let text = "a 1234";
        assert_eq!(parts("gpt-2", text), ["a", " 1234"]);
        assert_eq!(parts("smollm", text), ["a", " ", "1", "2", "3", "4"]);
        assert_eq!(parts("qwen2", text), ["a", " ", "1", "2", "3", "4"]);
        assert_eq!(parts("llama-bpe", text), ["a", " ", "123", "4"]);
        assert_eq!(parts("deepseek-v3", text), ["a", " ", "123", "4"]);
    }

    #[test]
    fn blanks_before_a_word_leave_it_one() {
        assert_eq!(parts("smollm", "if\n    x  "), ["if", "\n   ", " x", "  "]);
        assert_eq!(parts("llama-bpe", "if\n    x  "), ["if", "\n", "   ", " x", "  "]);
    }

    #[test]
    fn a_way_that_we_do_not_know_is_none() {
        assert_eq!(Splitting::named("viking"), None);
        assert_eq!(Splitting::named(""), None);
    }
}
