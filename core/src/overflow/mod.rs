//! Knowing that it did not fit: what a server's count says about what it kept.

mod baseline;
mod confirming;
mod detector;
mod edge;
mod evidence;
mod exact;
mod hypotheses;
mod read_back;
mod sent;
mod sizes;
mod verdict;
mod window_prior;

pub use crate::tokens::Prediction;
pub use baseline::{Counted, baseline, half_of_estimate};
pub use confirming::{CannotConfirm, Confirming, ConfirmingWay};
pub use detector::{Detector, DetectorSettings};
pub use evidence::Evidence;
pub use read_back::{Fate, read_back};
pub use sent::{Sent, SentMessage};
pub use verdict::{Judgement, Verdict, WindowRange};

#[cfg(test)]
mod tests;
