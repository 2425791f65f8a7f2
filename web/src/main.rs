//! Puts the page into the document.

use brimline_web::app::App;
use leptos::prelude::*;

fn main() {
    // A fault of our own is at least told in the console, with its place.
    std::panic::set_hook(Box::new(|fault| leptos::logging::error!("{fault}")));
    #[cfg(debug_assertions)]
    if window().location().hash().is_ok_and(|hash| hash.starts_with("#gallery")) {
        use brimline_web::{gallery::Gallery, i18n::LanguageProvider};
        return mount_to_body(|| view! { <LanguageProvider><Gallery/></LanguageProvider> });
    }
    mount_to_body(App);
}
