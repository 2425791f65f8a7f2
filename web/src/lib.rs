//! The page of Brimline.

pub mod i18n;
