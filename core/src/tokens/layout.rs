//! Which place in [`Features`](super::Features) counts what.

/// How words are told apart by what is around them and how they are written. Each kind has [`WORD_BUCKETS`] places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum WordKind {
    /// `word` after a space.
    Spaced,
    /// `Word` after a space.
    SpacedCapital,
    /// `word` after punctuation or at the start of a line.
    Glued,
    /// `Word` after punctuation or at the start of a line.
    GluedCapital,
    /// `Word` right after a letter, as in `camelWord`.
    Camel,
    /// `WORD` after a space.
    SpacedUpper,
    /// `WORD` elsewhere.
    Upper,
    /// A word right after a digit.
    AfterDigit,
    /// A word with accents.
    Accented,
    /// A word in Cyrillic.
    Cyrillic,
    /// A word in another alphabet.
    OtherAlphabet,
}

/// Kinds of words.
pub const WORD_KINDS: usize = 11;
/// Steps of surprise that words are sorted into.
pub const WORD_BUCKETS: usize = 16;
/// Surprise (in half bits) of one step.
pub const WORD_STEP: u32 = 6;
/// Steps of surprise that runs of punctuation are sorted into.
pub const PUNCT_BUCKETS: usize = 12;
/// Surprise (in half bits) of one step of punctuation.
pub const PUNCT_STEP: u32 = 4;
/// Steps of length that runs of spaces are sorted into.
pub const SPACE_BUCKETS: usize = 18;
/// Steps of length that runs of one character are sorted into.
pub const RUN_BUCKETS: usize = 14;
/// Kinds of characters that come in runs: `-`, `=`, `*#_~`, other ASCII, frames.
pub const RUN_KINDS: usize = 5;
/// Steps of length that lines of nothing but spaces are sorted into.
pub const BLANK_BUCKETS: usize = 9;

macro_rules! layout {
    ($($(#[$doc:meta])* $name:ident: $len:expr;)*) => {
        layout!(@place 0; $($(#[$doc])* $name: $len;)*);
        /// Name and length of every part, in order.
        pub const PARTS: &[(&str, usize)] = &[$((stringify!($name), $len)),*];
    };
    (@place $at:expr; $(#[$doc:meta])* $name:ident: $len:expr; $($rest:tt)*) => {
        $(#[$doc])* pub const $name: usize = $at;
        layout!(@place $at + $len; $($rest)*);
    };
    (@place $at:expr;) => {
        /// How many places there are.
        pub const PLACES: usize = $at;
    };
}

layout! {
    /// Words, by kind and surprise.
    WORDS: WORD_KINDS * WORD_BUCKETS;
    /// Half bits of surprise beyond the last step, by kind.
    WORD_EXCESS: WORD_KINDS;
    /// Punctuation characters that stand alone before a letter.
    PUNCT_BEFORE_LETTER: 32;
    /// Punctuation characters that stand alone elsewhere.
    PUNCT_ALONE: 32;
    /// Runs of punctuation, by surprise, before a letter and elsewhere.
    PUNCT_RUNS: 2 * PUNCT_BUCKETS;
    /// Half bits of surprise beyond the last step.
    PUNCT_EXCESS: 1;
    /// Runs of one character, by kind and length.
    RUNS: RUN_KINDS * RUN_BUCKETS;
    /// Characters in runs of more than 128.
    RUN_LENGTH: RUN_KINDS;
    /// Runs of at least two spaces, by length, before a line's end and elsewhere.
    SPACES: 2 * SPACE_BUCKETS;
    /// Spaces in runs of 80 and more.
    SPACE_LENGTH: 1;
    /// Lines of nothing but spaces, with their end, by length.
    BLANKS: BLANK_BUCKETS;
    /// Spaces in such lines, of 64 and more.
    BLANK_LENGTH: 1;
    /// A single space before punctuation, a digit, a line's end, something beyond ASCII.
    SPACE_BEFORE: 4;
    /// Runs of tabs, of 1, 2, 3, 4 to 7, 8 and more.
    TABS: 5;
    /// Tabs in runs of 8 and more.
    TAB_LENGTH: 1;
    /// Runs of line ends, of 1, 2, 3, 4 to 7, 8 and more, after punctuation and elsewhere.
    LINES: 10;
    /// Line ends in runs of 8 and more.
    LINE_LENGTH: 1;
    /// Carriage returns.
    RETURNS: 1;
    /// Runs of 1, 2, 3, and more digits.
    DIGIT_RUNS: 4;
    /// Groups of three in runs of more than three digits.
    DIGIT_GROUPS: 1;
    /// Digits in runs of more than three.
    DIGITS: 1;
    /// Accented Latin letters.
    ACCENTS: 1;
    /// Letters of Cyrillic.
    CYRILLIC: 1;
    /// Letters of other alphabets with two bytes in UTF-8: Greek, Hebrew, Arabic, Armenian.
    LETTERS_OF_TWO: 1;
    /// Letters of other alphabets with three bytes in UTF-8: Devanagari, Thai, Georgian and more.
    LETTERS_OF_THREE: 1;
    /// Chinese characters, by how common they are.
    HAN: 4;
    /// Runs of Chinese characters.
    HAN_RUNS: 1;
    /// Hiragana, and runs of it.
    HIRAGANA: 2;
    /// Katakana, and runs of it.
    KATAKANA: 2;
    /// Korean syllables, and runs of them.
    HANGUL: 2;
    /// Punctuation of East Asia, and full-width forms.
    WIDE: 2;
    /// Dashes, quotes and dots of U+2000 to U+206F.
    TYPOGRAPHY: 1;
    /// Frames and blocks, U+2500 to U+259F.
    FRAMES: 1;
    /// Spaces that do not break a line.
    FIRM_SPACES: 1;
    /// Symbols of two and of three bytes.
    SYMBOLS: 2;
    /// Emoji of three and of four bytes.
    EMOJI: 2;
    /// Joiners and selectors between emoji.
    JOINERS: 2;
    /// Other characters of four bytes.
    RARE: 1;
    /// Control characters.
    CONTROL: 1;
}
