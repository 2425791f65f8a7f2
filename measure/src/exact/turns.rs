//! Recorded turns, counted before each as the page would, and judged by the detector.

use super::{Equal, Model, sent};
use crate::traces::Trace;
use anyhow::Result;
use brimline_core::conversation::Purpose;
use brimline_core::overflow::{Detector, DetectorSettings, Sent, SentMessage, Verdict};
use brimline_core::tokens::{Family, Features};
use brimline_core::wire::Usage;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::thread;

/// What came of all turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Turns {
    /// Untruncated turns, and of those the ones that were counted as reported.
    pub(super) whole: Equal,
    /// Runs in which something was cut.
    pub(super) cut_runs: usize,
    /// First cuts that were called truncated or in doubt.
    pub(super) seen: usize,
    /// First cuts that were called truncated.
    pub(super) beyond_doubt: usize,
    /// Untruncated turns that were called anything but whole.
    pub(super) false_alarms: usize,
}

/// Goes through all runs, on every processor.
pub(super) fn replay(traces: &[Trace], model: &Model) -> Result<Turns> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = traces.len().div_ceil(threads).max(1);
    let parts: Vec<Result<Turns>> = thread::scope(|scope| {
        let start = |part| scope.spawn(move || replay_part(part, model));
        let started: Vec<_> = traces.chunks(share).map(start).collect();
        let joined = started.into_iter().map(|thread| thread.join());
        joined.map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut all = Turns::default();
    for part in parts {
        let part = part?;
        all.whole.equal += part.whole.equal;
        all.whole.of += part.whole.of;
        all.cut_runs += part.cut_runs;
        all.seen += part.seen;
        all.beyond_doubt += part.beyond_doubt;
        all.false_alarms += part.false_alarms;
    }
    Ok(all)
}

fn replay_part(traces: &[Trace], model: &Model) -> Result<Turns> {
    let mut turns = Turns::default();
    for trace in traces {
        replay_run(trace, model, &mut turns)?;
    }
    Ok(turns)
}

fn replay_run(trace: &Trace, model: &Model, tally: &mut Turns) -> Result<()> {
    let messages = trace.messages.iter().map(|message| sent(&message.role, &message.content));
    let messages = messages.collect::<Result<Vec<_>>>()?;
    let counted: Vec<SentMessage> = messages
        .iter()
        .map(|message| {
            let mut hasher = DefaultHasher::new();
            (message.role, &message.text).hash(&mut hasher);
            let features = Features::of(&message.text);
            SentMessage { role: message.role, features, fingerprint: hasher.finish() }
        })
        .collect();
    let mut detector = Detector::new(Family::Unknown, DetectorSettings::default());
    let mut cut = false;
    for turn in &trace.turns {
        // A run ends at its first cut: what comes after it is not judged.
        if cut && turn.truncated {
            continue;
        }
        let exact = model.prompt(messages.get(..turn.messages).unwrap_or(&messages))?;
        if !turn.truncated {
            tally.whole.compare(exact, turn.prompt_tokens);
        }
        if cut {
            continue;
        }
        cut = turn.truncated;
        let sent = Sent {
            purpose: Purpose::Turn,
            messages: counted.iter().take(turn.messages).cloned().collect(),
            tools: Features::default(),
            tools_fingerprint: 0,
            max_tokens: 1_024,
            exact: Some(exact),
        };
        let usage = Usage { prompt_tokens: Some(turn.prompt_tokens), ..Usage::default() };
        let verdict = detector.judge(&sent, &usage, false).verdict;
        if turn.truncated {
            tally.cut_runs += 1;
            tally.seen += usize::from(matches!(verdict, Verdict::Truncated | Verdict::Suspect));
            tally.beyond_doubt += usize::from(verdict == Verdict::Truncated);
        } else {
            tally.false_alarms += usize::from(verdict != Verdict::Fits);
        }
    }
    Ok(())
}
