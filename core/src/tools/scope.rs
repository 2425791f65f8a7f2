//! Where Glob and Grep look.

use super::numbers::grouped;
use crate::workspace::walk::{MOST_ENTRIES, Walk};
use crate::workspace::{Workspace, WorkspaceError, WorkspacePath};

/// How many names a note lists at most.
const LISTED: usize = 5;

/// The folder or file that a search was told to look in, opened.
pub(super) struct Scope<'w, W> {
    /// Where it starts.
    pub(super) start: WorkspacePath,
    /// The files there.
    pub(super) walk: Walk<'w, W>,
    /// It is one file.
    pub(super) is_file: bool,
}

impl<'w, W: Workspace> Scope<'w, W> {
    /// Opens the folder (or file) of that path, or the workspace if there is none.
    pub(super) async fn open(workspace: &'w W, path: Option<&str>) -> Result<Self, String> {
        let start = match path.map(WorkspacePath::parse) {
            None => WorkspacePath::root(),
            Some(path) => path.map_err(|error| format!("That path can't be searched: {error}."))?,
        };
        match Walk::of(workspace, &start).await {
            Ok(walk) => Ok(Self { start, walk, is_file: false }),
            Err(WorkspaceError::NotAFolder) => {
                let walk = Walk::of_file(workspace, start.clone());
                Ok(Self { start, walk, is_file: true })
            }
            Err(WorkspaceError::NotFound) => Err(format!(
                "There is nothing at {start} (or no longer). Leave `path` out to search the whole workspace."
            )),
            Err(error @ (WorkspaceError::NotAFile | WorkspaceError::Denied | WorkspaceError::Failed(_))) => {
                Err(format!("The folder {start} can't be searched: {error}. Go on without it."))
            }
        }
    }
}

/// What has to be said about a walk that didn't see everything.
pub(super) fn notes_of<W: Workspace>(walk: &Walk<'_, W>) -> Vec<String> {
    let mut notes = Vec::new();
    if walk.is_cut_short() {
        notes.push(format!(
            "Only the first {} files and folders were looked at. Give a `path` to look elsewhere.",
            grouped(MOST_ENTRIES as u64)
        ));
    }
    if !walk.unopened().is_empty() {
        notes.push(format!("Could not be opened: {}.", listed(walk.unopened())));
    }
    notes
}

/// The first few of these paths, and how many more there are.
pub(super) fn listed(paths: &[WorkspacePath]) -> String {
    let shown: Vec<String> = paths.iter().take(LISTED).map(WorkspacePath::to_string).collect();
    match paths.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), grouped(more as u64)),
    }
}
