//! A number that the reader can set.

use leptos::prelude::*;

/// A field for a number. What can't be read as one within the bounds is put back to what it was.
#[component]
pub fn NumberField(
    /// Its name for browser tests.
    testid: &'static str,
    /// What it sets.
    #[prop(into)]
    label: ViewFn,
    /// What a reader should know about it.
    #[prop(optional, into)]
    hint: Option<ViewFn>,
    /// The number; `None` shows an empty field.
    #[prop(into)]
    value: Signal<Option<f64>>,
    /// Takes the new number. An empty field is `None`, and only comes if `may_be_empty`.
    set: Callback<Option<f64>>,
    /// The smallest that is taken.
    min: f64,
    /// The largest.
    max: f64,
    /// The steps in which it grows; a step of one takes whole numbers only.
    #[prop(default = 1.0)]
    step: f64,
    /// The field may be empty.
    #[prop(optional)]
    may_be_empty: bool,
) -> impl IntoView {
    let shown = move || value.get().map(|number| number.to_string()).unwrap_or_default();
    let on_change = move |event: leptos::ev::Event| {
        let typed = event_target_value(&event);
        match typed.trim() {
            "" if may_be_empty => set.run(None),
            typed => match typed.parse::<f64>() {
                Ok(number) if (min..=max).contains(&number) => {
                    set.run(Some(if step >= 1.0 { number.round() } else { number }));
                }
                Ok(_) | Err(_) => {}
            },
        }
        event_target::<web_sys::HtmlInputElement>(&event).set_value(&untrack(shown));
    };
    let hint_id = format!("{testid}-hint");
    let has_hint = hint.is_some();
    let described_by = has_hint.then(|| hint_id.clone());
    view! {
        <div class="field">
            <label class="field__label" for=testid>{label.run()}</label>
            <input
                id=testid
                data-testid=testid
                type="number"
                inputmode="decimal"
                min=min
                max=max
                step=step
                aria-describedby=described_by
                prop:value=shown
                on:change=on_change
            />
            {hint.map(|hint| view! { <span class="field__hint" id=hint_id>{hint.run()}</span> })}
        </div>
    }
}
