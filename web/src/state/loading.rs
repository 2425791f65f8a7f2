//! Loading a model on Ollama ahead of the first request, so that its window is told before it matters; and finding out
//! whether the server refuses when it is asked to.

use super::page::PageState;
use crate::platform::storage;
use brimline_core::driver::{Stop, load_model, refuses, shown_model};
use brimline_core::wire::{ProviderError, Wire};
use futures_util::future::{Either, select};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::BTreeMap;
use std::pin::pin;

/// How loading stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Loading {
    /// Nothing is being loaded.
    #[default]
    No,
    /// The server loads the model; since when, in milliseconds of the browser's clock.
    Since(f64),
    /// The reader stopped waiting. The server may go on by itself.
    Cancelled,
    /// It failed.
    Failed(ProviderError),
}

/// The name under which the browser keeps which servers refuse.
const REFUSES: &str = "brimline.refuses";

impl PageState {
    /// Has Ollama load the chosen model with the chosen window, and asks what it tells then. Other servers hold their
    /// model already, so they are asked at once.
    pub fn load(self) {
        spawn_local(self.load_and_ask());
    }

    pub(super) async fn load_and_ask(self) {
        let wire = self
            .connection
            .with_untracked(|connection| connection.connected().map(|connected| connected.wire));
        if wire == Some(Wire::Ollama) {
            self.loading.set(Loading::Since(js_sys::Date::now()));
            let stop = Stop::default();
            self.stop_loading.set_value(stop.clone());
            let server = self.server();
            let options = self.model_options();
            let ended = match select(pin!(stop.wait()), pin!(load_model(&server, &options))).await {
                Either::Left(((), _)) => Loading::Cancelled,
                Either::Right((Ok(()), _)) => Loading::No,
                Either::Right((Err(error), _)) => Loading::Failed(error),
            };
            self.loading.set(ended);
        }
        self.ask_window().await;
    }

    /// Stops waiting for the model to be loaded.
    pub fn cancel_loading(self) {
        self.stop_loading.with_value(Stop::request);
    }

    /// Asks Ollama, once its window is told, how large it could be, and whether it refuses what is larger.
    pub(super) async fn ask_abilities(self) {
        let (Some(window), true) = (self.told.get_untracked(), self.speaks_ollama()) else { return };
        let server = self.server();
        let options = self.model_options();
        if let Some(shown) = shown_model(&server, &options.model).await {
            self.trained.set(shown.trained_window);
        }
        if self.refuses.get_untracked().is_some() {
            return;
        }
        let key = self.settings.with_untracked(|settings| {
            format!("{:?} {} {}", settings.server_kind, settings.server_url, settings.model_name())
        });
        let mut known: BTreeMap<String, bool> = storage::load(REFUSES).unwrap_or_default();
        // The simulated server changes with its knobs.
        let may_remember = !self.is_simulated();
        let found = match known.get(&key).filter(|_| may_remember) {
            Some(refuses) => Some(*refuses),
            None => refuses(&server, &options, window).await,
        };
        if let (Some(refuses), true) = (found, may_remember) {
            known.insert(key, refuses);
            storage::store(REFUSES, &known);
        }
        self.refuses.set(found);
    }
}
