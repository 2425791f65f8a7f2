//! Debian's packages: which ones are missing, and how they come.

use std::process::Command;

use anyhow::Context as _;

use crate::process::{child, output, run};

/// Whether this machine is a Debian. Not its relatives: Ubuntu's `chromium` is a stub that wants snap.
pub(crate) fn is_this_machine() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| is_debian(&text))
}

fn is_debian(os_release: &str) -> bool {
    os_release.lines().any(|line| matches!(line, "ID=debian" | "ID=\"debian\""))
}

/// Installs what is missing of `packages`, as root or with sudo.
///
/// Fails with the line to run where it may not install.
pub(crate) fn install(packages: &[&str]) -> anyhow::Result<()> {
    let missing = missing(packages);
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("run `sudo apt-get install {}`", missing.join(" "));
    let Some(program) = installer() else {
        anyhow::bail!("packages are missing and only root may install them: {by_hand}");
    };
    // Old lists make apt ask for files that are gone; but only the install itself decides.
    if let Err(error) = run("Debian's package lists", apt_get(program).arg("update")) {
        eprintln!("    {error:#}; going on with the lists that are there");
    }
    let mut install = apt_get(program);
    install.args(["install", "--yes", "--no-install-recommends"]).args(&missing);
    run("Debian's packages", &mut install).context(by_hand)
}

/// The program that runs apt with the rights to install: nothing but `env` for root, else `sudo` if there is one.
fn installer() -> Option<&'static str> {
    if output(child("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        return Some("env");
    }
    which::which("sudo").is_ok().then_some("sudo")
}

fn apt_get(program: &str) -> Command {
    let mut command = child(program);
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]);
    command
}

fn missing<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    // dpkg-query fails as soon as one package is unknown, and still prints the others: what it prints counts.
    let mut query = child("dpkg-query");
    query.args(["--show", "--showformat=${Package} ${db:Status-Abbrev}\\n"]).args(packages);
    let listed = query.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    not_installed(packages, &listed.unwrap_or_default())
}

fn not_installed<'a>(packages: &[&'a str], listed: &str) -> Vec<&'a str> {
    let installed = |package: &str| {
        listed.lines().any(|line| line.trim_end().strip_prefix(package).is_some_and(|rest| rest == " ii"))
    };
    packages.iter().copied().filter(|package| !installed(package)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_debian_is_debian() {
        assert!(is_debian("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(!is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(!is_debian("VERSION_ID=debian\n"));
    }

    #[test]
    fn removed_and_unknown_packages_are_missing() {
        let listed = "chromium ii \nchromium-driver rc \nfonts-liberation ii \n";
        let packages = ["chromium", "chromium-driver", "fonts-liberation", "lld-22"];
        assert_eq!(not_installed(&packages, listed), ["chromium-driver", "lld-22"]);
        assert_eq!(not_installed(&packages, ""), packages);
    }
}
