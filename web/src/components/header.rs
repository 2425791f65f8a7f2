//! The head of the page.

use super::check::CheckLink;
use crate::i18n::{t, use_i18n};
use crate::language::LanguageSelect;
use crate::theme::ThemeSelect;
use leptos::prelude::*;

/// Name, what the page is for, language and theme.
#[component]
pub fn PageHeader() -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <header class="page__header">
            <h1>{t!(i18n, page.title)}</h1>
            <p class="page__tagline">{t!(i18n, page.tagline)}</p>
            <CheckLink/>
            <LanguageSelect/>
            <ThemeSelect/>
        </header>
    }
}
