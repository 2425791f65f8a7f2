//! What the counts that every estimate is made of must hold for, whatever the text.

use brimline_core::tokens::{Calibration, Estimator, Family, Features};
use proptest::prelude::*;

fn every_estimator() -> impl Iterator<Item = Estimator> {
    Family::KNOWN.into_iter().chain([Family::Unknown]).map(Estimator::for_family)
}

/// Text of any characters, and of those that the scan treats in a way of their own.
fn any_text() -> impl Strategy<Value = String> {
    let special =
        r"[a-zA-Z0-9 \t\r\n=\-_.,;(){}éßŁ×ỹжЯλאक中あアー한，ｆ—─°🙂✅\u{200d}\u{fe0f}\u{a0}\u{0}]{0,60}";
    prop_oneof![any::<String>(), special.prop_map(String::from)]
}

#[test]
fn whatever_stands_alone_is_one_token_at_least() {
    let ascii = (0..128).map(char::from);
    for character in ascii.chain("\u{a0}\u{fe0f}\u{200d}éßжא中あア한ｆ—°🙂".chars()) {
        let features = Features::of(&character.to_string());
        for estimator in every_estimator() {
            assert!(estimator.tokens(&features) >= 1.0, "{character:?}");
        }
    }
}

proptest! {
    #[test]
    fn an_estimate_is_a_number_and_not_below_the_floor(text in any_text()) {
        let features = Features::of(&text);
        for estimator in every_estimator() {
            let (tokens, floor) = (estimator.tokens(&features), estimator.floor(&features));
            prop_assert!(tokens.is_finite() && tokens >= 0.0);
            prop_assert!(floor >= 0.0 && (text.is_empty() || tokens > 0.0));
        }
        let prediction = Calibration::new(Family::Unknown).text(&features);
        prop_assert!(prediction.tokens >= 0.0 && prediction.spread.is_finite());
    }

    /// Where a line begins with a letter, nothing is counted across its beginning.
    #[test]
    fn lines_add_up(one in any_text(), other in any_text()) {
        let (one, other) = (format!("{one}.\n"), format!("x{other}"));
        let mut sum = Features::of(&one);
        sum += Features::of(&other);
        prop_assert_eq!(sum, Features::of(&format!("{one}{other}")));
    }

    #[test]
    fn counts_survive_a_saved_session(text in any_text()) {
        let features = Features::of(&text);
        let saved = serde_json::to_string(&features).unwrap();
        prop_assert_eq!(serde_json::from_str::<Features>(&saved).unwrap(), features);
    }
}

#[test]
fn what_no_version_counts_is_refused() {
    assert!(serde_json::from_str::<Features>("[3]").is_err());
    assert!(serde_json::from_str::<Features>("[70000,1]").is_err());
}

/// Exact counts by the tokenizers themselves, in the order of [`Family::KNOWN`] without the last. The texts are our own.
#[test]
fn small_texts_are_near_their_exact_counts() {
    let cases: [(&str, String, [f64; 6]); 9] = [
        (
            "prose",
            "The lighthouse keeper wrote down every ship that passed, and what the weather was like. "
                .repeat(3),
            [55.0, 55.0, 52.0, 52.0, 52.0, 61.0],
        ),
        (
            "rust",
            "    let total: u32 = ships.iter().map(|ship| ship.tons).sum();\n".repeat(4),
            [84.0, 80.0, 92.0, 80.0, 80.0, 92.0],
        ),
        (
            "log",
            "2026-12-01T10:15:00.123Z WARN harbour request id=9f3c2a71 took=1817ms\n".repeat(3),
            [135.0, 99.0, 138.0, 102.0, 99.0, 142.0],
        ),
        ("rulers", format!("{}\n", "=".repeat(79)).repeat(5), [10.0, 10.0, 30.0, 15.0, 10.0, 36.0]),
        ("blank lines", "        \n".repeat(40), [20.0, 20.0, 80.0, 20.0, 20.0, 80.0]),
        (
            "numbered",
            (1..30).map(|n| format!("{n:6}\treturn ship_{n};\n")).collect(),
            [272.0, 232.0, 301.0, 203.0, 232.0, 301.0],
        ),
        (
            "german",
            "Der Leuchtturmwärter schrieb jedes Schiff auf, das vorüberfuhr, und wie das Wetter war. "
                .repeat(3),
            [85.0, 85.0, 76.0, 82.0, 73.0, 91.0],
        ),
        (
            "chinese",
            "灯塔看守人记下了每一艘经过的船和当时的天气。".repeat(4),
            [64.0, 88.0, 68.0, 56.0, 84.0, 97.0],
        ),
        (
            "paths",
            "src/harbour/register.rs\ntests/fixtures/weather_report.json\n".repeat(4),
            [52.0, 52.0, 76.0, 68.0, 56.0, 84.0],
        ),
    ];
    for (name, text, exact) in cases {
        let features = Features::of(&text);
        for (family, exact) in Family::KNOWN.into_iter().zip(exact) {
            let estimator = Estimator::for_family(family);
            let (tokens, floor) = (estimator.tokens(&features), estimator.floor(&features));
            assert!((tokens / exact - 1.0).abs() < 0.3, "{name}, {}: {tokens} for {exact}", family.name());
            assert!(floor <= exact, "{name}, {}: a floor of {floor} over {exact}", family.name());
        }
    }
}
