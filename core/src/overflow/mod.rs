//! Knowing that it did not fit: what a server's count says about what it kept.

mod detector;
mod evidence;
mod sent;
mod verdict;

pub use crate::tokens::Prediction;
pub use detector::{CannotConfirm, Confirming, Detector, DetectorSettings};
pub use evidence::Evidence;
pub use sent::{Sent, SentMessage};
pub use verdict::{Judgement, Verdict, WindowRange};
