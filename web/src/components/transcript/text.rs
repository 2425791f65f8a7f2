//! A text in lines.

use crate::state::{LineKind, LineStoreFields, PageState, TranscriptEntryStoreFields, TranscriptStoreFields};
use leptos::prelude::*;

/// The lines of an entry, each one a row of its own. Only code fences are told apart.
#[component]
pub fn Lines(
    /// The entry.
    key: u32,
) -> impl IntoView {
    let page = expect_context::<PageState>();
    let lines = page.transcript.entries().at_key(key).lines();
    let count = Memo::new(move |_| lines.try_read().map_or(0, |lines| lines.len()));
    let row = move |number: usize| {
        let line = lines.at_key(number);
        let is_code = move || match line.kind().try_get() {
            Some(LineKind::Code | LineKind::FenceOpens | LineKind::FenceCloses) => true,
            Some(LineKind::Prose) | None => false,
        };
        view! {
            <div class="entry__line" class=("entry__line--code", is_code)>
                {move || line.text().try_get()}
            </div>
        }
    };
    view! {
        <div class="entry__text">
            <For each=move || 0..count.get() key=|number| *number children=row/>
        </div>
    }
}

/// A long text that is folded away: it costs nothing until it is opened.
#[component]
pub fn Folded(
    /// What it is.
    #[prop(into)]
    summary: ViewFn,
    /// The classes of the fold.
    class: &'static str,
    /// The text, asked for when it is opened.
    text: Callback<(), String>,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let on_toggle = move |event: leptos::ev::Event| {
        let details = event_target::<web_sys::Element>(&event);
        is_open.set(details.has_attribute("open"));
    };
    view! {
        <details class=class on:toggle=on_toggle>
            <summary>{summary.run()}</summary>
            <Show when=move || is_open.get()>
                <pre class="entry__result" tabindex="0">{move || text.run(())}</pre>
            </Show>
        </details>
    }
}
