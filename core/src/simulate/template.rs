//! How the simulated server makes one text of a conversation: ChatML, with tools as Qwen's template has them.

use serde_json::{Value, json};
use std::ops::Range;

/// A message as it came over the wire.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct WireMessage {
    pub(super) role: String,
    pub(super) content: String,
    /// Name and arguments.
    pub(super) calls: Vec<(String, Value)>,
    /// For a tool's message: the tool.
    pub(super) tool: String,
}

/// The text that the model would read.
pub(super) struct Rendered {
    pub(super) text: String,
    /// The bytes of each message, with its marks.
    pub(super) messages: Vec<Range<usize>>,
}

/// The text for these messages, which ends where the answer begins.
pub(super) fn render(messages: &[WireMessage], tools: &[Value]) -> Rendered {
    let mut rendered = Rendered { text: String::new(), messages: Vec::new() };
    let has_system = messages.first().is_some_and(|message| message.role == "system");
    if !has_system && !tools.is_empty() {
        rendered.text.push_str(&block("system", &tools_block(tools)));
    }
    for (index, message) in messages.iter().enumerate() {
        let start = rendered.text.len();
        let block = match message.role.as_str() {
            "tool" => block("user", &format!("<tool_response>\n{}\n</tool_response>", message.content)),
            "assistant" => {
                let call = |(name, arguments): &(String, Value)| {
                    format!(
                        "\n<tool_call>\n{}\n</tool_call>",
                        json!({ "name": name, "arguments": arguments })
                    )
                };
                let calls: String = message.calls.iter().map(call).collect();
                block("assistant", &format!("{}{calls}", message.content))
            }
            role if index == 0 && has_system && !tools.is_empty() => {
                block(role, &format!("{}\n\n{}", message.content, tools_block(tools)))
            }
            role => block(role, &message.content),
        };
        rendered.text.push_str(&block);
        rendered.messages.push(start..rendered.text.len());
    }
    rendered.text.push_str("<|im_start|>assistant\n");
    rendered
}

fn block(role: &str, content: &str) -> String {
    format!("<|im_start|>{role}\n{content}<|im_end|>\n")
}

fn tools_block(tools: &[Value]) -> String {
    let listed: String = tools.iter().map(|tool| format!("{tool}\n")).collect();
    format!(
        "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function \
         signatures within <tools></tools> XML tags:\n<tools>\n{listed}</tools>\n\nFor each function call, return a json \
         object with function name and arguments within <tool_call></tool_call> XML tags."
    )
}
