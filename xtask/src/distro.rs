//! The way out where rustup can't download the wasm target: a toolchain made of Debian's packages.
//!
//! Debian's `rustc-web` can build for wasm but has no standard library for it. So a folder is laid out that
//! looks like a toolchain (wrappers of Debian's programs, links to its libraries), the standard library is built
//! into it once from `rust-web-src`, rustup is told its name, and this checkout gets an override, so that a plain
//! `trunk serve` finds it too.
//!
//! ```text
//! <cache>/brimline/distro-toolchain/
//!   bin/{rustc,rustdoc}     wrappers which say --sysroot
//!   bin/cargo               Debian's
//!   lib/rustlib/<host>/     its libraries, and rust-lld
//!   lib/rustlib/wasm32-unknown-unknown/lib/   what is built here
//!   std/                    the package that is built for the sake of std
//!   stamp                   `rustc -vV` of the compiler that std was built with
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::debian;
use crate::process::{child, output, run};
use crate::toolchain::{Toolchain, WASM_TARGET};

const NAME: &str = "brimline-distro";

/// All of one version, which is new enough for the project; the plain `rustc` of Debian is not.
const PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-22"];
const LLD: &str = "/usr/lib/llvm-22/bin/lld";

/// Whether `toolchain`, in rustup's words, is the one made here.
pub(crate) fn is_named(toolchain: &str) -> bool {
    toolchain == NAME || Path::new(toolchain) == folder().unwrap_or_default()
}

/// The toolchain as an earlier run left it, if it is whole, of the compiler that is installed now, and what
/// `root` is built with.
pub(crate) fn ready(root: &Path) -> Option<Toolchain> {
    let version = output(child("/usr/bin/rustc").arg("-vV")).ok()?;
    let active = output(child("rustup").args(["show", "active-toolchain"]).current_dir(root)).ok()?;
    let toolchain = Toolchain::named(NAME);
    let is_ready = active.split_whitespace().next().is_some_and(is_named)
        && fs::read_to_string(folder().ok()?.join("stamp")).is_ok_and(|stamp| stamp == version)
        && toolchain.has_wasm_target();
    is_ready.then_some(toolchain)
}

/// Installs Debian's packages, builds the toolchain unless it is there, and makes it the one of `root`.
pub(crate) fn bring(root: &Path) -> anyhow::Result<Toolchain> {
    debian::install(&PACKAGES)?;
    let folder = folder()?;
    let version = output(child("/usr/bin/rustc").arg("-vV"))?;
    let stamp = folder.join("stamp");
    let is_built = fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == version);
    if !is_built {
        lay_out(&folder, &version)?;
        build_std(&folder)?;
        forget_old_builds(root)?;
        fs::write(&stamp, &version)?;
    }
    run("Debian's toolchain for rustup", child("rustup").args(["toolchain", "link", NAME]).arg(&folder))?;
    let mut choose = child("rustup");
    run("the toolchain of this checkout", choose.args(["override", "set", NAME, "--path"]).arg(root))?;
    Ok(Toolchain::named(NAME))
}

/// Gives `root` back to the toolchain it had before, once that one can build for wasm.
pub(crate) fn leave(root: &Path) -> anyhow::Result<()> {
    let active = output(child("rustup").args(["show", "active-toolchain"]).current_dir(root));
    if active.is_ok_and(|active| active.split_whitespace().next().is_some_and(is_named)) {
        run("rustup's toolchain again", child("rustup").args(["override", "unset", "--path"]).arg(root))?;
    }
    Ok(())
}

/// Beside the person's other caches and not in `target/`: every checkout uses it, and `cargo clean` leaves it.
fn folder() -> anyhow::Result<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|cache| !cache.is_empty()).map(PathBuf::from);
    let home = || std::env::home_dir().map(|home| home.join(".cache"));
    let cache = cache.or_else(home).context("there is no home folder to keep a toolchain in")?;
    Ok(cache.join("brimline").join("distro-toolchain"))
}

fn lay_out(folder: &Path, version: &str) -> anyhow::Result<()> {
    let host = host(version).context("Debian's rustc doesn't say what it runs on")?;
    // From nothing: a folder that was half built, or built by another compiler, has nothing worth keeping.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let bin = folder.join("bin");
    let rustlib = folder.join("lib/rustlib");
    let host_folder = rustlib.join(host);
    fs::create_dir_all(&bin)?;
    fs::create_dir_all(host_folder.join("bin"))?;
    for program in ["rustc", "rustdoc"] {
        let wrapper = bin.join(program);
        fs::write(
            &wrapper,
            format!("#!/bin/sh\nexec /usr/bin/{program} --sysroot '{}' \"$@\"\n", folder.display()),
        )?;
        output(child("chmod").arg("755").arg(&wrapper))?;
    }
    link("/usr/bin/cargo", &bin.join("cargo"))?;
    link(&format!("/usr/lib/rustlib/{host}/lib"), &host_folder.join("lib"))?;
    link(LLD, &host_folder.join("bin/rust-lld"))?;
    link("/usr/lib/rustlib/src", &rustlib.join("src"))
}

/// `ln` rather than std's symlink, which has another name on each system: this file then compiles on all.
fn link(from: &str, to: &Path) -> anyhow::Result<()> {
    output(child("ln").args(["-s", from]).arg(to)).map(drop)
}

fn build_std(folder: &Path) -> anyhow::Result<()> {
    let package = folder.join("std");
    fs::create_dir_all(package.join("src"))?;
    fs::write(package.join("src/lib.rs"), "")?;
    fs::write(package.join("Cargo.toml"), "[package]\nname = \"only-for-std\"\nedition = \"2024\"\n")?;

    let target = package.join("target");
    let mut build = child("/usr/bin/cargo");
    build.args([
        "build",
        "--release",
        "-Z",
        "build-std=std,panic_abort,panic_unwind,test",
        "--target",
        WASM_TARGET,
    ]);
    build.arg("--target-dir").arg(&target).current_dir(&package);
    build.env("RUSTC", folder.join("bin/rustc")).env("RUSTC_BOOTSTRAP", "1");
    // Without bitcode in it, a build with LTO fails at its very end.
    build.env("RUSTFLAGS", "-C embed-bitcode=yes").env_remove("CARGO_ENCODED_RUSTFLAGS");
    run("the standard library for wasm", &mut build)?;

    let libraries = folder.join("lib/rustlib").join(WASM_TARGET).join("lib");
    fs::create_dir_all(&libraries)?;
    for entry in fs::read_dir(target.join(WASM_TARGET).join("release/deps"))? {
        let file = entry?;
        if file.path().extension().is_some_and(|extension| extension == "rlib") {
            fs::copy(file.path(), libraries.join(file.file_name()))?;
        }
    }
    fs::remove_dir_all(&target)?;
    Ok(())
}

/// Cargo doesn't notice that the standard library is another one, and fails with E0463.
fn forget_old_builds(root: &Path) -> anyhow::Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let old = target.join(WASM_TARGET);
    if old.exists() {
        fs::remove_dir_all(&old).with_context(|| format!("{} can't be deleted", old.display()))?;
    }
    Ok(())
}

/// The host in the text of `rustc -vV`.
fn host(version: &str) -> Option<&str> {
    version.lines().find_map(|line| line.strip_prefix("host: "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rustc_says_what_it_runs_on() {
        let version = "rustc 1.96.0 (ac68faa20 2026-05-25)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\n";
        assert_eq!(host(version), Some("x86_64-unknown-linux-gnu"));
        assert_eq!(host("rustc 1.96.0"), None);
    }

    #[test]
    fn our_toolchain_is_known_by_its_name_and_by_its_folder() {
        assert!(is_named("brimline-distro"));
        assert!(is_named(folder().unwrap().to_str().unwrap()));
        assert!(!is_named("stable-x86_64-unknown-linux-gnu"));
        assert!(!is_named(""));
    }
}
