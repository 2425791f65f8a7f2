//! Tool calls that a model wrote as text.
//!
//! Small models, and servers that don't know a model's format, leave calls in the content: as bare JSON, in a code
//! fence, or between `<tool_call>` tags. Only what names a tool that was offered is a call; JSON that merely has a
//! `name` stays text. What clearly meant to be a call and is broken becomes a call with broken arguments, so that the
//! model is told what to change.

use super::answer::name_calls;
use super::reply::{Finish, Reply};
use crate::conversation::{ToolCall, ToolSpec};
use serde_json::Value;

const OPEN_TAG: &str = "<tool_call>";
const CLOSE_TAG: &str = "</tool_call>";

/// Takes the calls out of the text of a reply that has none. Text around them stays.
pub fn take_textual_calls(mut reply: Reply, tools: &[ToolSpec]) -> Reply {
    if !reply.calls.is_empty() || tools.is_empty() {
        return reply;
    }
    let found = tagged(&reply.text, tools)
        .or_else(|| fenced(&reply.text, tools))
        .or_else(|| bare(&reply.text, tools));
    if let Some(Found { text, mut calls }) = found {
        name_calls(&mut calls);
        reply.text = text.trim().to_owned();
        reply.calls = calls;
        if reply.finish == Finish::Stop {
            reply.finish = Finish::ToolCalls;
        }
    }
    reply
}

/// Calls, and the text that is left without them.
struct Found {
    text: String,
    calls: Vec<ToolCall>,
}

/// Calls between tags; the last tag need not be closed.
fn tagged(text: &str, tools: &[ToolSpec]) -> Option<Found> {
    let mut found = Found { text: String::new(), calls: Vec::new() };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN_TAG) {
        let (inside, after) = after.split_once(CLOSE_TAG).unwrap_or((after, ""));
        found.text.push_str(before);
        // The tag itself says that a call was meant.
        match calls_in(inside, tools).or_else(|| broken_call(inside, tools).map(|call| vec![call])) {
            Some(calls) => found.calls.extend(calls),
            None => found.text.push_str(inside),
        }
        rest = after;
    }
    found.text.push_str(rest);
    (!found.calls.is_empty()).then_some(found)
}

/// Calls in code fences. A fence that holds anything else stays where it is.
fn fenced(text: &str, tools: &[ToolSpec]) -> Option<Found> {
    let mut found = Found { text: String::new(), calls: Vec::new() };
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```") {
        let (inside, after) = after.split_once("```").unwrap_or((after, ""));
        let content = inside.split_once('\n').map_or(inside, |(language, content)| {
            if language.trim_start().starts_with(['{', '[']) { inside } else { content }
        });
        found.text.push_str(before);
        match calls_in(content, tools).or_else(|| broken_call(content, tools).map(|call| vec![call])) {
            Some(calls) => found.calls.extend(calls),
            None => {
                let taken = rest.len() - before.len() - after.len();
                found.text.push_str(rest.get(before.len()..before.len() + taken).unwrap_or_default());
            }
        }
        rest = after;
    }
    found.text.push_str(rest);
    (!found.calls.is_empty()).then_some(found)
}

/// Calls as bare JSON: the text is nothing else, or ends with it. JSON in the middle of an explanation is a quotation.
fn bare(text: &str, tools: &[ToolSpec]) -> Option<Found> {
    let starts = text.char_indices().filter(|&(at, c)| {
        (c == '{' || c == '[')
            && text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    });
    for (at, _) in starts {
        let (before, json) = text.split_at(at);
        let calls = calls_in(json, tools).or_else(|| {
            before.trim().is_empty().then(|| broken_call(json, tools).map(|call| vec![call])).flatten()
        });
        if let Some(calls) = calls {
            return Some(Found { text: before.to_owned(), calls });
        }
    }
    None
}

/// All of a text as calls: one JSON value or several in a row, each a call or a list of calls.
fn calls_in(text: &str, tools: &[ToolSpec]) -> Option<Vec<ToolCall>> {
    let mut calls = Vec::new();
    // Some models put a semicolon or a comma between calls.
    let separated = text.trim().trim_end_matches([';', ',']);
    for value in serde_json::Deserializer::from_str(separated).into_iter::<Value>() {
        let value = value.ok()?;
        for value in value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice) {
            calls.push(call_of(value, tools)?);
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// A JSON object as a call, if it names one of the tools and has arguments or nothing else.
fn call_of(value: &Value, tools: &[ToolSpec]) -> Option<ToolCall> {
    let object = value.as_object()?;
    // `{"type": "function", "function": {…}}`, as the wire itself has it.
    if let Some(inner @ Value::Object(_)) = object.get("function") {
        return call_of(inner, tools);
    }
    let name = ["name", "tool", "tool_name", "function"].iter().find_map(|key| object.get(*key)?.as_str())?;
    let tool = tools.iter().find(|tool| tool.name.eq_ignore_ascii_case(name.trim()))?;
    let arguments = ["arguments", "parameters", "args", "input"].iter().find_map(|key| object.get(*key));
    let arguments = match arguments {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None if object.len() == 1 => "{}".into(),
        None => return None,
    };
    Some(ToolCall { id: String::new(), name: tool.name.clone(), arguments })
}

/// A text that meant to be a call of one of the tools, and is no JSON.
fn broken_call(text: &str, tools: &[ToolSpec]) -> Option<ToolCall> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) || serde_json::from_str::<Value>(text).is_ok() {
        return None;
    }
    let (_, after) = text.split_once("\"name\"").or_else(|| text.split_once("name"))?;
    let name = after.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())?;
    let tool = tools.iter().find(|tool| tool.name.eq_ignore_ascii_case(name))?;
    let (_, arguments) = text.split_once("arguments").or_else(|| text.split_once("parameters"))?;
    let arguments = arguments.trim_start_matches(['"', '\'', ':', ' ']).to_owned();
    // Were they whole, the whole might have been too: they must stay what they are, broken.
    let arguments =
        if serde_json::from_str::<Value>(&arguments).is_ok() { text.to_owned() } else { arguments };
    Some(ToolCall { id: String::new(), name: tool.name.clone(), arguments })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Usage;
    use proptest::prelude::*;

    fn tools() -> Vec<ToolSpec> {
        ["Read", "Grep"]
            .map(|name| ToolSpec { name: name.into(), description: String::new(), parameters: Value::Null })
            .to_vec()
    }

    fn taken(text: &str) -> (String, Vec<(String, String)>) {
        let reply = Reply {
            thinking: String::new(),
            text: text.into(),
            calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
        };
        let reply = take_textual_calls(reply, &tools());
        (reply.text, reply.calls.into_iter().map(|call| (call.name, call.arguments)).collect())
    }

    #[test]
    fn calls_in_every_dress() {
        let read = vec![("Read".to_owned(), r#"{"path":"a.rs"}"#.to_owned())];
        let cases = [
            (r#"{"name":"Read","arguments":{"path":"a.rs"}}"#, ""),
            (r#"{"name":"read","parameters":"{\"path\":\"a.rs\"}"}"#, ""),
            (r#"[{"name":"READ","arguments":{"path":"a.rs"}}]"#, ""),
            ("I'll look.\n```json\n{\"name\":\"Read\",\"arguments\":{\"path\":\"a.rs\"}}\n```", "I'll look."),
            (
                "```\n{\"type\":\"function\",\"function\":{\"name\":\"Read\",\"arguments\":{\"path\":\"a.rs\"}}}\n```\nThen.",
                "Then.",
            ),
            ("<tool_call>\n{\"name\":\"Read\",\"arguments\":{\"path\":\"a.rs\"}}\n</tool_call>", ""),
            ("Let me see.\n<tool_call>{\"name\":\"Read\",\"arguments\":{\"path\":\"a.rs\"}}", "Let me see."),
            ("Let me see.\n\n{\"name\":\"Read\",\"arguments\":{\"path\":\"a.rs\"}}", "Let me see."),
        ];
        for (text, left) in cases {
            assert_eq!(taken(text), (left.to_owned(), read.clone()), "{text}");
        }
    }

    #[test]
    fn several_calls() {
        let text = "<tool_call>{\"name\":\"Read\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"grep\",\"arguments\":{}}</tool_call>";
        let names: Vec<String> = taken(text).1.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["Read", "Grep"]);
        let lines = "{\"name\":\"Read\",\"arguments\":{}}\n{\"name\":\"Grep\",\"arguments\":{}}";
        assert_eq!(taken(lines).1.len(), 2);
    }

    #[test]
    fn broken_calls_come_through_broken() {
        for text in [
            r#"{"name": "Read", "arguments": {"path": "a.rs""#,
            "```json\n{\"name\": \"Read\", \"arguments\": {'path': 'a.rs'}}\n```",
            "<tool_call>{name: Read, arguments: {path: a.rs}}</tool_call>",
        ] {
            let (_, calls) = taken(text);
            let [(name, arguments)] = calls.as_slice() else { panic!("{text}: {calls:?}") };
            assert_eq!(name, "Read");
            assert!(serde_json::from_str::<Value>(arguments).is_err(), "{text}: {arguments}");
        }
    }

    #[test]
    fn what_is_no_call_stays_text() {
        for text in [
            r#"{"name":"brimline","version":"0.1.0"}"#,
            "The manifest says:\n```json\n{\"name\":\"Read\",\"version\":\"1\"}\n```",
            "Call it with {\"name\":\"Read\",\"arguments\":{\"path\":\"a\"}} and look.",
            "The format is\n{\"name\":\"Read\",\"arguments\":{}}\nas the manual says.",
            "{\"name\":\"Delete\",\"arguments\":{}}",
            "Plain words, with ``` a lone fence.",
        ] {
            assert_eq!(taken(text), (text.to_owned(), Vec::new()));
        }
    }

    proptest! {
        #[test]
        fn nothing_panics_and_text_without_a_tool_is_untouched(text in "([{}\\[\\]\",:`\n]|name|Read|arguments|<tool_call>|</tool_call>|```|[a-zé]){0,40}") {
            let (left, calls) = taken(&text);
            if calls.is_empty() {
                prop_assert_eq!(left, text);
            }
        }
    }
}
