//! The estimate itself: a weight for everything that is counted.

use super::family::Family;
use super::features::Features;
use super::fitted::{FLOOR, WEIGHTS};
use super::layout::{self, PLACES, WORD_BUCKETS, WordKind};

/// How many classes of text an estimate is made of: common words, odd words (rare, upper case, after digits), digits,
/// punctuation, blanks, accented Latin, East Asian scripts, other alphabets, and the rest.
pub const CLASSES: usize = 9;

/// Words of this step of surprise and above count as odd.
const ODD_FROM: usize = 8;

/// The class of every place.
static CLASS_OF: [u8; PLACES] = class_of();

/// Weighs [`Features`] into tokens.
#[derive(Debug, Clone, Copy)]
pub struct Estimator {
    weights: &'static [u32; PLACES],
}

impl Estimator {
    /// The estimator for one family of tokenizers.
    pub fn for_family(family: Family) -> Self {
        let [qwen25, llama31, gemma3, deepseek_v3, gpt_oss, llama2, small_english, unknown] = &WEIGHTS;
        let weights = match family {
            Family::Qwen25 => qwen25,
            Family::Llama31 => llama31,
            Family::Gemma3 => gemma3,
            Family::DeepseekV3 => deepseek_v3,
            Family::GptOss => gpt_oss,
            Family::Llama2 => llama2,
            Family::SmallEnglish => small_english,
            Family::Unknown => unknown,
        };
        Self { weights }
    }

    /// Estimated tokens of a text by itself, without a template. How far off it may be is in docs/estimator.md.
    ///
    /// A text is of one token at least: a family may weigh what hardly ever stands alone (a carriage return) as nothing.
    pub fn tokens(&self, features: &Features) -> f64 {
        let is_empty = features.counts().iter().all(|count| *count == 0);
        if is_empty { 0.0 } else { weigh(features, self.weights).max(1.0) }
    }

    /// The estimate, class by class.
    pub fn by_class(&self, features: &Features) -> [f64; CLASSES] {
        let mut sums = [0_u64; CLASSES];
        for ((count, weight), class) in features.counts().iter().zip(self.weights).zip(&CLASS_OF) {
            if let Some(sum) = sums.get_mut(usize::from(*class)) {
                *sum += u64::from(*count) * u64::from(*weight);
            }
        }
        sums.map(|sum| sum as f64 / 10_000.0)
    }

    /// Tokens that the text has at the very least, whatever the tokenizer.
    pub fn floor(&self, features: &Features) -> f64 {
        weigh(features, &FLOOR)
    }
}

/// The weights are ten-thousandths of a token.
fn weigh(features: &Features, weights: &[u32; PLACES]) -> f64 {
    let products = features.counts().iter().zip(weights);
    let sum: u64 = products.map(|(count, weight)| u64::from(*count) * u64::from(*weight)).sum();
    sum as f64 / 10_000.0
}

const fn class_of() -> [u8; PLACES] {
    let mut classes = [8; PLACES];
    let mut place = 0;
    while place < PLACES {
        let class = if place < layout::WORD_EXCESS {
            class_of_word(place / WORD_BUCKETS, place % WORD_BUCKETS >= ODD_FROM)
        } else if place < layout::PUNCT_BEFORE_LETTER {
            class_of_word(place - layout::WORD_EXCESS, true)
        } else if place < layout::SPACES {
            3
        } else if place < layout::DIGIT_RUNS {
            4
        } else if place < layout::ACCENTS {
            2
        } else if place < layout::CYRILLIC {
            5
        } else if place < layout::HAN {
            7
        } else if place < layout::TYPOGRAPHY {
            6
        } else {
            8
        };
        #[expect(
            clippy::indexing_slicing,
            reason = "the loop ends at the table's length; built by the compiler"
        )]
        {
            classes[place] = class;
        }
        place += 1;
    }
    classes
}

const fn class_of_word(kind: usize, is_odd: bool) -> u8 {
    if kind == WordKind::Accented as usize {
        5
    } else if kind == WordKind::Cyrillic as usize || kind == WordKind::OtherAlphabet as usize {
        7
    } else if is_odd || kind > WordKind::Camel as usize {
        1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_add_up_to_the_estimate() {
        let text = "fn count_42() { // señor 中文 привет 🙂\n\tlet x = \"0xDEADBEEF\"; ==========   \n}";
        let features = Features::of(text);
        for family in [Family::Unknown, Family::Qwen25, Family::Llama2] {
            let estimator = Estimator::for_family(family);
            let sum: f64 = estimator.by_class(&features).iter().sum();
            assert!((sum - estimator.tokens(&features)).abs() < 1e-3);
        }
    }

    #[test]
    fn every_kind_of_text_is_in_its_own_class() {
        let estimator = Estimator::for_family(Family::Unknown);
        let largest = |text: &str| {
            let classes = estimator.by_class(&Features::of(text));
            classes.iter().enumerate().max_by(|left, right| left.1.total_cmp(right.1)).map(|(class, _)| class)
        };
        for (text, class) in [
            ("the window of the conversation is small", 0),
            ("XQZKV WJXPQ", 1),
            ("1234567 890123", 2),
            ("(){}[]<>?!;", 3),
            ("\n\n\n            \n", 4),
            ("canción después también", 5),
            ("会议报告时间确认", 6),
            ("сервер который разговор", 7),
            ("🙂🚀✨", 8),
        ] {
            assert_eq!(largest(text), Some(class), "{text}");
        }
    }
}
