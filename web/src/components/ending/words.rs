//! The texts for every way in which a run can end.

use crate::i18n::{Locale, td_string};
use crate::numbers::count;
use brimline_core::overflow::Verdict;
use brimline_core::run::{Assurance, EndReason, RunEnd};
use brimline_core::wire::ProviderError;

/// What a reader is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// What happened.
    pub happened: String,
    /// Why we think so.
    pub why: String,
    /// One thing to do.
    pub todo: String,
    /// A line to copy for that.
    pub command: Option<Command>,
}

/// A line for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Lets this page use Ollama.
    Origins {
        /// The page's origin.
        origin: String,
    },
    /// Brings a model.
    Pull {
        /// The model.
        model: String,
    },
}

impl Words {
    fn new(happened: impl ToString, why: impl ToString, todo: impl ToString) -> Self {
        Self { happened: happened.to_string(), why: why.to_string(), todo: todo.to_string(), command: None }
    }
}

/// The texts for an ending.
pub fn words(language: Locale, end: &RunEnd) -> Words {
    match &end.reason {
        EndReason::Answered => match end.assurance {
            Assurance::Verified => Words::new(
                td_string!(language, page.ending.answered.happened),
                td_string!(language, page.ending.answered.why),
                td_string!(language, page.ending.answered.todo),
            ),
            Assurance::Suspect => Words::new(
                td_string!(language, page.ending.answered_suspect.happened),
                td_string!(language, page.ending.answered_suspect.why),
                td_string!(language, page.ending.answered_suspect.todo),
            ),
            Assurance::Unverified => Words::new(
                td_string!(language, page.ending.answered_unverified.happened),
                td_string!(language, page.ending.answered_unverified.why),
                td_string!(language, page.ending.answered_unverified.todo),
            ),
        },
        EndReason::TurnsUsedUp { max_turns } => Words::new(
            td_string!(language, page.ending.max_turns.happened, turns = max_turns),
            td_string!(language, page.ending.max_turns.why),
            td_string!(language, page.ending.max_turns.todo),
        ),
        EndReason::AnswerCutShort { max_tokens } => Words::new(
            td_string!(language, page.ending.max_tokens.happened, tokens = count(language, *max_tokens)),
            td_string!(language, page.ending.max_tokens.why),
            td_string!(language, page.ending.max_tokens.todo),
        ),
        EndReason::ServerDropped { turn, verdict } => match verdict {
            Verdict::Shifted => Words::new(
                td_string!(language, page.ending.shifted.happened, turn = turn),
                td_string!(language, page.ending.shifted.why),
                td_string!(language, page.ending.shifted.todo),
            ),
            Verdict::Truncated
            | Verdict::Fits
            | Verdict::Suspect
            | Verdict::Refused
            | Verdict::Unverified => Words::new(
                td_string!(language, page.ending.truncated.happened, turn = turn),
                td_string!(language, page.ending.truncated.why),
                td_string!(language, page.ending.truncated.todo),
            ),
        },
        EndReason::WindowFull { window } => Words::new(
            td_string!(language, page.ending.window_full.happened),
            td_string!(language, page.ending.window_full.why, window = count(language, *window)),
            td_string!(language, page.ending.window_full.todo),
        ),
        EndReason::ServerRefused { prompt_tokens, window } => Words::new(
            td_string!(language, page.ending.server_refused.happened),
            match (prompt_tokens, window) {
                (Some(tokens), Some(window)) => {
                    let (tokens, window) = (count(language, *tokens), count(language, *window));
                    td_string!(language, page.ending.server_refused.why, tokens = tokens, window = window)
                }
                (Some(_) | None, None) | (None, Some(_)) => {
                    td_string!(language, page.ending.server_refused.why_silent).to_owned()
                }
            },
            td_string!(language, page.ending.server_refused.todo),
        ),
        EndReason::WouldNotFit { tokens, available } => {
            let (tokens, available) = (count(language, *tokens), count(language, *available));
            Words::new(
                td_string!(language, page.ending.would_not_fit.happened),
                td_string!(language, page.ending.would_not_fit.why, tokens = tokens, available = available),
                td_string!(language, page.ending.would_not_fit.todo),
            )
        }
        EndReason::Stopped => Words::new(
            td_string!(language, page.ending.stopped.happened),
            td_string!(language, page.ending.stopped.why),
            td_string!(language, page.ending.stopped.todo),
        ),
        EndReason::Declined => Words::new(
            td_string!(language, page.ending.refusal.happened),
            td_string!(language, page.ending.refusal.why),
            td_string!(language, page.ending.refusal.todo),
        ),
        EndReason::Failed(error) => words_of_error(language, error),
    }
}

/// The texts for a failure of the server.
pub fn words_of_error(language: Locale, error: &ProviderError) -> Words {
    match error {
        ProviderError::Unreachable { url } => Words::new(
            td_string!(language, page.ending.unreachable.happened, url = url),
            td_string!(language, page.ending.unreachable.why),
            td_string!(language, page.ending.unreachable.todo),
        ),
        ProviderError::OriginRefused { origin } => Words {
            command: Some(Command::Origins { origin: origin.clone() }),
            ..Words::new(
                td_string!(language, page.ending.origin_refused.happened),
                td_string!(language, page.ending.origin_refused.why, origin = origin),
                td_string!(language, page.ending.origin_refused.todo),
            )
        },
        ProviderError::ModelMissing { model } => Words {
            command: Some(Command::Pull { model: model.clone() }),
            ..Words::new(
                td_string!(language, page.ending.model_missing.happened, model = model),
                td_string!(language, page.ending.model_missing.why),
                td_string!(language, page.ending.model_missing.todo),
            )
        },
        ProviderError::ToolsUnsupported => Words::new(
            td_string!(language, page.ending.tools_unsupported.happened),
            td_string!(language, page.ending.tools_unsupported.why),
            td_string!(language, page.ending.tools_unsupported.todo),
        ),
        // As the end of a run this is `ServerRefused`; here it is only what a question about the server met.
        ProviderError::ContextRefused { .. } => Words::new(
            td_string!(language, page.ending.server_refused.happened),
            td_string!(language, page.ending.server_refused.why_silent),
            td_string!(language, page.ending.server_refused.todo),
        ),
        ProviderError::Unauthorized => Words::new(
            td_string!(language, page.ending.unauthorized.happened),
            td_string!(language, page.ending.unauthorized.why),
            td_string!(language, page.ending.unauthorized.todo),
        ),
        ProviderError::Status { status, text } => Words::new(
            td_string!(language, page.ending.status.happened, status = status),
            match text.trim() {
                "" => td_string!(language, page.ending.status.why_silent).to_owned(),
                text => td_string!(language, page.ending.status.why, text = text),
            },
            td_string!(language, page.ending.status.todo),
        ),
        ProviderError::InStream { text } => Words::new(
            td_string!(language, page.ending.in_stream.happened),
            td_string!(language, page.ending.in_stream.why, text = text),
            td_string!(language, page.ending.in_stream.todo),
        ),
        ProviderError::NotAModelServer { text } => Words::new(
            td_string!(language, page.ending.not_a_model_server.happened),
            match text.trim() {
                "" => td_string!(language, page.ending.not_a_model_server.why_empty).to_owned(),
                text => td_string!(language, page.ending.not_a_model_server.why, text = text),
            },
            td_string!(language, page.ending.not_a_model_server.todo),
        ),
        ProviderError::Closed => Words::new(
            td_string!(language, page.ending.closed.happened),
            td_string!(language, page.ending.closed.why),
            td_string!(language, page.ending.closed.todo),
        ),
        ProviderError::TimedOut { seconds } => Words::new(
            td_string!(language, page.ending.timed_out.happened, seconds = seconds),
            td_string!(language, page.ending.timed_out.why),
            td_string!(language, page.ending.timed_out.todo),
        ),
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn every_reason() -> Vec<EndReason> {
        let text = || String::from("out of memory");
        vec![
            EndReason::Answered,
            EndReason::TurnsUsedUp { max_turns: 40 },
            EndReason::AnswerCutShort { max_tokens: 1_024 },
            EndReason::ServerDropped { turn: 3, verdict: Verdict::Truncated },
            EndReason::ServerDropped { turn: 3, verdict: Verdict::Shifted },
            EndReason::ServerRefused { prompt_tokens: Some(5_000), window: Some(4_096) },
            EndReason::WindowFull { window: 4_096 },
            EndReason::WouldNotFit { tokens: 5_000, available: 3_072 },
            EndReason::Stopped,
            EndReason::Declined,
            EndReason::Failed(ProviderError::Unreachable { url: "http://localhost:11434".into() }),
            EndReason::Failed(ProviderError::OriginRefused { origin: "http://page.example".into() }),
            EndReason::Failed(ProviderError::ModelMissing { model: "qwen3:4b".into() }),
            EndReason::Failed(ProviderError::ToolsUnsupported),
            EndReason::Failed(ProviderError::Unauthorized),
            EndReason::Failed(ProviderError::Status { status: 500, text: text() }),
            EndReason::Failed(ProviderError::InStream { text: text() }),
            EndReason::Failed(ProviderError::NotAModelServer { text: "<html>".into() }),
            EndReason::Failed(ProviderError::Closed),
            EndReason::Failed(ProviderError::TimedOut { seconds: 180 }),
        ]
    }

    fn all(language: Locale) -> Vec<Words> {
        let end = |reason| RunEnd { reason, assurance: Assurance::Verified };
        every_reason().into_iter().map(|reason| words(language, &end(reason))).collect()
    }

    #[test]
    fn no_two_endings_say_the_same_in_either_language() {
        let (english, spanish) = (all(Locale::en), all(Locale::es));
        let said: BTreeSet<String> =
            english.iter().chain(&spanish).map(|words| words.happened.clone()).collect();
        assert_eq!(said.len(), 2 * every_reason().len());
        for words in english.iter().chain(&spanish) {
            assert!(!words.why.is_empty() && !words.todo.is_empty(), "{words:?}");
        }
    }

    #[test]
    fn a_refused_origin_gives_the_line_to_set() {
        let error = ProviderError::OriginRefused { origin: "https://page.example".into() };
        assert_eq!(
            words_of_error(Locale::en, &error),
            Words {
                happened: "The server is up, but it doesn't accept this page.".into(),
                why: "A request that needs no permission came through, and the real one did not: the server doesn't \
                      allow the origin https://page.example."
                    .into(),
                todo: "Stop Ollama, start it again with this line, and send again:".into(),
                command: Some(Command::Origins { origin: "https://page.example".into() }),
            }
        );
    }

    #[test]
    fn an_answer_that_nobody_checked_is_not_told_as_a_normal_one() {
        let happened = [Assurance::Verified, Assurance::Suspect, Assurance::Unverified]
            .map(|assurance| words(Locale::en, &RunEnd { reason: EndReason::Answered, assurance }).happened);
        assert_eq!(
            happened,
            [
                "The model answered.",
                "The model answered, but perhaps not from the whole conversation.",
                "The model answered, but nobody can tell what it had read.",
            ]
        );
    }

    #[test]
    fn an_error_without_words_is_told_without_quoting_nothing() {
        let error = ProviderError::Status { status: 502, text: "  ".into() };
        assert_eq!(words_of_error(Locale::en, &error).why, "It said nothing more.");
    }
}
