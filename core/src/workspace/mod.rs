//! The folder that the assistant may look at: what it must offer, which of its files are left out, and how a path that
//! a model wrote becomes one that cannot leave it.
//!
//! The page reads a folder of the reader's machine, tests read a [`MemoryWorkspace`]. Both are asked the same two
//! things, and nothing else: what is in this folder, and which bytes are in this part of that file.
//!
//! ```
//! use brimline_core::workspace::{MemoryWorkspace, PathError, Workspace, WorkspacePath};
//!
//! let workspace = MemoryWorkspace::default().with("src/main.rs", "fn main() {}\n");
//! let path = WorkspacePath::parse("./src/../src/main.rs")?;
//! let piece = pollster::block_on(workspace.read(&path, 0..7)).expect("the file is there");
//! assert_eq!((piece.bytes.as_slice(), piece.size), (b"fn main".as_slice(), 13));
//!
//! assert_eq!(WorkspacePath::parse("src/../../secret"), Err(PathError::Leaves));
//! # Ok::<(), PathError>(())
//! ```

mod ignore_rules;
mod instructions;
mod memory;
mod path;
mod sample;
pub(crate) mod walk;

pub use instructions::project_instructions;
pub use memory::MemoryWorkspace;
pub use path::{PathError, WorkspacePath};
pub use sample::sample_workspace;

use std::ops::Range;

/// A folder that can be looked at. Nothing in it can be changed through this.
///
/// Its futures need no runtime of a certain kind, and need not be `Send`: a browser's handles aren't. Dropping one
/// before it is done must be harmless, since that is how a run is stopped.
pub trait Workspace {
    /// What is in a folder, in any order, without what is in the folders below it.
    ///
    /// # Errors
    ///
    /// [`WorkspaceError::NotAFolder`] where the path names a file.
    fn list(&self, folder: &WorkspacePath) -> impl Future<Output = Result<Vec<Entry>, WorkspaceError>>;

    /// Part of a file, so that a file of 100 MB can be looked at without loading it.
    ///
    /// A range that reaches past the end gives the bytes that there are.
    ///
    /// # Errors
    ///
    /// [`WorkspaceError::NotAFile`] where the path names a folder.
    fn read(
        &self,
        file: &WorkspacePath,
        range: Range<u64>,
    ) -> impl Future<Output = Result<Piece, WorkspaceError>>;
}

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Its own name, without the folder's, exactly as the file system has it.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What is behind a name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// Part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The bytes asked for, as far as there are any.
    pub bytes: Vec<u8>,
    /// The size of the whole file in bytes, at the time of reading.
    pub size: u64,
}

/// Why something in a workspace could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// Nothing has this name, or no longer.
    #[error("there is nothing of that name")]
    NotFound,
    /// It was to be listed, and is a file.
    #[error("it is a file, not a folder")]
    NotAFolder,
    /// It was to be read, and is a folder.
    #[error("it is a folder, not a file")]
    NotAFile,
    /// The system, or the reader, does not allow it.
    #[error("reading it is not allowed")]
    Denied,
    /// Anything else, in the system's own words.
    #[error("{0}")]
    Failed(String),
}
