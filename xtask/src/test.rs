//! `cargo xtask test`: brings what the stages need, runs them all whatever fails, and sums up.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::process::{run, seconds};
use crate::provision;
use crate::stage::{Bench, Need, Stage};
use crate::toolchain::Toolchain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed(Duration),
    Failed(Duration),
    /// A stage that it builds on failed, so it could only have failed too, and with a misleading message.
    NotRun,
}

pub(crate) fn test(root: &Path, stages: &BTreeSet<Stage>) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let bench = bring(root, stages)?;
    let brought = start.elapsed();
    let mut outcomes: Vec<(Stage, Outcome)> = Vec::new();
    for &stage in stages {
        let page_failed = outcomes
            .iter()
            .any(|(stage, outcome)| *stage == Stage::Page && matches!(outcome, Outcome::Failed(_)));
        let outcome =
            if stage == Stage::Browser && page_failed { Outcome::NotRun } else { run_stage(stage, &bench) };
        outcomes.push((stage, outcome));
    }
    print!("\n{}", summary(brought, &outcomes));
    let all_passed = outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Passed(_)));
    Ok(if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn bring(root: &Path, stages: &BTreeSet<Stage>) -> anyhow::Result<Bench> {
    let host = Toolchain::host();
    let mut bench = Bench { root: root.to_owned(), wasm: host.clone(), host, chromedriver: None };
    let needs: BTreeSet<Need> = stages.iter().flat_map(|stage| stage.needs()).copied().collect();
    for need in needs {
        match need {
            Need::Rustfmt => provision::component(&bench.host, "rustfmt", "fmt")?,
            Need::Clippy => provision::component(&bench.host, "clippy", "clippy")?,
            Need::WasmTarget => bench.wasm = provision::wasm_target(root, &bench.host)?,
            Need::WasmBindgen => provision::wasm_bindgen(root, &bench.host)?,
            Need::Trunk => provision::trunk(&bench.host)?,
            Need::Browser => bench.chromedriver = Some(provision::browser()?),
        }
    }
    Ok(bench)
}

/// Runs every command of the stage, also after one that failed: one run shows all there is to mend.
fn run_stage(stage: Stage, bench: &Bench) -> Outcome {
    let start = Instant::now();
    let mut passed = true;
    for mut command in stage.commands(bench) {
        if let Err(error) = run(stage.name(), &mut command) {
            eprintln!("error: {error:#}");
            passed = false;
        }
    }
    if passed { Outcome::Passed(start.elapsed()) } else { Outcome::Failed(start.elapsed()) }
}

/// The table at the end. A stage that wasn't run counts as failed: it didn't pass.
fn summary(brought: Duration, outcomes: &[(Stage, Outcome)]) -> String {
    let mut table = String::new();
    let mut row = |name: &str, result: &str, time: &str| {
        let _ = writeln!(table, "{name:<8} {result:<7} {time:>12}");
    };
    row("stage", "result", "time");
    row("(tools)", "ready", &seconds(brought));
    let mut passed = 0;
    for (stage, outcome) in outcomes {
        match outcome {
            Outcome::Passed(time) => {
                passed += 1;
                row(stage.name(), "passed", &seconds(*time));
            }
            Outcome::Failed(time) => row(stage.name(), "FAILED", &seconds(*time)),
            Outcome::NotRun => row(stage.name(), "not run", "-"),
        }
    }
    let _ = writeln!(table, "{passed} passed, {} failed", outcomes.len() - passed);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_every_stage_with_its_time() {
        let outcomes = [
            (Stage::Fmt, Outcome::Passed(Duration::from_millis(400))),
            (Stage::Clippy, Outcome::Failed(Duration::from_secs(83))),
            (Stage::Browser, Outcome::NotRun),
        ];
        let expected = "\
stage    result          time
(tools)  ready          0.0 s
fmt      passed         0.4 s
clippy   FAILED    1 min 23 s
browser  not run            -
1 passed, 2 failed
";
        assert_eq!(summary(Duration::ZERO, &outcomes), expected);
    }
}
