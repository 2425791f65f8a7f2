//! Bytes of a file, or words of a model, as text that may stand in a result.

/// How much of a file is looked at to tell text from anything else. The same 8,000 bytes that git looks at, rounded.
pub(super) const SNIFFED_BYTES: usize = 8 * 1024;

/// How long a line may be in a result of `Read`, in bytes. A minified file has one line of a megabyte.
pub(super) const LINE_BYTES: usize = 600;

/// How much text one result holds at most, in bytes, whatever the model asks for: about 10,000 tokens.
pub(super) const RESULT_BYTES: usize = 40_000;

/// The longest piece of the model's own words that an error repeats, in characters.
const QUOTED_CHARACTERS: usize = 80;

/// Whether these first bytes of a file are no text: a NUL is among them, or a third of them isn't UTF-8.
///
/// A text in an older 8-bit encoding passes: a few of its letters are unreadable, the rest is worth reading.
pub(super) fn looks_binary(bytes: &[u8]) -> bool {
    let bytes = bytes.get(..SNIFFED_BYTES).unwrap_or(bytes);
    let unreadable: usize = bytes.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    bytes.contains(&0) || unreadable * 3 > bytes.len()
}

/// Bytes as text, and whether all of them could be read. What could not is shown as `�`.
///
/// NULs count as unreadable: a server that handles strings as C does would end the prompt at the first one.
pub(super) fn readable(bytes: &[u8]) -> (String, bool) {
    let text = String::from_utf8_lossy(bytes);
    let whole = matches!(text, std::borrow::Cow::Borrowed(_)) && !bytes.contains(&0);
    (text.replace('\0', "\u{fffd}"), whole)
}

/// How many of these bytes can be kept if only `limit` may be, without cutting within a character.
pub(super) fn character_boundary(bytes: &[u8], limit: usize) -> usize {
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    // A character has at most four bytes. More that look like the middle of one are no UTF-8, and can be cut anywhere.
    let limit = limit.min(bytes.len());
    (limit.saturating_sub(3)..=limit).rev().find(|at| !continues(*at)).unwrap_or(limit)
}

/// The model's own words, short and on one line, to be repeated in an error.
pub(super) fn quoted(words: &str) -> String {
    let mut quoted: String = words
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .take(QUOTED_CHARACTERS)
        .collect();
    if words.chars().nth(QUOTED_CHARACTERS).is_some() {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_text_from_anything_else() {
        assert!(!looks_binary(b""));
        assert!(!looks_binary("ça marche\n".as_bytes()));
        assert!(!looks_binary(b"caf\xe9 cr\xe8me")); // Latin-1
        assert!(looks_binary(b"\x89PNG\r\n\x1a\n\0\0"));
        assert!(looks_binary(&[0xf0, 0xe1, 0xd2, 0xc3, b'a']));
        assert!(!looks_binary(&[vec![b'a'; SNIFFED_BYTES], vec![0]].concat()));
    }

    #[test]
    fn what_cannot_be_read_is_marked() {
        assert_eq!(readable("é".as_bytes()), ("é".to_owned(), true));
        assert_eq!(readable(b"caf\xe9"), ("caf\u{fffd}".to_owned(), false));
        assert_eq!(readable(b"a\0b"), ("a\u{fffd}b".to_owned(), false));
    }

    #[test]
    fn never_cuts_within_a_character() {
        let text = "a😀é".as_bytes();
        let kept: Vec<usize> = (0..=8).map(|limit| character_boundary(text, limit)).collect();
        assert_eq!(kept, [0, 1, 1, 1, 1, 5, 5, 7, 7]);
        assert_eq!(character_boundary(&[0x80; 9], 5), 5);
    }

    #[test]
    fn repeats_words_shortly_and_on_one_line() {
        assert_eq!(quoted("a\nb"), "a b");
        assert_eq!(quoted(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
    }
}
