//! The session as a file: to keep, to send, to look at again.

use crate::i18n::{t, td_string, use_i18n};
use crate::platform::save::download;
use crate::state::{LoadError, PageState, SessionFile, TranscriptStoreFields};
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// What went wrong with the last file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Problem {
    Unreadable,
    Refused(LoadError),
}

/// *Save as a file* and *Open a file*.
#[component]
pub fn SessionFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let file_input = NodeRef::<Input>::new();
    let problem = RwSignal::new(None::<Problem>);
    let is_idle = Memo::new(move |_| !page.is_running());
    let is_empty = Memo::new(move |_| page.transcript.entries().read().is_empty());
    let export = move |_| {
        let text = page.session_file().and_then(|file| serde_json::to_string_pretty(&file).ok());
        if let Some(text) = text {
            // A browser that blocks downloads says so itself.
            let _ = download("brimline-session.json", &text);
        }
    };
    let load = move |_| {
        let Some(input) = file_input.get_untracked() else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        // So that the same file can be chosen again.
        input.set_value("");
        spawn_local(async move {
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            let outcome = text
                .ok_or(Problem::Unreadable)
                .and_then(|text| SessionFile::parse(&text).map_err(Problem::Refused));
            match outcome {
                Ok(file) => {
                    problem.set(None);
                    page.open_session(file);
                }
                Err(error) => problem.set(Some(error)),
            }
        });
    };
    let problem_text = move || {
        let language = i18n.get_locale();
        problem.get().map(|problem| match problem {
            Problem::Unreadable => td_string!(language, page.settings.load_unreadable).to_owned(),
            Problem::Refused(LoadError::NotASession) => {
                td_string!(language, page.settings.load_not_a_session).to_owned()
            }
            Problem::Refused(LoadError::TooNew { version }) => {
                td_string!(language, page.settings.load_too_new, version = version)
            }
        })
    };
    view! {
        <h3>{t!(i18n, page.settings.session)}</h3>
        <div class="chips">
            <button
                type="button"
                class="button"
                data-testid="export"
                disabled=move || !is_idle.get() || is_empty.get()
                on:click=export
            >
                {t!(i18n, page.settings.export)}
            </button>
            <button
                type="button"
                class="button"
                data-testid="load"
                disabled=move || !is_idle.get()
                on:click=move |_| if let Some(input) = file_input.get_untracked() { input.click() }
            >
                {t!(i18n, page.settings.load)}
            </button>
            <input
                class="visually-hidden"
                type="file"
                accept="application/json,.json"
                tabindex="-1"
                aria-hidden="true"
                data-testid="load-input"
                node_ref=file_input
                on:change=load
            />
        </div>
        {move || problem_text().map(|text| view! { <p class="warning" role="alert">{text}</p> })}
    }
}
