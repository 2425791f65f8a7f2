//! One whole run: which server, how the conversation overflows it, and what the page believes of the window.

use super::is_native;
use brimline_core::simulate::Face;
use brimline_core::workspace::{MemoryWorkspace, WorkspacePath};
use std::fmt::Write as _;

/// How a conversation comes to overflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It grows by many files of middling size.
    ManyFiles,
    /// It grows by many small files, so that the request gets lost among them.
    SmallFiles,
    /// One file is larger than the window by itself.
    HugeFile,
    /// A question comes first, and a second one finds the window nearly full.
    SecondRequest,
    /// The request itself is as large as the window.
    HugeRequest,
    /// The answer runs into the window's edge.
    LongAnswer,
}

/// What the page believes of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowSet {
    /// What it is.
    Right,
    /// Far more.
    TooHigh,
    /// Nothing: the reader set none.
    Unset,
}

/// One whole run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// Which server it is.
    pub face: Face,
    /// On the server's own wire, where it has one.
    pub native: bool,
    /// How the conversation overflows.
    pub way: Way,
    /// What the page believes of the window.
    pub set: WindowSet,
    /// The server's real window, in tokens.
    pub window: u32,
    /// What makes one case different from the next.
    pub seed: u64,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ManyFiles,
        Self::SmallFiles,
        Self::HugeFile,
        Self::SecondRequest,
        Self::HugeRequest,
        Self::LongAnswer,
    ];
}

impl WindowSet {
    const ALL: [Self; 3] = [Self::Right, Self::TooHigh, Self::Unset];
}

/// Windows that servers really have, and some that nobody would guess.
const WINDOWS: [u32; 4] = [4_096, 6_000, 8_192, 5_120];

/// What a page believes that was told the model's trained maximum for its window.
const FAR_TOO_HIGH: u32 = 131_072;

impl Case {
    /// Case number `number` of a face: every way with every belief comes up before one comes up again.
    pub fn of(face: Face, number: usize) -> Self {
        let ways = Way::ALL.len();
        let pairs = ways * WindowSet::ALL.len();
        let pick = number % pairs;
        Self {
            face,
            native: is_native(face) && (number / pairs).is_multiple_of(2),
            way: Way::ALL.into_iter().nth(pick % ways).unwrap_or(Way::ManyFiles),
            set: WindowSet::ALL.into_iter().nth(pick / ways).unwrap_or(WindowSet::Unset),
            window: WINDOWS.into_iter().nth((number / 3) % WINDOWS.len()).unwrap_or(4_096),
            seed: number as u64,
        }
    }

    /// What it is called in messages.
    pub fn name(&self) -> String {
        let Self { face, native, way, set, window, seed } = self;
        let wire = if *native { "native" } else { "/v1" };
        format!("{} {wire} {way:?} {set:?} {window} #{seed}", face.name())
    }

    /// The window that the reader set, in tokens.
    pub(super) fn window_set(&self) -> Option<u32> {
        match self.set {
            WindowSet::Right => Some(self.window),
            WindowSet::TooHigh => Some(FAR_TOO_HIGH),
            WindowSet::Unset => None,
        }
    }

    /// The request is said twice in half of the cases, wherever the page would leave that to the server.
    pub(super) fn repeat_request(&self) -> Option<bool> {
        (!self.seed.is_multiple_of(2)).then_some(false)
    }

    pub(super) fn model(&self) -> &'static str {
        match self.way {
            Way::LongAnswer => "talker:7b",
            Way::ManyFiles | Way::SmallFiles | Way::HugeFile | Way::SecondRequest | Way::HugeRequest => {
                match self.seed % 5 {
                    0 => "texter:1b",
                    1 => "thinker:4b",
                    _ => "reader:7b",
                }
            }
        }
    }

    /// What the user asks, one request after another.
    pub(super) fn requests(&self) -> Vec<String> {
        let longest = |folder: &str| format!("Read the files under {folder}/ and say which is the longest.");
        match self.way {
            Way::ManyFiles | Way::SmallFiles | Way::HugeFile => vec![longest("src")],
            Way::SecondRequest => vec![longest("lib"), longest("src")],
            Way::HugeRequest => {
                let notes = prose(self.seed, self.window as usize * 6);
                vec![format!(
                    "{notes}\n\nThose were my notes. Read the files under src/ and say which is the longest."
                )]
            }
            Way::LongAnswer => {
                vec![
                    format!("Write {} words about the sea.", self.window / 2),
                    "Write 2000 words about it.".into(),
                ]
            }
        }
    }

    /// A part of the right answer, where there is one.
    pub(super) fn right_answer(&self) -> Option<String> {
        match self.way {
            Way::ManyFiles | Way::SmallFiles | Way::HugeFile | Way::SecondRequest => {
                Some(format!("src/{}.rs", self.longest().1))
            }
            Way::HugeRequest | Way::LongAnswer => None,
        }
    }

    /// Files and the lines of each, under `src`.
    fn files(&self) -> Vec<(usize, String)> {
        let unit = self.window as usize;
        let (count, lines) = match self.way {
            Way::ManyFiles => (9, unit / 110),
            Way::SmallFiles => (22, unit / 420),
            Way::HugeFile => (2, unit / 9),
            Way::SecondRequest => (7, unit / 100),
            Way::HugeRequest | Way::LongAnswer => (3, 12),
        };
        let name = |n: usize| char::from_u32('a' as u32 + (n % 26) as u32).unwrap_or('a').to_string();
        (0..count).map(|n| (lines + ((n * 7 + self.seed as usize) % count), name(n))).collect()
    }

    fn longest(&self) -> (usize, String) {
        self.files().into_iter().max_by_key(|(lines, _)| *lines).unwrap_or_default()
    }

    pub(super) fn workspace(&self) -> MemoryWorkspace {
        let mut workspace = MemoryWorkspace::default();
        let mut put = |path: String, lines: usize| {
            if let Ok(path) = WorkspacePath::parse(&path) {
                workspace.insert(path, code(self.seed, lines).into_bytes());
            }
        };
        for (lines, name) in self.files() {
            put(format!("src/{name}.rs"), lines);
        }
        if self.way == Way::SecondRequest {
            for (n, name) in ["x", "y", "z"].into_iter().enumerate() {
                put(format!("lib/{name}.rs"), self.window as usize / 160 + n);
            }
        }
        workspace
    }
}

/// Lines of made-up code that differ from case to case.
fn code(seed: u64, lines: usize) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let n = (line as u64).wrapping_mul(2_654_435_761).wrapping_add(seed) % 9_973;
        let _ = match n % 4 {
            0 => writeln!(text, "    let value_{n} = compute({line}, {n}); // step {line}"),
            1 => writeln!(text, "    if level[{line}] > {n} {{ return Err(Overflow::At({n})); }}"),
            2 => writeln!(text, "    table.insert(\"key-{n:04x}\", Entry::new({line}, 0x{n:04x}));"),
            _ => writeln!(text, "    // The tide of {line} minutes is read from column {n}."),
        };
    }
    text
}

/// Made-up prose of about so many bytes.
fn prose(seed: u64, bytes: usize) -> String {
    const WORDS: [&str; 12] = [
        "harbour", "tides", "were", "measured", "every", "morning", "with", "a", "long", "pole", "and",
        "patience",
    ];
    let mut text = String::new();
    let mut n = seed.wrapping_add(7);
    while text.len() < bytes {
        n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push_str(WORDS.into_iter().nth((n >> 33) as usize % WORDS.len()).unwrap_or("sea"));
        text.push(' ');
    }
    text
}
