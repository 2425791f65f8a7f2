//! Where the reader asks.

use super::status::Status;
use crate::i18n::{Locale, t, t_string, td_string, use_i18n};
use crate::state::{PageState, TranscriptStoreFields};
use leptos::html::Textarea;
use leptos::prelude::*;

/// Text, Send, Stop, and a few requests to try.
#[component]
pub fn Composer() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let text = RwSignal::new(String::new());
    let area = NodeRef::<Textarea>::new();
    let is_running = Memo::new(move |_| page.is_running());
    let is_empty = Memo::new(move |_| text.with(|text| text.trim().is_empty()));
    let focus = move || {
        if let Some(area) = area.get_untracked() {
            let _ = area.focus();
        }
    };
    let send = move || {
        if !is_running.get_untracked() && !is_empty.get_untracked() {
            page.send(std::mem::take(&mut *text.write()));
            focus();
        }
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        // While an input method composes a character, Enter belongs to it.
        if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
            event.prevent_default();
            send();
        }
    };
    let stop = move || {
        page.stop();
        focus();
    };
    let escape = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "Escape" && is_running.get_untracked() {
            stop();
        }
    });
    on_cleanup(move || escape.remove());
    let is_fresh = Memo::new(move |_| page.transcript.entries().read().is_empty());
    let example = move |request: fn(Locale) -> &'static str| {
        let ask = move |_| {
            page.send(request(i18n.get_locale_untracked()).to_owned());
            focus();
        };
        let label = move || request(i18n.get_locale());
        view! { <button type="button" class="chip" data-testid="example" on:click=ask>{label}</button> }
    };
    view! {
        <form class="composer" on:submit=move |event| { event.prevent_default(); send(); }>
            <Show when=move || is_fresh.get() && !is_running.get()>
                <div class="chips">
                    <span class="field__hint">{t!(i18n, page.composer.examples)}</span>
                    {example(|language| td_string!(language, page.composer.example_longest))}
                    {example(|language| td_string!(language, page.composer.example_find))}
                    {example(|language| td_string!(language, page.composer.example_readme))}
                </div>
            </Show>
            <label class="visually-hidden" for="composer">{t!(i18n, page.composer.label)}</label>
            <textarea
                id="composer"
                class="composer__text"
                data-testid="composer"
                rows="2"
                aria-describedby="composer-hint"
                placeholder=move || t_string!(i18n, page.composer.placeholder)
                node_ref=area
                prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
                on:keydown=on_key
            ></textarea>
            <div class="composer__buttons">
                <button
                    type="submit"
                    class="button button--primary"
                    data-testid="send"
                    disabled=move || is_running.get() || is_empty.get()
                >
                    {t!(i18n, page.composer.send)}
                </button>
                <Show when=move || is_running.get()>
                    <button type="button" class="button" data-testid="stop" on:click=move |_| stop()>
                        {t!(i18n, page.composer.stop)}
                    </button>
                </Show>
                <Status/>
                <button
                    type="button"
                    class="button button--quiet"
                    data-testid="new-conversation"
                    disabled=move || is_running.get() || is_fresh.get()
                    on:click=move |_| { page.new_conversation(); focus(); }
                >
                    {t!(i18n, page.composer.new)}
                </button>
            </div>
            <p class="field__hint" id="composer-hint">{t!(i18n, page.composer.hint)}</p>
        </form>
    }
}
