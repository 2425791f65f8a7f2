//! How a reader opens a folder: the browser's picker where there is one, or a folder dropped on the page.
//!
//! `web-sys` hides these behind an unstable flag, so the few lines that are needed are declared here by hand. The picker is
//! looked up on `window` at the moment of the click.

use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransferItem, DragEvent, FileSystemDirectoryHandle, FileSystemHandle, FileSystemHandleKind,
};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = web_sys::Window)]
    type WindowWithPicker;

    #[wasm_bindgen(method, catch, js_name = showDirectoryPicker)]
    fn show_directory_picker(this: &WindowWithPicker) -> Result<js_sys::Promise, JsValue>;

    #[wasm_bindgen(extends = DataTransferItem)]
    type DroppedItem;

    #[wasm_bindgen(method, catch, js_name = getAsFileSystemHandle)]
    fn get_as_file_system_handle(this: &DroppedItem) -> Result<js_sys::Promise, JsValue>;
}

/// What the reader did with the picker.
#[derive(Debug, Clone, PartialEq)]
pub enum Picked {
    /// Chose a folder.
    Folder(FileSystemDirectoryHandle),
    /// Closed it without choosing.
    Nothing,
    /// The browser would not show it, and says why.
    Refused(String),
}

/// Whether this browser has a picker for folders. Firefox and Safari have none.
pub fn has_picker() -> bool {
    js_sys::Reflect::get(&window(), &"showDirectoryPicker".into()).is_ok_and(|picker| picker.is_function())
}

/// Lets the reader pick a folder. Must be called from a click.
pub async fn pick_folder() -> Picked {
    let promise = match window().unchecked_into::<WindowWithPicker>().show_directory_picker() {
        Ok(promise) => promise,
        Err(error) => return Picked::Refused(reason(&error)),
    };
    match JsFuture::from(promise).await {
        Ok(handle) => Picked::Folder(handle.unchecked_into()),
        Err(error) if is_named(&error, "AbortError") => Picked::Nothing,
        Err(error) => Picked::Refused(reason(&error)),
    }
}

/// The folder that was dropped, if it was one. The event's items are gone after the first `await`, so the promise is made
/// before it.
pub fn dropped_folder(event: &DragEvent) -> impl Future<Output = Option<FileSystemDirectoryHandle>> + use<> {
    let promise = event
        .data_transfer()
        .and_then(|transfer| transfer.items().get(0))
        .and_then(|item| item.unchecked_into::<DroppedItem>().get_as_file_system_handle().ok());
    async move {
        let handle: FileSystemHandle = JsFuture::from(promise?).await.ok()?.dyn_into().ok()?;
        (handle.kind() == FileSystemHandleKind::Directory).then(|| handle.unchecked_into())
    }
}

/// Whether a rejection is a `DOMException` of that name.
pub(super) fn is_named(error: &JsValue, name: &str) -> bool {
    error.dyn_ref::<web_sys::DomException>().is_some_and(|error| error.name() == name)
}

/// What a rejection says.
pub(super) fn reason(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map_or_else(|| format!("{error:?}"), |error| String::from(error.message()))
}
