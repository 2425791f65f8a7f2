//! `cargo xtask score`: prints and writes the figures of the estimator and the detector.

use anyhow::{Context, Result, bail, ensure};
use brimline_core::tokens::Family;
use brimline_measure::exact;
use brimline_measure::samples::{read_json, read_lines};
use brimline_measure::score::figures::{self, Figures};
use brimline_measure::score::run::{generated, recorded, reproduced};
use brimline_measure::score::server::{Counting, Overflow};
use brimline_measure::score::tokenizer::Tokenizer;
use brimline_measure::traces::Trace;
use lexopt::prelude::*;
use std::path::{Path, PathBuf};
use std::time::Instant;

const HELP: &str = "\
Scores the estimator and the detector, next to the baseline rule and to \"reported < half of the estimate\".

  --traces FILE    recorded runs (.jsonl or .jsonl.gz); without it: the default set of generated runs
  --samples FILE   texts with token counts; without it: the project's own
  --vocabulary F   what Ollama's /api/show told about the traces' model (verbose);
                   without it: ../servers/ollama-0.33.show-verbose.body.json.gz, seen from the traces
  --model NAME     the traces' model, as its server names it; without it: unknown
  --json OUT       write the figures as one flat JSON map
  --exact DIR      instead: count exactly what was recorded in DIR (folders servers, traces, token-counts)
  --explain        print every first cut that was missed and every healthy turn that was accused
  --half N         only every second run of the traces: N is 0 or 1
  --check          compare with measure/scores.json and fail if a figure is worse
";

const VOCABULARY: &str = "servers/ollama-0.33.show-verbose.body.json.gz";

/// Servers that lie, and those that don't, of the default set.
const SERVERS: [(Overflow, Counting); 7] = [
    (Overflow::Drop, Counting::Whole),
    (Overflow::Halve, Counting::Whole),
    (Overflow::Middle, Counting::Whole),
    (Overflow::Shift, Counting::Whole),
    (Overflow::Refuse, Counting::Whole),
    (Overflow::Drop, Counting::Silent),
    (Overflow::Drop, Counting::Uncached),
];

/// Runs for each kind of server: enough for steady shares, few enough for seconds.
const RUNS_EACH: usize = 60;

#[derive(Default)]
struct Arguments {
    traces: Option<PathBuf>,
    samples: Option<PathBuf>,
    exact: Option<PathBuf>,
    vocabulary: Option<PathBuf>,
    family: Option<Family>,
    json: Option<PathBuf>,
    check: bool,
    explain: bool,
    half: Option<usize>,
}

fn main() -> Result<()> {
    let started = Instant::now();
    let arguments = arguments()?;
    if let Some(folder) = &arguments.exact {
        write(&exact::score(folder)?, arguments.json.as_deref())?;
        println!("{:.1} s", started.elapsed().as_secs_f64());
        return Ok(());
    }
    let (mut figures, mistakes) = match &arguments.traces {
        Some(traces) => of_traces(traces, &arguments)?,
        None => figures::of_runs(&generated(&SERVERS, RUNS_EACH)?),
    };
    if arguments.explain {
        mistakes.iter().for_each(|mistake| println!("{mistake}"));
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/own.jsonl.gz");
    let samples = arguments.samples.as_deref().unwrap_or(&own);
    figures.extend(figures::of_samples(&read_lines(samples)?));
    write(&figures, arguments.json.as_deref())?;
    print!("{}", figures::table(&figures));
    println!("\n{:.1} s", started.elapsed().as_secs_f64());
    if arguments.check {
        check(&figures)?;
    }
    Ok(())
}

fn write(figures: &Figures, out: Option<&Path>) -> Result<()> {
    let Some(out) = out else { return Ok(()) };
    let text = serde_json::to_string_pretty(figures)? + "\n";
    std::fs::write(out, text).with_context(|| format!("cannot write {}", out.display()))
}

fn of_traces(path: &Path, arguments: &Arguments) -> Result<(Figures, Vec<String>)> {
    let vocabulary = match &arguments.vocabulary {
        Some(vocabulary) => vocabulary.clone(),
        None => beside(path)?,
    };
    let family = arguments.family.unwrap_or(Family::Unknown);
    let traces: Vec<Trace> = read_lines(path)?;
    let wanted = |number: &usize| arguments.half.is_none_or(|half| number % 2 == half);
    let traces: Vec<Trace> =
        traces.into_iter().enumerate().filter(|(number, _)| wanted(number)).map(|(_, trace)| trace).collect();
    let runs = recorded(&traces, &Tokenizer::from_server(&vocabulary)?, family)?;
    let [(whole, all_whole), (cut, all_cut)] = reproduced(&runs);
    println!(
        "{} runs; the vocabulary counts {whole} of {all_whole} whole turns exactly as recorded;",
        runs.len()
    );
    println!("our copy of the server drops exactly as recorded in {cut} of {all_cut} cut turns.\n");
    ensure!(whole == all_whole, "the vocabulary is not that of the recorded model: pass --vocabulary");
    Ok(figures::of_runs(&runs))
}

/// The vocabulary in the data folder that the traces are in, or in the one beside the project.
fn beside(traces: &Path) -> Result<PathBuf> {
    let folders = [
        traces.parent().and_then(Path::parent).map(Path::to_path_buf),
        Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")),
        Some(PathBuf::from("../shared/data")),
    ];
    let found =
        folders.into_iter().flatten().map(|folder| folder.join(VOCABULARY)).find(|path| path.exists());
    found.context("the vocabulary of the traces' model is not beside them: pass --vocabulary")
}

fn check(now: &Figures) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scores.json");
    let worse = figures::worse(&read_json(&path)?, now);
    if worse.is_empty() {
        println!("No figure is worse than in measure/scores.json.");
        return Ok(());
    }
    bail!("worse than in measure/scores.json:\n{}", worse.join("\n"))
}

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("traces") => arguments.traces = Some(parser.value()?.into()),
            Long("samples") => arguments.samples = Some(parser.value()?.into()),
            Long("vocabulary") => arguments.vocabulary = Some(parser.value()?.into()),
            Long("model") => {
                arguments.family = Some(Family::from_model_name(&parser.value()?.string()?));
            }
            Long("exact") => arguments.exact = Some(parser.value()?.into()),
            Long("json") => arguments.json = Some(parser.value()?.into()),
            Long("check") => arguments.check = true,
            Long("explain") => arguments.explain = true,
            Long("half") => arguments.half = Some(parser.value()?.parse()?),
            Long("help") | Short('h') => {
                print!("{HELP}");
                std::process::exit(0);
            }
            other @ (Short(_) | Long(_) | Value(_)) => return Err(other.unexpected().into()),
        }
    }
    Ok(arguments)
}
