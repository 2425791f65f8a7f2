//! What is drawn. Every text goes through `crate::i18n`; what a model or a file says is only ever set as text, never as
//! HTML.

pub mod check;
pub mod command;
pub mod composer;
pub mod connect;
pub mod conversation_end;
pub mod ending;
pub mod fields;
pub mod folder;
pub mod header;
pub mod picture;
pub mod read_back;
pub mod recovery;
pub mod settings;
pub mod status;
pub mod transcript;
pub mod verdict;

pub use check::CheckPage;
pub use composer::Composer;
pub use connect::ConnectPanel;
pub use conversation_end::ConversationEnd;
pub use folder::{FolderPanel, drop_folder};
pub use header::PageHeader;
pub use settings::SettingsPanel;
pub use transcript::TranscriptList;
