//! A folder that came as a list of files, from `<input webkitdirectory>`: for browsers without a picker for folders.

use super::directory::read_part;
use brimline_core::workspace::{Entry, EntryKind, Piece, Workspace, WorkspaceError, WorkspacePath};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use wasm_bindgen::prelude::*;
use web_sys::{File, FileList};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = File)]
    type ListedFile;

    #[wasm_bindgen(method, getter, js_name = webkitRelativePath)]
    fn webkit_relative_path(this: &ListedFile) -> String;
}

/// The files of a folder as they were when it was chosen.
#[derive(Debug, Clone, Default)]
pub struct ListedFolder {
    /// The folder's name.
    pub name: String,
    /// By the names on the way to them.
    files: BTreeMap<Vec<String>, File>,
}

impl ListedFolder {
    /// Takes a list over. The first part of every path is the folder's own name.
    pub fn new(list: &FileList) -> Self {
        let mut folder = Self::default();
        for file in (0..list.length()).filter_map(|index| list.get(index)) {
            let path = file.unchecked_ref::<ListedFile>().webkit_relative_path();
            if let Some((name, within)) = path.split_once('/') {
                name.clone_into(&mut folder.name);
                folder.files.insert(within.split('/').map(str::to_owned).collect(), file);
            }
        }
        folder
    }

    fn has_folder(&self, names: &[String]) -> bool {
        names.is_empty() || self.files.keys().any(|file| file.len() > names.len() && file.starts_with(names))
    }
}

impl Workspace for ListedFolder {
    async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
        let names: Vec<String> = folder.names().map(str::to_owned).collect();
        if self.files.contains_key(&names) {
            return Err(WorkspaceError::NotAFolder);
        }
        if !self.has_folder(&names) {
            return Err(WorkspaceError::NotFound);
        }
        let child = |file: &Vec<String>| match file.strip_prefix(names.as_slice())? {
            [] => None,
            [name] => Some(Entry { name: name.clone(), kind: EntryKind::File }),
            [name, ..] => Some(Entry { name: name.clone(), kind: EntryKind::Folder }),
        };
        let children: BTreeSet<Entry> = self.files.keys().filter_map(child).collect();
        Ok(children.into_iter().collect())
    }

    async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
        let names: Vec<String> = file.names().map(str::to_owned).collect();
        match self.files.get(&names) {
            Some(file) => read_part(file, range).await,
            None if self.has_folder(&names) => Err(WorkspaceError::NotAFile),
            None => Err(WorkspaceError::NotFound),
        }
    }
}
