//! How much fits: the window that we believe, where that belief comes from, and how it is shared out.
//!
//! ```
//! use brimline_core::window::Budget;
//!
//! let budget = Budget::new(4_096, 8_192, 0.25);
//! assert_eq!((budget.reserve, budget.available), (1_024, 3_072));
//! ```

mod belief;
mod budget;

pub use belief::{ASSUMED_WINDOW, Window, WindowBelief, WindowConflict, WindowSource};
pub use budget::Budget;
