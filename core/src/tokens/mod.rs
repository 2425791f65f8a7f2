//! How big it is: an estimate of a text's tokens that needs no vocabulary.
//!
//! ```
//! use brimline_core::tokens::{Estimator, Family, Features};
//!
//! let estimator = Estimator::for_family(Family::Unknown);
//! assert!(estimator.tokens(&Features::of("fn main() {}")) > 0.0);
//! ```

mod estimator;
mod family;

pub use estimator::{Estimator, Features};
pub use family::Family;
