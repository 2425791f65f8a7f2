//! The two rules that others use, kept to be measured against: the baseline of the design, and "reported less than half
//! of the estimate". The detector uses neither.
//!
//! ```
//! use brimline_core::conversation::Purpose;
//! use brimline_core::overflow::{Counted, baseline};
//!
//! let before = Counted { reported: 4_057, estimate: 4_000.0 };
//! let now = Counted { reported: 4_024, estimate: 4_568.0 };
//! assert!(baseline(Purpose::Turn, Some(before), now));
//! ```

use crate::conversation::Purpose;

/// What a server reported for a request, and what we estimated, both in tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// The server's count.
    pub reported: u32,
    /// Our estimate.
    pub estimate: f64,
}

/// Growth under this share of the estimate means truncated.
const SHARE: f64 = 0.1;

/// The least growth, in estimated tokens, that the rule judges.
const LEAST_GROWTH: f64 = 200.0;

/// The same for a compaction request, which adds only its question.
const LEAST_COMPACTION_GROWTH: f64 = 50.0;

/// The least first request, in estimated tokens, that the rule judges.
const LEAST_FIRST: f64 = 500.0;

/// Whether the baseline rule calls a request truncated: it grew by less than a tenth of what was added, or, as a first
/// request, counts less than a tenth of the estimate.
pub fn baseline(purpose: Purpose, before: Option<Counted>, now: Counted) -> bool {
    let Some(before) = before else {
        return now.estimate >= LEAST_FIRST && f64::from(now.reported) < SHARE * now.estimate;
    };
    let least = match purpose {
        Purpose::Turn | Purpose::Confirmation => LEAST_GROWTH,
        Purpose::Compaction => LEAST_COMPACTION_GROWTH,
    };
    let added = now.estimate - before.estimate;
    added >= least && f64::from(now.reported) - f64::from(before.reported) < SHARE * added
}

/// Whether "reported less than half of the estimate" calls a request truncated.
pub fn half_of_estimate(now: Counted) -> bool {
    f64::from(now.reported) < now.estimate / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(reported: u32, estimate: f64) -> Counted {
        Counted { reported, estimate }
    }

    #[test]
    fn growth_under_a_tenth_is_truncated_from_200_estimated_tokens_on() {
        let before = Some(counted(1_000, 1_000.0));
        for (now, truncated) in [
            (counted(1_019, 1_200.0), true),
            (counted(1_020, 1_200.0), false),
            (counted(900, 1_199.0), false),
            (counted(900, 1_200.0), true),
        ] {
            assert_eq!(baseline(Purpose::Turn, before, now), truncated, "{now:?}");
        }
    }

    #[test]
    fn a_compaction_request_is_judged_from_50_on() {
        let before = Some(counted(1_000, 1_000.0));
        assert!(baseline(Purpose::Compaction, before, counted(1_000, 1_050.0)));
        assert!(!baseline(Purpose::Compaction, before, counted(1_000, 1_049.0)));
        assert!(!baseline(Purpose::Turn, before, counted(1_000, 1_050.0)));
    }

    #[test]
    fn a_first_request_is_judged_by_its_ratio() {
        assert!(baseline(Purpose::Turn, None, counted(63, 3_975.0)));
        assert!(!baseline(Purpose::Turn, None, counted(3_725, 6_204.0)));
        assert!(!baseline(Purpose::Turn, None, counted(10, 499.0)));
    }

    #[test]
    fn half_of_the_estimate_misses_the_articles_conversation() {
        assert!(!half_of_estimate(counted(3_725, 6_204.0)));
        assert!(half_of_estimate(counted(63, 3_975.0)));
    }
}
