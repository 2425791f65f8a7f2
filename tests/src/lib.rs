//! A model server over HTTP that behaves like a real one when a conversation doesn't fit, and the tests of Brimline
//! against it.

mod drive;
pub mod losses;
pub mod server;
mod tokenizer;

pub use drive::{Client, Counting, HttpServer, OverHttp, drive_in};
pub use tokenizer::RealTokenizer;
