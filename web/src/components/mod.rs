//! What the page is drawn with.

pub mod picture;
pub mod verdict;
