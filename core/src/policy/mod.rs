//! Making it fit: trim, clear, compact, cheap to dear.
//!
//! The [`ContextPolicy`] holds every number. [`trim`] shortens one tool result when it is produced, [`clearable`] names
//! the old results that a note can stand for, [`summary_messages`] and [`summary_parts`] ask for a summary. When each of
//! them is due is the run's business.
//!
//! ```
//! use brimline_core::policy::trim;
//!
//! let lines: String = (1..=100).map(|n| format!("line {n}\n")).collect();
//! let trimmed = trim(&lines, 100.0, |text| text.len() as f64 / 4.0).unwrap();
//! assert!(trimmed.text.starts_with("line 1\n"));
//! assert!(trimmed.text.ends_with("line 100\n"));
//! ```

mod clear;
mod compact;
mod context_policy;
mod repeat;
mod trim;

pub use clear::clearable;
pub use compact::{SummaryPart, part_messages, replaceable, summary_messages, summary_parts};
pub use context_policy::ContextPolicy;
pub use repeat::repeat_request;
pub use trim::{Trimmed, trim};
