//! What the page knows, and the one place where a run, a folder and a server come together.

mod check;
mod connection;
mod export;
mod folder;
mod loading;
mod page;
mod read_back;
mod running;
mod server;
mod server_url;
mod settings;
mod transcript;

pub use check::{CheckRun, CheckState, time_left};
pub use connection::Connection;
pub use export::{LoadError, SessionFile};
pub use folder::{Folder, FolderProblem, OpenWorkspace};
pub use loading::Loading;
pub use page::{Activity, PageState, PastEnding};
pub use read_back::{ReadBack, SentAndRead, Shown};
pub use running::FIRST_MODEL;
pub use server_url::{BadUrl, base_url, origins_line, pull_line};
pub use settings::{ServerKind, Settings, SimulatedSettings};
pub use transcript::{
    EntryKind, Line, LineKind, LineStoreFields, Transcript, TranscriptEntry, TranscriptEntryStoreFields,
    TranscriptStoreFields,
};
