//! A model server over HTTP that behaves like a real one when a conversation doesn't fit, and the tests of Brimline
//! against it.

pub mod server;
mod tokenizer;

pub use tokenizer::RealTokenizer;
