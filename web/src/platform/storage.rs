//! What the browser remembers between visits: settings, never a key, never a file's contents.

use gloo_storage::{LocalStorage, Storage};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What was stored under that name. Anything that can't be read (storage switched off, an older form) is as if nothing was
/// stored.
pub fn load<T: DeserializeOwned>(name: &str) -> Option<T> {
    LocalStorage::get(name).ok()
}

/// Stores a value. Where storage is switched off or full the page works on, and forgets at the next visit.
pub fn store(name: &str, value: &impl Serialize) {
    let _ = LocalStorage::set(name, value);
}
