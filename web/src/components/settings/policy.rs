//! Every number of `ContextPolicy`.

use crate::components::fields::NumberField;
use crate::i18n::{Locale, t, td_string, use_i18n};
use crate::state::PageState;
use brimline_core::policy::ContextPolicy;
use leptos::prelude::*;

/// A number of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PolicyNumber {
    MaxTokens,
    ReserveShare,
    TrimShare,
    TrimTokens,
    ClearShare,
    KeepResults,
    CompactShare,
    MaxTurns,
}

impl PolicyNumber {
    const ALL: [Self; 8] = [
        Self::MaxTokens,
        Self::ReserveShare,
        Self::TrimShare,
        Self::TrimTokens,
        Self::ClearShare,
        Self::KeepResults,
        Self::CompactShare,
        Self::MaxTurns,
    ];

    fn testid(self) -> &'static str {
        match self {
            Self::MaxTokens => "policy-max_tokens",
            Self::ReserveShare => "policy-reserve_share",
            Self::TrimShare => "policy-trim_share",
            Self::TrimTokens => "policy-trim_tokens",
            Self::ClearShare => "policy-clear_share",
            Self::KeepResults => "policy-keep_results",
            Self::CompactShare => "policy-compact_share",
            Self::MaxTurns => "policy-max_turns",
        }
    }

    fn label(self, language: Locale) -> &'static str {
        match self {
            Self::MaxTokens => td_string!(language, page.settings.max_tokens),
            Self::ReserveShare => td_string!(language, page.settings.reserve_share),
            Self::TrimShare => td_string!(language, page.settings.trim_share),
            Self::TrimTokens => td_string!(language, page.settings.trim_tokens),
            Self::ClearShare => td_string!(language, page.settings.clear_share),
            Self::KeepResults => td_string!(language, page.settings.keep_results),
            Self::CompactShare => td_string!(language, page.settings.compact_share),
            Self::MaxTurns => td_string!(language, page.settings.max_turns),
        }
    }

    fn of(self, policy: &ContextPolicy) -> f64 {
        match self {
            Self::MaxTokens => f64::from(policy.max_tokens),
            Self::ReserveShare => policy.reserve_share,
            Self::TrimShare => policy.trim_share,
            Self::TrimTokens => f64::from(policy.trim_tokens),
            Self::ClearShare => policy.clear_share,
            Self::KeepResults => policy.keep_results as f64,
            Self::CompactShare => policy.compact_share,
            Self::MaxTurns => f64::from(policy.max_turns),
        }
    }

    fn set(self, policy: &mut ContextPolicy, number: f64) {
        match self {
            Self::MaxTokens => policy.max_tokens = number as u32,
            Self::ReserveShare => policy.reserve_share = number,
            Self::TrimShare => policy.trim_share = number,
            Self::TrimTokens => policy.trim_tokens = number as u32,
            Self::ClearShare => policy.clear_share = number,
            Self::KeepResults => policy.keep_results = number as usize,
            Self::CompactShare => policy.compact_share = number,
            Self::MaxTurns => policy.max_turns = number as u32,
        }
    }

    /// The smallest and the largest that make sense, and the step between them.
    fn bounds(self) -> (f64, f64, f64) {
        match self {
            Self::MaxTokens | Self::TrimTokens => (1.0, 10_000_000.0, 1.0),
            Self::ReserveShare => (0.01, 0.95, 0.01),
            Self::TrimShare | Self::ClearShare | Self::CompactShare => (0.01, 1.0, 0.01),
            Self::KeepResults => (0.0, 1_000.0, 1.0),
            Self::MaxTurns => (1.0, 1_000.0, 1.0),
        }
    }
}

/// A field for every number, and the way back to the defaults.
#[component]
pub fn PolicyFields() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let field = move |number: PolicyNumber| {
        let (min, max, step) = number.bounds();
        let set = Callback::new(move |typed: Option<f64>| {
            if let Some(typed) = typed {
                page.settings.update(|settings| number.set(&mut settings.policy, typed));
            }
        });
        view! {
            <NumberField
                testid=number.testid()
                label=move || (move || number.label(i18n.get_locale())).into_any()
                value=Signal::derive(move || Some(page.settings.with(|settings| number.of(&settings.policy))))
                set=set
                min=min
                max=max
                step=step
            />
        }
    };
    let set_confirm =
        move |event| page.settings.update(|settings| settings.policy.confirm = event_target_checked(&event));
    let set_recover =
        move |event| page.settings.update(|settings| settings.policy.recover = event_target_checked(&event));
    let repeat = Memo::new(move |_| page.settings.with(|settings| settings.policy.repeat_request));
    let set_repeat = move |event| {
        let chosen = match event_target_value(&event).as_str() {
            "always" => Some(true),
            "never" => Some(false),
            _ => None,
        };
        page.settings.update(|settings| settings.policy.repeat_request = chosen);
    };
    view! {
        <p class="field__hint">{t!(i18n, page.settings.intro)}</p>
        <div class="fields">{PolicyNumber::ALL.map(field)}</div>
        <div class="field">
            <label>
                <input
                    type="checkbox"
                    data-testid="policy-confirm"
                    prop:checked=move || page.settings.with(|settings| settings.policy.confirm)
                    on:change=set_confirm
                />
                " "
                {t!(i18n, page.settings.confirm)}
            </label>
            <span class="field__hint">{t!(i18n, page.settings.confirm_hint)}</span>
        </div>
        <div class="field">
            <label>
                <input
                    type="checkbox"
                    data-testid="policy-recover"
                    prop:checked=move || page.settings.with(|settings| settings.policy.recover)
                    on:change=set_recover
                />
                " "
                {t!(i18n, page.settings.recover)}
            </label>
            <span class="field__hint">{t!(i18n, page.settings.recover_hint)}</span>
        </div>
        <div class="field">
            <label class="field__label" for="policy-repeat">{t!(i18n, page.settings.repeat)}</label>
            <select id="policy-repeat" data-testid="policy-repeat" on:change=set_repeat>
                <option value="auto" prop:selected=move || repeat.get().is_none()>{t!(i18n, page.settings.repeat_auto)}</option>
                <option value="always" prop:selected=move || repeat.get() == Some(true)>{t!(i18n, page.settings.repeat_always)}</option>
                <option value="never" prop:selected=move || repeat.get() == Some(false)>{t!(i18n, page.settings.repeat_never)}</option>
            </select>
            <span class="field__hint">{t!(i18n, page.settings.repeat_hint)}</span>
        </div>
        <button
            type="button"
            class="button"
            data-testid="policy-reset"
            on:click=move |_| page.settings.update(|settings| settings.policy = ContextPolicy::default())
        >
            {t!(i18n, page.settings.reset)}
        </button>
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn every_number_that_is_set_is_the_one_that_is_shown() {
        let mut policy = ContextPolicy::default();
        for (index, number) in PolicyNumber::ALL.into_iter().enumerate() {
            let (min, max, step) = number.bounds();
            assert!((min..=max).contains(&number.of(&policy)), "{number:?}: the default is out of bounds");
            number.set(&mut policy, min + step * (index + 1) as f64);
        }
        let shown = PolicyNumber::ALL.map(|number| number.of(&policy));
        let set: Vec<f64> = PolicyNumber::ALL
            .into_iter()
            .enumerate()
            .map(|(index, number)| number.bounds().0 + number.bounds().2 * (index + 1) as f64)
            .collect();
        assert_eq!(shown.to_vec(), set);
    }
}
