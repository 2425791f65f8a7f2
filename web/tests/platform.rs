//! What only a real browser can show: folders on its own disk, streams, storage.
#![cfg(target_family = "wasm")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use brimline_core::conversation::ToolCall;
use brimline_core::driver::{Asks, Clock};
use brimline_core::tools::{self, ToolOutcome};
use brimline_core::wire::ProviderError;
use brimline_core::workspace::{Entry, EntryKind, Piece, Workspace, WorkspaceError, WorkspacePath};
use brimline_web::platform::directory::DirectoryWorkspace;
use brimline_web::platform::http::HttpServer;
use brimline_web::platform::timer::BrowserClock;
use brimline_web::platform::{picker, storage};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::FileSystemDirectoryHandle;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
export async function make_folder(name, paths) {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry(name, { recursive: true }).catch(() => {});
  const folder = await root.getDirectoryHandle(name, { create: true });
  for (const path of paths) {
    const names = path.split("/");
    const file = names.pop();
    let inside = folder;
    for (const part of names) inside = await inside.getDirectoryHandle(part, { create: true });
    const handle = await inside.getFileHandle(file, { create: true });
    const writer = await handle.createWritable();
    await writer.write(`one of ${path}\n`);
    await writer.close();
  }
  return folder;
}
export async function make_large_file(folder, name, size) {
  const handle = await folder.getFileHandle(name, { create: true });
  const writer = await handle.createWritable();
  await writer.truncate(size - 4);
  await writer.write({ type: "write", position: size - 4, data: "tail" });
  await writer.close();
}
export function remove(folder, name) { return folder.removeEntry(name); }
export function pick_this(folder) { window.showDirectoryPicker = async () => folder; }
export function pick_nothing() {
  window.showDirectoryPicker = async () => { throw new DOMException("The user aborted a request.", "AbortError"); };
}
export function stream_url(pieces) { return URL.createObjectURL(new Blob(pieces)); }
"#)]
extern "C" {
    #[wasm_bindgen(catch)]
    async fn make_folder(name: &str, paths: Vec<String>) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    async fn make_large_file(folder: &JsValue, name: &str, size: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(catch)]
    async fn remove(folder: &JsValue, name: &str) -> Result<(), JsValue>;
    fn pick_this(folder: &JsValue);
    fn pick_nothing();
    fn stream_url(pieces: Vec<String>) -> String;
}

async fn folder(name: &str, paths: &[&str]) -> FileSystemDirectoryHandle {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    make_folder(name, paths).await.unwrap().unchecked_into()
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::parse(text).unwrap()
}

fn entry(name: &str, kind: EntryKind) -> Entry {
    Entry { name: name.into(), kind }
}

#[wasm_bindgen_test]
async fn a_folder_lists_its_own_entries_with_their_odd_names() {
    let odd = ["a b.txt", "#%?&.txt", "ñandú 😀.txt", "src/main.rs", "src/deep/er.rs"];
    let workspace = DirectoryWorkspace::new(folder("lists", &odd).await);
    let mut entries = workspace.list(&WorkspacePath::root()).await.unwrap();
    entries.sort();
    assert_eq!(
        entries,
        [
            entry("#%?&.txt", EntryKind::File),
            entry("a b.txt", EntryKind::File),
            entry("src", EntryKind::Folder),
            entry("ñandú 😀.txt", EntryKind::File),
        ]
    );
    let mut below = workspace.list(&path("src")).await.unwrap();
    below.sort();
    assert_eq!(below, [entry("deep", EntryKind::Folder), entry("main.rs", EntryKind::File)]);
    for name in &odd {
        let bytes = format!("one of {name}\n").into_bytes();
        let size = bytes.len() as u64;
        assert_eq!(workspace.read(&path(name), 0..1_000).await, Ok(Piece { bytes, size }));
    }
}

#[wasm_bindgen_test]
async fn a_range_gives_what_there_is_of_it() {
    let workspace = DirectoryWorkspace::new(folder("ranges", &["a.txt"]).await);
    let read = async |range| workspace.read(&path("a.txt"), range).await;
    let piece = |bytes: &[u8]| Ok(Piece { bytes: bytes.to_vec(), size: 13 });
    assert_eq!(read(0..3).await, piece(b"one"));
    assert_eq!(read(7..1_000).await, piece(b"a.txt\n"));
    assert_eq!(read(13..20).await, piece(b""));
    assert_eq!(read(90..95).await, piece(b""));
}

#[wasm_bindgen_test]
async fn what_vanished_and_what_is_of_the_other_kind_is_told_apart() {
    let handle = folder("vanishes", &["a.txt", "src/b.txt"]).await;
    let workspace = DirectoryWorkspace::new(handle.clone());
    assert!(workspace.list(&WorkspacePath::root()).await.unwrap().contains(&entry("a.txt", EntryKind::File)));
    remove(&handle, "a.txt").await.unwrap();
    assert_eq!(workspace.read(&path("a.txt"), 0..9).await, Err(WorkspaceError::NotFound));
    assert_eq!(workspace.list(&path("nowhere")).await, Err(WorkspaceError::NotFound));
    assert_eq!(workspace.list(&path("src/b.txt")).await, Err(WorkspaceError::NotAFolder));
    assert_eq!(workspace.read(&path("src"), 0..9).await, Err(WorkspaceError::NotAFile));
}

#[wasm_bindgen_test]
async fn the_end_of_100_megabytes_is_read_without_the_rest() {
    const SIZE: u64 = 100 * 1024 * 1024;
    let handle = folder("large", &[]).await;
    make_large_file(&handle, "large.bin", SIZE as f64).await.unwrap();
    let workspace = DirectoryWorkspace::new(handle.clone());
    let piece = workspace.read(&path("large.bin"), SIZE - 6..SIZE + 100).await;
    assert_eq!(piece, Ok(Piece { bytes: b"\0\0tail".to_vec(), size: SIZE }));
    remove(&handle, "large.bin").await.unwrap();
}

#[wasm_bindgen_test]
async fn tools_read_the_folder_and_report_what_vanished() {
    let handle = folder("tools", &["notes.txt"]).await;
    let workspace = DirectoryWorkspace::new(handle.clone());
    let read = ToolCall { id: "1".into(), name: "Read".into(), arguments: r#"{"path":"notes.txt"}"#.into() };
    let outcome = tools::run(&read, &workspace).await;
    assert_eq!(outcome, ToolOutcome { text: "1\tone of notes.txt\n".into(), is_error: false });
    remove(&handle, "notes.txt").await.unwrap();
    assert!(tools::run(&read, &workspace).await.is_error);
}

#[wasm_bindgen_test]
async fn the_picker_is_the_one_that_window_has_at_the_click() {
    let handle = folder("picked", &[]).await;
    pick_this(&handle);
    assert!(picker::has_picker());
    assert_eq!(picker::pick_folder().await, picker::Picked::Folder(handle));
    pick_nothing();
    assert_eq!(picker::pick_folder().await, picker::Picked::Nothing);
}

#[wasm_bindgen_test]
async fn a_stream_is_read_to_its_end() {
    let pieces: Vec<String> = (0..2_000).map(|number| format!("piece {number}, ñ\n")).collect();
    let server = HttpServer { base_url: stream_url(pieces.clone()), api_key: None };
    assert_eq!(server.ask("").await, Ok((200, pieces.concat())));
}

#[wasm_bindgen_test]
async fn where_nobody_listens_nobody_is_reported() {
    // Nothing listens on port 1 of any machine that runs tests.
    let server = HttpServer { base_url: "http://127.0.0.1:1".into(), api_key: None };
    let unreachable = ProviderError::Unreachable { url: "http://127.0.0.1:1".into() };
    assert_eq!(server.ask("/api/tags").await, Err(unreachable));
}

#[wasm_bindgen_test]
fn what_is_stored_comes_back_and_what_is_broken_counts_as_nothing() {
    storage::store("test.numbers", &[1, 2, 3]);
    assert_eq!(storage::load::<Vec<u8>>("test.numbers"), Some(vec![1, 2, 3]));
    assert_eq!(storage::load::<String>("test.numbers"), None);
    assert_eq!(storage::load::<String>("test.never"), None);
}

#[wasm_bindgen_test]
async fn time_passes() {
    let clock = BrowserClock::default();
    let before = js_sys::Date::now();
    clock.sleep(30).await;
    clock.breathe().await;
    assert!(js_sys::Date::now() - before >= 29.0);
}
