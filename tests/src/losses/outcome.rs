//! What became of a case, and the sums over many.

use super::Case;
use brimline_core::overflow::Verdict;
use brimline_core::run::{Assurance, EndReason, Ending, Run};
use std::collections::BTreeMap;

/// What the server's log says of the calls of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Truth {
    /// The server refused.
    pub(super) refused: bool,
    /// Something of what was sent, or of what had been read, was dropped.
    pub(super) anything_lost: bool,
    /// The user's request was not in what the model read.
    pub(super) request_lost: bool,
}

/// What became of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// In some call the request did not survive.
    pub lost: bool,
    /// And a run in which that happened ended as if nothing had.
    pub silent: bool,
    /// Something was called lost that was not, or a doubt remained where nothing was lost.
    pub false_alarm: bool,
    /// A run overflowed: the server refused, or the run ended `context_overflow`.
    pub overflowed: bool,
    /// The last answer is the right one; `None` where there is no right one.
    pub right: Option<bool>,
    /// Every ending said that it could not be checked, or that the run failed.
    pub unchecked: bool,
    /// The names of the endings, for the explanation.
    pub endings: Vec<String>,
}

impl Outcome {
    pub(super) fn take(&mut self, case: &Case, run: &Run, truth: &Truth) {
        let Some(end) = run.end() else { return };
        let is_first = self.endings.is_empty();
        let says_lost = match end.reason {
            EndReason::ServerDropped { .. } => true,
            EndReason::Answered
            | EndReason::TurnsUsedUp { .. }
            | EndReason::AnswerCutShort { .. }
            | EndReason::ServerRefused { .. }
            | EndReason::WindowFull { .. }
            | EndReason::WouldNotFit { .. }
            | EndReason::Stopped
            | EndReason::Failed(_)
            | EndReason::Declined => false,
        };
        let is_unchecked = end.assurance == Assurance::Unverified;
        self.lost |= truth.request_lost;
        self.silent |= truth.request_lost && end.looks_normal();
        self.false_alarm |= !truth.anything_lost && (says_lost || end.assurance == Assurance::Suspect);
        self.overflowed |= truth.refused || end.ending() == Ending::ContextOverflow;
        self.unchecked = (is_first || self.unchecked) && (is_unchecked || end.ending() != Ending::EndTurn);
        let verdicts: Vec<&str> = run
            .session()
            .timeline()
            .iter()
            .map(|record| match record.judgement.as_ref().map(|judgement| judgement.verdict) {
                Some(Verdict::Fits) => "f",
                Some(Verdict::Suspect) => "?",
                Some(Verdict::Truncated) => "T",
                Some(Verdict::Shifted) => "S",
                Some(Verdict::Refused) => "R",
                Some(Verdict::Unverified) => "u",
                None => "-",
            })
            .collect();
        let name = end.ending().name();
        let assurance = end.assurance;
        self.endings.push(format!("{name} {assurance:?} {} {truth:?} [{:?}]", verdicts.concat(), end.reason));
        let _ = case;
    }

    pub(super) fn answered(&mut self, answer: &str, right: &Option<String>) {
        self.right = right.as_ref().map(|right| answer.contains(right.as_str()));
    }
}

/// The sums over all cases of a face.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    counts: BTreeMap<String, usize>,
}

impl Tally {
    /// Adds a case.
    pub fn add(&mut self, face: &str, outcome: &Outcome) {
        let mut count = |name: &str, is_so: bool| {
            *self.counts.entry(format!("{name}.{face}")).or_default() += usize::from(is_so);
        };
        let can_recover = outcome.overflowed && outcome.right.is_some();
        count("runs", true);
        count("lost", outcome.lost);
        count("silent_losses", outcome.silent);
        count("false_alarms", outcome.false_alarm);
        count("overflowed", can_recover);
        count("recovered", can_recover && outcome.right == Some(true));
        count("unchecked", outcome.unchecked);
    }

    /// Joins the sums of other cases.
    pub fn join(&mut self, other: Self) {
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
    }

    /// A figure by its name, like `silent_losses.proxy`.
    pub fn get(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Every figure.
    pub fn figures(&self) -> impl Iterator<Item = (&str, usize)> {
        self.counts.iter().map(|(name, count)| (name.as_str(), *count))
    }
}
