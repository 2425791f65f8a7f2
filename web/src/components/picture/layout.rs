//! Where everything in the picture goes: turns in, rectangles out. Nothing here knows of a browser.
//!
//! Columns stand on a baseline. Above it is the window, in the order in which the server reads it, then what is free, then
//! the reserve; below it hangs what the server dropped. A segment too small to be seen is given a few pixels, which its
//! neighbours give up, so that the top of the column stays true to the scale.

use super::axis::Axis;
use super::share::{Part, PartKind, Share, summaries};
use brimline_core::conversation::MessageId;
use brimline_core::overflow::WindowRange;
use brimline_core::timeline::TurnRecord;
use std::collections::BTreeSet;

/// Between two segments, in pixels.
const GAP: f64 = 2.0;
/// The least height of a segment, in pixels.
const LEAST: f64 = 3.0;
/// The least height of a free stretch or a reserve, in pixels: below it there is nothing to see.
const LEAST_EMPTY: f64 = 4.0;
/// The least height of a reserve in a window so large that it would hardly be seen, in pixels.
const LEAST_RESERVE: f64 = 10.0;
/// Room on the left for the numbers of the scale, in pixels.
pub(super) const GUTTER: f64 = 56.0;
/// Room on the right, in pixels.
const MARGIN: f64 = 12.0;
/// Room above for the name of the window's line, in pixels.
pub(super) const HEAD: f64 = 26.0;
/// Room below for the number of the turn and its verdict, in pixels.
pub(super) const FOOT: f64 = 46.0;
/// Room for "your request left here", in pixels.
const MARKER: f64 = 38.0;
/// The least and the greatest distance from column to column, in pixels.
const PITCH: (f64, f64) = (26.0, 132.0);
/// The width of the name of the evidence's line, in pixels, about.
const NAME: f64 = 170.0;
/// The width of a character of a label, in pixels, at the widest.
const CHARACTER: f64 = 7.2;

/// The room that there is, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    /// From left to right. More turns than fit make the picture wider.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

/// The picture. All places and sizes are pixels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The line on which the window stands.
    pub baseline: f64,
    /// One column a turn.
    pub columns: Vec<Column>,
    /// The window that the page believes.
    pub believed: Vec<WindowLine>,
    /// The window that the evidence shows, where that is another one.
    pub evidence: Option<EvidenceLine>,
    /// The numbers of the scale.
    pub ticks: Vec<Tick>,
    /// Where an empty stretch is folded.
    pub folds: Vec<f64>,
}

/// A turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    /// Its number.
    pub turn: u32,
    /// The left edge of its segments.
    pub x: f64,
    /// The width of its segments.
    pub width: f64,
    /// The left edge of the room that it has.
    pub slot_x: f64,
    /// The width of the room that it has.
    pub slot_width: f64,
    /// Its segments: what stayed from the baseline up, free, reserve, then what was dropped from the baseline down.
    pub pieces: Vec<Piece>,
    /// The top of what stayed.
    pub top: f64,
    /// Where the marker of a lost request goes, on the turn that lost it.
    pub request_left: Option<f64>,
}

impl Column {
    /// The rectangle above or below that one, if there is one.
    pub(super) fn neighbour(&self, piece: usize, upwards: bool) -> Option<usize> {
        let from = self.pieces.get(piece)?.y;
        let others = self.pieces.iter().enumerate().map(|(index, other)| (index, other.y));
        let nearest = if upwards {
            others.filter(|(_, y)| *y < from).max_by(|(_, one), (_, other)| one.total_cmp(other))
        } else {
            others.filter(|(_, y)| *y > from).min_by(|(_, one), (_, other)| one.total_cmp(other))
        };
        nearest.map(|(index, _)| index)
    }
}

/// What a rectangle stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Holds {
    /// A part of the prompt that the server read.
    Kept(Part),
    /// A part of the prompt that the server dropped.
    Dropped(Part),
    /// Room for more prompt, in tokens.
    Free(f64),
    /// Room for the answer, in tokens.
    Reserve(f64),
}

impl Holds {
    /// Its size in tokens.
    pub(super) fn tokens(&self) -> f64 {
        match self {
            Self::Kept(part) | Self::Dropped(part) => part.tokens,
            Self::Free(tokens) | Self::Reserve(tokens) => *tokens,
        }
    }

    /// The messages in it.
    pub(super) fn messages(&self) -> &[MessageId] {
        match self {
            Self::Kept(part) | Self::Dropped(part) => &part.messages,
            Self::Free(_) | Self::Reserve(_) => &[],
        }
    }
}

/// A rectangle of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// What it stands for.
    pub holds: Holds,
    /// Its upper edge.
    pub y: f64,
    /// Its height.
    pub height: f64,
    /// It is a further part of the system prompt: a divider parts it from the one below, and no gap.
    pub joined: bool,
}

/// A stretch of the line that marks the believed window.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WindowLine {
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// Its height.
    pub y: f64,
    /// The window in tokens.
    pub tokens: u32,
}

/// The line, or the band, that marks the window that the evidence shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EvidenceLine {
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// The upper edge: the most that the window holds.
    pub y: f64,
    /// How far down the least goes.
    pub height: f64,
    /// What the evidence shows, in tokens.
    pub range: WindowRange,
    /// Where its name goes: away from the columns, if there is such a place.
    pub name: NamePlace,
}

/// Where the name of a line goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NamePlace {
    /// The end of the text that is at the line's own end.
    pub x: f64,
    /// The line on which the text stands.
    pub y: f64,
    /// Whether it is at the right end.
    pub at_the_right: bool,
}

impl NamePlace {
    /// The value of `text-anchor`.
    pub(super) const fn anchor(self) -> &'static str {
        if self.at_the_right { "end" } else { "start" }
    }
}

/// A number of the scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// Its height.
    pub y: f64,
    /// The number of tokens.
    pub tokens: u32,
}

/// Lays out the turns. `window` is the window that the page believes now, for a picture without turns.
pub(super) fn layout(turns: &[TurnRecord], window: u32, room: Room) -> Layout {
    let summaries = summaries(turns);
    let mut shares: Vec<Share> = turns.iter().map(|record| Share::of(record, &summaries)).collect();
    let evidence = shown_window(turns);
    let lost_requests = turns_that_lost_a_request(&shares);

    let below = FOOT + if lost_requests.is_empty() { 0.0 } else { MARKER };
    let axis = axis(turns, &shares, evidence, window, room.height - below);
    if shares.iter().any(|share| !has_room(&axis, share)) {
        shares = shares.into_iter().map(Share::by_kind).collect();
    }

    let (least, most) = PITCH;
    let fitting = (room.width - GUTTER - MARGIN) / turns.len().max(1) as f64;
    let pitch = fitting.clamp(least, most).floor();
    let width = (GUTTER + pitch * turns.len() as f64 + MARGIN).max(room.width);
    let gap = (pitch * 0.22).clamp(4.0, 28.0).round();
    let columns: Vec<Column> = turns
        .iter()
        .zip(&shares)
        .enumerate()
        .map(|(index, (record, share))| {
            let slot_x = GUTTER + pitch * index as f64;
            let (pieces, top, bottom) = stack(&axis, record, share);
            Column {
                turn: record.turn,
                x: slot_x + gap / 2.0,
                width: pitch - gap,
                slot_x,
                slot_width: pitch,
                pieces,
                top,
                request_left: lost_requests.contains(&index).then_some(bottom),
            }
        })
        .collect();

    let right = width - MARGIN;
    let believed = window_lines(&axis, turns, window, pitch, right);
    let evidence = evidence.map(|range| evidence_line(&axis, range, &columns, right));
    let taken: Vec<f64> =
        believed.last().map(|line| line.y).into_iter().chain(evidence.as_ref().map(|line| line.y)).collect();
    let ticks =
        axis.round_numbers().into_iter().map(|tokens| Tick { y: axis.above(f64::from(tokens)), tokens });
    let ticks = ticks.filter(|tick| taken.iter().all(|y| (y - tick.y).abs() >= 14.0)).collect();
    let (baseline, folds) = (axis.baseline(), axis.folds());
    Layout { width, height: room.height, baseline, columns, believed, evidence, ticks, folds }
}

/// Whether a label of so many characters can be read in a rectangle of that size.
pub(super) fn label_fits(characters: usize, width: f64, height: f64) -> bool {
    height >= 15.0 && characters as f64 * CHARACTER + 8.0 <= width
}

/// The scale that shows all of these turns.
fn axis(
    turns: &[TurnRecord],
    shares: &[Share],
    shown: Option<WindowRange>,
    window: u32,
    height: f64,
) -> Axis {
    let windows = turns.iter().map(|record| f64::from(record.budget.window));
    let used = shares.iter().map(|share| share.used).fold(0.0, f64::max);
    let shown = shown.map_or(0.0, |range| f64::from(range.at_most.unwrap_or(range.at_least)));
    let busy = used.max(shown);
    let window = if turns.is_empty() { f64::from(window) } else { 0.0 };
    let top = windows.fold(busy.max(window), f64::max);
    let busy = if turns.is_empty() { top } else { busy };
    let bottom = shares.iter().map(Share::lost).fold(0.0, f64::max);
    // What hangs below is at least as tall as its segments' least heights, whatever the scale.
    let least_below = shares.iter().map(|share| least_height(&share.dropped)).fold(0.0, f64::max);
    let plain = Axis::new(top, busy, bottom, HEAD, height - HEAD);
    let missing = (least_below - (plain.below(bottom) - plain.baseline())).max(0.0).min(height / 4.0);
    Axis::new(top, busy, bottom, HEAD, height - HEAD - missing)
}

fn least_height(parts: &[Part]) -> f64 {
    parts.len() as f64 * (LEAST + GAP)
}

/// Whether each segment of a column can have its least height.
fn has_room(axis: &Axis, share: &Share) -> bool {
    let room = axis.baseline() - axis.above(share.used);
    least_height(&share.kept) <= room
        && least_height(&share.dropped) <= axis.below(share.lost()) - axis.baseline() + GAP
        || share.kept.len() + share.dropped.len() <= PartKind::ALL.len()
}

/// Heights of the segments, gaps included: on the scale, with a least height that the larger ones pay for.
fn heights(ideal: &[f64], least: &[f64]) -> Vec<f64> {
    let pairs = || ideal.iter().zip(least);
    let spare: f64 = pairs().map(|(ideal, least)| (ideal - least).max(0.0)).sum();
    let missing: f64 = pairs().map(|(ideal, least)| (least - ideal).max(0.0)).sum();
    let left = if spare > missing { 1.0 - missing / spare } else { 0.0 };
    pairs().map(|(ideal, least)| least + (ideal - least).max(0.0) * left).collect()
}

/// The segments of a column, the top of what stayed, and the bottom of what was dropped.
fn stack(axis: &Axis, record: &TurnRecord, share: &Share) -> (Vec<Piece>, f64, f64) {
    let mut pieces = Vec::new();
    let mut top = axis.baseline();
    for (part, height, gap, joined) in slots(&share.kept, |tokens| axis.baseline() - axis.above(tokens)) {
        top -= height;
        pieces.push(Piece { holds: Holds::Kept(part.clone()), y: top + gap, height: height - gap, joined });
    }
    let used = top;
    let mut empty = |holds: Holds, from: f64, to: f64| {
        if from - to >= LEAST_EMPTY {
            pieces.push(Piece { holds, y: to + GAP, height: from - to - GAP, joined: false });
        }
    };
    let window = axis.above(f64::from(record.budget.window));
    let available = axis.above(f64::from(record.budget.available)).max(window + LEAST_RESERVE).min(used);
    empty(Holds::Free(share.free), used, available);
    empty(Holds::Reserve(share.reserve), available, window);

    let mut bottom = axis.baseline() + GAP;
    // The oldest left first, so it hangs lowest: read from the bottom up, the order is that of the conversation.
    let newest_first: Vec<Part> = share.dropped.iter().rev().cloned().collect();
    for (part, height, gap, _) in slots(&newest_first, |tokens| axis.below(tokens) - axis.baseline()) {
        pieces.push(Piece {
            holds: Holds::Dropped(part.clone()),
            y: bottom,
            height: height - gap,
            joined: false,
        });
        bottom += height;
    }
    (pieces, used, bottom)
}

/// Parts with their heights, the gap that each ends with, and whether they are joined to the one before.
fn slots(parts: &[Part], pixels: impl Fn(f64) -> f64) -> Vec<(&Part, f64, f64, bool)> {
    let joins = |before: &Part, after: &Part| before.kind.is_system() && after.kind.is_system();
    let gap = |index: usize| match (parts.get(index), parts.get(index + 1)) {
        (Some(part), Some(next)) if joins(part, next) => 0.0,
        (_, _) => GAP,
    };
    let mut tokens = 0.0;
    let ideal: Vec<f64> = parts
        .iter()
        .map(|part| {
            let from = pixels(tokens);
            tokens += part.tokens;
            pixels(tokens) - from
        })
        .collect();
    let least: Vec<f64> = (0..parts.len()).map(|index| LEAST + gap(index)).collect();
    let mut before: Option<&Part> = None;
    parts
        .iter()
        .zip(heights(&ideal, &least))
        .enumerate()
        .map(|(index, (part, height))| {
            let joined = before.is_some_and(|before| joins(before, part));
            before = Some(part);
            (part, height, gap(index), joined)
        })
        .collect()
}

/// The window that the evidence shows, if it is another one than the page believes.
fn shown_window(turns: &[TurnRecord]) -> Option<WindowRange> {
    let believed = turns.last()?.window.tokens;
    let shown = |record: &TurnRecord| record.judgement.as_ref().and_then(|judgement| judgement.window);
    let range = turns.iter().rev().find_map(shown)?;
    let differs = range.at_most.is_some_and(|most| most < believed) || range.at_least > believed;
    differs.then_some(range)
}

fn evidence_line(axis: &Axis, range: WindowRange, columns: &[Column], right: f64) -> EvidenceLine {
    let least = axis.above(f64::from(range.at_least));
    let y = range.at_most.map_or(least, |most| axis.above(f64::from(most)));
    let height = (least - y).max(0.0);
    let places = [(false, y - 7.0), (true, y - 7.0), (false, y + height + 15.0), (true, y + height + 15.0)];
    let places = places.map(|(at_the_right, y)| {
        let x = if at_the_right { right } else { GUTTER + 6.0 };
        NamePlace { x, y, at_the_right }
    });
    let [first, ..] = places;
    let name = places.into_iter().find(|place| !is_in_the_way(*place, columns)).unwrap_or(first);
    EvidenceLine { from: GUTTER, to: right, y, height, range, name }
}

/// Whether a name would cover what stayed of a turn, or its total.
fn is_in_the_way(place: NamePlace, columns: &[Column]) -> bool {
    let (from, to) = if place.at_the_right { (place.x - NAME, place.x) } else { (place.x, place.x + NAME) };
    let overlaps = |column: &Column| column.slot_x < to && from < column.slot_x + column.slot_width;
    columns.iter().any(|column| overlaps(column) && place.y + 4.0 > column.top - 18.0)
}

/// One line for each stretch of turns with the same window.
fn window_lines(axis: &Axis, turns: &[TurnRecord], window: u32, pitch: f64, right: f64) -> Vec<WindowLine> {
    let line =
        |from: f64, tokens: u32| WindowLine { from, to: right, y: axis.above(f64::from(tokens)), tokens };
    let mut lines: Vec<WindowLine> = Vec::new();
    for (index, record) in turns.iter().enumerate() {
        let from = GUTTER + pitch * index as f64;
        match lines.last_mut() {
            Some(last) if last.tokens == record.budget.window => {}
            Some(last) => {
                last.to = from;
                lines.push(line(from, record.budget.window));
            }
            None => lines.push(line(from, record.budget.window)),
        }
    }
    if lines.is_empty() {
        lines.push(line(GUTTER, window));
    }
    lines
}

/// The turns that lost a request which every turn before them had kept.
fn turns_that_lost_a_request(shares: &[Share]) -> BTreeSet<usize> {
    let mut lost: BTreeSet<MessageId> = BTreeSet::new();
    let mut turns = BTreeSet::new();
    for (index, share) in shares.iter().enumerate() {
        let requests = share.dropped.iter().filter(|part| part.kind == PartKind::Request);
        for message in requests.flat_map(|part| &part.messages) {
            if lost.insert(*message) {
                turns.insert(index);
            }
        }
    }
    turns
}

#[cfg(test)]
mod tests;
