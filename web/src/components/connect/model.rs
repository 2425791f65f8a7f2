//! Which model answers.

use crate::components::ending::{WordsView, words_of_error};
use crate::i18n::{t, use_i18n};
use crate::state::{FIRST_MODEL, PageState};
use brimline_core::wire::ProviderError;
use leptos::prelude::*;

/// The models that the server has.
#[component]
pub fn ModelSelect(
    /// Their names.
    models: Vec<String>,
) -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    if models.is_empty() {
        let error = ProviderError::ModelMissing { model: FIRST_MODEL.into() };
        let words = Memo::new(move |_| words_of_error(i18n.get_locale(), &error));
        return view! {
            <p class="warning">{t!(i18n, page.connect.no_models)}</p>
            <WordsView words=words/>
        }
        .into_any();
    }
    let model = Memo::new(move |_| page.settings.with(|settings| settings.model_name().to_owned()));
    let choose = move |event| {
        page.settings.update(|settings| settings.set_model(&event_target_value(&event)));
    };
    let option = move |name: String| {
        let this = name.clone();
        let is_chosen = move || model.with(|model| *model == this);
        view! { <option value=name.clone() prop:selected=is_chosen>{name.clone()}</option> }
    };
    view! {
        <div class="field">
            <label class="field__label" for="model">{t!(i18n, page.connect.model)}</label>
            <select id="model" data-testid="model" on:change=choose>
                {models.into_iter().map(option).collect_view()}
            </select>
        </div>
    }
    .into_any()
}
