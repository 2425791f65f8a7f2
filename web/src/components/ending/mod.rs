//! How a run ended: its name, how far it can be trusted, what happened, why we think so, and one thing to do.

pub mod words;

use super::command::CommandLine;
use super::recovery::Offers;
use crate::components::verdict::sentence;
use crate::i18n::{Locale, td_string, use_i18n};
use crate::state::{PageState, origins_line, pull_line};
use brimline_core::run::{Assurance, EndReason, Ending, RunEnd};
use leptos::prelude::*;
use words::Command;
pub use words::{Words, words_of_error};

/// The banner of an ending. Only one that looks normal is drawn quietly.
#[component]
pub fn EndingView(
    /// The ending.
    end: RunEnd,
    /// It is of the latest run. Earlier ones are folded to their names.
    is_last: bool,
) -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let name = end.ending().name();
    let assurance = end.assurance;
    let looks_normal = end.looks_normal();
    let tone = tone(&end);
    let turn = match &end.reason {
        EndReason::ServerDropped { turn, .. } => Some(*turn),
        EndReason::Answered
        | EndReason::TurnsUsedUp { .. }
        | EndReason::AnswerCutShort { .. }
        | EndReason::ServerRefused { .. }
        | EndReason::WindowFull { .. }
        | EndReason::WouldNotFit { .. }
        | EndReason::Stopped
        | EndReason::Failed(_)
        | EndReason::Declined => None,
    };
    let ended = end.clone();
    let words = Memo::new(move |_| words::words(i18n.get_locale(), &end));
    let seen = move || {
        let language = i18n.get_locale();
        page.timeline.with(|timeline| {
            let judgement = timeline.iter().find(|record| Some(record.turn) == turn)?.judgement.as_ref()?;
            let sentences: Vec<String> =
                judgement.evidence.iter().map(|evidence| sentence(language, evidence)).collect();
            Some(view! {
                <ul class="ending__seen" data-testid="ending-seen">
                    {sentences.into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view()}
                </ul>
            })
        })
    };
    let head = move || {
        view! {
            <span class="ending__name">{name}</span>
            " "
            <span class="ending__assurance">{move || assurance_text(i18n.get_locale(), assurance)}</span>
        }
    };
    if is_last {
        view! {
            <section
                class=format!("ending ending--{tone}")
                aria-label=move || td_string!(i18n.get_locale(), page.ending.title)
                data-testid="ending"
                data-ending=name
                data-assurance=assurance_name(assurance)
                data-normal=looks_normal.to_string()
            >
                <p>{head()}</p>
                <WordsView words=words/>
                {seen}
                <Offers end=ended/>
            </section>
        }
        .into_any()
    } else {
        view! {
            <details class=format!("ending ending--{tone}") data-testid="past-ending" data-ending=name>
                <summary>{head()}</summary>
                <WordsView words=words/>
            </details>
        }
        .into_any()
    }
}

/// What happened, why we think so, one thing to do, and the line to copy for it.
#[component]
pub fn WordsView(
    /// The texts.
    #[prop(into)]
    words: Signal<Words>,
) -> impl IntoView {
    let command = move || {
        words.with(|words| words.command.clone()).map(|command| match command {
            Command::Origins { origin } => {
                view! { <CommandLine line=origins_line(origin) testid="origins-line"/> }.into_any()
            }
            Command::Pull { model } => {
                view! { <CommandLine line=pull_line(model) testid="pull-line"/> }.into_any()
            }
        })
    };
    view! {
        <p class="ending__happened" data-testid="ending-happened">{move || words.get().happened}</p>
        <p class="ending__why" data-testid="ending-why">{move || words.get().why}</p>
        <p class="ending__do" data-testid="ending-do">{move || words.get().todo}</p>
        {command}
    }
}

/// How loudly an ending is drawn.
fn tone(end: &RunEnd) -> &'static str {
    match end.ending() {
        Ending::EndTurn if end.looks_normal() => "normal",
        Ending::EndTurn | Ending::MaxTurns | Ending::MaxTokens | Ending::Cancelled | Ending::Refusal => {
            "warning"
        }
        Ending::ContextOverflow | Ending::ProviderError => "error",
    }
}

fn assurance_name(assurance: Assurance) -> &'static str {
    match assurance {
        Assurance::Verified => "verified",
        Assurance::Suspect => "suspect",
        Assurance::Unverified => "unverified",
    }
}

fn assurance_text(language: Locale, assurance: Assurance) -> &'static str {
    match assurance {
        Assurance::Verified => td_string!(language, page.ending.verified),
        Assurance::Suspect => td_string!(language, page.ending.suspect),
        Assurance::Unverified => td_string!(language, page.ending.unverified),
    }
}
