//! A request of the reader, on its way to a named ending.

use super::export::SessionFile;
use super::folder::{Folder, OpenWorkspace};
use super::page::{Activity, PageState, PastEnding};
use super::transcript::{EntryKind, append_to_entry, open_live_entry, show_entries};
use crate::driver::{Call, CallEnd, Progress, Stop, World, call_model, drive};
use crate::platform::timer::BrowserClock;
use brimline_core::conversation::{Purpose, Request, ToolCall};
use brimline_core::run::{Run, Session, SessionSettings, Step};
use brimline_core::tools::{self, ToolOutcome};
use brimline_core::window::WindowBelief;
use brimline_core::wire::{Delta, ModelOptions, ProviderError};
use brimline_core::workspace::project_instructions;
use leptos::prelude::*;
use leptos::task::spawn_local;
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
        let clock = Rc::new(BrowserClock::default());
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
        let run = Run::begin(session, &request);
        let world = PageWorld { page: self, workspace, clock: Rc::clone(&clock), stop: stop.clone() };
        let run = drive(run, &world, &*clock, &stop, |progress| self.hear(progress)).await;
        if let Step::Done(end) = run.next_step() {
            let after = u32::try_from(run.session().conversation().entries().len()).unwrap_or(u32::MAX);
            self.endings.update(|endings| endings.push(PastEnding { after, end }));
        }
        self.session.set_value(Some(run.into_session()));
        self.activity.set(Activity::Idle);
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
                        | Activity::Tools { .. },
                        _,
                    ) => {}
                }
            }
            Progress::Stepped(run) => {
                *run.window_mut() =
                    WindowBelief { measured: run.session().window().measured, ..self.belief() };
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
        let model = settings.model_name().to_owned();
        if model.is_empty() {
            return CallEnd::Failed(ProviderError::ModelMissing { model: FIRST_MODEL.into() }, None);
        }
        let call = Call {
            wire: connected.wire,
            options: ModelOptions { model, ..ModelOptions::default() },
            time_limit: settings.time_limit,
        };
        let end = call_model(&self.page.server(), &*self.clock, &self.stop, &call, request, on_delta).await;
        // Ollama tells the window of a loaded model only, and now this one is loaded.
        if self.page.told.get_untracked().is_none() {
            self.page.ask_window().await;
        }
        end
    }

    async fn run_tool(&self, call: &ToolCall) -> ToolOutcome {
        tools::run(call, &*self.workspace).await
    }
}
