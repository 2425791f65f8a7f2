//! Which tokenizer a model has, by its name.

use serde::{Deserialize, Serialize};

/// A family of tokenizers. Models of one family share a vocabulary, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Family {
    /// Qwen 2, 2.5 and 3, and what was distilled into them.
    Qwen25,
    /// Llama 3 to 3.3.
    Llama31,
    /// Gemma 2 and 3.
    Gemma3,
    /// DeepSeek V3 and R1.
    DeepseekV3,
    /// OpenAI's open models, and GPT-4o with its successors.
    GptOss,
    /// Llama 1 and 2, Code Llama, Mistral 7B, Phi-3: SentencePiece vocabularies of 32,000.
    Llama2,
    /// About 50,000 pieces of English and code, digits one by one: Granite 3, StarCoder, SmolLM, OLMo, Phi-2.
    SmallEnglish,
    /// Not one that we know: weighed as the mean of those that we do.
    Unknown,
}

/// Parts of model names, in the order in which they are looked for: what a model was distilled into comes before what it
/// was distilled from, longer names before those that they contain.
const NAMES: [(&str, Family); 41] = [
    ("distill-llama", Family::Llama31),
    ("distill-qwen", Family::Qwen25),
    ("deepseek-coder", Family::Llama2),
    ("deepseek-r1:671b", Family::DeepseekV3),
    ("deepseek-r1:70b", Family::Llama31),
    ("deepseek-r1:8b-llama", Family::Llama31),
    ("deepseek-r1:", Family::Qwen25),
    ("deepseek", Family::DeepseekV3),
    ("qwen", Family::Qwen25),
    ("qwq", Family::Qwen25),
    ("gpt-oss", Family::GptOss),
    ("gpt-4o", Family::GptOss),
    ("gpt-4.1", Family::GptOss),
    ("gpt-5", Family::GptOss),
    ("o200k", Family::GptOss),
    ("codegemma", Family::Gemma3),
    ("gemma", Family::Gemma3),
    ("codellama", Family::Llama2),
    ("tinyllama", Family::Llama2),
    ("llama-2", Family::Llama2),
    ("llama2", Family::Llama2),
    ("llama3", Family::Llama31),
    ("llama-3", Family::Llama31),
    ("llama4", Family::Llama31),
    ("hermes3", Family::Llama31),
    ("mixtral", Family::Llama2),
    ("mistral-7b", Family::Llama2),
    ("mistral:", Family::Llama2),
    ("zephyr", Family::Llama2),
    ("vicuna", Family::Llama2),
    ("phi3", Family::Llama2),
    ("phi-3", Family::Llama2),
    ("solar", Family::Llama2),
    ("granite3", Family::SmallEnglish),
    ("granite-3", Family::SmallEnglish),
    ("starcoder", Family::SmallEnglish),
    ("smollm", Family::SmallEnglish),
    ("olmo", Family::SmallEnglish),
    ("phi-2", Family::SmallEnglish),
    ("pythia", Family::SmallEnglish),
    ("falcon", Family::SmallEnglish),
];

impl Family {
    /// Every family whose vocabulary we know, in the order of the fitted columns.
    pub const KNOWN: [Self; 7] = [
        Self::Qwen25,
        Self::Llama31,
        Self::Gemma3,
        Self::DeepseekV3,
        Self::GptOss,
        Self::Llama2,
        Self::SmallEnglish,
    ];

    /// The family of a model, by its name as servers give it (`qwen2.5:7b`, `meta-llama/Llama-3.2-3B-Instruct`).
    pub fn from_model_name(name: &str) -> Self {
        let name = name.to_lowercase();
        NAMES.iter().find(|(part, _)| name.contains(part)).map_or(Self::Unknown, |(_, family)| *family)
    }

    /// The family's name in the files of samples, and in figures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qwen25 => "qwen2.5",
            Self::Llama31 => "llama3.1",
            Self::Gemma3 => "gemma3",
            Self::DeepseekV3 => "deepseek_v3",
            Self::GptOss => "gpt-oss",
            Self::Llama2 => "llama2",
            Self::SmallEnglish => "small_english",
            Self::Unknown => "unknown",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Family;

    #[test]
    fn models_are_known_by_their_names() {
        let families = [
            "qwen2.5:7b",
            "Qwen/Qwen3-Coder-30B-A3B-Instruct",
            "llama3.2",
            "meta-llama/Llama-3.1-8B-Instruct",
            "gemma3:4b",
            "deepseek-r1",
            "deepseek-r1:7b",
            "DeepSeek-R1-Distill-Llama-8B",
            "deepseek-v3.1:671b",
            "gpt-oss:20b",
            "codellama:13b",
            "mistral:7b",
            "smollm2:135m",
            "granite3.3",
            "nemotron",
        ]
        .map(|name| (name, Family::from_model_name(name)));
        assert_eq!(
            families,
            [
                ("qwen2.5:7b", Family::Qwen25),
                ("Qwen/Qwen3-Coder-30B-A3B-Instruct", Family::Qwen25),
                ("llama3.2", Family::Llama31),
                ("meta-llama/Llama-3.1-8B-Instruct", Family::Llama31),
                ("gemma3:4b", Family::Gemma3),
                ("deepseek-r1", Family::DeepseekV3),
                ("deepseek-r1:7b", Family::Qwen25),
                ("DeepSeek-R1-Distill-Llama-8B", Family::Llama31),
                ("deepseek-v3.1:671b", Family::DeepseekV3),
                ("gpt-oss:20b", Family::GptOss),
                ("codellama:13b", Family::Llama2),
                ("mistral:7b", Family::Llama2),
                ("smollm2:135m", Family::SmallEnglish),
                ("granite3.3", Family::SmallEnglish),
                ("nemotron", Family::Unknown),
            ]
        );
    }
}
