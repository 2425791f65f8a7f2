//! Light, dark, or as the system has it.
//!
//! The choice is the attribute `data-theme` of `<html>`, which `web/styles/tokens.css` reads: absent means as the system
//! has it. It is kept in the browser's local storage, and `index.html` sets it before anything is painted.

use crate::i18n::{t, use_i18n};
use leptos::prelude::*;

/// Where the choice is kept.
const STORAGE_KEY: &str = "brimline-theme";

/// A choice of theme.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system has it.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The name by which it is kept.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of that name; any other name is [`Theme::Auto`].
    pub fn named(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Auto,
        }
    }

    fn chosen() -> Self {
        let root = document().document_element();
        Self::named(&root.and_then(|root| root.get_attribute("data-theme")).unwrap_or_default())
    }

    fn choose(self) {
        let Some(root) = document().document_element() else { return };
        // A browser that keeps nothing (private windows) still shows the theme, until the page is closed.
        let storage = window().local_storage().ok().flatten();
        let _ = match self {
            Self::Auto => root.remove_attribute("data-theme"),
            Self::Light | Self::Dark => root.set_attribute("data-theme", self.name()),
        };
        let _ = storage.map(|storage| storage.set_item(STORAGE_KEY, self.name()));
    }
}

/// The control that chooses the theme.
#[component]
pub fn ThemeSelect() -> impl IntoView {
    let i18n = use_i18n();
    let before = Theme::chosen();
    let is = |theme: Theme| theme == before;
    let choose = |event| Theme::named(&event_target_value(&event)).choose();
    view! {
        <label class="choice">
            {t!(i18n, picture.theme.label)}
            <select data-testid="theme" on:change=choose>
                <option value="auto" selected=is(Theme::Auto)>{t!(i18n, picture.theme.auto)}</option>
                <option value="light" selected=is(Theme::Light)>{t!(i18n, picture.theme.light)}</option>
                <option value="dark" selected=is(Theme::Dark)>{t!(i18n, picture.theme.dark)}</option>
            </select>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::Theme;

    #[test]
    fn a_theme_is_found_again_by_its_name() {
        let themes = [Theme::Auto, Theme::Light, Theme::Dark];
        assert_eq!(themes.map(|theme| Theme::named(theme.name())), themes);
        assert_eq!(Theme::named("sepia"), Theme::Auto);
    }
}
