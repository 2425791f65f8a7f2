//! What a weight is taken to be before any sample speaks, and which weights are taken to be alike.
#![expect(clippy::indexing_slicing, reason = "every place is below PLACES, the length of all vectors here")]

use brimline_core::tokens::layout::{
    BLANK_BUCKETS, HAN, PARTS, PLACES, PUNCT_BUCKETS, RUN_BUCKETS, SPACE_BUCKETS, WORD_BUCKETS, WORD_KINDS,
    WORD_STEP, WORDS,
};

/// The penalty on weights: how far each is from its prior, and how far those that are alike are from each other.
#[derive(Debug, Clone)]
pub struct Prior {
    /// The expected weights, in tokens a piece.
    pub mean: Vec<f64>,
    /// How firmly each is expected.
    pub firm: Vec<f64>,
    /// Pairs of places whose weights differ from their priors alike, and how firmly.
    pub ties: Vec<(usize, usize, f64)>,
}

impl Prior {
    /// The prior of all families. `firm` scales all of it.
    pub fn new(firm: f64, tie: f64) -> Self {
        let mut prior = Self { mean: vec![0.0; PLACES], firm: vec![firm; PLACES], ties: Vec::new() };
        let mut at = 0;
        for (name, len) in PARTS {
            for offset in 0..*len {
                prior.mean[at + offset] = mean(name, offset);
            }
            let row = match *name {
                "WORDS" => WORD_BUCKETS,
                "PUNCT_RUNS" => PUNCT_BUCKETS,
                "RUNS" => RUN_BUCKETS,
                "BLANKS" => BLANK_BUCKETS,
                "SPACES" => SPACE_BUCKETS,
                _ => 0,
            };
            if row > 0 {
                for place in at..at + len - 1 {
                    if (place - at) % row != row - 1 {
                        prior.ties.push((place, place + 1, tie));
                    }
                }
            }
            if *name == "WORDS" {
                for place in 0..WORD_BUCKETS {
                    for kind in 1..WORD_KINDS {
                        prior.ties.push((WORDS + place, WORDS + kind * WORD_BUCKETS + place, tie * 0.3));
                    }
                }
            }
            if matches!(*name, "SPACES" | "PUNCT_RUNS") {
                for place in at..at + row {
                    prior.ties.push((place, place + row, tie));
                }
            }
            at += len;
        }
        prior.ties.push((HAN, HAN + 1, tie));
        prior
    }

    /// The same with all expected weights taken times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        let mean = self.mean.iter().map(|mean| mean * factor).collect();
        Self { mean, ..self.clone() }
    }
}

fn mean(part: &str, offset: usize) -> f64 {
    match part {
        "WORDS" => {
            let bits = (offset % WORD_BUCKETS) as f64 * f64::from(WORD_STEP) / 2.0;
            (bits / 14.0).max(0.9)
        }
        "WORD_EXCESS" => 0.5 / 10.0,
        "PUNCT_BEFORE_LETTER" => 0.7,
        "PUNCT_ALONE" => 1.0,
        "PUNCT_RUNS" => 1.0 + 0.1 * (offset % PUNCT_BUCKETS) as f64,
        "PUNCT_EXCESS" => 0.1,
        "RUNS" => 1.0 + 0.15 * (offset % RUN_BUCKETS) as f64,
        "RUN_LENGTH" => 1.0 / 64.0,
        "SPACES" => 1.0,
        "BLANKS" => 0.7,
        "BLANK_LENGTH" => 1.0 / 80.0,
        "SPACE_LENGTH" => 1.0 / 80.0,
        "SPACE_BEFORE" => 0.2,
        "TABS" => 0.7,
        "LINES" => {
            if offset < 5 {
                1.0
            } else {
                0.5
            }
        }
        "RETURNS" => 0.3,
        "DIGIT_RUNS" => 1.0,
        "DIGIT_GROUPS" => 0.5,
        "DIGITS" => 0.3,
        "ACCENTS" => 0.1,
        "CYRILLIC" => 0.05,
        "LETTERS_OF_TWO" => 0.3,
        "LETTERS_OF_THREE" => 0.6,
        "HAN" => 1.0,
        "HIRAGANA" | "KATAKANA" => {
            if offset == 0 {
                0.6
            } else {
                0.3
            }
        }
        "HANGUL" => {
            if offset == 0 {
                0.8
            } else {
                0.2
            }
        }
        "WIDE" => 0.9,
        "FIRM_SPACES" | "TYPOGRAPHY" | "FRAMES" => 1.0,
        "SYMBOLS" => {
            if offset == 0 {
                1.0
            } else {
                1.8
            }
        }
        "EMOJI" => {
            if offset == 0 {
                1.7
            } else {
                2.0
            }
        }
        "JOINERS" => 1.0,
        "RARE" => 3.0,
        "CONTROL" => 1.0,
        _ => 0.0,
    }
}
