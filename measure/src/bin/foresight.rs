//! How well a calibration foresees the next request: `cargo run --profile measure -p brimline-measure --bin foresight --
//! <traces>…`. The calibration is told nothing of the model, and then, for comparison, its family.

use anyhow::{Context, Result};
use brimline_core::tokens::Family;
use brimline_measure::foresight::{Foreseen, foresee};
use brimline_measure::samples::read_lines;
use brimline_measure::traces::Trace;
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut traces: Vec<Trace> = Vec::new();
    for path in std::env::args_os().skip(1) {
        traces.extend(read_lines::<Trace>(&PathBuf::from(path))?);
    }
    for family in [Family::Unknown, Family::SmallEnglish] {
        let foreseen = foresee(&traces, family);
        println!("family told: {}", family.name());
        row("first turn", foreseen.iter().filter(|turn| turn.learnt == 0))?;
        row("next turns", foreseen.iter().filter(|turn| turn.learnt > 0))?;
        for learnt in 1..4 {
            row(&format!("after {learnt}"), foreseen.iter().filter(|turn| turn.learnt == learnt))?;
        }
        row("after 4 and more", foreseen.iter().filter(|turn| turn.learnt >= 4))?;
    }
    Ok(())
}

fn row<'a>(name: &str, turns: impl Iterator<Item = &'a Foreseen>) -> Result<()> {
    let turns: Vec<&Foreseen> = turns.collect();
    let mut errors: Vec<f64> = turns.iter().map(|turn| turn.error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    let at = |hundredth: usize| errors.get((errors.len().saturating_sub(1)) * hundredth / 100).copied();
    let beyond = |deviations: f64| {
        turns.iter().filter(|turn| turn.deviations.abs() > deviations).count() as f64 / turns.len() as f64
    };
    println!(
        "  {name:17} {:4} turns  error median {:.2} %, p95 {:.2} %, worst {:.1} %  beyond 2 spreads {:.1} %, 3 {:.1} %",
        turns.len(),
        at(50).context("no turns")? * 100.0,
        at(95).context("no turns")? * 100.0,
        at(100).context("no turns")? * 100.0,
        beyond(2.0) * 100.0,
        beyond(3.0) * 100.0
    );
    Ok(())
}
