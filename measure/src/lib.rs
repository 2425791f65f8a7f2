//! What the estimator and the detector are fitted with and measured by. Nothing of it is in the page.
#![forbid(unsafe_code)]

pub mod exact;
pub mod fit;
pub mod foresight;
pub mod samples;
pub mod score;
pub mod traces;
