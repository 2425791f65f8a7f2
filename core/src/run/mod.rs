//! The run: it decides, the driver acts.
//!
//! A [`Run`] takes one request of the user from a [`Session`] to a named ending. `next_step()` says what to do: call the
//! model with this request, run these tools, or nothing more. The driver does it and hands the result back. There is no
//! clock, no network and no async here, and everything is `Serialize`, so the same run can be driven by the page, by a
//! test, one step at a time under a teacher's finger, or again from a saved file.

mod again;
mod answers;
mod compaction;
mod ending;
mod ledger;
mod machine;
mod recovery;
mod session;
mod step;
mod system_prompt;

pub use ending::{Assurance, EndReason, Ending, RunEnd};
pub use machine::Run;
pub use recovery::{Offer, Recovery};
pub use session::{Session, SessionSettings};
pub use step::{Event, OutOfStep, Step};
