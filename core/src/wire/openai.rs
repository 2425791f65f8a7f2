//! The OpenAI-compatible wire: `/v1/chat/completions`, server-sent events.

use super::answer::{Answer, CallPart};
use super::body::{MessageBody, arguments_text};
use super::decoder::Delta;
use super::error::{ProviderError, error_in};
use super::reply::Finish;
use super::{ModelOptions, tool_bodies};
use crate::conversation::{ChatMessage, Request};
use serde::Deserialize;
use serde_json::{Value, json};

/// The body of a request. Usage is asked for: without `include_usage` a stream says nothing about it.
pub(super) fn encode(request: &Request, options: &ModelOptions) -> Value {
    let mut body = json!({
        "model": options.model,
        "messages": request.messages.iter().map(message_body).collect::<Vec<_>>(),
        "stream": true,
        "stream_options": { "include_usage": true },
        "max_tokens": request.max_tokens,
    });
    if let Value::Object(fields) = &mut body {
        if !request.tools.is_empty() {
            fields.insert("tools".into(), tool_bodies(&request.tools));
        }
        if let Some(temperature) = options.temperature {
            fields.insert("temperature".into(), json!(temperature));
        }
    }
    body
}

fn message_body(message: &ChatMessage) -> Value {
    let mut body = json!({ "role": message.role, "content": message.text });
    if let Value::Object(fields) = &mut body {
        if !message.calls.is_empty() {
            let calls = message.calls.iter().map(|call| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments },
                })
            });
            fields.insert("tool_calls".into(), calls.collect());
        }
        if let Some(answers) = &message.answers {
            fields.insert("tool_call_id".into(), json!(answers.call_id));
        }
    }
    body
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<UsageBody>,
    prompt_progress: Option<ProgressBody>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Choice {
    /// In a stream.
    delta: Option<MessageBody>,
    /// In one body.
    message: Option<MessageBody>,
    finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct UsageBody {
    prompt_tokens: Option<u32>,
    completion_tokens: Option<u32>,
    prompt_tokens_details: Option<DetailsBody>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct DetailsBody {
    cached_tokens: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ProgressBody {
    processed: u32,
    total: u32,
    cache: u32,
}

/// Takes the data of one event, or of one whole body. `false` means that it is not JSON of this wire.
pub(super) fn take_event(
    data: &str,
    answer: &mut Answer,
    deltas: &mut Vec<Delta>,
) -> Result<bool, ProviderError> {
    let Ok(value) = serde_json::from_str::<Value>(data) else { return Ok(false) };
    match error_in(&value) {
        Some(error @ ProviderError::ContextRefused { .. }) => return Err(error),
        Some(error) => return Err(ProviderError::InStream { text: error.told() }),
        None => {}
    }
    let Ok(chunk) = serde_json::from_value::<Chunk>(value) else { return Ok(false) };
    answer.begin();
    if let Some(ProgressBody { processed, total, cache }) = chunk.prompt_progress {
        deltas.push(Delta::Progress { processed, total, cached: cache });
    }
    // One answer was asked for: the first choice is all there is.
    if let Some(choice) = chunk.choices.into_iter().flatten().next() {
        if let Some(message) = choice.delta.or(choice.message) {
            take_message(message, answer, deltas);
        }
        if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
            answer.finish(finish(reason));
        }
    }
    if let Some(usage) = chunk.usage {
        answer.usage.prompt_tokens = usage.prompt_tokens;
        answer.usage.completion_tokens = usage.completion_tokens;
        answer.usage.cached_tokens = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
    }
    Ok(true)
}

fn take_message(message: MessageBody, answer: &mut Answer, deltas: &mut Vec<Delta>) {
    // A server that gives thinking two names at once gives the same text twice.
    if let Some(thinking) = message.reasoning_content.or(message.reasoning).or(message.thinking) {
        answer.think(&thinking, deltas);
    }
    if let Some(content) = message.content {
        answer.say(&content.into_text(), deltas);
    }
    if let Some(refusal) = message.refusal.filter(|refusal| !refusal.is_empty()) {
        answer.say(&refusal, deltas);
        answer.finish(Finish::Refusal);
    }
    for call in message.tool_calls.into_iter().flatten() {
        let part = CallPart {
            number: call.index,
            id: call.id.unwrap_or_default(),
            name: call.function.name.unwrap_or_default(),
            arguments: arguments_text(call.function.arguments),
        };
        answer.call(part, deltas);
    }
}

fn finish(reason: String) -> Finish {
    match reason.as_str() {
        "stop" => Finish::Stop,
        "tool_calls" | "function_call" => Finish::ToolCalls,
        "length" => Finish::Length,
        "content_filter" | "refusal" => Finish::Refusal,
        _ => Finish::Other(reason),
    }
}
