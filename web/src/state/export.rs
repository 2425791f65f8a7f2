//! A session as a file: everything that was said, and what the counts showed.

use super::page::PastEnding;
use brimline_core::run::Session;
use serde::{Deserialize, Serialize};

/// What is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionFile {
    /// The version of this form.
    pub brimline_session: u32,
    /// The session.
    pub session: Session,
    /// How its runs ended.
    pub endings: Vec<PastEnding>,
}

/// Why a file can't be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// It is not a session of Brimline.
    NotASession,
    /// A later version wrote it.
    TooNew {
        /// The version of its form.
        version: u32,
    },
}

/// The version of the form that this page writes, and the newest that it reads.
const VERSION: u32 = 1;

impl SessionFile {
    /// Puts a session into the form of a file.
    pub fn new(session: Session, endings: Vec<PastEnding>) -> Self {
        Self { brimline_session: VERSION, session, endings }
    }

    /// Reads a file.
    pub fn parse(text: &str) -> Result<Self, LoadError> {
        #[derive(Deserialize)]
        struct Head {
            brimline_session: u32,
        }
        let head: Head = serde_json::from_str(text).map_err(|_| LoadError::NotASession)?;
        if head.brimline_session > VERSION {
            return Err(LoadError::TooNew { version: head.brimline_session });
        }
        serde_json::from_str(text).map_err(|_| LoadError::NotASession)
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use brimline_core::policy::ContextPolicy;
    use brimline_core::run::{Run, SessionSettings};
    use brimline_core::window::WindowBelief;

    #[test]
    fn a_session_comes_back_as_it_was() {
        let settings = SessionSettings {
            model: "m".into(),
            window: WindowBelief { set: Some(8_192), ..WindowBelief::default() },
            policy: ContextPolicy::default(),
            project_instructions: Some("Be brief.".into()),
            tools: Vec::new(),
        };
        let session = Run::begin(Session::new(settings), "Which is longest?").into_session();
        let written = serde_json::to_string(&SessionFile::new(session, Vec::new())).unwrap();
        let read = SessionFile::parse(&written).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), written);
    }

    #[test]
    fn what_is_no_session_is_refused_with_its_reason() {
        let refused = ["", "[]", r#"{"brimline_session":1}"#, r#"{"brimline_session":2}"#]
            .map(|text| SessionFile::parse(text).err());
        assert_eq!(
            refused,
            [
                Some(LoadError::NotASession),
                Some(LoadError::NotASession),
                Some(LoadError::NotASession),
                Some(LoadError::TooNew { version: 2 }),
            ]
        );
    }
}
