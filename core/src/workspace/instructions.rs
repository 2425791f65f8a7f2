//! What a project wants an assistant to know: `AGENTS.md` at its root.

use super::{Workspace, WorkspacePath};

/// How much of it is taken, in bytes: about 4,000 tokens, and they are paid on every turn.
const MOST_BYTES: u64 = 16 * 1024;

/// The text of `AGENTS.md` at the root of the workspace, or `None` if there is none, it is blank, or it is no text.
///
/// What is longer than 16 KiB is cut, with a note at the end that says so.
pub async fn project_instructions(workspace: &impl Workspace) -> Option<String> {
    let file = WorkspacePath::root().join("AGENTS.md")?;
    let piece = workspace.read(&file, 0..MOST_BYTES).await.ok()?;
    let text = match std::str::from_utf8(&piece.bytes) {
        Ok(text) => text,
        // Cut within a character by the limit.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(piece.bytes.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.contains('\0') {
        return None;
    }
    if piece.size <= MOST_BYTES {
        return Some(text.to_owned());
    }
    let size = piece.size;
    Some(format!(
        "{text}\n\n[AGENTS.md has {size} bytes; only the first {MOST_BYTES} are given here. Read shows it all.]"
    ))
}

#[cfg(test)]
mod tests {
    use super::super::MemoryWorkspace;
    use super::*;
    use pollster::block_on;

    fn instructions(bytes: impl Into<Vec<u8>>) -> Option<String> {
        block_on(project_instructions(&MemoryWorkspace::default().with("AGENTS.md", bytes)))
    }

    #[test]
    fn are_taken_when_they_say_anything() {
        assert_eq!(instructions("\u{feff}Use tabs.\n\n"), Some("Use tabs.".to_owned()));
        assert_eq!(instructions(" \n\t\n"), None);
        assert_eq!(instructions(""), None);
        assert_eq!(instructions(b"\x89PNG\0"), None);
        assert_eq!(block_on(project_instructions(&MemoryWorkspace::default())), None);
        let elsewhere = MemoryWorkspace::default().with("docs/AGENTS.md", "Use tabs.");
        assert_eq!(block_on(project_instructions(&elsewhere)), None);
    }

    #[test]
    fn are_cut_when_they_are_long() {
        // The limit falls within the last `é` that would have been taken.
        let text = format!("a{}", "é".repeat(8_200));
        let expected = format!(
            "a{}\n\n[AGENTS.md has 16401 bytes; only the first 16384 are given here. Read shows it all.]",
            "é".repeat(8_191)
        );
        assert_eq!(instructions(text), Some(expected));
    }
}
