//! The stages of the test: what each one is called, needs and runs.
//!
//! [`Stage::Native`] is `cargo test` of everything, the page's plain Rust too; the tests in the browser are a target
//! that cargo only runs when it is named, so that a plain `cargo test` passes without Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page;
use crate::toolchain::{Toolchain, WASM_TARGET};

/// In the order in which they run: what fails fast comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Fmt,
    Clippy,
    Native,
    Score,
    Wasm,
    Page,
    Browser,
}

/// What must be on the machine before a stage can run, in the order in which it is brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Rustfmt,
    Clippy,
    WasmTarget,
    WasmBindgen,
    Trunk,
    Browser,
}

/// What the stages run with, once all they need is there.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) root: PathBuf,
    pub(crate) host: Toolchain,
    /// The host toolchain too, unless the wasm target had to come from elsewhere.
    pub(crate) wasm: Toolchain,
    /// `None` where no stage needs a browser.
    pub(crate) chromedriver: Option<PathBuf>,
}

impl Stage {
    pub(crate) const ALL: [Self; 7] =
        [Self::Fmt, Self::Clippy, Self::Native, Self::Score, Self::Wasm, Self::Page, Self::Browser];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Native => "native",
            Self::Score => "score",
            Self::Wasm => "wasm",
            Self::Page => "page",
            Self::Browser => "browser",
        }
    }

    pub(crate) fn needs(self) -> &'static [Need] {
        match self {
            Self::Fmt => &[Need::Rustfmt],
            Self::Clippy => &[Need::Clippy, Need::WasmTarget],
            Self::Native | Self::Score => &[],
            Self::Wasm => &[Need::WasmTarget, Need::WasmBindgen, Need::Browser],
            Self::Page => &[Need::WasmTarget, Need::WasmBindgen, Need::Trunk],
            Self::Browser => &[Need::Browser],
        }
    }

    /// The commands of the stage: all of them must succeed.
    pub(crate) fn commands(self, bench: &Bench) -> Vec<Command> {
        let Bench { root, host, wasm, chromedriver } = bench;
        let mut commands = match self {
            Self::Fmt => vec![host.cargo(["fmt", "--all", "--check"])],
            Self::Clippy => clippy(host, wasm),
            Self::Native => vec![host.cargo(["test", "--workspace"])],
            Self::Score => vec![score(host), losses(host)],
            Self::Wasm => vec![wasm_tests(wasm)],
            Self::Page => vec![build_page(root, wasm)],
            Self::Browser => vec![browser_tests(root, host)],
        };
        for command in &mut commands {
            command.current_dir(root).envs(chromedriver.iter().map(|path| ("CHROMEDRIVER", path)));
        }
        commands
    }
}

fn clippy(host: &Toolchain, wasm: &Toolchain) -> Vec<Command> {
    let with_errors = |mut command: Command| {
        command.args(["--", "-D", "warnings"]);
        command
    };
    let native = host.cargo(["clippy", "--workspace", "--exclude", "brimline-web", "--all-targets"]);
    // To cargo, "all targets" are those that it tests without being told to.
    let browser = host.cargo(["clippy", "--package", "brimline-tests", "--test", "browser"]);
    let mut commands = vec![with_errors(native), with_errors(browser)];
    if host == wasm {
        let web = ["clippy", "--package", "brimline-web", "--all-targets", "--target", WASM_TARGET];
        commands.push(with_errors(host.cargo(web)));
    } else {
        eprintln!(
            "    clippy leaves out the page: Debian's Rust, which builds it on this machine, has no clippy"
        );
    }
    commands
}

/// Estimator and detector must do at least as well as measure/scores.json says.
fn score(host: &Toolchain) -> Command {
    host.cargo([
        "run",
        "--profile",
        "measure",
        "--package",
        "brimline-measure",
        "--bin",
        "score",
        "--",
        "--check",
    ])
}

/// No request may get lost unseen, at any face.
fn losses(host: &Toolchain) -> Command {
    host.cargo([
        "run",
        "--profile",
        "measure",
        "--package",
        "brimline-tests",
        "--bin",
        "losses",
        "--",
        "--check",
    ])
}

fn wasm_tests(wasm: &Toolchain) -> Command {
    let mut command = wasm.cargo(["test", "--package", "brimline-web", "--target", WASM_TARGET]);
    // In seconds. The runner's own limits, 20 and 5, are short for a machine that builds something beside.
    command.env("WASM_BINDGEN_TEST_TIMEOUT", "120").env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "30");
    command
}

fn build_page(root: &Path, wasm: &Toolchain) -> Command {
    let mut command = page::trunk(root, wasm, ["build", "--release", "--dist"]);
    command.arg(page::tested_dist(root));
    command
}

fn browser_tests(root: &Path, host: &Toolchain) -> Command {
    let mut command = host.cargo(["test", "--package", "brimline-tests", "--test", "browser"]);
    command.env("BRIMLINE_DIST", page::tested_dist(root));
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::line;

    fn lines(wasm: &str) -> String {
        let bench = Bench {
            root: PathBuf::from("/brimline"),
            host: Toolchain::named("stable"),
            wasm: Toolchain::named(wasm),
            chromedriver: None,
        };
        let commands = Stage::ALL.into_iter().flat_map(|stage| stage.commands(&bench));
        commands.map(|command| line(&command) + "\n").collect()
    }

    #[test]
    fn the_stages_check_everything_once() {
        let expected = "\
cargo fmt --all --check
cargo clippy --workspace --exclude brimline-web --all-targets -- -D warnings
cargo clippy --package brimline-tests --test browser -- -D warnings
cargo clippy --package brimline-web --all-targets --target wasm32-unknown-unknown -- -D warnings
cargo test --workspace
cargo run --profile measure --package brimline-measure --bin score -- --check
cargo run --profile measure --package brimline-tests --bin losses -- --check
cargo test --package brimline-web --target wasm32-unknown-unknown
trunk build --release --dist /brimline/target/tested-page
cargo test --package brimline-tests --test browser
";
        assert_eq!(lines("stable"), expected);
    }

    #[test]
    fn clippy_leaves_the_page_out_where_it_has_no_wasm_target() {
        let page = "cargo clippy --package brimline-web --all-targets --target wasm32-unknown-unknown -- -D warnings\n";
        assert_eq!(lines("brimline-distro"), lines("stable").replace(page, ""));
    }
}
