//! *Check my server*: what will be asked, how far it is, and what came of it.

#![expect(
    unreachable_pub,
    reason = "`component` gives a function's own visibility to what it makes beside it, and warns of it here"
)]

mod curve;
mod findings;
mod progress;
mod start;
mod words;

use crate::i18n::{t, t_string, use_i18n};
use crate::state::CheckState;
use findings::Findings;
use leptos::prelude::*;
use progress::ProgressPanel;
use start::StartPanel;

/// The way to the check and back.
#[component]
pub fn CheckLink() -> impl IntoView {
    let i18n = use_i18n();
    let check = expect_context::<CheckState>();
    let target = move || if check.is_open.get() { "#conversation" } else { "#check" };
    view! {
        <a class="page__link" href=target data-testid="check-link">
            {move || if check.is_open.get() { t_string!(i18n, check.back) } else { t_string!(i18n, check.title) }}
        </a>
    }
}

/// The check's own view.
#[component]
pub fn CheckPage() -> impl IntoView {
    let i18n = use_i18n();
    let check = expect_context::<CheckState>();
    view! {
        <Show when=move || check.is_open.get()>
            <main class="check" data-testid="check">
                <h2 class="check__title">{t!(i18n, check.title)}</h2>
                <StartPanel/>
                {move || check.run.with(Option::is_some).then(|| view! { <ProgressPanel/> })}
                {move || check.report.get().map(|report| view! { <Findings report=report/> })}
            </main>
        </Show>
    }
}
