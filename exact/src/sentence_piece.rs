//! Merges out of scores. SentencePiece joins the two neighbours whose joined piece has the best score; a list of merges in
//! the order of the scores does the same.

use std::cmp::Ordering;
use std::collections::HashMap;

/// What stands for a blank in a piece.
pub(crate) const BLANK: &str = "\u{2581}";

/// All ways to join two pieces of a vocabulary into a third, best first.
pub(crate) fn merges(scores: &HashMap<&str, f32>) -> Vec<(String, String)> {
    let mut ways: Vec<(f32, &str, &str)> = Vec::new();
    for (piece, score) in scores {
        let cuts = piece.char_indices().skip(1).filter_map(|(at, _)| piece.split_at_checked(at));
        let known = cuts.filter(|(left, right)| scores.contains_key(left) && scores.contains_key(right));
        ways.extend(known.map(|(left, right)| (*score, left, right)));
    }
    // Pieces of one score are told apart somehow, but always in the same way.
    ways.sort_unstable_by(|a, b| match b.0.total_cmp(&a.0) {
        Ordering::Equal => (a.1, a.2).cmp(&(b.1, b.2)),
        unequal @ (Ordering::Less | Ordering::Greater) => unequal,
    });
    ways.into_iter().map(|(_, left, right)| (left.to_owned(), right.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_score_comes_first() {
        let scores =
            [("a", 0.0), ("b", 0.0), ("c", 0.0), ("ab", -2.0), ("bc", -1.0), ("abc", -3.0), ("xyz", 0.0)];
        let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        assert_eq!(
            merges(&scores.into_iter().collect()),
            [pair("b", "c"), pair("a", "b"), pair("a", "bc"), pair("ab", "c")]
        );
    }
}
