//! The legend: every fill with its name.

use super::describe;
use super::patterns::{Fill, Filled, Patterns};
use super::share::PartKind;
use crate::i18n::{t, t_string, use_i18n};
use leptos::prelude::*;

/// What every fill means.
#[component]
pub(super) fn Legend() -> impl IntoView {
    let i18n = use_i18n();
    let of_kind = move |kind: PartKind| {
        view! { <li><Swatch fill=Fill::of_kind(kind)/>{move || describe::kind(i18n.get_locale(), kind)}</li> }
    };
    view! {
        <ul class="legend" aria-label=move || t_string!(i18n, picture.legend)>
            {[PartKind::System, PartKind::Request, PartKind::Assistant, PartKind::Tool].map(of_kind)}
            <li><Swatch fill=Fill::Free/>{t!(i18n, picture.kind.free)}</li>
            <li><Swatch fill=Fill::Reserve/>{t!(i18n, picture.kind.reserve)}</li>
            <li><Swatch fill=Fill::Discarded/>{t!(i18n, picture.kind.dropped)}</li>
        </ul>
    }
}

/// A fill to compare with.
#[component]
fn Swatch(
    /// The fill.
    fill: Fill,
) -> impl IntoView {
    view! {
        <svg class="legend__swatch" width="28" height="16" aria-hidden="true">
            <Patterns/>
            <Filled fill dot=fill == Fill::Request x=0.0 y=0.0 width=28.0 height=16.0/>
        </svg>
    }
}
