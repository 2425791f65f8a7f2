//! `cargo xtask score --losses`: whole runs against every face, and whether a request ever got lost unseen.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line's answer")]

use brimline_core::simulate::Face;
use brimline_tests::losses::{Case, Tally, play};
use lexopt::prelude::*;
use std::error::Error;
use std::io;
use std::process::ExitCode;

const USAGE: &str = "\
Drives whole runs against every face and every way to overflow, and counts the losses that nobody noticed.

  --runs N      runs for each face (36)
  --face NAME   this face only
  --json FILE   writes the figures there too
  --explain     prints every run in which something is not as it should be
  --check       fails if a loss was silent, an alarm false, or a face recovers too seldom";

struct Options {
    runs: usize,
    faces: Vec<Face>,
    json: Option<String>,
    explain: bool,
    check: bool,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let Some(options) = options()? else { return Ok(ExitCode::SUCCESS) };
    let cases: Vec<Case> = options
        .faces
        .iter()
        .flat_map(|face| (0..options.runs).map(|number| Case::of(*face, number)))
        .collect();
    // A driver keeps its state in one thread, so each thread has a runtime of its own and every other case.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies = std::thread::scope(|scope| {
        let play_share = |share: usize| {
            let cases = cases.iter().skip(share).step_by(threads);
            move || play_all(cases, options.explain)
        };
        let shares: Vec<_> = (0..threads).map(|share| scope.spawn(play_share(share))).collect();
        shares.into_iter().map(|share| share.join()).collect::<Vec<_>>()
    });
    let mut tally = Tally::default();
    for share in tallies {
        tally.join(share.map_err(|_| "a thread that played cases panicked")??);
    }
    print_table(&options.faces, &tally);
    if let Some(path) = &options.json {
        let figures: serde_json::Map<String, serde_json::Value> =
            tally.figures().map(|(name, count)| (name.to_owned(), count.into())).collect();
        std::fs::write(path, serde_json::to_string_pretty(&figures)?)?;
    }
    let failures = if options.check { failures(&options.faces, &tally) } else { Vec::new() };
    for failure in &failures {
        eprintln!("error: {failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn options() -> Result<Option<Options>, Box<dyn Error>> {
    let mut options =
        Options { runs: 36, faces: Face::ALL.to_vec(), json: None, explain: false, check: false };
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("losses") => {}
            Long("runs") => options.runs = arguments.value()?.parse()?,
            Long("json") => options.json = Some(arguments.value()?.string()?),
            Long("explain") => options.explain = true,
            Long("check") => options.check = true,
            Long("face") => {
                let name = arguments.value()?.string()?;
                let known = || Face::ALL.map(Face::name).join(", ");
                let face = Face::from_name(&name)
                    .ok_or_else(|| format!("--face {name}: the faces are {}", known()))?;
                options.faces = vec![face];
            }
            Long("help") => {
                println!("{USAGE}");
                return Ok(None);
            }
            Short(_) | Long(_) | Value(_) => {
                return Err(format!("{}\n\n{USAGE}", argument.unexpected()).into());
            }
        }
    }
    Ok(Some(options))
}

fn play_all<'a>(cases: impl Iterator<Item = &'a Case>, explain: bool) -> io::Result<Tally> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut tally = Tally::default();
    for case in cases {
        let outcome = runtime.block_on(play(case))?;
        let is_odd =
            outcome.silent || outcome.false_alarm || (outcome.overflowed && outcome.right == Some(false));
        if explain && is_odd {
            println!("{}\n    {}", case.name(), outcome.endings.join("\n    "));
        }
        tally.add(case.face.name(), &outcome);
    }
    Ok(tally)
}

/// The columns of the table, and of the JSON.
const COLUMNS: [&str; 7] =
    ["runs", "lost", "silent_losses", "false_alarms", "overflowed", "recovered", "unchecked"];

fn print_table(faces: &[Face], tally: &Tally) {
    print!("{:<20}", "face");
    for column in COLUMNS {
        print!(" {column:>13}");
    }
    println!();
    for face in faces {
        print!("{:<20}", face.name());
        for column in COLUMNS {
            print!(" {:>13}", tally.get(&format!("{column}.{}", face.name())));
        }
        println!();
    }
}

/// What is not as it must be.
fn failures(faces: &[Face], tally: &Tally) -> Vec<String> {
    let mut failures = Vec::new();
    for face in faces {
        let name = face.name();
        let count = |column: &str| tally.get(&format!("{column}.{name}"));
        if count("silent_losses") > 0 {
            failures.push(format!(
                "{name}: {} requests got lost, and the answer looked normal",
                count("silent_losses")
            ));
        }
        if count("false_alarms") > 0 {
            failures.push(format!("{name}: {} runs were called cut that were not", count("false_alarms")));
        }
        let must_be_unchecked = *face == Face::Blind;
        if must_be_unchecked && count("unchecked") < count("runs") {
            failures.push(format!("{name}: an ending didn't say that nothing could be checked"));
        }
        let recovers = *face == Face::Ollama033;
        if recovers && count("recovered") * 100 < count("overflowed") * 95 {
            failures.push(format!(
                "{name}: only {} of {} runs found the right answer after all",
                count("recovered"),
                count("overflowed")
            ));
        }
    }
    failures
}
