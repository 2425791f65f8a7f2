//! Texts that six families counted, counted again: with each one's published vocabulary, and with the same vocabulary in
//! the shape in which Ollama hands one out.

use super::{Equal, as_ollama, vocabularies};
use crate::samples::Sample;
use anyhow::Result;
use brimline_core::tokens::Family;
use brimline_exact::Counter;
use std::sync::Mutex;
use std::thread;

/// What came of a family.
pub(super) struct Counted {
    /// With its `tokenizer.json`.
    pub(super) published: Equal,
    /// With the same, as Ollama would hand it out.
    pub(super) as_ollama: Equal,
}

/// Of the texts, one in so many is counted with the vocabulary in Ollama's shape too: enough to see a difference.
const ONE_IN: usize = 4;

/// Counts with all families that the samples were counted by, on every processor. A family whose vocabulary can't be
/// had comes with the reason.
pub(super) fn count(samples: &[Sample]) -> Vec<(Family, Result<Counted>)> {
    let is_counted = |family: &Family| samples.iter().any(|sample| sample.tokens_of(*family).is_some());
    let waiting: Vec<Family> = Family::KNOWN.into_iter().filter(is_counted).collect();
    let waiting = Mutex::new(waiting.into_iter());
    let work = || {
        let mut counted = Vec::new();
        // Its lock is held while the next one is taken, and no longer.
        while let Some(family) = waiting.lock().ok().and_then(|mut waiting| waiting.next()) {
            counted.push((family, count_one(samples, family)));
        }
        counted
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = started.into_iter().map(|thread| thread.join());
        joined.flat_map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

fn count_one(samples: &[Sample], family: Family) -> Result<Counted> {
    let json = vocabularies::of(family)?;
    let published = compare(samples.iter(), family, &Counter::from_hugging_face(&json)?);
    let shaped = Counter::from_ollama(&as_ollama::body(&json, family)?)?;
    Ok(Counted { published, as_ollama: compare(samples.iter().step_by(ONE_IN), family, &shaped) })
}

fn compare<'a>(samples: impl Iterator<Item = &'a Sample>, family: Family, counter: &Counter) -> Equal {
    let mut equal = Equal::default();
    for sample in samples {
        if let Some(given) = sample.tokens_of(family) {
            equal.compare(counter.count(&sample.text), given);
        }
    }
    equal
}
