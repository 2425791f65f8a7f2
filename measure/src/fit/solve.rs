//! Least squares of relative errors, with no weight below zero.
#![expect(clippy::indexing_slicing, reason = "every place is below PLACES, the length of all vectors here")]

use super::prior::Prior;
use brimline_core::tokens::Features;

/// One text: what it is made of, sparsely, divided by its exact count.
#[derive(Debug, Clone)]
pub struct Row {
    /// Place and share of each count.
    pub shares: Vec<(usize, f64)>,
    /// How much this text matters.
    pub matter: f64,
}

impl Row {
    /// For a text with `tokens` tokens.
    pub fn new(features: &Features, tokens: f64, matter: f64) -> Self {
        let counted = features.counts().iter().enumerate().filter(|(_, count)| **count > 0);
        Self { shares: counted.map(|(place, count)| (place, f64::from(*count) / tokens)).collect(), matter }
    }

    /// The estimate as a share of the truth.
    pub fn estimate(&self, weights: &[f64]) -> f64 {
        self.shares.iter().map(|(place, share)| share * weights[*place]).sum()
    }
}

/// What is least in the end.
#[derive(Debug, Clone, Copy)]
pub enum Loss {
    /// The square of the relative error up to this one, and from there on only a constant pull.
    Robust(f64),
    /// The square, taken this many times where the estimate is above the truth.
    Below(f64),
}

impl Loss {
    /// How much a text with this relative error matters in the next round of least squares.
    fn matter(self, error: f64) -> f64 {
        match self {
            Self::Robust(from) => (from / error.abs().max(1e-9)).min(1.0),
            Self::Below(steepness) if error > 0.0 => steepness,
            Self::Below(_) => 1.0,
        }
    }
}

/// The weights, none below zero, that make the loss of all rows and the prior's penalty least.
pub fn weights(rows: &[Row], prior: &Prior, loss: Loss) -> Vec<f64> {
    let mut weights = prior.mean.clone();
    for round in 0..8 {
        let (gram, target) = normal_equations(rows, prior, &weights, (round > 0).then_some(loss));
        descend(&gram, &target, &mut weights);
    }
    weights
}

fn normal_equations(
    rows: &[Row],
    prior: &Prior,
    weights: &[f64],
    loss: Option<Loss>,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let places = weights.len();
    let mut gram = vec![vec![0.0; places]; places];
    let mut target = vec![0.0; places];
    for row in rows {
        let matter = row.matter * loss.map_or(1.0, |loss| loss.matter(row.estimate(weights) - 1.0));
        for (place, share) in &row.shares {
            target[*place] += matter * share;
            let line = &mut gram[*place];
            for (other, more) in &row.shares {
                line[*other] += matter * share * more;
            }
        }
    }
    for place in 0..places {
        gram[place][place] += prior.firm[place];
        target[place] += prior.firm[place] * prior.mean[place];
    }
    for (one, other, firm) in &prior.ties {
        let apart = prior.mean[*one] - prior.mean[*other];
        gram[*one][*one] += firm;
        gram[*other][*other] += firm;
        gram[*one][*other] -= firm;
        gram[*other][*one] -= firm;
        target[*one] += firm * apart;
        target[*other] -= firm * apart;
    }
    (gram, target)
}

/// Coordinate descent: one weight after the other to its best value, until nothing moves.
fn descend(gram: &[Vec<f64>], target: &[f64], weights: &mut [f64]) {
    for _ in 0..300 {
        let mut moved = 0.0_f64;
        for place in 0..weights.len() {
            let line = &gram[place];
            if line[place] <= 0.0 {
                continue;
            }
            let pull: f64 = line.iter().zip(weights.iter()).map(|(entry, weight)| entry * weight).sum();
            let best = (weights[place] + (target[place] - pull) / line[place]).max(0.0);
            moved = moved.max((best - weights[place]).abs());
            weights[place] = best;
        }
        if moved < 1e-5 {
            break;
        }
    }
}
