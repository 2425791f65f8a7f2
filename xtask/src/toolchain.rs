//! Which Rust runs a command.
//!
//! Two may differ: the *host* toolchain (rustup's own, with clippy and rustfmt) builds and checks what runs
//! here, and the *wasm* toolchain builds the page. They are one and the same wherever rustup can download the
//! wasm target.

use std::path::PathBuf;
use std::process::Command;

use crate::distro;
use crate::process::{child, output};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// A toolchain by rustup's name; `None` is whatever `cargo` is on the PATH of a machine without rustup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toolchain(Option<String>);

impl Toolchain {
    pub(crate) fn named(name: &str) -> Self {
        Self(Some(name.to_owned()))
    }

    /// The one that the person works with: `cargo +NAME`, an override, or the default, but never our own
    /// fallback, which has neither clippy nor rustfmt.
    pub(crate) fn host() -> Self {
        let active = std::env::var("RUSTUP_TOOLCHAIN").ok();
        let default = || output(child("rustup").arg("default")).ok();
        Self(match active {
            Some(active) if !distro::is_named(&active) => Some(active),
            Some(_) | None => default().as_deref().and_then(first_word),
        })
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// A child that rustup gives this toolchain to, whatever override the checkout has.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = child(program);
        if let Some(name) = &self.0 {
            command.env("RUSTUP_TOOLCHAIN", name);
        }
        command
    }

    pub(crate) fn cargo<const N: usize>(&self, args: [&str; N]) -> Command {
        let mut command = self.command("cargo");
        command.args(args);
        command
    }

    /// Whether it can build for the browser. Asked of the compiler and not of rustup, which knows nothing of a
    /// distribution's toolchains.
    pub(crate) fn has_wasm_target(&self) -> bool {
        let args = ["--print", "target-libdir", "--target", WASM_TARGET];
        let Ok(folder) = output(self.command("rustc").args(args)) else { return false };
        let Ok(entries) = PathBuf::from(folder.trim()).read_dir() else { return false };
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    }
}

/// The name in rustup's `stable-x86_64-unknown-linux-gnu (default)`.
fn first_word(text: &str) -> Option<String> {
    text.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rustup_names_its_default_first() {
        assert_eq!(first_word("stable-x86_64 (default)\n"), Some("stable-x86_64".to_owned()));
        assert_eq!(first_word(""), None);
    }

    #[test]
    fn a_child_gets_the_toolchain_by_name() {
        let command = Toolchain::named("stable").cargo(["build"]);
        let variable = command.get_envs().find(|(name, _)| *name == "RUSTUP_TOOLCHAIN");
        assert_eq!(variable, Some(("RUSTUP_TOOLCHAIN".as_ref(), Some("stable".as_ref()))));
    }
}
