//! What a server reports for a request, by what it does when a conversation does not fit.

use brimline_core::conversation::Role;
use brimline_core::wire::Usage;

/// What a server does when a conversation does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// Ollama: drops the oldest messages, keeps half of the window when system and last message alone don't fit.
    Drop,
    /// Keeps the first tokens and the tail, half of the window in all.
    Halve,
    /// LM Studio: cuts the middle out, token by token.
    Middle,
    /// Keeps all of the prompt that fits, and drops the oldest tokens while writing.
    Shift,
    /// llama-server: refuses.
    Refuse,
}

/// How a server counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// All that it read.
    Whole,
    /// Only what was not in its cache.
    Uncached,
    /// Not at all.
    Silent,
}

/// A server, as far as counts go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its window, in tokens.
    pub window: u32,
    /// What it does when a conversation does not fit.
    pub overflow: Overflow,
    /// How it counts.
    pub counting: Counting,
    /// Tokens that its template says once: a first token, the start of the answer.
    pub once: u32,
}

/// What a server made of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It answered.
    Answered {
        /// What it reported.
        usage: Usage,
        /// Whether it had dropped a part of the prompt.
        truncated: bool,
        /// Whether it dropped the oldest tokens while it wrote.
        shifted: bool,
    },
    /// It refused, naming the prompt's size and its window.
    Refused {
        /// The prompt's size in tokens.
        prompt_tokens: u32,
    },
}

/// A message as the server sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sized {
    /// Who speaks.
    pub role: Role,
    /// Its tokens, with what the template puts around it.
    pub tokens: u32,
}

/// What Ollama protects of a prompt that it cuts token by token.
const NUM_KEEP: u32 = 4;

impl Server {
    /// Reads a prompt and writes an answer of `completion` tokens; `cached` messages were read before.
    pub fn answer(&self, prompt: &[Sized], cached: usize, completion: u32) -> Outcome {
        let whole = prompt.iter().map(|message| message.tokens).sum::<u32>() + self.once;
        let fits = whole <= self.window;
        let read = match self.overflow {
            _ if fits => whole,
            Overflow::Drop => self.dropping(prompt),
            Overflow::Halve => self.half(),
            Overflow::Middle | Overflow::Shift => self.window,
            Overflow::Refuse => return Outcome::Refused { prompt_tokens: whole },
        };
        let known: u32 = prompt.iter().take(cached).map(|message| message.tokens).sum();
        let prompt_tokens = match self.counting {
            Counting::Whole => Some(read),
            Counting::Uncached if fits => Some(whole - known),
            Counting::Uncached => Some(read),
            Counting::Silent => None,
        };
        let (completion, shifted) = match self.overflow {
            Overflow::Shift => (completion, read + completion > self.window),
            Overflow::Drop | Overflow::Halve | Overflow::Middle | Overflow::Refuse => {
                (completion.min(self.window - read), false)
            }
        };
        let completion_tokens = prompt_tokens.map(|_| completion);
        let usage = Usage { prompt_tokens, cached_tokens: None, completion_tokens };
        Outcome::Answered { usage, truncated: !fits, shifted }
    }

    fn dropping(&self, prompt: &[Sized]) -> u32 {
        let last = prompt.len().saturating_sub(1);
        let is_system = |message: &Sized| message.role == Role::System;
        let system: u32 =
            prompt.iter().filter(|message| is_system(message)).map(|message| message.tokens).sum();
        let mut read = system + self.once + prompt.last().map_or(0, |message| message.tokens);
        if read > self.window {
            return self.half();
        }
        for message in prompt.iter().take(last).rev().filter(|message| !is_system(message)) {
            if read + message.tokens > self.window {
                break;
            }
            read += message.tokens;
        }
        read
    }

    fn half(&self) -> u32 {
        self.window - (self.window - NUM_KEEP) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: [Sized; 4] = [
        Sized { role: Role::System, tokens: 100 },
        Sized { role: Role::User, tokens: 50 },
        Sized { role: Role::Assistant, tokens: 500 },
        Sized { role: Role::User, tokens: 300 },
    ];

    fn answer(window: u32, overflow: Overflow) -> Outcome {
        Server { window, overflow, counting: Counting::Whole, once: 3 }.answer(&PROMPT, 0, 10)
    }

    fn read(prompt_tokens: u32, truncated: bool) -> Outcome {
        let usage =
            Usage { prompt_tokens: Some(prompt_tokens), cached_tokens: None, completion_tokens: Some(10) };
        Outcome::Answered { usage, truncated, shifted: false }
    }

    #[test]
    fn drops_the_oldest_and_keeps_system_and_last() {
        assert_eq!(answer(963, Overflow::Drop), read(953, false));
        assert_eq!(answer(940, Overflow::Drop), read(903, true));
        assert_eq!(answer(800, Overflow::Drop), read(403, true));
        assert_eq!(answer(300, Overflow::Drop), read(152, true));
    }

    #[test]
    fn every_server_overflows_in_its_own_way() {
        assert_eq!(answer(800, Overflow::Halve), read(402, true));
        assert_eq!(answer(800, Overflow::Refuse), Outcome::Refused { prompt_tokens: 953 });
        let usage = Usage { prompt_tokens: Some(953), cached_tokens: None, completion_tokens: Some(10) };
        let shifted = Outcome::Answered { usage, truncated: false, shifted: true };
        assert_eq!(answer(960, Overflow::Shift), shifted);
    }
}
