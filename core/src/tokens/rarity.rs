//! How surprising a letter is after the two before it. Words of frequent letter sequences are in the vocabularies as
//! one token; what looks random is cut into many. That is the one thing about vocabularies that we carry with us.

/// Places of a table of three codes of five bits each in a row.
pub const TRIGRAMS: usize = 1 << 15;
/// Places of a table of two such codes.
pub const BIGRAMS: usize = 1 << 10;
/// Places of a table of characters, by the low bits of their code point.
pub const CHARACTERS: usize = 1 << 13;

/// What the scan asks for while it reads. Every index is below the length of its table.
pub trait Surprise {
    /// Half bits of surprise at a Latin letter, by the codes of the two before it and its own.
    fn latin(&mut self, index: usize) -> u32;
    /// The same for all other alphabets.
    fn alphabet(&mut self, index: usize) -> u32;
    /// The same for ASCII punctuation, by the code of the one before it and its own.
    fn punctuation(&mut self, index: usize) -> u32;
    /// How common a Chinese character is: 0 (rare) to 3.
    fn han(&mut self, index: usize) -> usize;
}

/// The tables. Written by `cargo xtask fit` from the texts of its samples, by counting.
#[derive(Debug, Clone)]
pub struct Rarity {
    /// Half bits, by three letters.
    pub latin: [u8; TRIGRAMS],
    /// Half bits, by three letters.
    pub alphabet: [u8; TRIGRAMS],
    /// Half bits, by two characters.
    pub punctuation: [u8; BIGRAMS],
    /// Commonness, by character.
    pub han: [u8; CHARACTERS],
}

static EMBEDDED: Rarity = Rarity {
    latin: *include_bytes!("fitted/latin.bin"),
    alphabet: *include_bytes!("fitted/alphabet.bin"),
    punctuation: *include_bytes!("fitted/punctuation.bin"),
    han: *include_bytes!("fitted/han.bin"),
};

impl Rarity {
    /// The tables that the shipped coefficients belong to.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }
}

#[expect(clippy::indexing_slicing, reason = "the scan masks every index to the length of its table")]
impl Surprise for &Rarity {
    #[inline(always)]
    fn latin(&mut self, index: usize) -> u32 {
        u32::from(self.latin[index & (TRIGRAMS - 1)])
    }

    #[inline(always)]
    fn alphabet(&mut self, index: usize) -> u32 {
        u32::from(self.alphabet[index & (TRIGRAMS - 1)])
    }

    #[inline(always)]
    fn punctuation(&mut self, index: usize) -> u32 {
        u32::from(self.punctuation[index & (BIGRAMS - 1)])
    }

    #[inline(always)]
    fn han(&mut self, index: usize) -> usize {
        usize::from(self.han[index & (CHARACTERS - 1)] & 3)
    }
}
