//! Bytes of a response in any split become deltas, and in the end a whole reply.

use super::answer::Answer;
use super::error::{ProviderError, error_in, shortened};
use super::lines::Lines;
use super::reply::Reply;
use super::{Wire, ollama, openai};

/// Something new in an answer under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// A thinking model goes on thinking.
    Thinking(String),
    /// The answer goes on.
    Text(String),
    /// A tool call goes on: its place among the calls, and what is new of its name and of its arguments.
    Call {
        /// Its place among the calls of this answer, from 0.
        index: usize,
        /// What is new of the tool's name.
        name: String,
        /// What is new of the arguments' JSON text.
        arguments: String,
    },
    /// The server is still reading the prompt (llama-server's `return_progress`), in tokens.
    Progress {
        /// So many are read.
        processed: u32,
        /// Of so many.
        total: u32,
        /// So many of them came from its cache.
        cached: u32,
    },
}

/// Decodes the body of one successful response. For an unsuccessful one there is [`classify`](super::classify).
#[derive(Debug)]
pub struct Decoder {
    wire: Wire,
    lines: Lines,
    /// The data lines of the server-sent event under way.
    event: Vec<String>,
    /// Lines that are none of this wire's, kept in case the server sent one JSON body instead of a stream.
    stray: String,
    answer: Answer,
    is_over: bool,
}

/// Stray text is kept up to this many bytes: enough for a whole answer.
const STRAY_LIMIT: usize = 8 << 20;

impl Decoder {
    pub(super) fn new(wire: Wire) -> Self {
        Self {
            wire,
            lines: Lines::default(),
            event: Vec::new(),
            stray: String::new(),
            answer: Answer::default(),
            is_over: false,
        }
    }

    /// Takes the next bytes of the body, split anywhere.
    ///
    /// # Errors
    /// An error that the server reports within its answer, or bytes that are no answer at all.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, ProviderError> {
        let mut deltas = Vec::new();
        for line in self.lines.push(bytes)? {
            self.line(&line, &mut deltas)?;
        }
        Ok(deltas)
    }

    /// The body has ended: the whole reply.
    ///
    /// # Errors
    /// [`ProviderError::Closed`] if it ended before the answer did; what the server reported; or that it was no answer.
    pub fn finish(mut self) -> Result<Reply, ProviderError> {
        let mut deltas = Vec::new();
        if let Some(line) = self.lines.rest() {
            self.line(&line, &mut deltas)?;
        }
        self.dispatch(&mut deltas)?;
        if !self.is_over && !self.answer.has_begun() {
            self.take_whole_body()?;
        }
        if self.is_over || self.answer.has_finished() {
            Ok(self.answer.into_reply())
        } else {
            Err(ProviderError::Closed)
        }
    }

    /// What has come so far, for when the user stops or the connection breaks.
    pub fn partial(&self) -> Reply {
        self.answer.clone().into_reply()
    }

    fn line(&mut self, line: &str, deltas: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        match self.wire {
            Wire::OpenAi => self.event_line(line, deltas),
            Wire::Ollama if line.trim().is_empty() => Ok(()),
            Wire::Ollama => match ollama::take_line(line, &mut self.answer, deltas)? {
                Some(is_over) => {
                    self.is_over |= is_over;
                    Ok(())
                }
                None => self.stray_line(line),
            },
        }
    }

    /// A line of a server-sent event stream.
    fn event_line(&mut self, line: &str, deltas: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if line.is_empty() {
            return self.dispatch(deltas);
        }
        match line.split_once(':') {
            Some(("data", data)) => self.event.push(data.strip_prefix(' ').unwrap_or(data).to_owned()),
            // llama-server reports an error within a stream in a field of its own.
            Some(("error", data)) if data.trim_start().starts_with('{') => {
                self.event.push(format!("{{\"error\":{data}}}"));
            }
            // A comment, or a field that says nothing about the answer.
            Some(("" | "event" | "id" | "retry", _)) => {}
            Some(_) | None => self.stray_line(line)?,
        }
        Ok(())
    }

    /// An event is complete.
    fn dispatch(&mut self, deltas: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let lines = std::mem::take(&mut self.event);
        let data = lines.join("\n");
        if data.trim() == "[DONE]" {
            self.is_over = true;
        } else if !data.trim().is_empty() && !openai::take_event(&data, &mut self.answer, deltas)? {
            // Some servers leave the empty line between events out: then each data line is an event.
            let one_each = lines.len() > 1
                && lines
                    .iter()
                    .all(|line| line == "[DONE]" || serde_json::from_str::<serde_json::Value>(line).is_ok());
            if !one_each {
                return Err(self.unreadable(&data));
            }
            for line in lines {
                self.event.push(line);
                self.dispatch(deltas)?;
            }
        }
        Ok(())
    }

    fn stray_line(&mut self, line: &str) -> Result<(), ProviderError> {
        if self.answer.has_begun() {
            return Err(self.unreadable(line));
        }
        if self.stray.len() < STRAY_LIMIT {
            self.stray.push_str(line);
            self.stray.push('\n');
        }
        Ok(())
    }

    /// A server that does not stream sends one JSON body; anything else is no answer of a model server.
    fn take_whole_body(&mut self) -> Result<(), ProviderError> {
        let body = std::mem::take(&mut self.stray);
        let text = body.trim();
        if text.is_empty() {
            return Err(ProviderError::Closed);
        }
        match serde_json::from_str::<serde_json::Value>(text) {
            Err(error) if error.is_eof() => Err(ProviderError::Closed),
            Err(_) => Err(ProviderError::NotAModelServer { text: shortened(text) }),
            Ok(value) => {
                if let Some(error) = error_in(&value) {
                    return Err(error);
                }
                let mut deltas = Vec::new();
                let taken = match self.wire {
                    Wire::OpenAi => openai::take_event(text, &mut self.answer, &mut deltas)?,
                    Wire::Ollama => ollama::take_line(text, &mut self.answer, &mut deltas)?.is_some(),
                };
                if taken && self.answer.has_finished() {
                    Ok(())
                } else {
                    Err(ProviderError::NotAModelServer { text: shortened(text) })
                }
            }
        }
    }

    /// Data that can't be read: half of it where the connection broke, else no answer of a model server.
    fn unreadable(&self, data: &str) -> ProviderError {
        match serde_json::from_str::<serde_json::Value>(data) {
            Err(error) if error.is_eof() => ProviderError::Closed,
            Ok(_) | Err(_) => ProviderError::NotAModelServer { text: shortened(data) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolCall;
    use crate::wire::{Finish, Usage};
    use proptest::prelude::*;

    const SSE: &str = concat!(
        ": a comment\r\n\r\n",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n",
        "data:{\"choices\":[{\"delta\":{\"reasoning_content\":\"Hm\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Aquí está: 日本 🦀\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"Read\",\"arguments\":\"\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"path\\\":\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"é\\\"}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"function\":{\"name\":\"Glob\",\"arguments\":{\"pattern\":\"*\"}}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n\n",
        "data: [DONE]\n\n",
    );

    const NDJSON: &str = concat!(
        "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"Hm\"},\"done\":false}\n",
        "{\"message\":{\"content\":\"Aquí está: 日本 🦀\"},\"done\":false}\n",
        "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"Read\",\"arguments\":{\"path\":\"é\"}}}]},\"done\":false}\n",
        "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":12,\"eval_count\":3}\n",
    );

    fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: arguments.into() }
    }

    fn decode(wire: Wire, pieces: &[&[u8]]) -> Result<Reply, ProviderError> {
        let mut decoder = wire.decoder();
        for piece in pieces {
            decoder.push(piece)?;
        }
        decoder.finish()
    }

    #[test]
    fn a_stream_of_events() {
        assert_eq!(
            decode(Wire::OpenAi, &[SSE.as_bytes()]),
            Ok(Reply {
                thinking: "Hm".into(),
                text: "Aquí está: 日本 🦀".into(),
                calls: vec![
                    call("a", "Read", "{\"path\":\"é\"}"),
                    call("call_2", "Glob", "{\"pattern\":\"*\"}")
                ],
                finish: Finish::ToolCalls,
                usage: Usage { prompt_tokens: Some(12), cached_tokens: Some(4), completion_tokens: Some(3) },
            })
        );
    }

    #[test]
    fn a_stream_of_lines() {
        assert_eq!(
            decode(Wire::Ollama, &[NDJSON.as_bytes()]),
            Ok(Reply {
                thinking: "Hm".into(),
                text: "Aquí está: 日本 🦀".into(),
                calls: vec![call("call_1", "Read", "{\"path\":\"é\"}")],
                finish: Finish::Stop,
                usage: Usage { prompt_tokens: Some(12), cached_tokens: None, completion_tokens: Some(3) },
            })
        );
    }

    #[test]
    fn one_body_instead_of_a_stream() {
        let body = "{\n\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]},\"finish_reason\":\"stop\"}],\n\"usage\":{\"prompt_tokens\":2}}";
        let reply = decode(Wire::OpenAi, &[body.as_bytes()]).unwrap();
        assert_eq!((reply.text.as_str(), reply.usage.prompt_tokens), ("Hi", Some(2)));
    }

    #[test]
    fn what_is_no_answer_says_so() {
        let not_a_server = |text: &str| ProviderError::NotAModelServer { text: text.into() };
        let in_stream = |text: &str| ProviderError::InStream { text: text.into() };
        let cases = [
            (Wire::OpenAi, "", ProviderError::Closed),
            (Wire::OpenAi, "<html>Hello</html>", not_a_server("<html>Hello</html>")),
            (Wire::OpenAi, "{\"choices\":[{\"mess", ProviderError::Closed),
            (
                Wire::OpenAi,
                "data: {\"choices\":[{\"delta\":{\"content\":\"Hal\"}}]}\n\n",
                ProviderError::Closed,
            ),
            (Wire::OpenAi, "data: {\"choices\":[{\"del", ProviderError::Closed),
            (
                Wire::OpenAi,
                "data: {\"error\":{\"message\":\"out of memory\"}}\n\n",
                in_stream("out of memory"),
            ),
            (Wire::OpenAi, "error: {\"code\":500,\"message\":\"x\"}\n\n", in_stream("x")),
            (Wire::OpenAi, "{\"hello\":\"world\"}", not_a_server("{\"hello\":\"world\"}")),
            (Wire::Ollama, "", ProviderError::Closed),
            (Wire::Ollama, "<!doctype html>\n<p>Hi</p>", not_a_server("<!doctype html> <p>Hi</p>")),
            (
                Wire::Ollama,
                "{\"message\":{\"content\":\"Hal\"},\"done\":false}\n{\"mess",
                ProviderError::Closed,
            ),
            (Wire::Ollama, "{\"message\":{\"content\":\"Hal\"},\"done\":false}\n", ProviderError::Closed),
            (Wire::Ollama, "{\"error\":\"out of memory\"}\n", in_stream("out of memory")),
        ];
        for (wire, body, error) in cases {
            assert_eq!(decode(wire, &[body.as_bytes()]), Err(error), "{body}");
        }
    }

    #[test]
    fn a_finish_without_its_end_mark_is_whole() {
        let body = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n";
        assert_eq!(decode(Wire::OpenAi, &[body.as_bytes()]).unwrap().text, "Hi");
    }

    #[test]
    fn what_came_before_a_break_is_there() {
        let mut decoder = Wire::OpenAi.decoder();
        decoder.push(b"data: {\"choices\":[{\"delta\":{\"content\":\"Half an ans\"}}]}\n\ndata: {").unwrap();
        assert_eq!(decoder.partial().text, "Half an ans");
    }

    #[test]
    fn whole_calls_under_one_number_stay_apart() {
        let body = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"Read\",\"arguments\":\"{}\"}},{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"Read\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n";
        let calls = decode(Wire::OpenAi, &[body.as_bytes()]).unwrap().calls;
        assert_eq!(calls, vec![call("a", "Read", "{}"), call("b", "Read", "{}")]);
    }

    #[test]
    fn every_single_split_decodes_the_same() {
        for (wire, body) in [(Wire::OpenAi, SSE), (Wire::Ollama, NDJSON)] {
            let whole = decode(wire, &[body.as_bytes()]);
            for at in 0..body.len() {
                let (head, tail) = body.as_bytes().split_at(at);
                assert_eq!(decode(wire, &[head, tail]), whole, "{at}");
            }
            let bytes: Vec<&[u8]> = body.as_bytes().chunks(1).collect();
            assert_eq!(decode(wire, &bytes), whole);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_give_an_answer_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300), cut in 0..300usize) {
            for wire in [Wire::OpenAi, Wire::Ollama] {
                let (head, tail) = bytes.split_at(cut.min(bytes.len()));
                let _ = decode(wire, &[head, tail]);
            }
        }

        #[test]
        fn a_broken_stream_gives_an_answer_or_an_error(at in 0..1_200usize, junk in "[\\PC\n]{0,20}") {
            for (wire, body) in [(Wire::OpenAi, SSE), (Wire::Ollama, NDJSON)] {
                let at = body.floor_char_boundary(at);
                let (head, tail) = body.split_at(at);
                let _ = decode(wire, &[head.as_bytes(), junk.as_bytes(), tail.as_bytes()]);
            }
        }
    }
}
