//! A path that cannot leave the workspace.

use std::fmt;
use std::str::FromStr;

/// Where something is in a workspace: names with `/` between them, from the workspace's root on. The root is the empty
/// path.
///
/// No name in it is empty, `.` or `..`, or holds a `/` or a NUL: however it was made, it stays inside.
///
/// It is displayed so that a name cannot break a line or turn the text around: such characters are shown as `<U+000A>`.
/// What is displayed can be parsed again, so a model can ask for a file by the name that it was shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkspacePath(String);

/// Why a text is no path within a workspace. The message is for the model: it says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Nothing is in it.
    #[error("the path is empty; `.` is the workspace itself")]
    Empty,
    /// It starts at the root of a machine.
    #[error("paths are relative to the workspace; try `{relative}`")]
    Absolute {
        /// The same path, if the workspace were the machine's root.
        relative: String,
    },
    /// It goes up by `..`, past the workspace.
    #[error("`..` leaves the workspace; only what is inside can be looked at")]
    Leaves,
    /// A NUL is in it: no file has one in its name.
    #[error("a path can't hold a NUL character")]
    Nul,
}

impl WorkspacePath {
    /// The workspace itself.
    pub fn root() -> Self {
        Self(String::new())
    }

    /// Takes a path as a model writes it: `./src//lib.rs`, `src\lib.rs`, `src/../README.md`, ` src/ `.
    ///
    /// # Errors
    ///
    /// Where the text is empty, absolute (`/etc/passwd`, `C:\x`, `file:///x`), or leaves the workspace.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        // Before the characters that are spelled out are put back: what was `<U+005C>` separates nothing.
        let text = text.replace('\\', "/");
        if let Some(rest) = after_machine_root(&text) {
            let relative = Self::inside(rest)?;
            let relative = if relative.is_root() { ".".to_owned() } else { relative.to_string() };
            return Err(PathError::Absolute { relative });
        }
        Self::inside(&text)
    }

    /// Goes down the names of a relative path, and up where it says `..`.
    fn inside(text: &str) -> Result<Self, PathError> {
        let mut names: Vec<String> = Vec::new();
        for name in text.split('/').map(unescape) {
            match name.as_str() {
                "" | "." => {}
                ".." => {
                    names.pop().ok_or(PathError::Leaves)?;
                }
                _ => names.push(name),
            }
        }
        if names.iter().any(|name| name.contains('\0')) {
            return Err(PathError::Nul);
        }
        Ok(Self(names.join("/")))
    }

    /// The entry of that name in this folder, or `None` if no entry can have that name: it is empty, `.`, `..`, or
    /// holds a `/` or a NUL.
    pub fn join(&self, name: &str) -> Option<Self> {
        if matches!(name, "" | "." | "..") || name.contains(['/', '\0']) {
            return None;
        }
        Some(if self.is_root() { Self(name.to_owned()) } else { Self(format!("{}/{name}", self.0)) })
    }

    /// Whether it is the workspace itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, with `/` between them, exactly as the file system has them. For people and models there is `Display`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The names, from the root on. None for the root itself.
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|name| !name.is_empty())
    }

    /// The folder that it is in, or `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(self.0.rsplit_once('/').map_or_else(Self::root, |(folder, _)| Self(folder.to_owned())))
    }

    /// Its last name, or `None` for the root.
    pub fn name(&self) -> Option<&str> {
        self.names().next_back()
    }

    /// If it is below `folder`: its first name from there, and the rest after that.
    pub(crate) fn name_below(&self, folder: &Self) -> Option<(&str, &str)> {
        let below = match self.0.strip_prefix(folder.as_str())? {
            "" => return None,
            below if folder.is_root() => below,
            below => below.strip_prefix('/')?,
        };
        Some(below.split_once('/').unwrap_or((below, "")))
    }
}

impl FromStr for WorkspacePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

/// What comes after a start at the root of a machine: `/x`, `C:/x`, `file:///x`.
fn after_machine_root(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    match bytes {
        [b'/', ..] => text.get(1..),
        [letter, b':'] | [letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => text.get(2..),
        _ => text.strip_prefix("file://"),
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return formatter.write_str(".");
        }
        let last = self.0.char_indices().next_back().map_or(0, |(at, _)| at);
        for (at, character) in self.0.char_indices() {
            // Blanks at the ends would be trimmed, and `C:` taken for a drive, when it is parsed again.
            let at_end = (at == 0 || at == last) && character.is_whitespace();
            let drive = character == ':' && after_machine_root(&self.0).is_some();
            let looks_escaped =
                character == '<' && self.0.get(at..).is_some_and(|rest| escaped(rest).is_some());
            if is_hidden_or_misleading(character) || at_end || (drive && at == 1) || looks_escaped {
                write!(formatter, "<U+{:04X}>", u32::from(character))?;
            } else {
                write!(formatter, "{character}")?;
            }
        }
        Ok(())
    }
}

/// Whether a character in a name would break the line, turn the text around, be invisible, or be taken for a separator.
fn is_hidden_or_misleading(character: char) -> bool {
    character.is_control()
        || matches!(character, '\\' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}

/// The character that `<U+000A>` at the start of `text` spells, and what comes after it.
fn escaped(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = text.strip_prefix("<U+")?.split_once('>')?;
    let is_code = (4..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| is_code)?)?;
    // A separator spelled out is still none: it would make two names of one.
    (character != '/').then_some((character, rest))
}

/// Puts back the characters that `Display` spelled out.
fn unescape(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(start) = rest.find("<U+") {
        let (before, from) = rest.split_at(start);
        plain.push_str(before);
        rest = match escaped(from) {
            Some((character, after)) => {
                plain.push(character);
                after
            }
            None => {
                plain.push('<');
                from.get(1..).unwrap_or_default()
            }
        };
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Result<String, PathError> {
        WorkspacePath::parse(text).map(|path| path.as_str().to_owned())
    }

    #[test]
    fn takes_paths_as_models_write_them() {
        let ways = [
            ("src/lib.rs", "src/lib.rs"),
            ("./src//lib.rs", "src/lib.rs"),
            (" src/lib.rs\n", "src/lib.rs"),
            (r"src\lib.rs", "src/lib.rs"),
            (r".\src\", "src"),
            ("src/../README.md", "README.md"),
            ("src/x/../../a b/é😀.md", "a b/é😀.md"),
            (".", ""),
            ("./", ""),
            ("...", "..."),
            ("..a/b..", "..a/b.."),
            ("a<U+000A>b", "a\nb"),
            ("a<U+>b", "a<U+>b"),
            ("a<U+002F>b", "a<U+002F>b"),
        ];
        for (text, path) in ways {
            assert_eq!(parsed(text), Ok(path.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn says_what_to_change_about_the_others() {
        let absolute = |relative: &str| PathError::Absolute { relative: relative.to_owned() };
        let ways = [
            ("", PathError::Empty),
            (" \t", PathError::Empty),
            ("/", absolute(".")),
            ("/src/lib.rs", absolute("src/lib.rs")),
            (r"C:\src\lib.rs", absolute("src/lib.rs")),
            ("c:", absolute(".")),
            (r"\\server\share", absolute("server/share")),
            ("file:///home/me", absolute("home/me")),
            ("/../etc/passwd", PathError::Leaves),
            ("..", PathError::Leaves),
            ("src/../..", PathError::Leaves),
            (r"src\..\..\x", PathError::Leaves),
            // Dots that are spelled out are dots all the same.
            ("<U+002E>./x", PathError::Leaves),
            ("a\0b", PathError::Nul),
            ("a<U+0000>b", PathError::Nul),
        ];
        for (text, error) in ways {
            assert_eq!(parsed(text), Err(error), "{text:?}");
        }
        assert_eq!(
            parsed("/src/lib.rs").unwrap_err().to_string(),
            "paths are relative to the workspace; try `src/lib.rs`"
        );
    }

    #[test]
    fn names_that_would_mislead_are_spelled_out() {
        let shown = |name: &str| WorkspacePath::root().join(name).unwrap().to_string();
        assert_eq!(shown("two\nlines.txt"), "two<U+000A>lines.txt");
        assert_eq!(shown("exe.\u{202e}txt"), "exe.<U+202E>txt");
        assert_eq!(shown(" a b "), "<U+0020>a b<U+0020>");
        assert_eq!(shown("a\\b"), "a<U+005C>b");
        assert_eq!(shown("<U+000A>"), "<U+003C>U+000A>");
        assert_eq!(shown("C:"), "C<U+003A>");
        assert_eq!(shown("👨‍👩‍👧 ملف.md"), "👨‍👩‍👧 ملف.md");
        assert_eq!(WorkspacePath::root().to_string(), ".");
    }

    #[test]
    fn knows_its_folder_and_its_name() {
        let path = WorkspacePath::parse("a/b/c").unwrap();
        assert_eq!(path.parent(), Some(WorkspacePath("a/b".into())));
        assert_eq!(path.name(), Some("c"));
        assert_eq!(path.name_below(&WorkspacePath("a".into())), Some(("b", "c")));
        assert_eq!(path.name_below(&WorkspacePath("a/b".into())), Some(("c", "")));
        assert_eq!(path.name_below(&path), None);
        assert_eq!(WorkspacePath("ab/c".into()).name_below(&WorkspacePath("a".into())), None);
        assert_eq!(WorkspacePath::root().parent(), None);
        assert_eq!(WorkspacePath::root().name(), None);
    }

    fn path_like() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("..".to_owned()),
            Just(".".to_owned()),
            Just("/".to_owned()),
            Just("\\".to_owned()),
            Just("C:".to_owned()),
            Just("<U+002E>".to_owned()),
            Just("<U+002F>".to_owned()),
            Just("<U+".to_owned()),
            any::<String>(),
            "[a-c ]{1,2}",
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn never_leaves_the_workspace(text in path_like()) {
            if let Ok(path) = WorkspacePath::parse(&text) {
                prop_assert!(!path.as_str().starts_with('/'));
                prop_assert!(!path.as_str().contains('\0'));
                if !path.is_root() {
                    for name in path.as_str().split('/') {
                        prop_assert!(!matches!(name, "" | "." | ".."), "{:?}", path);
                    }
                }
            }
        }

        #[test]
        fn what_is_shown_can_be_asked_for(names in prop::collection::vec(any::<String>(), 1..4)) {
            let path = names.iter().try_fold(WorkspacePath::root(), |path, name| path.join(name));
            if let Some(path) = path {
                let shown = path.to_string();
                prop_assert!(!shown.contains(|character: char| character.is_control()));
                prop_assert_eq!(WorkspacePath::parse(&shown), Ok(path));
            }
        }
    }
}
