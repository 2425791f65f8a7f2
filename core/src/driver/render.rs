//! The prompt that a server makes of a request.

use super::{ModelServer, ask_with};
use crate::conversation::{ChatMessage, Purpose, Request, Role};
use crate::wire::{ModelOptions, Rendering, Wire};

/// The prompt that the server makes of a request, or `None` if it doesn't show it.
pub async fn read_prompt(
    server: &impl ModelServer,
    rendering: Rendering,
    options: &ModelOptions,
    request: &Request,
) -> Option<String> {
    let body = rendering.encode(request, options).to_string();
    let (status, body) = ask_with(server, rendering.path(), body).await.ok()?;
    if status == 200 { rendering.prompt(&body) } else { None }
}

/// The way in which this server shows its prompts, found by asking it for a short one: no version tells.
pub async fn find_rendering(
    server: &impl ModelServer,
    wire: Wire,
    options: &ModelOptions,
) -> Option<Rendering> {
    const WORD: &str = "brimline";
    let message = ChatMessage {
        role: Role::User,
        text: WORD.into(),
        calls: Vec::new(),
        answers: None,
        sources: Vec::new(),
    };
    let request =
        Request { purpose: Purpose::Turn, messages: vec![message], tools: Vec::new(), max_tokens: 1 };
    let rendering = match wire {
        Wire::Ollama => Rendering::DebugRender,
        Wire::OpenAi => Rendering::ApplyTemplate,
    };
    let prompt = read_prompt(server, rendering, options, &request).await?;
    prompt.contains(WORD).then_some(rendering)
}
