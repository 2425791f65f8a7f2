//! Counting exactly, measured: on recorded turns, on recorded exchanges, and on texts that six families counted.

mod as_ollama;
mod families;
mod recordings;
mod turns;
mod vocabularies;

use crate::samples::{Sample, read_lines};
use crate::score::figures::Figures;
use crate::score::tokenizer::show;
use crate::traces::{Trace, role_of};
use anyhow::{Context, Result};
use brimline_core::conversation::ChatMessage;
use brimline_core::template::Template;
use brimline_exact::Counter;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// How many counts are equal, of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Equal {
    /// Equal ones.
    pub equal: usize,
    /// All.
    pub of: usize,
}

impl Equal {
    fn compare(&mut self, ours: u32, given: u32) {
        self.of += 1;
        self.equal += usize::from(ours == given);
    }
}

/// The figures of a folder with `servers`, `traces` and `token-counts`, printed as they come.
pub fn score(folder: &Path) -> Result<Figures> {
    let mut figures = Figures::new();
    let model = Model::from_server(&folder.join("servers/ollama-0.33.show-verbose.body.json.gz"))?;
    let recordings = recordings::compare(&folder.join("servers"), &model)?;
    println!("{} of {} counts in recorded exchanges are equal to ours.", recordings.equal, recordings.of);
    add(&mut figures, "recordings", "", recordings);

    let turns = turns::replay(&traces(&folder.join("traces"))?, &model)?;
    let Equal { equal, of } = turns.whole;
    println!("{equal} of {of} untruncated turns are counted exactly as reported.");
    println!(
        "The detector, told those counts, sees {} of {} first cuts ({} beyond doubt), with {} false alarms in {of} turns.",
        turns.seen, turns.cut_runs, turns.beyond_doubt, turns.false_alarms
    );
    add(&mut figures, "exact", "", turns.whole);
    let rate = |part: usize| if turns.cut_runs == 0 { 1.0 } else { part as f64 / turns.cut_runs as f64 };
    figures.insert("exact_first_cut_rate".to_owned(), rate(turns.seen));
    figures.insert("exact_first_cut_rate_beyond_doubt".to_owned(), rate(turns.beyond_doubt));
    figures.insert("exact_false_alarms".to_owned(), turns.false_alarms as f64);

    let samples: Vec<Sample> = read_lines(&folder.join("token-counts/samples.jsonl.gz"))?;
    for (family, counted) in families::count(&samples) {
        let name = family.name();
        let counted = match counted {
            Ok(counted) => counted,
            Err(error) => {
                println!("{name:<12} left out: {error:#}");
                continue;
            }
        };
        let (Equal { equal, of }, shaped) = (counted.published, counted.as_ollama);
        println!(
            "{name:<12} {equal} of {of} texts with its tokenizer.json, {} of {} with the same as Ollama would hand it out.",
            shaped.equal, shaped.of
        );
        add(&mut figures, "family", &format!(".{name}"), counted.published);
        add(&mut figures, "ollama_family", &format!(".{name}"), shaped);
    }
    Ok(figures)
}

fn add(figures: &mut Figures, name: &str, of_what: &str, Equal { equal, of }: Equal) {
    figures.insert(format!("{name}_equal{of_what}"), equal as f64);
    figures.insert(format!("{name}_of{of_what}"), of as f64);
}

/// A model whose vocabulary and prompt template are known.
struct Model {
    counter: Counter,
    template: Template,
}

impl Model {
    fn from_server(shown: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Shown {
            template: String,
        }
        let body = show(shown)?;
        let Shown { template } = serde_json::from_slice(&body)?;
        Ok(Self { counter: Counter::from_ollama(&body)?, template: Template::from_go(&template)? })
    }

    /// The whole prompt of these messages, in tokens.
    fn prompt(&self, messages: &[ChatMessage]) -> Result<u32> {
        Ok(self.counter.prompt(&self.template.render(messages, &[])?))
    }
}

fn traces(folder: &Path) -> Result<Vec<Trace>> {
    let mut traces = Vec::new();
    for file in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = file?.path();
        if path.to_string_lossy().ends_with(".jsonl.gz") {
            traces.extend(read_lines(&path)?);
        }
    }
    Ok(traces)
}

/// A recorded message, as it was sent.
fn sent(role: &str, text: &str) -> Result<ChatMessage> {
    Ok(ChatMessage {
        role: role_of(role)?,
        text: text.to_owned(),
        calls: Vec::new(),
        answers: None,
        sources: Vec::new(),
    })
}
