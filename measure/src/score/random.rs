//! Numbers that look random and are the same everywhere: what is generated must not change under the scores.

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `from` up to, but not including, `to`.
    pub fn between(&mut self, from: usize, to: usize) -> usize {
        let span = u64::try_from(to.saturating_sub(from)).unwrap_or(u64::MAX).max(1);
        from + usize::try_from(self.bits() % span).unwrap_or(0)
    }

    /// One of these.
    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        #[expect(
            clippy::indexing_slicing,
            reason = "the index is under the length; every list here has an item"
        )]
        &choices[self.between(0, choices.len())]
    }
}
