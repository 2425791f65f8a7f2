//! What a text is made of: the counts that every estimate is weighed from.

use super::layout::PLACES;
use super::rarity::{Rarity, Surprise};
use super::scan::scan;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::AddAssign;
use std::sync::Arc;

/// What a text is made of. Counted once and kept with the message: those of two texts add up, and another family or a
/// calibration weighs them anew without reading the text again. A clone shares the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Features(Arc<[u32; PLACES]>);

impl Features {
    /// Looks at a text, once, byte after byte.
    pub fn of(text: &str) -> Self {
        Self::with(text, Rarity::embedded())
    }

    /// The same by another table of how rare letters are after each other: for fitting.
    pub fn with(text: &str, rarity: impl Surprise) -> Self {
        let mut counts = [0; PLACES];
        scan(text, rarity, &mut counts);
        Self(Arc::new(counts))
    }

    /// The counts, in the order of the layout.
    pub fn counts(&self) -> &[u32; PLACES] {
        &self.0
    }
}

impl Default for Features {
    fn default() -> Self {
        Self(Arc::new([0; PLACES]))
    }
}

impl AddAssign for Features {
    fn add_assign(&mut self, other: Self) {
        *self += &other;
    }
}

impl AddAssign<&Self> for Features {
    fn add_assign(&mut self, other: &Self) {
        for (count, more) in Arc::make_mut(&mut self.0).iter_mut().zip(*other.0) {
            *count = count.saturating_add(more);
        }
    }
}

/// Most counts of a text are zero: only the others are written, each after its place.
impl Serialize for Features {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counted = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        serializer.collect_seq(counted.flat_map(|(place, count)| [place as u64, u64::from(*count)]))
    }
}

impl<'de> Deserialize<'de> for Features {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Vec::<u32>::deserialize(deserializer)?;
        let mut counts = [0; PLACES];
        let (pairs, rest) = written.as_chunks();
        if !rest.is_empty() {
            return Err(D::Error::custom("a place without its count"));
        }
        for [place, count] in pairs {
            let slot = usize::try_from(*place).ok().and_then(|place| counts.get_mut(place));
            *slot
                .ok_or_else(|| D::Error::custom("a count of something that this version does not know"))? =
                *count;
        }
        Ok(Self(Arc::new(counts)))
    }
}
