//! How well a calibration foresees the next request of a recorded run.

use crate::traces::Trace;
use brimline_core::tokens::{Calibration, Family, Features, Shares};

/// One whole turn, foreseen from the whole turns before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foreseen {
    /// How many counts the calibration had learnt from.
    pub learnt: usize,
    /// (predicted − reported) / reported, of the whole prompt.
    pub error: f64,
    /// (reported − predicted) / spread.
    pub deviations: f64,
}

/// Foresees every whole turn of every run, for a model of this family, known or not.
pub fn foresee(traces: &[Trace], family: Family) -> Vec<Foreseen> {
    let mut foreseen = Vec::new();
    for trace in traces {
        let mut calibration = Calibration::new(family);
        let mut added: Shares = calibration.overhead(&Features::default());
        let (mut learnt, mut read, mut last) = (0, 0, 0.0);
        for turn in &trace.turns {
            for message in trace.messages.iter().take(turn.messages).skip(read) {
                added += calibration.message(&Features::of(&message.content));
            }
            read = turn.messages;
            if turn.truncated {
                continue;
            }
            let reported = f64::from(turn.prompt_tokens);
            let predicted = calibration.predict(&added);
            foreseen.push(Foreseen {
                learnt,
                error: (last + predicted.tokens) / reported - 1.0,
                deviations: (reported - last - predicted.tokens) / predicted.spread,
            });
            calibration.learn(&added, reported - last, 0.0);
            added = Shares::default();
            last = reported;
            learnt += 1;
        }
    }
    foreseen
}
