//! Recorded exchanges with real servers: what each said of a prompt's size, against our count.

use super::{Equal, Model, sent};
use anyhow::{Context, Result};
use brimline_core::conversation::ChatMessage;
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Exchange {
    case: String,
    request: Value,
    status: u16,
    body: String,
}

/// The recorded table of one conversation, one exchange longer each time.
#[derive(Deserialize)]
struct Growing {
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    messages: usize,
    chars: usize,
    prompt_tokens: u32,
    request_survived: bool,
}

/// The recording whose messages are those of the table: its last question was asked at every length.
const WHOLE_CONVERSATION: &str = "chat-truncated-stream";

/// Compares all that can be: untruncated prompts by what was counted, refused ones by what the refusal says, and the
/// pieces of `/tokenize`.
pub(super) fn compare(folder: &Path, model: &Model) -> Result<Equal> {
    let mut equal = Equal::default();
    let mut conversation = Vec::new();
    let mut growing = None;
    for file in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = file?.path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        if let Ok(table) = serde_json::from_str::<Growing>(&text) {
            growing = Some(table);
            continue;
        }
        let Ok(exchange) = serde_json::from_str::<Exchange>(&text) else { continue };
        if let Some(text) = exchange.request.get("content").and_then(Value::as_str) {
            let tokens = serde_json::from_str::<Value>(&exchange.body)?;
            let tokens = tokens.get("tokens").and_then(Value::as_array).map_or(0, Vec::len);
            equal.compare(model.counter.count(text), u32::try_from(tokens)?);
        }
        // Tools stand in no place of this model's template.
        let Some(messages) = messages(&exchange.request).filter(|_| exchange.request.get("tools").is_none())
        else {
            continue;
        };
        if exchange.case == WHOLE_CONVERSATION {
            conversation.clone_from(&messages);
        }
        let rendered = serde_json::from_str::<Value>(&exchange.body).ok();
        if let Some(prompt) = rendered.as_ref().and_then(|body| body.get("prompt")).and_then(Value::as_str) {
            equal.of += 1;
            equal.equal += usize::from(model.template.render(&messages, &[])? == prompt);
        }
        let is_cut = exchange.case.contains("truncated") || exchange.case.contains("huge");
        if let Some(given) = given(&exchange).filter(|_| !is_cut) {
            equal.compare(model.prompt(&messages)?, given);
        }
    }
    for row in growing.into_iter().flat_map(|table| table.rows).filter(|row| row.request_survived) {
        let Some((last, before)) = conversation.split_last() else { continue };
        let begun = before.iter().take(row.messages.saturating_sub(1));
        let messages: Vec<ChatMessage> = begun.chain([last]).cloned().collect();
        let chars: usize = messages.iter().map(|message| message.text.chars().count()).sum();
        if chars == row.chars {
            equal.compare(model.prompt(&messages)?, row.prompt_tokens);
        }
    }
    Ok(equal)
}

fn messages(request: &Value) -> Option<Vec<ChatMessage>> {
    let of = |message: &Value| {
        let text = |name: &str| message.get(name).and_then(Value::as_str);
        sent(text("role")?, text("content")?).ok()
    };
    request.get("messages")?.as_array()?.iter().map(of).collect()
}

/// The prompt's size as the server said it, in whatever place.
fn given(exchange: &Exchange) -> Option<u32> {
    let names: &[&str] = match exchange.status {
        200 => &["prompt_tokens", "prompt_eval_count"],
        _ => &["n_prompt_tokens"],
    };
    // A refusal may be JSON in a string in JSON, so the number is looked for in the plain text.
    names.iter().find_map(|name| {
        let (_, after) = exchange
            .body
            .rsplit_once(&format!("{name}\\\":"))
            .or_else(|| exchange.body.rsplit_once(&format!("{name}\":")))?;
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}
