//! Counts tokens exactly, with the vocabulary of the model itself: as Ollama hands it out, or from a `tokenizer.json`.
//!
//! It is a crate of its own since it is large and seldom needed: the page loads it only when it is to count exactly.
//!
//! ```no_run
//! # fn main() -> Result<(), brimline_exact::CannotCount> {
//! # let body = [];
//! let counter = brimline_exact::Counter::from_ollama(&body)?;
//! let tokens = counter.prompt("<|im_start|>user\nHello<|im_end|>\n");
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod cannot_count;
mod counter;
mod ollama;
mod sentence_piece;
mod splitting;

pub use cannot_count::CannotCount;
pub use counter::Counter;
