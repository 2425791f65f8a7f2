//! The picture with fixed turns, to look at without a run: open the page of a debug build with `#gallery`.

use crate::components::picture::{Highlight, WindowPicture};
use crate::language::LanguageSelect;
use crate::theme::ThemeSelect;
use brimline_core::conversation::{MessageId, Purpose};
use brimline_core::overflow::{Evidence, Judgement, Verdict, WindowRange};
use brimline_core::timeline::{Segment, SegmentForm, SegmentKind, StepTaken, TurnRecord};
use brimline_core::window::{Budget, Window, WindowBelief, WindowSource};
use brimline_core::wire::Usage;
use leptos::prelude::*;

/// Pictures of what can happen.
#[component]
pub fn Gallery() -> impl IntoView {
    let scene = |(name, id, turns): (&'static str, &'static str, Vec<TurnRecord>)| {
        let belief = WindowBelief { set: Some(4_096), ..WindowBelief::default() };
        let live = turns.last().is_some_and(|record| record.judgement.is_none());
        let (selected, highlight) = (RwSignal::new(None), RwSignal::new(Highlight::default()));
        view! {
            <section class="panel">
                <p class="status">{name}</p>
                <WindowPicture turns=Signal::stored(turns) belief=Signal::stored(belief) selected highlight live=Signal::stored(live) id/>
            </section>
        }
    };
    view! {
        <header class="page__header"><h1>"Gallery"</h1><LanguageSelect/><ThemeSelect/></header>
        <main class="gallery">{scenes().into_iter().map(scene).collect_view()}</main>
    }
}

fn scenes() -> Vec<(&'static str, &'static str, Vec<TurnRecord>)> {
    vec![
        ("nothing yet", "empty", Vec::new()),
        ("an answer under way", "live", vec![turn(1, 4_096, 2).pending()]),
        ("it fills, and the server drops the request", "lost", lost()),
        ("cleared, compacted, confirmed", "steps", steps()),
        ("a window set far too high", "conflict", conflict()),
        ("a message larger than the window", "halved", vec![halved()]),
        ("suspect, unverified, refused, shifted", "others", others()),
        ("many turns", "many", (1..=40).map(|number| turn(number, 32_768, number * 2)).collect()),
    ]
}

fn lost() -> Vec<TurnRecord> {
    let mut turns: Vec<TurnRecord> = (1..=5).map(|number| turn(number, 8_192, number * 3 - 2)).collect();
    let mut last = turn(6, 8_192, 16);
    last.dropped = [2, 3, 4].map(MessageId).to_vec();
    last.usage =
        Some(Usage { prompt_tokens: Some(4_057), cached_tokens: None, completion_tokens: Some(210) });
    let evidence = vec![
        Evidence::CountFell { before: 4_112, reported: 4_057, expected: 4_930.0 },
        Evidence::PlateauBelowWindow { reported: 4_057, window: 4_096, expected: 4_930.0 },
    ];
    let window = Some(WindowRange { at_least: 4_057, at_most: Some(4_500) });
    last.judgement = Some(Judgement { verdict: Verdict::Truncated, evidence, window });
    turns.push(last);
    turns
}

fn steps() -> Vec<TurnRecord> {
    let mut turns: Vec<TurnRecord> = (1..=6).map(|number| turn(number, 4_096, number * 2)).collect();
    let mut cleared = turn(7, 4_096, 13);
    let results: Vec<MessageId> = [4, 6, 8].map(MessageId).to_vec();
    for segment in cleared.segments.iter_mut().filter(|segment| results.contains(&segment.message)) {
        segment.form = SegmentForm::Cleared;
        segment.tokens = 18.0;
    }
    cleared.steps.push(StepTaken::Cleared { messages: results, before: 3_020, after: 2_120 });
    turns.push(cleared.counted());
    let mut compacting = turn(8, 4_096, 12);
    compacting.purpose = Purpose::Compaction;
    turns.push(compacting);
    let mut compacted = turn(9, 4_096, 0);
    let summary = Segment {
        message: MessageId(20),
        kind: SegmentKind::Assistant,
        tokens: 380.0,
        form: SegmentForm::Whole,
    };
    compacted.segments.insert(2, summary);
    let messages = (3..17).map(MessageId).collect();
    compacted.steps.push(StepTaken::Compacted {
        summary: MessageId(20),
        messages,
        before: 2_810,
        after: 1_010,
    });
    let mut compacted = compacted.counted();
    if let Some(judgement) = &mut compacted.judgement {
        judgement.evidence.push(Evidence::ConfirmedGrowth { reported: 1_010, exact: 1_010 });
    }
    turns.push(compacted);
    turns
}

fn conflict() -> Vec<TurnRecord> {
    let mut turns: Vec<TurnRecord> = (1..=4).map(|number| turn(number, 131_072, number * 3)).collect();
    let mut last = turn(5, 131_072, 16);
    last.window.source = WindowSource::Told;
    last.dropped = [2, 3, 4, 5, 6].map(MessageId).to_vec();
    last.usage = Some(Usage { prompt_tokens: Some(4_024), cached_tokens: None, completion_tokens: Some(80) });
    let evidence = vec![Evidence::GrowthStalled { reported: -32, expected: 940.0 }];
    let window = Some(WindowRange { at_least: 4_057, at_most: Some(4_096) });
    last.judgement = Some(Judgement { verdict: Verdict::Truncated, evidence, window });
    turns.push(last);
    turns
}

fn halved() -> TurnRecord {
    let mut record = turn(1, 4_096, 0);
    if let Some(request) = record.segments.last_mut() {
        request.tokens = 6_700.0;
    }
    let mut record = record.counted();
    record.usage =
        Some(Usage { prompt_tokens: Some(2_050), cached_tokens: None, completion_tokens: Some(30) });
    let evidence = vec![Evidence::HalfWindow { reported: 2_050, window: 4_096 }];
    let window = Some(WindowRange { at_least: 2_050, at_most: Some(4_096) });
    record.judgement = Some(Judgement { verdict: Verdict::Truncated, evidence, window });
    record
}

fn others() -> Vec<TurnRecord> {
    let judged = |number: u32, verdict, evidence| {
        let mut record = turn(number, 4_096, number * 3);
        record.judgement = Some(Judgement { verdict, evidence, window: None });
        record
    };
    let hide = Evidence::LossCouldHide { smallest: 69.0, spread: 120.0, probability: 0.31 };
    let beyond = Evidence::BeyondWindow { prompt: 3_519, completion: 1_200, window: 4_096 };
    let mut unverified = judged(2, Verdict::Unverified, vec![Evidence::NoCount]);
    unverified.usage = None;
    let mut shifted = judged(3, Verdict::Shifted, vec![beyond]);
    shifted.usage =
        Some(Usage { prompt_tokens: Some(3_519), cached_tokens: None, completion_tokens: Some(1_200) });
    let refusal = Evidence::RefusedBy { prompt: Some(6_378), window: Some(4_096) };
    vec![
        judged(1, Verdict::Suspect, vec![hide]),
        unverified,
        shifted,
        judged(4, Verdict::Refused, vec![refusal]),
    ]
}

trait Scene {
    fn counted(self) -> Self;
    fn pending(self) -> Self;
}

impl Scene for TurnRecord {
    /// The server read what was sent.
    fn counted(mut self) -> Self {
        self.estimate = self.segments.iter().map(|segment| segment.tokens).sum::<f64>() + self.overhead;
        let prompt = Some(self.estimate.round() as u32);
        self.usage = Some(Usage { prompt_tokens: prompt, cached_tokens: None, completion_tokens: Some(96) });
        self
    }

    /// The answer is on its way.
    fn pending(mut self) -> Self {
        self.usage = None;
        self.judgement = None;
        self
    }
}

/// A turn with a system prompt, `AGENTS.md`, a request, and so many further messages.
fn turn(turn: u32, window: u32, further: u32) -> TurnRecord {
    let segment =
        |message: u32, kind, tokens: f64, form| Segment { message: MessageId(message), kind, tokens, form };
    let mut segments = vec![
        segment(0, SegmentKind::SystemPrompt, 260.0, SegmentForm::Whole),
        segment(1, SegmentKind::ProjectInstructions, 150.0, SegmentForm::Whole),
        segment(2, SegmentKind::Request, 84.0, SegmentForm::Whole),
    ];
    for index in 0..further {
        let message = index + 3;
        let size = match index / 2 % 4 {
            0 => 410.0,
            1 => 620.0,
            2 => 180.0,
            _ => 530.0,
        };
        segments.push(match index % 2 {
            0 => segment(message, SegmentKind::Assistant, 46.0, SegmentForm::Whole),
            _ if size > 600.0 => segment(message, SegmentKind::ToolResult, size, SegmentForm::Trimmed),
            _ => segment(message, SegmentKind::ToolResult, size, SegmentForm::Whole),
        });
    }
    TurnRecord {
        turn,
        purpose: Purpose::Turn,
        window: Window { tokens: window, source: WindowSource::Set },
        budget: Budget::new(window, 4_096, 0.25),
        segments,
        overhead: 118.0,
        estimate: 0.0,
        spread: 60.0,
        steps: Vec::new(),
        usage: None,
        judgement: Some(Judgement { verdict: Verdict::Fits, evidence: Vec::new(), window: None }),
        dropped: Vec::new(),
        answer: None,
    }
    .counted()
}
