//! The server: paths and bodies in, answers out, and a log of what became of each conversation.

use super::answer::Answer;
use super::body::{ChatBody, Written, error, read_ollama, read_openai, write_ollama, write_openai};
use super::face::{Face, UsageReport};
use super::overflow::{Fitted, TooLong, fit, shown};
use super::scripts::{MODELS, Said, Script};
use super::template::render;
use super::tokenizer::Tokenizer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A model server, simulated.
pub struct SimulatedServer {
    face: Face,
    window: u32,
    tokenizer: Arc<dyn Tokenizer>,
    /// The model in memory, if one was loaded.
    loaded: Option<String>,
    /// The text whose tokens are in the cache.
    cached: String,
    log: Vec<Exchange>,
}

/// What became of one conversation: the truth, which no real server tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Messages that came.
    pub messages: usize,
    /// Messages that the model read whole, by their place.
    pub whole: Vec<usize>,
    /// Whether the first user message was among them.
    pub request_survived: bool,
    /// The prompt's true size in tokens, before anything was dropped.
    pub true_tokens: u32,
    /// The tokens that the model read; `None` if the server refused.
    pub read_tokens: Option<u32>,
}

impl SimulatedServer {
    /// A server with one window for all its models, in tokens.
    pub fn new(face: Face, window: u32, tokenizer: Arc<dyn Tokenizer>) -> Self {
        Self { face, window, tokenizer, loaded: None, cached: String::new(), log: Vec::new() }
    }

    /// Its window, in tokens.
    pub fn window(&self) -> u32 {
        self.window
    }

    /// Changes its window and what it does when a conversation doesn't fit, as if it had been started anew.
    pub fn restart(&mut self, face: Face, window: u32) {
        *self = Self::new(face, window, Arc::clone(&self.tokenizer));
    }

    /// What became of each conversation.
    pub fn log(&self) -> &[Exchange] {
        &self.log
    }

    /// Answers a `GET`.
    pub fn get(&self, path: &str) -> Answer {
        let ollama = self.face.speaks_ollama();
        match path {
            "/" if ollama => Answer::text(200, "Ollama is running"),
            "/api/version" if ollama => Answer::json(200, &json!({ "version": "0.0.0-simulated" })),
            "/api/tags" if ollama => Answer::json(200, &self.tags()),
            "/api/ps" if ollama => Answer::json(200, &self.running()),
            "/v1/models" => Answer::json(200, &self.models()),
            "/props" if matches!(self.face, Face::LlamaServer | Face::LlamaServerShift) => Answer::json(
                200,
                &json!({ "default_generation_settings": { "n_ctx": self.window }, "total_slots": 1 }),
            ),
            "/api/v0/models" if self.face == Face::LmStudio => Answer::json(200, &self.lm_studio_models()),
            _ => Answer::text(404, "404 page not found"),
        }
    }

    /// Answers a `POST`.
    pub fn post(&mut self, path: &str, body: &str) -> Answer {
        let ollama = self.face.speaks_ollama();
        let is_chat = matches!(
            path,
            "/v1/chat/completions" | "/api/chat" | "/api/show" | "/tokenize" | "/apply-template"
        );
        let native = path.starts_with("/api/");
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            return if is_chat {
                error(400, "unexpected EOF", native)
            } else {
                Answer::text(404, "404 page not found")
            };
        };
        match path {
            "/v1/chat/completions" => self.chat(&read_openai(&value), false),
            "/api/chat" if ollama => self.chat(&read_ollama(&value), true),
            "/api/show" if ollama => self.show(&value),
            "/tokenize" if matches!(self.face, Face::LlamaServer | Face::LlamaServerShift) => {
                let content = value.get("content").and_then(Value::as_str).unwrap_or_default();
                let tokens: Vec<usize> = (0..self.tokenizer.token_lengths(content).len()).collect();
                Answer::json(200, &json!({ "tokens": tokens }))
            }
            "/apply-template" if matches!(self.face, Face::LlamaServer | Face::LlamaServerShift) => {
                let request = read_openai(&value);
                Answer::json(200, &json!({ "prompt": render(&request.messages, &request.tools).text }))
            }
            _ => Answer::text(404, "404 page not found"),
        }
    }

    fn chat(&mut self, request: &ChatBody, native: bool) -> Answer {
        // llama.cpp has one model and ignores the name.
        let any_name = matches!(self.face, Face::LlamaServer | Face::LlamaServerShift);
        let script = Script::of_model(&request.model).or(any_name.then_some(Script::Reader));
        let Some(script) = script else {
            return error(404, &format!("model '{}' not found", request.model), native);
        };
        if script == Script::NoTools && !request.tools.is_empty() {
            return error(400, &format!("registry/library/{} does not support tools", request.model), native);
        }
        self.loaded = Some(request.model.clone());
        if let Some(window) = request.num_ctx {
            self.window = window;
        }
        if request.messages.is_empty() {
            let loaded = Written { finish: "load", ..nothing_written() };
            return if native { write_ollama(request, &loaded) } else { write_openai(request, &loaded) };
        }
        let can_ask = native && self.face.can_be_asked_to_refuse();
        if request.render_only && native && self.face.shows_its_prompt() {
            let ChatBody { messages, tools, truncate, .. } = request;
            let prompt = shown(messages, tools, self.window, *truncate, &*self.tokenizer);
            let message = json!({ "role": "", "content": "" });
            return Answer::json(
                200,
                &json!({
                    "model": request.model, "message": message, "done": false,
                    "_debug_info": { "rendered_template": prompt },
                }),
            );
        }
        let whole = self.tokenizer.count(&render(&request.messages, &request.tools).text);
        let fitted = fit(
            &request.messages,
            &request.tools,
            self.window,
            self.face.prompt_overflow(),
            &*self.tokenizer,
        );
        let refused = if can_ask && !request.truncate && whole > self.window {
            Err(TooLong { tokens: whole, of_conversation: true })
        } else {
            fitted
        };
        let fitted = match refused {
            Ok(fitted) => fitted,
            Err(too_long) => {
                self.note(request, whole, None);
                return self.refuse(too_long, native);
            }
        };
        if can_ask && !request.shift && fitted.messages.len() != fitted.whole.len() {
            // One message that is too large by itself, and nothing may shift.
            if self.face == Face::Ollama012 {
                self.note(request, whole, Some(&fitted));
                return self.write(
                    request,
                    native,
                    &Fitted { tokens: self.window, ..fitted },
                    script,
                    Some(1),
                );
            }
            self.note(request, whole, None);
            return error(400, PROMPT_TOO_LONG, native);
        }
        self.note(request, whole, Some(&fitted));
        let edge = self.window.saturating_sub(fitted.tokens);
        let may_shift = self.face.shifts() && (request.shift || !can_ask);
        let limit =
            if may_shift { request.limit } else { Some(request.limit.unwrap_or(edge).min(edge.max(1))) };
        self.write(request, native, &fitted, script, limit)
    }

    /// Has the model write, and counts.
    fn write(
        &mut self,
        request: &ChatBody,
        native: bool,
        fitted: &Fitted,
        script: Script,
        limit: Option<u32>,
    ) -> Answer {
        let said = script.say(&fitted.messages);
        let cached = common_prefix(&self.cached, &fitted.text);
        let cached_tokens =
            self.tokenizer.count(fitted.text.get(..cached).unwrap_or_default()).min(fitted.tokens);
        self.cached.clone_from(&fitted.text);
        let (text, completion, cut) = self.cut_to(&said, limit);
        let prompt_tokens = match self.face.usage_report() {
            UsageReport::Whole => Some(fitted.tokens),
            // A prompt that was cached whole is left out.
            UsageReport::UncachedOnly => Some(fitted.tokens - cached_tokens).filter(|tokens| *tokens > 0),
            UsageReport::Missing => None,
        };
        let tells_cached = matches!(self.face, Face::LlamaServer | Face::LlamaServerShift);
        let written = Written {
            thinking: self.pieces(&said.thinking),
            text: self.pieces(&text),
            calls: if cut { Vec::new() } else { said.calls },
            finish: if cut { "length" } else { "stop" },
            prompt_tokens,
            cached_tokens: tells_cached.then_some(cached_tokens),
            completion_tokens: prompt_tokens.map(|_| completion),
            read: (fitted.tokens, cached_tokens),
        };
        if native { write_ollama(request, &written) } else { write_openai(request, &written) }
    }

    /// What the model gets to say within a limit: the text, its size in tokens, and whether it was cut.
    fn cut_to(&self, said: &Said, limit: Option<u32>) -> (String, u32, bool) {
        let calls: String = said.calls.iter().map(|(name, arguments)| format!("{name}{arguments}")).collect();
        let beside = self.tokenizer.count(&said.thinking) + self.tokenizer.count(&calls);
        let lengths = self.tokenizer.token_lengths(&said.text);
        let total = beside.saturating_add(u32::try_from(lengths.len()).unwrap_or(u32::MAX));
        match limit {
            Some(limit) if total > limit => {
                let room = limit.saturating_sub(self.tokenizer.count(&said.thinking)) as usize;
                let end = said.text.floor_char_boundary(lengths.iter().take(room).sum());
                (said.text.get(..end).unwrap_or_default().to_owned(), limit, true)
            }
            Some(_) | None => (said.text.clone(), total, false),
        }
    }

    /// A text in the pieces in which a model writes it: tokens, but for those that end within a character.
    fn pieces(&self, text: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        let (mut start, mut end) = (0, 0);
        for length in self.tokenizer.token_lengths(text) {
            end += length;
            if let Some(piece) = text.get(start..end) {
                pieces.push(piece.to_owned());
                start = end;
            }
        }
        pieces
    }

    fn refuse(&self, too_long: TooLong, native: bool) -> Answer {
        let TooLong { tokens, of_conversation } = too_long;
        let window = self.window;
        let message = format!(
            "request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it"
        );
        let whole = json!({ "error": {
            "code": 400, "message": message, "type": "exceed_context_size_error", "n_prompt_tokens": tokens, "n_ctx": window,
        }});
        match self.face {
            Face::LlamaServer | Face::LlamaServerShift => Answer::json(400, &whole),
            Face::Vllm => Answer::json(
                400,
                &json!({
                    "object": "error",
                    "message": format!(
                        "This model's maximum context length is {window} tokens. However, you requested {tokens} tokens in the \
                         messages. Please reduce the length of the messages."
                    ),
                    "type": "BadRequestError",
                    "code": 400,
                }),
            ),
            Face::Ollama012 if of_conversation => {
                error(400, "the input length exceeds the context length", native)
            }
            // Ollama hands the error of the server behind it through as text.
            Face::Ollama033
            | Face::Ollama033Native
            | Face::Ollama012
            | Face::Ollama03
            | Face::LmStudio
            | Face::Proxy
            | Face::CachedOnly
            | Face::Blind => error(400, &whole.to_string(), native),
        }
    }

    fn note(&mut self, request: &ChatBody, true_tokens: u32, fitted: Option<&Fitted>) {
        let first_user = request.messages.iter().position(|message| message.role == "user");
        let whole = fitted.map_or_else(Vec::new, |fitted| fitted.whole.clone());
        self.log.push(Exchange {
            messages: request.messages.len(),
            request_survived: first_user.is_some_and(|first| whole.contains(&first)),
            whole,
            true_tokens,
            read_tokens: fitted.map(|fitted| fitted.tokens),
        });
    }

    fn tags(&self) -> Value {
        let model = |(name, script): &(&str, Script)| json!({ "name": name, "model": name, "capabilities": capabilities(*script) });
        json!({ "models": MODELS.iter().map(model).collect::<Vec<_>>() })
    }

    fn running(&self) -> Value {
        let model = |name: &String| {
            if self.face.tells_running_window() {
                json!({ "name": name, "model": name, "context_length": self.window })
            } else {
                json!({ "name": name, "model": name })
            }
        };
        json!({ "models": self.loaded.iter().map(model).collect::<Vec<_>>() })
    }

    fn models(&self) -> Value {
        let model = |(name, _): &(&str, Script)| {
            let mut model = json!({ "id": name, "object": "model", "created": 0, "owned_by": "library" });
            if let Value::Object(fields) = &mut model {
                match self.face {
                    Face::LlamaServer | Face::LlamaServerShift => {
                        fields.insert(
                            "meta".into(),
                            json!({ "n_ctx": self.window, "n_ctx_train": TRAINED_WINDOW }),
                        );
                    }
                    Face::Vllm => {
                        fields.insert("max_model_len".into(), json!(self.window));
                    }
                    Face::Ollama033
                    | Face::Ollama033Native
                    | Face::Ollama012
                    | Face::Ollama03
                    | Face::LmStudio
                    | Face::Proxy
                    | Face::CachedOnly
                    | Face::Blind => {}
                }
            }
            model
        };
        json!({ "object": "list", "data": MODELS.iter().map(model).collect::<Vec<_>>() })
    }

    fn lm_studio_models(&self) -> Value {
        let model = |(name, _): &(&str, Script)| {
            json!({
                "id": name, "object": "model", "type": "llm", "state": "loaded",
                "max_context_length": TRAINED_WINDOW, "loaded_context_length": self.window,
            })
        };
        json!({ "object": "list", "data": MODELS.iter().map(model).collect::<Vec<_>>() })
    }

    fn show(&self, body: &Value) -> Answer {
        let name = body.get("model").or(body.get("name")).and_then(Value::as_str).unwrap_or_default();
        match Script::of_model(name) {
            None => error(404, &format!("model '{name}' not found"), true),
            Some(script) => {
                let mut info = Map::from_iter([
                    ("general.architecture".to_owned(), json!("simulated")),
                    ("simulated.context_length".to_owned(), json!(TRAINED_WINDOW)),
                ]);
                if body.get("verbose") == Some(&Value::Bool(true)) {
                    info.extend(self.tokenizer.vocabulary().into_iter().flatten());
                }
                Answer::json(
                    200,
                    &json!({ "template": TEMPLATE, "model_info": info, "capabilities": capabilities(script) }),
                )
            }
        }
    }
}

/// The start of the template as a server would show it: one that does more than write the messages one after the other.
const TEMPLATE: &str = "{{- if or .System .Tools }}<|im_start|>system\n{{ .System }}{{ if .Tools }}{{ range .Tools }}{{ .Function }}{{ end }}{{ end }}<|im_end|>\n{{ end }}{{ range .Messages }}…{{ end }}";

/// The window that the models were trained for, in tokens: a ceiling, and not the window that they have.
const TRAINED_WINDOW: u32 = 32_768;

const PROMPT_TOO_LONG: &str = "the prompt is longer than the context length currently available to the model; shorten the \
prompt, adjust the context length in settings, or use a model with a longer context length";

fn capabilities(script: Script) -> &'static [&'static str] {
    match script {
        Script::NoTools => &["completion"],
        Script::Thinker => &["completion", "tools", "thinking"],
        Script::Reader | Script::Texter | Script::Keys | Script::Talker => &["completion", "tools"],
    }
}

fn nothing_written() -> Written {
    Written {
        thinking: Vec::new(),
        text: Vec::new(),
        calls: Vec::new(),
        finish: "stop",
        prompt_tokens: None,
        cached_tokens: None,
        completion_tokens: None,
        read: (0, 0),
    }
}

/// Bytes that two texts have in common at their start, to the end of a character.
fn common_prefix(one: &str, other: &str) -> usize {
    let bytes = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    other.floor_char_boundary(bytes)
}
