//! Clear: replace the content of old tool results with a note. The calls stay.

use crate::conversation::{CLEARED_NOTE, Content, Conversation, MessageId, Standing};

/// The tool results that a note can stand for: all that are still sent whole, but for the `keep` newest, and but for
/// those that are no longer than the note itself.
pub fn clearable(conversation: &Conversation, keep: usize) -> Vec<MessageId> {
    let results: Vec<(MessageId, usize)> = conversation
        .entries()
        .iter()
        .filter(|entry| entry.standing == Standing::Sent)
        .filter_map(|entry| match &entry.message.content {
            Content::ToolResult(result) => Some((entry.message.id, result.text.len())),
            Content::System { .. }
            | Content::Request { .. }
            | Content::Assistant { .. }
            | Content::Summary { .. } => None,
        })
        .collect();
    let old = results.len().saturating_sub(keep);
    results.into_iter().take(old).filter(|&(_, len)| len > CLEARED_NOTE.len()).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::ToolResult;

    fn result(text: &str) -> Content {
        Content::ToolResult(ToolResult {
            call_id: "call_1".into(),
            tool: "Read".into(),
            text: text.into(),
            is_error: false,
            trimmed_tokens: 0,
        })
    }

    #[test]
    fn the_newest_and_the_tiny_stay() {
        let mut conversation = Conversation::default();
        conversation.push(Content::Request { text: "Read everything".repeat(20) });
        let long = "a line of a file\n".repeat(20);
        let ids: Vec<MessageId> =
            [&long, "tiny", &long, &long].into_iter().map(|text| conversation.push(result(text))).collect();
        assert_eq!(clearable(&conversation, 1), vec![ids[0], ids[2]]);
        assert_eq!(clearable(&conversation, 4), vec![]);
        conversation.set_standing(ids[0], Standing::Cleared);
        assert_eq!(clearable(&conversation, 1), vec![ids[2]]);
    }
}
