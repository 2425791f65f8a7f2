//! The patterns that carry the meaning of a fill without its colour.

use super::layout::Holds;
use super::share::PartKind;
use leptos::prelude::*;

/// The fill of a rectangle: the name of its colour, and of its pattern, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    System,
    Request,
    Assistant,
    Tool,
    Free,
    Reserve,
    Discarded,
}

impl Fill {
    /// The fill of what a rectangle stands for.
    pub(super) fn of(holds: &Holds) -> Self {
        match holds {
            Holds::Kept(part) => Self::of_kind(part.kind),
            Holds::Dropped(_) => Self::Discarded,
            Holds::Free(_) => Self::Free,
            Holds::Reserve(_) => Self::Reserve,
        }
    }

    /// The fill of a kind of part.
    pub(super) fn of_kind(kind: PartKind) -> Self {
        match kind {
            PartKind::System | PartKind::Instructions | PartKind::Overhead => Self::System,
            PartKind::Request => Self::Request,
            PartKind::Assistant => Self::Assistant,
            PartKind::Tool => Self::Tool,
        }
    }

    /// The class that gives a rectangle its colour.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::System => "fill-system",
            Self::Request => "fill-request",
            Self::Assistant => "fill-assistant",
            Self::Tool => "fill-tool",
            Self::Free => "fill-free",
            Self::Reserve => "fill-reserve",
            Self::Discarded => "fill-discarded",
        }
    }

    /// The pattern that is laid over the colour.
    pub(super) const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::System | Self::Request | Self::Free => None,
            Self::Assistant => Some("url(#pattern-assistant)"),
            Self::Tool => Some("url(#pattern-tool)"),
            Self::Reserve => Some("url(#pattern-reserve)"),
            Self::Discarded => Some("url(#pattern-discarded)"),
        }
    }
}

/// The definitions of the patterns. Every drawing carries its own, since one that is not displayed lends none.
#[component]
pub(super) fn Patterns() -> impl IntoView {
    view! {
        <defs>
            <pattern id="pattern-assistant" class="ink-assistant" width="8" height="6" patternUnits="userSpaceOnUse">
                <path d="M0 3h8" stroke-width="1.4"/>
            </pattern>
            <pattern id="pattern-tool" class="ink-tool" width="7" height="7" patternUnits="userSpaceOnUse">
                <path d="M3.5 3.5h.01" stroke-width="2.6" stroke-linecap="round"/>
            </pattern>
            <pattern id="pattern-reserve" class="ink-reserve" width="8" height="8" patternUnits="userSpaceOnUse">
                <path d="M-2 2L2-2M0 8L8 0M6 10l4-4" stroke-width="1.5"/>
            </pattern>
            <pattern id="pattern-discarded" class="ink-discarded" width="8" height="8" patternUnits="userSpaceOnUse">
                <path d="M0 0l8 8M8 0L0 8" stroke-width="1.2"/>
            </pattern>
        </defs>
    }
}

/// One rectangle in a fill, with its pattern. The pattern begins at the rectangle's own corner, so that a segment of a few
/// pixels shows it too.
#[component]
pub(super) fn Filled(
    /// The fill.
    #[prop(into)]
    fill: Signal<Fill>,
    /// Whether it has the dot of a request.
    #[prop(into)]
    dot: Signal<bool>,
    /// The left edge.
    #[prop(into)]
    x: Signal<f64>,
    /// The upper edge.
    #[prop(into)]
    y: Signal<f64>,
    /// The width.
    #[prop(into)]
    width: Signal<f64>,
    /// The height.
    #[prop(into)]
    height: Signal<f64>,
) -> impl IntoView {
    let pattern = move || fill.get().pattern().unwrap_or("none");
    // Half a pixel inside, so that the dashes of an empty rectangle are sharp.
    let inset = move || if fill.get() == Fill::Free { 0.5 } else { 0.0 };
    let dot = move || {
        (dot.get() && height.get() >= 5.0).then(|| {
            let radius = (height.get() / 3.0).clamp(1.6, 3.5);
            let class = format!("piece__dot on-{}", fill.get().class());
            view! { <circle class=class cx="9" cy=height.get() / 2.0 r=radius/> }
        })
    };
    view! {
        <g transform=move || format!("translate({} {})", x.get(), y.get())>
            <rect
                class=move || fill.get().class()
                x=inset
                y=inset
                width=move || (width.get() - 2.0 * inset()).max(0.0)
                height=move || (height.get() - 2.0 * inset()).max(0.0)
            />
            <rect
                class="piece__pattern"
                fill=pattern
                width=move || width.get()
                height=move || height.get()
            />
            {dot}
        </g>
    }
}
