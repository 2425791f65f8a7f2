//! Fitting the estimator: how rare letters are, by counting; what everything weighs, by regression.
//!
//! Two kinds of samples go in. The *given* ones are what the estimator is for; they alone make the tables of rarity,
//! and they alone are scored. Our *own* ones (samples/own.jsonl.gz) were written for this: blanks, rulers, frames, emoji
//! and scripts that the given ones don't have. They weigh a tenth, so that what is never seen gets a sane weight.

pub mod prior;
pub mod render;
pub mod solve;
pub mod tally;

use crate::samples::Sample;
use brimline_core::tokens::rarity::Rarity;
use brimline_core::tokens::{Family, Features};
use prior::Prior;
use solve::{Loss, Row};

/// How firmly a weight is expected to be as in the prior. All six numbers: the best of some tries by cross-validation.
const FIRM: f64 = 1e-3;
/// How firmly weights of neighbours are expected to be alike.
const TIE: f64 = 3e-3;
/// The relative error from which on a text pulls with constant force, where the family is known.
const ROBUST_KNOWN: f64 = 0.05;
/// The same where the family isn't known: families differ by more than that, and the far ones must not be given up.
const ROBUST_UNKNOWN: f64 = 0.3;
/// How much one of our own samples matters beside a given one.
const OWN_MATTER: f64 = 0.1;
/// How much more a floor above the truth matters than one below.
const FLOOR_STEEPNESS: f64 = 300.0;
/// What the fitted floor is taken times: in five-fold cross-validation, and on texts of other kinds, none was above the
/// truth by more than this leaves room for.
const FLOOR_SAFETY: f64 = 0.62;

/// Everything that the estimator embeds.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// How rare letters are after each other.
    pub rarity: Rarity,
    /// One column for each of [`Family::KNOWN`], and the one for an unknown family.
    pub weights: Vec<Vec<f64>>,
    /// The floor under all families.
    pub floor: Vec<f64>,
}

/// The families that an estimate for an unknown one is fitted to and scored by: those that samples count.
pub const COUNTED: [Family; 6] =
    [Family::Qwen25, Family::Llama31, Family::Gemma3, Family::DeepseekV3, Family::GptOss, Family::Llama2];

/// The families in the order of the columns.
pub fn columns() -> impl Iterator<Item = Family> {
    Family::KNOWN.into_iter().chain([Family::Unknown])
}

/// Fits everything.
pub fn fit(given: &[&Sample], own: &[Sample]) -> Fitted {
    let rarity = tally::rarity(given.iter().map(|sample| sample.text.as_str()));
    let all: Vec<(&Sample, f64)> = given
        .iter()
        .map(|sample| (*sample, 1.0))
        .chain(own.iter().map(|sample| (sample, OWN_MATTER)))
        .collect();
    let features: Vec<Features> =
        all.iter().map(|(sample, _)| Features::with(&sample.text, &rarity)).collect();
    let rows = |truth: &dyn Fn(&Sample) -> Option<u32>| -> Vec<Row> {
        let counted = all.iter().zip(&features);
        counted
            .filter_map(|((sample, matter), features)| {
                Some(Row::new(features, f64::from(truth(sample)?), *matter))
            })
            .collect()
    };
    let by_family: Vec<Vec<Row>> =
        Family::KNOWN.iter().map(|family| rows(&|sample| sample.tokens_of(*family))).collect();
    let prior = Prior::new(FIRM, TIE);
    let mut weights: Vec<Vec<f64>> =
        by_family.iter().map(|rows| solve::weights(rows, &prior, Loss::Robust(ROBUST_KNOWN))).collect();
    let mixed: Vec<Row> = by_family.into_iter().take(COUNTED.len()).flatten().collect();
    weights.push(solve::weights(&mixed, &prior, Loss::Robust(ROBUST_UNKNOWN)));
    let least = rows(&|sample| COUNTED.iter().filter_map(|family| sample.tokens_of(*family)).min());
    let floor = solve::weights(&least, &prior.scaled(0.5), Loss::Below(FLOOR_STEEPNESS));
    let floor = floor.into_iter().map(|weight| weight * FLOOR_SAFETY).collect();
    Fitted { rarity, weights, floor }
}

/// How far off the estimate of one text was, by a fit that had not seen it.
#[derive(Debug, Clone)]
pub struct Miss<'a> {
    /// The text.
    pub sample: &'a Sample,
    /// Which estimator it was.
    pub column: Family,
    /// (estimate − truth) / truth. For an unknown family there is one miss for each truth.
    pub error: f64,
    /// The floor as a share of the truth.
    pub floor: f64,
}

impl Fitted {
    /// How far off each column is on one text.
    pub fn misses<'a>(&self, sample: &'a Sample) -> Vec<Miss<'a>> {
        let features = Features::with(&sample.text, &self.rarity);
        let mut misses = Vec::new();
        for (column, weights) in columns().zip(&self.weights) {
            let truths = if column == Family::Unknown { COUNTED.to_vec() } else { vec![column] };
            for truth in truths {
                let Some(tokens) = sample.tokens_of(truth) else { continue };
                let row = Row::new(&features, f64::from(tokens), 1.0);
                let (error, floor) = (row.estimate(weights) - 1.0, row.estimate(&self.floor));
                misses.push(Miss { sample, column, error, floor });
            }
        }
        misses
    }
}

/// Cross-validation: each of `folds` parts is estimated by a fit of the others.
pub fn cross_validate<'a>(given: &'a [Sample], own: &[Sample], folds: usize) -> Vec<Miss<'a>> {
    let mut misses = Vec::new();
    for fold in 0..folds {
        let (held, learnt): (Vec<_>, Vec<_>) =
            given.iter().enumerate().partition(|(index, _)| index % folds == fold);
        let learnt: Vec<&Sample> = learnt.into_iter().map(|(_, sample)| sample).collect();
        let fitted = fit(&learnt, own);
        misses.extend(held.into_iter().flat_map(|(_, sample)| fitted.misses(sample)));
    }
    misses
}
