//! Which window we believe in, and why.

use serde::{Deserialize, Serialize};

/// The window that is assumed when nobody told and nothing was measured, in tokens: Ollama's default under 24 GiB of
/// video memory. Too low only clears early; too high would switch the three steps off.
pub const ASSUMED_WINDOW: u32 = 4_096;

/// Where a window comes from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WindowSource {
    /// The server proved it, by refusing more or by dropping what was beyond it. It caps what the others say.
    Proven,
    /// The user set it.
    Set,
    /// The server told it (a native endpoint or its catalogue).
    Told,
    /// *Check my server* measured it, or the counts of a run showed it.
    Measured,
    /// Nobody knows: [`ASSUMED_WINDOW`], with a warning.
    Assumed,
}

/// A window and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Its size in tokens.
    pub tokens: u32,
    /// Where it comes from.
    pub source: WindowSource,
}

/// All that is known about the window, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowBelief {
    /// What the user set.
    pub set: Option<u32>,
    /// What the server told.
    pub told: Option<u32>,
    /// What was measured.
    pub measured: Option<u32>,
    /// What the server proved to be its window, and the run goes by since.
    #[serde(default)]
    pub proven: Option<u32>,
}

/// A source that proves a smaller window than the one that is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowConflict {
    /// The window that is used.
    pub used: Window,
    /// The smaller one, and who says so.
    pub smaller: Window,
}

impl WindowBelief {
    /// The window to use: set by the user, else told by the server, else measured, else assumed; but no larger than the
    /// server proved it to be.
    pub fn window(&self) -> Window {
        let assumed = Window { tokens: ASSUMED_WINDOW, source: WindowSource::Assumed };
        let said = self.known().next().unwrap_or(assumed);
        match self.proven {
            Some(tokens) if (1..said.tokens).contains(&tokens) => {
                Window { tokens, source: WindowSource::Proven }
            }
            Some(_) | None => said,
        }
    }

    /// The server tells its window. Another one than before means that the model was loaded anew, so what was measured and
    /// proven of the old one counts no more.
    pub fn tell(&mut self, told: Option<u32>) {
        if told.is_some() && self.told.is_some() && told != self.told {
            (self.measured, self.proven) = (None, None);
        }
        self.told = told;
    }

    /// The smallest window that another source vouches for, if it is smaller than the one that is used.
    pub fn conflict(&self) -> Option<WindowConflict> {
        let used = self.window();
        let smaller =
            self.known().filter(|window| window.tokens < used.tokens).min_by_key(|window| window.tokens)?;
        Some(WindowConflict { used, smaller })
    }

    /// The windows that somebody vouches for, best source first. A window of zero is nobody's word.
    fn known(&self) -> impl Iterator<Item = Window> {
        [
            (self.set, WindowSource::Set),
            (self.told, WindowSource::Told),
            (self.measured, WindowSource::Measured),
        ]
        .into_iter()
        .filter_map(|(tokens, source)| {
            tokens.filter(|&tokens| tokens > 0).map(|tokens| Window { tokens, source })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_source_wins() {
        let all =
            WindowBelief { set: Some(8_192), told: Some(4_096), measured: Some(4_000), proven: Some(3_900) };
        assert_eq!(all.window(), Window { tokens: 3_900, source: WindowSource::Proven });
        let all = WindowBelief { proven: Some(9_000), ..all };
        let windows = [
            all.window(),
            WindowBelief { set: None, ..all }.window(),
            WindowBelief { set: None, told: None, ..all }.window(),
            WindowBelief::default().window(),
        ];
        assert_eq!(
            windows,
            [
                Window { tokens: 8_192, source: WindowSource::Set },
                Window { tokens: 4_096, source: WindowSource::Told },
                Window { tokens: 4_000, source: WindowSource::Measured },
                Window { tokens: 4_096, source: WindowSource::Assumed },
            ]
        );
    }

    #[test]
    fn a_smaller_window_from_a_lower_source_is_a_conflict() {
        let belief = WindowBelief {
            set: Some(128_000),
            told: Some(4_096),
            measured: Some(4_070),
            ..WindowBelief::default()
        };
        assert_eq!(
            belief.conflict(),
            Some(WindowConflict {
                used: Window { tokens: 128_000, source: WindowSource::Set },
                smaller: Window { tokens: 4_070, source: WindowSource::Measured },
            })
        );
        assert_eq!(WindowBelief { set: Some(4_000), ..belief }.conflict(), None);
        assert_eq!(WindowBelief::default().conflict(), None);
    }

    #[test]
    fn another_told_window_makes_the_old_proof_void() {
        let mut belief =
            WindowBelief { set: None, told: Some(4_096), measured: Some(4_070), proven: Some(4_096) };
        belief.tell(Some(4_096));
        assert_eq!(belief.proven, Some(4_096));
        belief.tell(Some(16_384));
        assert_eq!(belief, WindowBelief { told: Some(16_384), ..WindowBelief::default() });
    }
}
