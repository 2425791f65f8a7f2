//! The pieces of JSON that both wires share.

use serde::Deserialize;
use serde_json::Value;

/// A message or a delta of one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageBody {
    pub(super) content: Option<ContentBody>,
    /// Thinking goes by three names.
    pub(super) reasoning: Option<String>,
    pub(super) reasoning_content: Option<String>,
    pub(super) thinking: Option<String>,
    pub(super) refusal: Option<String>,
    pub(super) tool_calls: Option<Vec<CallBody>>,
}

/// Content as one text, or as a list of parts.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum ContentBody {
    Text(String),
    Parts(Vec<PartBody>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PartBody {
    text: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallBody {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) function: FunctionBody,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionBody {
    pub(super) name: Option<String>,
    /// JSON text, or an object.
    pub(super) arguments: Option<Value>,
}

impl ContentBody {
    pub(super) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

/// Arguments as JSON text, whichever way they were sent.
pub(super) fn arguments_text(arguments: Option<Value>) -> String {
    match arguments {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text,
        Some(value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => {
            value.to_string()
        }
    }
}
