//! The HTTP server that the reader pointed the page at.

use brimline_core::driver::Connected;
use brimline_core::wire::ProviderError;

/// How things stand with it.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Connection {
    /// Nobody asked it yet.
    #[default]
    None,
    /// It is being asked.
    Connecting,
    /// It answered.
    Connected(Connected),
    /// It did not.
    Failed(ProviderError),
}

impl Connection {
    /// What it told, if it answered.
    pub fn connected(&self) -> Option<&Connected> {
        match self {
            Self::Connected(connected) => Some(connected),
            Self::None | Self::Connecting | Self::Failed(_) => None,
        }
    }
}
