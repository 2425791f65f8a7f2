//! `cargo xtask fit <samples>…`: fits the estimator to texts with exact counts and writes the files that it embeds.
//!
//! It prints what cross-validation says first: the errors on texts that the fit had not seen.

use anyhow::{Context, Result, bail};
use brimline_measure::fit::{Miss, columns, cross_validate, fit, render};
use brimline_measure::samples::{Sample, add_small_english, read_lines};
use lexopt::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FOLDS: usize = 5;
const USAGE: &str = "\
cargo xtask fit <samples>… [--classes] [--dry] [--score <file>]…

  <samples>       files with lines {class, tokens: {family: count}, text}, .jsonl or .jsonl.gz
  --classes       print the errors class by class too
  --dry           print, write nothing
  --score <file>  samples to score the whole fit on, that it doesn't learn from
  --out <folder>  where to write; by default core/src/tokens";

fn main() -> Result<()> {
    let mut given: Vec<Sample> = Vec::new();
    let mut others: Vec<Sample> = Vec::new();
    let (mut classes, mut dry) = (false, false);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = root.join("../core/src/tokens");
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(path) => given.extend(read_lines(&PathBuf::from(path))?),
            Long("classes") => classes = true,
            Long("dry") => dry = true,
            Long("score") => others.extend(read_lines(&PathBuf::from(arguments.value()?))?),
            Long("out") => out = PathBuf::from(arguments.value()?),
            Long("help") | Short('h') => {
                println!("{USAGE}");
                return Ok(());
            }
            Short(_) | Long(_) => bail!("{}\n\n{USAGE}", argument.unexpected()),
        }
    }
    if given.is_empty() {
        bail!("no samples given\n\n{USAGE}");
    }
    let known = add_small_english(&mut given, &root.join("samples/small-english.txt"))?;
    println!("{known} of {} texts have a count for small_english", given.len());
    let own: Vec<Sample> = read_lines(&root.join("samples/own.jsonl.gz"))?;
    println!(
        "{FOLDS}-fold cross-validation on {} texts, with {} of our own to learn from",
        given.len(),
        own.len()
    );
    report(&cross_validate(&given, &own, FOLDS), classes)?;
    let fitted = fit(&given.iter().collect::<Vec<_>>(), &own);
    if !others.is_empty() {
        println!("\nthe whole fit, on {} texts that it did not learn from", others.len());
        report(&others.iter().flat_map(|sample| fitted.misses(sample)).collect::<Vec<_>>(), classes)?;
    }
    if !dry {
        let from = format!(
            "From {} given texts with exact counts of six tokenizers, and {} of our own (measure/samples).",
            given.len(),
            own.len()
        );
        render::write(&fitted, &from, &out)?;
        println!("\nwritten to {}", out.display());
    }
    Ok(())
}

fn report(misses: &[Miss<'_>], classes: bool) -> Result<()> {
    println!("{:12} {:>8} {:>8} {:>8}  where", "error, %", "median", "p95", "worst");
    for column in columns() {
        let of_column: Vec<&Miss<'_>> = misses.iter().filter(|miss| miss.column == column).collect();
        // No text here was counted by this family.
        let Some(worst) = of_column.iter().max_by(|a, b| a.error.abs().total_cmp(&b.error.abs())) else {
            continue;
        };
        let [median, p95, most] = quantiles(of_column.iter().map(|miss| miss.error.abs()), [0.5, 0.95, 1.0])?;
        println!("{:12} {median:8.2} {p95:8.2} {most:8.2}  {}", column.name(), worst.sample.class);
    }
    let [least, median, most] = quantiles(misses.iter().map(|miss| miss.floor), [0.0, 0.5, 1.0])?;
    println!("floor, % of the truth: least {least:.1}, median {median:.1}, most {most:.1}");
    if classes {
        let mut by_class: BTreeMap<&str, Vec<&Miss<'_>>> = BTreeMap::new();
        for miss in misses {
            by_class.entry(&miss.sample.class).or_default().push(miss);
        }
        print!("\n{:12}", "median/p95");
        columns().for_each(|column| print!(" {:>13}", column.name()));
        println!(" {:>6}", "floor");
        for (class, misses) in by_class {
            print!("{class:12}");
            for column in columns() {
                let errors = misses.iter().filter(|miss| miss.column == column).map(|miss| miss.error.abs());
                let shown = quantiles(errors, [0.5, 0.95])
                    .map_or_else(|_| "-".to_owned(), |[median, p95]| format!("{median:.1}/{p95:.1}"));
                print!(" {shown:>13}");
            }
            let [most] = quantiles(misses.iter().map(|miss| miss.floor), [1.0])?;
            println!(" {most:>6.0}");
        }
    }
    Ok(())
}

/// In percent.
fn quantiles<const N: usize>(values: impl Iterator<Item = f64>, at: [f64; N]) -> Result<[f64; N]> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1).context("no text of this family")? as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let at = at.map(|share| sorted.get((last * share).round() as usize).copied().unwrap_or(f64::NAN) * 100.0);
    Ok(at)
}
