//! The words for what the picture shows.

use super::layout::Holds;
use super::share::{Part, PartKind};
use crate::i18n::{Locale, td_string};
use crate::numbers::{count, estimate, whole};
use brimline_core::conversation::{MessageId, Purpose};
use brimline_core::overflow::WindowRange;
use brimline_core::timeline::{CompactionRejection, SegmentForm, StepTaken};
use brimline_core::window::{Window, WindowSource};

/// The name of a kind of part, as the legend has it.
pub(super) fn kind(language: Locale, kind: PartKind) -> &'static str {
    match kind {
        PartKind::System => td_string!(language, picture.kind.system),
        PartKind::Instructions => td_string!(language, picture.kind.instructions),
        PartKind::Overhead => td_string!(language, picture.kind.overhead),
        PartKind::Request => td_string!(language, picture.kind.request),
        PartKind::Assistant => td_string!(language, picture.kind.assistant),
        PartKind::Tool => td_string!(language, picture.kind.tool),
    }
}

/// The name of what a rectangle stands for.
pub(super) fn name(language: Locale, holds: &Holds) -> &'static str {
    match holds {
        Holds::Kept(part) | Holds::Dropped(part) if part.summary => {
            td_string!(language, picture.kind.summary)
        }
        Holds::Kept(part) | Holds::Dropped(part) => kind(language, part.kind),
        Holds::Free(_) => td_string!(language, picture.kind.free),
        Holds::Reserve(_) => td_string!(language, picture.kind.reserve),
    }
}

/// The name that stands in a rectangle.
pub(super) fn short_name(language: Locale, holds: &Holds) -> &'static str {
    match holds {
        Holds::Kept(part) | Holds::Dropped(part) if part.summary => {
            td_string!(language, picture.short.summary)
        }
        Holds::Kept(part) | Holds::Dropped(part) => match part.kind {
            PartKind::System => td_string!(language, picture.short.system),
            PartKind::Instructions => td_string!(language, picture.short.instructions),
            PartKind::Overhead => td_string!(language, picture.short.overhead),
            PartKind::Request => td_string!(language, picture.short.request),
            PartKind::Assistant => td_string!(language, picture.short.assistant),
            PartKind::Tool => td_string!(language, picture.short.tool),
        },
        Holds::Free(_) => td_string!(language, picture.short.free),
        Holds::Reserve(_) => td_string!(language, picture.short.reserve),
    }
}

/// How many tokens a rectangle stands for. A whole reserve is set, and no estimate.
pub(super) fn amount(language: Locale, holds: &Holds) -> String {
    match holds {
        Holds::Reserve(tokens) if tokens.fract() == 0.0 => whole(language, *tokens),
        Holds::Kept(_) | Holds::Dropped(_) | Holds::Free(_) | Holds::Reserve(_) => {
            estimate(language, holds.tokens())
        }
    }
}

/// A rectangle in words: what, how many tokens, which messages, and what became of them.
pub(super) fn piece(language: Locale, holds: &Holds) -> String {
    let tokens = amount(language, holds);
    let mut words =
        vec![td_string!(language, picture.segment, kind = name(language, holds), tokens = tokens)];
    words.extend(messages(language, holds.messages()));
    match holds {
        Holds::Kept(part) => words.extend(what_became(language, part)),
        Holds::Dropped(part) => {
            words.push(td_string!(language, picture.was_dropped).to_owned());
            words.extend(what_became(language, part));
        }
        Holds::Free(_) | Holds::Reserve(_) => {}
    }
    words.join(" · ")
}

fn messages(language: Locale, messages: &[MessageId]) -> Option<String> {
    // Counted from 1, as people do.
    let numbers: Vec<String> = messages.iter().map(|message| (message.0 + 1).to_string()).collect();
    let list = numbers.join(", ");
    (!numbers.is_empty())
        .then(|| td_string!(language, picture.of_messages, count = numbers.len(), list = list))
}

fn what_became(language: Locale, part: &Part) -> Option<String> {
    let words = match (part.form, part.summary) {
        (SegmentForm::Trimmed, _) => td_string!(language, picture.trimmed),
        (SegmentForm::Cleared, _) => td_string!(language, picture.cleared),
        (SegmentForm::Repeated, _) => td_string!(language, picture.repeated),
        (SegmentForm::Whole, true) => td_string!(language, picture.summarises),
        (SegmentForm::Whole, false) => return None,
    };
    Some(words.to_owned())
}

/// Why the model was called.
pub(super) fn purpose(language: Locale, purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Turn => td_string!(language, picture.purpose.turn),
        Purpose::Compaction => td_string!(language, picture.purpose.compaction),
        Purpose::Confirmation => td_string!(language, picture.purpose.confirmation),
    }
}

/// Where a window comes from.
pub(super) fn source(language: Locale, source: WindowSource) -> &'static str {
    match source {
        WindowSource::Proven => td_string!(language, picture.source.proven),
        WindowSource::Set => td_string!(language, picture.source.set),
        WindowSource::Told => td_string!(language, picture.source.told),
        WindowSource::Measured => td_string!(language, picture.source.measured),
        WindowSource::Assumed => td_string!(language, picture.source.assumed),
    }
}

/// A window and where it comes from.
pub(super) fn window(language: Locale, window: Window) -> String {
    let source = source(language, window.source);
    td_string!(language, picture.window_line, tokens = count(language, window.tokens), source = source)
}

/// What the evidence shows of the window.
pub(super) fn shown_window(language: Locale, range: WindowRange) -> String {
    let least = count(language, range.at_least);
    match range.at_most {
        Some(most) if most == range.at_least || range.at_least == 0 => {
            td_string!(language, picture.shown_most, most = count(language, most))
        }
        Some(most) => {
            td_string!(language, picture.shown_between, least = least, most = count(language, most))
        }
        None => td_string!(language, picture.shown_least, least = least),
    }
}

/// What one of the three steps did.
pub(super) fn step(language: Locale, step: &StepTaken) -> String {
    let about = |tokens: u32| estimate(language, f64::from(tokens));
    match step {
        StepTaken::Trimmed { left_out, .. } => {
            td_string!(language, picture.steps.trimmed, tokens = about(*left_out))
        }
        StepTaken::Cleared { messages, before, after } => td_string!(
            language,
            picture.steps.cleared,
            count = messages.len(),
            before = about(*before),
            after = about(*after)
        ),
        StepTaken::Compacted { messages, before, after, .. } => td_string!(
            language,
            picture.steps.compacted,
            count = messages.len(),
            before = about(*before),
            after = about(*after)
        ),
        StepTaken::WindowProven { before, after } => td_string!(
            language,
            picture.steps.window_proven,
            before = count(language, *before),
            after = count(language, *after)
        ),
        StepTaken::CompactionRejected { reason } => {
            td_string!(language, picture.steps.rejected, reason = rejection(language, *reason))
        }
    }
}

fn rejection(language: Locale, reason: CompactionRejection) -> &'static str {
    match reason {
        CompactionRejection::Truncated => td_string!(language, picture.rejection.truncated),
        CompactionRejection::Unsettled => td_string!(language, picture.rejection.unsettled),
        CompactionRejection::CutShort => td_string!(language, picture.rejection.cut_short),
        CompactionRejection::Empty => td_string!(language, picture.rejection.empty),
        CompactionRejection::Refused => td_string!(language, picture.rejection.refused),
        CompactionRejection::NotSmaller => td_string!(language, picture.rejection.not_smaller),
        CompactionRejection::Failed => td_string!(language, picture.rejection.failed),
    }
}
