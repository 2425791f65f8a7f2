//! Before the check: what it will ask, and how far it may go.

use crate::components::fields::NumberField;
use crate::i18n::{t, td_string, use_i18n};
use crate::state::{CheckState, PageState, ServerKind};
use leptos::prelude::*;

/// The largest window that can be asked for, in tokens.
const LARGEST: f64 = 1_048_576.0;

/// What will be asked, and the button.
#[component]
pub(super) fn StartPanel() -> impl IntoView {
    let i18n = use_i18n();
    let check = expect_context::<CheckState>();
    let page = expect_context::<PageState>();
    let set = Callback::new(move |tokens: Option<f64>| {
        check.ceiling.set(tokens.map(|tokens| tokens as u32));
    });
    let subject = move || {
        let language = i18n.get_locale();
        page.settings.with(|settings| match settings.server_kind {
            ServerKind::Simulated => td_string!(
                language,
                check.subject_simulated,
                face = settings.simulated.face.name(),
                model = settings.model_name().to_owned()
            ),
            ServerKind::Server => td_string!(
                language,
                check.subject_server,
                url = settings.server_url.clone(),
                model = settings.model_name().to_owned()
            ),
        })
    };
    view! {
        <section class="panel check__start">
            <p class="check__lead">{t!(i18n, check.lead)}</p>
            <ol class="check__asks">
                <li>{t!(i18n, check.asks.counting)}</li>
                <li>{t!(i18n, check.asks.tools)}</li>
                <li>{t!(i18n, check.asks.window)}</li>
                <li>{t!(i18n, check.asks.overflow)}</li>
                <li>{t!(i18n, check.asks.two_keys)}</li>
            </ol>
            <p class="check__cost">{t!(i18n, check.cost)}</p>
            <NumberField
                testid="check-ceiling"
                label=move || t!(i18n, check.ceiling).into_any()
                hint=move || t!(i18n, check.ceiling_hint).into_any()
                value=Signal::derive(move || check.ceiling.get().map(f64::from))
                set=set
                min=512.0
                max=LARGEST
                may_be_empty=true
            />
            <div class="check__go">
                <button type="button" class="button button--primary" data-testid="check-start"
                    disabled=move || page.is_running() on:click=move |_| check.start()>
                    {t!(i18n, check.start)}
                </button>
                <span class="check__subject" data-testid="check-subject">{subject}</span>
            </div>
        </section>
    }
}
