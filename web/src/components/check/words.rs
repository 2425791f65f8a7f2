//! What a report says, in the reader's language.

use crate::i18n::{Locale, td_string};
use crate::numbers::count;
use brimline_core::check::{
    Advice, AnswerOverflow, ConversationOverflow, Evidence, Failure, HugeOverflow, KeyFate, MeasuredBy,
    Report, Stage, ToolsFinding, TwoKeys, UsageFinding, Verdict, WindowFinding,
};

/// A name for browser tests.
pub(super) fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Honest => "honest",
        Verdict::Silent => "silent",
        Verdict::SilentUnlessAsked => "silent-unless-asked",
        Verdict::Roomy { .. } => "roomy",
        Verdict::CachedOnly => "cached-only",
        Verdict::Blind => "blind",
        Verdict::Unclear => "unclear",
        Verdict::Stopped => "stopped",
        Verdict::Failed(_) => "failed",
    }
}

/// The verdict in a sentence.
pub(super) fn verdict(language: Locale, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Honest => td_string!(language, check.verdict.honest).into(),
        Verdict::Silent => td_string!(language, check.verdict.silent).into(),
        Verdict::SilentUnlessAsked => td_string!(language, check.verdict.silent_unless_asked).into(),
        Verdict::Roomy { at_least } => {
            td_string!(language, check.verdict.roomy, tokens = count(language, *at_least))
        }
        Verdict::CachedOnly => td_string!(language, check.verdict.cached_only).into(),
        Verdict::Blind => td_string!(language, check.verdict.blind).into(),
        Verdict::Unclear => td_string!(language, check.verdict.unclear).into(),
        Verdict::Stopped => td_string!(language, check.verdict.stopped).into(),
        Verdict::Failed(failure) => {
            td_string!(language, check.verdict.failed, cause = cause(language, *failure))
        }
    }
}

fn cause(language: Locale, failure: Failure) -> String {
    match failure {
        Failure::NothingAnswers => td_string!(language, check.cause.nothing_answers).into(),
        Failure::OriginRefused => td_string!(language, check.cause.origin_refused).into(),
        Failure::ModelMissing => td_string!(language, check.cause.model_missing).into(),
        Failure::Unauthorized => td_string!(language, check.cause.unauthorized).into(),
        Failure::NotAModelServer => td_string!(language, check.cause.not_a_model_server).into(),
        Failure::Status(status) => td_string!(language, check.cause.status, status = status),
        Failure::BreaksOff => td_string!(language, check.cause.breaks_off).into(),
        Failure::Silent(seconds) => td_string!(language, check.cause.silent, seconds = seconds),
    }
}

/// How large the window is, and how that is known.
pub(super) fn window(language: Locale, window: WindowFinding) -> String {
    match window {
        WindowFinding::Measured { tokens, by } => {
            let tokens = count(language, tokens);
            match by {
                MeasuredBy::Refusal => td_string!(language, check.window.refusal, tokens = tokens),
                MeasuredBy::Counts => td_string!(language, check.window.counts, tokens = tokens),
                MeasuredBy::Bracket { passed, failed } => td_string!(
                    language,
                    check.window.bracket,
                    passed = count(language, passed),
                    failed = count(language, failed)
                ),
            }
        }
        WindowFinding::AtLeast { tokens } => {
            td_string!(language, check.window.at_least, tokens = count(language, tokens))
        }
        WindowFinding::Unknown => td_string!(language, check.window.unknown).into(),
    }
}

/// The findings, each with its name.
pub(super) fn rows(language: Locale, report: &Report) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        (td_string!(language, check.row.window), window(language, report.window)),
        (td_string!(language, check.row.usage), usage(language, report.usage).to_owned()),
        (td_string!(language, check.row.conversation), conversation(language, report)),
        (td_string!(language, check.row.huge), huge(language, report.huge)),
        (td_string!(language, check.row.answer), answer(language, report.answer).to_owned()),
        (td_string!(language, check.row.refusing), refusing(language, report.refuses_when_asked).to_owned()),
        (td_string!(language, check.row.tools), tools(language, report.tools).to_owned()),
    ];
    if let Some(told) = report.told {
        let told = td_string!(language, check.window.told, tokens = count(language, told));
        rows.insert(1, (td_string!(language, check.row.told), told));
    }
    if let Some(keys) = &report.two_keys {
        rows.push((td_string!(language, check.row.two_keys), two_keys(language, keys)));
    }
    rows
}

fn usage(language: Locale, usage: UsageFinding) -> &'static str {
    match usage {
        UsageFinding::Complete => td_string!(language, check.usage.complete),
        UsageFinding::CachedOnly => td_string!(language, check.usage.cached_only),
        UsageFinding::Missing => td_string!(language, check.usage.missing),
        UsageFinding::Senseless => td_string!(language, check.usage.senseless),
        UsageFinding::Unknown => td_string!(language, check.not_seen),
    }
}

fn conversation(language: Locale, report: &Report) -> String {
    let what = match report.conversation {
        ConversationOverflow::Refuses => td_string!(language, check.conversation.refuses),
        ConversationOverflow::DropsOldest => td_string!(language, check.conversation.drops_oldest),
        ConversationOverflow::CutsBeginning => td_string!(language, check.conversation.cuts_beginning),
        ConversationOverflow::CutsMiddle => td_string!(language, check.conversation.cuts_middle),
        ConversationOverflow::CutsSomewhere => td_string!(language, check.conversation.cuts_somewhere),
        ConversationOverflow::Loses => td_string!(language, check.conversation.loses),
        ConversationOverflow::Unknown => return td_string!(language, check.not_seen).into(),
    };
    let by = report.evidence.iter().map(|evidence| match evidence {
        Evidence::Said => td_string!(language, check.evidence.said),
        Evidence::Counts => td_string!(language, check.evidence.counts),
        Evidence::Words => td_string!(language, check.evidence.words),
        Evidence::Prompt => td_string!(language, check.evidence.prompt),
    });
    let by: Vec<&str> = by.collect();
    if by.is_empty() {
        return what.to_owned();
    }
    format!("{what} {}", td_string!(language, check.evidence.shown_by, list = by.join(", ")))
}

fn huge(language: Locale, huge: HugeOverflow) -> String {
    match huge {
        HugeOverflow::Refuses => td_string!(language, check.huge.refuses).into(),
        HugeOverflow::KeepsWindow => td_string!(language, check.huge.keeps_window).into(),
        HugeOverflow::KeepsHalf => td_string!(language, check.huge.keeps_half).into(),
        HugeOverflow::Keeps(tokens) => {
            td_string!(language, check.huge.keeps, tokens = count(language, tokens))
        }
        HugeOverflow::Unknown => td_string!(language, check.not_seen).into(),
    }
}

fn answer(language: Locale, answer: AnswerOverflow) -> &'static str {
    match answer {
        AnswerOverflow::Shifts => td_string!(language, check.answer.shifts),
        AnswerOverflow::Stops => td_string!(language, check.answer.stops),
        AnswerOverflow::Unknown => td_string!(language, check.not_seen),
    }
}

fn refusing(language: Locale, refuses: Option<bool>) -> &'static str {
    match refuses {
        Some(true) => td_string!(language, check.refusing.yes),
        Some(false) => td_string!(language, check.refusing.no),
        None => td_string!(language, check.refusing.not_asked),
    }
}

fn tools(language: Locale, tools: ToolsFinding) -> &'static str {
    match tools {
        ToolsFinding::Structured => td_string!(language, check.tools.structured),
        ToolsFinding::AsText => td_string!(language, check.tools.as_text),
        ToolsFinding::NotCalled => td_string!(language, check.tools.not_called),
        ToolsFinding::Refused => td_string!(language, check.tools.refused),
        ToolsFinding::Unknown => td_string!(language, check.not_seen),
    }
}

fn two_keys(language: Locale, keys: &TwoKeys) -> String {
    let fate = |fate: KeyFate| match fate {
        KeyFate::Survived => td_string!(language, check.keys.survived),
        KeyFate::Lost => td_string!(language, check.keys.lost),
        KeyFate::NotSaid => td_string!(language, check.keys.not_said),
    };
    match keys {
        TwoKeys::Refused => td_string!(language, check.keys.refused).into(),
        TwoKeys::Failed => td_string!(language, check.keys.failed).into(),
        TwoKeys::Answered { system, task, .. } => {
            td_string!(language, check.keys.answered, system = fate(*system), task = fate(*task))
        }
    }
}

/// One thing to do.
pub(super) fn advice(language: Locale, advice: &Advice) -> String {
    match advice {
        Advice::UseWindow(tokens) => {
            td_string!(language, check.advice.use_window, tokens = count(language, *tokens))
        }
        Advice::UseAtMost(tokens) => {
            td_string!(language, check.advice.use_at_most, tokens = count(language, *tokens))
        }
        Advice::DistrustTold { told, measured } => td_string!(
            language,
            check.advice.distrust_told,
            told = count(language, *told),
            measured = count(language, *measured)
        ),
        Advice::AskToRefuse => td_string!(language, check.advice.ask_to_refuse).into(),
        Advice::RaiseWindow => td_string!(language, check.advice.raise_window).into(),
        Advice::ReplaceServer => td_string!(language, check.advice.replace_server).into(),
        Advice::ChooseToolModel => td_string!(language, check.advice.choose_tool_model).into(),
        Advice::KeepReserve => td_string!(language, check.advice.keep_reserve).into(),
    }
}

/// What is being found out.
pub(super) fn stage(language: Locale, stage: Stage) -> &'static str {
    match stage {
        Stage::Counting => td_string!(language, check.stage.counting),
        Stage::Tools => td_string!(language, check.stage.tools),
        Stage::Window => td_string!(language, check.stage.window),
        Stage::Overflow => td_string!(language, check.stage.overflow),
        Stage::TwoKeys => td_string!(language, check.stage.two_keys),
        Stage::Over => td_string!(language, check.stage.over),
    }
}

/// Seconds, or minutes once there are two.
pub(super) fn duration(language: Locale, seconds: u32) -> String {
    if seconds < 120 {
        td_string!(language, check.progress.seconds, count = count(language, seconds))
    } else {
        td_string!(language, check.progress.minutes, count = count(language, seconds.div_ceil(60)))
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn a_report_reads_the_same_in_both_languages() {
        let lost =
            TwoKeys::Answered { system: KeyFate::Survived, task: KeyFate::Lost, reported: Some(3_746) };
        assert_eq!(
            two_keys(Locale::en, &lost),
            "The system prompt's key (ALFA-3141) came through; the first message's (BRAVO-2718) was lost."
        );
        assert_eq!(
            two_keys(Locale::es, &lost),
            "La clave de las instrucciones (ALFA-3141) llegó; la del primer mensaje (BRAVO-2718) se perdió."
        );
        let bracket = WindowFinding::Measured {
            tokens: 4_080,
            by: MeasuredBy::Bracket { passed: 4_080, failed: 4_100 },
        };
        assert_eq!(window(Locale::en, bracket), "About 4080 tokens: 4080 passed whole, 4100 did not.");
        assert_eq!([60, 120, 121].map(|seconds| duration(Locale::en, seconds)), ["60 s", "2 min", "3 min"]);
    }
}
