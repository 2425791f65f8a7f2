//! Models with a script instead of weights. Each decides from what *survived* in its prompt, and from nothing else: that
//! is what makes a lost request visible in the answer.

use super::template::WireMessage;
use serde_json::{Value, json};

/// What a model says next.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Said {
    pub(super) thinking: String,
    pub(super) text: String,
    pub(super) calls: Vec<(String, Value)>,
}

/// A scripted model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Reads the files under the folder that the request names, one after another, and says which is the longest.
    Reader,
    /// The same, but writes its calls as text.
    Texter,
    /// The same, but thinks first.
    Thinker,
    /// Says the keys that it can still read.
    Keys,
    /// Writes as many words as it is asked for.
    Talker,
    /// A reader that can't be given tools.
    NoTools,
}

/// The models that a simulated server has, by name.
pub(super) const MODELS: [(&str, Script); 6] = [
    ("reader:7b", Script::Reader),
    ("keys:7b", Script::Keys),
    ("texter:1b", Script::Texter),
    ("thinker:4b", Script::Thinker),
    ("talker:7b", Script::Talker),
    ("no-tools:1b", Script::NoTools),
];

impl Script {
    /// The model of that name; a tag may be left out, as servers allow.
    pub(super) fn of_model(name: &str) -> Option<Self> {
        let is_named = |(known, _): &&(&str, Script)| *known == name || known.split(':').next() == Some(name);
        MODELS.iter().find(is_named).map(|(_, script)| *script)
    }

    /// What it says after these messages.
    pub(super) fn say(self, messages: &[WireMessage]) -> Said {
        let question = messages.last().map_or("", |message| message.content.as_str());
        if question.contains("Repeat every code word") {
            return said(code_words(messages));
        }
        if question.contains("What was the code word of my first message?") {
            return said(first_code_word(messages));
        }
        if question.contains("tell me both keys") {
            return said(keys(messages));
        }
        match self {
            Self::Reader | Self::NoTools => read_on(messages),
            Self::Texter => as_text(read_on(messages)),
            Self::Thinker => {
                let seen = messages.len();
                Said {
                    thinking: format!("I have {seen} messages before me. What is next?"),
                    ..read_on(messages)
                }
            }
            Self::Keys => said(keys(messages)),
            Self::Talker => said(talk(messages)),
        }
    }
}

fn said(text: String) -> Said {
    Said { text, ..Said::default() }
}

/// Calls written as a small model writes them: as text.
fn as_text(said: Said) -> Said {
    let call = |(name, arguments): &(String, Value)| {
        format!("\n```json\n{}\n```", json!({ "name": name.to_lowercase(), "arguments": arguments }))
    };
    let calls: String = said.calls.iter().map(call).collect();
    Said { text: format!("{}{calls}", said.text), calls: Vec::new(), ..said }
}

/// What a reader says when nothing tells it what to do: fluent, friendly, and not what was asked.
const WITHOUT_A_TASK: &str = "Thanks for sharing these files. The code is well organised, with clear names and short \
functions, and it seems to be doing what it should. Is there anything in particular that you would like to know about it?";

/// How a system prompt tells a task: the last paragraph is the task itself.
const TASK_TOLD: &str = "The user's current request, word for word.";

/// One step of reading files.
fn read_on(messages: &[WireMessage]) -> Said {
    let last = messages.last();
    if last
        .is_some_and(|message| message.role == "user" && message.content.contains("Write only the summary."))
    {
        return said(summarise(messages));
    }
    let asked = messages.iter().rev().find(|message| message.role == "user");
    // The current task may be told in the system prompt too.
    let told =
        messages.iter().find(|message| message.role == "system" && message.content.contains(TASK_TOLD));
    let Some(task) = asked.or(told) else {
        return said(WITHOUT_A_TASK.into());
    };
    let notes = Notes::of(messages);
    if let Some(word) = word_in(&task.content) {
        return answer_from_grep(messages, word);
    }
    let Some(folder) = folder_in(&task.content) else { return answer_from_readme(messages) };
    if notes.listed.is_empty() && notes.has_no_files(last) {
        return said(format!("I found no files under {folder}."));
    }
    let Some(next) = notes.listed.iter().find(|path| !notes.has_read(path)) else {
        if notes.listed.is_empty() {
            let glob = ("Glob".to_owned(), json!({ "pattern": format!("{folder}/**") }));
            return Said {
                text: format!("I'll see which files there are under {folder}."),
                calls: vec![glob],
                ..Said::default()
            };
        }
        return said(verdict(&notes));
    };
    let text = match notes.lengths.last() {
        Some((path, lines)) if last.is_some_and(|message| message.role == "tool") => {
            format!("{path}: {lines} lines. Next is {next}.")
        }
        Some(_) | None => format!("Next is {next}."),
    };
    Said { text, calls: vec![("Read".to_owned(), json!({ "path": next }))], ..Said::default() }
}

/// Which file is the longest, from what is known of them.
fn verdict(notes: &Notes) -> String {
    match notes.lengths.iter().max_by_key(|(_, lines)| *lines) {
        Some((path, lines)) => format!(
            "The longest file is {path}, with {lines} lines. I have read {} of {} files.",
            notes.lengths.len(),
            notes.listed.len().max(notes.lengths.len())
        ),
        None => "I can no longer see how long the files were.".into(),
    }
}

/// A question about a word: the lines that have it.
fn answer_from_grep(messages: &[WireMessage], word: &str) -> Said {
    match messages.last().filter(|message| message.role == "tool" && message.tool == "Grep") {
        Some(found) => said(format!("This is what I found for {word}:\n{}", found.content)),
        None => Said {
            text: format!("I'll look for {word}."),
            calls: vec![("Grep".to_owned(), json!({ "pattern": word }))],
            ..Said::default()
        },
    }
}

/// A question that names no folder: the readme is the place to look.
fn answer_from_readme(messages: &[WireMessage]) -> Said {
    let asked = messages.iter().rposition(|message| message.role == "user").unwrap_or(0);
    let since = messages.get(asked..).unwrap_or_default();
    let readme = since.iter().find(|message| message.role == "tool" && message.tool == "Read");
    match readme {
        Some(readme) => {
            let lines =
                readme.content.lines().filter_map(|line| line.split_once('\t')).map(|(_, text)| text.trim());
            let told: Vec<&str> =
                lines.filter(|line| !line.is_empty() && !line.starts_with('#')).take(3).collect();
            said(format!("README.md says: {}", told.join(" ")))
        }
        None if Notes::of(since).has_read("README.md") => {
            said("I looked at README.md, and can no longer see it.".into())
        }
        None => Said {
            text: "I'll look at the readme first.".into(),
            calls: vec![("Read".to_owned(), json!({ "path": "README.md" }))],
            ..Said::default()
        },
    }
}

/// A summary of what is in the prompt: the files, and how long each was.
fn summarise(messages: &[WireMessage]) -> String {
    let notes = Notes::of(messages);
    let listed = notes.listed.join(", ");
    let read: String =
        notes.lengths.iter().map(|(path, lines)| format!("\n{path}: {lines} lines.")).collect();
    let left: Vec<&str> =
        notes.listed.iter().filter(|path| !notes.has_read(path)).map(String::as_str).collect();
    let left = if left.is_empty() { "none".to_owned() } else { left.join(", ") };
    format!("Files found: {listed}.\nRead so far:{read}\nStill to read: {left}.")
}

/// What a reader can gather from its prompt.
#[derive(Debug, Default)]
struct Notes {
    /// The files under the folder.
    listed: Vec<String>,
    /// The files that it asked for, in order.
    asked: Vec<String>,
    /// How long files are, in lines.
    lengths: Vec<(String, u32)>,
}

impl Notes {
    fn of(messages: &[WireMessage]) -> Self {
        let mut notes = Self::default();
        for message in messages {
            match message.role.as_str() {
                "assistant" => {
                    notes.take_words(&message.content);
                    let paths = message.calls.iter().filter(|(name, _)| name == "Read");
                    notes.asked.extend(
                        paths.filter_map(|(_, arguments)| Some(arguments.get("path")?.as_str()?.to_owned())),
                    );
                    notes.take_calls_in_text(&message.content);
                }
                "tool" if message.tool == "Glob" => {
                    notes
                        .listed
                        .extend(message.content.lines().filter(is_path).map(str::trim).map(str::to_owned));
                }
                "tool" if message.tool == "Read" => {
                    if let (Some(path), Some(lines)) =
                        (notes.asked.last().cloned(), lines_of(&message.content))
                    {
                        notes.put_length(&path, lines);
                    }
                }
                "user" => {
                    notes.take_words(&message.content);
                    notes.take_transcript(&message.content);
                }
                _ => {}
            }
        }
        notes.listed.sort();
        notes.listed.dedup();
        notes
    }

    /// What it wrote down itself, in an earlier answer or in a summary.
    fn take_words(&mut self, text: &str) {
        if let Some(listed) = text.lines().find_map(|line| line.strip_prefix("Files found: ")) {
            self.listed.extend(
                listed.trim_end_matches('.').split(", ").filter(|path| !path.is_empty()).map(str::to_owned),
            );
        }
        for sentence in text.split('\n').flat_map(|line| line.split(". ")) {
            let Some((named, count)) =
                sentence.split_once(" lines").and_then(|(before, _)| before.rsplit_once(": "))
            else {
                continue;
            };
            if let (Some(path), Ok(lines)) = (named.rsplit(' ').next(), count.parse()) {
                self.asked.push(path.to_owned());
                self.put_length(path, lines);
            }
        }
    }

    /// A part of a conversation that is to be summarised: calls and results as text.
    fn take_transcript(&mut self, text: &str) {
        for block in text.split("\n\n") {
            if let Some(listed) = block.strip_prefix("Result of Glob:\n") {
                self.listed.extend(listed.lines().filter(is_path).map(str::trim).map(str::to_owned));
            }
            if let Some(call) = block.lines().find_map(|line| line.strip_prefix("[calls Read ")) {
                let arguments: Value = serde_json::from_str(call.trim_end_matches(']')).unwrap_or_default();
                self.asked.extend(arguments.get("path").and_then(Value::as_str).map(str::to_owned));
            }
            let lines = block.strip_prefix("Result of Read:\n").and_then(lines_of);
            if let (Some(lines), Some(path)) = (lines, self.asked.last().cloned()) {
                self.put_length(&path, lines);
            }
        }
    }

    fn take_calls_in_text(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let call: Value = serde_json::from_str(line).unwrap_or_default();
            if call.get("name").and_then(Value::as_str) == Some("read") {
                self.asked.extend(call.pointer("/arguments/path").and_then(Value::as_str).map(str::to_owned));
            }
        }
    }

    fn put_length(&mut self, path: &str, lines: u32) {
        self.lengths.retain(|(known, _)| known != path);
        self.lengths.push((path.to_owned(), lines));
    }

    fn has_read(&self, path: &str) -> bool {
        self.asked.iter().any(|asked| asked == path)
    }

    /// It has looked for files, and there were none.
    fn has_no_files(&self, last: Option<&WireMessage>) -> bool {
        last.is_some_and(|message| message.role == "tool" && message.tool == "Glob")
    }
}

/// Whether a line of a result of `Glob` is a path, and not a note about the result.
fn is_path(line: &&str) -> bool {
    line.contains('.') && !line.trim().contains(' ')
}

/// How many lines a result of `Read` shows the file to have: the last number in front of a line.
fn lines_of(result: &str) -> Option<u32> {
    let number = |line: &str| line.split_once('\t').and_then(|(number, _)| number.trim().parse().ok());
    result.lines().rev().find_map(number)
}

/// The folder that a request names: the first word with a slash. A summary may stand before the request, and name files.
fn folder_in(task: &str) -> Option<String> {
    let task = task.rsplit("\n\n").next()?;
    let strip =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '.').to_owned();
    let word = task.split_whitespace().map(strip).find(|word| word.contains('/') && word.len() > 1)?;
    Some(word.trim_matches('/').to_owned())
}

/// The word that a request asks about: the one after "the word".
fn word_in(task: &str) -> Option<&str> {
    let (_, after) = task.split_once("the word ").or_else(|| task.split_once("la palabra "))?;
    after.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty())
}

/// The keys that can still be read, like `ALFA-3141`.
fn keys(messages: &[WireMessage]) -> String {
    let key_in = |message: &WireMessage| {
        message
            .content
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .find(|word| is_key(word))
            .map(str::to_owned)
    };
    let of_role = |role: &str| messages.iter().filter(|message| message.role == role).find_map(key_in);
    match (of_role("system"), of_role("user")) {
        (Some(system), Some(task)) => format!("The system's key is {system}, and the task's key is {task}."),
        (Some(system), None) => format!("The key is {system}. I have it from the start of our conversation."),
        (None, Some(task)) => format!("The key is {task}."),
        (None, None) => "You have not told me a key, but I am happy to help with the notes.".into(),
    }
}

/// Every word like a key that can still be read.
fn code_words(messages: &[WireMessage]) -> String {
    let words =
        messages.iter().flat_map(|message| message.content.split(|c: char| !c.is_alphanumeric() && c != '-'));
    words.filter(|word| is_key(word)).collect::<Vec<_>>().join(", ")
}

/// The word that the first message told, if it can still be read.
fn first_code_word(messages: &[WireMessage]) -> String {
    let told = messages.iter().find_map(|message| message.content.split_once("of my first message is "));
    let word = told.and_then(|(_, after)| after.split(|c: char| !c.is_alphanumeric() && c != '-').next());
    word.unwrap_or("I can no longer see it.").to_owned()
}

fn is_key(word: &str) -> bool {
    word.split_once('-').is_some_and(|(name, number)| {
        name.len() >= 4
            && name.chars().all(|c| c.is_ascii_uppercase())
            && number.len() == 4
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

/// As many words as the last message asks for, a hundred if it names no number.
fn talk(messages: &[WireMessage]) -> String {
    let asked = messages.last().and_then(|message| {
        message.content.split(|c: char| !c.is_ascii_digit()).find_map(|digits| digits.parse::<usize>().ok())
    });
    let words = ["the", "tide", "comes", "and", "goes", "under", "a", "pale", "moon,"];
    let talk: Vec<&str> = words.into_iter().cycle().take(asked.unwrap_or(100).min(20_000)).collect();
    talk.join(" ")
}
