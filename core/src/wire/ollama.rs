//! Ollama's own wire: `/api/chat`, one JSON object a line.

use super::answer::{Answer, CallPart};
use super::body::{MessageBody, arguments_text};
use super::decoder::Delta;
use super::error::{ProviderError, error_in};
use super::reply::Finish;
use super::{ModelOptions, tool_bodies};
use crate::conversation::{ChatMessage, Request};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The body of a request.
pub(super) fn encode(request: &Request, options: &ModelOptions) -> Value {
    let mut settings = Map::from_iter([("num_predict".to_owned(), json!(request.max_tokens))]);
    settings.extend(options.num_ctx.map(|num_ctx| ("num_ctx".to_owned(), json!(num_ctx))));
    settings.extend(options.temperature.map(|temperature| ("temperature".to_owned(), json!(temperature))));
    let mut fields = Map::from_iter([
        ("model".to_owned(), json!(options.model)),
        ("messages".to_owned(), request.messages.iter().map(message_body).collect()),
        ("stream".to_owned(), json!(true)),
        ("options".to_owned(), Value::Object(settings)),
    ]);
    if !request.tools.is_empty() {
        fields.insert("tools".into(), tool_bodies(&request.tools));
    }
    fields.extend(options.truncate.map(|truncate| ("truncate".to_owned(), json!(truncate))));
    fields.extend(options.shift.map(|shift| ("shift".to_owned(), json!(shift))));
    Value::Object(fields)
}

fn message_body(message: &ChatMessage) -> Value {
    let mut body = json!({ "role": message.role, "content": message.text });
    if let Value::Object(fields) = &mut body {
        if !message.calls.is_empty() {
            let calls = message.calls.iter().map(|call| {
                json!({ "function": { "name": call.name, "arguments": arguments_object(&call.arguments) } })
            });
            fields.insert("tool_calls".into(), calls.collect());
        }
        if let Some(answers) = &message.answers {
            fields.insert("tool_name".into(), json!(answers.tool));
        }
    }
    body
}

/// This wire takes arguments as an object only. What a model wrote that is none goes along under a name that shows it.
fn arguments_object(arguments: &str) -> Value {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        Ok(_) | Err(_) => json!({ "not_an_object": arguments }),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    message: Option<MessageBody>,
    done: Option<bool>,
    done_reason: Option<String>,
    prompt_eval_count: Option<u32>,
    eval_count: Option<u32>,
}

/// Takes one line: whether the answer is over with it, or `None` if it is not JSON of this wire.
pub(super) fn take_line(
    line: &str,
    answer: &mut Answer,
    deltas: &mut Vec<Delta>,
) -> Result<Option<bool>, ProviderError> {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Ok(None) };
    match error_in(&value) {
        Some(error @ ProviderError::ContextRefused { .. }) => return Err(error),
        Some(error) => return Err(ProviderError::InStream { text: error.told() }),
        None => {}
    }
    let is_ours = value.get("message").is_some() || value.get("done").is_some();
    let (true, Ok(line)) = (is_ours, serde_json::from_value::<Line>(value)) else { return Ok(None) };
    answer.begin();
    if let Some(message) = line.message {
        if let Some(thinking) = message.thinking {
            answer.think(&thinking, deltas);
        }
        if let Some(content) = message.content {
            answer.say(&content.into_text(), deltas);
        }
        for call in message.tool_calls.into_iter().flatten() {
            // Calls come whole on this wire: each is one of its own, whatever its number.
            let part = CallPart {
                number: None,
                id: call.id.unwrap_or_default(),
                name: call.function.name.unwrap_or_default(),
                arguments: arguments_text(call.function.arguments),
            };
            answer.call(part, deltas);
        }
    }
    if line.done != Some(true) {
        return Ok(Some(false));
    }
    answer.usage.prompt_tokens = line.prompt_eval_count;
    answer.usage.completion_tokens = line.eval_count;
    answer.finish(match line.done_reason.as_deref() {
        None | Some("stop" | "") => Finish::Stop,
        Some("length") => Finish::Length,
        Some(other) => Finish::Other(other.to_owned()),
    });
    Ok(Some(true))
}
