//! A report in plain words, to be pasted into a mail or an issue. English, whatever the language of the page: it is for
//! whoever maintains the server.

use super::overflow::{AnswerOverflow, ConversationOverflow, Evidence, HugeOverflow};
use super::report::{KeyFate, Report, ToolsFinding, TwoKeys, UsageFinding};
use super::verdict::{Advice, Failure, Verdict};
use super::window::{MeasuredBy, WindowFinding};

pub(super) fn text(report: &Report) -> String {
    let mut lines = vec!["Check of a model server, by Brimline".to_owned(), String::new()];
    lines.push(verdict(&report.verdict));
    lines.push(String::new());
    lines.push(format!("Window: {}", window(report.window)));
    if let Some(told) = report.told {
        lines.push(format!("Told by the server: {told} tokens."));
    }
    lines.push(format!("Counts: {}", usage(report.usage)));
    let evidence: Vec<&str> = report.evidence.iter().map(|evidence| by(*evidence)).collect();
    let shown =
        if evidence.is_empty() { String::new() } else { format!(" Shown by {}.", evidence.join(" and ")) };
    lines.push(format!("A conversation that doesn't fit: {}{shown}", conversation(report.conversation)));
    lines.push(format!("One message that doesn't fit: {}", huge(report.huge)));
    lines.push(format!("An answer that reaches the edge: {}", answer(report.answer)));
    lines.push(format!("Asked to refuse: {}", refusing(report.refuses_when_asked)));
    lines.push(format!("Tools: {}", tools(report.tools)));
    if let Some(two_keys) = &report.two_keys {
        lines.push(format!("The fixed conversation of 27 messages: {}", keys(two_keys)));
    }
    if !report.advice.is_empty() {
        lines.extend([String::new(), "What to do:".to_owned()]);
        lines.extend(report.advice.iter().map(|item| format!("- {}", advice(item))));
    }
    if !report.counts.is_empty() {
        lines.extend([String::new(), "Tokens sent and reported:".to_owned()]);
        lines.extend(report.counts.iter().map(|compared| match compared.reported {
            Some(reported) => format!("{:>8} {reported:>8}", compared.sent),
            None => format!("{:>8}  refused", compared.sent),
        }));
    }
    lines.extend([
        String::new(),
        format!("{} requests, {} tokens read.", report.calls, report.tokens_read),
        String::new(),
    ]);
    lines.join("\n")
}

fn verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Honest => "An honest server: it refuses what doesn't fit, and says so.".into(),
        Verdict::Silent => {
            "This server silently throws away what doesn't fit, and answers as if nothing had happened.".into()
        }
        Verdict::SilentUnlessAsked => {
            "This server silently throws away what doesn't fit, unless it is asked to refuse.".into()
        }
        Verdict::Roomy { at_least } => {
            format!("Nothing was lost up to {at_least} tokens, the largest size that was tried.")
        }
        Verdict::CachedOnly => {
            "This server leaves what was in its cache out of its counts: whether an answer is based on the whole \
             conversation can't be checked."
                .into()
        }
        Verdict::Blind => {
            "This server counts nothing: whether an answer is based on the whole conversation can't be checked."
                .into()
        }
        Verdict::Unclear => "The answers don't add up to a verdict.".into(),
        Verdict::Stopped => "The check was stopped before its end.".into(),
        Verdict::Failed(failure) => format!("The server can't be checked: {}.", cause(*failure)),
    }
}

fn cause(failure: Failure) -> String {
    match failure {
        Failure::NothingAnswers => "nothing answers at its address".into(),
        Failure::OriginRefused => "it does not accept requests from this page".into(),
        Failure::ModelMissing => "it does not have the model".into(),
        Failure::Unauthorized => "it wants a key".into(),
        Failure::NotAModelServer => "what answers is not a model server".into(),
        Failure::Status(status) => format!("it answers the smallest request with status {status}"),
        Failure::BreaksOff => "it breaks off in the middle of its answer".into(),
        Failure::Silent(seconds) => format!("it said nothing for {seconds} seconds"),
    }
}

fn window(window: WindowFinding) -> String {
    match window {
        WindowFinding::Measured { tokens, by: MeasuredBy::Refusal } => {
            format!("{tokens} tokens; the server said so when it refused.")
        }
        WindowFinding::Measured { tokens, by: MeasuredBy::Counts } => {
            format!("{tokens} tokens, by what the server counts of prompts that it cut.")
        }
        WindowFinding::Measured { by: MeasuredBy::Bracket { passed, failed }, .. } => {
            format!("about {passed} tokens: {passed} passed whole, {failed} did not.")
        }
        WindowFinding::AtLeast { tokens } => {
            format!("at least {tokens} tokens, the largest size that passed.")
        }
        WindowFinding::Unknown => "could not be measured.".into(),
    }
}

fn usage(usage: UsageFinding) -> &'static str {
    match usage {
        UsageFinding::Complete => "complete.",
        UsageFinding::CachedOnly => {
            "only what was not in its cache: the same prompt counts less the second time."
        }
        UsageFinding::Missing => "missing.",
        UsageFinding::Senseless => "they don't grow with what is sent.",
        UsageFinding::Unknown => "not asked.",
    }
}

fn by(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Said => "its refusal",
        Evidence::Counts => "its counts",
        Evidence::Words => "the code words that the model repeated",
        Evidence::Prompt => "the prompt that it made",
    }
}

fn conversation(conversation: ConversationOverflow) -> &'static str {
    match conversation {
        ConversationOverflow::Refuses => "refused.",
        ConversationOverflow::DropsOldest => {
            "the oldest messages are dropped, your request first; the system prompt stays."
        }
        ConversationOverflow::CutsBeginning => "its beginning is cut off, the system prompt included.",
        ConversationOverflow::CutsMiddle => "its middle is cut out.",
        ConversationOverflow::CutsSomewhere => {
            "it is cut to the window; which part goes, neither counts nor the model tell."
        }
        ConversationOverflow::Loses => "part of it is lost; which part is unclear.",
        ConversationOverflow::Unknown => "not seen.",
    }
}

fn huge(huge: HugeOverflow) -> String {
    match huge {
        HugeOverflow::Refuses => "refused.".into(),
        HugeOverflow::KeepsWindow => "cut to a full window.".into(),
        HugeOverflow::KeepsHalf => "cut to about half a window.".into(),
        HugeOverflow::Keeps(tokens) => format!("cut to {tokens} tokens."),
        HugeOverflow::Unknown => "not seen.".into(),
    }
}

fn answer(answer: AnswerOverflow) -> &'static str {
    match answer {
        AnswerOverflow::Shifts => "the model writes on while the oldest tokens are dropped.",
        AnswerOverflow::Stops => "it stops there, and says so.",
        AnswerOverflow::Unknown => "not seen.",
    }
}

fn refusing(refuses: Option<bool>) -> &'static str {
    match refuses {
        Some(true) => "it does.",
        Some(false) => "it takes no notice.",
        None => "not asked.",
    }
}

fn tools(tools: ToolsFinding) -> &'static str {
    match tools {
        ToolsFinding::Structured => "calls come as calls.",
        ToolsFinding::AsText => "calls come as text, which Brimline reads too.",
        ToolsFinding::NotCalled => "the model called none, though asked to.",
        ToolsFinding::Refused => "refused for this model.",
        ToolsFinding::Unknown => "not asked.",
    }
}

fn keys(keys: &TwoKeys) -> String {
    match keys {
        TwoKeys::Refused => "refused.".into(),
        TwoKeys::Failed => "the request failed.".into(),
        TwoKeys::Answered { system, task, reported } => {
            let reported = reported.map_or(String::new(), |tokens| format!(", {tokens} tokens reported"));
            format!("the system's key {}, the task's key {}{reported}.", fate(*system), fate(*task))
        }
    }
}

fn fate(fate: KeyFate) -> &'static str {
    match fate {
        KeyFate::Survived => "survived",
        KeyFate::Lost => "was lost",
        KeyFate::NotSaid => "was not said",
    }
}

fn advice(advice: &Advice) -> String {
    match advice {
        Advice::UseWindow(tokens) => format!("Set the window to {tokens} tokens wherever you use this server."),
        Advice::UseAtMost(tokens) => {
            format!("Set the window to at most {tokens} tokens, until a larger one was tried.")
        }
        Advice::DistrustTold { told, measured } => {
            format!("Don't trust the {told} tokens that it tells: it reads {measured}.")
        }
        Advice::AskToRefuse => {
            "Use Ollama's own endpoint with truncate: false, so that it refuses instead of dropping.".into()
        }
        Advice::RaiseWindow => {
            "Start the server with a larger window (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx; llama-server: -c)."
                .into()
        }
        Advice::ReplaceServer => "Update the server or take another: no loss can be noticed on this one.".into(),
        Advice::ChooseToolModel => "Take a model that calls tools.".into(),
        Advice::KeepReserve => {
            "Keep room for the answer: the beginning of the conversation goes while the model writes.".into()
        }
    }
}
