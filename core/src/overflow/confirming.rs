//! Confirming requests: ask the server for one more count, and a doubt is settled exactly.
//!
//! There are two. The first is exact and cheap, but has to fit for sure: **the first request of the run** (its count is
//! known and trusted) **and only the new messages**. Its count less the first count is the true size of what is new,
//! template and all, so the expected count of the doubted request becomes exact.
//!
//! Where that can't be sent (it may not fit itself; the doubted request is the first, or comes right after it; the
//! conversation was cleared or compacted since; a model thinks), the second is: **the same request without its oldest
//! message**. A server that had dropped the oldest messages drops to the same rest again and counts the same. A server
//! that had read everything counts less, by just that message. It always fits if what the server read did.

use super::detector::{Detector, droppable};
use super::evidence::Evidence;
use super::sent::Sent;
use super::verdict::{Judgement, Verdict};
use crate::conversation::Role;
use crate::wire::Usage;
use serde::{Deserialize, Serialize};

/// A confirming request: the messages of the doubted one that it carries. It is sent with the same tools and one token
/// for the answer. It costs the server's prompt cache once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirming {
    /// Their indices.
    pub indices: Vec<usize>,
    /// What their count will tell.
    pub way: ConfirmingWay,
}

/// What a confirming request leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfirmingWay {
    /// Everything between the first request and the new messages.
    FirstAndNew,
    /// The oldest message.
    WithoutOldest,
}

/// Why no confirming request can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CannotConfirm {
    /// There is no message to leave out.
    TooFewMessages,
    /// The oldest message is an assistant's call: leaving it out would part it from its result.
    PartsCallFromResult,
    /// The server leaves out what its cache held, so another count of it says nothing either.
    CountsUncached,
}

/// Counts that differ by no more than this are the same, in tokens: tokens may merge where messages meet.
const SAME: f64 = 3.0;

/// How far off the size of the oldest message may be, as a share of it: no loss from the middle is taken for it.
const OLDEST_SPREAD: f64 = 0.3;

/// From this on, compared with a loss, a count may be one of a server that leaves out what its cache held.
const MAYBE_UNCACHED: f64 = 1.0;

impl Detector {
    /// The request that would settle a doubt about `sent`.
    pub fn confirming(&self, sent: &Sent) -> Result<Confirming, CannotConfirm> {
        if self.counts_uncached {
            return Err(CannotConfirm::CountsUncached);
        }
        self.first_and_new(sent).map_or_else(|| without_oldest(sent), Ok)
    }

    fn first_and_new(&self, sent: &Sent) -> Option<Confirming> {
        let (first, last) = (self.first.as_ref()?, self.last.as_ref()?);
        let after_first = first.fingerprints.len();
        let new_from = last.fingerprints.len();
        if self.thinking || !last.begins(sent) || !first.begins(sent) || new_from <= after_first {
            return None;
        }
        let role = |index: usize| sent.messages.get(index).map(|message| message.role);
        // The first request ends with the user's words, the new messages begin with the assistant's: no two of one role
        // in a row, no result without its call.
        let joins = role(after_first.checked_sub(1)?)? == Role::User && role(new_from)? == Role::Assistant;
        let (expected, spread) = self.expect(sent).size(&self.calibration);
        let added = expected - f64::from(last.count) + 3.0 * spread;
        let fits = f64::from(first.count) + added <= f64::from(self.held());
        (joins && fits).then(|| Confirming {
            indices: (0..after_first).chain(new_from..sent.messages.len()).collect(),
            way: ConfirmingWay::FirstAndNew,
        })
    }

    /// Settles a doubt: `usage` is what was reported for `sent`, `confirmed` for the confirming request.
    pub fn settle(
        &mut self,
        sent: &Sent,
        usage: &Usage,
        confirming: &Confirming,
        confirmed: &Usage,
    ) -> Judgement {
        let count = |usage: &Usage| usage.prompt_tokens.filter(|count| *count > 0);
        let (Some(reported), Some(confirmed)) = (count(usage), count(confirmed)) else {
            return self.judgement(Verdict::Suspect, vec![Evidence::NoCount]);
        };
        let (verdict, evidence, exact) = match confirming.way {
            ConfirmingWay::FirstAndNew => self.settle_by_growth(sent, reported, confirmed),
            ConfirmingWay::WithoutOldest => self.settle_without_oldest(sent, reported, confirmed),
        };
        let expectation = self.expect(sent);
        let weighing = self.weigh(sent, &expectation, reported);
        if verdict == Verdict::Truncated && weighing.uncached_to_lost > MAYBE_UNCACHED {
            // Such a server leaves out what it holds of the confirming request too: that settles nothing.
            self.counts_uncached = true;
            let expected = self.size(sent, &expectation).0;
            let evidence = vec![Evidence::OnlyUncachedCounted { reported, expected }];
            return self.judgement(Verdict::Unverified, evidence);
        }
        match verdict {
            Verdict::Fits => self.trust(sent, reported, &expectation),
            Verdict::Truncated => {
                let (expected, spread) = self.size(sent, &expectation);
                self.lower_ceiling(weighing.loss, reported, exact.map_or(expected + 3.0 * spread, f64::from));
            }
            Verdict::Suspect | Verdict::Shifted | Verdict::Refused | Verdict::Unverified => {}
        }
        self.with_answer(verdict, vec![evidence], reported, usage)
    }

    fn settle_by_growth(
        &self,
        sent: &Sent,
        reported: u32,
        confirmed: u32,
    ) -> (Verdict, Evidence, Option<u32>) {
        let count = |sample: &Option<super::sizes::Sample>| sample.as_ref().map_or(0, |sample| sample.count);
        let added = confirmed.saturating_sub(count(&self.first));
        let exact = count(&self.last) + added;
        let short = f64::from(exact) - f64::from(reported);
        let smallest = droppable(sent)
            .filter_map(|index| sent.messages.get(index))
            .map(|message| self.message_size(message))
            .fold(f64::INFINITY, f64::min);
        let verdict = if short <= SAME {
            Verdict::Fits
        } else if short >= smallest / 2.0 {
            Verdict::Truncated
        } else {
            Verdict::Suspect
        };
        (verdict, Evidence::ConfirmedGrowth { reported, exact }, Some(exact))
    }

    fn settle_without_oldest(
        &self,
        sent: &Sent,
        reported: u32,
        confirmed: u32,
    ) -> (Verdict, Evidence, Option<u32>) {
        let oldest = droppable(sent)
            .find_map(|index| sent.messages.get(index))
            .map_or(0.0, |message| self.message_size(message));
        let less = f64::from(reported) - f64::from(confirmed);
        let same = SAME.min(oldest / 2.0);
        let verdict = if less <= same {
            Verdict::Truncated
        } else if less >= oldest * (1.0 - OLDEST_SPREAD) - SAME {
            Verdict::Fits
        } else {
            Verdict::Suspect
        };
        (verdict, Evidence::ConfirmedWithoutOldest { reported, without: confirmed, oldest }, None)
    }
}

fn without_oldest(sent: &Sent) -> Result<Confirming, CannotConfirm> {
    let oldest = droppable(sent).next().ok_or(CannotConfirm::TooFewMessages)?;
    let role = |index: usize| sent.messages.get(index).map(|message| message.role);
    if role(oldest + 1) == Some(Role::Tool) {
        return Err(CannotConfirm::PartsCallFromResult);
    }
    let indices = (0..sent.messages.len()).filter(|index| *index != oldest).collect();
    Ok(Confirming { indices, way: ConfirmingWay::WithoutOldest })
}
