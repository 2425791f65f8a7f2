//! While the check goes on: what is being found out, and how long it may take.

use super::words;
use crate::i18n::{t, td_string, use_i18n};
use crate::numbers::count;
use crate::state::{CheckState, time_left};
use brimline_core::check::Stage;
use leptos::prelude::*;

/// How far it is, and the button that stops it.
#[component]
pub(super) fn ProgressPanel() -> impl IntoView {
    let i18n = use_i18n();
    let check = expect_context::<CheckState>();
    let stage = Memo::new(move |_| check.run.get().map(|run| run.progress.stage));
    let figures = move || {
        let run = check.run.get()?;
        let language = i18n.get_locale();
        let read = td_string!(
            language,
            check.progress.read,
            calls = count(language, run.progress.calls),
            tokens = count(language, run.progress.tokens_read)
        );
        let left = match time_left(&run) {
            Some(seconds) => {
                td_string!(language, check.progress.left, time = words::duration(language, seconds))
            }
            None => td_string!(language, check.progress.left_unknown).to_owned(),
        };
        Some(format!("{read} {left}"))
    };
    let share = move || {
        check.run.get().map_or(0.0, |run| {
            let read = f64::from(run.progress.tokens_read);
            read / (read + f64::from(run.progress.tokens_left)).max(1.0)
        })
    };
    let steps = move || {
        let at = stage.get();
        Stage::ALL
            .map(|step| {
                let is_now = at == Some(step);
                let is_over = at.is_some_and(|at| order(step) < order(at));
                let state = if is_now {
                    "now"
                } else if is_over {
                    "over"
                } else {
                    "later"
                };
                view! {
                    <li class="check__step" data-state=state aria-current=is_now.then_some("step")>
                        {words::stage(i18n.get_locale(), step)}
                    </li>
                }
            })
            .collect_view()
    };
    view! {
        <section class="panel check__progress" data-testid="check-progress">
            <ol class="check__steps" aria-live="polite">{steps}</ol>
            <progress class="check__bar" max="1" prop:value=share aria-label=move || td_string!(i18n.get_locale(), check.progress.bar)></progress>
            <p data-testid="check-figures">{figures}</p>
            <button type="button" class="button" data-testid="check-stop" on:click=move |_| check.stop()>
                {t!(i18n, check.stop)}
            </button>
        </section>
    }
}

/// The place of a stage among all; the end comes after them.
fn order(stage: Stage) -> usize {
    Stage::ALL.iter().position(|step| *step == stage).unwrap_or(Stage::ALL.len())
}
