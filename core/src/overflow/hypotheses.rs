//! What could have happened, weighed: everything was read, or a part was lost in one of the ways that servers have.
//!
//! Each hypothesis says which count it would have led to, and how surely. The one under which the reported count is
//! least surprising gains; Bayes' rule does the rest. A window `w` that the server is known to exceed (it has read more
//! before) can't have cut anything, so a conversation that shrank below what was read once is never doubted.

use super::window_prior::WindowPrior;

/// What is known when a count has to be judged, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    /// What the server reported.
    pub(super) reported: f64,
    /// What the whole request should take, and its standard deviation.
    pub(super) expected: f64,
    pub(super) spread: f64,
    /// The most that the server is known to have read at once: no smaller window cuts.
    pub(super) held: f64,
    /// What the server never drops at message level: the system messages, the last message, tools and template.
    pub(super) kept: f64,
    /// The largest message that could be dropped.
    pub(super) largest: f64,
    /// What is new since the last request, and its standard deviation, if the conversation only grew.
    pub(super) added: Option<(f64, f64)>,
    /// The model thinks: its template may drop its own old reasoning, so that a count falls honestly.
    pub(super) thinking: bool,
}

/// How a part can get lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Loss {
    /// The oldest messages were dropped, so many of them; `tokens` in all, the youngest of them of `last` tokens.
    Oldest { messages: usize, tokens: f64, last: f64 },
    /// System and last message alone don't fit, and half of this window was kept.
    Half { window: f64 },
    /// They don't fit, and the prompt was cut to the whole of this window.
    Edge { window: f64 },
    /// Something in between was dropped so that the rest fits this window.
    Middle { window: f64 },
    /// The count is too low to be believed, in none of the ways that we know.
    Unexplained,
}

/// The outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weighing {
    /// How probable a loss is, from 0 to 1.
    pub(super) probability: f64,
    /// How it would have happened most probably.
    pub(super) loss: Loss,
    /// The count most probably leaves out what the server's cache held, and says nothing.
    pub(super) only_uncached: bool,
    /// How much more probable that is than a loss.
    pub(super) uncached_to_lost: f64,
}

/// How sure a guess of a message's size is, as a share of it.
const SIZE_SPREAD: f64 = 0.1;

/// How often a server that can't keep system and last message whole keeps half of its window (Ollama from 0.30.11), all
/// of it (older ones), or all but one token (0.30.0 to 0.30.10).
const KEEPS_HALF: f64 = 0.5;
const KEEPS_ALL: f64 = 0.1;
const KEEPS_ALL_BUT_ONE: f64 = 0.005;

/// How often a server cuts by tokens, wherever the messages begin, and keeps half of its window or all of it.
const CUTS_TOKENS: f64 = 0.1;

/// How often a server leaves messages out of the middle (LM Studio cuts there, by default).
const CUTS_MIDDLE: f64 = 0.05;

/// How often a count is too low for a reason that we did not think of.
const UNEXPLAINED: f64 = 1e-4;

/// How often a server counts only what was not in its cache.
const COUNTS_UNCACHED: f64 = 0.01;

/// How often a thinking model's template drops old reasoning between two requests.
const DROPS_REASONING: f64 = 0.05;

/// Weighs what could have happened. `droppable` are the sizes of the messages that a server may drop, oldest first.
pub(super) fn weigh(seen: Seen, droppable: impl Iterator<Item = f64>, prior: WindowPrior) -> Weighing {
    let Seen { reported, expected, spread, held, kept, largest, added, thinking } = seen;
    let fits_window = prior.at_least(reported.max(held));
    let mut whole = density(reported - expected, spread) * fits_window;
    let mut best = (0.0, Loss::Unexplained);
    let mut lost = 0.0;
    let mut add = |likelihood: f64, loss: Loss| {
        lost += likelihood;
        if likelihood > best.0 {
            best = (likelihood, loss);
        }
    };

    let mut tokens = 0.0;
    for (index, size) in droppable.enumerate() {
        tokens += size;
        let total = reported + tokens;
        // The window holds what was kept, but not the youngest dropped message with it.
        let window = prior.between(reported.max(held), reported + size);
        if total > held {
            let spread = spread.hypot(SIZE_SPREAD * tokens);
            let loss = Loss::Oldest { messages: index + 1, tokens, last: size };
            add(density(total - expected, spread) * window, loss);
        }
        if total > expected + 12.0 * spread.hypot(SIZE_SPREAD * tokens) {
            break;
        }
    }

    let kept_spread = spread.hypot(SIZE_SPREAD * kept);
    // Cut token by token, in one of these ways, if either the part that is never dropped or, at another server, the
    // whole is larger than the window.
    let mut token_level = |window: f64, how_often: f64, loss: Loss| {
        if window >= held {
            let chance = prior.between(window - 0.5, window + 0.5);
            let reason = how_often * above(window, kept, kept_spread);
            add(chance * (reason + CUTS_TOKENS * how_often * above(window, expected, spread)), loss);
        }
    };
    for off in [2.0, 3.0] {
        let window = 2.0 * (reported - off);
        token_level(window, KEEPS_HALF, Loss::Half { window });
    }
    token_level(reported, KEEPS_ALL, Loss::Edge { window: reported });
    token_level(reported + 1.0, KEEPS_ALL_BUT_ONE, Loss::Edge { window: reported + 1.0 });
    if largest >= 1.0 {
        let from = reported.max(held);
        let to = reported + largest;
        let chance = prior.between(from, to) / largest * above(reported, expected, spread);
        let window = prior.standing_out(from, to).map_or(to, f64::from);
        add(CUTS_MIDDLE * chance, Loss::Middle { window });
    }
    if reported < expected {
        let anywhere = fits_window / expected.max(1.0);
        add(UNEXPLAINED * anywhere, Loss::Unexplained);
        if thinking {
            whole += DROPS_REASONING * anywhere;
        }
    }
    let uncached = added.map_or(0.0, |(added, spread)| {
        COUNTS_UNCACHED * density(reported - added, spread) * prior.at_least(held)
    });
    Weighing {
        probability: lost / (lost + whole + uncached).max(f64::MIN_POSITIVE),
        loss: best.1,
        only_uncached: uncached > lost + whole,
        uncached_to_lost: uncached / lost.max(f64::MIN_POSITIVE),
    }
}

/// Student's t with five degrees of freedom: estimates are off by a lot more often than a normal distribution thinks.
fn density(off: f64, spread: f64) -> f64 {
    let spread = spread.max(1.0);
    let z = off / spread;
    0.379_606_7 / spread / (1.0 + z * z / 5.0).powi(3)
}

/// The probability that something expected to be so large is larger than `limit` (a logistic stands in for a normal).
fn above(limit: f64, expected: f64, spread: f64) -> f64 {
    1.0 / (1.0 + (1.702 * (limit - expected) / spread.max(1.0)).exp())
}
