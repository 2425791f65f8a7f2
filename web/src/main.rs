//! Puts the page into the document.

use brimline_web::i18n::{LanguageProvider, t, use_i18n};
use leptos::prelude::*;

fn main() {
    #[cfg(debug_assertions)]
    if window().location().hash().is_ok_and(|hash| hash.starts_with("#gallery")) {
        return mount_to_body(
            || view! { <LanguageProvider><brimline_web::gallery::Gallery/></LanguageProvider> },
        );
    }
    mount_to_body(|| view! { <LanguageProvider><Title/></LanguageProvider> });
}

#[component]
fn Title() -> impl IntoView {
    let i18n = use_i18n();
    view! { <h1>{t!(i18n, page.title)}</h1> }
}
