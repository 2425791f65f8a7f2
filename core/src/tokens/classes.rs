//! What a byte or a character is to the scan.

/// What an ASCII byte begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Byte {
    Letter,
    Digit,
    Punctuation,
    Space,
    Tab,
    Line,
    Return,
    Control,
    /// Part of a character beyond ASCII.
    High,
}

/// What every byte is.
pub(super) static BYTES: [Byte; 256] = {
    let mut bytes = [Byte::Control; 256];
    let mut byte = 0;
    while byte < 256 {
        // A table is built once, by the compiler; `byte` stays below 256.
        #[expect(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "byte < 256")]
        {
            bytes[byte] = match byte as u8 {
                b'a'..=b'z' | b'A'..=b'Z' => Byte::Letter,
                b'0'..=b'9' => Byte::Digit,
                b' ' => Byte::Space,
                b'\t' => Byte::Tab,
                b'\n' => Byte::Line,
                b'\r' => Byte::Return,
                0x80..=0xff => Byte::High,
                0x21..=0x7e => Byte::Punctuation,
                0..=0x20 | 0x7f => Byte::Control,
            };
        }
        byte += 1;
    }
    bytes
};

/// What a character beyond ASCII is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    Accented,
    Cyrillic,
    LetterOfTwo,
    LetterOfThree,
    Han,
    Hiragana,
    Katakana,
    Hangul,
    WidePunctuation,
    FullWidth,
    Typography,
    Frame,
    FirmSpace,
    SymbolOfTwo,
    SymbolOfThree,
    EmojiOfThree,
    EmojiOfFour,
    Joiner,
    Selector,
    Rare,
}

impl Beyond {
    /// By the blocks of Unicode.
    pub(super) fn of(code: u32) -> Self {
        match code {
            0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x24f => Self::Accented,
            0xa0 => Self::FirmSpace,
            0..=0xbf | 0xd7 | 0xf7 => Self::SymbolOfTwo,
            0x400..=0x52f => Self::Cyrillic,
            0x250..=0x7ff => Self::LetterOfTwo,
            0x200d => Self::Joiner,
            0xfe00..=0xfe0f => Self::Selector,
            0x2000..=0x206f => Self::Typography,
            0x2500..=0x259f => Self::Frame,
            0x2600..=0x27bf | 0x2b00..=0x2bff | 0x231a..=0x23ff => Self::EmojiOfThree,
            0x2070..=0x2bff => Self::SymbolOfThree,
            0x3000..=0x303f => Self::WidePunctuation,
            0x3040..=0x309f => Self::Hiragana,
            0x30a0..=0x30ff => Self::Katakana,
            0x2e80..=0x2fff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff => Self::Han,
            0x1100..=0x11ff | 0x3130..=0x318f | 0xac00..=0xd7af => Self::Hangul,
            0xff00..=0xffef => Self::FullWidth,
            0x1e00..=0x1eff => Self::Accented,
            0x1f000..=0x1faff => Self::EmojiOfFour,
            0x800..=0xffff => Self::LetterOfThree,
            _ => Self::Rare,
        }
    }
}
