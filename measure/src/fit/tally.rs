//! Counts which letters follow which, and makes the tables of surprise of it.

use brimline_core::tokens::Features;
use brimline_core::tokens::rarity::{BIGRAMS, CHARACTERS, Rarity, Surprise, TRIGRAMS};

/// Codes a letter can have.
const CODES: usize = 32;
/// How many sightings the frequency of a shorter sequence is worth beside those of a longer one.
const BACK_OFF: f64 = 4.0;
/// The most surprise that a table says, in half bits: one in four thousand.
const MOST: f64 = 24.0;

/// What was seen.
struct Tally {
    latin: Vec<u32>,
    alphabet: Vec<u32>,
    punctuation: Vec<u32>,
    han: Vec<u32>,
}

#[expect(clippy::indexing_slicing, reason = "the scan masks every index to the length of its table")]
impl Surprise for &mut Tally {
    fn latin(&mut self, index: usize) -> u32 {
        self.latin[index] += 1;
        0
    }

    fn alphabet(&mut self, index: usize) -> u32 {
        self.alphabet[index] += 1;
        0
    }

    fn punctuation(&mut self, index: usize) -> u32 {
        self.punctuation[index] += 1;
        0
    }

    fn han(&mut self, index: usize) -> usize {
        self.han[index & (CHARACTERS - 1)] += 1;
        0
    }
}

/// The tables, from texts.
pub fn rarity<'a>(texts: impl Iterator<Item = &'a str>) -> Rarity {
    let mut tally = Tally {
        latin: vec![0; TRIGRAMS],
        alphabet: vec![0; TRIGRAMS],
        punctuation: vec![0; BIGRAMS],
        han: vec![0; CHARACTERS],
    };
    for text in texts {
        Features::with(text, &mut tally);
    }
    let mut rarity = Rarity {
        latin: [0; TRIGRAMS],
        alphabet: [0; TRIGRAMS],
        punctuation: [0; BIGRAMS],
        han: [0; CHARACTERS],
    };
    surprise_of_three(&tally.latin, &mut rarity.latin);
    surprise_of_three(&tally.alphabet, &mut rarity.alphabet);
    let single = sums(&tally.punctuation);
    for (pairs, row) in tally.punctuation.chunks(CODES).zip(rarity.punctuation.chunks_mut(CODES)) {
        let total: u32 = pairs.iter().sum();
        for ((pair, alone), out) in pairs.iter().zip(&single).zip(row) {
            let shorter = (f64::from(*alone) + 0.5) / (f64::from(single.iter().sum::<u32>()) + 16.0);
            *out = half_bits(mixed(*pair, total, shorter));
        }
    }
    let mut order: Vec<u32> = tally.han.iter().copied().filter(|count| *count > 0).collect();
    order.sort_unstable();
    for (count, out) in tally.han.iter().zip(&mut rarity.han) {
        *out = match count {
            0 | 1 => 0,
            2..=7 => 1,
            8..=39 => 2,
            40.. => 3,
        };
    }
    rarity
}

/// How often each last code was seen.
fn sums(table: &[u32]) -> Vec<u32> {
    let mut sums = vec![0; CODES];
    for row in table.chunks(CODES) {
        for (sum, count) in sums.iter_mut().zip(row) {
            *sum += count;
        }
    }
    sums
}

fn mixed(seen: u32, of: u32, shorter: f64) -> f64 {
    (f64::from(seen) + BACK_OFF * shorter) / (f64::from(of) + BACK_OFF)
}

fn half_bits(probability: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and MOST")]
    let half_bits = (-2.0 * probability.log2()).round().clamp(0.0, MOST) as u8;
    half_bits
}

fn surprise_of_three(seen: &[u32], out: &mut [u8]) {
    let single = sums(seen);
    let all = f64::from(single.iter().sum::<u32>());
    // By the last two codes, whatever comes before them.
    let mut pairs = vec![0; CODES * CODES];
    for plane in seen.chunks(CODES * CODES) {
        for (sum, count) in pairs.iter_mut().zip(plane) {
            *sum += count;
        }
    }
    for (plane, out) in seen.chunks(CODES * CODES).zip(out.chunks_mut(CODES * CODES)) {
        for ((row, pair_row), out) in plane.chunks(CODES).zip(pairs.chunks(CODES)).zip(out.chunks_mut(CODES))
        {
            let (of, pair_of) = (row.iter().sum(), pair_row.iter().sum());
            for (((seen, pair), alone), out) in row.iter().zip(pair_row).zip(&single).zip(out) {
                let one = (f64::from(*alone) + 0.5) / (all + 16.0);
                *out = half_bits(mixed(*seen, of, mixed(*pair, pair_of, one)));
            }
        }
    }
}
