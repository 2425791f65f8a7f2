//! How big it is: an estimate of a text's tokens that needs no vocabulary.
//!
//! ```
//! use brimline_core::tokens::{Estimator, Family, Features};
//!
//! let text = Features::of("fn main() { println!(\"Which file is the longest?\"); }");
//! let estimator = Estimator::for_family(Family::from_model_name("qwen2.5:7b"));
//! assert!(estimator.floor(&text) <= estimator.tokens(&text));
//! ```

mod calibration;
mod classes;
mod estimator;
mod family;
mod features;
#[rustfmt::skip]
mod fitted;
mod hypothesis;
pub mod layout;
pub mod rarity;
mod scan;

pub use calibration::{Calibration, Prediction, Shares};
pub use estimator::{CLASSES, Estimator};
pub use family::Family;
pub use features::Features;
