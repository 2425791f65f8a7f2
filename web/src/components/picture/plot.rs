//! The drawing: columns, lines, numbers. Every rectangle keeps its element while turns change, so that the focus stays.

use super::layout::{Column, EvidenceLine, FOOT, GUTTER, Holds, Piece, WindowLine, label_fits};
use super::patterns::{Fill, Filled, Patterns};
use super::share::PartKind;
use super::{Picture, Place, describe};
use crate::i18n::{t, t_string, td_string, use_i18n};
use crate::numbers::{count, estimate};
use brimline_core::timeline::SegmentForm;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The drawing.
#[component]
pub(super) fn Plot(
    /// The picture.
    picture: Picture,
    /// Tells apart the pictures of a page.
    id: &'static str,
) -> impl IntoView {
    let i18n = use_i18n();
    let layout = picture.layout;
    let ticks = move || {
        let layout = layout.read();
        let right = layout.width;
        let tick = |y: f64, tokens: u32| {
            view! {
                <line class="plot__grid" x1=GUTTER - 6.0 x2=right y1=y y2=y/>
                <text class="plot__number" x=GUTTER - 10.0 y=y + 4.0>{count(i18n.get_locale(), tokens)}</text>
            }
        };
        layout.ticks.iter().map(|line| tick(line.y, line.tokens)).collect_view()
    };
    let folds = move || {
        let layout = layout.read();
        let zigzag = |y: &f64| {
            let steps = ((layout.width - GUTTER) / 12.0).ceil() as usize;
            let path = (0..steps).fold(format!("M{GUTTER} {y}"), |path, _| path + "l3-4 6 8 3-4");
            view! { <path class="plot__fold" d=path/> }
        };
        layout.folds.iter().map(zigzag).collect_view()
    };
    let believed = move || {
        let layout = layout.read();
        let window = picture.turns.read().last().map(|record| record.window);
        let window = window.unwrap_or_else(|| picture.belief.get().window());
        let name = describe::window(i18n.get_locale(), window);
        let last = layout.believed.len().saturating_sub(1);
        let line = |(index, line): (usize, &WindowLine)| {
            let name = (index == last).then(|| name.clone());
            view! {
                <line class="plot__believed" x1=line.from x2=line.to y1=line.y y2=line.y/>
                <text class="plot__name" x=layout.width - 12.0 y=line.y - 7.0 text-anchor="end">{name}</text>
            }
        };
        layout.believed.iter().enumerate().map(line).collect_view()
    };
    let evidence = move || {
        let layout = layout.read();
        let name = |line: &EvidenceLine| describe::shown_window(i18n.get_locale(), line.range);
        layout.evidence.as_ref().map(|line| {
            view! {
                <g data-testid="window-evidence">
                    <rect class="plot__evidence-band" x=line.from width=line.to - line.from y=line.y height=line.height/>
                    <line class="plot__evidence" x1=line.from x2=line.to y1=line.y y2=line.y/>
                    <text class="plot__name plot__name--evidence" x=line.name.x y=line.name.y text-anchor=line.name.anchor()>{name(line)}</text>
                </g>
            }
        })
    };
    let columns = move || 0..layout.read().columns.len();
    let width = move || layout.read().width;
    view! {
        <svg
            class="plot"
            role="group"
            aria-label=move || t_string!(i18n, picture.title)
            width=width
            height=move || layout.read().height
            on:keydown=move |event| steer(picture, id, &event)
        >
            <Patterns/>
            <g aria-hidden="true">{ticks}</g>
            <For each=columns key=|index| *index children=move |index| view! { <Turn picture id index/> }/>
            <line
                class="plot__baseline"
                x1=GUTTER - 6.0
                x2=width
                y1=move || layout.read().baseline
                y2=move || layout.read().baseline
            />
            <g class="plot__lines" aria-hidden="true">{folds}<g data-testid="window-believed">{believed}</g>{evidence}</g>
            <For each=columns key=|index| *index children=move |index| view! { <LostRequest picture index/> }/>
        </svg>
    }
}

/// A column.
#[component]
fn Turn(
    /// The picture.
    picture: Picture,
    /// Tells apart the pictures of a page.
    id: &'static str,
    /// The turn's index.
    index: usize,
) -> impl IntoView {
    let i18n = use_i18n();
    let column = Memo::new(move |_| picture.layout.read().columns.get(index).cloned());
    let of = move |place: fn(&Column) -> f64| column.read().as_ref().map_or(0.0, place);
    let centre = move || of(|column| column.x + column.width / 2.0);
    let look = move || picture.look(index);
    let record = move || picture.turns.read().get(index).cloned();
    let turn = move || column.read().as_ref().map(|column| column.turn);
    let total = move || {
        let (language, record) = (i18n.get_locale(), record()?);
        let counted = record.usage.and_then(|usage| usage.prompt_tokens);
        let text = match counted {
            Some(tokens) => count(language, tokens),
            None => estimate(language, record.estimate),
        };
        label_fits(text.chars().count(), of(|column| column.slot_width), 99.0).then_some(text)
    };
    let words = move || {
        let language = i18n.get_locale();
        let turn = td_string!(language, picture.turn, turn = turn().unwrap_or_default());
        format!("{turn}: {}", look().word(language))
    };
    let purpose = move || record().map(|record| format!("{:?}", record.purpose).to_lowercase());
    let pieces = move || 0..column.read().as_ref().map_or(0, |column| column.pieces.len());
    let foot = move || picture.layout.read().height - FOOT;
    view! {
        <g
            class="turn"
            class:is-shown=move || picture.shown.get() == index
            class:is-pending=move || look() == crate::components::verdict::Look::Pending
            role="group"
            aria-label=words
            data-testid="turn"
            data-turn=turn
            data-verdict=move || look().name()
            data-confirmed=move || (look() == crate::components::verdict::Look::Confirmed).then_some("true")
            data-purpose=purpose
            on:click=move |_| picture.select(index)
        >
            <rect
                class="turn__slot"
                x=move || of(|column| column.slot_x)
                width=move || of(|column| column.slot_width)
                y="1"
                height=move || (picture.layout.read().height - 2.0).max(0.0)
                rx="4"
            />
            <For each=pieces key=|piece| *piece children=move |piece| {
                view! { <Segment picture id column place=Place { column: index, piece }/> }
            }/>
            <g aria-hidden="true">
                <text class="turn__total" x=centre y=move || of(|column| column.top) - 6.0>{total}</text>
                <text class="turn__number" x=centre y=move || foot() + 18.0>{turn}</text>
                <g class=move || format!("turn__verdict {}", look().tone())
                    transform=move || format!("translate({} {})", centre() - 8.0, foot() + 25.0)>
                    <path d=move || look().glyph()/>
                </g>
            </g>
        </g>
    }
}

/// A rectangle of a column, with its words for who can't see it.
#[component]
fn Segment(
    /// The picture.
    picture: Picture,
    /// Tells apart the pictures of a page.
    id: &'static str,
    /// The column.
    column: Memo<Option<Column>>,
    /// Which rectangle of which column.
    place: Place,
) -> impl IntoView {
    let i18n = use_i18n();
    let piece = Memo::new(move |_| column.read().as_ref()?.pieces.get(place.piece).cloned());
    let of = move |size: fn(&Piece) -> f64| piece.read().as_ref().map_or(0.0, size);
    let x = Signal::derive(move || column.read().as_ref().map_or(0.0, |column| column.x));
    let width = Signal::derive(move || column.read().as_ref().map_or(0.0, |column| column.width));
    let y = Signal::derive(move || of(|piece| piece.y));
    let height = Signal::derive(move || of(|piece| piece.height));
    let fill =
        Signal::derive(move || piece.read().as_ref().map_or(Fill::Free, |piece| Fill::of(&piece.holds)));
    // The dot stays on a request that was dropped: that is the one to look for.
    let has_dot = Signal::derive(move || piece.read().as_ref().is_some_and(|piece| kind(piece) == "request"));
    let words = move || piece.read().as_ref().map(|piece| describe::piece(i18n.get_locale(), &piece.holds));
    let label = move || {
        let (language, piece) = (i18n.get_locale(), piece.get()?);
        let tokens = describe::amount(language, &piece.holds);
        let full = format!("{} {tokens}", describe::short_name(language, &piece.holds));
        // The dot of a request stands where a longer label would begin.
        let room = width.get() - if has_dot.get() { 28.0 } else { 0.0 };
        let fits = |text: &String| label_fits(text.chars().count(), room, piece.height);
        let top = column.read().as_ref().map_or(0.0, |column| column.top);
        let touches_top = (piece.y + piece.height - top).abs() < 1.0;
        // The same number on every column says nothing: free room and the reserve are named or left blank.
        let short = match piece.holds {
            Holds::Kept(_) | Holds::Dropped(_) => Some(tokens),
            // Just above what stayed stands the turn's total.
            Holds::Free(_) | Holds::Reserve(_) if touches_top && piece.height < 56.0 => return None,
            Holds::Free(_) | Holds::Reserve(_) => None,
        };
        let text = Some(full).filter(fits).or_else(|| short.filter(fits))?;
        let plate = text.chars().count() as f64 * 6.6 + 6.0;
        let (centre, middle) = (x.get() + width.get() / 2.0, piece.y + piece.height / 2.0);
        let plated = fill.get().pattern().is_some();
        Some(view! {
            {plated.then(|| view! {
                <rect class=fill.get().class() x=centre - plate / 2.0 y=middle - 7.5 width=plate height="15" rx="2"/>
            })}
            <text class=format!("piece__label on-{}", fill.get().class()) x=centre y=middle + 4.0>{text}</text>
        })
    };
    let is_marked = move || {
        let (piece, highlight) = (piece.read(), picture.highlight.read());
        piece.as_ref().is_some_and(|piece| piece.holds.messages().iter().any(|id| highlight.0.contains(id)))
            || picture.pointed.get() == Some(place)
    };
    let is_first = place.piece == 0;
    let in_tab_order = move || match picture.pointed.get() {
        Some(pointed) => pointed == place,
        None => is_first && picture.shown.get() == place.column,
    };
    let divider = move || {
        piece.read().as_ref().filter(|piece| piece.joined).map(|piece| {
            let y = piece.y + piece.height;
            view! { <line class="piece__divider" x1=x.get() x2=x.get() + width.get() y1=y y2=y/> }
        })
    };
    // A trimmed segment is notched on both sides: something is missing from its middle.
    let notches = move || {
        let piece = piece.read();
        let piece = piece.as_ref().filter(|piece| form(piece) == "trimmed" && piece.height >= 8.0)?;
        let (left, right, middle) = (x.get(), x.get() + width.get(), piece.y + piece.height / 2.0);
        let path = format!("M{left} {}l4 3.5-4 3.5zM{right} {}l-4 3.5 4 3.5z", middle - 3.5, middle - 3.5);
        Some(view! { <path class="piece__notches" d=path/> })
    };
    view! {
        <g
            class="piece"
            class:is-marked=is_marked
            id=element_id(id, place)
            role="button"
            tabindex=move || if in_tab_order() { "0" } else { "-1" }
            aria-label=words
            data-testid="segment"
            data-kind=move || piece.read().as_ref().map(kind)
            data-form=move || piece.read().as_ref().map(form)
            data-dropped=move || (fill.get() == Fill::Discarded).to_string()
            data-messages=move || piece.read().as_ref().map(messages)
            on:mouseenter=move |_| picture.point(Some(place))
            on:mouseleave=move |_| picture.point(None)
            on:focus=move |_| picture.point(Some(place))
            on:blur=move |_| picture.point(None)
        >
            <Filled fill dot=has_dot x y width height/>
            {divider}
            {notches}
            {label}
            <rect
                class="piece__mark"
                x=move || x.get() - 1.5
                y=move || y.get() - 1.5
                width=move || width.get() + 3.0
                height=move || height.get() + 3.0
            />
        </g>
    }
}

/// The marker on the turn that lost the user's request.
#[component]
fn LostRequest(
    /// The picture.
    picture: Picture,
    /// The turn's index.
    index: usize,
) -> impl IntoView {
    let i18n = use_i18n();
    move || {
        let layout = picture.layout.read();
        let column = layout.columns.get(index)?;
        let y = column.request_left?;
        let words = t_string!(i18n, picture.request_left);
        let wide = words.chars().count() as f64 * 7.0 + 20.0;
        let centre = column.x + column.width / 2.0;
        let left = (centre - wide / 2.0).clamp(2.0, (layout.width - wide - 2.0).max(2.0));
        Some(view! {
            <g class="lost-request" data-testid="request-left">
                <path d=format!("M{} {}l7 9h-14z", centre, y + 1.0)/>
                <rect x=left y=y + 9.0 width=wide height="22" rx="4"/>
                <text x=left + wide / 2.0 y=y + 24.0>{t!(i18n, picture.request_left)}</text>
            </g>
        })
    }
}

/// Moves the focus by the arrow keys: up and down in a column, left and right from turn to turn.
fn steer(picture: Picture, id: &str, event: &KeyboardEvent) {
    let layout = picture.layout.read_untracked();
    let Some(last) = layout.columns.len().checked_sub(1) else { return };
    let shown = picture.shown.get_untracked();
    let at = picture.pointed.get_untracked().unwrap_or(Place { column: shown, piece: 0 });
    let to_column = |column: usize| {
        let pieces = layout.columns.get(column).map_or(0, |column| column.pieces.len());
        Some(Place { column, piece: at.piece.min(pieces.saturating_sub(1)) })
    };
    let to_piece = |upwards: bool| {
        let piece = layout.columns.get(at.column)?.neighbour(at.piece, upwards)?;
        Some(Place { piece, ..at })
    };
    let place = match event.key().as_str() {
        "ArrowLeft" => to_column(at.column.saturating_sub(1)),
        "ArrowRight" => to_column((at.column + 1).min(last)),
        "Home" => to_column(0),
        "End" => to_column(last),
        "ArrowUp" => to_piece(true),
        "ArrowDown" => to_piece(false),
        _ => return,
    };
    event.prevent_default();
    drop(layout);
    let Some(place) = place else { return };
    picture.select(place.column);
    let element = document().get_element_by_id(&element_id(id, place));
    if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::SvgElement>().ok()) {
        let _ = element.focus();
    }
}

fn element_id(id: &str, place: Place) -> String {
    format!("{id}-{}-{}", place.column, place.piece)
}

/// The value of `data-kind`.
fn kind(piece: &Piece) -> &'static str {
    match &piece.holds {
        Holds::Free(_) => "free",
        Holds::Reserve(_) => "reserve",
        Holds::Kept(part) | Holds::Dropped(part) => match part.kind {
            PartKind::System => "system",
            PartKind::Instructions => "instructions",
            PartKind::Overhead => "overhead",
            PartKind::Request => "request",
            PartKind::Assistant => "assistant",
            PartKind::Tool => "tool",
        },
    }
}

/// The value of `data-form`.
fn form(piece: &Piece) -> &'static str {
    match &piece.holds {
        Holds::Free(_) | Holds::Reserve(_) => "whole",
        Holds::Kept(part) | Holds::Dropped(part) => match part.form {
            SegmentForm::Whole => "whole",
            SegmentForm::Trimmed => "trimmed",
            SegmentForm::Cleared => "cleared",
            SegmentForm::Repeated => "repeated",
        },
    }
}

/// The value of `data-messages`.
fn messages(piece: &Piece) -> String {
    let numbers: Vec<String> = piece.holds.messages().iter().map(|message| message.0.to_string()).collect();
    numbers.join(",")
}
