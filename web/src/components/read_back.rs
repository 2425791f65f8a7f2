//! What the model saw: the prompt that the server makes of a turn, message by message against what was sent.

use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::state::{PageState, ReadBack, SentAndRead, Shown};
use brimline_core::conversation::Role;
use brimline_core::overflow::Fate;
use brimline_core::wire::Rendering;
use leptos::prelude::*;

/// The button for the turn that is looked at, and what came of it.
#[component]
pub fn ReadBackPanel() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let shown = RwSignal::new(ReadBack::default());
    let turn = Memo::new(move |_| {
        let last = page.timeline.with(|timeline| timeline.last().map(|record| record.turn));
        page.selected_turn.get().or(last)
    });
    // A prompt belongs to its turn.
    Effect::new(move || {
        turn.track();
        shown.set(ReadBack::NotAsked);
    });
    let can_ask = move || !page.is_running() && turn.get().is_some_and(|turn| page.can_read_turn(turn));
    let ask = move |_| {
        if let Some(turn) = turn.get() {
            page.read_turn(turn, shown);
        }
    };
    view! {
        <Show when=can_ask>
            <section class="read-back" aria-labelledby="read-back-title">
                <h3 class="read-back__title" id="read-back-title">{t!(i18n, recovery.read_back.title)}</h3>
                <button
                    type="button"
                    class="button"
                    data-testid="read-back"
                    disabled=move || shown.with(|shown| *shown == ReadBack::Asking)
                    on:click=ask
                >
                    {move || {
                        let turn = turn.get().unwrap_or_default();
                        td_string!(i18n.get_locale(), recovery.read_back.ask, turn = turn)
                    }}
                </button>
                <div aria-live="polite">
                    {move || match shown.get() {
                        ReadBack::NotAsked => ().into_any(),
                        ReadBack::Asking => view! { <p class="status">{t!(i18n, recovery.read_back.asking)}</p> }.into_any(),
                        ReadBack::NotShown => view! {
                            <p class="warning" data-testid="read-back-not-shown">{t!(i18n, recovery.read_back.not_shown)}</p>
                        }
                        .into_any(),
                        ReadBack::Shown(shown) => view! { <Prompt shown/> }.into_any(),
                    }}
                </div>
            </section>
        </Show>
    }
}

/// Found or not, message by message, and the prompt itself.
#[component]
fn Prompt(shown: Shown) -> impl IntoView {
    let i18n = use_i18n();
    let has_request = shown.has_request();
    let is_before = shown.rendering == Rendering::ApplyTemplate;
    let verdict = move || {
        let language = i18n.get_locale();
        if has_request {
            td_string!(language, recovery.read_back.found)
        } else {
            td_string!(language, recovery.read_back.missing)
        }
    };
    let class =
        if has_request { "read-back__verdict" } else { "read-back__verdict read-back__verdict--missing" };
    let row = |message: SentAndRead| view! { <Row message/> };
    view! {
        <p class=class data-testid="read-back-verdict" data-found=has_request.to_string()>{verdict}</p>
        {is_before.then(|| view! { <p class="field__hint">{t!(i18n, recovery.read_back.before)}</p> })}
        <ol class="read-back__messages" data-testid="read-back-messages">
            {shown.messages.into_iter().map(row).collect_view()}
        </ol>
        <details class="read-back__prompt">
            <summary>{t!(i18n, recovery.read_back.prompt)}</summary>
            <pre tabindex="0" data-testid="read-back-prompt">{shown.prompt}</pre>
        </details>
    }
}

#[component]
fn Row(message: SentAndRead) -> impl IntoView {
    let i18n = use_i18n();
    let SentAndRead { role, start, is_request, fate } = message;
    let (name, glyph) = match fate {
        Fate::Kept => ("kept", "✓"),
        Fate::Dropped => ("dropped", "✗"),
    };
    view! {
        <li class=format!("read-back__row read-back__row--{name}") data-fate=name data-request=is_request.to_string()>
            <span class="read-back__fate">
                <span aria-hidden="true">{glyph}</span>
                " "
                {move || fate_text(i18n.get_locale(), fate)}
            </span>
            <span class="read-back__who">{move || who(i18n.get_locale(), role, is_request)}</span>
            <span class="read-back__start">{start}</span>
        </li>
    }
}

fn fate_text(language: Locale, fate: Fate) -> &'static str {
    match fate {
        Fate::Kept => td_string!(language, recovery.read_back.kept),
        Fate::Dropped => td_string!(language, recovery.read_back.dropped),
    }
}

fn who(language: Locale, role: Role, is_request: bool) -> &'static str {
    match role {
        Role::System => td_string!(language, recovery.read_back.system),
        Role::User if is_request => td_string!(language, recovery.read_back.request),
        Role::User => td_string!(language, recovery.read_back.user),
        Role::Assistant => td_string!(language, recovery.read_back.assistant),
        Role::Tool => td_string!(language, recovery.read_back.tool),
    }
}
