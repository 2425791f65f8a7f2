//! What only Ollama can be asked: to load the model, and with which window.

use crate::components::ending::{WordsView, words_of_error};
use crate::components::fields::NumberField;
use crate::i18n::{t, td_string, use_i18n};
use crate::numbers::count;
use crate::state::{Loading, PageState};
use leptos::prelude::*;

/// The smallest window that can be asked for, in tokens.
const SMALLEST: f64 = 512.0;

/// The largest, where the model doesn't say what it was trained for.
const LARGEST: f64 = 262_144.0;

/// The slider's steps, in tokens.
const STEP: f64 = 512.0;

/// The window to load the model with, and how loading stands.
#[component]
pub fn OllamaFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let ceiling = move || page.trained.get().map_or(LARGEST, f64::from);
    let num_ctx = move || page.settings.with(|settings| settings.num_ctx);
    let shown = move || num_ctx().or(page.told.get()).map_or(SMALLEST, f64::from);
    let set = move |tokens: Option<f64>| {
        page.settings.update(|settings| settings.num_ctx = tokens.map(|tokens| tokens as u32));
        page.load();
    };
    let slide = move |event| {
        if let Ok(tokens) = event_target_value(&event).parse::<f64>() {
            set(Some(tokens));
        }
    };
    let ceiling_text = move || {
        let language = i18n.get_locale();
        page.trained
            .get()
            .map(|trained| td_string!(language, page.connect.trained, tokens = count(language, trained)))
    };
    view! {
        <div class="field">
            <label class="field__label" for="num-ctx-slider">{t!(i18n, page.connect.num_ctx)}</label>
            <input
                id="num-ctx-slider"
                data-testid="num-ctx-slider"
                type="range"
                min=SMALLEST
                max=ceiling
                step=STEP
                prop:value=shown
                disabled=move || page.is_running()
                aria-describedby="num-ctx-hint"
                on:change=slide
            />
            <span class="field__hint" id="num-ctx-hint">{t!(i18n, page.connect.num_ctx_hint)} " " {ceiling_text}</span>
        </div>
        <NumberField
            testid="num-ctx"
            label=move || t!(i18n, page.connect.num_ctx_exact).into_any()
            value=Signal::derive(move || num_ctx().map(f64::from))
            set=Callback::new(set)
            min=SMALLEST
            max=1_048_576.0
            may_be_empty=true
        />
        <LoadingLine/>
    }
}

/// Loading, with the seconds so far, and a way out.
#[component]
fn LoadingLine() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let seconds = RwSignal::new(0_u32);
    let tick = move || {
        if let Loading::Since(since) = page.loading.get_untracked() {
            seconds.set(((js_sys::Date::now() - since) / 1_000.0) as u32);
        }
    };
    if let Ok(handle) = set_interval_with_handle(tick, std::time::Duration::from_millis(500)) {
        on_cleanup(move || handle.clear());
    }
    move || {
        match page.loading.get() {
        Loading::No => view! {
            <button type="button" class="button" data-testid="load-model" disabled=move || page.is_running() on:click=move |_| page.load()>
                {t!(i18n, page.connect.load)}
            </button>
        }
        .into_any(),
        Loading::Since(_) => view! {
            <p class="status" role="status" data-testid="loading">
                {move || td_string!(i18n.get_locale(), page.connect.loading, seconds = seconds.get())}
                " "
                <button type="button" class="button" data-testid="cancel-loading" on:click=move |_| page.cancel_loading()>
                    {t!(i18n, page.connect.cancel_loading)}
                </button>
            </p>
        }
        .into_any(),
        Loading::Cancelled => view! {
            <p class="status" data-testid="loading-cancelled">{t!(i18n, page.connect.loading_cancelled)}</p>
            <button type="button" class="button" data-testid="load-model" on:click=move |_| page.load()>
                {t!(i18n, page.connect.load)}
            </button>
        }
        .into_any(),
        Loading::Failed(error) => {
            let words = Memo::new(move |_| words_of_error(i18n.get_locale(), &error));
            view! { <div class="ending ending--error" data-testid="loading-failed"><WordsView words=words/></div> }
                .into_any()
        }
    }
    }
}
