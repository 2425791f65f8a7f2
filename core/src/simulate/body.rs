//! The server's side of both wires: requests are read, answers are written. Written anew, not with the client's code, so
//! that each checks the other.

use super::answer::{Answer, JSON};
use super::template::WireMessage;
use serde_json::{Value, json};

/// A chat request as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChatBody {
    pub(super) model: String,
    pub(super) messages: Vec<WireMessage>,
    pub(super) tools: Vec<Value>,
    pub(super) stream: bool,
    pub(super) include_usage: bool,
    /// The most tokens to write.
    pub(super) limit: Option<u32>,
    pub(super) num_ctx: Option<u32>,
    pub(super) truncate: bool,
    pub(super) shift: bool,
    pub(super) render_only: bool,
    pub(super) return_progress: bool,
}

/// Reads a request to `/v1/chat/completions`. Fields that Ollama's own wire has are ignored without a word.
pub(super) fn read_openai(body: &Value) -> ChatBody {
    let flag = |pointer: &str| body.pointer(pointer).and_then(Value::as_bool);
    ChatBody {
        stream: flag("/stream").unwrap_or(false),
        include_usage: flag("/stream_options/include_usage").unwrap_or(false),
        limit: number(body.get("max_tokens")),
        num_ctx: None,
        truncate: true,
        shift: true,
        render_only: false,
        return_progress: flag("/return_progress").unwrap_or(false),
        ..read_common(body)
    }
}

/// Reads a request to `/api/chat`.
pub(super) fn read_ollama(body: &Value) -> ChatBody {
    let flag = |name: &str| body.get(name).and_then(Value::as_bool);
    ChatBody {
        stream: flag("stream").unwrap_or(true),
        include_usage: true,
        limit: number(body.pointer("/options/num_predict")),
        num_ctx: number(body.pointer("/options/num_ctx")),
        truncate: flag("truncate").unwrap_or(true),
        shift: flag("shift").unwrap_or(true),
        render_only: flag("_debug_render_only").unwrap_or(false),
        return_progress: false,
        ..read_common(body)
    }
}

fn read_common(body: &Value) -> ChatBody {
    let mut messages: Vec<WireMessage> =
        body.get("messages").and_then(Value::as_array).into_iter().flatten().map(read_message).collect();
    name_tools(body, &mut messages);
    ChatBody {
        model: text(body.get("model")),
        messages,
        tools: body.get("tools").and_then(Value::as_array).cloned().unwrap_or_default(),
        stream: false,
        include_usage: false,
        limit: None,
        num_ctx: None,
        truncate: true,
        shift: true,
        render_only: false,
        return_progress: false,
    }
}

fn read_message(message: &Value) -> WireMessage {
    let content = match message.get("content").and_then(Value::as_array) {
        Some(parts) => parts.iter().map(|part| text(part.get("text"))).collect(),
        None => text(message.get("content")),
    };
    let call = |call: &Value| {
        let function = call.get("function")?;
        let arguments = function.get("arguments")?;
        let parsed = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
        Some((text(function.get("name")), parsed.unwrap_or_else(|| arguments.clone())))
    };
    WireMessage {
        role: text(message.get("role")),
        content,
        calls: message
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(call)
            .collect(),
        tool: text(message.get("tool_name")),
    }
}

/// On the OpenAI wire a result names its call only: the tool is the one that was called so.
fn name_tools(body: &Value, messages: &mut [WireMessage]) {
    let all = body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
    let calls = || all.iter().filter_map(|message| message.get("tool_calls")?.as_array()).flatten();
    for (read, raw) in messages.iter_mut().zip(&all) {
        if let Some(id) = raw.get("tool_call_id").filter(|_| read.tool.is_empty()) {
            let called = calls().find(|call| call.get("id") == Some(id));
            read.tool = called.map_or_else(String::new, |call| text(call.pointer("/function/name")));
        }
    }
}

fn text(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn number(value: Option<&Value>) -> Option<u32> {
    value.and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
}

/// What the model wrote, in the pieces in which it wrote it, and what it is said to have cost.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub(super) thinking: Vec<String>,
    pub(super) text: Vec<String>,
    pub(super) calls: Vec<(String, Value)>,
    pub(super) finish: &'static str,
    /// Prompt tokens as reported; `None` where the server leaves them out.
    pub(super) prompt_tokens: Option<u32>,
    pub(super) cached_tokens: Option<u32>,
    pub(super) completion_tokens: Option<u32>,
    /// Prompt tokens that were read, and of those from the cache: for progress.
    pub(super) read: (u32, u32),
}

/// Answers on `/v1/chat/completions`.
pub(super) fn write_openai(request: &ChatBody, written: &Written) -> Answer {
    let head = json!({ "id": "chatcmpl-1", "created": 1_796_000_000, "model": request.model });
    let with = |object: &str, fields: Value| {
        let mut whole = head.clone();
        if let (Value::Object(whole), Value::Object(fields)) = (&mut whole, fields) {
            whole.insert("object".into(), json!(object));
            whole.extend(fields);
        }
        whole
    };
    let calls: Vec<Value> = written
        .calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            json!({ "index": index, "id": format!("call_{}_{index}", request.messages.len()), "type": "function", "function": function })
        })
        .collect();
    let finish = if calls.is_empty() { written.finish } else { "tool_calls" };
    let usage = usage_body(written);
    if !request.stream {
        let message = json!({
            "role": "assistant",
            "content": written.text.concat(),
            "reasoning": written.thinking.concat(),
            "tool_calls": calls,
        });
        let choices = json!([{ "index": 0, "message": message, "finish_reason": finish }]);
        return Answer::json(200, &with("chat.completion", json!({ "choices": choices, "usage": usage })));
    }
    let chunk = |fields: Value| format!("data: {}\n\n", with("chat.completion.chunk", fields)).into_bytes();
    let delta = |delta: Value, finish: Value| {
        chunk(json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] }))
    };
    let mut chunks = Vec::new();
    if request.return_progress {
        let (total, cache) = written.read;
        let progress = json!({ "total": total, "cache": cache, "processed": total });
        chunks.push(chunk(json!({ "choices": [], "prompt_progress": progress })));
    }
    chunks.push(delta(json!({ "role": "assistant", "content": "" }), Value::Null));
    chunks.extend(written.thinking.iter().map(|piece| delta(json!({ "reasoning": piece }), Value::Null)));
    chunks.extend(written.text.iter().map(|piece| delta(json!({ "content": piece }), Value::Null)));
    chunks.extend(calls.iter().map(|call| delta(json!({ "tool_calls": [call] }), Value::Null)));
    chunks.push(delta(json!({}), json!(finish)));
    if request.include_usage && !usage.is_null() {
        chunks.push(chunk(json!({ "choices": [], "usage": usage })));
    }
    chunks.push(b"data: [DONE]\n\n".to_vec());
    Answer { status: 200, content_type: "text/event-stream", chunks }
}

fn usage_body(written: &Written) -> Value {
    let (Some(prompt), Some(completion)) = (written.prompt_tokens, written.completion_tokens) else {
        return Value::Null;
    };
    let mut usage = json!({ "prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion });
    if let (Value::Object(fields), Some(cached)) = (&mut usage, written.cached_tokens) {
        fields.insert("prompt_tokens_details".into(), json!({ "cached_tokens": cached }));
    }
    usage
}

/// Answers on `/api/chat`.
pub(super) fn write_ollama(request: &ChatBody, written: &Written) -> Answer {
    let line = |message: Value, done: bool| json!({ "model": request.model, "created_at": "2026-12-01T00:00:00Z", "message": message, "done": done });
    let calls: Vec<Value> = written
        .calls
        .iter()
        .map(|(name, arguments)| json!({ "function": { "name": name, "arguments": arguments } }))
        .collect();
    let finish = |mut last: Value| {
        if let Value::Object(fields) = &mut last {
            fields.insert("done_reason".into(), json!(written.finish));
            fields
                .extend(written.prompt_tokens.map(|tokens| ("prompt_eval_count".to_owned(), json!(tokens))));
            fields.extend(written.completion_tokens.map(|tokens| ("eval_count".to_owned(), json!(tokens))));
        }
        last
    };
    if !request.stream {
        let mut message = json!({ "role": "assistant", "content": written.text.concat() });
        if let Value::Object(fields) = &mut message {
            if !calls.is_empty() {
                fields.insert("tool_calls".into(), json!(calls));
            }
            if !written.thinking.is_empty() {
                fields.insert("thinking".into(), json!(written.thinking.concat()));
            }
        }
        return Answer::json(200, &finish(line(message, true)));
    }
    let mut lines: Vec<Value> = Vec::new();
    let said = |content: &str| json!({ "role": "assistant", "content": content });
    for piece in &written.thinking {
        lines.push(line(json!({ "role": "assistant", "content": "", "thinking": piece }), false));
    }
    lines.extend(written.text.iter().map(|piece| line(said(piece), false)));
    if !calls.is_empty() {
        lines.push(line(json!({ "role": "assistant", "content": "", "tool_calls": calls }), false));
    }
    lines.push(finish(line(said(""), true)));
    let chunks = lines.into_iter().map(|line| format!("{line}\n").into_bytes()).collect();
    Answer { status: 200, content_type: "application/x-ndjson", chunks }
}

/// An error in the form of the wire.
pub(super) fn error(status: u16, message: &str, is_ollama: bool) -> Answer {
    let body = if is_ollama {
        json!({ "error": message })
    } else {
        json!({ "error": { "message": message, "type": "invalid_request_error", "param": null, "code": null } })
    };
    Answer { content_type: JSON, ..Answer::json(status, &body) }
}
