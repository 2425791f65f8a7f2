//! A request of the reader, on its way to a named ending.

use super::export::SessionFile;
use super::folder::{Folder, OpenWorkspace};
use super::page::{Activity, PageState, PastEnding};
use super::transcript::{EntryKind, append_to_entry, open_live_entry, show_entries};
use crate::platform::timer::BrowserClock;
use brimline_core::conversation::{Purpose, Request, ToolCall};
use brimline_core::driver::{Call, CallEnd, Progress, Stop, World, call_model, drive, read_prompt};
use brimline_core::run::{Offer, Recovery, Run, RunEnd, Session, SessionSettings, Step};
use brimline_core::tools::{self, ToolOutcome};
use brimline_core::wire::{Delta, ProviderError, Rendering, Wire};
use brimline_core::workspace::project_instructions;
use futures_util::future::{Either, select};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::pin::pin;
use std::rc::Rc;

/// What is asked of `ollama pull` when a server has no model at all: small, and able to use tools.
pub const FIRST_MODEL: &str = "qwen3:4b";

/// The world as the page has it.
struct PageWorld {
    page: PageState,
    workspace: Rc<OpenWorkspace>,
    clock: Rc<BrowserClock>,
    stop: Stop,
}

impl PageState {
    /// Takes up a request. Does nothing while another is under way, or if there is nothing in it.
    pub fn send(self, request: String) {
        if self.activity.get_untracked() != Activity::Idle || request.trim().is_empty() {
            return;
        }
        let stop = Stop::default();
        self.stop.set_value(stop.clone());
        self.activity.set(Activity::Preparing);
        self.selected_turn.set(None);
        spawn_local(self.run(request, stop));
    }

    /// Stops the run that is under way.
    pub fn stop(self) {
        self.stop.with_value(Stop::request);
    }

    /// Forgets the conversation and starts another.
    pub fn new_conversation(self) {
        if self.activity.get_untracked() != Activity::Idle {
            return;
        }
        self.session.set_value(None);
        self.endings.set(Vec::new());
        self.timeline.set(Vec::new());
        self.selected_turn.set(None);
        show_entries(self.transcript, Vec::new());
        self.folder_is_newer.set(false);
        self.window.set(self.belief());
    }

    /// Lets the tools read another folder.
    pub fn open_folder(self, folder: Folder) {
        self.folder_problem.set(None);
        self.folder_is_newer.set(
            self.endings.with_untracked(|endings| !endings.is_empty())
                || self.activity.get_untracked() != Activity::Idle,
        );
        self.folder.set(folder);
    }

    /// The session as a file, if there is one and it is at rest.
    pub fn session_file(self) -> Option<SessionFile> {
        let session = self.session.with_value(Clone::clone)?;
        Some(SessionFile::new(session, self.endings.get_untracked()))
    }

    /// Goes on with a session from a file.
    pub fn open_session(self, file: SessionFile) {
        if self.activity.get_untracked() != Activity::Idle {
            return;
        }
        self.show(&file.session);
        self.endings.set(file.endings);
        self.selected_turn.set(None);
        self.session.set_value(Some(file.session));
    }

    async fn run(self, request: String, stop: Stop) {
        let workspace = Rc::clone(&self.folder.get_untracked().workspace);
        let settings = self.settings.get_untracked();
        let session = match self.session.try_update_value(Option::take).flatten() {
            Some(session) => session,
            None => Session::new(SessionSettings {
                model: settings.model_name().to_owned(),
                window: self.belief(),
                policy: settings.policy.clone(),
                project_instructions: project_instructions(&*workspace).await,
                tools: tools::specs(),
            }),
        };
        self.drive(workspace, stop, session, |session| Run::begin(session, &request)).await;
    }

    /// What can be done after a run that ended like this.
    pub fn offers(self, end: &RunEnd) -> Vec<Offer> {
        self.session
            .with_value(|session| session.as_ref().map_or_else(Vec::new, |session| session.offers(end)))
    }

    /// Whether the server speaks Ollama's own wire: then it can be asked for another window, and is known to keep system
    /// messages.
    pub fn speaks_ollama(self) -> bool {
        self.connection.with_untracked(|connection| {
            connection.connected().is_some_and(|connected| connected.wire == Wire::Ollama)
        })
    }

    /// Takes the last request up again after an overflow, in this way.
    pub fn recover(self, recovery: Recovery) {
        if self.activity.get_untracked() != Activity::Idle {
            return;
        }
        let Some(session) = self.session.try_update_value(Option::take).flatten() else { return };
        match recovery {
            Recovery::RaiseWindow { tokens } => {
                let asked = self.speaks_ollama();
                self.settings.update(|settings| {
                    settings.window_set = settings.window_set.map(|_| tokens);
                    settings.num_ctx = settings.num_ctx.or(asked.then_some(0)).map(|_| tokens);
                });
                self.told.set(Some(tokens));
            }
            Recovery::UseWindow { .. } | Recovery::DropResults { .. } => {}
        }
        let stop = Stop::default();
        self.stop.set_value(stop.clone());
        self.activity.set(Activity::Preparing);
        self.selected_turn.set(None);
        let workspace = Rc::clone(&self.folder.get_untracked().workspace);
        spawn_local(self.drive(workspace, stop, session, move |session| Run::recover(session, &recovery)));
    }

    async fn drive(
        self,
        workspace: Rc<OpenWorkspace>,
        stop: Stop,
        mut session: Session,
        start: impl FnOnce(Session) -> Run,
    ) {
        let clock = Rc::new(BrowserClock::default());
        let rendering = match select(pin!(stop.wait()), pin!(self.ask_rendering())).await {
            Either::Left(((), _)) => None,
            Either::Right((rendering, _)) => rendering,
        };
        // The other way shows a prompt before anything was dropped from it.
        session.set_reads_back(rendering == Some(Rendering::DebugRender));
        // Measured: Ollama keeps all earlier system messages when it drops others.
        session.set_keeps_system(self.speaks_ollama());
        let world = PageWorld { page: self, workspace, clock: Rc::clone(&clock), stop: stop.clone() };
        let run = drive(start(session), &world, &*clock, &stop, |progress| self.hear(progress)).await;
        let end = run.end().cloned();
        let after = u32::try_from(run.session().conversation().entries().len()).unwrap_or(u32::MAX);
        self.session.set_value(Some(run.into_session()));
        self.activity.set(Activity::Idle);
        if let Some(end) = end {
            self.endings.update(|endings| endings.push(PastEnding { after, end }));
        }
    }

    fn hear(self, progress: Progress<'_>) {
        match progress {
            Progress::Delta(delta) => {
                append_to_entry(self.transcript, delta);
                let activity = self.activity.get_untracked();
                match (activity, delta) {
                    (
                        Activity::Waiting { turn, .. } | Activity::Reading { turn, .. },
                        Delta::Progress { processed, total, .. },
                    ) => self.activity.set(Activity::Reading { turn, processed: *processed, total: *total }),
                    (
                        Activity::Waiting { turn, .. } | Activity::Reading { turn, .. },
                        Delta::Thinking(_) | Delta::Text(_) | Delta::Call { .. },
                    ) => self.activity.set(Activity::Writing { turn }),
                    (
                        Activity::Idle
                        | Activity::Preparing
                        | Activity::Writing { .. }
                        | Activity::ReadingBack { .. }
                        | Activity::Tools { .. },
                        _,
                    ) => {}
                }
            }
            Progress::Stepped(run) => {
                let belief = self.belief();
                let window = run.window_mut();
                window.set = belief.set;
                window.tell(belief.told);
                self.show(run.session());
                let turn = run.session().timeline().last().map_or(0, |record| record.turn);
                match run.next_step() {
                    Step::CallModel(request) => {
                        match request.purpose {
                            Purpose::Turn => open_live_entry(self.transcript, EntryKind::Assistant),
                            Purpose::Compaction => open_live_entry(self.transcript, EntryKind::Summary),
                            Purpose::Confirmation => {}
                        }
                        self.activity.set(Activity::Waiting { turn, purpose: request.purpose });
                    }
                    Step::RunTools(calls) => {
                        let names = calls.into_iter().map(|call| call.name).collect();
                        self.activity.set(Activity::Tools { names });
                    }
                    Step::CountPrompt(_) => {}
                    Step::ReadPrompt(_) => self.activity.set(Activity::ReadingBack { turn }),
                    Step::Done(_) => {}
                }
            }
        }
    }
}

impl World for PageWorld {
    async fn call(&self, request: &Request, on_delta: &mut dyn FnMut(&Delta)) -> CallEnd {
        let known = self.page.connection.with_untracked(|connection| connection.connected().cloned());
        let connected = match known {
            Some(connected) => connected,
            None => match self.page.connect().await {
                Ok(connected) => connected,
                Err(error) => return CallEnd::Failed(error, None),
            },
        };
        let settings = self.page.settings.get_untracked();
        if settings.model_name().is_empty() {
            return CallEnd::Failed(ProviderError::ModelMissing { model: FIRST_MODEL.into() }, None);
        }
        let call = Call {
            wire: connected.wire,
            options: self.page.model_options(),
            time_limit: settings.time_limit,
        };
        let end = call_model(&self.page.server(), &*self.clock, &self.stop, &call, request, on_delta).await;
        // Ollama tells the window of a loaded model only, and now this one is loaded.
        if self.page.told.get_untracked().is_none() {
            self.page.ask_window().await;
        }
        end
    }

    async fn read_prompt(&self, request: &Request) -> Option<String> {
        let rendering = self.page.ask_rendering().await?;
        read_prompt(&self.page.server(), rendering, &self.page.model_options(), request).await
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        tools::run(call, &*self.workspace).await
    }
}
