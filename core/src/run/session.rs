//! What outlives a run: the conversation, what was learnt about the server, and the record of every turn.

use super::ledger::{Ledger, count_tools};
use super::system_prompt::SYSTEM_PROMPT;
use crate::conversation::{
    ChatMessage, Content, Conversation, MessageId, Purpose, Request, Role, Standing, SystemPart, ToolSpec,
};
use crate::overflow::{Detector, DetectorSettings, Judgement, Prediction, Sent};
use crate::policy::{ContextPolicy, repeat_request};
use crate::timeline::{Segment, SegmentForm, SegmentKind, StepTaken, TurnRecord};
use crate::tokens::{Estimator, Family, Features};
use crate::window::{Budget, WindowBelief};
use serde::{Deserialize, Serialize};

/// What a session starts with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionSettings {
    /// The model's name, which tells the family of its tokenizer.
    pub model: String,
    /// What is known about its window.
    pub window: WindowBelief,
    /// The numbers of the three steps.
    pub policy: ContextPolicy,
    /// `AGENTS.md` at the workspace root. A blank one is as none.
    pub project_instructions: Option<String>,
    /// The tools that the model may ask for.
    pub tools: Vec<ToolSpec>,
}

/// All that outlives a run. Each request of the user is one [`Run`](super::Run) on it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Session {
    conversation: Conversation,
    timeline: Vec<TurnRecord>,
    window: WindowBelief,
    policy: ContextPolicy,
    tools: Vec<ToolSpec>,
    family: Family,
    detector: Detector,
    /// The server shows the prompt that it makes of a request.
    #[serde(default)]
    reads_back: bool,
    /// Prompts can be counted exactly before they are sent.
    #[serde(default)]
    counts: bool,
    /// The last request that was counted so, by its fingerprint, and its size if it could be had.
    #[serde(skip)]
    counted: Option<(u64, Option<u32>)>,
    /// The server keeps system messages when it drops others.
    #[serde(default)]
    keeps_system: bool,
    #[serde(skip)]
    ledger: Ledger,
}

impl Session {
    /// An empty conversation with its system prompt.
    pub fn new(settings: SessionSettings) -> Self {
        let SessionSettings { model, window, policy, project_instructions, tools } = settings;
        let mut conversation = Conversation::default();
        conversation.push(Content::System { part: SystemPart::Harness, text: SYSTEM_PROMPT.into() });
        if let Some(text) = project_instructions.filter(|text| !text.trim().is_empty()) {
            conversation.push(Content::System { part: SystemPart::ProjectInstructions, text });
        }
        let family = Family::from_model_name(&model);
        Self {
            conversation,
            timeline: Vec::new(),
            window,
            policy,
            tools,
            family,
            detector: Detector::new(family, DetectorSettings::default()),
            reads_back: false,
            counts: false,
            counted: None,
            keeps_system: false,
            ledger: Ledger::default(),
        }
    }

    /// Every message, also those that are no longer sent.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// One record for each call of the model, in order.
    pub fn timeline(&self) -> &[TurnRecord] {
        &self.timeline
    }

    /// What is known about the window.
    pub fn window(&self) -> &WindowBelief {
        &self.window
    }

    /// Changes what is known about the window: the next turn goes by it.
    pub fn window_mut(&mut self) -> &mut WindowBelief {
        &mut self.window
    }

    /// The numbers of the three steps.
    pub fn policy(&self) -> &ContextPolicy {
        &self.policy
    }

    /// Changes the numbers: the next turn goes by them.
    pub fn set_policy(&mut self, policy: ContextPolicy) {
        self.policy = policy;
    }

    /// Another model answers from now on. What was learnt from the counts of the one before says nothing about it.
    pub fn set_model(&mut self, model: &str) {
        self.family = Family::from_model_name(model);
        self.detector = Detector::new(self.family, DetectorSettings::default());
        (self.window.measured, self.window.proven) = (None, None);
    }

    /// Whether the server shows the prompt that it makes of a request, as far as was found out.
    pub fn can_read_back(&self) -> bool {
        self.reads_back
    }

    /// Says so, or that it doesn't.
    pub fn set_reads_back(&mut self, reads_back: bool) {
        self.reads_back = reads_back;
    }

    /// Says whether prompts can be counted exactly before they are sent.
    pub fn set_counts(&mut self, counts: bool) {
        self.counts = counts;
    }

    /// Whether this request is to be counted exactly, and was not.
    pub(super) fn is_uncounted(&mut self, request: &Request) -> bool {
        let wanted = self.counts && self.detector.takes_exact_counts();
        wanted && {
            let fingerprint = self.count(request).fingerprint();
            self.counted.is_none_or(|(counted, _)| counted != fingerprint)
        }
    }

    /// A request was counted exactly, or could not be.
    pub(super) fn counted(&mut self, request: &Request, tokens: Option<u32>) {
        self.counted = Some((self.count(request).fingerprint(), tokens));
    }

    /// Says whether the server is known to keep system messages when it drops others.
    pub fn set_keeps_system(&mut self, keeps_system: bool) {
        self.keeps_system = keeps_system;
    }

    /// How the believed window is shared out.
    pub fn budget(&self) -> Budget {
        self.policy.budget(self.window.window().tokens)
    }

    pub(super) fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    pub(super) fn detector(&self) -> &Detector {
        &self.detector
    }

    pub(super) fn detector_mut(&mut self) -> &mut Detector {
        &mut self.detector
    }

    pub(super) fn record_mut(&mut self, index: usize) -> Option<&mut TurnRecord> {
        self.timeline.get_mut(index)
    }

    /// The messages of a turn as things stand.
    pub(super) fn turn_messages(&self) -> Vec<ChatMessage> {
        self.with_request_repeated(self.conversation.chat_messages())
    }

    /// Says the current request twice, where that is wanted and it is small.
    pub(super) fn with_request_repeated(&self, mut messages: Vec<ChatMessage>) -> Vec<ChatMessage> {
        let limit = self.policy.repeat_limit(self.budget());
        let current = self.conversation.current_request().and_then(|id| self.conversation.entry(id));
        if let Some(request) = current
            && self.policy.repeat_request.unwrap_or(self.keeps_system)
            && request.sent_text().is_some_and(|text| self.text_tokens(text) <= limit)
        {
            repeat_request(&mut messages, request);
        }
        messages
    }

    /// The request that carries these messages.
    pub(super) fn request(&self, purpose: Purpose, messages: Vec<ChatMessage>) -> Request {
        Request { purpose, messages, tools: self.tools.clone(), max_tokens: self.budget().reserve }
    }

    /// What such a request is made of, counted.
    pub(super) fn count(&mut self, request: &Request) -> Sent {
        let (tools, tools_fingerprint) = count_tools(&request.tools);
        let mut sent = Sent {
            purpose: request.purpose,
            messages: self.ledger.count(&self.conversation, &request.messages),
            tools,
            tools_fingerprint,
            max_tokens: request.max_tokens,
            exact: None,
        };
        let fingerprint = sent.fingerprint();
        sent.exact =
            self.counted.filter(|(counted, _)| *counted == fingerprint).and_then(|(_, tokens)| tokens);
        sent
    }

    /// The size of a turn's request as things stand.
    pub(super) fn size(&mut self) -> Prediction {
        let request = self.request(Purpose::Turn, self.turn_messages());
        let sent = self.count(&request);
        self.detector.predict(&sent)
    }

    /// The size of a text by itself, in tokens, by what this session's counts have taught.
    pub(super) fn text_tokens(&self, text: &str) -> f64 {
        self.detector.text_tokens(&Features::of(text))
    }

    /// Opens the record of a call that is about to be made.
    pub(super) fn open_record(&mut self, request: &Request, sent: &Sent, steps: Vec<StepTaken>) -> usize {
        self.detector.set(DetectorSettings { confirming: self.policy.confirm, window: self.window.told });
        let prediction = self.detector.predict(sent);
        let window = self.window.window();
        let mut record = TurnRecord {
            turn: u32::try_from(self.timeline.len()).unwrap_or(u32::MAX).saturating_add(1),
            purpose: request.purpose,
            window,
            budget: self.policy.budget(window.tokens),
            segments: self.segments(request, sent),
            overhead: Estimator::for_family(self.family).tokens(&sent.tools),
            estimate: prediction.tokens,
            spread: prediction.spread,
            steps,
            usage: None,
            judgement: None,
            dropped: Vec::new(),
            answer: None,
        };
        record.scale_to(prediction.tokens);
        self.timeline.push(record);
        self.timeline.len() - 1
    }

    /// Closes a record with what the server counted and what the detector made of it.
    pub(super) fn close_record(&mut self, index: usize, judgement: Judgement, dropped: Vec<MessageId>) {
        if let Some(at_most) = judgement.window.and_then(|range| range.at_most) {
            self.window.measured = Some(at_most);
        }
        if let Some(record) = self.record_mut(index) {
            record.judgement = Some(judgement);
            record.dropped = dropped;
        }
    }

    /// The stretches of the prompt, one for each message that it carries, not yet scaled to the predicted size.
    fn segments(&self, request: &Request, sent: &Sent) -> Vec<Segment> {
        let estimator = Estimator::for_family(self.family);
        let mut segments = Vec::new();
        for (message, counted) in request.messages.iter().zip(&sent.messages) {
            let tokens = estimator.tokens(&counted.features);
            let texts: Vec<usize> = message.sources.iter().map(|id| self.sent_len(*id)).collect();
            let total = texts.iter().sum::<usize>().max(1) as f64;
            for (id, len) in message.sources.iter().zip(texts) {
                let Some(entry) = self.conversation.entry(*id) else { continue };
                let kind = SegmentKind::of(&entry.message.content);
                let is_repeated = message.role == Role::System && kind == SegmentKind::Request;
                segments.push(Segment {
                    message: *id,
                    kind,
                    tokens: if message.sources.len() == 1 { tokens } else { tokens * len as f64 / total },
                    form: if is_repeated {
                        SegmentForm::Repeated
                    } else {
                        SegmentForm::of(&entry.message.content, entry.standing)
                    },
                });
            }
        }
        segments
    }

    fn sent_len(&self, id: MessageId) -> usize {
        self.conversation.entry(id).and_then(|entry| entry.sent_text()).map_or(0, str::len)
    }
}

impl SegmentKind {
    fn of(content: &Content) -> Self {
        match content {
            Content::System { part: SystemPart::Harness, .. } => Self::SystemPrompt,
            Content::System { part: SystemPart::ProjectInstructions, .. } => Self::ProjectInstructions,
            Content::Request { .. } => Self::Request,
            Content::Assistant { .. } | Content::Summary { .. } => Self::Assistant,
            Content::ToolResult(_) => Self::ToolResult,
        }
    }
}

impl SegmentForm {
    fn of(content: &Content, standing: Standing) -> Self {
        match (standing, content) {
            (Standing::Cleared, _) => Self::Cleared,
            (_, Content::ToolResult(result)) if result.trimmed_tokens > 0 => Self::Trimmed,
            (Standing::Sent | Standing::Compacted { .. } | Standing::SetAside, _) => Self::Whole,
        }
    }
}
