//! Brimline's core: it decides what is sent to a model, how big it is, what has to go to make it fit, and whether the
//! server really kept it.
//!
//! It does no input or output: no DOM, no clock, no network, no files. A driver does what the run asks for and hands the
//! result back; the one in [`driver`] is handed its server, clock and tools by the page or by a test. Data flows one way:
//! request → conversation → count → policy → wire → usage → detector → event → timeline → page.
#![forbid(unsafe_code)]

pub mod check;
pub mod conversation;
pub mod driver;
pub mod overflow;
pub mod policy;
pub mod run;
pub mod simulate;
pub mod template;
pub mod timeline;
pub mod tokens;
pub mod tools;
pub mod window;
pub mod wire;
pub mod workspace;
