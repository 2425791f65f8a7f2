//! A server over HTTP: its address, its key, its models.

use super::model::ModelSelect;
use super::ollama::OllamaFields;
use super::rungs::Rungs;
use crate::components::ending::{WordsView, words_of_error};
use crate::i18n::{t, use_i18n};
use crate::state::{BadUrl, Connection, PageState, base_url};
use brimline_core::wire::Wire;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Address, key, *Connect*, and what came of it.
#[component]
pub fn HttpFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let url = Memo::new(move |_| page.settings.with(|settings| settings.server_url.clone()));
    let bad_url = Memo::new(move |_| url.with(|url| base_url(url)).err());
    let set_url = move |event| {
        page.settings.update(|settings| settings.server_url = event_target_value(&event));
        page.connection.set(Connection::None);
    };
    let set_key = move |event| {
        page.api_key.set(event_target_value(&event));
        page.connection.set(Connection::None);
    };
    let is_busy = move || page.connection.with(|connection| *connection == Connection::Connecting);
    let connect = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        spawn_local(async move {
            // What came of it is in `connection`.
            let _ = page.connect().await;
        });
    };
    let complaint = move || {
        bad_url.get().map(|bad| {
            let text = match bad {
                BadUrl::Empty => t!(i18n, page.connect.bad_url_empty).into_any(),
                BadUrl::Scheme => t!(i18n, page.connect.bad_url_scheme).into_any(),
                BadUrl::Host => t!(i18n, page.connect.bad_url_host).into_any(),
            };
            view! { <p class="warning" role="alert">{text}</p> }
        })
    };
    view! {
        <form on:submit=connect>
            <div class="field">
                <label class="field__label" for="server-url">{t!(i18n, page.connect.url)}</label>
                <input
                    id="server-url"
                    data-testid="server-url"
                    type="url"
                    inputmode="url"
                    spellcheck="false"
                    autocomplete="url"
                    aria-describedby="server-url-hint"
                    aria-invalid=move || bad_url.get().is_some().to_string()
                    prop:value=url
                    on:change=set_url
                />
                <span class="field__hint" id="server-url-hint">{t!(i18n, page.connect.url_hint)}</span>
                {complaint}
            </div>
            <div class="field">
                <label class="field__label" for="api-key">{t!(i18n, page.connect.key)}</label>
                <input
                    id="api-key"
                    data-testid="api-key"
                    type="password"
                    autocomplete="off"
                    aria-describedby="api-key-hint"
                    prop:value=page.api_key
                    on:change=set_key
                />
                <span class="field__hint" id="api-key-hint">{t!(i18n, page.connect.key_hint)}</span>
            </div>
            <button type="submit" class="button" data-testid="server-connect" disabled=move || is_busy() || bad_url.get().is_some()>
                {t!(i18n, page.connect.connect)}
            </button>
        </form>
        <div aria-live="polite"><Outcome/></div>
    }
}

/// What came of asking the server.
#[component]
fn Outcome() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    move || match page.connection.get() {
        Connection::None => {
            view! { <p class="status" data-testid="connection">{t!(i18n, page.connect.not_connected)}</p> }
                .into_any()
        }
        Connection::Connecting => {
            view! { <p class="status" data-testid="connection">{t!(i18n, page.connect.connecting)}</p> }
                .into_any()
        }
        Connection::Failed(error) => {
            let words = Memo::new(move |_| words_of_error(i18n.get_locale(), &error));
            view! { <div class="ending ending--error" data-testid="connection-error"><WordsView words=words/></div> }
                .into_any()
        }
        Connection::Connected(connected) => {
            let said = match connected.wire {
                Wire::Ollama => t!(i18n, page.connect.connected_ollama).into_any(),
                Wire::OpenAi => t!(i18n, page.connect.connected_openai).into_any(),
            };
            let models = connected.models.iter().map(|model| model.name.clone()).collect();
            view! {
                <p class="status" data-testid="connection">{said}</p>
                <ModelSelect models=models/>
                {(connected.wire == Wire::Ollama).then(|| view! { <OllamaFields/> })}
                <Rungs/>
            }
            .into_any()
        }
    }
}
