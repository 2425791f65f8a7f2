//! Writes what was fitted as the files that the estimator embeds.

use super::{Fitted, columns};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Writes `fitted.rs` and the tables beside it into the folder of the estimator. `from` says where the numbers come
/// from.
pub fn write(fitted: &Fitted, from: &str, folder: &Path) -> Result<()> {
    let tables = folder.join("fitted");
    fs::create_dir_all(&tables).with_context(|| format!("cannot make {}", tables.display()))?;
    let save = |path: &Path, bytes: &[u8]| {
        fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
    };
    save(&tables.join("latin.bin"), &fitted.rarity.latin)?;
    save(&tables.join("alphabet.bin"), &fitted.rarity.alphabet)?;
    save(&tables.join("punctuation.bin"), &fitted.rarity.punctuation)?;
    save(&tables.join("han.bin"), &fitted.rarity.han)?;
    save(&folder.join("fitted.rs"), source(fitted, from)?.as_bytes())
}

fn source(fitted: &Fitted, from: &str) -> Result<String> {
    let mut source = format!(
        "//! What everything that is counted weighs, in ten-thousandths of a token, in the order of the layout.\n\
         //! Written by `cargo xtask fit`; don't edit.\n//!\n//! {from}\n//! How: docs/estimator.md.\n\n\
         use super::layout::PLACES;\n\n\
         /// One row for each family, and one for a family that isn't known.\n\
         pub(super) static WEIGHTS: [[u32; PLACES]; 8] = [\n"
    );
    for (family, weights) in columns().zip(&fitted.weights) {
        writeln!(source, "    // {}\n    [", family.name())?;
        numbers(&mut source, weights)?;
        source.push_str("    ],\n");
    }
    source.push_str(
        "];\n\n/// What everything weighs at the very least, whatever the family.\n\
         pub(super) static FLOOR: [u32; PLACES] = [\n",
    );
    numbers(&mut source, &fitted.floor)?;
    source.push_str("];\n");
    Ok(source)
}

fn numbers(source: &mut String, weights: &[f64]) -> Result<()> {
    for line in weights.chunks(16) {
        let numbers: Vec<String> = line.iter().map(|weight| format!("{:.0}", weight * 10_000.0)).collect();
        writeln!(source, "        {},", numbers.join(", "))?;
    }
    Ok(())
}
