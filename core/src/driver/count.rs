//! Counting a prompt exactly before it is sent.

use super::{ModelServer, ask_with, read_prompt};
use crate::conversation::Request;
use crate::overflow::{Fate, read_back};
use crate::template::Template;
use crate::wire::{ModelOptions, Rendering, TOKENIZE, tokenize, tokenized};

/// Where the text of a prompt comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptSource {
    /// The model's template, where it can be rendered here.
    pub template: Option<Template>,
    /// The way in which the server shows its prompts, where it does.
    pub rendering: Option<Rendering>,
}

impl PromptSource {
    /// The whole prompt that the server would make of a request, or `None` if it can't be had.
    pub async fn whole_prompt(
        &self,
        server: &impl ModelServer,
        options: &ModelOptions,
        request: &Request,
    ) -> Option<String> {
        let rendered = |template: &Template| template.render(&request.messages, &request.tools).ok();
        if let Some(prompt) = self.template.as_ref().and_then(rendered) {
            return Some(prompt);
        }
        let prompt = read_prompt(server, self.rendering?, options, request).await?;
        // A server may show what is left after it dropped messages: that says nothing of the whole.
        let is_whole = read_back(&prompt, &request.messages).iter().all(|fate| *fate == Fate::Kept);
        is_whole.then_some(prompt)
    }
}

/// The tokens of a text as the server itself counts them, or `None` if it doesn't.
pub async fn tokens_by_server(server: &impl ModelServer, text: &str) -> Option<u32> {
    let (status, body) = ask_with(server, TOKENIZE, tokenize(text).to_string()).await.ok()?;
    if status == 200 { tokenized(&body) } else { None }
}
