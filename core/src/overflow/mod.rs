//! Knowing that it did not fit: what a server's count says about what it kept.

mod verdict;

pub use verdict::{Evidence, Judgement, Verdict, WindowRange};
