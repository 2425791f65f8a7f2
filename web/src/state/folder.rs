//! The folder that the tools read.

use crate::platform::directory::DirectoryWorkspace;
use crate::platform::file_list::ListedFolder;
use brimline_core::workspace::{
    Entry, MemoryWorkspace, Piece, Workspace, WorkspaceError, WorkspacePath, sample_workspace,
};
use std::ops::Range;
use std::rc::Rc;

/// An open folder.
#[derive(Debug, Clone)]
pub struct Folder {
    /// Its name, as the reader knows it; `None` for the sample.
    pub name: Option<String>,
    /// Its files.
    pub workspace: Rc<OpenWorkspace>,
}

/// Where its files come from.
#[derive(Debug)]
pub enum OpenWorkspace {
    /// The sample that comes with the page.
    Sample(MemoryWorkspace),
    /// A folder on disk, from the picker or dropped on the page.
    Directory(DirectoryWorkspace),
    /// A folder that came as a list of files.
    Listed(ListedFolder),
}

/// Why no folder was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderProblem {
    /// The browser would not, and says why.
    Refused(String),
    /// Something else than a folder was dropped.
    NotAFolder,
}

impl Folder {
    /// The sample.
    pub fn sample() -> Self {
        Self { name: None, workspace: Rc::new(OpenWorkspace::Sample(sample_workspace())) }
    }
}

impl Workspace for OpenWorkspace {
    async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
        match self {
            Self::Sample(workspace) => workspace.list(folder).await,
            Self::Directory(workspace) => workspace.list(folder).await,
            Self::Listed(workspace) => workspace.list(folder).await,
        }
    }

    async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
        match self {
            Self::Sample(workspace) => workspace.read(file, range).await,
            Self::Directory(workspace) => workspace.read(file, range).await,
            Self::Listed(workspace) => workspace.read(file, range).await,
        }
    }
}
