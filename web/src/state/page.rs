//! Everything that the page knows, in signals.

use super::connection::Connection;
use super::folder::{Folder, FolderProblem};
use super::loading::Loading;
use super::settings::{STORED_AS, ServerKind, Settings, SimulatedSettings};
use super::transcript::{Transcript, entries_of, show_entries};
use crate::components::picture::Highlight;
use crate::platform::storage;
use crate::platform::timer::BrowserClock;
use brimline_core::conversation::Purpose;
use brimline_core::driver::{Simulated, Stop};
use brimline_core::run::{RunEnd, Session};
use brimline_core::timeline::TurnRecord;
use brimline_core::window::WindowBelief;
use brimline_core::wire::Rendering;
use leptos::prelude::*;
use leptos::task::spawn_local;
use reactive_stores::Store;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The page's state: signals, so it is copied freely. Given to all components as a context.
#[derive(Clone, Copy)]
pub struct PageState {
    /// What the reader set.
    pub settings: RwSignal<Settings>,
    /// The key for the HTTP server. In memory only.
    pub api_key: RwSignal<String>,
    /// How things stand with the server.
    pub connection: RwSignal<Connection>,
    /// The folder that the tools read.
    pub folder: RwSignal<Folder, LocalStorage>,
    /// Why the last try to open a folder failed.
    pub folder_problem: RwSignal<Option<FolderProblem>>,
    /// The folder was opened after the conversation began.
    pub folder_is_newer: RwSignal<bool>,
    /// The transcript.
    pub transcript: Store<Transcript>,
    /// One record a call of the model.
    pub timeline: RwSignal<Vec<TurnRecord>>,
    /// What is known about the window.
    pub window: RwSignal<WindowBelief>,
    /// How the runs of this conversation ended.
    pub endings: RwSignal<Vec<PastEnding>>,
    /// What is going on.
    pub activity: RwSignal<Activity>,
    /// The turn that the picture is scrubbed to; `None` follows the latest.
    pub selected_turn: RwSignal<Option<u32>>,
    /// The messages that picture and transcript point out.
    pub highlight: RwSignal<Highlight>,
    /// What the server told about the window of its model, in tokens.
    pub told: RwSignal<Option<u32>>,
    /// How the server shows the prompts that it makes, once it was asked.
    pub rendering: RwSignal<Option<Option<Rendering>>>,
    /// The window that the model was trained for, in tokens: a ceiling for what can be asked for.
    pub trained: RwSignal<Option<u32>>,
    /// Whether the server refuses what doesn't fit when it is asked to, once that was found out.
    pub refuses: RwSignal<Option<bool>>,
    /// How loading the model stands.
    pub loading: RwSignal<Loading>,
    pub(super) stop_loading: StoredValue<Stop, LocalStorage>,
    pub(super) session: StoredValue<Option<Session>, LocalStorage>,
    /// Who answered so far: what the counts of one server taught says nothing about another.
    pub(super) answerer: StoredValue<Answerer, LocalStorage>,
    pub(super) stop: StoredValue<Stop, LocalStorage>,
    /// The server inside the page.
    pub(super) simulated: StoredValue<Simulated<BrowserClock>, LocalStorage>,
}

/// A server with its model.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answerer {
    Simulated(SimulatedSettings),
    Server { url: String, model: String },
}

/// How a run ended, and where in the transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastEnding {
    /// So many messages stood above it.
    pub after: u32,
    /// The ending.
    pub end: RunEnd,
}

/// What is going on.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Activity {
    /// Nothing: the reader may ask.
    #[default]
    Idle,
    /// The folder or the server is asked for what a run needs.
    Preparing,
    /// The model was called and has said nothing yet.
    Waiting {
        /// The number of the call.
        turn: u32,
        /// Why it was called.
        purpose: Purpose,
    },
    /// The server reads the prompt, and says how far it is.
    Reading {
        /// The number of the call.
        turn: u32,
        /// Tokens that it has read.
        processed: u32,
        /// Tokens that there are.
        total: u32,
    },
    /// The model writes.
    Writing {
        /// The number of the call.
        turn: u32,
    },
    /// The server is asked for the prompt that it made.
    ReadingBack {
        /// The number of the call.
        turn: u32,
    },
    /// Tools run.
    Tools {
        /// Their names.
        names: Vec<String>,
    },
}

impl PageState {
    /// The state of a fresh page, with what the browser remembers of the settings.
    pub fn new() -> Self {
        let settings: Settings = storage::load(STORED_AS).unwrap_or_default();
        let answerer = StoredValue::new_local(Answerer::of(&settings));
        let SimulatedSettings { face, window, .. } = settings.simulated;
        let simulated = Simulated::new(face, window, Rc::new(BrowserClock::default()));
        let state = Self {
            settings: RwSignal::new(settings),
            api_key: RwSignal::default(),
            connection: RwSignal::default(),
            folder: RwSignal::new_local(Folder::sample()),
            folder_problem: RwSignal::default(),
            folder_is_newer: RwSignal::default(),
            transcript: Store::new(Transcript::default()),
            timeline: RwSignal::default(),
            window: RwSignal::default(),
            endings: RwSignal::default(),
            activity: RwSignal::default(),
            selected_turn: RwSignal::default(),
            highlight: RwSignal::default(),
            told: RwSignal::default(),
            rendering: RwSignal::default(),
            trained: RwSignal::default(),
            refuses: RwSignal::default(),
            loading: RwSignal::default(),
            stop_loading: StoredValue::new_local(Stop::default()),
            session: StoredValue::new_local(None),
            answerer,
            stop: StoredValue::new_local(Stop::default()),
            simulated: StoredValue::new_local(simulated),
        };
        state.window.set(state.belief());
        state
    }

    /// Keeps the settings for the next visit, and lets the session go by them, whenever they change.
    pub fn follow_settings(self) {
        self.greet_simulated();
        Effect::new(move || {
            self.settings.with(|settings| storage::store(STORED_AS, settings));
            self.told.track();
            self.apply_settings();
        });
    }

    /// Whether the server inside the page answers.
    pub(super) fn is_simulated(self) -> bool {
        self.settings.with_untracked(|settings| settings.server_kind == ServerKind::Simulated)
    }

    /// Whether a run is under way.
    pub fn is_running(self) -> bool {
        self.activity.with(|activity| *activity != Activity::Idle)
    }

    /// What is known about the window before a conversation.
    pub(super) fn belief(self) -> WindowBelief {
        let set = self.settings.with_untracked(|settings| settings.window_set);
        // A check that measured it saw what lies beyond it being refused or lost, which is proof.
        let measured = self.window.with_untracked(|known| known.measured);
        WindowBelief { set, told: self.told.get_untracked(), measured, proven: measured }
    }

    /// Lets the session go by the settings as they are now. A run that is under way takes them over at its next step.
    fn apply_settings(self) {
        let settings = self.settings.get_untracked();
        let answerer = Answerer::of(&settings);
        let is_another = self.answerer.with_value(|before| *before != answerer);
        if is_another {
            self.told.set(None);
            self.rendering.set(None);
            self.trained.set(None);
            self.refuses.set(None);
            self.loading.set(Loading::No);
            self.forget_connection(&answerer);
            self.answerer.set_value(answerer);
        }
        let belief = self.belief();
        self.session.update_value(|session| {
            let Some(session) = session else { return };
            if is_another {
                session.set_model(settings.model_name());
            }
            session.set_policy(settings.policy.clone());
            let window = session.window_mut();
            window.set = belief.set;
            window.tell(belief.told);
        });
        let known = self.window.get_untracked();
        let mut window = if is_another { WindowBelief::default() } else { known };
        window.set = belief.set;
        window.tell(belief.told);
        self.window.set(window);
    }

    /// Another server, or another model of the same one, will answer: what the one before told counts no more.
    fn forget_connection(self, next: &Answerer) {
        let is_same_server = self.answerer.with_value(|before| match (before, next) {
            (Answerer::Simulated(before), Answerer::Simulated(next)) => {
                (before.face, before.window) == (next.face, next.window)
            }
            (Answerer::Server { url: before, .. }, Answerer::Server { url: next, .. }) => before == next,
            (Answerer::Simulated(_), Answerer::Server { .. })
            | (Answerer::Server { .. }, Answerer::Simulated(_)) => false,
        });
        if is_same_server {
            self.load();
        } else {
            self.connection.set(Connection::None);
            self.greet_simulated();
        }
    }

    /// The simulated server needs no click to be connected.
    fn greet_simulated(self) {
        if self.settings.with_untracked(|settings| settings.server_kind == ServerKind::Simulated) {
            spawn_local(async move {
                // What came of it is in `connection`.
                let _ = self.connect().await;
            });
        }
    }

    /// Draws a session as it stands.
    pub(super) fn show(self, session: &Session) {
        show_entries(self.transcript, entries_of(session.conversation()));
        self.timeline.set(session.timeline().to_vec());
        self.window.set(*session.window());
    }
}

impl Answerer {
    fn of(settings: &Settings) -> Self {
        match settings.server_kind {
            ServerKind::Simulated => Self::Simulated(settings.simulated.clone()),
            ServerKind::Server => {
                Self::Server { url: settings.server_url.clone(), model: settings.model.clone() }
            }
        }
    }
}

impl Default for PageState {
    fn default() -> Self {
        Self::new()
    }
}
