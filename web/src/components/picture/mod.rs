//! The window picture: how the model's context window fills, turn by turn, and what the server threw away.
//!
//! `share` says what became of each turn's prompt, `layout` where that goes on the page, `plot` draws it; `detail`,
//! `legend` and `table` say the same in words.
//!
//! ```ignore
//! view! { <WindowPicture turns belief selected highlight live/> }
//! ```

#![expect(
    unreachable_pub,
    reason = "`#[component]` makes the type of its properties `pub`, whatever the function is"
)]

mod axis;
mod describe;
mod detail;
mod layout;
mod legend;
mod patterns;
mod plot;
mod share;
mod table;

use crate::i18n::{t, t_string, use_i18n};
use brimline_core::conversation::MessageId;
use brimline_core::timeline::TurnRecord;
use brimline_core::window::WindowBelief;
use leptos::html;
use leptos::prelude::*;
use leptos_use::{UseElementSizeReturn, use_element_size};

/// The messages that the pointer or the focus is on, in the picture or in the transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Highlight(pub Vec<MessageId>);

/// A segment: the index of its turn, and its own in that turn's column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    column: usize,
    piece: usize,
}

/// What the parts of the picture share.
#[derive(Clone, Copy)]
struct Picture {
    turns: Signal<Vec<TurnRecord>>,
    belief: Signal<WindowBelief>,
    layout: Memo<layout::Layout>,
    /// Whether the last turn is under way.
    live: Signal<bool>,
    /// The index of the turn that is shown in detail.
    shown: Memo<usize>,
    selected: RwSignal<Option<u32>>,
    highlight: RwSignal<Highlight>,
    /// The segment that the pointer or the focus is on.
    pointed: RwSignal<Option<Place>>,
}

impl Picture {
    /// Shows the turn of that index in detail. The last one is followed as further turns come.
    fn select(self, index: usize) {
        let turns = self.turns.read_untracked();
        let turn = turns.get(index).map(|record| record.turn);
        self.selected.set(turn.filter(|_| index + 1 < turns.len()));
    }

    /// Points at a segment, or at none, and highlights its messages.
    fn point(self, place: Option<Place>) {
        let messages = place.and_then(|place| {
            let layout = self.layout.read_untracked();
            let piece = layout.columns.get(place.column)?.pieces.get(place.piece)?;
            Some(piece.holds.messages().to_vec())
        });
        self.pointed.set(place);
        self.highlight.set(Highlight(messages.unwrap_or_default()));
    }

    /// The look of a turn's verdict.
    fn look(self, index: usize) -> crate::components::verdict::Look {
        let turns = self.turns.read();
        let is_last = index + 1 == turns.len();
        let judgement = turns.get(index).and_then(|record| record.judgement.as_ref());
        crate::components::verdict::Look::of(judgement, is_last && self.live.get())
    }
}

/// The picture with its scrubber, its words, its legend and its table.
#[component]
pub fn WindowPicture(
    /// The turns so far.
    #[prop(into)]
    turns: Signal<Vec<TurnRecord>>,
    /// The window that the page believes now.
    #[prop(into)]
    belief: Signal<WindowBelief>,
    /// The turn that is shown in detail; `None` follows the latest.
    selected: RwSignal<Option<u32>>,
    /// The messages that are highlighted, here and in the transcript.
    highlight: RwSignal<Highlight>,
    /// Whether the last turn is under way.
    #[prop(into)]
    live: Signal<bool>,
    /// Tells apart the pictures of a page.
    #[prop(default = "picture")]
    id: &'static str,
) -> impl IntoView {
    let i18n = use_i18n();
    let plot = NodeRef::<html::Div>::new();
    let UseElementSizeReturn { width, height } = use_element_size(plot);
    let layout = Memo::new(move |_| {
        let room = layout::Room { width: width.get().max(240.0), height: height.get().max(180.0) };
        layout::layout(&turns.read(), belief.get().window().tokens, room)
    });
    let shown = Memo::new(move |_| {
        let turns = turns.read();
        let selected = selected.get();
        let index = selected.and_then(|selected| turns.iter().position(|record| record.turn == selected));
        index.unwrap_or(turns.len().saturating_sub(1))
    });
    let picture =
        Picture { turns, belief, layout, live, shown, selected, highlight, pointed: RwSignal::new(None) };
    let is_empty = Memo::new(move |_| turns.read().is_empty());
    let as_table = RwSignal::new(false);
    let table_button = move || {
        if as_table.get() { t_string!(i18n, picture.table_hide) } else { t_string!(i18n, picture.table_show) }
    };
    view! {
        <figure class="picture" data-testid="picture" aria-labelledby=format!("{id}-title")>
            <figcaption class="picture__title" id=format!("{id}-title")>{t!(i18n, picture.title)}</figcaption>
            <div class="picture__plot" node_ref=plot>
                <plot::Plot picture id/>
                <Show when=move || is_empty.get()>
                    <p class="picture__empty">{t!(i18n, picture.empty)}</p>
                </Show>
            </div>
            <Show when=move || !is_empty.get()>
                <detail::Scrubber picture id/>
                <detail::Detail picture/>
            </Show>
            <legend::Legend/>
            <Show when=move || !is_empty.get()>
                <button
                    type="button"
                    class="button button--quiet picture__table-button"
                    aria-expanded=move || as_table.get().to_string()
                    on:click=move |_| as_table.update(|shown| *shown = !*shown)
                >
                    {table_button}
                </button>
                <div class="picture__table" class:visually-hidden=move || !as_table.get()>
                    <table::Table picture/>
                </div>
            </Show>
        </figure>
    }
}
