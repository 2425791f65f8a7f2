//! Building the page: trunk, kept from the network and from the environment it stumbles over.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::toolchain::Toolchain;

/// Where the page for the tests is built: not in `dist/`, which a `trunk serve` may be writing at that time.
pub(crate) fn tested_dist(root: &Path) -> PathBuf {
    root.join("target").join("tested-page")
}

/// `trunk` in the root of the project, with the toolchain that can build for wasm.
pub(crate) fn trunk<const N: usize>(root: &Path, wasm: &Toolchain, args: [&str; N]) -> Command {
    let mut command = wasm.command("trunk");
    command.args(args).current_dir(root);
    if let Some(no_color) = std::env::var_os("NO_COLOR") {
        // By its own rule any value but the empty one means no colours; trunk takes `true` and `false` alone.
        command.env("NO_COLOR", if no_color.is_empty() { "false" } else { "true" });
    }
    command
}
