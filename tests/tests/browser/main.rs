//! The built page in a real Chromium, over HTTP, against the test server.
//!
//! `cargo xtask test browser` builds the page and names its folder in `BRIMLINE_DIST`. Every test takes screenshots into
//! `screenshots/`, which git ignores: look at them.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "in a test, a panic is the report")]

mod asking;
mod bad_folders;
mod bad_servers;
mod check;
mod first_run;
mod folder_fixture;
mod harness;
mod overflow;
mod questions;
mod reaching;
