//! Which server is simulated, and how each treats what doesn't fit.
//!
//! Every behaviour here was measured on the real server; docs/design.md, "What real servers do", has the figures.

use serde::{Deserialize, Serialize};

/// A server that is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Face {
    /// Ollama 0.33 with a template of its own: drops the oldest messages; halves one that is too large by itself.
    #[serde(rename = "ollama-0.33")]
    Ollama033,
    /// Ollama 0.33 with the model's own template: drops the oldest messages; refuses one that is too large by itself.
    #[serde(rename = "ollama-0.33-native")]
    Ollama033Native,
    /// Ollama 0.12: drops the oldest messages; keeps a full window of one that is too large by itself.
    #[serde(rename = "ollama-0.12")]
    Ollama012,
    /// Ollama 0.3: drops the oldest messages; keeps about half a window of one that is too large by itself.
    #[serde(rename = "ollama-0.3")]
    Ollama03,
    /// llama.cpp's server: refuses.
    LlamaServer,
    /// llama.cpp's server with `--context-shift`: refuses, but drops the oldest tokens while it writes.
    LlamaServerShift,
    /// vLLM: refuses, and says its window in its catalogue.
    Vllm,
    /// LM Studio: cuts the middle out.
    LmStudio,
    /// An Ollama behind a proxy that knows only `/v1` and strips what it does not know.
    Proxy,
    /// An old server that counts only what was not in its cache.
    CachedOnly,
    /// A server that counts nothing.
    Blind,
}

/// What happens to a prompt that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PromptOverflow {
    /// The oldest messages go; what happens when the system prompt and the last message alone don't fit.
    DropOldest(HugeMessage),
    /// The tokens in the middle go.
    CutMiddle,
    /// An honest error.
    Refuse,
}

/// What happens when the system prompt and the last message alone don't fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HugeMessage {
    /// The first tokens and half of the rest stay: `window − (window − keep) / 2`.
    Half,
    /// The first tokens and half of the rest stay: `keep + (window − keep) / 2`.
    KeepAndHalf,
    /// The first tokens and the tail stay, a full window.
    FullWindow,
    /// An honest error.
    Refuse,
}

/// What the server reports of what it read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UsageReport {
    /// All that was left.
    Whole,
    /// Only what was not in the cache.
    UncachedOnly,
    /// Nothing.
    Missing,
}

impl Face {
    /// All faces.
    pub const ALL: [Self; 11] = [
        Self::Ollama033,
        Self::Ollama033Native,
        Self::Ollama012,
        Self::Ollama03,
        Self::LlamaServer,
        Self::LlamaServerShift,
        Self::Vllm,
        Self::LmStudio,
        Self::Proxy,
        Self::CachedOnly,
        Self::Blind,
    ];

    /// Its name, as settings and command lines have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ollama033 => "ollama-0.33",
            Self::Ollama033Native => "ollama-0.33-native",
            Self::Ollama012 => "ollama-0.12",
            Self::Ollama03 => "ollama-0.3",
            Self::LlamaServer => "llama-server",
            Self::LlamaServerShift => "llama-server-shift",
            Self::Vllm => "vllm",
            Self::LmStudio => "lm-studio",
            Self::Proxy => "proxy",
            Self::CachedOnly => "cached-only",
            Self::Blind => "blind",
        }
    }

    /// The face of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|face| face.name() == name)
    }

    pub(super) fn prompt_overflow(self) -> PromptOverflow {
        match self {
            Self::Ollama033 | Self::Proxy | Self::Blind => PromptOverflow::DropOldest(HugeMessage::Half),
            Self::Ollama033Native => PromptOverflow::DropOldest(HugeMessage::Refuse),
            Self::Ollama012 => PromptOverflow::DropOldest(HugeMessage::FullWindow),
            Self::Ollama03 | Self::CachedOnly => PromptOverflow::DropOldest(HugeMessage::KeepAndHalf),
            Self::LlamaServer | Self::LlamaServerShift | Self::Vllm => PromptOverflow::Refuse,
            Self::LmStudio => PromptOverflow::CutMiddle,
        }
    }

    /// Whether the oldest tokens go when an answer reaches the window's edge. Else the answer stops there.
    pub(super) fn shifts(self) -> bool {
        match self {
            Self::Ollama033
            | Self::Ollama033Native
            | Self::Ollama012
            | Self::Ollama03
            | Self::LlamaServerShift
            | Self::Proxy
            | Self::CachedOnly
            | Self::Blind => true,
            Self::LlamaServer | Self::Vllm | Self::LmStudio => false,
        }
    }

    pub(super) fn usage_report(self) -> UsageReport {
        match self {
            Self::CachedOnly => UsageReport::UncachedOnly,
            Self::Blind => UsageReport::Missing,
            Self::Ollama033
            | Self::Ollama033Native
            | Self::Ollama012
            | Self::Ollama03
            | Self::LlamaServer
            | Self::LlamaServerShift
            | Self::Vllm
            | Self::LmStudio
            | Self::Proxy => UsageReport::Whole,
        }
    }

    /// Whether it has Ollama's own endpoints.
    pub(super) fn speaks_ollama(self) -> bool {
        match self {
            Self::Ollama033
            | Self::Ollama033Native
            | Self::Ollama012
            | Self::Ollama03
            | Self::CachedOnly
            | Self::Blind => true,
            Self::LlamaServer | Self::LlamaServerShift | Self::Vllm | Self::LmStudio | Self::Proxy => false,
        }
    }

    /// Whether it knows `truncate` and `shift`.
    pub(super) fn can_be_asked_to_refuse(self) -> bool {
        match self {
            Self::Ollama033 | Self::Ollama033Native | Self::Ollama012 => true,
            Self::Ollama03
            | Self::LlamaServer
            | Self::LlamaServerShift
            | Self::Vllm
            | Self::LmStudio
            | Self::Proxy
            | Self::CachedOnly
            | Self::Blind => false,
        }
    }

    /// Whether it knows `_debug_render_only`.
    pub(super) fn shows_its_prompt(self) -> bool {
        match self {
            Self::Ollama033 | Self::Ollama033Native => true,
            Self::Ollama012
            | Self::Ollama03
            | Self::LlamaServer
            | Self::LlamaServerShift
            | Self::Vllm
            | Self::LmStudio
            | Self::Proxy
            | Self::CachedOnly
            | Self::Blind => false,
        }
    }

    /// Whether `/api/ps` tells the window of a loaded model (from 0.10).
    pub(super) fn tells_running_window(self) -> bool {
        match self {
            Self::Ollama033 | Self::Ollama033Native | Self::Ollama012 => true,
            Self::Ollama03
            | Self::LlamaServer
            | Self::LlamaServerShift
            | Self::Vllm
            | Self::LmStudio
            | Self::Proxy
            | Self::CachedOnly
            | Self::Blind => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_to_one_and_the_ones_in_files() {
        for face in Face::ALL {
            assert_eq!(Face::from_name(face.name()), Some(face));
            assert_eq!(serde_json::to_value(face).unwrap(), face.name());
        }
    }
}
