//! The regular expression of a `Grep`, and how large a file it may search.
//!
//! The engine never backtracks, but it steps through every copy that a count makes: `[a-z]{0,999}` three times is 3,000
//! copies, and each byte of a long line may keep all of them busy. A search can be stopped between two files, not within
//! one. So the more copies, the smaller the largest file that is searched.

use super::numbers::grouped;
use super::text::quoted;
use regex::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// How large a pattern may become once it is compiled, in bytes: `(a{1000}){1000}` is refused, not tried.
const MOST_COMPILED_BYTES: usize = 4 * 1024 * 1024;

/// The largest file that is searched, in bytes, whatever the pattern.
pub(super) const MOST_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// How many copies the counts of a pattern may make. So many still search files of 64 kB, as large as source files get.
const MOST_COPIES: u64 = 500;

/// Copies times bytes that one file may cost. Up to 90 ns each were measured, natively and optimised for size: 3 s.
const MOST_STEPS: u64 = 32_000_000;

/// A pattern that is ready to search.
#[derive(Debug)]
pub(super) struct LinePattern {
    /// It, compiled.
    pub(super) regex: Regex,
    /// The largest file that it searches, in bytes.
    pub(super) most_file_bytes: u64,
}

/// Compiles a pattern, or says what is wrong with it in a sentence.
pub(super) fn compile(pattern: &str, ignore_case: bool) -> Result<LinePattern, String> {
    let refuse = |why: &str, instead: &str| {
        format!(
            "The pattern `{}` is no regular expression that can be used: {why}. {instead}",
            quoted(pattern)
        )
    };
    let regex = RegexBuilder::new(pattern)
        .case_insensitive(ignore_case)
        .size_limit(MOST_COMPILED_BYTES)
        .build()
        .map_err(|error| {
            let words = error.to_string();
            // A syntax error comes as a drawing with an arrow; what it says is its last line.
            let last = words.lines().next_back().unwrap_or_default().trim_start_matches("error: ");
            refuse(
                last.trim_end_matches('.'),
                "A special character is meant literally after a backslash, as in `main\\(`; look-around and \
                 backreferences are not supported.",
            )
        })?;
    let parsed = ParserBuilder::new().case_insensitive(ignore_case).build().parse(pattern);
    // What the engine compiled, its own parser has read: there is no other error to tell here.
    let made = parsed.map_or(0, |hir| copies(&hir, 1));
    if made > MOST_COPIES {
        let why =
            format!("its counts make {} copies, and at most {MOST_COPIES} can be searched", grouped(made));
        return Err(refuse(&why, "Use smaller counts, or `*` and `+`."));
    }
    let most_file_bytes = MOST_FILE_BYTES.min(MOST_STEPS / made.max(1));
    Ok(LinePattern { regex, most_file_bytes })
}

/// How many characters or classes stand under counts, each as often as it is counted.
fn copies(part: &Hir, times: u64) -> u64 {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(_) | HirKind::Class(_) if times == 1 => 0,
        HirKind::Literal(literal) => times.saturating_mul(literal.0.len() as u64),
        HirKind::Class(_) => times,
        HirKind::Capture(capture) => copies(&capture.sub, times),
        HirKind::Repetition(repetition) => {
            let counted = u64::from(repetition.max.unwrap_or(repetition.min)).max(1);
            copies(&repetition.sub, times.saturating_mul(counted))
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(0, |sum: u64, part| sum.saturating_add(copies(part, times)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(pattern: &str) -> u64 {
        copies(&regex_syntax::parse(pattern).unwrap(), 1)
    }

    #[test]
    fn copies_are_what_counts_make() {
        let ways = [
            ("fn main", 0),
            (r"\w+\s*\(.*\)?", 0),
            ("TODO.{0,200}fix", 200),
            (r"\d{4}-\d{2}-\d{2}", 8),
            ("[a-z]{3,}", 3),
            ("(abc|[de]){10}", 40),
            ("([ab]{10}){20}", 200),
            ("[a-z]{0,999}[a-z]{0,999}[a-z]{0,999}y", 2_997),
        ];
        for (pattern, expected) in ways {
            assert_eq!(made(pattern), expected, "{pattern}");
        }
    }

    fn searches(pattern: &str) -> Result<u64, String> {
        compile(pattern, false).map(|pattern| pattern.most_file_bytes)
    }

    #[test]
    fn the_more_copies_the_smaller_the_files() {
        assert_eq!(searches("fn main"), Ok(4_194_304));
        assert_eq!(searches(r"\d{4}-\d{2}-\d{2}"), Ok(4_000_000));
        assert_eq!(searches("TODO.{0,200}fix"), Ok(160_000));
        assert_eq!(searches("x{0,500}y"), Ok(64_000));
        assert!(compile("x{0,501}y", true).is_err());
        assert_eq!(
            searches("[a-z]{0,999}[a-z]{0,999}[a-z]{0,999}y"),
            Err("The pattern `[a-z]{0,999}[a-z]{0,999}[a-z]{0,999}y` is no regular expression that can be used: its \
                 counts make 2,997 copies, and at most 500 can be searched. Use smaller counts, or `*` and `+`."
                .to_owned())
        );
    }

    #[test]
    fn says_what_is_wrong_with_a_pattern() {
        let hint = "A special character is meant literally after a backslash, as in `main\\(`; look-around and \
                    backreferences are not supported.";
        let ways = [
            ("main(", "unclosed group"),
            ("(?=x)", "look-around, including look-ahead and look-behind, is not supported"),
            ("(a{1000}){1000}", "Compiled regex exceeds size limit of 4194304 bytes"),
        ];
        for (pattern, why) in ways {
            assert_eq!(
                searches(pattern),
                Err(format!(
                    "The pattern `{pattern}` is no regular expression that can be used: {why}. {hint}"
                ))
            );
        }
    }
}
