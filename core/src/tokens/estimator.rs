//! The estimate itself.

use super::family::Family;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// What a text is made of. Counted once, kept with the message; those of two texts add up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    characters: u64,
}

/// Weighs [`Features`] into tokens.
#[derive(Debug, Clone, Copy)]
pub struct Estimator;

impl Features {
    /// Looks at a text.
    pub fn of(text: &str) -> Self {
        Self { characters: text.chars().count() as u64 }
    }
}

impl AddAssign for Features {
    fn add_assign(&mut self, other: Self) {
        *self += &other;
    }
}

impl AddAssign<&Self> for Features {
    fn add_assign(&mut self, other: &Self) {
        self.characters += other.characters;
    }
}

impl Estimator {
    /// The estimator for one family of tokenizers.
    pub fn for_family(_family: Family) -> Self {
        Self
    }

    /// Estimated tokens: four characters each, the rule of thumb that the baseline uses.
    pub fn tokens(&self, features: &Features) -> f64 {
        features.characters as f64 / 4.0
    }

    /// Tokens that the text has at the very least, whatever the tokenizer.
    pub fn floor(&self, features: &Features) -> f64 {
        features.characters as f64 / 250.0
    }
}
