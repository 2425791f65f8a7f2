//! The state machine itself.

use super::answers::answer;
use super::compaction::Compaction;
use super::ending::{Assurance, EndReason, RunEnd};
use super::session::Session;
use super::step::{Event, OutOfStep, Step};
use crate::conversation::{Content, MessageId, Purpose, Request, Standing, ToolCall};
use crate::overflow::{Confirming, Evidence, Fate, Judgement, Sent, Verdict, read_back};
use crate::policy::{clearable, replaceable};
use crate::timeline::{CompactionRejection, StepTaken};
use crate::tools::ToolOutcome;
use crate::window::WindowBelief;
use crate::wire::{Finish, ProviderError, Reply};
use serde::{Deserialize, Serialize};

/// After so many overflows that the server was honest about a run ends: what makes room was tried.
const MOST_RECOVERIES: u32 = 3;

/// One request of the user on its way to a named ending.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Run {
    pub(super) session: Session,
    pub(super) phase: Phase,
    /// Calls of the model to go on with the request, so far.
    turns: u32,
    doubts: Doubts,
    /// Honest refusals, and answers that ended at the window's edge, that the run went on after.
    recoveries: u32,
    /// What the three steps did since the last call.
    steps: Vec<StepTaken>,
    pub(super) compaction: CompactionState,
    pub(super) events: Vec<Event>,
}

/// What the run waits for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Phase {
    Model(Call),
    /// The request is counted before it is decided what becomes of it.
    Count(Box<Uncounted>),
    /// The prompt that the server made is read before its count is judged for good.
    Prompt(Box<Waiting>),
    Tools(Vec<ToolCall>),
    Over(RunEnd),
}

/// A request whose exact size the run waits for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Uncounted {
    request: Request,
    /// The call that it is for. A turn's is not decided yet: there may be no room for it.
    kind: Option<CallKind>,
}

/// A call of the model that is under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Call {
    request: Request,
    sent: Sent,
    /// Its record in the timeline.
    record: usize,
    kind: CallKind,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum CallKind {
    Answered(Answered),
    /// The answer of another call waits until this one has settled the doubt about its count.
    Confirmation {
        waiting: Box<Waiting>,
        confirming: Confirming,
    },
}

/// A call whose answer the run goes on with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Answered {
    Turn,
    Compaction(Compaction),
}

/// An answer that waits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Waiting {
    request: Request,
    sent: Sent,
    record: usize,
    kind: Answered,
    reply: Reply,
    judgement: Judgement,
    /// The places of the messages that are not in the prompt, if it was read.
    dropped: Option<Vec<usize>>,
}

/// Whether the conversation may be compacted now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CompactionState {
    Allowed,
    /// It was just done: not again before the next turn.
    JustDone,
    /// A summary could not be used: not again in this run.
    GivenUp,
}

/// The doubts about turns whose answers were kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Doubts {
    checked: bool,
    suspect: bool,
    unverified: bool,
}

impl Run {
    /// Takes up a request of the user.
    pub fn begin(mut session: Session, request: &str) -> Self {
        let id = session.conversation_mut().push(Content::Request { text: request.to_owned() });
        Self::start(session, vec![Event::MessageAdded(id)])
    }

    pub(super) fn start(session: Session, events: Vec<Event>) -> Self {
        let end = RunEnd { reason: EndReason::Stopped, assurance: Assurance::Unverified };
        let mut run = Self {
            session,
            phase: Phase::Over(end),
            turns: 0,
            doubts: Doubts::default(),
            recoveries: 0,
            steps: Vec::new(),
            compaction: CompactionState::Allowed,
            events,
        };
        run.call_for_turn();
        run
    }

    /// What the driver must do now. Asking twice gives the same step twice.
    pub fn next_step(&self) -> Step {
        match &self.phase {
            Phase::Model(call) => Step::CallModel(call.request.clone()),
            Phase::Count(uncounted) => Step::CountPrompt(uncounted.request.clone()),
            Phase::Prompt(waiting) => Step::ReadPrompt(waiting.request.clone()),
            Phase::Tools(calls) => Step::RunTools(calls.clone()),
            Phase::Over(end) => Step::Done(end.clone()),
        }
    }

    /// The session as it stands.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Changes what is known about the window: the next turn goes by it.
    pub fn window_mut(&mut self) -> &mut WindowBelief {
        self.session.window_mut()
    }

    /// What happened so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How the run ended, if it is over.
    pub fn end(&self) -> Option<&RunEnd> {
        match &self.phase {
            Phase::Over(end) => Some(end),
            Phase::Model(_) | Phase::Count(_) | Phase::Prompt(_) | Phase::Tools(_) => None,
        }
    }

    /// Gives the session back, for the next request.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// The model answered.
    pub fn model_replied(&mut self, reply: Reply) -> Result<(), OutOfStep> {
        let Phase::Model(call) = &self.phase else { return Err(self.out_of_step()) };
        let Call { request, sent, record, kind } = call.clone();
        let usage = reply.usage;
        if let Some(record) = self.session.record_mut(record) {
            record.usage = Some(usage);
        }
        match kind {
            CallKind::Answered(kind) => {
                let judgement = self.session.detector_mut().judge(&sent, &usage, !reply.thinking.is_empty());
                let waiting = Waiting { request, sent, record, kind, reply, judgement, dropped: None };
                match waiting.judgement.verdict {
                    Verdict::Suspect | Verdict::Truncated | Verdict::Unverified
                        if self.session.can_read_back() =>
                    {
                        self.phase = Phase::Prompt(Box::new(waiting));
                    }
                    Verdict::Fits
                    | Verdict::Suspect
                    | Verdict::Truncated
                    | Verdict::Shifted
                    | Verdict::Refused
                    | Verdict::Unverified => self.confirm(waiting),
                }
            }
            CallKind::Confirmation { waiting, confirming } => {
                let mut waiting = *waiting;
                waiting.judgement = self.session.detector_mut().settle(
                    &waiting.sent,
                    &waiting.reply.usage,
                    &confirming,
                    &usage,
                );
                self.close_record(record, of_confirmation(&waiting.judgement), Vec::new());
                self.judged(waiting);
            }
        }
        Ok(())
    }

    /// The prompt was counted exactly, or could not be.
    pub fn prompt_counted(&mut self, tokens: Option<u32>) -> Result<(), OutOfStep> {
        let Phase::Count(uncounted) = &self.phase else { return Err(self.out_of_step()) };
        let Uncounted { request, kind } = (**uncounted).clone();
        self.session.counted(&request, tokens);
        match kind {
            Some(kind) => self.call(request, kind),
            None => self.call_for_turn(),
        }
        Ok(())
    }

    /// The server showed the prompt that it made, or could not.
    pub fn prompt_read(&mut self, prompt: Option<&str>) -> Result<(), OutOfStep> {
        let Phase::Prompt(waiting) = &self.phase else { return Err(self.out_of_step()) };
        let mut waiting = waiting.clone();
        if let Some(prompt) = prompt {
            let fates = read_back(prompt, &waiting.request.messages);
            let is_dropped = |(_, fate): &(usize, Fate)| *fate == Fate::Dropped;
            let dropped: Vec<usize> =
                fates.into_iter().enumerate().filter(is_dropped).map(|(index, _)| index).collect();
            let settled = !dropped.is_empty() || waiting.judgement.verdict != Verdict::Truncated;
            if settled {
                waiting.judgement = self.session.detector_mut().settle_by_reading(
                    &waiting.sent,
                    &waiting.reply.usage,
                    &dropped,
                );
                waiting.dropped = Some(dropped).filter(|dropped| !dropped.is_empty());
            }
        }
        self.confirm(*waiting);
        Ok(())
    }

    /// The call failed; `partial` is what had come until then.
    pub fn model_failed(&mut self, error: ProviderError, partial: Option<Reply>) -> Result<(), OutOfStep> {
        let Phase::Model(call) = &self.phase else { return Err(self.out_of_step()) };
        let Call { sent, record, kind, .. } = call.clone();
        match kind {
            CallKind::Confirmation { waiting, .. } => {
                // The doubt stays; whatever made this call fail will show in the next one.
                self.judged(*waiting);
                return Ok(());
            }
            CallKind::Answered(_) => {}
        }
        if let Some(reply) = partial.filter(|reply| !reply.text.is_empty()) {
            self.set_aside(reply);
        }
        match error {
            ProviderError::ContextRefused { prompt_tokens, window } => {
                let judgement = self.session.detector_mut().refused(&sent, prompt_tokens, window);
                self.close_record(record, judgement, Vec::new());
                self.recover_or_end(window, EndReason::ServerRefused { prompt_tokens, window });
            }
            ProviderError::Unreachable { .. }
            | ProviderError::OriginRefused { .. }
            | ProviderError::ModelMissing { .. }
            | ProviderError::ToolsUnsupported
            | ProviderError::Unauthorized
            | ProviderError::Status { .. }
            | ProviderError::InStream { .. }
            | ProviderError::NotAModelServer { .. }
            | ProviderError::Closed
            | ProviderError::TimedOut { .. } => self.end_with(EndReason::Failed(error)),
        }
        Ok(())
    }

    /// The tools returned, in the order of their calls. A missing outcome counts as an error result.
    pub fn tools_returned(&mut self, outcomes: Vec<ToolOutcome>) -> Result<(), OutOfStep> {
        let Phase::Tools(calls) = &self.phase else { return Err(self.out_of_step()) };
        self.take_results(calls.clone(), outcomes, "The tool gave no result. Call it again.");
        self.call_for_turn();
        Ok(())
    }

    /// The user stops the run; `partial` is what had come of the answer until then. After the end it changes nothing.
    pub fn cancel(&mut self, partial: Option<Reply>) {
        match &self.phase {
            Phase::Over(_) => return,
            // Every call needs a result, or the next request would carry a call that nothing answers.
            Phase::Tools(calls) => {
                self.take_results(calls.clone(), Vec::new(), "The user stopped before this tool had run.");
            }
            Phase::Model(call) => match &call.kind {
                CallKind::Answered(Answered::Turn) => {
                    if let Some(reply) = partial.filter(|reply| !reply.text.is_empty()) {
                        self.push(answer(reply, Vec::new()));
                    }
                }
                CallKind::Answered(Answered::Compaction(_)) => {}
                CallKind::Confirmation { waiting, .. } => self.keep_doubted(&waiting.clone()),
            },
            Phase::Count(uncounted) => match &uncounted.kind {
                None | Some(CallKind::Answered(_)) => {}
                Some(CallKind::Confirmation { waiting, .. }) => self.keep_doubted(&waiting.clone()),
            },
            Phase::Prompt(waiting) => self.keep_doubted(&waiting.clone()),
        }
        self.doubts.unverified = true;
        self.end_with(EndReason::Stopped);
    }

    /// Keeps an answer whose doubt will not be settled any more.
    fn keep_doubted(&mut self, waiting: &Waiting) {
        match waiting.kind {
            Answered::Turn => {
                self.push(answer(waiting.reply.clone(), Vec::new()));
            }
            Answered::Compaction(_) => {}
        }
    }

    /// The server was honest about an overflow: goes on within the window that it proved, or ends.
    fn recover_or_end(&mut self, window: Option<u32>, reason: EndReason) {
        if self.session.policy().recover && self.recoveries < MOST_RECOVERIES {
            self.recoveries += 1;
            self.go_by_the_servers_window(window);
            self.call_for_turn();
        } else {
            self.end_with(reason);
        }
    }

    /// The server proved its window: from now on the run goes by it, whatever was believed.
    fn go_by_the_servers_window(&mut self, refused: Option<u32>) {
        let before = self.session.window().window().tokens;
        let told = self.session.window().told;
        let Some(after) = refused.or(told).or(self.session.detector().likely_window()) else { return };
        self.session.window_mut().proven = Some(after);
        if after < before {
            self.made_room(StepTaken::WindowProven { before, after });
        }
    }

    /// Settles a doubt by a confirming request, where that is allowed.
    fn confirm(&mut self, waiting: Waiting) {
        match (waiting.judgement.verdict, self.session.policy().confirm) {
            (Verdict::Suspect, true) => self.call_for_confirmation(waiting),
            (
                Verdict::Suspect
                | Verdict::Fits
                | Verdict::Truncated
                | Verdict::Shifted
                | Verdict::Refused
                | Verdict::Unverified,
                _,
            ) => self.judged(waiting),
        }
    }

    /// The count of a call is judged, and no doubt can be settled any more: goes on with its answer, or ends.
    fn judged(&mut self, waiting: Waiting) {
        let Waiting { request, sent, record, kind, reply, mut judgement, dropped } = waiting;
        let verdict = judgement.verdict;
        let edge = match (&reply.finish, verdict) {
            (Finish::Length, Verdict::Fits | Verdict::Suspect) => {
                self.session.detector().edge_reached(&reply.usage, request.max_tokens)
            }
            (Finish::Length | Finish::Stop | Finish::ToolCalls | Finish::Refusal | Finish::Other(_), _) => {
                None
            }
        };
        if let (Some(window), Some(prompt), Some(completion)) =
            (edge, reply.usage.prompt_tokens, reply.usage.completion_tokens)
        {
            judgement.evidence.push(Evidence::EdgeReached { prompt, completion, window });
        }
        let dropped = match verdict {
            Verdict::Truncated => {
                let places = dropped.unwrap_or_else(|| self.session.detector().dropped(&sent, &reply.usage));
                sources_of(&request, places)
            }
            Verdict::Fits | Verdict::Suspect | Verdict::Shifted | Verdict::Refused | Verdict::Unverified => {
                Vec::new()
            }
        };
        self.close_record(record, judgement, dropped);
        match verdict {
            Verdict::Truncated | Verdict::Shifted | Verdict::Refused => {
                let turn = self.turn_number(record);
                match kind {
                    Answered::Turn => {
                        let id = self.set_aside(reply);
                        if let Some(record) = self.session.record_mut(record) {
                            record.answer = Some(id);
                        }
                    }
                    // A summary of what was left would erase the history.
                    Answered::Compaction(_) => self.reject_summary(CompactionRejection::Truncated),
                }
                self.end_with(EndReason::ServerDropped { turn, verdict });
                return;
            }
            Verdict::Fits => {
                self.doubts.checked = true;
                if let (Some(total), Some(record)) =
                    (reply.usage.prompt_tokens, self.session.record_mut(record))
                {
                    record.scale_to(f64::from(total));
                }
            }
            Verdict::Suspect => self.doubts.suspect = true,
            Verdict::Unverified => self.doubts.unverified = true,
        }
        if let Some(window) = edge {
            if let Answered::Turn = kind
                && !reply.text.is_empty()
            {
                let id = self.set_aside(reply);
                if let Some(record) = self.session.record_mut(record) {
                    record.answer = Some(id);
                }
            }
            self.recover_or_end(Some(window), EndReason::WindowFull { window });
            return;
        }
        match kind {
            Answered::Turn => self.accept_answer(record, reply, &request.tools),
            Answered::Compaction(compaction) => self.accept_summary(compaction, &reply, verdict),
        }
    }

    /// Makes room where that is due, and calls the model to go on with the request.
    pub(super) fn call_for_turn(&mut self) {
        let policy = self.session.policy().clone();
        if self.turns >= policy.max_turns {
            self.end_with(EndReason::TurnsUsedUp { max_turns: policy.max_turns });
            return;
        }
        let request = self.session.request(Purpose::Turn, self.session.turn_messages());
        if self.session.is_uncounted(&request) {
            self.phase = Phase::Count(Box::new(Uncounted { request, kind: None }));
            return;
        }
        let budget = self.session.budget();
        let size = self.session.size().tokens;
        if size > policy.clear_limit(budget) {
            let messages = clearable(self.session.conversation(), policy.keep_results);
            if !messages.is_empty() {
                for id in &messages {
                    self.session.conversation_mut().set_standing(*id, Standing::Cleared);
                }
                let before = size;
                let after = self.session.size().tokens;
                self.made_room(StepTaken::Cleared { messages, before: whole(before), after: whole(after) });
                // What is left is looked at anew, and counted anew.
                self.call_for_turn();
                return;
            }
        }
        if size > policy.compact_limit(budget) && self.compaction == CompactionState::Allowed {
            let replaces = replaceable(self.session.conversation());
            if !replaces.is_empty() {
                self.call_for_summary(replaces, size);
                return;
            }
        }
        if size > f64::from(budget.available) {
            self.end_with(EndReason::WouldNotFit { tokens: whole(size), available: budget.available });
            return;
        }
        if self.compaction == CompactionState::JustDone {
            self.compaction = CompactionState::Allowed;
        }
        self.turns += 1;
        self.call(request, CallKind::Answered(Answered::Turn));
    }

    /// Asks the server for the exact size of what is new, if that can be asked; else the doubt stays.
    fn call_for_confirmation(&mut self, waiting: Waiting) {
        let Ok(confirming) = self.session.detector().confirming(&waiting.sent) else {
            self.judged(waiting);
            return;
        };
        let request = &waiting.request;
        let messages =
            confirming.indices.iter().filter_map(|index| request.messages.get(*index).cloned()).collect();
        let request =
            Request { purpose: Purpose::Confirmation, messages, tools: request.tools.clone(), max_tokens: 1 };
        self.call(request, CallKind::Confirmation { waiting: Box::new(waiting), confirming });
    }

    pub(super) fn call(&mut self, request: Request, kind: CallKind) {
        if self.session.is_uncounted(&request) {
            self.phase = Phase::Count(Box::new(Uncounted { request, kind: Some(kind) }));
            return;
        }
        let sent = self.session.count(&request);
        let steps = std::mem::take(&mut self.steps);
        let record = self.session.open_record(&request, &sent, steps);
        self.events.push(Event::CallStarted { turn: self.turn_number(record) });
        self.phase = Phase::Model(Call { request, sent, record, kind });
    }

    pub(super) fn push(&mut self, content: Content) -> MessageId {
        let id = self.session.conversation_mut().push(content);
        self.added(id);
        id
    }

    pub(super) fn added(&mut self, id: MessageId) {
        self.events.push(Event::MessageAdded(id));
    }

    pub(super) fn made_room(&mut self, step: StepTaken) {
        self.events.push(Event::RoomMade(step.clone()));
        self.steps.push(step);
    }

    fn close_record(&mut self, record: usize, judgement: Judgement, dropped: Vec<MessageId>) {
        self.events.push(Event::CallJudged { turn: self.turn_number(record), judgement: judgement.clone() });
        self.session.close_record(record, judgement, dropped);
    }

    fn turn_number(&self, record: usize) -> u32 {
        self.session.timeline().get(record).map_or(0, |record| record.turn)
    }

    pub(super) fn end_with(&mut self, reason: EndReason) {
        let end = RunEnd { reason, assurance: self.doubts.assurance() };
        self.events.push(Event::Ended(end.clone()));
        self.phase = Phase::Over(end);
    }

    fn out_of_step(&self) -> OutOfStep {
        OutOfStep {
            waits_for: match &self.phase {
                Phase::Model(_) => "the model",
                Phase::Count(_) => "the exact size of a prompt",
                Phase::Prompt(_) => "the prompt that the server makes",
                Phase::Tools(_) => "the tools",
                Phase::Over(_) => "nothing: it is over",
            },
        }
    }
}

/// The messages of the conversation at these places of a request.
fn sources_of(request: &Request, places: Vec<usize>) -> Vec<MessageId> {
    let sources = |place: usize| request.messages.get(place).map(|message| message.sources.clone());
    places.into_iter().filter_map(sources).flatten().collect()
}

impl Doubts {
    fn assurance(self) -> Assurance {
        match self {
            Self { suspect: true, .. } => Assurance::Suspect,
            Self { unverified: true, .. } | Self { checked: false, .. } => Assurance::Unverified,
            Self { checked: true, .. } => Assurance::Verified,
        }
    }
}

/// What a settled doubt says of the confirming request itself: it settled the doubt because it was read whole.
fn of_confirmation(settled: &Judgement) -> Judgement {
    let verdict = match settled.verdict {
        Verdict::Fits | Verdict::Truncated | Verdict::Shifted | Verdict::Refused => Verdict::Fits,
        Verdict::Suspect => Verdict::Suspect,
        Verdict::Unverified => Verdict::Unverified,
    };
    Judgement { verdict, ..settled.clone() }
}

pub(super) fn whole(tokens: f64) -> u32 {
    tokens.round() as u32
}
