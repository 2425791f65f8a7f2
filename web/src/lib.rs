//! The page of Brimline.

pub mod i18n;
pub mod language;
pub mod numbers;
pub mod theme;
