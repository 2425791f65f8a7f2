//! One message of the transcript.

use super::text::{Folded, Lines};
use crate::components::picture::Highlight;
use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::numbers::count;
use crate::state::{EntryKind, PageState, TranscriptEntryStoreFields, TranscriptStoreFields};
use brimline_core::conversation::{MessageId, Standing};
use leptos::prelude::*;

/// The message with that number: who speaks, what became of it, and what it says.
#[component]
pub fn EntryView(
    /// The number.
    key: u32,
) -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let entry = page.transcript.entries().at_key(key);
    // An entry that was being written may go away with its call, a moment before this row does.
    let kind = Memo::new(move |_| entry.kind().try_get().unwrap_or(EntryKind::Assistant));
    let standing = Memo::new(move |_| entry.standing().try_get().unwrap_or(Standing::Sent));
    let is_live = Memo::new(move |_| entry.is_live().try_get().unwrap_or(false));
    let has_thinking = Memo::new(move |_| entry.thinking().try_read().is_some_and(|text| !text.is_empty()));
    let has_text = Memo::new(move |_| {
        entry.lines().try_read().is_some_and(|lines| lines.iter().any(|line| !line.text.is_empty()))
    });
    let whole_text = Callback::new(move |()| {
        let lines = entry.lines().try_read();
        let text =
            lines.map(|lines| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n"));
        text.unwrap_or_default()
    });
    let line_count = move || {
        let lines = entry.lines().try_read();
        // What follows the last line's end is no line.
        lines.map_or(0, |lines| {
            lines.len() - usize::from(lines.last().is_some_and(|line| line.text.is_empty()))
        })
    };

    let who = move || heading(i18n.get_locale(), &kind.get());
    let marks = move || marks(i18n.get_locale(), &kind.get(), standing.get());
    let is_error = move || kind.with(|kind| matches!(kind, EntryKind::ToolResult { is_error: true, .. }));
    let is_highlighted = move || page.highlight.with(|highlight| highlight.0.contains(&MessageId(key)));
    let point_out = move |_| page.highlight.set(Highlight(vec![MessageId(key)]));
    let let_go = move |_| page.highlight.set(Highlight::default());

    let folded_text = move || {
        let summary = move || t!(i18n, page.entry.lines, count = line_count).into_any();
        view! { <Folded class="entry__fold" summary=summary text=whole_text/> }
    };
    let body = move || {
        match kind.get() {
        EntryKind::SystemPrompt | EntryKind::ProjectInstructions | EntryKind::ToolResult { .. } => {
            folded_text().into_any()
        }
        EntryKind::Request | EntryKind::Assistant | EntryKind::Summary => view! {
            <Show when=move || has_thinking.get()>
                <Folded
                    class="entry__thinking"
                    summary=move || t!(i18n, page.entry.thinking).into_any()
                    text=Callback::new(move |()| entry.thinking().try_get().unwrap_or_default())
                />
            </Show>
            <Show when=move || standing.get() == Standing::SetAside>
                <p class="warning">{t!(i18n, page.entry.set_aside_note)}</p>
            </Show>
            <Show when=move || has_text.get() || is_live.get()>
                <Lines key=key/>
            </Show>
            {move || entry.calls().try_get().unwrap_or_default().into_iter().map(|call| {
                let arguments = call.arguments.clone();
                let summary = move || view! { <code>{call_line(&call.name, &call.arguments)}</code> }.into_any();
                view! {
                    <Folded class="entry__call" summary=summary text=Callback::new(move |()| arguments.clone())/>
                }
            }).collect_view()}
        }
        .into_any(),
    }
    };
    view! {
        <article
            class=move || format!("entry entry--{}", kind.with(kind_name))
            class:is-not-sent=move || standing.get() != Standing::Sent
            class:is-set-aside=move || standing.get() == Standing::SetAside
            class:is-error=is_error
            class:is-live=move || is_live.get()
            class:is-highlighted=is_highlighted
            data-testid="entry"
            data-kind=move || kind.with(kind_name)
            data-standing=move || standing_name(standing.get())
            data-message=key
            on:mouseenter=point_out
            on:mouseleave=let_go
            on:focusin=move |_| page.highlight.set(Highlight(vec![MessageId(key)]))
            on:focusout=move |_| page.highlight.set(Highlight::default())
        >
            <header class="entry__who">
                <span>{who}</span>
                {move || marks().into_iter().map(|mark| view! { <span class="entry__mark">{mark}</span> }).collect_view()}
            </header>
            {body}
        </article>
    }
}

/// A kind's name in class names and for browser tests.
fn kind_name(kind: &EntryKind) -> &'static str {
    match kind {
        EntryKind::SystemPrompt | EntryKind::ProjectInstructions => "system",
        EntryKind::Request => "request",
        EntryKind::Assistant => "assistant",
        EntryKind::ToolResult { .. } => "tool",
        EntryKind::Summary => "summary",
    }
}

/// A standing's name for browser tests.
fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Sent => "sent",
        Standing::Cleared => "cleared",
        Standing::Compacted { .. } => "compacted",
        Standing::SetAside => "set-aside",
    }
}

fn heading(language: Locale, kind: &EntryKind) -> String {
    match kind {
        EntryKind::SystemPrompt => td_string!(language, page.entry.system).to_string(),
        EntryKind::ProjectInstructions => td_string!(language, page.entry.instructions).to_string(),
        EntryKind::Request => td_string!(language, page.entry.request).to_string(),
        EntryKind::Assistant => td_string!(language, page.entry.assistant).to_string(),
        EntryKind::ToolResult { tool, .. } => td_string!(language, page.entry.tool, tool = tool),
        EntryKind::Summary => td_string!(language, page.entry.summary).to_string(),
    }
}

/// What became of a message, in short labels.
fn marks(language: Locale, kind: &EntryKind, standing: Standing) -> Vec<String> {
    let mut marks = Vec::new();
    if let EntryKind::ToolResult { is_error, trimmed_tokens, .. } = kind {
        if *is_error {
            marks.push(td_string!(language, page.entry.error).to_string());
        }
        if *trimmed_tokens > 0 {
            marks.push(td_string!(language, page.entry.trimmed, tokens = count(language, *trimmed_tokens)));
        }
    }
    match standing {
        Standing::Sent => {}
        Standing::Cleared => marks.push(td_string!(language, page.entry.cleared).to_string()),
        Standing::Compacted { into } => marks.push(td_string!(language, page.entry.compacted, into = into.0)),
        Standing::SetAside => marks.push(td_string!(language, page.entry.set_aside).to_string()),
    }
    marks
}

/// So many characters of a call's arguments are shown in its line.
const SHOWN_ARGUMENTS: usize = 80;

/// A call in a line: its name, and the start of its arguments.
fn call_line(name: &str, arguments: &str) -> String {
    let mut shown: String = arguments.chars().take(SHOWN_ARGUMENTS).collect();
    if shown.len() < arguments.len() {
        shown.push('…');
    }
    format!("{name} {}", shown.replace('\n', " "))
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn marks_say_what_is_no_longer_sent() {
        let result = EntryKind::ToolResult { tool: "Read".into(), is_error: true, trimmed_tokens: 900 };
        let into = MessageId(12);
        let all = [Standing::Sent, Standing::Cleared, Standing::Compacted { into }, Standing::SetAside];
        assert_eq!(
            all.map(|standing| marks(Locale::en, &EntryKind::Assistant, standing)),
            [
                vec![],
                vec!["no longer sent: cleared, a note is sent in its place".to_owned()],
                vec!["no longer sent: replaced by summary 12".to_owned()],
                vec!["set aside: not a sound answer, and never sent".to_owned()],
            ]
        );
        assert_eq!(marks(Locale::es, &result, Standing::Sent), ["error", "faltan unos 900 tokens del medio"]);
    }

    #[test]
    fn a_call_is_one_line_whatever_its_arguments() {
        assert_eq!(call_line("Read", "{\"path\":\n\"a\"}"), "Read {\"path\": \"a\"}");
        let long = call_line("Grep", &"é".repeat(200));
        assert_eq!(long, format!("Grep {}…", "é".repeat(80)));
    }
}
