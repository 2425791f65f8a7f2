//! Child processes: what they inherit, what is said about them, and how long they took.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

/// A child that starts as if it weren't started from inside `cargo run`.
///
/// Cargo and rustup tell their children which toolchain and package they run for. A cargo below us must not
/// believe that: an override set in this very run would be ignored, and Debian's rustc would load libraries of
/// rustup's toolchain.
pub(crate) fn child(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_for_us_alone) {
            command.env_remove(name);
        }
    }
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        let kept = library_paths(std::env::split_paths(&paths), &toolchain_folders());
        match std::env::join_paths(kept) {
            Ok(kept) if !kept.is_empty() => command.env("LD_LIBRARY_PATH", kept),
            Ok(_) | Err(_) => command.env_remove("LD_LIBRARY_PATH"),
        };
    }
    command
}

fn is_for_us_alone(variable: &str) -> bool {
    matches!(
        variable,
        "CARGO" | "CARGO_MANIFEST_DIR" | "CARGO_MANIFEST_PATH" | "RUST_RECURSION_COUNT" | "RUSTUP_TOOLCHAIN"
    ) || variable == "RUSTUP_TOOLCHAIN_SOURCE"
        || variable.starts_with("CARGO_PKG_")
}

/// The folders whose libraries cargo and rustup put before everyone else's.
fn toolchain_folders() -> Vec<PathBuf> {
    let executable = std::env::current_exe().ok();
    let built = executable.as_deref().and_then(Path::parent).map(Path::to_owned);
    std::env::var_os("RUSTUP_HOME").map(PathBuf::from).into_iter().chain(built).collect()
}

fn library_paths(paths: impl Iterator<Item = PathBuf>, dropped: &[PathBuf]) -> Vec<PathBuf> {
    paths.filter(|path| !dropped.iter().any(|folder| path.starts_with(folder))).collect()
}

/// Says what is done and with which command, runs it with its output in plain sight, and says how long it took.
///
/// Fails where the command can't be started or ends with anything but success.
pub(crate) fn run(what: &str, command: &mut Command) -> anyhow::Result<()> {
    let line = line(command);
    eprintln!("==> {what}: {line}");
    let start = Instant::now();
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    anyhow::ensure!(status.success(), "`{line}` failed ({status})");
    eprintln!("    {what} took {}", seconds(start.elapsed()));
    Ok(())
}

/// What the command prints on its standard output, as long as it succeeds; its errors are not shown.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let line = line(command);
    let output = command.output().with_context(|| format!("`{line}` could not be started"))?;
    anyhow::ensure!(output.status.success(), "`{line}` failed ({})", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The command as a person would type it, short of quoting.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A duration for people: `3.4 s`, `2 min 05 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_says_to_its_children_stays_here() {
        for variable in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "RUSTUP_TOOLCHAIN"] {
            assert!(is_for_us_alone(variable), "{variable}");
        }
    }

    #[test]
    fn what_the_person_set_is_passed_on() {
        for variable in
            ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_NET_OFFLINE", "RUSTUP_HOME", "RUSTFLAGS", "PATH"]
        {
            assert!(!is_for_us_alone(variable), "{variable}");
        }
    }

    #[test]
    fn only_the_toolchains_libraries_are_dropped() {
        let paths = ["/rustup/toolchains/stable/lib", "/opt/lib", "/target/debug/deps"].map(PathBuf::from);
        let dropped = ["/rustup", "/target/debug"].map(PathBuf::from);
        assert_eq!(library_paths(paths.into_iter(), &dropped), [PathBuf::from("/opt/lib")]);
    }

    #[test]
    fn a_command_is_shown_as_typed() {
        assert_eq!(line(Command::new("cargo").args(["fmt", "--all"])), "cargo fmt --all");
    }

    #[test]
    fn durations_are_for_people() {
        assert_eq!(seconds(Duration::from_millis(340)), "0.3 s");
        assert_eq!(seconds(Duration::from_millis(59_940)), "59.9 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = output(child("false").arg("really")).unwrap_err();
        assert!(error.to_string().starts_with("`false really` failed (exit"), "{error}");
    }
}
