//! How big it is: an estimate of a text's tokens that needs no vocabulary.
//!
//! ```
//! use brimline_core::tokens::{Calibration, CountedPrompt, Estimator, Family, Features};
//!
//! let text = Features::of("fn main() { println!(\"Which file is the longest?\"); }");
//! let estimator = Estimator::for_family(Family::from_model_name("qwen2.5:7b"));
//! assert!(estimator.floor(&text) <= estimator.tokens(&text));
//!
//! // What the server reports about a run calibrates the run's next estimates.
//! let mut calibration = Calibration::new(Family::Qwen25);
//! let mut prompt = CountedPrompt { text, messages: 1, ..CountedPrompt::default() };
//! calibration.trust(&prompt, 24);
//! prompt.text += Features::of("It is src/main.rs, with one line.");
//! prompt.messages = 2;
//! assert!(calibration.predict(&prompt).tokens > 24.0);
//! ```

mod calibration;
mod classes;
mod estimator;
mod family;
mod features;
#[rustfmt::skip]
mod fitted;
pub mod layout;
pub mod rarity;
mod scan;

pub use calibration::{Calibration, CountedPrompt, Prediction};
pub use estimator::Estimator;
pub use family::Family;
pub use features::Features;
