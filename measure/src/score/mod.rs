//! The score: how well the estimator counts and the detector detects, next to simpler rules, on data that neither was
//! fitted to.

pub mod figures;
pub mod random;
pub mod replay;
pub mod run;
pub mod server;
pub mod texts;
pub mod tokenizer;
