//! What only a browser has: the network, folders, timers, storage. Everything here is thin; what to do with it is decided
//! elsewhere.

pub mod directory;
pub mod file_list;
pub mod http;
pub mod picker;
pub mod save;
pub mod storage;
pub mod timer;
