//! Which entries of a workspace are left out of searches: what `.gitignore` files say, and `.git` itself.
//!
//! How a line of such a file is understood is the `ignore` crate's matter. Here is only which file speaks for which
//! entry: the one nearest to it that says anything at all, as git has it.

use super::WorkspacePath;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::rc::Rc;

/// The name of the files with the rules.
pub(super) const RULES_FILE: &str = ".gitignore";

/// How much of such a file is read, in bytes. Real ones have a few kilobytes.
pub(super) const MOST_RULES_BYTES: u64 = 256 * 1024;

/// The rules that hold in a folder: its own, and those of the folders around it.
#[derive(Debug, Clone, Default)]
pub(super) struct IgnoreRules(Option<Rc<Layer>>);

#[derive(Debug)]
struct Layer {
    folder: WorkspacePath,
    matcher: Gitignore,
    outer: IgnoreRules,
}

impl IgnoreRules {
    /// The same with the rules of `folder`'s own file on top. Lines that are no rule are passed over, as git does.
    pub(super) fn with(&self, folder: &WorkspacePath, file: &[u8]) -> Self {
        // With `.` as its root the matcher takes paths as they are, relative to the folder.
        let mut builder = GitignoreBuilder::new(".");
        for line in String::from_utf8_lossy(file).trim_start_matches('\u{feff}').lines() {
            // What it returns is that the line is no rule.
            let _ = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(matcher) if !matcher.is_empty() => {
                Self(Some(Rc::new(Layer { folder: folder.clone(), matcher, outer: self.clone() })))
            }
            Ok(_) | Err(_) => self.clone(),
        }
    }

    /// Whether searches leave this entry out.
    pub(super) fn leave_out(&self, path: &WorkspacePath, is_folder: bool) -> bool {
        if path.name() == Some(".git") {
            return true;
        }
        let mut rules = self;
        while let Some(layer) = &rules.0 {
            let below = match layer.folder.is_root() {
                true => path.as_str(),
                false => path.as_str().strip_prefix(layer.folder.as_str()).unwrap_or_default(),
            };
            match layer.matcher.matched(below.trim_start_matches('/'), is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => rules = &layer.outer,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::parse(text).unwrap()
    }

    #[test]
    fn the_nearest_rule_decides() {
        let outer = IgnoreRules::default()
            .with(&WorkspacePath::root(), b"# made\r\n*.log\r\n/build/\n[broken\n!keep.log\n");
        let inner = outer.with(&path("a"), b"!*.log\nsecret.*\n");
        let left_out = |rules: &IgnoreRules, file: &str| rules.leave_out(&path(file), false);
        assert!(left_out(&outer, "x.log"));
        assert!(left_out(&outer, "deep/er/x.log"));
        assert!(!left_out(&outer, "keep.log"));
        assert!(!left_out(&outer, "build"), "the rule is for folders");
        assert!(outer.leave_out(&path("build"), true));
        assert!(!outer.leave_out(&path("a/build"), true), "the rule is for the root");
        assert!(!left_out(&inner, "a/x.log"));
        assert!(left_out(&inner, "a/b/secret.txt"));
        assert!(!left_out(&inner, "a/plain.txt"));
    }

    #[test]
    fn git_itself_is_always_left_out() {
        let rules = IgnoreRules::default().with(&WorkspacePath::root(), b"!.git\n");
        assert!(rules.leave_out(&path(".git"), true));
        assert!(rules.leave_out(&path("module/.git"), false));
        assert!(!rules.leave_out(&path(".github"), true));
    }
}
