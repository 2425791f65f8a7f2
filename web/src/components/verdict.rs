//! What a verdict looks like (a glyph, words and a colour, never the colour alone), and its evidence in words.

use crate::i18n::{Locale, td_string, use_i18n};
use crate::numbers::{count, difference, whole};
use brimline_core::overflow::{Evidence, Judgement, Verdict};
use leptos::prelude::*;

/// What is shown of a turn's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The answer is on its way.
    Pending,
    /// The call ended without a count.
    Unanswered,
    /// The server read all of it.
    Fits,
    /// The same, after an extra request settled a doubt.
    Confirmed,
    /// A doubt that nothing settled.
    Suspect,
    /// The server dropped a part.
    Truncated,
    /// The server dropped the oldest tokens while the model wrote.
    Shifted,
    /// The server refused, honestly.
    Refused,
    /// The server reports too little to tell.
    Unverified,
}

impl Look {
    /// The look of a judgement; without one, of a call that is under way or has failed.
    pub fn of(judgement: Option<&Judgement>, live: bool) -> Self {
        let Some(judgement) = judgement else {
            return if live { Self::Pending } else { Self::Unanswered };
        };
        match judgement.verdict {
            Verdict::Fits if judgement.evidence.iter().any(is_confirmation) => Self::Confirmed,
            Verdict::Fits => Self::Fits,
            Verdict::Suspect => Self::Suspect,
            Verdict::Truncated => Self::Truncated,
            Verdict::Shifted => Self::Shifted,
            Verdict::Refused => Self::Refused,
            Verdict::Unverified => Self::Unverified,
        }
    }

    /// Its name in the page's attributes and classes. A confirmed turn fits.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Unanswered => "unanswered",
            Self::Fits | Self::Confirmed => "fits",
            Self::Suspect => "suspect",
            Self::Truncated => "truncated",
            Self::Shifted => "shifted",
            Self::Refused => "refused",
            Self::Unverified => "unverified",
        }
    }

    /// Whether the reader should look at the evidence.
    pub const fn needs_a_look(self) -> bool {
        match self {
            Self::Pending | Self::Fits => false,
            Self::Unanswered
            | Self::Confirmed
            | Self::Suspect
            | Self::Truncated
            | Self::Shifted
            | Self::Refused
            | Self::Unverified => true,
        }
    }

    /// The class that gives it its colours.
    pub const fn tone(self) -> &'static str {
        match self {
            Self::Fits | Self::Confirmed => "tone-good",
            Self::Suspect => "tone-doubt",
            Self::Truncated | Self::Shifted => "tone-bad",
            Self::Pending | Self::Unanswered | Self::Refused | Self::Unverified => "tone-unknown",
        }
    }

    /// Its glyph, as the path of strokes in a square of 16.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Pending => "M3 8h.01M8 8h.01M13 8h.01",
            Self::Unanswered => "M4 8h8",
            Self::Fits => "M2.5 8.5l3.5 4 7.5-9",
            Self::Confirmed => "M1 8.5l3 4 6-9M6.5 11l1.5 1.5 7-9",
            Self::Suspect => "M5 5.5a3 3 0 1 1 4.2 2.8c-.8.4-1.2.9-1.2 1.9M8 13.4v.01",
            Self::Truncated => "M3 3l10 10M13 3L3 13",
            Self::Shifted => "M14 8H3M7 3.5L2.5 8 7 12.5",
            Self::Refused => "M8 1.8a6.2 6.2 0 1 0 .01 0M4.5 8h7",
            Self::Unverified => {
                "M8 1.8a6.2 6.2 0 0 1 4.4 1.8M14.1 6.8a6.2 6.2 0 0 1-1.7 5.6M9.3 14a6.2 6.2 0 0 1-5.7-1.6M1.9 9.2a6.2 6.2 0 0 1 1.7-5.6"
            }
        }
    }

    /// Its name for people.
    pub fn word(self, language: Locale) -> &'static str {
        match self {
            Self::Pending => td_string!(language, picture.look.pending),
            Self::Unanswered => td_string!(language, picture.look.unanswered),
            Self::Fits => td_string!(language, picture.look.fits),
            Self::Confirmed => td_string!(language, picture.look.confirmed),
            Self::Suspect => td_string!(language, picture.look.suspect),
            Self::Truncated => td_string!(language, picture.look.truncated),
            Self::Shifted => td_string!(language, picture.look.shifted),
            Self::Refused => td_string!(language, picture.look.refused),
            Self::Unverified => td_string!(language, picture.look.unverified),
        }
    }

    /// What it means, in a sentence.
    pub fn meaning(self, language: Locale) -> &'static str {
        match self {
            Self::Pending => td_string!(language, picture.meaning.pending),
            Self::Unanswered => td_string!(language, picture.meaning.unanswered),
            Self::Fits => td_string!(language, picture.meaning.fits),
            Self::Confirmed => td_string!(language, picture.meaning.confirmed),
            Self::Suspect => td_string!(language, picture.meaning.suspect),
            Self::Truncated => td_string!(language, picture.meaning.truncated),
            Self::Shifted => td_string!(language, picture.meaning.shifted),
            Self::Refused => td_string!(language, picture.meaning.refused),
            Self::Unverified => td_string!(language, picture.meaning.unverified),
        }
    }
}

/// Whether it came from an extra request.
fn is_confirmation(evidence: &Evidence) -> bool {
    match evidence {
        Evidence::ConfirmedGrowth { .. }
        | Evidence::ConfirmedWithoutOldest { .. }
        | Evidence::ReadBackDropped { .. }
        | Evidence::ReadBackWhole { .. } => true,
        Evidence::CountFell { .. }
        | Evidence::GrowthStalled { .. }
        | Evidence::UnderFloor { .. }
        | Evidence::FarBelowEstimate { .. }
        | Evidence::HalfWindow { .. }
        | Evidence::CountedExactly { .. }
        | Evidence::PlateauBelowWindow { .. }
        | Evidence::LossCouldHide { .. }
        | Evidence::BeyondWindow { .. }
        | Evidence::EdgeReached { .. }
        | Evidence::RefusedBy { .. }
        | Evidence::ThinkingDropped { .. }
        | Evidence::OnlyUncachedCounted { .. }
        | Evidence::NoCount => false,
    }
}

/// A verdict in a word, with its glyph.
#[component]
pub fn VerdictBadge(
    /// The verdict's look.
    #[prop(into)]
    look: Signal<Look>,
) -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <span class=move || format!("badge {}", look.get().tone()) data-testid="badge" data-verdict=move || look.get().name()>
            <svg class="badge__glyph" viewBox="0 0 16 16" aria-hidden="true"><path d=move || look.get().glyph()/></svg>
            {move || look.get().word(i18n.get_locale())}
        </span>
    }
}

/// What was seen, in one sentence.
pub fn sentence(language: Locale, evidence: &Evidence) -> String {
    let exact = |tokens: u32| count(language, tokens);
    let about = |tokens: f64| whole(language, tokens);
    match *evidence {
        Evidence::CountFell { before, reported, expected } => td_string!(
            language,
            picture.evidence.count_fell,
            added = about(expected - f64::from(before)),
            before = exact(before),
            reported = exact(reported)
        ),
        Evidence::GrowthStalled { reported, expected } => td_string!(
            language,
            picture.evidence.growth_stalled,
            expected = about(expected),
            reported = difference(language, reported)
        ),
        Evidence::UnderFloor { reported, floor } => td_string!(
            language,
            picture.evidence.under_floor,
            reported = difference(language, reported),
            floor = about(floor)
        ),
        Evidence::FarBelowEstimate { reported, expected } => td_string!(
            language,
            picture.evidence.far_below_estimate,
            reported = exact(reported),
            expected = about(expected)
        ),
        Evidence::HalfWindow { reported, window } => td_string!(
            language,
            picture.evidence.half_window,
            reported = exact(reported),
            window = exact(window)
        ),
        Evidence::PlateauBelowWindow { reported, window, expected } => td_string!(
            language,
            picture.evidence.plateau,
            reported = exact(reported),
            window = exact(window),
            expected = about(expected)
        ),
        Evidence::LossCouldHide { smallest, spread, probability } => td_string!(
            language,
            picture.evidence.loss_could_hide,
            smallest = about(smallest),
            spread = about(spread),
            percent = (probability * 100.0).clamp(1.0, 99.0).round()
        ),
        Evidence::ConfirmedGrowth { reported, exact: whole } => td_string!(
            language,
            picture.evidence.confirmed_growth,
            exact = exact(whole),
            reported = exact(reported)
        ),
        Evidence::ConfirmedWithoutOldest { reported, without, oldest } => td_string!(
            language,
            picture.evidence.confirmed_without_oldest,
            oldest = about(oldest),
            without = exact(without),
            reported = exact(reported)
        ),
        Evidence::ReadBackDropped { messages, dropped, request: true } => {
            td_string!(language, picture.evidence.read_back_request, messages = messages, dropped = dropped)
        }
        Evidence::ReadBackDropped { messages, dropped, request: false } => {
            td_string!(language, picture.evidence.read_back_dropped, messages = messages, dropped = dropped)
        }
        Evidence::ReadBackWhole { messages } => {
            td_string!(language, picture.evidence.read_back_whole, messages = messages)
        }
        Evidence::CountedExactly { reported, exact: whole } => td_string!(
            language,
            picture.evidence.counted_exactly,
            exact = exact(whole),
            reported = exact(reported)
        ),
        Evidence::BeyondWindow { prompt, completion, window } => td_string!(
            language,
            picture.evidence.beyond_window,
            total = about(f64::from(prompt) + f64::from(completion)),
            window = exact(window)
        ),
        Evidence::EdgeReached { prompt, completion, window } => td_string!(
            language,
            picture.evidence.edge_reached,
            prompt = exact(prompt),
            completion = exact(completion),
            window = exact(window)
        ),
        Evidence::RefusedBy { prompt: Some(prompt), window: Some(window) } => td_string!(
            language,
            picture.evidence.refused_both,
            prompt = exact(prompt),
            window = exact(window)
        ),
        Evidence::RefusedBy { prompt: Some(prompt), window: None } => {
            td_string!(language, picture.evidence.refused_prompt, prompt = exact(prompt))
        }
        Evidence::RefusedBy { prompt: None, window: Some(window) } => {
            td_string!(language, picture.evidence.refused_window, window = exact(window))
        }
        Evidence::RefusedBy { prompt: None, window: None } => {
            td_string!(language, picture.evidence.refused).to_owned()
        }
        Evidence::ThinkingDropped { before, reported } => td_string!(
            language,
            picture.evidence.thinking_dropped,
            before = exact(before),
            reported = exact(reported)
        ),
        Evidence::OnlyUncachedCounted { reported, expected } => td_string!(
            language,
            picture.evidence.only_uncached,
            reported = exact(reported),
            expected = about(expected)
        ),
        Evidence::NoCount => td_string!(language, picture.evidence.no_count).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_speaks_both_languages() {
        let seen = Evidence::CountFell { before: 905, reported: 872, expected: 973.4 };
        assert_eq!(
            [Locale::en, Locale::es].map(|language| sentence(language, &seen)),
            [
                "The conversation only grew, by about 68 tokens, but the server's count fell from 905 to 872.",
                "La conversación solo creció, unos 68 tokens, pero la cuenta del servidor bajó de 905 a 872.",
            ]
        );
    }

    #[test]
    fn a_confirmed_turn_fits_and_looks_different() {
        let fits = |evidence| Judgement { verdict: Verdict::Fits, evidence, window: None };
        let confirmed = fits(vec![Evidence::ConfirmedGrowth { reported: 40, exact: 40 }]);
        let looks = [
            Look::of(Some(&fits(Vec::new())), false),
            Look::of(Some(&confirmed), false),
            Look::of(None, true),
            Look::of(None, false),
        ];
        assert_eq!(looks, [Look::Fits, Look::Confirmed, Look::Pending, Look::Unanswered]);
    }
}
