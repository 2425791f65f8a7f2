//! What a command needs before it can start, and how to get it: asked for first, brought only if missing.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::process::{output, run};
use crate::toolchain::{Toolchain, WASM_TARGET};
use crate::{debian, distro, version};

/// The last one that installs with the Rust of the project; 0.22 doesn't.
const TRUNK: &str = "0.21.14";

/// Brings the wasm target and says which toolchain has it.
pub(crate) fn wasm_target(root: &Path, host: &Toolchain) -> anyhow::Result<Toolchain> {
    if host.has_wasm_target() {
        distro::leave(root)?;
        return Ok(host.clone());
    }
    if let Some(toolchain) = distro::ready(root) {
        return Ok(toolchain);
    }
    let Some(name) = host.name() else {
        anyhow::bail!("this Rust can't build for {WASM_TARGET}: install rustup (https://rustup.rs)");
    };
    let mut add = host.command("rustup");
    let Err(error) = run("the wasm target", add.args(["target", "add", WASM_TARGET, "--toolchain", name]))
    else {
        distro::leave(root)?;
        return Ok(host.clone());
    };
    if !debian::is_this_machine() {
        let by_hand = format!("run `rustup target add {WASM_TARGET}` where its server can be reached");
        return Err(error.context(by_hand));
    }
    eprintln!("    {error:#}; making do with Debian's own Rust");
    distro::bring(root)
        .with_context(|| format!("there is no {WASM_TARGET}, neither from rustup nor from Debian"))
}

/// Brings one of rustup's components, found by the command it adds to cargo.
pub(crate) fn component(host: &Toolchain, name: &str, subcommand: &str) -> anyhow::Result<()> {
    if output(&mut host.cargo([subcommand, "--version"])).is_ok() {
        return Ok(());
    }
    let mut add = host.command("rustup");
    add.args(["component", "add", name]);
    run(name, &mut add)
        .with_context(|| format!("`cargo {subcommand}` is missing: install {name} with rustup"))
}

pub(crate) fn trunk(host: &Toolchain) -> anyhow::Result<()> {
    tool(host, "trunk", TRUNK, "trunk")
}

/// Brings the `wasm-bindgen` command, and the runner of wasm tests that comes with it, in the locked version.
pub(crate) fn wasm_bindgen(root: &Path, host: &Toolchain) -> anyhow::Result<()> {
    let lock = fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock can't be read")?;
    let wanted = version::locked(&lock, "wasm-bindgen")?;
    tool(host, "wasm-bindgen", &wanted, "wasm-bindgen-cli")?;
    tool(host, "wasm-bindgen-test-runner", &wanted, "wasm-bindgen-cli")
}

fn tool(host: &Toolchain, program: &str, wanted: &str, package: &str) -> anyhow::Result<()> {
    if installed(host, program).as_deref() == Some(wanted) {
        return Ok(());
    }
    let package = format!("{package}@{wanted}");
    // --force, since a program of that name may be there that cargo didn't install.
    let mut install = host.cargo(["install", "--locked", "--force", &package]);
    run(&format!("{program} {wanted} (takes minutes, once)"), &mut install).with_context(|| {
        format!("{program} {wanted} is missing: `cargo install --locked {package}` needs crates.io")
    })?;
    let found = installed(host, program);
    anyhow::ensure!(
        found.as_deref() == Some(wanted),
        "{program} {wanted} was installed, but the PATH leads to {}: put cargo's bin folder first",
        found.map_or_else(|| "none".to_owned(), |found| format!("version {found}")),
    );
    Ok(())
}

fn installed(host: &Toolchain, program: &str) -> Option<String> {
    let printed = output(host.command(program).arg("--version")).ok()?;
    version::printed(&printed).map(str::to_owned)
}

/// Brings Chromium and its driver, and says where the driver is.
pub(crate) fn browser() -> anyhow::Result<PathBuf> {
    if debian::is_this_machine() {
        if chromedriver().is_none() || chromium().is_none() {
            debian::install(&["chromium", "chromium-driver"])?;
        }
        // Without them screenshots show boxes, and no test is the worse for it.
        if let Err(error) = debian::install(&["fonts-liberation", "fonts-noto-color-emoji"]) {
            eprintln!("    screenshots may show boxes for letters: {error:#}");
        }
    }
    let what_to_do =
        "install Chromium or Chrome and the chromedriver of the same version, and put both on the PATH";
    anyhow::ensure!(chromium().is_some(), "the tests need a browser: {what_to_do}");
    chromedriver().with_context(|| format!("the tests need chromedriver: {what_to_do}"))
}

fn chromedriver() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMEDRIVER").map(PathBuf::from).filter(|path| path.is_file());
    named.or_else(|| which::which("chromedriver").ok())
}

fn chromium() -> Option<PathBuf> {
    let on_the_path = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    // Where it is an application and not a command, chromedriver knows its place by itself.
    let elsewhere = [
        "/Applications/Google Chrome.app",
        "/Applications/Chromium.app",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ];
    let command = on_the_path.into_iter().find_map(|name| which::which(name).ok());
    command.or_else(|| elsewhere.into_iter().map(PathBuf::from).find(|path| path.exists()))
}
