//! What came of a check: the verdict, what to do, the findings, the curve, and the report to copy.

use super::curve::Curve;
use super::words;
use crate::i18n::{t, td_string, use_i18n};
use crate::numbers::count;
use crate::platform::save::copy;
use crate::state::CheckState;
use brimline_core::check::{Report, Verdict};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The whole report.
#[component]
pub(super) fn Findings(
    /// What was found.
    report: Report,
) -> impl IntoView {
    let i18n = use_i18n();
    let check = expect_context::<CheckState>();
    let (text, json) = (report.to_text(), report.to_json());
    let counts = report.counts.clone();
    let window = report.window.measured();
    let (name, tone) = (words::verdict_name(&report.verdict), tone(&report.verdict));
    let report = StoredValue::new(report);
    let advice = move || {
        let language = i18n.get_locale();
        let items = report
            .with_value(|report| report.advice.iter().map(|item| words::advice(language, item)).collect());
        let items: Vec<String> = items;
        items.into_iter().map(|item| view! { <li>{item}</li> }).collect_view()
    };
    let rows = move || {
        let rows = report.with_value(|report| words::rows(i18n.get_locale(), report));
        rows.into_iter()
            .map(|(name, found)| view! { <tr><th scope="row">{name}</th><td>{found}</td></tr> })
            .collect_view()
    };
    let cost = move || {
        let language = i18n.get_locale();
        let (calls, tokens) = report.with_value(|report| (report.calls, report.tokens_read));
        td_string!(
            language,
            check.found.cost,
            calls = count(language, calls),
            tokens = count(language, tokens)
        )
    };
    view! {
        <section class="check__found" data-testid="check-report" data-verdict=name>
            <div class="check__verdict" data-tone=tone role="status">
                <p class="check__sentence" data-testid="check-verdict">
                    {move || report.with_value(|report| words::verdict(i18n.get_locale(), &report.verdict))}
                </p>
                <p class="check__window" data-testid="check-window" data-tokens=window>
                    {move || report.with_value(|report| words::window(i18n.get_locale(), report.window))}
                </p>
            </div>
            <div class="check__columns">
                <section class="panel">
                    <h3 class="panel__title">{t!(i18n, check.found.do_this)}</h3>
                    <ul class="check__advice" data-testid="check-advice">{advice}</ul>
                    {window.map(|tokens| view! {
                        <button type="button" class="button button--primary" data-testid="check-use-window"
                            disabled=move || check.uses_window(tokens) on:click=move |_| check.use_window(tokens)>
                            {move || {
                                let language = i18n.get_locale();
                                let tokens_text = count(language, tokens);
                                if check.uses_window(tokens) {
                                    td_string!(language, check.found.window_used, tokens = tokens_text)
                                } else {
                                    td_string!(language, check.found.use_window, tokens = tokens_text)
                                }
                            }}
                        </button>
                    })}
                </section>
                {(!counts.is_empty()).then(|| view! { <section class="panel"><Curve counts=counts window=window/></section> })}
            </div>
            <section class="panel">
                <h3 class="panel__title">{t!(i18n, check.found.findings)}</h3>
                <table class="check__table" data-testid="check-findings"><tbody>{rows}</tbody></table>
                <p class="check__cost">{cost}</p>
                <div class="check__copy">
                    <CopyButton text=text is_json=false/>
                    <CopyButton text=json is_json=true/>
                    <span class="check__cost">{t!(i18n, check.found.copy_hint)}</span>
                </div>
            </section>
        </section>
    }
}

/// A button that copies the report.
#[component]
fn CopyButton(text: String, is_json: bool) -> impl IntoView {
    let i18n = use_i18n();
    let copied = RwSignal::new(None::<bool>);
    let testid = if is_json { "check-copy-json" } else { "check-copy-text" };
    let on_click = move |_| {
        let text = text.clone();
        spawn_local(async move { copied.set(Some(copy(&text).await)) });
    };
    let label = move || {
        let language = i18n.get_locale();
        match (copied.get(), is_json) {
            (Some(true), _) => td_string!(language, check.found.copied),
            (Some(false), _) => td_string!(language, check.found.copy_failed),
            (None, false) => td_string!(language, check.found.copy_text),
            (None, true) => td_string!(language, check.found.copy_json),
        }
    };
    view! {
        <button type="button" class="button" data-testid=testid on:click=on_click>
            <span aria-live="polite">{label}</span>
        </button>
    }
}

/// How the verdict looks, beside its words.
fn tone(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Honest | Verdict::Roomy { .. } => "good",
        Verdict::SilentUnlessAsked => "doubt",
        Verdict::Silent | Verdict::CachedOnly | Verdict::Blind | Verdict::Failed(_) => "bad",
        Verdict::Unclear | Verdict::Stopped => "unknown",
    }
}
