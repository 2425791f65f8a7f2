//! An answer that ended at the window's edge: the prompt was read whole, but it left too little room to answer.
//!
//! A server that may not shift stops there and says `length`, the same word as for an answer that reached `max_tokens`.
//! What tells them apart are the counts: fewer tokens were written than were allowed, and with the prompt they fill a
//! window. A server or proxy that caps its answers by itself stops early too, so the sum has to be one that windows have.

use super::detector::Detector;
use crate::wire::Usage;

/// A server may stop so many tokens before its edge.
const OFF_BY: u32 = 2;

/// Windows that nobody told are multiples of one of these.
const UNITS: [u32; 2] = [1_000, 1_024];

impl Detector {
    /// The window that an answer filled, if it ended at the edge, in tokens. `max_tokens` is what it was allowed; call
    /// this for an answer that ended with `length` only.
    pub fn edge_reached(&self, usage: &Usage, max_tokens: u32) -> Option<u32> {
        let (prompt, completion) = (usage.prompt_tokens?, usage.completion_tokens?);
        if completion.saturating_add(OFF_BY) >= max_tokens || prompt == 0 {
            return None;
        }
        let filled = prompt.saturating_add(completion);
        let known = self.settings.window.filter(|window| filled.abs_diff(*window) <= OFF_BY);
        let round = || {
            let multiple = |unit: u32| (filled + OFF_BY / 2) / unit * unit;
            UNITS
                .map(multiple)
                .into_iter()
                .find(|window| *window >= UNITS[1] && filled.abs_diff(*window) <= OFF_BY / 2)
        };
        known.or_else(round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overflow::DetectorSettings;
    use crate::tokens::Family;

    fn usage(prompt: u32, completion: u32) -> Usage {
        Usage { prompt_tokens: Some(prompt), cached_tokens: None, completion_tokens: Some(completion) }
    }

    #[test]
    fn a_sum_that_is_a_window_is_the_edge_and_a_cap_of_the_servers_own_is_not() {
        let detector = |window| {
            Detector::new(Family::Unknown, DetectorSettings { window, ..DetectorSettings::default() })
        };
        let cases = [
            (None, usage(4_090, 6), 1_024, Some(4_096)),
            (None, usage(5_988, 12), 1_500, Some(6_000)),
            (None, usage(4_090, 5), 1_024, Some(4_096)),
            // Reached what it was allowed.
            (None, usage(3_072, 1_024), 1_024, None),
            // A proxy that allows 512.
            (None, usage(777, 512), 1_024, None),
            (Some(4_391), usage(4_380, 11), 1_024, Some(4_391)),
            (None, usage(4_380, 11), 1_024, None),
            (None, Usage::default(), 1_024, None),
        ];
        for (told, usage, max_tokens, edge) in cases {
            assert_eq!(detector(told).edge_reached(&usage, max_tokens), edge, "{usage:?}");
        }
    }
}
