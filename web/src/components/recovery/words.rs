//! The texts for the ways to go on.

use crate::i18n::{Locale, td_string};
use crate::numbers::{count, estimate};
use brimline_core::run::{Offer, Recovery};

/// The name of its button, for browser tests.
pub(super) fn testid(recovery: &Recovery) -> &'static str {
    match recovery {
        Recovery::UseWindow { .. } => "recover-use-window",
        Recovery::RaiseWindow { .. } => "recover-raise-window",
        Recovery::DropResults { .. } => "recover-drop-results",
    }
}

/// What its button says. `asks_server`: the server can be asked for another window, else the reader starts it anew.
pub(super) fn title(language: Locale, recovery: &Recovery, asks_server: bool) -> String {
    match recovery {
        Recovery::UseWindow { tokens } => {
            td_string!(language, recovery.use_window, tokens = count(language, *tokens))
        }
        Recovery::RaiseWindow { tokens } if asks_server => {
            td_string!(language, recovery.raise_window, tokens = count(language, *tokens))
        }
        Recovery::RaiseWindow { tokens } => {
            td_string!(language, recovery.raised_window, tokens = count(language, *tokens))
        }
        Recovery::DropResults { messages, .. } => {
            td_string!(language, recovery.drop_results, count = messages.len())
        }
    }
}

/// What it would do to the context.
pub(super) fn what_it_does(language: Locale, offer: &Offer) -> String {
    let size = match &offer.recovery {
        Recovery::RaiseWindow { .. } => td_string!(
            language,
            recovery.stays,
            before = estimate(language, f64::from(offer.before)),
            room = count(language, offer.available)
        ),
        Recovery::UseWindow { .. } | Recovery::DropResults { .. } => td_string!(
            language,
            recovery.shrinks,
            before = estimate(language, f64::from(offer.before)),
            after = estimate(language, f64::from(offer.after)),
            room = count(language, offer.available)
        ),
    };
    if offer.compacts { format!("{size} {}", td_string!(language, recovery.compacts)) } else { size }
}

/// Lines that start a server with that window, where it can't be asked for one.
pub(super) fn commands(tokens: u32) -> Vec<String> {
    vec![
        format!("OLLAMA_CONTEXT_LENGTH={tokens} ollama serve"),
        format!("llama-server -m MODEL.gguf -c {tokens}"),
    ]
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn each_way_says_what_it_would_do() {
        let offer =
            |recovery, after, compacts| Offer { recovery, before: 911, after, available: 768, compacts };
        let offers = [
            offer(Recovery::UseWindow { tokens: 4_096 }, 601, true),
            offer(Recovery::DropResults { messages: Vec::new(), window: None }, 300, false),
        ];
        assert_eq!(
            offers.each_ref().map(|offer| what_it_does(Locale::en, offer)),
            [
                "The context shrinks from ~911 to ~601 tokens, with room for 768. Then the model summarises it, since it is still large.",
                "The context shrinks from ~911 to ~300 tokens, with room for 768.",
            ]
        );
        let raised = Offer { available: 1_000, ..offer(Recovery::RaiseWindow { tokens: 8_192 }, 911, false) };
        assert_eq!(
            [Locale::en, Locale::es].map(|language| what_it_does(language, &raised)),
            [
                "The context stays as it is, ~911 tokens, with room for 1000.",
                "El contexto queda como está, ~911 tokens, con sitio para 1000.",
            ]
        );
    }
}
