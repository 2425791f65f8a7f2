//! What of a prompt is left when it does not fit, and what the model gets to see.

use super::face::{HugeMessage, PromptOverflow};
use super::template::{Rendered, WireMessage, render};
use super::tokenizer::Tokenizer;
use serde_json::Value;
use std::ops::Range;

/// Ollama keeps so many of the first tokens when it cuts within a message (`num_keep`).
const NUM_KEEP: usize = 4;

/// What is left of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fitted {
    /// The text that the model reads.
    pub(super) text: String,
    /// Its size in tokens.
    pub(super) tokens: u32,
    /// What the model can still read as messages: a cut one has what was left of its content.
    pub(super) messages: Vec<WireMessage>,
    /// The messages that were left whole, by their place in the request.
    pub(super) whole: Vec<usize>,
}

/// A prompt that was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong {
    /// Its size in tokens.
    pub(super) tokens: u32,
    /// Whether the server refused the conversation (true) or a message that is too large by itself (false).
    pub(super) of_conversation: bool,
}

/// Fits a prompt into the window, or refuses it.
pub(super) fn fit(
    messages: &[WireMessage],
    tools: &[Value],
    window: u32,
    overflow: PromptOverflow,
    tokenizer: &dyn Tokenizer,
) -> Result<Fitted, TooLong> {
    let all: Vec<usize> = (0..messages.len()).collect();
    let whole = kept(messages, tools, &all, tokenizer);
    match overflow {
        PromptOverflow::Refuse if whole.tokens > window => {
            Err(TooLong { tokens: whole.tokens, of_conversation: true })
        }
        PromptOverflow::CutMiddle if whole.tokens > window => {
            Ok(cut_middle(messages, tools, window, tokenizer))
        }
        PromptOverflow::Refuse | PromptOverflow::CutMiddle => Ok(whole),
        PromptOverflow::DropOldest(huge) => {
            let left =
                if whole.tokens > window { drop_oldest(messages, tools, window, tokenizer) } else { whole };
            fit_tokens(left, messages, tools, window, huge, tokenizer)
        }
    }
}

/// The prompt that Ollama shows when it is asked to render only: after its message level, before its token level.
pub(super) fn shown(
    messages: &[WireMessage],
    tools: &[Value],
    window: u32,
    truncate: bool,
    tokenizer: &dyn Tokenizer,
) -> String {
    let whole = render(messages, tools).text;
    if truncate && tokenizer.count(&whole) > window {
        drop_oldest(messages, tools, window, tokenizer).text
    } else {
        whole
    }
}

/// Ollama's message level: the longest suffix that fits together with all earlier system messages. The last message
/// always stays; a call and its result are not kept together; no room is left for the answer.
fn drop_oldest(messages: &[WireMessage], tools: &[Value], window: u32, tokenizer: &dyn Tokenizer) -> Fitted {
    let with_suffix = |from: usize| {
        let is_kept =
            |index: &usize| *index >= from || messages.get(*index).is_some_and(|m| m.role == "system");
        let indices: Vec<usize> = (0..messages.len()).filter(is_kept).collect();
        kept(messages, tools, &indices, tokenizer)
    };
    let last = messages.len().saturating_sub(1);
    (1..last).map(with_suffix).find(|left| left.tokens <= window).unwrap_or_else(|| with_suffix(last))
}

/// Ollama's token level, for what is still too large.
fn fit_tokens(
    left: Fitted,
    messages: &[WireMessage],
    tools: &[Value],
    window: u32,
    huge: HugeMessage,
    tokenizer: &dyn Tokenizer,
) -> Result<Fitted, TooLong> {
    let room = window as usize;
    let half = room.saturating_sub(NUM_KEEP) / 2;
    let (is_too_large, size) = match huge {
        HugeMessage::Half => (left.tokens >= window, room - half),
        HugeMessage::KeepAndHalf => (left.tokens > window, NUM_KEEP + half),
        HugeMessage::FullWindow => (left.tokens > window, room),
        HugeMessage::Refuse => (left.tokens >= window, 0),
    };
    if !is_too_large {
        return Ok(left);
    }
    if huge == HugeMessage::Refuse {
        return Err(TooLong { tokens: left.tokens, of_conversation: false });
    }
    let subset: Vec<WireMessage> =
        left.whole.iter().filter_map(|index| messages.get(*index).cloned()).collect();
    let head = NUM_KEEP.min(size);
    Ok(cut_tokens(&subset, tools, head, size - head, tokenizer))
}

/// LM Studio: the middle goes, halves of the window stay at both ends.
fn cut_middle(messages: &[WireMessage], tools: &[Value], window: u32, tokenizer: &dyn Tokenizer) -> Fitted {
    let head = window as usize / 2;
    cut_tokens(messages, tools, head, window as usize - head, tokenizer)
}

/// Keeps these messages whole.
fn kept(messages: &[WireMessage], tools: &[Value], indices: &[usize], tokenizer: &dyn Tokenizer) -> Fitted {
    let messages: Vec<WireMessage> =
        indices.iter().filter_map(|index| messages.get(*index).cloned()).collect();
    let text = render(&messages, tools).text;
    Fitted { tokens: tokenizer.count(&text), text, messages, whole: indices.to_vec() }
}

/// Keeps the first `head` and the last `tail` tokens.
fn cut_tokens(
    messages: &[WireMessage],
    tools: &[Value],
    head: usize,
    tail: usize,
    tokenizer: &dyn Tokenizer,
) -> Fitted {
    let rendered = render(messages, tools);
    let lengths = tokenizer.token_lengths(&rendered.text);
    let head_end = lengths.iter().take(head).sum::<usize>();
    let tail_start = rendered.text.len() - lengths.iter().rev().take(tail).sum::<usize>();
    // A token may end within a character: what was left of it is unreadable, and left out.
    let head_end = rendered.text.floor_char_boundary(head_end);
    let tail_start = rendered.text.ceil_char_boundary(tail_start.max(head_end));
    let left = [0..head_end, tail_start..rendered.text.len()];
    let read = |range: &Range<usize>| rendered.text.get(range.clone()).unwrap_or_default();
    let mut fitted = Fitted {
        text: left.iter().map(read).collect(),
        tokens: u32::try_from(head + tail).unwrap_or(u32::MAX),
        messages: Vec::new(),
        whole: Vec::new(),
    };
    for (index, (message, span)) in messages.iter().zip(&rendered.messages).enumerate() {
        let content = surviving(&rendered, span, &left);
        if content.len() == span.len() {
            fitted.whole.push(index);
            fitted.messages.push(message.clone());
        } else if !content.is_empty() {
            fitted.messages.push(WireMessage { content, ..message.clone() });
        }
    }
    fitted
}

/// What is left of a message.
fn surviving(rendered: &Rendered, span: &Range<usize>, left: &[Range<usize>]) -> String {
    let overlap = |range: &Range<usize>| range.start.max(span.start)..range.end.min(span.end);
    left.iter().map(overlap).filter_map(|range| rendered.text.get(range)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every byte is a token, so that sizes can be read off.
    struct Bytes;

    impl Tokenizer for Bytes {
        fn token_lengths(&self, text: &str) -> Vec<usize> {
            vec![1; text.len()]
        }
    }

    fn message(role: &str, content: &str) -> WireMessage {
        WireMessage { role: role.into(), content: content.into(), ..WireMessage::default() }
    }

    /// One user message whose prompt is of so many tokens.
    fn single(tokens: usize) -> Vec<WireMessage> {
        let marks = render(&[message("user", "")], &[]).text.len();
        vec![message("user", &"x".repeat(tokens - marks))]
    }

    fn reported(messages: &[WireMessage], overflow: PromptOverflow) -> Result<u32, TooLong> {
        fit(messages, &[], 4_096, overflow, &Bytes).map(|fitted| fitted.tokens)
    }

    #[test]
    fn one_huge_message_is_cut_as_each_version_does() {
        let huge = single(7_200);
        let too_long = |of_conversation| Err(TooLong { tokens: 7_200, of_conversation });
        assert_eq!(reported(&huge, PromptOverflow::DropOldest(HugeMessage::Half)), Ok(2_050));
        assert_eq!(reported(&huge, PromptOverflow::DropOldest(HugeMessage::KeepAndHalf)), Ok(2_050));
        assert_eq!(reported(&huge, PromptOverflow::DropOldest(HugeMessage::FullWindow)), Ok(4_096));
        assert_eq!(reported(&huge, PromptOverflow::DropOldest(HugeMessage::Refuse)), too_long(false));
        assert_eq!(reported(&huge, PromptOverflow::CutMiddle), Ok(4_096));
        assert_eq!(reported(&huge, PromptOverflow::Refuse), too_long(true));
    }

    #[test]
    fn what_just_fits_passes_whole() {
        let overflow = PromptOverflow::DropOldest(HugeMessage::Half);
        let counts = [4_090, 4_094, 4_095, 4_096, 4_097].map(|tokens| reported(&single(tokens), overflow));
        assert_eq!(counts, [Ok(4_090), Ok(4_094), Ok(4_095), Ok(2_050), Ok(2_050)]);
    }

    #[test]
    fn the_oldest_go_first_and_the_request_is_the_oldest() {
        let mut messages = vec![message("system", "s"), message("user", "the request")];
        for _ in 0..8 {
            messages.push(message("assistant", &"a".repeat(100)));
            messages.push(message("tool", &"t".repeat(500)));
        }
        let fitted =
            fit(&messages, &[], 4_096, PromptOverflow::DropOldest(HugeMessage::Half), &Bytes).unwrap();
        assert_eq!(fitted.whole.first(), Some(&0));
        assert!(!fitted.whole.contains(&1));
        assert_eq!(fitted.whole.last(), Some(&(messages.len() - 1)));
        assert!(fitted.tokens <= 4_096);
    }

    #[test]
    fn the_middle_is_cut_out_of_a_conversation() {
        let messages = [
            message("system", "s"),
            message("user", &"m".repeat(8_000)),
            message("user", "the last question"),
        ];
        let fitted = fit(&messages, &[], 4_096, PromptOverflow::CutMiddle, &Bytes).unwrap();
        assert_eq!(fitted.whole, vec![0, 2]);
        assert_eq!(fitted.messages.len(), 3);
        assert_eq!(fitted.tokens, 4_096);
    }

    fn conversations() -> impl Strategy<Value = Vec<WireMessage>> {
        let one =
            (prop_oneof![Just("system"), Just("user"), Just("assistant"), Just("tool")], "[a-zé🦀 ]{0,120}")
                .prop_map(|(role, content)| message(role, &content));
        prop::collection::vec(one, 1..14)
    }

    proptest! {
        #[test]
        fn the_longest_suffix_that_fits_stays_with_the_system_prompt(messages in conversations(), window in 200..1_500u32) {
            let overflow = PromptOverflow::DropOldest(HugeMessage::FullWindow);
            let fitted = fit(&messages, &[], window, overflow, &Bytes).unwrap();
            prop_assert!(fitted.tokens <= window);
            let whole = render(&messages, &[]).text.len();
            if whole <= window as usize {
                prop_assert_eq!(fitted.whole.len(), messages.len());
            } else if fitted.whole.len() == fitted.messages.len() {
                let system = (0..messages.len()).filter(|index| messages[*index].role == "system");
                for index in system.chain([messages.len() - 1]) {
                    prop_assert!(fitted.whole.contains(&index));
                }
                // One more message would not have fitted.
                let dropped: Vec<usize> = (0..messages.len()).filter(|index| !fitted.whole.contains(index)).collect();
                let mut more = fitted.whole.clone();
                more.push(*dropped.last().unwrap());
                more.sort_unstable();
                let more: Vec<WireMessage> = more.iter().map(|index| messages[*index].clone()).collect();
                // The first message is never tried: the server starts dropping with it.
                prop_assert!(dropped.len() == 1 || render(&more, &[]).text.len() > window as usize);
            }
        }

        #[test]
        fn no_overflow_ever_reports_more_than_the_window(messages in conversations(), window in 20..900u32) {
            for overflow in [
                PromptOverflow::DropOldest(HugeMessage::Half),
                PromptOverflow::DropOldest(HugeMessage::KeepAndHalf),
                PromptOverflow::DropOldest(HugeMessage::FullWindow),
                PromptOverflow::DropOldest(HugeMessage::Refuse),
                PromptOverflow::CutMiddle,
                PromptOverflow::Refuse,
            ] {
                if let Ok(fitted) = fit(&messages, &[], window, overflow, &Bytes) {
                    prop_assert!(fitted.tokens <= window);
                }
            }
        }
    }
}
