//! How a request becomes bytes, and bytes a reply: pure in both directions.

mod error;
mod reply;

pub use error::ProviderError;
pub use reply::{Finish, Reply, Usage};
