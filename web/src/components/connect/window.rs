//! The window: how large it is believed to be, who says so, and who says otherwise.

use crate::components::fields::NumberField;
use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::numbers::count;
use crate::state::PageState;
use brimline_core::window::{Window, WindowConflict, WindowSource};
use leptos::prelude::*;

/// The window that is believed, the field to set it, and what is wrong with it.
#[component]
pub fn WindowFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let window = Memo::new(move |_| page.window.with(|belief| belief.window()));
    let conflict = Memo::new(move |_| page.window.with(|belief| belief.conflict()));
    let set = Callback::new(move |tokens: Option<f64>| {
        page.settings.update(|settings| settings.window_set = tokens.map(|tokens| tokens as u32));
    });
    let shown = move || {
        let language = i18n.get_locale();
        let Window { tokens, source } = window.get();
        let tokens = td_string!(language, page.window.shown, tokens = count(language, tokens));
        format!("{tokens}, {}", source_text(language, source))
    };
    let is_assumed = move || window.get().source == WindowSource::Assumed;
    view! {
        <div class="field">
            <span class="field__label">{t!(i18n, page.window.title)}</span>
            <span data-testid="window-shown" data-source=move || source_name(window.get().source)>{shown}</span>
        </div>
        <Show when=is_assumed>
            <p class="warning" data-testid="window-assumed">{t!(i18n, page.window.assumed_warning)}</p>
        </Show>
        {move || conflict.get().map(|conflict| {
            view! {
                <p class="warning" role="alert" data-testid="window-conflict">
                    {conflict_text(i18n.get_locale(), conflict)}
                </p>
            }
        })}
        <NumberField
            testid="window-set"
            label=move || t!(i18n, page.window.set).into_any()
            hint=move || t!(i18n, page.window.set_hint).into_any()
            value=Signal::derive(move || page.settings.with(|settings| settings.window_set.map(f64::from)))
            set=set
            min=1.0
            max=100_000_000.0
            may_be_empty=true
        />
    }
}

fn source_name(source: WindowSource) -> &'static str {
    match source {
        WindowSource::Proven => "proven",
        WindowSource::Set => "set",
        WindowSource::Told => "told",
        WindowSource::Measured => "measured",
        WindowSource::Assumed => "assumed",
    }
}

fn source_text(language: Locale, source: WindowSource) -> &'static str {
    match source {
        WindowSource::Proven => td_string!(language, page.window.source_proven),
        WindowSource::Set => td_string!(language, page.window.source_set),
        WindowSource::Told => td_string!(language, page.window.source_told),
        WindowSource::Measured => td_string!(language, page.window.source_measured),
        WindowSource::Assumed => td_string!(language, page.window.source_assumed),
    }
}

fn conflict_text(language: Locale, conflict: WindowConflict) -> String {
    let used = count(language, conflict.used.tokens);
    let smaller = count(language, conflict.smaller.tokens);
    match conflict.smaller.source {
        WindowSource::Told => td_string!(language, page.window.conflict_told, used = used, smaller = smaller),
        WindowSource::Proven | WindowSource::Set | WindowSource::Measured | WindowSource::Assumed => {
            td_string!(language, page.window.conflict_measured, used = used, smaller = smaller)
        }
    }
}
