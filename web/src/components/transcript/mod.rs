//! The transcript: every message, whatever became of it, and how each run ended.
//!
//! Rows are made for numbers, not for contents: a token that arrives changes one line's text and nothing else.

pub mod entry;
pub mod text;

use super::ending::EndingView;
use crate::i18n::{t_string, use_i18n};
use crate::state::{PageState, TranscriptStoreFields};
use entry::EntryView;
use leptos::prelude::*;

/// The list of messages.
#[component]
pub fn TranscriptList() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let count = Memo::new(move |_| page.transcript.entries().read().len());
    let row = move |index: usize| {
        let key = u32::try_from(index).unwrap_or(u32::MAX);
        let ending = Memo::new(move |_| {
            page.endings.with(|endings| {
                let position = endings.iter().position(|past| past.after == key.saturating_add(1))?;
                let is_last = position + 1 == endings.len() && !page.is_running();
                Some((endings.get(position)?.end.clone(), is_last))
            })
        });
        view! {
            <li>
                <EntryView key=key/>
                {move || ending.get().map(|(end, is_last)| view! { <EndingView end=end is_last=is_last/> })}
            </li>
        }
    };
    view! {
        <ol class="transcript" data-testid="transcript" aria-label=move || t_string!(i18n, page.conversation)>
            <For each=move || 0..count.get() key=|index| *index children=row/>
        </ol>
    }
}
