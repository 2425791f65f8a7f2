//! A line to copy into a terminal.

use crate::i18n::{t, use_i18n};
use crate::platform::save::copy;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// What became of the last click on *Copy*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Copied {
    NotYet,
    Yes,
    No,
}

/// The line, with a button that copies it.
#[component]
pub fn CommandLine(
    /// The line.
    #[prop(into)]
    line: String,
    /// Its name for browser tests.
    testid: &'static str,
) -> impl IntoView {
    let i18n = use_i18n();
    let copied = RwSignal::new(Copied::NotYet);
    let text = line.clone();
    let on_click = move |_| {
        let line = line.clone();
        spawn_local(async move {
            copied.set(if copy(&line).await { Copied::Yes } else { Copied::No });
        });
    };
    let label = move || match copied.get() {
        Copied::NotYet => t!(i18n, page.command.copy).into_any(),
        Copied::Yes => t!(i18n, page.command.copied).into_any(),
        Copied::No => t!(i18n, page.command.failed).into_any(),
    };
    view! {
        <div class="command">
            <code data-testid=testid>{text}</code>
            <button type="button" class="button" on:click=on_click>
                <span aria-live="polite">{label}</span>
            </button>
        </div>
    }
}
