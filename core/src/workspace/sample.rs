//! A small project to ask about before any folder is opened: a tide table for invented harbours.
//!
//! Its files are of clearly different lengths, so that *which file under `src/` is the longest?* has one right answer,
//! and together they don't fit a window of 4,096 tokens. It is a program that runs; what it does is told by its README.

use super::MemoryWorkspace;

/// Path in the workspace, and content. The rules have another name in our own tree, where git would follow them.
const FILES: [(&str, &str); 14] = [
    (".gitignore", include_str!("../../sample/gitignore")),
    ("AGENTS.md", include_str!("../../sample/AGENTS.md")),
    ("README.md", include_str!("../../sample/README.md")),
    ("build/port-marram-2026-06.cache", include_str!("../../sample/build/port-marram-2026-06.cache")),
    ("data/harbours.csv", include_str!("../../sample/data/harbours.csv")),
    ("docs/reading-a-tide-table.md", include_str!("../../sample/docs/reading-a-tide-table.md")),
    ("src/cli.py", include_str!("../../sample/src/cli.py")),
    ("src/constituents.py", include_str!("../../sample/src/constituents.py")),
    ("src/harbours.py", include_str!("../../sample/src/harbours.py")),
    ("src/moon.py", include_str!("../../sample/src/moon.py")),
    ("src/predict.py", include_str!("../../sample/src/predict.py")),
    ("src/report.py", include_str!("../../sample/src/report.py")),
    ("src/units.py", include_str!("../../sample/src/units.py")),
    ("src/weather.py", include_str!("../../sample/src/weather.py")),
];

/// The bundled project.
pub fn sample_workspace() -> MemoryWorkspace {
    FILES.iter().fold(MemoryWorkspace::default(), |workspace, (path, text)| workspace.with(path, *text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolCall;
    use crate::tools::{self, ToolOutcome};
    use crate::workspace::project_instructions;
    use pollster::block_on;

    fn run(name: &str, arguments: &str) -> ToolOutcome {
        let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
        block_on(tools::run(&call, &sample_workspace()))
    }

    #[test]
    fn the_longest_file_is_the_longest_however_it_is_measured() {
        let mut by_lines: Vec<(usize, usize, &str)> = FILES
            .iter()
            .filter(|(path, _)| path.starts_with("src/"))
            .map(|(path, text)| (text.lines().count(), text.len(), *path))
            .collect();
        by_lines.sort_unstable();
        let names: Vec<&str> = by_lines.iter().map(|(_, _, path)| *path).collect();
        assert_eq!(
            names,
            [
                "src/units.py",
                "src/moon.py",
                "src/harbours.py",
                "src/constituents.py",
                "src/weather.py",
                "src/report.py",
                "src/cli.py",
                "src/predict.py"
            ]
        );
        for pair in by_lines.windows(2) {
            let [(lines, bytes, _), (more_lines, more_bytes, longer)] = pair else { unreachable!() };
            assert!(lines * 21 < more_lines * 20 && bytes * 21 < more_bytes * 20, "{longer}: {by_lines:?}");
        }
    }

    #[test]
    fn it_does_not_fit_a_small_window() {
        let bytes: usize = FILES.iter().map(|(_, text)| text.len()).sum();
        // Three to five bytes a token, whatever the vocabulary: more than 4,096 tokens, fewer than 16,000.
        assert!((24_000..40_000).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_model_finds_what_it_is_asked_to_read_and_nothing_that_was_built() {
        let expected = "src/cli.py\nsrc/constituents.py\nsrc/harbours.py\nsrc/moon.py\nsrc/predict.py\nsrc/report.py\n\
                        src/units.py\nsrc/weather.py\n";
        assert_eq!(
            run("Glob", r#"{"pattern": "src/*"}"#),
            ToolOutcome { text: expected.into(), is_error: false }
        );
        assert!(run("Glob", r#"{"pattern": "*.cache"}"#).text.starts_with("[No file matches"));
        for (path, text) in FILES {
            let shown = run("Read", &format!(r#"{{"path": "{path}"}}"#));
            let numbered: String =
                text.lines().enumerate().map(|(at, line)| format!("{}\t{line}\n", at + 1)).collect();
            assert_eq!(shown, ToolOutcome { text: numbered, is_error: false });
        }
        assert!(
            block_on(project_instructions(&sample_workspace())).is_some_and(|text| text.starts_with("# For"))
        );
    }
}
