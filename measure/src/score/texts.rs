//! Texts as an agent meets them, generated: code with line numbers, paths, search results, logs, data, prose in four
//! scripts, and noise (rulers, blanks, hex).

use super::random::Random;
use std::fmt::Write;

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Source code, numbered as `cat -n` does.
    Code,
    /// Paths, one a line.
    Paths,
    /// `path:line: text`.
    Search,
    /// A log with times and levels.
    Log,
    /// JSON.
    Data,
    /// English or Spanish.
    Prose,
    /// Chinese, Japanese or Russian.
    OtherScripts,
    /// Rulers, blanks, hex.
    Noise,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Code,
        Self::Paths,
        Self::Search,
        Self::Log,
        Self::Data,
        Self::Prose,
        Self::OtherScripts,
        Self::Noise,
    ];
}

const NAMES: [&str; 24] = [
    "window", "budget", "message", "reserve", "estimate", "verdict", "history", "server", "request",
    "answer", "token", "parser", "buffer", "index", "offset", "config", "session", "timeline", "encoder",
    "matcher", "walker", "cursor", "handle", "policy",
];
const VERBS: [&str; 12] =
    ["read", "write", "load", "find", "merge", "split", "count", "trim", "clear", "build", "check", "open"];
const ENGLISH: [&str; 36] = [
    "the",
    "a",
    "of",
    "and",
    "in",
    "that",
    "was",
    "for",
    "with",
    "server",
    "window",
    "meeting",
    "report",
    "because",
    "before",
    "answer",
    "question",
    "nobody",
    "noticed",
    "quarterly",
    "transport",
    "schedule",
    "warehouse",
    "agreed",
    "proposed",
    "measured",
    "carefully",
    "numbers",
    "yesterday",
    "however",
    "between",
    "people",
    "small",
    "longest",
    "conversation",
    "remember",
];
const SPANISH: [&str; 30] = [
    "el",
    "la",
    "de",
    "que",
    "y",
    "en",
    "los",
    "se",
    "para",
    "con",
    "reunión",
    "equipo",
    "revisó",
    "pedidos",
    "pendientes",
    "almacén",
    "acordó",
    "reorganizar",
    "turnos",
    "mientras",
    "también",
    "según",
    "conversación",
    "ventana",
    "respuesta",
    "número",
    "mañana",
    "después",
    "presupuesto",
    "pequeña",
];
const CHINESE: [&str; 30] = [
    "我们",
    "服务器",
    "窗口",
    "会议",
    "报告",
    "时间",
    "确认",
    "问题",
    "回答",
    "因为",
    "所以",
    "可以",
    "没有",
    "已经",
    "需要",
    "的",
    "是",
    "在",
    "了",
    "和",
    "对话",
    "消息",
    "数据",
    "系统",
    "用户",
    "发现",
    "重要",
    "工作",
    "如果",
    "但是",
];
const JAPANESE: [&str; 24] = [
    "会議",
    "報告",
    "時間",
    "確認",
    "を",
    "は",
    "が",
    "に",
    "の",
    "しました",
    "します",
    "ください",
    "サーバー",
    "ウィンドウ",
    "メッセージ",
    "という",
    "について",
    "から",
    "まで",
    "資料",
    "お願い",
    "問題",
    "次の",
    "です",
];
const RUSSIAN: [&str; 16] = [
    "и",
    "в",
    "не",
    "что",
    "сервер",
    "окно",
    "сообщение",
    "ответ",
    "вопрос",
    "который",
    "после",
    "разговор",
    "длинный",
    "между",
    "отчёт",
    "время",
];
const LEVELS: [&str; 4] = ["INFO", "WARN", "DEBUG", "ERROR"];

/// A text of at least so many bytes.
pub fn text(kind: Kind, bytes: usize, random: &mut Random) -> String {
    let flavour = random.between(0, 3);
    let mut text = String::new();
    let mut line = 0;
    // Writing to a string can't fail.
    while text.len() < bytes {
        line += 1;
        let _ = match kind {
            Kind::Code => code_line(&mut text, line, flavour, random),
            Kind::Paths => writeln!(text, "{}", path(random)),
            Kind::Search => {
                let (path, number) = (path(random), random.between(1, 900));
                writeln!(
                    text,
                    "{path}:{number}:    let {} = {}({});",
                    name(random),
                    verb(random),
                    name(random)
                )
            }
            Kind::Log => log_line(&mut text, line, random),
            Kind::Data => writeln!(
                text,
                "  {{\"id\": {}, \"{}\": \"{}\", \"size\": {}.{}, \"ok\": {}}},",
                random.between(1, 100_000),
                name(random),
                path(random),
                random.between(0, 999),
                random.between(0, 99),
                random.between(0, 2) == 0
            ),
            Kind::Prose => sentence(&mut text, if flavour == 0 { &SPANISH } else { &ENGLISH }, random),
            Kind::OtherScripts if flavour == 2 => sentence(&mut text, &RUSSIAN, random),
            Kind::OtherScripts => {
                let words: &[&str] = if flavour == 0 { &CHINESE } else { &JAPANESE };
                (0..random.between(4, 20)).for_each(|_| text.push_str(random.one_of::<&str>(words)));
                writeln!(text, "。")
            }
            Kind::Noise => noise_line(&mut text, random),
        };
    }
    text
}

fn name(random: &mut Random) -> String {
    let (first, second) = (random.one_of(&NAMES), random.one_of(&NAMES));
    match random.between(0, 3) {
        0 => (*first).to_owned(),
        1 => format!("{first}_{second}"),
        _ => {
            let (head, tail) = second.split_at(1);
            format!("{first}{}{tail}", head.to_uppercase())
        }
    }
}

fn verb(random: &mut Random) -> String {
    format!("{}_{}", random.one_of(&VERBS), random.one_of(&NAMES))
}

fn path(random: &mut Random) -> String {
    let end = random.one_of(&["rs", "ts", "py", "md", "json", "test.ts"]);
    let (top, folder) =
        (random.one_of(&["src", "core/src", "web/components", "tests"]), random.one_of(&NAMES));
    format!("{top}/{folder}/{}.{end}", name(random))
}

fn code_line(text: &mut String, line: usize, flavour: usize, random: &mut Random) -> std::fmt::Result {
    let indent = "    ".repeat(random.between(0, 4));
    let (one, two, three) = (name(random), name(random), verb(random));
    if flavour > 0 {
        write!(text, "{line:>6}\t")?;
    }
    match random.between(0, 7) {
        0 => writeln!(text, "{indent}let mut {one} = self.{two}.{three}(&{one})?;"),
        1 => writeln!(text, "{indent}if {one} >= {} && !{two}.is_empty() {{", random.between(0, 5_000)),
        2 => writeln!(text, "{indent}}}"),
        3 => writeln!(text),
        4 => writeln!(text, "{indent}// The {one} has to {three} before the {two} is known."),
        5 => writeln!(text, "{indent}pub fn {three}({one}: &str, {two}: usize) -> Option<u32> {{"),
        _ => writeln!(text, "{indent}return {one}.map(|{two}| {two} + {});", random.between(0, 100)),
    }
}

fn log_line(text: &mut String, line: usize, random: &mut Random) -> std::fmt::Result {
    let (minute, second, milli) = (line / 60 % 60, line % 60, random.between(0, 1_000));
    let (level, target, what) = (random.one_of(&LEVELS), path(random), verb(random));
    let (took, code) = (random.between(1, 90_000), random.bits());
    writeln!(
        text,
        "2026-12-01T10:{minute:02}:{second:02}.{milli:03}Z {level:<5} [{target}] {what} took={took}us id={code:016x}"
    )
}

fn sentence(text: &mut String, words: &[&str], random: &mut Random) -> std::fmt::Result {
    for index in 0..random.between(6, 24) {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(random.one_of::<&str>(words));
    }
    text.push_str(random.one_of::<&str>(&[". ", ", ", ".\n", "; "]));
    Ok(())
}

fn noise_line(text: &mut String, random: &mut Random) -> std::fmt::Result {
    match random.between(0, 5) {
        0 => writeln!(text, "{}", "=".repeat(random.between(20, 120))),
        1 => writeln!(text, "{}", " ".repeat(random.between(10, 200))),
        2 => writeln!(text, "{:016x}{:016x} {:016x}", random.bits(), random.bits(), random.bits()),
        3 => writeln!(text, "{}", "-".repeat(random.between(3, 80))),
        _ => writeln!(text, "| {} | {} |", name(random), random.between(0, 1_000_000)),
    }
}
