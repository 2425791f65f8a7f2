//! Every file below a folder, in the order of their paths, without those that ignore rules leave out.
//!
//! It lists one folder at a time, when its turn comes: a folder that is ignored is never opened, and whoever stops
//! asking stops the work.

use super::ignore_rules::{IgnoreRules, MOST_RULES_BYTES, RULES_FILE};
use super::{Entry, EntryKind, Workspace, WorkspaceError, WorkspacePath};

/// How many files and folders are looked at, at most. A folder with more is not what the reader meant to open.
pub(crate) const MOST_ENTRIES: usize = 200_000;

/// How many folders deep it goes: a link to a folder around it would lead nowhere else.
const DEEPEST: usize = 64;

/// A walk that has begun.
#[derive(Debug)]
pub(crate) struct Walk<'w, W> {
    workspace: &'w W,
    /// What comes next, the nearest last.
    pending: Vec<Pending>,
    entries: usize,
    cut_short: bool,
    unopened: Vec<WorkspacePath>,
}

#[derive(Debug)]
enum Pending {
    File(WorkspacePath),
    Folder(WorkspacePath, IgnoreRules),
}

impl<'w, W: Workspace> Walk<'w, W> {
    /// Begins at a folder, and opens it.
    ///
    /// A folder that the rules around it leave out can be walked by naming it: then only the rules within it hold.
    ///
    /// # Errors
    ///
    /// If the folder can't be listed.
    pub(crate) async fn of(workspace: &'w W, folder: &WorkspacePath) -> Result<Self, WorkspaceError> {
        let mut rules = IgnoreRules::default();
        let mut outer = WorkspacePath::root();
        for name in folder.names() {
            rules = with_rules_of(workspace, &outer, &rules).await;
            outer = outer.join(name).unwrap_or(outer);
            if rules.leave_out(&outer, true) {
                rules = IgnoreRules::default();
            }
        }
        let mut walk =
            Self { workspace, pending: Vec::new(), entries: 0, cut_short: false, unopened: Vec::new() };
        walk.open(folder, &rules).await?;
        Ok(walk)
    }

    /// A walk over one file.
    pub(crate) fn of_file(workspace: &'w W, file: WorkspacePath) -> Self {
        let pending = vec![Pending::File(file)];
        Self { workspace, pending, entries: 0, cut_short: false, unopened: Vec::new() }
    }

    /// The next file.
    pub(crate) async fn next(&mut self) -> Option<WorkspacePath> {
        loop {
            match self.pending.pop()? {
                Pending::File(file) => return Some(file),
                // What is in it would be more than is looked at.
                Pending::Folder(..) if self.cut_short => {}
                Pending::Folder(folder, rules) => {
                    let too_deep = folder.names().count() > DEEPEST;
                    if too_deep || self.open(&folder, &rules).await.is_err() {
                        self.unopened.push(folder);
                    }
                }
            }
        }
    }

    /// Whether it ended early, after [`MOST_ENTRIES`].
    pub(crate) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// Folders that could not be listed.
    pub(crate) fn unopened(&self) -> &[WorkspacePath] {
        &self.unopened
    }

    async fn open(&mut self, folder: &WorkspacePath, rules: &IgnoreRules) -> Result<(), WorkspaceError> {
        let mut entries = self.workspace.list(folder).await?;
        let has_rules = |entry: &Entry| entry.kind == EntryKind::File && entry.name == RULES_FILE;
        let rules = if entries.iter().any(has_rules) {
            with_rules_of(self.workspace, folder, rules).await
        } else {
            rules.clone()
        };
        // With its `/`, a folder has the place that the paths of its files have.
        entries.sort_by_cached_key(|entry| match entry.kind {
            EntryKind::File => entry.name.clone(),
            EntryKind::Folder => format!("{}/", entry.name),
        });
        let first = self.pending.len();
        for entry in entries {
            let Some(path) = folder.join(&entry.name) else { continue };
            if rules.leave_out(&path, entry.kind == EntryKind::Folder) {
                continue;
            }
            if self.entries == MOST_ENTRIES {
                self.cut_short = true;
                break;
            }
            self.entries += 1;
            self.pending.push(match entry.kind {
                EntryKind::File => Pending::File(path),
                EntryKind::Folder => Pending::Folder(path, rules.clone()),
            });
        }
        if let Some(added) = self.pending.get_mut(first..) {
            added.reverse();
        }
        Ok(())
    }
}

/// The rules with those of the folder's own file, if it has one that can be read.
async fn with_rules_of(
    workspace: &impl Workspace,
    folder: &WorkspacePath,
    rules: &IgnoreRules,
) -> IgnoreRules {
    let Some(file) = folder.join(RULES_FILE) else { return rules.clone() };
    match workspace.read(&file, 0..MOST_RULES_BYTES).await {
        Ok(piece) => rules.with(folder, &piece.bytes),
        Err(_) => rules.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MemoryWorkspace, Piece};
    use super::*;
    use pollster::block_on;
    use std::cell::{Cell, RefCell};
    use std::ops::Range;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::parse(text).unwrap()
    }

    fn walked(workspace: &impl Workspace, folder: &WorkspacePath) -> Vec<String> {
        block_on(async {
            let mut walk = Walk::of(workspace, folder).await.unwrap();
            let mut files = Vec::new();
            while let Some(file) = walk.next().await {
                files.push(file.as_str().to_owned());
            }
            files
        })
    }

    /// Remembers which folders were listed.
    struct Watched(MemoryWorkspace, RefCell<Vec<String>>);

    impl Workspace for Watched {
        async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            self.1.borrow_mut().push(folder.to_string());
            self.0.list(folder).await
        }

        async fn read(&self, file: &WorkspacePath, range: Range<u64>) -> Result<Piece, WorkspaceError> {
            self.0.read(file, range).await
        }
    }

    fn project() -> MemoryWorkspace {
        MemoryWorkspace::default()
            .with(".git/HEAD", "ref")
            .with(".gitignore", "node_modules/\n*.tmp\n")
            .with("a.txt", "")
            .with("a/x.rs", "")
            .with("a/y.tmp", "")
            .with("a/.gitignore", "x.*\n!y.tmp\n")
            .with("a-b.txt", "")
            .with("node_modules/left/pad.js", "")
            .with("node_modules/z.tmp", "")
    }

    #[test]
    fn gives_files_in_the_order_of_their_paths_and_opens_no_ignored_folder() {
        let workspace = Watched(project(), RefCell::default());
        let files = walked(&workspace, &WorkspacePath::root());
        assert_eq!(files, [".gitignore", "a-b.txt", "a.txt", "a/.gitignore", "a/y.tmp"]);
        assert_eq!(workspace.1.into_inner(), [".", "a"]);
    }

    #[test]
    fn rules_from_above_hold_below_and_a_folder_named_outright_is_walked() {
        assert_eq!(walked(&project(), &path("a")), ["a/.gitignore", "a/y.tmp"]);
        assert_eq!(
            walked(&project(), &path("node_modules")),
            ["node_modules/left/pad.js", "node_modules/z.tmp"]
        );
    }

    /// Every folder has three files and holds itself; the first can't be listed.
    struct Loop;

    impl Workspace for Loop {
        async fn list(&self, folder: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            if folder.name() == Some("closed") {
                return Err(WorkspaceError::Denied);
            }
            let folders = ["closed", "loop"].map(|name| Entry { name: name.into(), kind: EntryKind::Folder });
            let file = Entry { name: "z".into(), kind: EntryKind::File };
            Ok([folders.as_slice(), &[file]].concat())
        }

        async fn read(&self, _: &WorkspacePath, _: Range<u64>) -> Result<Piece, WorkspaceError> {
            Err(WorkspaceError::NotFound)
        }
    }

    #[test]
    fn a_folder_that_holds_itself_and_one_that_is_closed_end_nothing() {
        block_on(async {
            let mut walk = Walk::of(&Loop, &WorkspacePath::root()).await.unwrap();
            let mut files = 0;
            while walk.next().await.is_some() {
                files += 1;
            }
            assert_eq!((files, walk.unopened().len(), walk.is_cut_short()), (65, 66, false));
        });
    }

    /// Every folder holds ten folders, and counts how often one is listed.
    struct Maze(Cell<usize>);

    impl Workspace for Maze {
        async fn list(&self, _: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            self.0.set(self.0.get() + 1);
            Ok((0..10).map(|n| Entry { name: n.to_string(), kind: EntryKind::Folder }).collect())
        }

        async fn read(&self, _: &WorkspacePath, _: Range<u64>) -> Result<Piece, WorkspaceError> {
            Err(WorkspaceError::NotFound)
        }
    }

    #[test]
    fn opens_no_more_folders_once_it_has_ended_early() {
        let maze = Maze(Cell::new(0));
        block_on(async {
            let mut walk = Walk::of(&maze, &WorkspacePath::root()).await.unwrap();
            assert_eq!(walk.next().await, None);
            assert!(walk.is_cut_short());
        });
        // Ten entries a folder: the one after the last that fits is opened to learn that there are more.
        assert_eq!(maze.0.get(), MOST_ENTRIES / 10 + 1);
    }

    /// One folder with too many files.
    struct Crowd;

    impl Workspace for Crowd {
        async fn list(&self, _: &WorkspacePath) -> Result<Vec<Entry>, WorkspaceError> {
            let file = |n: usize| Entry { name: format!("{n:06}"), kind: EntryKind::File };
            Ok((0..MOST_ENTRIES + 1).map(file).collect())
        }

        async fn read(&self, _: &WorkspacePath, _: Range<u64>) -> Result<Piece, WorkspaceError> {
            Err(WorkspaceError::NotFound)
        }
    }

    #[test]
    fn ends_early_where_there_are_too_many() {
        block_on(async {
            let mut walk = Walk::of(&Crowd, &WorkspacePath::root()).await.unwrap();
            let mut files = 0;
            while walk.next().await.is_some() {
                files += 1;
            }
            assert_eq!((files, walk.is_cut_short()), (MOST_ENTRIES, true));
        });
    }
}
