//! Exact counts: where the size of the whole prompt was counted with the model's own vocabulary before it was sent, the
//! server's count needs no estimate to be judged. It is the same, or something is missing.

use super::detector::{Detector, droppable};
use super::evidence::Evidence;
use super::sent::Sent;
use super::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// What exact counts are worth with this server, as far as was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Exactness {
    /// None was compared yet.
    #[default]
    Untried,
    /// The server's counts are ours, and so many more (fewer, if negative).
    Proven {
        /// In tokens: a first token that we didn't know of, the start of the answer.
        more: i32,
    },
    /// The server read more than we counted, or all of a prompt that we counted as larger: its vocabulary or its
    /// template is another one.
    Wrong,
}

/// The server may always count so many tokens more or fewer than we: what a template does once.
const ALWAYS: i64 = 3;

/// Once that is known, counts may differ by so many.
const SAME: i64 = 1;

/// No message is shorter than so many tokens, its marks included.
const SMALLEST: f64 = 4.0;

impl Detector {
    /// Whether an exact count would be made use of.
    pub fn takes_exact_counts(&self) -> bool {
        self.exactness != Exactness::Wrong
    }

    /// What the server's count should be, if the prompt was counted exactly.
    pub(super) fn exact(&self, sent: &Sent) -> Option<u32> {
        match self.exactness {
            Exactness::Untried => sent.exact,
            Exactness::Proven { more } => sent.exact?.checked_add_signed(more),
            Exactness::Wrong => None,
        }
    }

    /// The verdict on a count of a prompt that was counted exactly. Learns what such counts are worth.
    pub(super) fn judge_exactly(&mut self, sent: &Sent, reported: u32) -> Option<(Verdict, Evidence)> {
        let exact = self.exact(sent)?;
        let short = i64::from(exact) - i64::from(reported);
        let proven = self.exactness != Exactness::Untried;
        let verdict = if short.abs() <= if proven { SAME } else { ALWAYS } {
            Verdict::Fits
        } else if short < 0 {
            self.exactness = Exactness::Wrong;
            return None;
        } else if proven && short as f64 >= self.smallest_loss(sent) {
            Verdict::Truncated
        } else {
            // Either the first count that is compared, so that ours may be at fault, or less than a message is missing.
            Verdict::Suspect
        };
        Some((verdict, Evidence::CountedExactly { reported, exact }))
    }

    /// A count is believed: if it is not the exact one, exact counts are worth nothing here.
    pub(super) fn compare_exactly(&mut self, sent: &Sent, reported: u32) {
        let Some(exact) = sent.exact else { return };
        let more = i64::from(reported) - i64::from(exact);
        self.exactness = match self.exactness {
            Exactness::Untried if more.abs() <= ALWAYS => Exactness::Proven { more: more as i32 },
            Exactness::Proven { more: known } if (more - i64::from(known)).abs() <= SAME => self.exactness,
            Exactness::Untried | Exactness::Proven { .. } | Exactness::Wrong => Exactness::Wrong,
        };
    }

    /// The least that is missing if anything is, in tokens: half of the smallest message that could be dropped, since
    /// its size is an estimate.
    fn smallest_loss(&self, sent: &Sent) -> f64 {
        droppable(sent)
            .filter_map(|index| sent.messages.get(index))
            .map(|message| self.message_size(message) / 2.0)
            .fold(f64::INFINITY, f64::min)
            .max(SMALLEST)
    }
}
