//! Which version of a tool is wanted, and which one is there.
//!
//! The `wasm-bindgen` command must be of the very version that Cargo.lock names, or the page isn't built; so
//! the lock is read, and no second place names that version.

use anyhow::Context as _;

/// The version of the package `name` in the text of a Cargo.lock.
///
/// Fails where the lock doesn't have the package exactly once: the tool couldn't fit two versions.
pub(crate) fn locked(lock: &str, name: &str) -> anyhow::Result<String> {
    let lock: toml::Table = lock.parse().context("Cargo.lock isn't TOML")?;
    let packages =
        lock.get("package").and_then(toml::Value::as_array).context("Cargo.lock has no packages")?;
    let text = |package: &toml::Value, key| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let mut versions = packages
        .iter()
        .filter(|package| text(package, "name").as_deref() == Some(name))
        .filter_map(|package| text(package, "version"));
    let version = versions.next().with_context(|| format!("Cargo.lock has no {name}"))?;
    anyhow::ensure!(versions.next().is_none(), "Cargo.lock has {name} twice: no one command fits both");
    Ok(version)
}

/// The version in what a tool prints for `--version`: its second word, as in `trunk 0.21.14`.
pub(crate) fn printed(output: &str) -> Option<&str> {
    output.split_whitespace().nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4

[[package]]
name = "wasm-bindgen"
version = "0.2.129"
dependencies = ["wasm-bindgen-macro"]

[[package]]
name = "wasm-bindgen-macro"
version = "0.2.130"

[[package]]
name = "syn"
version = "1.0.0"

[[package]]
name = "syn"
version = "2.0.0"
"#;

    #[test]
    fn the_lock_names_a_version() {
        assert_eq!(locked(LOCK, "wasm-bindgen").unwrap(), "0.2.129");
    }

    #[test]
    fn a_lock_that_does_not_settle_it_says_why() {
        let why = |lock, name| locked(lock, name).unwrap_err().to_string();
        assert_eq!(why(LOCK, "trunk"), "Cargo.lock has no trunk");
        assert_eq!(why(LOCK, "syn"), "Cargo.lock has syn twice: no one command fits both");
        assert_eq!(why("version = 4", "syn"), "Cargo.lock has no packages");
        assert_eq!(why("{", "syn"), "Cargo.lock isn't TOML");
    }

    #[test]
    fn our_own_lock_names_wasm_bindgen() {
        assert!(locked(include_str!("../../Cargo.lock"), "wasm-bindgen").is_ok());
    }

    #[test]
    fn tools_print_their_version_second() {
        assert_eq!(printed("trunk 0.21.14\n"), Some("0.21.14"));
        assert_eq!(printed("wasm-bindgen 0.2.129 (abc 2026-01-01)\n"), Some("0.2.129"));
        assert_eq!(printed("trunk\n"), None);
        assert_eq!(printed(""), None);
    }
}
