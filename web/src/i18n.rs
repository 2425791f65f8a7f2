//! The languages of the page: `t!(i18n, picture.legend)` is a text that follows the language, checked when compiling.
//!
//! The texts are in `web/locales/`, one file for each part of the page; `web/build.rs` turns them into the module that is
//! included here.
//!
//! ```ignore
//! let i18n = use_i18n();
//! view! { <h1>{t!(i18n, page.title)}</h1> }
//! ```

use leptos::prelude::*;
use leptos_i18n::context::CookieOptions;

include!(concat!(env!("OUT_DIR"), "/i18n/mod.rs"));

pub use i18n::*;

/// A year, in milliseconds.
const YEAR: i64 = 365 * 24 * 60 * 60 * 1_000;

/// What gives the page its language: the one chosen last, kept for a year, or else the browser's. It also sets `lang` on
/// `<html>`.
#[component]
pub fn LanguageProvider(
    /// What is shown in that language.
    children: Children,
) -> impl IntoView {
    let cookie = CookieOptions::<Locale>::default().max_age(YEAR).path("/");
    view! {
        <I18nContextProvider cookie_name="brimline-language" cookie_options=cookie>
            {children()}
        </I18nContextProvider>
    }
}
