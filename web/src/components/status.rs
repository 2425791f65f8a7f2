//! What is going on, in a line that is read out when it changes.

use crate::i18n::{Locale, td_string, use_i18n};
use crate::numbers::count;
use crate::state::{Activity, PageState};
use brimline_core::conversation::Purpose;
use leptos::prelude::*;

/// The line.
#[component]
pub fn Status() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let text = move || {
        let language = i18n.get_locale();
        let ended = page.endings.with(|endings| endings.last().map(|past| past.end.ending().name()));
        status_text(language, &page.activity.get(), ended)
    };
    view! { <p class="status" role="status" aria-live="polite" data-testid="status">{text}</p> }
}

/// The text for an activity; `ended` is the ending of the last run.
fn status_text(language: Locale, activity: &Activity, ended: Option<&str>) -> String {
    match activity {
        Activity::Idle => match ended {
            Some(ending) => td_string!(language, page.status.ended, ending = ending),
            None => td_string!(language, page.status.idle).to_string(),
        },
        Activity::Preparing => td_string!(language, page.status.preparing).to_string(),
        Activity::Waiting { turn, purpose: Purpose::Turn } => {
            td_string!(language, page.status.waiting, turn = turn)
        }
        Activity::Waiting { turn, purpose: Purpose::Compaction } => {
            td_string!(language, page.status.waiting_summary, turn = turn)
        }
        Activity::Waiting { turn, purpose: Purpose::Confirmation } => {
            td_string!(language, page.status.waiting_confirmation, turn = turn)
        }
        Activity::Reading { turn, processed, total } => {
            let (processed, total) = (count(language, *processed), count(language, *total));
            td_string!(language, page.status.reading, turn = turn, processed = processed, total = total)
        }
        Activity::Writing { turn } => td_string!(language, page.status.writing, turn = turn),
        Activity::ReadingBack { turn } => td_string!(language, page.status.reading_back, turn = turn),
        Activity::Tools { names } => {
            td_string!(language, page.status.tools, names = names.join(", "))
        }
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn every_activity_has_a_line_in_both_languages() {
        let activities = [
            Activity::Idle,
            Activity::Preparing,
            Activity::Waiting { turn: 1, purpose: Purpose::Turn },
            Activity::Waiting { turn: 2, purpose: Purpose::Compaction },
            Activity::Waiting { turn: 3, purpose: Purpose::Confirmation },
            Activity::Reading { turn: 4, processed: 512, total: 900 },
            Activity::Writing { turn: 5 },
            Activity::ReadingBack { turn: 6 },
            Activity::Tools { names: vec!["Glob".into(), "Read".into()] },
        ];
        let lines = |language| activities.clone().map(|activity| status_text(language, &activity, None));
        assert_eq!(
            lines(Locale::en),
            [
                "Ready.",
                "Getting the folder and the server ready…",
                "Call 1: waiting for the model…",
                "Call 2: the model summarises the conversation to make room…",
                "Call 3: asking the server to confirm a count that is in doubt…",
                "Call 4: the server has read 512 of 900 tokens…",
                "Call 5: the model answers…",
                "Call 6: asking the server for the prompt that it made…",
                "Running Glob, Read…",
            ]
        );
        assert_eq!(
            lines(Locale::es),
            [
                "Listo.",
                "Preparando la carpeta y el servidor…",
                "Llamada 1: esperando al modelo…",
                "Llamada 2: el modelo resume la conversación para hacer sitio…",
                "Llamada 3: se pide al servidor que confirme un recuento dudoso…",
                "Llamada 4: el servidor ha leído 512 de 900 tokens…",
                "Llamada 5: el modelo responde…",
                "Llamada 6: se pide al servidor la entrada que formó…",
                "Ejecutando Glob, Read…",
            ]
        );
    }

    #[test]
    fn after_a_run_its_ending_is_said() {
        let line = status_text(Locale::en, &Activity::Idle, Some("context_overflow"));
        assert_eq!(line, "The run has ended: context_overflow.");
    }
}
