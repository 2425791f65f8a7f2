//! The scrubber, and the shown turn in words.

use super::layout::Holds;
use super::share::{Share, summaries};
use super::{Picture, describe};
use crate::components::verdict::{Look, VerdictBadge, sentence};
use crate::i18n::{t, t_string, td_string, use_i18n};
use crate::numbers::{count, estimate};
use brimline_core::overflow::Judgement;
use brimline_core::timeline::TurnRecord;
use leptos::prelude::*;

/// The width from which the details of a turn are open by themselves, in pixels: that of two panes.
const WIDE: f64 = 912.0;

/// A slider from turn to turn.
#[component]
pub(super) fn Scrubber(
    /// The picture.
    picture: Picture,
    /// Tells apart the pictures of a page.
    id: &'static str,
) -> impl IntoView {
    let i18n = use_i18n();
    let last = move || picture.turns.read().len();
    let position = move || picture.shown.get() + 1;
    let of = move || t_string!(i18n, picture.of, turn = position(), last = last());
    let scrub = move |event| {
        if let Ok(position) = event_target_value(&event).parse::<usize>() {
            picture.select(position.saturating_sub(1));
        }
    };
    view! {
        <div class="scrubber">
            <label for=format!("{id}-scrubber")>{t!(i18n, picture.scrub)}</label>
            <input
                type="range"
                id=format!("{id}-scrubber")
                data-testid="scrubber"
                min="1"
                max=last
                prop:value=position
                aria-valuetext=of
                on:input=scrub
            />
            <span class="scrubber__of" aria-hidden="true">{of}</span>
            <Show when=move || picture.selected.get().is_some()>
                <button type="button" class="chip" on:click=move |_| picture.selected.set(None)>
                    {t!(i18n, picture.follow)}
                </button>
            </Show>
        </div>
    }
}

/// The shown turn: its counts, its verdict with the evidence, what was done to make it fit, and the segment that the
/// pointer is on.
#[component]
pub(super) fn Detail(
    /// The picture.
    picture: Picture,
) -> impl IntoView {
    let i18n = use_i18n();
    let record = Memo::new(move |_| picture.turns.read().get(picture.shown.get()).cloned());
    let look = Signal::derive(move || picture.look(picture.shown.get()));
    let pointed = move || {
        let place = picture.pointed.get()?;
        let layout = picture.layout.read();
        let piece = layout.columns.get(place.column)?.pieces.get(place.piece)?;
        Some(describe::piece(i18n.get_locale(), &piece.holds))
    };
    let heading = move || {
        let language = i18n.get_locale();
        let record = record.get()?;
        let turn = td_string!(language, picture.turn, turn = record.turn);
        Some(format!("{turn} · {}", describe::purpose(language, record.purpose)))
    };
    let lost_request = move || {
        let layout = picture.layout.read();
        let marked =
            layout.columns.get(picture.shown.get()).is_some_and(|column| column.request_left.is_some());
        let words = match look.get() {
            Look::Shifted => t_string!(i18n, picture.left_while_writing),
            Look::Pending
            | Look::Unanswered
            | Look::Fits
            | Look::Confirmed
            | Look::Suspect
            | Look::Truncated
            | Look::Refused
            | Look::Unverified => t_string!(i18n, picture.left_marker),
        };
        marked.then(|| view! { <p class="detail__lost">{words}</p> })
    };
    // Where room is short, only what needs a look is open.
    let is_wide = window().inner_width().is_ok_and(|width| width.as_f64() >= Some(WIDE));
    let is_open = Memo::new(move |_| is_wide || look.get().needs_a_look());
    view! {
        <p class="detail__segment">{move || pointed().unwrap_or_else(|| t_string!(i18n, picture.keys).to_owned())}</p>
        <details class="detail" data-testid="verdict" data-verdict=move || look.get().name() prop:open=is_open>
            <summary class="detail__turn">{heading}<VerdictBadge look/></summary>
            {lost_request}
            <p class="detail__meaning">{move || look.get().meaning(i18n.get_locale())}</p>
            {move || record.get().and_then(|record| record.judgement).map(|judgement| view! { <Seen judgement/> })}
            {move || record.get().map(|record| view! { <Counts picture record/> })}
        </details>
    }
}

/// The evidence in sentences.
#[component]
fn Seen(
    /// The judgement.
    judgement: Judgement,
) -> impl IntoView {
    let i18n = use_i18n();
    (!judgement.evidence.is_empty()).then(|| {
        let evidence = judgement.evidence;
        let item = move |evidence| view! { <li>{move || sentence(i18n.get_locale(), &evidence)}</li> };
        view! { <ul class="detail__evidence" data-testid="evidence">{evidence.into_iter().map(item).collect_view()}</ul> }
    })
}

/// What was sent, read, written and dropped, and in which window.
#[component]
fn Counts(
    /// The picture.
    picture: Picture,
    /// The turn.
    record: TurnRecord,
) -> impl IntoView {
    let i18n = use_i18n();
    let share = Share::of(&record, &summaries(&picture.turns.read()));
    let usage = record.usage.unwrap_or_default();
    let said = move |tokens: Option<u32>| match tokens {
        Some(tokens) => count(i18n.get_locale(), tokens),
        None => t_string!(i18n, picture.not_reported).to_owned(),
    };
    let lost = (share.lost() > 0.0).then(|| {
        let lost = share.lost();
        view! { <div><dt>{t!(i18n, picture.lost)}</dt><dd>{move || estimate(i18n.get_locale(), lost)}</dd></div> }
    });
    let steps = (!record.steps.is_empty()).then(|| {
        let item = move |step| view! { <li>{move || describe::step(i18n.get_locale(), &step)}</li> };
        view! {
            <p class="detail__head">{t!(i18n, picture.steps_head)}</p>
            <ul class="detail__steps" data-testid="steps">{record.steps.into_iter().map(item).collect_view()}</ul>
        }
    });
    let (sent, free) = (record.estimate, share.free);
    view! {
        <dl class="counts">
            <div><dt>{t!(i18n, picture.sent)}</dt><dd>{move || estimate(i18n.get_locale(), sent)}</dd></div>
            <div><dt>{t!(i18n, picture.reported)}</dt><dd>{move || said(usage.prompt_tokens)}</dd></div>
            <div><dt>{t!(i18n, picture.wrote)}</dt><dd>{move || said(usage.completion_tokens)}</dd></div>
            {lost}
            <div>
                <dt>{move || describe::name(i18n.get_locale(), &Holds::Free(free))}</dt>
                <dd>{move || estimate(i18n.get_locale(), free)}</dd>
            </div>
            <div class="counts__wide">
                <dt>{t!(i18n, picture.window)}</dt>
                <dd>{move || count(i18n.get_locale(), record.window.tokens)}", "
                    {move || describe::source(i18n.get_locale(), record.window.source)}</dd>
            </div>
        </dl>
        {steps}
    }
}
