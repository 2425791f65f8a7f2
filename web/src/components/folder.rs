//! Which folder the tools read.

use crate::i18n::{t, td_string, use_i18n};
use crate::platform::directory::DirectoryWorkspace;
use crate::platform::file_list::ListedFolder;
use crate::platform::picker::{Picked, dropped_folder, has_picker, pick_folder};
use crate::state::{Folder, FolderProblem, OpenWorkspace, PageState};
use leptos::attr::custom::custom_attribute;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::rc::Rc;

/// The panel with the folder's name, and the ways to open another.
#[component]
pub fn FolderPanel() -> impl IntoView {
    let i18n = use_i18n();
    let page = expect_context::<PageState>();
    let file_input = NodeRef::<Input>::new();
    let open = move |_| {
        if has_picker() {
            spawn_local(async move {
                match pick_folder().await {
                    Picked::Folder(root) => page.open_folder(directory(root)),
                    Picked::Nothing => {}
                    Picked::Refused(reason) => page.folder_problem.set(Some(FolderProblem::Refused(reason))),
                }
            });
        } else if let Some(input) = file_input.get_untracked() {
            input.click();
        }
    };
    let take_list = move |_| {
        let Some(files) = file_input.get_untracked().and_then(|input| input.files()) else { return };
        if files.length() > 0 {
            let folder = ListedFolder::new(&files);
            page.open_folder(Folder {
                name: Some(folder.name.clone()),
                workspace: Rc::new(OpenWorkspace::Listed(folder)),
            });
        }
    };
    let name = move || {
        let language = i18n.get_locale();
        page.folder
            .with(|folder| folder.name.clone())
            .unwrap_or_else(|| td_string!(language, page.folder.sample).to_owned())
    };
    let is_sample = move || page.folder.with(|folder| folder.name.is_none());
    let problem = move || {
        let language = i18n.get_locale();
        page.folder_problem.get().map(|problem| match problem {
            FolderProblem::Refused(reason) => td_string!(language, page.folder.refused, reason = reason),
            FolderProblem::NotAFolder => td_string!(language, page.folder.not_a_folder).to_owned(),
        })
    };
    view! {
        <section class="panel" aria-labelledby="folder-title">
            <h2 class="panel__title" id="folder-title">{t!(i18n, page.folder.title)}</h2>
            <p data-testid="folder-name">{name}</p>
            <div class="chips">
                <button type="button" class="button" data-testid="open-folder" on:click=open>
                    {t!(i18n, page.folder.open)}
                </button>
                <Show when=move || !is_sample()>
                    <button
                        type="button"
                        class="button button--quiet"
                        data-testid="sample-folder"
                        on:click=move |_| page.open_folder(Folder::sample())
                    >
                        {t!(i18n, page.folder.use_sample)}
                    </button>
                </Show>
            </div>
            // The button stands for it where the browser has no picker of its own.
            <input
                class="visually-hidden"
                type="file"
                tabindex="-1"
                aria-hidden="true"
                data-testid="folder-input"
                {..custom_attribute("webkitdirectory", "")}
                node_ref=file_input
                on:change=take_list
            />
            <p class="field__hint">{t!(i18n, page.folder.hint)}</p>
            <Show when=move || page.folder_is_newer.get()>
                <p class="field__hint">{t!(i18n, page.folder.next_conversation)}</p>
            </Show>
            {move || problem().map(|text| view! { <p class="warning" role="alert">{text}</p> })}
        </section>
    }
}

/// Opens a folder that was dropped on the page.
pub fn drop_folder(page: PageState, event: &leptos::ev::DragEvent) {
    event.prevent_default();
    let dropped = dropped_folder(event);
    spawn_local(async move {
        match dropped.await {
            Some(root) => page.open_folder(directory(root)),
            None => page.folder_problem.set(Some(FolderProblem::NotAFolder)),
        }
    });
}

fn directory(root: web_sys::FileSystemDirectoryHandle) -> Folder {
    let workspace = DirectoryWorkspace::new(root);
    Folder { name: Some(workspace.name()), workspace: Rc::new(OpenWorkspace::Directory(workspace)) }
}
