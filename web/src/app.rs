//! The page as a whole: where each part stands, and what all of them share.

use crate::components::picture::WindowPicture;
use crate::components::read_back::ReadBackPanel;
use crate::components::{
    CheckPage, Composer, ConnectPanel, ConversationEnd, FolderPanel, PageHeader, SettingsPanel,
    TranscriptList, drop_folder,
};
use crate::i18n::{LanguageProvider, t, t_string, use_i18n};
use crate::state::{CheckState, PageState};
use leptos::prelude::*;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <LanguageProvider>
            <Page/>
        </LanguageProvider>
    }
}

#[component]
fn Page() -> impl IntoView {
    let i18n = use_i18n();
    let page = PageState::new();
    page.follow_settings();
    provide_context(page);
    let check = CheckState::new(page);
    provide_context(check);
    // Without this the browser would leave the page and show the folder that was dropped.
    let allow_drop = move |event: leptos::ev::DragEvent| event.prevent_default();
    view! {
        <a class="skip-link" href="#conversation">{t!(i18n, page.skip)}</a>
        <div class="page" on:dragover=allow_drop on:drop=move |event| drop_folder(page, &event)>
            <PageHeader/>
            <CheckPage/>
            <main class="page__main" hidden=move || check.is_open.get()>
                <section class="page__conversation" id="conversation" aria-label=move || t_string!(i18n, page.conversation)>
                    <TranscriptList/>
                    <Composer/>
                    <ConversationEnd/>
                </section>
                <div class="page__side">
                    <WindowPicture
                        turns=page.timeline
                        belief=page.window
                        selected=page.selected_turn
                        highlight=page.highlight
                        live=Signal::derive(move || page.is_running())
                    />
                    <ReadBackPanel/>
                    <div class="page__panels">
                        <ConnectPanel/>
                        <FolderPanel/>
                        <SettingsPanel/>
                    </div>
                </div>
            </main>
        </div>
    }
}
