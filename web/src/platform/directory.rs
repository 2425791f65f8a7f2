//! A folder on disk that the reader opened.
//!
//! Nothing is kept: every question goes to the disk, so a file that changed is read as it is now, and one that vanished is
//! said to be gone.

use super::picker::{is_named, reason};
use brimline_core::workspace::{Entry, EntryKind, Piece, Workspace, WorkspaceError, WorkspacePath};
use std::ops::Range;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, File, FileSystemDirectoryHandle, FileSystemFileHandle, FileSystemHandle, FileSystemHandleKind,
};

/// A folder on disk as the tools see it.
#[derive(Debug, Clone)]
pub struct DirectoryWorkspace {
    root: FileSystemDirectoryHandle,
}

impl DirectoryWorkspace {
    /// Takes a folder over.
    pub fn new(root: FileSystemDirectoryHandle) -> Self {
        Self { root }
    }

    /// The folder's name.
    pub fn name(&self) -> String {
        self.root.name()
    }

    async fn folder(&self, path: &WorkspacePath) -> Result<FileSystemDirectoryHandle, WorkspaceError> {
        let mut folder = self.root.clone();
        for name in path.names() {
            let next = JsFuture::from(folder.get_directory_handle(name)).await;
            folder = next.map_err(|error| failure(&error, WorkspaceError::NotAFolder))?.unchecked_into();
        }
        Ok(folder)
    }
}

impl Workspace for DirectoryWorkspace {
    async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
        let failure = |error: JsValue| failure(&error, WorkspaceError::NotAFolder);
        let children = self.folder(folder).await?.entries();
        let mut entries = Vec::new();
        loop {
            let next = JsFuture::from(children.next().map_err(failure)?).await.map_err(failure)?;
            let next: js_sys::IteratorNext = next.unchecked_into();
            if next.done() {
                return Ok(entries);
            }
            let pair: js_sys::Array = next.value().unchecked_into();
            let handle: FileSystemHandle = pair.get(1).unchecked_into();
            let is_folder = handle.kind() == FileSystemHandleKind::Directory;
            let kind = if is_folder { EntryKind::Folder } else { EntryKind::File };
            entries.push(Entry { name: handle.name(), kind });
        }
    }

    async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
        let failure = |error: JsValue| failure(&error, WorkspaceError::NotAFile);
        let (Some(parent), Some(name)) = (file.parent(), file.name()) else {
            return Err(WorkspaceError::NotAFile);
        };
        let folder = self.folder(&parent).await?;
        let handle: FileSystemFileHandle =
            JsFuture::from(folder.get_file_handle(name)).await.map_err(failure)?.unchecked_into();
        let file: File = JsFuture::from(handle.get_file()).await.map_err(failure)?.unchecked_into();
        read_part(&file, range).await
    }
}

/// A part of a file's bytes: as much of the range as there is.
pub(super) async fn read_part(file: &Blob, range: Range<u64>) -> Result<Piece, WorkspaceError> {
    let failure = |error: JsValue| failure(&error, WorkspaceError::NotAFile);
    // The browser gives sizes and takes ranges as f64, exact below 2^53 bytes.
    let part = file.slice_with_f64_and_f64(range.start as f64, range.end as f64).map_err(failure)?;
    let buffer = JsFuture::from(part.array_buffer()).await.map_err(failure)?;
    Ok(Piece { bytes: js_sys::Uint8Array::new(&buffer).to_vec(), size: file.size() as u64 })
}

/// What a rejection means; `of_wrong_kind` is for a file where a folder was meant, or the other way round.
fn failure(error: &JsValue, of_wrong_kind: WorkspaceError) -> WorkspaceError {
    if is_named(error, "NotFoundError") {
        WorkspaceError::NotFound
    } else if is_named(error, "TypeMismatchError") {
        of_wrong_kind
    } else if is_named(error, "NotAllowedError") || is_named(error, "SecurityError") {
        WorkspaceError::Denied
    } else if error.is_instance_of::<js_sys::TypeError>() {
        // The browser takes no file of such a name (`con`, a trailing dot, …), so there is none.
        WorkspaceError::NotFound
    } else {
        WorkspaceError::Failed(reason(error))
    }
}
