//! The control that chooses the language.

use crate::i18n::{Locale, t, use_i18n};
use leptos::prelude::*;

/// A language's name in that language.
const fn own_name(language: Locale) -> &'static str {
    match language {
        Locale::en => "English",
        Locale::es => "Español",
    }
}

/// The control that chooses the language; [`crate::i18n::LanguageProvider`] keeps the choice.
#[component]
pub fn LanguageSelect() -> impl IntoView {
    let i18n = use_i18n();
    let choose = move |event| {
        if let Ok(language) = event_target_value(&event).parse::<Locale>() {
            i18n.set_locale(language);
        }
    };
    let option = |language: Locale| {
        let chosen = move || i18n.get_locale() == language;
        view! {
            <option value=language.to_string() lang=language.to_string() prop:selected=chosen>
                {own_name(language)}
            </option>
        }
    };
    view! {
        <label class="choice">
            {t!(i18n, picture.language)}
            <select data-testid="language" on:change=choose>
                {[Locale::en, Locale::es].map(option)}
            </select>
        </label>
    }
}
