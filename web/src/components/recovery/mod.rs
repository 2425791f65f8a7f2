//! After an overflow: the ways to go on, and what each would do to the context.

mod words;

use super::command::CommandLine;
use crate::i18n::{td_string, use_i18n};
use crate::numbers::{count, estimate};
use crate::state::PageState;
use brimline_core::run::{Offer, Recovery, RunEnd};
use leptos::prelude::*;
use words::{commands, testid, title, what_it_does};

/// The ways to go on after a run that ended like this. Empty where nothing overflowed.
#[component]
pub fn Offers(
    /// The ending of the latest run.
    end: RunEnd,
) -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let offers = page.offers(&end);
    let is_left = RwSignal::new(offers.is_empty());
    let scale =
        offers.iter().map(|offer| offer.before.max(offer.after).max(offer.available)).max().unwrap_or(1);
    let cards = StoredValue::new(offers);
    view! {
        <Show when=move || !is_left.get()>
            <div class="offers" data-testid="offers">
                <p class="offers__title">{move || td_string!(i18n.get_locale(), recovery.title)}</p>
                <ul class="offers__list">
                    {cards.get_value().into_iter().map(|offer| view! { <OfferCard offer=offer scale=scale/> }).collect_view()}
                </ul>
                <button type="button" class="button button--quiet" data-testid="recover-leave-it" on:click=move |_| is_left.set(true)>
                    {move || td_string!(i18n.get_locale(), recovery.leave_it)}
                </button>
            </div>
        </Show>
    }
}

/// One way: its button, a sentence, and the context before and after against the room that there would be.
#[component]
fn OfferCard(offer: Offer, scale: u32) -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let asks_server = page.speaks_ollama();
    let offer = StoredValue::new(offer);
    let click = move |_| page.recover(offer.with_value(|offer| offer.recovery.clone()));
    let share = move |tokens: u32| format!("--share: {:.4}", f64::from(tokens) / f64::from(scale));
    let (before, after, room) = offer.with_value(|offer| (offer.before, offer.after, offer.available));
    let fits = after <= room;
    let starts: Vec<String> = offer.with_value(|offer| match offer.recovery {
        Recovery::RaiseWindow { tokens } if !asks_server => commands(tokens),
        Recovery::RaiseWindow { .. } | Recovery::UseWindow { .. } | Recovery::DropResults { .. } => {
            Vec::new()
        }
    });
    view! {
        <li class="offer">
            <button type="button" class="button" data-testid=offer.with_value(|offer| testid(&offer.recovery)) on:click=click
                disabled=move || page.is_running()>
                {move || offer.with_value(|offer| title(i18n.get_locale(), &offer.recovery, asks_server))}
            </button>
            <p class="offer__does">{move || offer.with_value(|offer| what_it_does(i18n.get_locale(), offer))}</p>
            {starts.into_iter().map(|line| view! { <CommandLine line=line testid="raise-line"/> }).collect_view()}
            <div class="offer__bars" aria-hidden="true" data-fits=fits.to_string()>
                <span class="offer__bar offer__bar--before" style=share(before)></span>
                <span class="offer__count">{move || estimate(i18n.get_locale(), f64::from(before))}</span>
                <span class="offer__bar offer__bar--after" style=share(after)></span>
                <span class="offer__count">{move || estimate(i18n.get_locale(), f64::from(after))}</span>
                <span class="offer__bar offer__bar--room" style=share(room)></span>
                <span class="offer__count">
                    {move || td_string!(i18n.get_locale(), recovery.room, tokens = count(i18n.get_locale(), room))}
                </span>
            </div>
        </li>
    }
}
