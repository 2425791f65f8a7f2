use super::*;
use brimline_core::conversation::Purpose;
use brimline_core::overflow::{Judgement, Verdict};
use brimline_core::timeline::{Segment, SegmentForm, SegmentKind, StepTaken};
use brimline_core::window::{Budget, Window, WindowSource};
use brimline_core::wire::Usage;

/// 400 pixels from the window's line to the baseline: with a window of 4,000, ten tokens a pixel.
const ROOM: Room = Room { width: 368.0, height: HEAD + 400.0 + FOOT };

fn turn(turn: u32, window: u32, segments: &[(SegmentKind, f64)]) -> TurnRecord {
    let segments = segments.iter().zip(0..).map(|((kind, tokens), message)| Segment {
        message: MessageId(message),
        kind: *kind,
        tokens: *tokens,
        form: SegmentForm::Whole,
    });
    TurnRecord {
        turn,
        purpose: Purpose::Turn,
        window: Window { tokens: window, source: WindowSource::Told },
        budget: Budget::new(window, 1_000, 0.25),
        segments: segments.collect(),
        overhead: 0.0,
        estimate: 0.0,
        spread: 0.0,
        steps: Vec::new(),
        usage: None,
        judgement: None,
        dropped: Vec::new(),
        answer: None,
    }
}

fn judged(verdict: Verdict, window: Option<WindowRange>) -> Option<Judgement> {
    Some(Judgement { verdict, evidence: Vec::new(), window })
}

/// A column as text, from top to bottom: every rectangle with its edges.
fn sketch(layout: &Layout) -> String {
    let mut lines = Vec::new();
    for column in &layout.columns {
        lines.push(format!("turn {} at {}, {} wide", column.turn, column.x, column.width));
        let mut pieces: Vec<&Piece> = column.pieces.iter().collect();
        pieces.sort_by(|one, other| one.y.total_cmp(&other.y));
        for piece in pieces {
            let name = match &piece.holds {
                Holds::Kept(part) => format!("{:?}", part.kind),
                Holds::Dropped(part) => format!("dropped {:?}", part.kind),
                Holds::Free(_) => "free".to_owned(),
                Holds::Reserve(_) => "reserve".to_owned(),
            };
            let messages: Vec<u32> = piece.holds.messages().iter().map(|message| message.0).collect();
            let joined = if piece.joined { " joined" } else { "" };
            let (from, to) = (piece.y, piece.y + piece.height);
            lines.push(format!(
                "  {from:.1}..{to:.1} {name} {:.0} {messages:?}{joined}",
                piece.holds.tokens()
            ));
        }
        if let Some(y) = column.request_left {
            lines.push(format!("  {y:.1} your request left here"));
        }
    }
    lines.push(format!("baseline {:.1}", layout.baseline));
    lines.extend(layout.believed.iter().map(|line| format!("window {} at {:.1}", line.tokens, line.y)));
    lines.extend(
        layout.evidence.iter().map(|line| format!("evidence at {:.1}, {:.1} high", line.y, line.height)),
    );
    lines.extend(layout.folds.iter().map(|y| format!("fold at {y:.1}")));
    lines.join("\n")
}

#[test]
fn a_column_is_stacked_in_the_order_in_which_the_server_reads() {
    let mut record = turn(
        1,
        4_000,
        &[
            (SegmentKind::SystemPrompt, 400.0),
            (SegmentKind::ProjectInstructions, 200.0),
            (SegmentKind::Request, 100.0),
            (SegmentKind::Assistant, 300.0),
            (SegmentKind::ToolResult, 500.0),
        ],
    );
    record.overhead = 100.0;
    let expected = "\
turn 1 at 70, 104 wide
  28.0..126.0 reserve 1000 []
  128.0..266.0 free 1400 []
  268.0..316.0 Tool 500 [4]
  318.0..346.0 Assistant 300 [3]
  348.0..356.0 Request 100 [2]
  358.0..366.0 Overhead 100 [] joined
  366.0..386.0 Instructions 200 [1] joined
  386.0..426.0 System 400 [0]
baseline 426.0
window 4000 at 26.0";
    assert_eq!(sketch(&layout(&[record], 4_096, ROOM)), expected);
}

#[test]
fn what_was_dropped_hangs_below_the_baseline_with_the_oldest_lowest() {
    let mut record = turn(
        1,
        3_000,
        &[
            (SegmentKind::SystemPrompt, 300.0),
            (SegmentKind::Request, 200.0),
            (SegmentKind::ToolResult, 780.0),
            (SegmentKind::ToolResult, 1_500.0),
        ],
    );
    record.dropped = vec![MessageId(1), MessageId(2)];
    record.usage = Some(Usage { prompt_tokens: Some(1_800), ..Usage::default() });
    record.judgement =
        judged(Verdict::Truncated, Some(WindowRange { at_least: 1_800, at_most: Some(2_000) }));
    let room = Room { height: HEAD + 398.0 + MARKER + FOOT, ..ROOM };
    let expected = "\
turn 1 at 70, 104 wide
  28.0..101.0 reserve 750 []
  103.0..146.0 free 450 []
  148.0..296.0 Tool 1500 [3]
  298.0..326.0 System 300 [0]
  328.0..404.0 dropped Tool 780 [2]
  406.0..424.0 dropped Request 200 [1]
  426.0 your request left here
baseline 326.0
window 3000 at 26.0
evidence at 126.0, 20.0 high";
    assert_eq!(sketch(&layout(&[record], 4_096, room)), expected);
}

#[test]
fn a_request_is_lost_once_and_the_marker_stays_on_that_turn() {
    let lost = |number| {
        let mut record =
            turn(number, 4_000, &[(SegmentKind::Request, 100.0), (SegmentKind::ToolResult, 900.0)]);
        record.dropped = vec![MessageId(0)];
        record
    };
    let layout = layout(&[turn(1, 4_000, &[(SegmentKind::Request, 100.0)]), lost(2), lost(3)], 4_096, ROOM);
    let marked: Vec<bool> = layout.columns.iter().map(|column| column.request_left.is_some()).collect();
    assert_eq!(marked, [false, true, false]);
}

#[test]
fn a_tiny_segment_is_seen_and_its_neighbours_pay_for_it() {
    let record = turn(
        1,
        4_000,
        &[(SegmentKind::Request, 1.0), (SegmentKind::Assistant, 1_000.0), (SegmentKind::Request, 9.0)],
    );
    let expected = "\
turn 1 at 70, 104 wide
  28.0..126.0 reserve 1000 []
  128.0..325.0 free 1990 []
  327.0..330.0 Request 9 [2]
  332.0..421.0 Assistant 1000 [1]
  423.0..426.0 Request 1 [0]
baseline 426.0
window 4000 at 26.0";
    assert_eq!(sketch(&layout(&[record], 4_096, ROOM)), expected);
}

#[test]
fn where_messages_are_too_small_to_be_seen_there_is_one_segment_a_kind() {
    let pair = [(SegmentKind::Assistant, 10.0), (SegmentKind::ToolResult, 40.0)];
    let mut segments = vec![(SegmentKind::SystemPrompt, 500.0)];
    segments.extend(pair.repeat(30));
    let layout = layout(&[turn(1, 4_000, &segments)], 4_096, ROOM);
    let kept: Vec<(usize, f64)> = layout.columns[0]
        .pieces
        .iter()
        .filter(|piece| matches!(piece.holds, Holds::Kept(_)))
        .map(|piece| (piece.holds.messages().len(), piece.holds.tokens()))
        .collect();
    assert_eq!(kept, [(1, 500.0), (30, 300.0), (30, 1_200.0)]);
}

#[test]
fn a_window_set_far_too_high_is_folded_and_the_evidence_stays_on_the_scale() {
    let mut record =
        turn(1, 40_000, &[(SegmentKind::SystemPrompt, 500.0), (SegmentKind::ToolResult, 1_500.0)]);
    record.judgement = judged(Verdict::Fits, Some(WindowRange { at_least: 2_000, at_most: Some(2_000) }));
    let room = Room { height: HEAD + 296.0 + FOOT, ..ROOM };
    let expected = "\
turn 1 at 70, 104 wide
  28.0..36.0 reserve 1000 []
  38.0..122.0 free 37000 []
  124.0..272.0 Tool 1500 [1]
  274.0..322.0 System 500 [0]
baseline 322.0
window 40000 at 26.0
evidence at 122.0, 0.0 high
fold at 82.0";
    assert_eq!(sketch(&layout(&[record], 4_096, room)), expected);
}

#[test]
fn a_message_cut_by_the_token_loses_its_oldest_tokens() {
    let mut record = turn(1, 2_000, &[(SegmentKind::SystemPrompt, 200.0), (SegmentKind::Request, 3_000.0)]);
    record.usage = Some(Usage { prompt_tokens: Some(1_000), ..Usage::default() });
    record.judgement = judged(Verdict::Truncated, None);
    let share = Share::of(&record, &[]);
    let part = |kind, message, tokens| Part {
        kind,
        form: SegmentForm::Whole,
        summary: false,
        messages: vec![MessageId(message)],
        tokens,
    };
    let expected = Share {
        kept: vec![part(PartKind::Request, 1, 1_000.0)],
        dropped: vec![part(PartKind::System, 0, 200.0), part(PartKind::Request, 1, 2_000.0)],
        used: 1_000.0,
        free: 500.0,
        reserve: 500.0,
    };
    assert_eq!(share, expected);
}

#[test]
fn a_shift_pushes_out_what_prompt_and_answer_have_too_much() {
    let mut record = turn(1, 4_096, &[(SegmentKind::SystemPrompt, 300.0), (SegmentKind::Request, 3_219.0)]);
    record.usage =
        Some(Usage { prompt_tokens: Some(3_519), completion_tokens: Some(1_200), cached_tokens: None });
    record.judgement = judged(Verdict::Shifted, None);
    let dropped: Vec<(PartKind, f64)> =
        Share::of(&record, &[]).dropped.iter().map(|part| (part.kind, part.tokens)).collect();
    assert_eq!(dropped, [(PartKind::System, 300.0), (PartKind::Request, 323.0)]);
}

#[test]
fn a_summary_is_known_by_the_step_that_made_it() {
    let mut record = turn(1, 4_000, &[(SegmentKind::Assistant, 300.0), (SegmentKind::Request, 100.0)]);
    record.steps =
        vec![StepTaken::Compacted { summary: MessageId(0), messages: Vec::new(), before: 3_000, after: 400 }];
    let turns = [record];
    let kept: Vec<bool> =
        Share::of(&turns[0], &summaries(&turns)).kept.iter().map(|part| part.summary).collect();
    assert_eq!(kept, [true, false]);
}

#[test]
fn without_turns_there_is_the_window_alone() {
    let expected = "\
baseline 426.0
window 4096 at 26.0";
    assert_eq!(sketch(&layout(&[], 4_096, ROOM)), expected);
}

#[test]
fn more_turns_than_fit_make_the_picture_wider() {
    let turns: Vec<TurnRecord> = (1..=20).map(|number| turn(number, 4_000, &[])).collect();
    let layout = layout(&turns, 4_096, ROOM);
    assert_eq!((layout.width, layout.columns.len()), (GUTTER + 20.0 * 26.0 + MARGIN, 20));
}

#[test]
fn up_and_down_go_by_what_is_seen() {
    let mut record = turn(1, 4_000, &[(SegmentKind::Request, 400.0), (SegmentKind::ToolResult, 900.0)]);
    record.dropped = vec![MessageId(0)];
    let layout = layout(&[record], 4_096, ROOM);
    let column = &layout.columns[0];
    // Kept, free, reserve, dropped: the order of the rectangles, not of their places.
    let upwards: Vec<Option<usize>> = (0..4).map(|piece| column.neighbour(piece, true)).collect();
    assert_eq!(upwards, [Some(1), Some(2), None, Some(0)]);
    assert_eq!(column.neighbour(0, false), Some(3));
}
