//! The one pass over a text.
//!
//! It cuts the text where the tokenizers cut it before they look anything up (at spaces, digits, punctuation, scripts)
//! and counts the pieces by kind and size. No piece is looked up: a word is sorted by how surprising its letters are.
#![expect(
    clippy::indexing_slicing,
    reason = "every read is guarded by the loop around it, or masked to a table's length"
)]

use super::classes::{BYTES, Beyond, Byte};
use super::layout as at;
use super::layout::{PLACES, WordKind};
use super::rarity::Surprise;

/// What came before a piece, in the order of [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Space,
    Digit,
    Letter,
    Punctuation,
}

/// The kind of a word, by what came before it and how many capitals it begins with.
static KINDS: [[WordKind; 3]; 5] = [
    [WordKind::Glued, WordKind::GluedCapital, WordKind::Upper],
    [WordKind::Spaced, WordKind::SpacedCapital, WordKind::SpacedUpper],
    [WordKind::AfterDigit, WordKind::AfterDigit, WordKind::Upper],
    [WordKind::Camel, WordKind::Camel, WordKind::Upper],
    [WordKind::Glued, WordKind::GluedCapital, WordKind::Upper],
];

struct Scan<'a, S> {
    bytes: &'a [u8],
    at: usize,
    before: Before,
    surprise: S,
    counts: &'a mut [u32; PLACES],
}

/// Adds what `text` is made of to `counts`.
pub(super) fn scan<S: Surprise>(text: &str, surprise: S, counts: &mut [u32; PLACES]) {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, before: Before::Nothing, surprise, counts };
    while scan.at < scan.bytes.len() {
        match BYTES[usize::from(scan.bytes[scan.at])] {
            Byte::Letter => scan.word(),
            Byte::Digit => scan.digits(),
            Byte::Punctuation => scan.punctuation(),
            Byte::Space => scan.spaces(),
            Byte::Tab => scan.tabs(),
            Byte::Line => scan.lines(),
            Byte::Return => {
                scan.at += 1;
                scan.counts[at::RETURNS] += 1;
            }
            Byte::Control => {
                scan.at += 1;
                scan.counts[at::CONTROL] += 1;
                scan.before = Before::Punctuation;
            }
            Byte::High => scan.beyond_ascii(),
        }
    }
}

/// The step of length of a run of one character. Vocabularies have runs of some lengths and not of others.
fn run_bucket(length: usize) -> usize {
    match length {
        0..=4 => 0,
        5..=7 => 1,
        8 => 2,
        9..=15 => 3,
        16 => 4,
        17..=23 => 5,
        24..=31 => 6,
        32 => 7,
        33..=47 => 8,
        48..=64 => 9,
        65..=79 => 10,
        80 => 11,
        81..=128 => 12,
        129.. => 13,
    }
}

fn blank_bucket(length: usize) -> usize {
    match length {
        0..=1 => 0,
        2..=3 => 1,
        4..=5 => 2,
        6..=8 => 3,
        9..=16 => 4,
        17..=32 => 5,
        33..=48 => 6,
        49..=63 => 7,
        64.. => 8,
    }
}

fn space_bucket(length: usize) -> usize {
    match length {
        0..=7 => length.max(2) - 2,
        8 => 6,
        9..=10 => 7,
        11..=12 => 8,
        13..=15 => 9,
        16 => 10,
        17..=20 => 11,
        21..=24 => 12,
        25..=32 => 13,
        33..=40 => 14,
        41..=64 => 15,
        65..=80 => 16,
        81.. => 17,
    }
}

/// For runs of tabs and of line ends.
fn short_bucket(length: usize) -> usize {
    match length {
        0..=3 => length.max(1) - 1,
        4..=7 => 3,
        8.. => 4,
    }
}

impl<S: Surprise> Scan<'_, S> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads on while the byte is `byte`, and says how many there were.
    #[inline]
    fn run_of(&mut self, byte: u8) -> usize {
        let start = self.at;
        while self.peek() == Some(byte) {
            self.at += 1;
        }
        self.at - start
    }

    #[inline]
    fn count(&mut self, place: usize, many: usize) {
        self.counts[place] += many as u32;
    }

    /// Without a branch: how long words are can't be foretold, so every branch on it is dear.
    #[inline(always)]
    fn flush_word(&mut self, kind: WordKind, surprise: u32) {
        let kind = kind as usize;
        let bucket = (surprise / at::WORD_STEP).min(at::WORD_BUCKETS as u32 - 1) as usize;
        self.counts[at::WORD_EXCESS + kind] +=
            surprise.saturating_sub(at::WORD_BUCKETS as u32 * at::WORD_STEP);
        self.counts[at::WORDS + kind * at::WORD_BUCKETS + bucket] += 1;
    }

    /// A run of Latin letters, part by part: `readHTTPHeader` is `read`, `HTTP` and `Header`. And the words after it, as
    /// long as single spaces part them.
    fn word(&mut self) {
        loop {
            let read = self.part();
            match self.bytes[self.at..] {
                [b' ', next, ..] if next.is_ascii_alphabetic() => {
                    self.at += 1;
                    self.before = Before::Space;
                }
                [next, ..] if read && (next.is_ascii_alphabetic() || next >= 0xc3) => {
                    self.before = Before::Letter;
                }
                _ => break,
            }
        }
        self.before = Before::Letter;
    }

    /// One part of a word. Says whether it read anything.
    fn part(&mut self) -> bool {
        let bytes = self.bytes;
        let start = self.at;
        let mut at = start;
        let mut context = 0;
        let mut total = 0;
        let mut before_last = 0;
        while at < bytes.len() && bytes[at].is_ascii_uppercase() {
            before_last = total;
            context = (context << 5 | usize::from(bytes[at] & 31)) & 0x7fff;
            total += self.surprise.latin(context);
            at += 1;
        }
        let mut capitals = at - start;
        let mut accents = 0;
        if capitals > 1 && at < bytes.len() && bytes[at].is_ascii_lowercase() {
            // The last capital belongs to what follows.
            capitals -= 1;
            at -= 1;
            total = before_last;
            context >>= 5;
        } else {
            loop {
                while at < bytes.len() && bytes[at].is_ascii_lowercase() {
                    context = (context << 5 | usize::from(bytes[at] & 31)) & 0x7fff;
                    total += self.surprise.latin(context);
                    at += 1;
                }
                self.at = at;
                let Some((low, length)) = self.accented() else { break };
                context = (context << 5 | (27 + usize::from(low) % 5)) & 0x7fff;
                total += self.surprise.latin(context);
                at += length;
                accents += 1;
            }
        }
        self.at = at;
        if at == start {
            return false;
        }
        total += self.surprise.latin((context << 5) & 0x7fff);
        let kind = if accents > 0 {
            self.count(at::ACCENTS, accents);
            WordKind::Accented
        } else {
            KINDS[self.before as usize][capitals.min(2)]
        };
        self.flush_word(kind, total);
        true
    }

    /// If an accented Latin letter begins here: its last byte and its length.
    fn accented(&self) -> Option<(u8, usize)> {
        match self.bytes[self.at..] {
            [0xc3, 0x97 | 0xb7, ..] => None,
            [0xc3..=0xc8, low, ..] | [0xc9, low @ 0x80..=0x8f, ..] => Some((low, 2)),
            [0xe1, 0xb8..=0xbb, low, ..] => Some((low, 3)),
            _ => None,
        }
    }

    fn digits(&mut self) {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let length = self.at - start;
        self.count(at::DIGIT_RUNS + length.min(4) - 1, 1);
        if length > 3 {
            self.count(at::DIGITS, length);
            self.count(at::DIGIT_GROUPS, length.div_ceil(3));
        }
        self.before = Before::Digit;
    }

    fn punctuation(&mut self) {
        let next = self.bytes.get(self.at + 1).map_or(Byte::Line, |byte| BYTES[usize::from(*byte)]);
        if next != Byte::Punctuation {
            let code = punctuation_code(self.bytes[self.at]);
            self.surprise.punctuation(code);
            let before_letter = next == Byte::Letter;
            self.at += 1;
            self.count(if before_letter { at::PUNCT_BEFORE_LETTER } else { at::PUNCT_ALONE } + code, 1);
            self.before = Before::Punctuation;
            return;
        }
        let mut context = 0;
        let mut total = 0;
        let mut length = 0;
        let mut last = 0;
        while let Some(byte) = self.peek() {
            if BYTES[usize::from(byte)] != Byte::Punctuation {
                break;
            }
            if self.bytes.get(self.at + 1) == Some(&byte) && self.bytes[self.at..].starts_with(&[byte; 4]) {
                let run = self.run_of(byte);
                let kind = match byte {
                    b'-' => 0,
                    b'=' => 1,
                    b'*' | b'#' | b'_' | b'~' => 2,
                    _ => 3,
                };
                self.run(kind, run);
                continue;
            }
            self.at += 1;
            length += 1;
            last = punctuation_code(byte);
            context = (context << 5 | last) & 0x3ff;
            total += self.surprise.punctuation(context);
        }
        let before_letter = self.peek().is_some_and(|byte| byte.is_ascii_alphabetic());
        if length == 1 {
            self.count(if before_letter { at::PUNCT_BEFORE_LETTER } else { at::PUNCT_ALONE } + last, 1);
        } else if length > 1 {
            let bucket = (total / at::PUNCT_STEP) as usize;
            if bucket >= at::PUNCT_BUCKETS {
                self.counts[at::PUNCT_EXCESS] += total - at::PUNCT_STEP * at::PUNCT_BUCKETS as u32;
            }
            let place = usize::from(before_letter) * at::PUNCT_BUCKETS + bucket.min(at::PUNCT_BUCKETS - 1);
            self.count(at::PUNCT_RUNS + place, 1);
        }
        self.before = Before::Punctuation;
    }

    fn run(&mut self, kind: usize, length: usize) {
        self.count(at::RUNS + kind * at::RUN_BUCKETS + run_bucket(length), 1);
        if length > 128 {
            self.count(at::RUN_LENGTH + kind, length);
        }
    }

    fn spaces(&mut self) {
        let length = self.run_of(b' ');
        let next = self.peek().map_or(Byte::Line, |byte| BYTES[usize::from(byte)]);
        if next == Byte::Line && self.before == Before::Nothing && self.at < self.bytes.len() {
            self.at += 1;
            self.count(at::BLANKS + blank_bucket(length), 1);
            if length >= 64 {
                self.count(at::BLANK_LENGTH, length);
            }
            return;
        }
        if length == 1 {
            let place = match next {
                Byte::Letter => None,
                Byte::Punctuation | Byte::Control => Some(0),
                Byte::Digit => Some(1),
                Byte::Space | Byte::Tab | Byte::Line | Byte::Return => Some(2),
                Byte::High => Some(3),
            };
            if let Some(place) = place {
                self.count(at::SPACE_BEFORE + place, 1);
            }
        } else {
            let at_end = matches!(next, Byte::Line | Byte::Return);
            self.count(at::SPACES + usize::from(at_end) * at::SPACE_BUCKETS + space_bucket(length), 1);
            if length > 80 {
                self.count(at::SPACE_LENGTH, length);
            }
        }
        self.before = Before::Space;
    }

    fn tabs(&mut self) {
        let length = self.run_of(b'\t');
        self.count(at::TABS + short_bucket(length), 1);
        if length >= 8 {
            self.count(at::TAB_LENGTH, length);
        }
        self.before = Before::Punctuation;
    }

    fn lines(&mut self) {
        let after_punctuation = self.before == Before::Punctuation;
        let length = self.run_of(b'\n');
        self.count(at::LINES + 5 * usize::from(after_punctuation) + short_bucket(length), 1);
        if length >= 8 {
            self.count(at::LINE_LENGTH, length);
        }
        self.before = Before::Nothing;
    }

    /// The character that begins here, and its length.
    fn decode(&self) -> (u32, usize) {
        let byte = |offset: usize| u32::from(self.bytes.get(self.at + offset).copied().unwrap_or(0));
        let low = |offset: usize| byte(offset) & 0x3f;
        match byte(0) {
            lead @ 0..=0xdf => ((lead & 0x1f) << 6 | low(1), 2),
            lead @ 0xe0..=0xef => ((lead & 0xf) << 12 | low(1) << 6 | low(2), 3),
            lead => ((lead & 7) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
        }
    }

    fn beyond_ascii(&mut self) {
        let (code, length) = self.decode();
        let class = Beyond::of(code);
        match class {
            Beyond::Accented => self.word(),
            Beyond::Cyrillic => self.alphabet(class, at::CYRILLIC, WordKind::Cyrillic),
            Beyond::LetterOfTwo => self.alphabet(class, at::LETTERS_OF_TWO, WordKind::OtherAlphabet),
            Beyond::LetterOfThree => self.alphabet(class, at::LETTERS_OF_THREE, WordKind::OtherAlphabet),
            Beyond::Han => {
                self.count(at::HAN_RUNS, 1);
                self.stretch(class, |scan, code| {
                    let common = scan.surprise.han(code as usize);
                    scan.count(at::HAN + common, 1);
                });
            }
            Beyond::Hiragana => {
                self.count(at::HIRAGANA + 1, 1);
                self.stretch(class, |scan, _| scan.count(at::HIRAGANA, 1));
            }
            Beyond::Katakana => {
                self.count(at::KATAKANA + 1, 1);
                self.stretch(class, |scan, _| scan.count(at::KATAKANA, 1));
            }
            Beyond::Hangul => {
                self.count(at::HANGUL + 1, 1);
                self.stretch(class, |scan, _| scan.count(at::HANGUL, 1));
            }
            Beyond::WidePunctuation => self.one(at::WIDE, code, length),
            Beyond::FullWidth => self.one(at::WIDE + 1, code, length),
            Beyond::Typography => self.one(at::TYPOGRAPHY, code, length),
            Beyond::Frame => self.one(at::FRAMES, code, length),
            Beyond::FirmSpace => self.one(at::FIRM_SPACES, code, length),
            Beyond::SymbolOfTwo => self.one(at::SYMBOLS, code, length),
            Beyond::SymbolOfThree => self.one(at::SYMBOLS + 1, code, length),
            Beyond::EmojiOfThree => self.one(at::EMOJI, code, length),
            Beyond::EmojiOfFour => self.one(at::EMOJI + 1, code, length),
            Beyond::Joiner => self.one(at::JOINERS, code, length),
            Beyond::Selector => self.one(at::JOINERS + 1, code, length),
            Beyond::Rare => self.one(at::RARE, code, length),
        }
    }

    /// A character that stands for itself, or a run of at least four of it.
    fn one(&mut self, place: usize, code: u32, length: usize) {
        let mut many = 0;
        while self.at < self.bytes.len() && self.bytes[self.at] >= 0x80 && self.decode().0 == code {
            self.at += length;
            many += 1;
        }
        if many >= 4 && place == at::FRAMES {
            self.run(4, many);
        } else {
            self.count(place, many);
        }
        self.before = Before::Punctuation;
    }

    /// Characters of one script without spaces.
    fn stretch(&mut self, class: Beyond, each: impl Fn(&mut Self, u32)) {
        while self.peek().is_some_and(|byte| byte >= 0x80) {
            let (code, length) = self.decode();
            if Beyond::of(code) != class {
                break;
            }
            self.at += length;
            each(self, code);
        }
        self.before = Before::Punctuation;
    }

    /// A word in an alphabet other than the Latin one.
    fn alphabet(&mut self, class: Beyond, place: usize, kind: WordKind) {
        let mut context = 0;
        let mut total = 0;
        let mut letters = 0;
        while self.peek().is_some_and(|byte| byte >= 0x80) {
            let (code, length) = self.decode();
            if Beyond::of(code) != class {
                break;
            }
            self.at += length;
            letters += 1;
            context = (context << 5 | (code as usize & 31)) & 0x7fff;
            total += self.surprise.alphabet(context);
        }
        self.count(place, letters);
        self.flush_word(kind, total);
        self.before = Before::Letter;
    }
}

/// The 32 characters of ASCII punctuation, numbered.
fn punctuation_code(byte: u8) -> usize {
    usize::from(match byte {
        0x21..=0x2f => byte - 0x21,
        0x3a..=0x40 => byte - 0x3a + 15,
        0x5b..=0x60 => byte - 0x5b + 22,
        0x7b..=0x7e => byte - 0x7b + 28,
        _ => 0,
    })
}
