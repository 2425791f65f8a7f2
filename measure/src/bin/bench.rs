//! How fast texts are counted, next to the two plainest passes over the same bytes in the same run:
//! `cargo run --profile measure -p brimline-measure --bin bench -- [<samples>…]`. Without samples: our own.
//! The same file is built for wasm32-wasip1 to measure there.

use anyhow::{Context, Result};
use brimline_core::tokens::Features;
use brimline_measure::samples::{Sample, read_lines};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Every class is repeated until it has so many bytes.
const BYTES: usize = 4 << 20;
/// The fastest of so many passes counts: the others were disturbed.
const PASSES: usize = 7;

fn main() -> Result<()> {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        paths.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/own.jsonl.gz"));
    }
    let mut classes: BTreeMap<String, String> = BTreeMap::new();
    for path in paths {
        for sample in read_lines::<Sample>(&path)? {
            for class in [sample.class, "all".to_owned()] {
                let text = classes.entry(class).or_default();
                text.push_str(&sample.text);
                text.push('\n');
            }
        }
    }
    println!("{:18} {:>12} {:>12} {:>12}", "MB/s", "features", "byte sum", "chars");
    for (class, text) in classes {
        let long = text.repeat(BYTES.div_ceil(text.len().max(1)));
        let features =
            speed(&long, |text| Features::of(text).counts().iter().map(|count| u64::from(*count)).sum())?;
        let sum = speed(&long, |text| text.bytes().map(u64::from).sum())?;
        let chars = speed(&long, |text| text.chars().count() as u64)?;
        println!("{class:18} {features:12.0} {sum:12.0} {chars:12.0}   1 : {:.1}", sum / features);
    }
    Ok(())
}

fn speed(text: &str, pass: impl Fn(&str) -> u64) -> Result<f64> {
    let seconds = (0..PASSES).map(|_| {
        let start = Instant::now();
        black_box(pass(black_box(text)));
        start.elapsed().as_secs_f64()
    });
    let fastest = seconds.reduce(f64::min).context("no pass")?;
    Ok(text.len() as f64 / 1e6 / fastest)
}
