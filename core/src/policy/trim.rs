//! Trim: shorten one tool result when it is produced.

/// A shortened text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trimmed {
    /// Head, marker and tail.
    pub text: String,
    /// Estimated tokens left out of the middle.
    pub left_out: u32,
}

/// The share of the room that the head gets: what a tool says first is what it was asked for.
const HEAD_SHARE: f64 = 0.6;

/// A line longer than this many bytes may be cut within: minified files have one line.
const LONGEST_PIECE: usize = 160;

/// Shortens `text` to `limit` tokens as `count` counts them, or gives `None` if it has no more than that.
///
/// Head and tail stay, whole lines where lines are of a sane length; a marker between them says how much was left out,
/// which lines, and how to read them. Where not even the marker fits, the marker alone is left.
pub fn trim(text: &str, limit: f64, count: impl Fn(&str) -> f64) -> Option<Trimmed> {
    let total = count(text);
    if total <= limit {
        return None;
    }
    let pieces: Vec<(&str, f64)> = pieces(text).map(|piece| (piece, count(piece))).collect();
    let marker_room = count(&marker(u32::MAX, text.len(), text.len(), text.len()));
    let mut room = (limit - marker_room).max(0.0);
    loop {
        let trimmed = keep_ends(text, &pieces, room, total);
        // Counting is not quite additive: where the joint made the text too long, try with a little less.
        if room < 1.0 || count(&trimmed.text) <= limit {
            return Some(trimmed);
        }
        room *= 0.9;
    }
}

/// Head and tail of at most `room` tokens together, with the marker between them.
fn keep_ends(text: &str, pieces: &[(&str, f64)], room: f64, total: f64) -> Trimmed {
    let (head_bytes, head_tokens) = take_while_fits(pieces.iter(), room * HEAD_SHARE);
    let (tail_bytes, tail_tokens) = take_while_fits(pieces.iter().rev(), room - head_tokens);
    // Both ends are sums of whole pieces and together smaller than the text, which did not fit: they don't overlap.
    let (head, rest) = text.split_at(head_bytes);
    let (middle, tail) = rest.split_at(rest.len().saturating_sub(tail_bytes));
    let left_out = (total - head_tokens - tail_tokens).max(0.0).round() as u32;
    let first_line = head.matches('\n').count() + 1;
    let last_line = first_line + middle.trim_end_matches('\n').matches('\n').count();
    let marker = marker(left_out, first_line, last_line, text.lines().count());
    let joint = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    Trimmed { text: format!("{head}{joint}{marker}{tail}"), left_out }
}

/// Bytes and tokens of the longest run of pieces that fits `room`.
fn take_while_fits<'a>(pieces: impl Iterator<Item = &'a (&'a str, f64)>, room: f64) -> (usize, f64) {
    let mut taken = (0, 0.0);
    for (piece, tokens) in pieces {
        if taken.1 + tokens > room {
            break;
        }
        taken = (taken.0 + piece.len(), taken.1 + tokens);
    }
    taken
}

fn marker(left_out: u32, first_line: usize, last_line: usize, lines: usize) -> String {
    format!(
        "[… about {left_out} tokens left out here: lines {first_line} to {last_line} of the {lines} of this result. \
         To see them, run the tool again for that part only: Read with offset and limit, Grep or Glob with a narrower \
         pattern. …]\n"
    )
}

/// The lines of a text with their ends, long ones in pieces.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (piece, after) = rest.split_at(rest.floor_char_boundary(LONGEST_PIECE));
            rest = after;
            Some(piece)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn four_bytes_a_token(text: &str) -> f64 {
        text.len() as f64 / 4.0
    }

    #[test]
    fn a_result_that_fits_is_left_alone() {
        assert_eq!(trim("short\n", 100.0, four_bytes_a_token), None);
    }

    #[test]
    fn head_and_tail_stay_and_the_marker_says_what_is_missing() {
        let text: String = (1..=60).map(|n| format!("{n:>3} some line\n")).collect();
        let trimmed = trim(&text, 100.0, four_bytes_a_token);
        assert_eq!(
            trimmed,
            Some(Trimmed {
                text: "  1 some line\n  2 some line\n  3 some line\n  4 some line\n  5 some line\n  6 some line\n  7 some l\
                       ine\n  8 some line\n[… about 165 tokens left out here: \
                       lines 9 to 55 of the 60 of this result. To see them, run the tool again for that part only: \
                       Read with offset and limit, Grep or Glob with a narrower pattern. …]\n 56 some line\n \
                       57 some line\n 58 some line\n 59 some line\n 60 some line\n"
                    .into(),
                left_out: 165,
            })
        );
    }

    #[test]
    fn one_endless_line_is_cut_within() {
        let text = "x".repeat(10_000);
        let trimmed = trim(&text, 200.0, four_bytes_a_token).unwrap();
        assert!(trimmed.text.starts_with("xxxx") && trimmed.text.ends_with("xxxx"));
        assert!(four_bytes_a_token(&trimmed.text) <= 200.0);
    }

    proptest! {
        #[test]
        fn never_longer_than_the_limit_and_made_of_the_ends(text in "(\\PC{0,40}\n){0,60}\\PC{0,400}", limit in 0.0..400.0f64) {
            match trim(&text, limit, four_bytes_a_token) {
                None => prop_assert!(four_bytes_a_token(&text) <= limit),
                Some(trimmed) => {
                    let (head, rest) = trimmed.text.split_once("[… about ").unwrap();
                    let tail = rest.rsplit_once(" …]\n").unwrap().1;
                    prop_assert!(text.starts_with(head.trim_end_matches('\n')));
                    prop_assert!(text.ends_with(tail));
                    let only_the_marker = head.is_empty() && tail.is_empty();
                    prop_assert!(only_the_marker || four_bytes_a_token(&trimmed.text) <= limit);
                }
            }
        }
    }
}
