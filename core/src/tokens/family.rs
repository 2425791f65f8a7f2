//! Which tokenizer a model has, by its name.

use serde::{Deserialize, Serialize};

/// A family of tokenizers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Family {
    /// Not one that we know.
    Unknown,
}

impl Family {
    /// The family of a model, by its name as servers give it (`qwen2.5:7b`).
    pub fn from_model_name(_name: &str) -> Self {
        Self::Unknown
    }
}
