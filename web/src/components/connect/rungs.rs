//! What the server can be asked, from best to worst: refuses, can be read back, usage only, blind.

use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::state::PageState;
use brimline_core::wire::Rendering;
use leptos::prelude::*;

/// Whether a rung is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Yes,
    No,
    /// Nobody found out yet.
    Unknown,
}

/// A rung of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    Refuses,
    ReadBack,
    Usage,
}

impl Rung {
    const ALL: [Self; 3] = [Self::Refuses, Self::ReadBack, Self::Usage];

    fn name(self) -> &'static str {
        match self {
            Self::Refuses => "refuses",
            Self::ReadBack => "read-back",
            Self::Usage => "usage",
        }
    }

    fn holds(self, page: PageState) -> Holds {
        let known = |found: Option<bool>| match found {
            Some(true) => Holds::Yes,
            Some(false) => Holds::No,
            None => Holds::Unknown,
        };
        // What a server has refused once it can refuse.
        let has_refused = page.timeline.with(|timeline| {
            timeline.iter().any(|record| {
                record
                    .judgement
                    .as_ref()
                    .is_some_and(|judgement| judgement.verdict == brimline_core::overflow::Verdict::Refused)
            })
        });
        let counted = page.timeline.with(|timeline| {
            let counts = timeline.iter().filter_map(|record| record.usage);
            counts.map(|usage| usage.prompt_tokens.is_some_and(|tokens| tokens > 0)).next_back()
        });
        match self {
            Self::Refuses => known(page.refuses.get().or(has_refused.then_some(true))),
            Self::ReadBack => known(page.rendering.get().map(|found| found == Some(Rendering::DebugRender))),
            Self::Usage => known(counted),
        }
    }

    fn text(self, language: Locale, holds: Holds) -> &'static str {
        match (self, holds) {
            (Self::Refuses, Holds::Yes) => td_string!(language, recovery.rungs.refuses),
            (Self::Refuses, Holds::No) => td_string!(language, recovery.rungs.refuses_not),
            (Self::Refuses, Holds::Unknown) => td_string!(language, recovery.rungs.refuses_unknown),
            (Self::ReadBack, Holds::Yes) => td_string!(language, recovery.rungs.read_back),
            (Self::ReadBack, Holds::No) => td_string!(language, recovery.rungs.read_back_not),
            (Self::ReadBack, Holds::Unknown) => td_string!(language, recovery.rungs.read_back_unknown),
            (Self::Usage, Holds::Yes) => td_string!(language, recovery.rungs.usage),
            (Self::Usage, Holds::No) => td_string!(language, recovery.rungs.blind),
            (Self::Usage, Holds::Unknown) => td_string!(language, recovery.rungs.usage_unknown),
        }
    }
}

/// The rungs of the server that is connected.
#[component]
pub fn Rungs() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let row = move |rung: Rung| {
        let holds = Memo::new(move |_| rung.holds(page));
        let mark = move || match holds.get() {
            Holds::Yes => "✓",
            Holds::No => "✗",
            Holds::Unknown => "?",
        };
        let name = move || match holds.get() {
            Holds::Yes => "yes",
            Holds::No => "no",
            Holds::Unknown => "unknown",
        };
        view! {
            <li class="rungs__rung" data-rung=rung.name() data-holds=name>
                <span class="rungs__mark" aria-hidden="true">{mark}</span>
                {move || rung.text(i18n.get_locale(), holds.get())}
            </li>
        }
    };
    view! {
        <div class="field">
            <span class="field__label">{t!(i18n, recovery.rungs.title)}</span>
            <ul class="rungs" data-testid="rungs">{Rung::ALL.map(row)}</ul>
        </div>
    }
}
