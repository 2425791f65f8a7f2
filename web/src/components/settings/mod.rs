//! The numbers of the three steps, and the session as a file.

pub mod policy;
pub mod session;

use crate::i18n::{t, use_i18n};
use leptos::prelude::*;
use policy::PolicyFields;
use session::SessionFields;

/// The panel, folded until it is wanted.
#[component]
pub fn SettingsPanel() -> impl IntoView {
    let i18n = use_i18n();
    view! {
        <details class="panel" data-testid="settings">
            <summary>{t!(i18n, page.settings.title)}</summary>
            <PolicyFields/>
            <SessionFields/>
        </details>
    }
}
