//! The end of the conversation, which stays in view while an answer is written, unless the reader scrolled away from it.

use crate::state::{PageState, TranscriptStoreFields};
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{ScrollIntoViewOptions, ScrollLogicalPosition};

/// So far below the edge the end still counts as in view, in CSS pixels.
const NEAR: f64 = 120.0;

/// A place without contents.
#[component]
pub fn ConversationEnd() -> impl IntoView {
    let page = expect_context::<PageState>();
    let place = NodeRef::<Div>::new();
    let is_followed = StoredValue::new(true);
    let scrolled = window_event_listener(leptos::ev::scroll, move |_| {
        let height = window().inner_height().ok().and_then(|height| height.as_f64());
        if let (Some(place), Some(height)) = (place.get_untracked(), height) {
            is_followed.set_value(place.get_bounding_client_rect().top() <= height + NEAR);
        }
    });
    on_cleanup(move || scrolled.remove());
    Effect::new(move || {
        page.endings.track();
        let has_begun = !page.transcript.entries().read().is_empty();
        if has_begun && is_followed.get_value() {
            request_animation_frame(move || {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::End);
                if let Some(place) = place.get_untracked() {
                    place.scroll_into_view_with_scroll_into_view_options(&options);
                }
            });
        }
    });
    view! { <div node_ref=place></div> }
}
