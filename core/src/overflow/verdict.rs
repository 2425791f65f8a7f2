//! What the detector concludes about one call, and from what.

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

/// One thing that was seen. All counts are tokens; `expected` and `spread` are estimates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Evidence {
    /// The count grew by less than a tenth of what was added (the baseline rule).
    GrowthStalled {
        /// What the count grew by.
        reported: i64,
        /// What was added, by our estimate.
        expected: f64,
    },
    /// The count of a first request is under a tenth of the estimate (the baseline rule).
    FarBelowEstimate {
        /// The count.
        reported: u32,
        /// Our estimate.
        expected: f64,
    },
    /// The server gave no count, or zero.
    NoCount,
}
