//! A folder that is only in memory: the bundled sample, and every test's.

use super::path::WorkspacePath;
use super::{Entry, EntryKind, Piece, Workspace, WorkspaceError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Files by their paths. Folders are there as far as files are in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryWorkspace {
    files: BTreeMap<WorkspacePath, Vec<u8>>,
}

impl MemoryWorkspace {
    /// The same with one file more (or another content for it), for building one in an expression.
    ///
    /// # Panics
    ///
    /// If `path` is not a path within a workspace. For paths that are not written in the program there is
    /// [`insert`](Self::insert).
    #[must_use]
    #[expect(clippy::expect_used, reason = "documented: for paths that are written in the program")]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.insert(WorkspacePath::parse(path).expect("a path within the workspace"), bytes);
        self
    }

    /// Adds a file, or gives it another content.
    pub fn insert(&mut self, path: WorkspacePath, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path, bytes.into());
    }

    /// Takes a file away, and says whether it was there.
    pub fn remove(&mut self, path: &WorkspacePath) -> bool {
        self.files.remove(path).is_some()
    }

    /// Every file and its bytes, by path.
    pub fn files(&self) -> impl Iterator<Item = (&WorkspacePath, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path, bytes.as_slice()))
    }

    fn is_folder(&self, path: &WorkspacePath) -> bool {
        path.is_root() || self.files.keys().any(|file| file.name_below(path).is_some())
    }
}

impl Workspace for MemoryWorkspace {
    async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
        if self.files.contains_key(folder) {
            return Err(WorkspaceError::NotAFolder);
        }
        let entries: BTreeSet<Entry> = self
            .files
            .keys()
            .filter_map(|file| file.name_below(folder))
            .map(|(name, rest)| {
                let kind = if rest.is_empty() { EntryKind::File } else { EntryKind::Folder };
                Entry { name: name.to_owned(), kind }
            })
            .collect();
        if entries.is_empty() && !folder.is_root() {
            return Err(WorkspaceError::NotFound);
        }
        Ok(entries.into_iter().collect())
    }

    async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
        let Some(bytes) = self.files.get(file) else {
            let is_folder = self.is_folder(file);
            return Err(if is_folder { WorkspaceError::NotAFile } else { WorkspaceError::NotFound });
        };
        let start = usize::try_from(range.start).unwrap_or(usize::MAX).min(bytes.len());
        let end = usize::try_from(range.end).unwrap_or(usize::MAX).clamp(start, bytes.len());
        let part = bytes.get(start..end).unwrap_or_default();
        Ok(Piece { bytes: part.to_vec(), size: bytes.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pollster::block_on;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::parse(text).unwrap()
    }

    fn workspace() -> MemoryWorkspace {
        MemoryWorkspace::default().with("a.txt", "hello").with("src/b.rs", "").with("src/deep/c.rs", "x")
    }

    #[test]
    fn a_folder_lists_its_own_entries_and_not_those_below() {
        let entry = |name: &str, kind| Entry { name: name.to_owned(), kind };
        assert_eq!(
            block_on(workspace().list(&WorkspacePath::root())),
            Ok(vec![entry("a.txt", EntryKind::File), entry("src", EntryKind::Folder)])
        );
        assert_eq!(
            block_on(workspace().list(&path("src"))),
            Ok(vec![entry("b.rs", EntryKind::File), entry("deep", EntryKind::Folder)])
        );
        assert_eq!(block_on(workspace().list(&path("a.txt"))), Err(WorkspaceError::NotAFolder));
        assert_eq!(block_on(workspace().list(&path("sr"))), Err(WorkspaceError::NotFound));
        assert_eq!(block_on(MemoryWorkspace::default().list(&WorkspacePath::root())), Ok(vec![]));
    }

    #[test]
    fn a_range_may_reach_past_the_end() {
        let read = |file: &str, range| block_on(workspace().read(&path(file), range));
        assert_eq!(read("a.txt", 1..3), Ok(Piece { bytes: b"el".to_vec(), size: 5 }));
        assert_eq!(read("a.txt", 3..u64::MAX), Ok(Piece { bytes: b"lo".to_vec(), size: 5 }));
        assert_eq!(read("a.txt", 9..20), Ok(Piece { bytes: vec![], size: 5 }));
        assert_eq!(read("src/b.rs", 0..9), Ok(Piece { bytes: vec![], size: 0 }));
        assert_eq!(read("src", 0..9), Err(WorkspaceError::NotAFile));
        assert_eq!(read("gone", 0..9), Err(WorkspaceError::NotFound));
    }
}
