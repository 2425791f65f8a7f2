//! Whoever answers: the simulated server or one over HTTP, asked and called in the same way.

use super::connection::Connection;
use super::page::PageState;
use super::server_url::base_url;
use super::settings::ServerKind;
use crate::platform::http::HttpServer;
use crate::platform::timer::BrowserClock;
use brimline_core::driver::{
    Asks, Connected, ModelServer, Response, Simulated, connect, find_rendering, told_window,
};
use brimline_core::wire::{ModelOptions, ProviderError, Rendering};
use leptos::prelude::*;

/// A server as the settings name it.
pub(super) enum Server {
    /// The one inside the page.
    Simulated(Simulated<BrowserClock>),
    /// One over HTTP.
    Http(HttpServer),
}

impl ModelServer for Server {
    async fn post(&self, path: &str, body: String) -> Result<Response, ProviderError> {
        match self {
            Self::Simulated(server) => server.post(path, body).await,
            Self::Http(server) => server.post(path, body).await,
        }
    }
}

impl Asks for Server {
    async fn ask(&self, path: &str) -> Result<(u16, String), ProviderError> {
        match self {
            Self::Simulated(server) => server.ask(path).await,
            Self::Http(server) => server.ask(path).await,
        }
    }
}

impl PageState {
    /// Asks the server what it is and has. What came of it is in `connection` too.
    pub async fn connect(self) -> Result<Connected, ProviderError> {
        self.connection.set(Connection::Connecting);
        let result = connect(&self.server()).await;
        match &result {
            Ok(connected) => {
                let is_there = self.settings.with_untracked(|settings| {
                    connected.models.iter().any(|model| model.name == settings.model_name())
                });
                if !is_there && let Some(first) = connected.models.first() {
                    self.settings.update(|settings| settings.set_model(&first.name));
                }
                self.connection.set(Connection::Connected(connected.clone()));
                self.load_and_ask().await;
            }
            Err(error) => self.connection.set(Connection::Failed(error.clone())),
        }
        result
    }

    /// Asks the server for the window of the model that is chosen.
    pub async fn ask_window(self) {
        let connected = self.connection.with_untracked(|connection| connection.connected().cloned());
        let Some(connected) = connected else { return };
        let asked = self.settings.with_untracked(|settings| settings.model_name().to_owned());
        let window = told_window(&self.server(), &connected, &asked).await;
        // The reader may have chosen another model meanwhile.
        if window.is_some() && self.settings.with_untracked(|settings| settings.model_name() == asked) {
            self.told.set(window);
        }
        self.ask_abilities().await;
    }

    /// How the server shows the prompts that it makes, if it does. Asked once for each model of a server.
    pub(super) async fn ask_rendering(self) -> Option<Rendering> {
        if let Some(known) = self.rendering.get_untracked() {
            return known;
        }
        let wire = match self.connection.with_untracked(|connection| connection.connected().cloned()) {
            Some(connected) => connected.wire,
            None => self.connect().await.ok()?.wire,
        };
        let rendering = find_rendering(&self.server(), wire, &self.model_options()).await;
        self.rendering.set(Some(rendering));
        rendering
    }

    /// What every request says beside the conversation.
    pub(super) fn model_options(self) -> ModelOptions {
        let settings = self.settings.read_untracked();
        ModelOptions {
            model: settings.model_name().to_owned(),
            num_ctx: settings.num_ctx,
            truncate: Some(false),
            shift: Some(false),
            ..ModelOptions::default()
        }
    }

    /// The server that the settings name. An address that is none leads nowhere, and is reported as such when it is tried.
    pub(super) fn server(self) -> Server {
        let settings = self.settings.read_untracked();
        match settings.server_kind {
            ServerKind::Simulated => {
                let server = self.simulated.with_value(Clone::clone);
                server.become_like(settings.simulated.face, settings.simulated.window);
                Server::Simulated(server)
            }
            ServerKind::Server => {
                let typed = &settings.server_url;
                let key = self.api_key.get_untracked();
                Server::Http(HttpServer {
                    base_url: base_url(typed).unwrap_or_else(|_| typed.clone()),
                    api_key: (!key.is_empty()).then_some(key),
                })
            }
        }
    }
}
