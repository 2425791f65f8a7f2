//! Where a number of tokens lies on the page: upwards from the baseline what is in the window, downwards what the server
//! dropped, both on one scale.
//!
//! A window that is far larger than what it holds would leave nothing to see: then the empty stretch is folded, and a
//! mark shows where.

/// The height of a folded stretch, in pixels.
const FOLDED: f64 = 56.0;

/// How many times as large as what it holds a window is before its empty stretch is folded.
const FOLD_FROM: f64 = 6.0;

/// The scale of the picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    baseline: f64,
    pixels_per_token: f64,
    above: Stretch,
    below: Stretch,
}

/// One side of the baseline.
#[derive(Debug, Clone, PartialEq)]
struct Stretch {
    /// Tokens that are drawn on the scale.
    plain: f64,
    /// Tokens in all.
    all: f64,
    /// Pixels for the rest.
    folded: f64,
}

impl Stretch {
    fn new(plain: f64, all: f64) -> Self {
        if plain < all { Self { plain, all, folded: FOLDED } } else { Self { plain: all, all, folded: 0.0 } }
    }

    fn pixels(&self, tokens: f64, pixels_per_token: f64) -> f64 {
        let plain = tokens.min(self.plain) * pixels_per_token;
        let rest = self.all - self.plain;
        if rest > 0.0 {
            plain + (tokens - self.plain).max(0.0) / rest * self.folded
        } else {
            plain + (tokens - self.plain).max(0.0) * pixels_per_token
        }
    }
}

impl Axis {
    /// A scale for `top` tokens above the baseline, of which `busy` matter, and `bottom` below it, in `height` pixels that
    /// begin at `y`.
    pub(super) fn new(top: f64, busy: f64, bottom: f64, y: f64, height: f64) -> Self {
        let busy = busy.max(1.0);
        let above =
            if top > busy * FOLD_FROM { Stretch::new(busy * 1.2, top) } else { Stretch::new(top, top) };
        let below = if bottom > above.plain * 2.0 {
            Stretch::new(above.plain, bottom)
        } else {
            Stretch::new(bottom, bottom)
        };
        let plain = (above.plain + below.plain).max(1.0);
        let pixels_per_token = (height - above.folded - below.folded).max(0.0) / plain;
        let baseline = y + above.pixels(top, pixels_per_token);
        Self { baseline, pixels_per_token, above, below }
    }

    /// The line on which the window stands.
    pub(super) fn baseline(&self) -> f64 {
        self.baseline
    }

    /// The line that is that many tokens above the baseline.
    pub(super) fn above(&self, tokens: f64) -> f64 {
        self.baseline - self.above.pixels(tokens, self.pixels_per_token)
    }

    /// The line that is that many tokens below the baseline.
    pub(super) fn below(&self, tokens: f64) -> f64 {
        self.baseline + self.below.pixels(tokens, self.pixels_per_token)
    }

    /// Where a stretch is folded, from top to bottom.
    pub(super) fn folds(&self) -> Vec<f64> {
        let above = (self.above.folded > 0.0).then(|| self.above(self.above.plain));
        let below = (self.below.folded > 0.0).then(|| self.below(self.below.plain));
        above.into_iter().chain(below).collect()
    }

    /// The round numbers of tokens to write beside the scale, lowest first: four to seven of them.
    pub(super) fn round_numbers(&self) -> Vec<u32> {
        let step = round_step(self.above.plain / 6.0);
        let numbers = (0..).map(|index| f64::from(index) * step);
        // Casts a small whole number that is not negative.
        numbers.take_while(|&tokens| tokens <= self.above.plain).map(|tokens| tokens as u32).collect()
    }
}

/// The next 1, 2, 2.5 or 5 with zeros behind it.
fn round_step(at_least: f64) -> f64 {
    let power = 10_f64.powf(at_least.max(1.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0].map(|digit| digit * power);
    steps.into_iter().find(|&step| step >= at_least && step.fract() == 0.0).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn one_scale_on_both_sides() {
        let axis = Axis::new(4_000.0, 3_000.0, 1_000.0, 20.0, 500.0);
        let lines = [axis.above(4_000.0), axis.above(1_000.0), axis.baseline(), axis.below(1_000.0)];
        assert_eq!(lines, [20.0, 320.0, 420.0, 520.0]);
        assert_eq!(axis.folds(), Vec::<f64>::new());
        assert_eq!(axis.round_numbers(), [0, 1_000, 2_000, 3_000, 4_000]);
    }

    #[test]
    fn a_window_far_too_large_is_folded_above_what_it_holds() {
        let axis = Axis::new(128_000.0, 4_000.0, 1_000.0, 0.0, 346.0);
        let lines = [128_000.0, 4_800.0, 0.0].map(|tokens| axis.above(tokens));
        assert_eq!(lines, [0.0, 56.0, 296.0]);
        assert_eq!((axis.below(1_000.0), axis.folds()), (346.0, vec![56.0]));
    }

    #[test]
    fn a_loss_far_larger_than_the_window_is_folded_below_it() {
        let axis = Axis::new(4_000.0, 4_000.0, 60_000.0, 0.0, 456.0);
        let lines = [axis.above(4_000.0), axis.baseline(), axis.below(4_000.0), axis.below(60_000.0)];
        assert_eq!(lines, [0.0, 200.0, 400.0, 456.0]);
    }

    #[test]
    fn beyond_its_end_the_scale_goes_on() {
        let axis = Axis::new(4_000.0, 3_000.0, 0.0, 100.0, 400.0);
        assert_eq!(axis.above(4_500.0), 50.0);
    }
}
