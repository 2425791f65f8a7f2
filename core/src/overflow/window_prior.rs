//! Which windows servers have, before anything was seen: mostly powers of two, some thousands.

/// The smallest and the largest window that is thought of, in tokens.
const SMALLEST: f64 = 512.0;
const LARGEST: f64 = 1_048_576.0;

/// What remains for a window of any odd size (`num_ctx` can be set to anything), spread evenly over the orders of
/// magnitude.
const ODD: f64 = 0.1;

/// What is held for multiples of 1,000 and of 1,024 that are no powers of two, larger ones less each.
const THOUSANDS: f64 = 0.1;
const LARGEST_THOUSANDS: f64 = 132.0;

/// What is held for round windows. 4,096 and 32,768 are Ollama's defaults (under and over 24 GiB of video memory),
/// 262,144 its default from 48 GiB on, 2,048 its older one; 4,096 to 32,768 are what people set most.
const ROUND: [(u32, f64); 10] = [
    (1_024, 0.01),
    (2_048, 0.04),
    (4_096, 0.25),
    (8_192, 0.20),
    (16_384, 0.14),
    (32_768, 0.14),
    (65_536, 0.08),
    (131_072, 0.08),
    (262_144, 0.05),
    (524_288, 0.01),
];

/// Twice the sum of 1/2 to 1/132, so that the shares of the thousands add up.
const THOUSANDS_TOGETHER: f64 = 8.927_6;

/// What is held for the window that the server itself told, or that was measured. It may be wrong: a model can be
/// loaded anew with another one.
const TOLD: f64 = 0.8;

/// How probable each window is.
#[derive(Debug, Clone, Copy)]
pub(super) struct WindowPrior {
    told: Option<u32>,
}

impl WindowPrior {
    /// With the window that the server told, if it did.
    pub(super) fn new(told: Option<u32>) -> Self {
        Self { told }
    }

    /// The probability that the window is at least `from` and under `to` tokens.
    pub(super) fn between(self, from: f64, to: f64) -> f64 {
        if to <= from {
            return 0.0;
        }
        let within = |window: f64| (from..to).contains(&window);
        let standing_out: f64 =
            self.standing_out_most().filter(|(window, _)| within(*window)).map(|(_, p)| p).sum();
        let multiples = |thousand: f64| {
            let first = (from / thousand).ceil().clamp(2.0, LARGEST_THOUSANDS) as u32;
            let times = (first..=LARGEST_THOUSANDS as u32).map(f64::from);
            let from_there = times.skip_while(move |times| times * thousand < from);
            from_there.take_while(move |times| times * thousand < to).map(|times| 1.0 / times).sum::<f64>()
        };
        let thousands = (multiples(1_000.0) + multiples(1_024.0)) / THOUSANDS_TOGETHER;
        let (from, to) = (from.clamp(SMALLEST, LARGEST), to.clamp(SMALLEST, LARGEST));
        let odd = (to / from).ln() / (LARGEST / SMALLEST).ln();
        standing_out + self.untold() * (ODD * odd + THOUSANDS * thousands)
    }

    /// The probability that the window is at least so large.
    pub(super) fn at_least(self, tokens: f64) -> f64 {
        self.between(tokens, f64::INFINITY).max(f64::MIN_POSITIVE)
    }

    /// The window that stands out between `from` and `to` tokens, the most probable if there are several: a power of two
    /// or the one that was told.
    pub(super) fn standing_out(self, from: f64, to: f64) -> Option<u32> {
        self.standing_out_most()
            .filter(|(window, _)| (from..=to).contains(window))
            .max_by(|left, right| left.1.total_cmp(&right.1))
            .map(|(window, _)| window as u32)
    }

    /// Powers of two and the told window, with their probabilities.
    fn standing_out_most(self) -> impl Iterator<Item = (f64, f64)> {
        let untold = self.untold();
        let share = move |share: f64| share * (1.0 - ODD - THOUSANDS) * untold;
        let round = ROUND.into_iter().map(move |(window, of_round)| (f64::from(window), share(of_round)));
        round.chain(self.told.map(|window| (f64::from(window), TOLD)))
    }

    fn untold(self) -> f64 {
        if self.told.is_some() { 1.0 - TOLD } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_windows_together_are_certain() {
        for prior in [WindowPrior::new(None), WindowPrior::new(Some(10_000))] {
            assert!((prior.at_least(1.0) - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn a_round_window_outweighs_its_neighbourhood_and_the_told_one_outweighs_both() {
        let prior = WindowPrior::new(None);
        assert!(prior.between(4_000.0, 4_097.0) > 20.0 * prior.between(4_097.0, 4_194.0));
        let told = WindowPrior::new(Some(6_000));
        assert!(told.between(5_990.0, 6_010.0) > told.between(4_000.0, 4_100.0));
        assert_eq!(told.standing_out(4_000.0, 7_000.0), Some(6_000));
        assert_eq!(prior.standing_out(4_097.0, 8_191.0), None);
    }
}
