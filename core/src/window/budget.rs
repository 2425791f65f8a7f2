//! How a window is shared out between the prompt and the answer.

use serde::{Deserialize, Serialize};

/// A window shared out, all in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The whole window.
    pub window: u32,
    /// Room kept for the answer; also the `max_tokens` that is sent.
    pub reserve: u32,
    /// Room for the prompt: the window less the reserve.
    pub available: u32,
}

impl Budget {
    /// Shares `window` out: `reserve = max(1, min(max_tokens, floor(share × window)))`, and the rest is available.
    pub fn new(window: u32, max_tokens: u32, reserve_share: f64) -> Self {
        // The cast saturates and takes a NaN as 0, both of which the bounds below put right.
        let largest = (reserve_share * f64::from(window)).floor() as u32;
        let reserve = max_tokens.min(largest).max(1);
        Self { window, reserve, available: window.saturating_sub(reserve).max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_is_kept_for_the_answer() {
        let budgets = [4_096, 16_000, 32_768].map(|window| Budget::new(window, 100_000, 0.25));
        assert_eq!(
            budgets,
            [
                Budget { window: 4_096, reserve: 1_024, available: 3_072 },
                Budget { window: 16_000, reserve: 4_000, available: 12_000 },
                Budget { window: 32_768, reserve: 8_192, available: 24_576 },
            ]
        );
    }

    #[test]
    fn max_tokens_caps_the_reserve() {
        let budget = Budget::new(32_768, 2_000, 0.25);
        assert_eq!(budget, Budget { window: 32_768, reserve: 2_000, available: 30_768 });
    }

    #[test]
    fn nothing_is_ever_zero() {
        for (window, max_tokens) in [(0, 0), (1, 1), (3, 100), (4_096, 0)] {
            let budget = Budget::new(window, max_tokens, 0.25);
            assert!(budget.reserve >= 1 && budget.available >= 1, "{budget:?}");
        }
    }
}
