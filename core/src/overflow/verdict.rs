//! What the detector concludes about one call, and from what.

use super::evidence::Evidence;
use serde::{Deserialize, Serialize};

/// What became of what we sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// The server read all of it.
    Fits,
    /// A loss could hide in the count, and nothing settled the doubt.
    Suspect,
    /// The server dropped a part before the model read it.
    Truncated,
    /// The server dropped the oldest tokens while the model wrote.
    Shifted,
    /// The server refused, honestly.
    Refused,
    /// The server reports too little to tell. Never to be shown as safe.
    Unverified,
}

/// The verdict on one call, with what speaks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The conclusion.
    pub verdict: Verdict,
    /// What was seen, strongest first.
    pub evidence: Vec<Evidence>,
    /// What the evidence so far says about the server's real window.
    pub window: Option<WindowRange>,
}

/// The server's real window as far as the counts show it, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowRange {
    /// It holds at least this many.
    pub at_least: u32,
    /// It holds at most this many, where anything shows that.
    pub at_most: Option<u32>,
}
