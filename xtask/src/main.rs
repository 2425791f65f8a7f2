//! The project's own commands, so that a fresh machine with rustup's Rust needs nothing else.
//!
//! ```text
//! cargo xtask serve              builds the page in release and serves it on 127.0.0.1
//! cargo xtask test               every check of the project
//! cargo xtask test clippy wasm   only these stages
//! ```
//!
//! Both commands first bring what is missing, and say what they bring. What they can't bring ends them with
//! one line that says what to install.

mod cli;
mod debian;
mod distro;
mod page;
mod process;
mod program;
mod provision;
mod serve;
mod stage;
mod test;
mod toolchain;
mod version;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::cli::Command;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    // The manifest's folder is `<root>/xtask`, so that the commands work from any folder of the checkout.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the project has no folder")?;
    match cli::parse(std::env::args_os())? {
        Command::Help => {
            println!("{}", cli::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Command::Serve { port } => serve::serve(root, port),
        Command::Test { stages } => test::test(root, &stages),
        Command::Run { program, args } => program.run(root, &args),
    }
}
