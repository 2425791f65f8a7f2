//! The page of Brimline: it drives the core with what a browser has, and draws what the core decides.
//!
//! `platform` is what only a browser has, `state` joins it to the core's driver, `components` draw.

pub mod app;
pub mod components;
#[cfg(debug_assertions)]
pub mod gallery;
pub mod i18n;
pub mod language;
pub mod numbers;
pub mod platform;
pub mod state;
pub mod theme;
