//! Which files a pattern such as `src/**/*.rs` means.

use super::text::quoted;
use crate::workspace::WorkspacePath;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The longest pattern that is tried, in bytes. It bounds what a pattern can cost to prepare.
const MOST_PATTERN_BYTES: usize = 1_000;

/// A pattern for paths of files. `*` stays within a folder, `**` does not; without a `/` it means the file's name, in
/// whatever folder.
#[derive(Debug)]
pub(super) struct PathPattern {
    set: GlobSet,
}

impl PathPattern {
    /// Takes a pattern as a model writes it, or says what to change about it.
    pub(super) fn parse(written: &str) -> Result<Self, String> {
        let refuse = |why: &str| {
            Err(format!(
                "The pattern `{}` can't be used: {why}. Patterns look like src/**/*.rs or *.md.",
                quoted(written)
            ))
        };
        if written.len() > MOST_PATTERN_BYTES {
            return refuse("it is too long");
        }
        let pattern = written.trim().trim_start_matches("./");
        if pattern.starts_with('/') {
            return refuse("it starts with `/`, and paths are relative to the workspace");
        }
        if pattern.split('/').any(|name| name == "..") {
            return refuse("`..` leaves the workspace");
        }
        let pattern = match pattern {
            "" | "." => "**".to_owned(),
            folder if folder.ends_with('/') => format!("{folder}**"),
            name if !name.contains('/') => format!("**/{name}"),
            path => path.to_owned(),
        };
        let glob = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .backslash_escape(true)
            .empty_alternates(true)
            .build();
        // One glob alone would panic where its expression is too large; a set of them says so.
        match glob.and_then(|glob| GlobSetBuilder::new().add(glob).build()) {
            Ok(set) => Ok(Self { set }),
            Err(error) => refuse(&quoted(&error.kind().to_string())),
        }
    }

    /// Whether it means this file. It is read as relative to `folder`; models that name the folder a second time in the
    /// pattern are understood too.
    pub(super) fn means(&self, file: &WorkspacePath, folder: &WorkspacePath) -> bool {
        let below = file.as_str().strip_prefix(folder.as_str()).unwrap_or_default().trim_start_matches('/');
        self.set.is_match(below) || self.set.is_match(file.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meant(pattern: &str, folder: &str) -> Vec<&'static str> {
        let files = ["README.md", "src/main.rs", "src/io/main.rs", "src/io/a b.md", "docs/index.md"];
        let pattern = PathPattern::parse(pattern).unwrap();
        let folder = WorkspacePath::parse(folder).unwrap();
        let is_meant = |file: &&str| pattern.means(&WorkspacePath::parse(file).unwrap(), &folder);
        files.into_iter().filter(is_meant).collect()
    }

    #[test]
    fn a_name_is_looked_for_in_every_folder_and_a_path_only_where_it_says() {
        assert_eq!(meant("*.md", "."), ["README.md", "src/io/a b.md", "docs/index.md"]);
        assert_eq!(meant("main.rs", "."), ["src/main.rs", "src/io/main.rs"]);
        assert_eq!(meant("src/*.rs", "."), ["src/main.rs"]);
        assert_eq!(meant("./src/**/*.rs", "."), ["src/main.rs", "src/io/main.rs"]);
        assert_eq!(meant("src/", "."), ["src/main.rs", "src/io/main.rs", "src/io/a b.md"]);
        assert_eq!(meant("{docs,src}/*.{md,rs}", "."), ["src/main.rs", "docs/index.md"]);
        assert_eq!(meant("**", "."), meant(".", "."));
        assert_eq!(meant("src", "."), Vec::<&str>::new());
    }

    #[test]
    fn is_relative_to_the_folder_and_forgives_its_name_in_front() {
        assert_eq!(meant("io/*", "src"), ["src/io/main.rs", "src/io/a b.md"]);
        assert_eq!(meant("src/*.rs", "src"), ["src/main.rs"]);
    }

    #[test]
    fn says_what_is_wrong() {
        let refused = |pattern: &str| PathPattern::parse(pattern).unwrap_err();
        let form = "Patterns look like src/**/*.rs or *.md.";
        assert_eq!(
            refused("/etc/*"),
            format!(
                "The pattern `/etc/*` can't be used: it starts with `/`, and paths are relative to the workspace. {form}"
            )
        );
        assert_eq!(
            refused("a/../../b"),
            format!("The pattern `a/../../b` can't be used: `..` leaves the workspace. {form}")
        );
        assert_eq!(
            refused("[a"),
            format!("The pattern `[a` can't be used: unclosed character class; missing ']'. {form}")
        );
        // So deeply nested that a single glob would panic.
        assert!(PathPattern::parse(&format!("a/{}{}", "{b,".repeat(300), "}".repeat(300))).is_err());
    }

    proptest! {
        #[test]
        fn never_panics(pattern in any::<String>(), wild in "[ab*?{},!/.\\[\\]\\\\-]{0,40}", file in "[ab/]{1,9}b") {
            for pattern in [pattern, wild] {
                if let (Ok(pattern), Ok(file)) = (PathPattern::parse(&pattern), WorkspacePath::parse(&file)) {
                    pattern.means(&file, &WorkspacePath::root());
                }
            }
        }
    }
}
