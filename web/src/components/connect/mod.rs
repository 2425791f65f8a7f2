//! Who answers, and how large its window is.

pub mod http;
pub mod model;
pub mod ollama;
pub mod rungs;
pub mod simulated;
pub mod window;

use super::fields::NumberField;
use crate::i18n::{t, use_i18n};
use crate::state::{PageState, ServerKind};
use http::HttpFields;
use leptos::prelude::*;
use simulated::SimulatedFields;
use window::WindowFields;

/// The longest silence that can be set: an hour.
const LONGEST_SILENCE: f64 = 3_600.0;

/// The panel.
#[component]
pub fn ConnectPanel() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let kind = Memo::new(move |_| page.settings.with(|settings| settings.server_kind));
    let choose = move |event| {
        let kind = match event_target_value(&event).as_str() {
            "server" => ServerKind::Server,
            _ => ServerKind::Simulated,
        };
        page.settings.update(|settings| settings.server_kind = kind);
    };
    let set_limit = Callback::new(move |seconds: Option<f64>| {
        if let Some(seconds) = seconds {
            page.settings.update(|settings| settings.time_limit = seconds as u32);
        }
    });
    view! {
        <section class="panel" aria-labelledby="connect-title">
            <h2 class="panel__title" id="connect-title">{t!(i18n, page.connect.title)}</h2>
            <div class="field">
                <label class="field__label" for="server-kind">{t!(i18n, page.connect.kind)}</label>
                <select id="server-kind" data-testid="server-kind" on:change=choose>
                    <option value="simulated" prop:selected=move || kind.get() == ServerKind::Simulated>
                        {t!(i18n, page.connect.simulated)}
                    </option>
                    <option value="server" prop:selected=move || kind.get() == ServerKind::Server>
                        {t!(i18n, page.connect.server)}
                    </option>
                </select>
            </div>
            {move || match kind.get() {
                ServerKind::Simulated => view! { <SimulatedFields/> }.into_any(),
                ServerKind::Server => view! { <HttpFields/> }.into_any(),
            }}
            <WindowFields/>
            <NumberField
                testid="time-limit"
                label=move || t!(i18n, page.connect.time_limit).into_any()
                hint=move || t!(i18n, page.connect.time_limit_hint).into_any()
                value=Signal::derive(move || Some(page.settings.with(|settings| f64::from(settings.time_limit))))
                set=set_limit
                min=1.0
                max=LONGEST_SILENCE
            />
        </section>
    }
}
