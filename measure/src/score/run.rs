//! Runs to score with: recorded ones, and the default set, which is generated.

use super::random::Random;
use super::server::{Counting, Outcome, Overflow, Server, Sized};
use super::texts::{Kind, text};
use super::tokenizer::{Named, Tokenizer};
use crate::traces::{Trace, role_of};
use anyhow::Result;
use brimline_core::conversation::Role;
use brimline_core::tokens::Family;
use brimline_core::wire::Usage;

/// A run: a conversation that grows, and what a server made of it each time.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The family that the detector is told.
    pub family: Family,
    /// The server, to answer confirming requests.
    pub server: Server,
    /// All messages.
    pub messages: Vec<RunMessage>,
    /// The calls of the model.
    pub turns: Vec<RunTurn>,
}

/// A message of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// Its exact size in tokens, template and all.
    pub tokens: u32,
}

/// One call of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunTurn {
    /// How many of the messages were sent.
    pub messages: usize,
    /// What the server made of them.
    pub outcome: Outcome,
}

impl Run {
    /// What the server reports for these messages of the run, in an answer of one token.
    pub fn confirm(&self, indices: &[usize]) -> Option<Usage> {
        let message = |index: &usize| self.messages.get(*index);
        let prompt: Vec<Sized> = indices.iter().filter_map(message).map(RunMessage::sized).collect();
        match self.server.answer(&prompt, 0, 1) {
            Outcome::Answered { usage, .. } => Some(usage),
            Outcome::Refused { .. } => None,
        }
    }

    /// The true size of the first `messages` messages, in tokens.
    pub fn whole(&self, messages: usize) -> u32 {
        self.messages.iter().take(messages).map(|message| message.tokens).sum::<u32>() + self.server.once
    }
}

impl RunMessage {
    fn sized(&self) -> Sized {
        Sized { role: self.role, tokens: self.tokens }
    }
}

/// A message as ChatML writes it.
fn templated(role: Role, text: &str, tokenizer: &Tokenizer) -> RunMessage {
    let name = match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let tokens = tokenizer.count(&format!("<|im_start|>{name}\n{text}<|im_end|>\n"));
    RunMessage { role, text: text.to_owned(), tokens }
}

/// Recorded runs against Ollama, counted by the model's own tokenizer, so that confirming requests can be answered.
pub fn recorded(traces: &[Trace], tokenizer: &Tokenizer, family: Family) -> Result<Vec<Run>> {
    let once = tokenizer.count("<|im_start|>assistant\n");
    let mut runs = Vec::new();
    for trace in traces {
        let mut messages = Vec::new();
        for message in &trace.messages {
            messages.push(templated(role_of(&message.role)?, &message.content, tokenizer));
        }
        let turn = |turn: &crate::traces::TraceTurn| RunTurn {
            messages: turn.messages,
            outcome: Outcome::Answered {
                usage: Usage { prompt_tokens: Some(turn.prompt_tokens), ..Usage::default() },
                truncated: turn.truncated,
                shifted: false,
            },
        };
        let server =
            Server { window: trace.window, overflow: Overflow::Drop, counting: Counting::Whole, once };
        runs.push(Run { family, server, messages, turns: trace.turns.iter().map(turn).collect() });
    }
    Ok(runs)
}

/// How many turns of recorded runs our copy of the server reports exactly as the real one did, of how many: those that
/// were whole, and those that were cut. Confirming requests mean something only if the first pair is equal.
pub fn reproduced(runs: &[Run]) -> [(usize, usize); 2] {
    let mut counts = [(0, 0); 2];
    for run in runs {
        for turn in &run.turns {
            let Outcome::Answered { usage, truncated, .. } = turn.outcome else { continue };
            let indices: Vec<usize> = (0..turn.messages).collect();
            let same = run.confirm(&indices).is_some_and(|ours| ours.prompt_tokens == usage.prompt_tokens);
            let [whole, cut] = &mut counts;
            let (equal, all) = if truncated { cut } else { whole };
            *all += 1;
            *equal += usize::from(same);
        }
    }
    counts
}

/// How a generated conversation grows.
#[derive(Debug, Clone, Copy)]
struct Growth {
    /// The least and the most bytes of a tool result.
    result: (usize, usize),
    /// How many turns it has at most.
    turns: usize,
}

const GROWTHS: [Growth; 4] = [
    Growth { result: (150, 900), turns: 40 },
    Growth { result: (800, 4_000), turns: 25 },
    Growth { result: (3_000, 12_000), turns: 14 },
    Growth { result: (200, 15_000), turns: 16 },
];

const WINDOWS: [u32; 5] = [4_096, 8_192, 16_384, 6_000, 12_288];

/// The default set: so many runs for every kind of server, several tokenizers, windows and ways to grow.
pub fn generated(servers: &[(Overflow, Counting)], runs_each: usize) -> Result<Vec<Run>> {
    let tokenizers = [
        (Tokenizer::named(Named::O200k)?, Family::GptOss),
        (Tokenizer::named(Named::Cl100k)?, Family::Unknown),
        (Tokenizer::named(Named::P50k)?, Family::Unknown),
    ];
    let mut runs = Vec::new();
    for (number, (overflow, counting)) in servers.iter().enumerate() {
        for index in 0..runs_each {
            let seed = u64::try_from(number * 10_000 + index)?;
            let mut random = Random::new(seed);
            let (tokenizer, family) = random.one_of(&tokenizers);
            let window = *random.one_of(&WINDOWS);
            let server = Server { window, overflow: *overflow, counting: *counting, once: 3 };
            runs.push(generate(server, tokenizer, *family, &mut random));
        }
    }
    Ok(runs)
}

fn generate(server: Server, tokenizer: &Tokenizer, family: Family, random: &mut Random) -> Run {
    let growth = *random.one_of(&GROWTHS);
    // Half of the runs read one kind of thing, the others whatever comes.
    let only = (random.between(0, 2) == 0).then(|| *random.one_of(&Kind::ALL));
    let system = text(Kind::Prose, *random.one_of(&[300, 1_200, 5_000]), random);
    let request = text(Kind::Prose, *random.one_of(&[50, 130, 300, 900]), random);
    let mut messages =
        vec![templated(Role::System, &system, tokenizer), templated(Role::User, &request, tokenizer)];
    let mut turns: Vec<RunTurn> = Vec::new();
    let mut cut = 0;
    for _ in 0..growth.turns {
        let prompt: Vec<Sized> = messages.iter().map(RunMessage::sized).collect();
        let cached = turns.last().map_or(0, |turn| turn.messages);
        let completion = u32::try_from(random.between(20, 400)).unwrap_or(0);
        let outcome = server.answer(&prompt, cached, completion);
        turns.push(RunTurn { messages: messages.len(), outcome });
        match outcome {
            Outcome::Refused { .. } => break,
            Outcome::Answered { truncated, shifted, .. } => cut += usize::from(truncated || shifted),
        }
        // Three turns after the first cut are enough to see whether it is ever noticed.
        if cut > 3 {
            break;
        }
        let kind = only.unwrap_or_else(|| *random.one_of(&Kind::ALL));
        let answer = text(Kind::Prose, random.between(10, 160), random);
        let (from, to) = growth.result;
        let result = text(kind, random.between(from, to), random);
        messages.push(templated(Role::Assistant, &answer, tokenizer));
        messages.push(templated(Role::Tool, &result, tokenizer));
    }
    Run { family, server, messages, turns }
}
