//! Go's `text/template`, as far as a walk over the messages needs it.

use super::{Piece, Template};

/// A piece of the template's text.
#[derive(Debug, PartialEq)]
enum Part<'a> {
    Text(&'a str),
    Action(&'a str),
}

/// Reads a template that writes the same for each message, with its role and content, and something before and after.
pub(super) fn parse(text: &str) -> Option<Template> {
    let mut parts = parts(text)?.into_iter();
    let mut before = String::new();
    loop {
        match parts.next()? {
            Part::Text(text) => before.push_str(text),
            Part::Action(action) if is_walk(action) => break,
            Part::Action(_) => return None,
        }
    }
    let mut message = Vec::new();
    loop {
        message.push(match parts.next()? {
            Part::Text(text) => Piece::Text(text.to_owned()),
            Part::Action(".Role") => Piece::Role,
            Part::Action(".Content") => Piece::Content,
            Part::Action("end") => break,
            Part::Action(_) => return None,
        });
    }
    let mut after = String::new();
    for part in parts {
        match part {
            Part::Text(text) => after.push_str(text),
            Part::Action(_) => return None,
        }
    }
    message.contains(&Piece::Content).then_some(Template { before, message, after })
}

/// `range .Messages`, or the same with names for index and message.
fn is_walk(action: &str) -> bool {
    let Some(walk) = action.strip_prefix("range ") else { return false };
    let over = match walk.split_once(":=") {
        None => walk,
        Some((names, over)) => {
            let is_name = |name: &str| {
                let name = name.trim().strip_prefix('$');
                name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
            };
            if !names.split(',').all(is_name) {
                return false;
            }
            over
        }
    };
    over.trim() == ".Messages"
}

/// Cuts a template into its parts. A dash at an action's edge trims the text on that side.
fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut trims = false;
    while let Some((before, opened)) = rest.split_once("{{") {
        let (action, after) = opened.split_once("}}")?;
        let (before, action) = match action.strip_prefix('-').filter(|action| action.starts_with(blank)) {
            Some(action) => (before.trim_end_matches(blank), action),
            None => (before, action),
        };
        push(&mut parts, before, trims);
        let cut = action.strip_suffix('-').filter(|action| action.ends_with(blank));
        trims = cut.is_some();
        parts.push(Part::Action(cut.unwrap_or(action).trim_matches(blank)));
        rest = after;
    }
    push(&mut parts, rest, trims);
    Some(parts)
}

fn push<'a>(parts: &mut Vec<Part<'a>>, text: &'a str, trims: bool) {
    let text = if trims { text.trim_start_matches(blank) } else { text };
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
}

/// What Go trims.
fn blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dashes_trim_the_text_beside_them() {
        assert_eq!(
            parts("a \n{{- x }} b {{ y -}}\n c{{-3}}"),
            Some(vec![
                Part::Text("a"),
                Part::Action("x"),
                Part::Text(" b "),
                Part::Action("y"),
                Part::Text("c"),
                Part::Action("-3"),
            ])
        );
        assert_eq!(parts("{{ never closed"), None);
    }

    #[test]
    fn any_marks_will_do() {
        let template = parse(
            "<s>{{ range $_, $m := .Messages -}}\n<|{{ .Role }}|>{{ .Content }}</s>{{ end }}<|assistant|>",
        );
        let text = |text: &str| Piece::Text(text.to_owned());
        let message = vec![text("<|"), Piece::Role, text("|>"), Piece::Content, text("</s>")];
        let expected = Template { before: "<s>".into(), message, after: "<|assistant|>".into() };
        assert_eq!(template, Some(expected));
    }

    #[test]
    fn a_template_that_does_more_is_refused() {
        for template in [
            "",
            "{{ .Prompt }}",
            "{{ range .Messages }}{{ .Role }}{{ end }}",
            "{{ range .Messages }}{{ .Content }}",
            "{{ range .Messages }}{{ if .Content }}{{ .Content }}{{ end }}{{ end }}",
            "{{ range .Messages }}{{ .Content }}{{ end }}{{ .Response }}",
            "{{ range .Tools }}{{ .Content }}{{ end }}",
            "{{ range slice .Messages 1 }}{{ .Content }}{{ end }}",
        ] {
            assert_eq!(parse(template), None, "{template}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(\\{\\{|\\}\\}|-| |\\.Content|range \\.Messages|end|x|ñ){0,20}") {
            let _ = parse(&text);
        }
    }
}
