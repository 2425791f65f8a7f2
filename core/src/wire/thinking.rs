//! Thinking that a server left in the text, between `<think>` and `</think>`, told apart as it streams.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Where in an answer we are.
#[derive(Debug, Clone, Default)]
enum State {
    /// Nothing but blanks so far: only here a tag opens.
    #[default]
    Start,
    Thinking,
    /// The tag has closed, and nothing but blanks since.
    AfterThinking,
    Text,
}

/// Tells thinking from text. What may be the start of a tag is held back until it is sure.
#[derive(Debug, Clone, Default)]
pub(super) struct ThinkingTags {
    state: State,
    held: String,
}

/// A stretch of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Thinking(String),
    Text(String),
}

impl ThinkingTags {
    /// The next stretch of the answer, in the parts that are sure.
    pub(super) fn push(&mut self, text: &str) -> Vec<Part> {
        self.held.push_str(text);
        let mut parts = Vec::new();
        loop {
            match self.state {
                State::Start => {
                    let trimmed = self.held.trim_start();
                    if let Some(rest) = trimmed.strip_prefix(OPEN) {
                        self.held = rest.to_owned();
                        self.state = State::Thinking;
                    } else if OPEN.starts_with(trimmed) {
                        return parts;
                    } else {
                        self.state = State::Text;
                    }
                }
                State::Thinking => {
                    if let Some((thinking, rest)) = self.held.split_once(CLOSE) {
                        let (thinking, rest) = (thinking.to_owned(), rest.to_owned());
                        push_some(&mut parts, Part::Thinking(thinking));
                        self.held = rest;
                        self.state = State::AfterThinking;
                    } else {
                        let sure = self.held.len() - longest_start_of_close(&self.held);
                        let held = self.held.split_off(sure);
                        push_some(&mut parts, Part::Thinking(std::mem::replace(&mut self.held, held)));
                        return parts;
                    }
                }
                State::AfterThinking => {
                    self.held = self.held.trim_start().to_owned();
                    if self.held.is_empty() {
                        return parts;
                    }
                    self.state = State::Text;
                }
                State::Text => {
                    push_some(&mut parts, Part::Text(std::mem::take(&mut self.held)));
                    return parts;
                }
            }
        }
    }

    /// The answer has ended: what was held back was no tag.
    pub(super) fn finish(&mut self) -> Vec<Part> {
        let held = std::mem::take(&mut self.held);
        let part = match self.state {
            State::Thinking => Part::Thinking(held),
            State::Start | State::AfterThinking | State::Text => Part::Text(held),
        };
        let mut parts = Vec::new();
        push_some(&mut parts, part);
        parts
    }
}

fn push_some(parts: &mut Vec<Part>, part: Part) {
    match &part {
        Part::Thinking(text) | Part::Text(text) if text.is_empty() => {}
        Part::Thinking(_) | Part::Text(_) => parts.push(part),
    }
}

/// How many bytes at the end of `text` may be the start of the closing tag.
fn longest_start_of_close(text: &str) -> usize {
    (1..CLOSE.len()).rev().find(|&len| text.ends_with(CLOSE.get(..len).unwrap_or(CLOSE))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn told_apart(pieces: &[&str]) -> (String, String) {
        let mut tags = ThinkingTags::default();
        let mut parts: Vec<Part> = pieces.iter().flat_map(|piece| tags.push(piece)).collect();
        parts.extend(tags.finish());
        let mut told = (String::new(), String::new());
        for part in parts {
            match part {
                Part::Thinking(text) => told.0.push_str(&text),
                Part::Text(text) => told.1.push_str(&text),
            }
        }
        told
    }

    #[test]
    fn only_a_tag_at_the_start_opens() {
        let told = |pieces: &[&str]| told_apart(pieces);
        assert_eq!(told(&["\n<think>hm</think>\n\nYes."]), ("hm".into(), "Yes.".into()));
        assert_eq!(told(&["Use <think> to think."]), (String::new(), "Use <think> to think.".into()));
        assert_eq!(told(&["<thi"]), (String::new(), "<thi".into()));
        assert_eq!(told(&["<think>for ever </thin"]), ("for ever </thin".into(), String::new()));
    }

    proptest! {
        #[test]
        fn any_split_tells_the_same(text in "( ?<think>)?[a-z<>/ ]{0,12}(</think>)?[a-zé ]{0,8}", at in 0..30usize) {
            let at = text.floor_char_boundary(at.min(text.len()));
            let (head, tail) = text.split_at(at);
            prop_assert_eq!(told_apart(&[&text]), told_apart(&[head, tail]));
        }
    }
}
