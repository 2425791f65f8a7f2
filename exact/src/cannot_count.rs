//! Why a vocabulary can't be used.

use thiserror::Error;

/// Why a vocabulary can't be used, in a sentence for people. Nothing is broken then: sizes stay estimates.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CannotCount {
    /// The server's answer is not the description of a model.
    #[error("The server's description of the model can't be read: {0}.")]
    Unreadable(String),
    /// The vocabulary is of a kind that merges nothing: `t5` (unigram), `bert` (word pieces), `rwkv` …
    #[error("The model's vocabulary is of the kind {0:?}, which we can't count with.")]
    Kind(String),
    /// It says nothing of how a text is split before merging, or names a way that we don't know.
    #[error("The model's vocabulary splits a text in the way {0:?}, which we don't know.")]
    Splitting(String),
    /// A part of the vocabulary is missing, or of another length than the tokens.
    #[error("The server did not hand out the vocabulary's {0}.")]
    Missing(&'static str),
    /// The parts don't fit together.
    #[error("The model's vocabulary doesn't hold together: {0}.")]
    Inconsistent(String),
}
