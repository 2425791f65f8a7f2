//! The knobs of the simulated server.

use super::model::ModelSelect;
use super::rungs::Rungs;
use crate::components::fields::NumberField;
use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::state::PageState;
use brimline_core::simulate::Face;
use leptos::prelude::*;

/// Its real window, and what it does when a conversation doesn't fit.
#[component]
pub fn SimulatedFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let face = Memo::new(move |_| page.settings.with(|settings| settings.simulated.face));
    let choose = move |event| {
        if let Some(face) = Face::from_name(&event_target_value(&event)) {
            page.settings.update(|settings| settings.simulated.face = face);
        }
    };
    let option = move |each: Face| {
        view! {
            <option value=each.name() prop:selected=move || face.get() == each>
                {move || face_text(i18n.get_locale(), each)}
            </option>
        }
    };
    let set_window = Callback::new(move |tokens: Option<f64>| {
        if let Some(tokens) = tokens {
            page.settings.update(|settings| settings.simulated.window = tokens as u32);
        }
    });
    view! {
        <div class="fields">
            <NumberField
                testid="sim-window"
                label=move || t!(i18n, page.connect.sim_window).into_any()
                value=Signal::derive(move || Some(page.settings.with(|settings| f64::from(settings.simulated.window))))
                set=set_window
                min=256.0
                max=1_000_000.0
            />
            <div class="field">
                <label class="field__label" for="sim-overflow">{t!(i18n, page.connect.sim_overflow)}</label>
                <select id="sim-overflow" data-testid="sim-overflow" on:change=choose>
                    {Face::ALL.map(option)}
                </select>
            </div>
        </div>
        <p class="field__hint">{t!(i18n, page.connect.sim_hint)}</p>
        {move || page.connection.with(|connection| {
            let models = connection.connected()?.models.iter().map(|model| model.name.clone()).collect();
            Some(view! { <ModelSelect models=models/><Rungs/> })
        })}
    }
}

/// What a face is and does, in a line.
fn face_text(language: Locale, face: Face) -> &'static str {
    match face {
        Face::Ollama033 => td_string!(language, page.face.ollama_033),
        Face::Ollama033Native => td_string!(language, page.face.ollama_033_native),
        Face::Ollama012 => td_string!(language, page.face.ollama_012),
        Face::Ollama03 => td_string!(language, page.face.ollama_03),
        Face::LlamaServer => td_string!(language, page.face.llama_server),
        Face::LlamaServerShift => td_string!(language, page.face.llama_server_shift),
        Face::Vllm => td_string!(language, page.face.vllm),
        Face::LmStudio => td_string!(language, page.face.lm_studio),
        Face::Proxy => td_string!(language, page.face.proxy),
        Face::CachedOnly => td_string!(language, page.face.cached_only),
        Face::Blind => td_string!(language, page.face.blind),
    }
}
