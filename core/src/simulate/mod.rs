//! A model server that is not there: it answers the same bytes as a real one, and treats a conversation that doesn't fit
//! exactly as real ones were measured to.
//!
//! The page talks to it when nothing is connected; the test server in `tests/` puts it behind HTTP. It counts with a
//! real tokenizer, never with Brimline's estimator: the two must disagree, as in life.
//!
//! ```
//! use brimline_core::simulate::{Face, SimulatedServer, SmallTokenizer};
//! use std::sync::Arc;
//!
//! let mut server = SimulatedServer::new(Face::Ollama033, 4_096, Arc::new(SmallTokenizer::new()));
//! let body = r#"{"model":"talker:7b","messages":[{"role":"user","content":"Write 3 words."}],"stream":false}"#;
//! let answer = server.post("/api/chat", body);
//! assert_eq!(answer.status, 200);
//! ```

mod answer;
mod body;
mod face;
mod overflow;
mod scripts;
mod server;
mod template;
mod tokenizer;
pub mod two_keys;

pub use answer::Answer;
pub use face::Face;
pub use server::{Exchange, SimulatedServer};
pub use tokenizer::{SmallTokenizer, Tokenizer};
