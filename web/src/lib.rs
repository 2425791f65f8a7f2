//! The page of Brimline.

pub mod components;
#[cfg(debug_assertions)]
pub mod gallery;
pub mod i18n;
pub mod language;
pub mod numbers;
pub mod theme;
