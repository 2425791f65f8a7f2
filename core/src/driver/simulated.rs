//! The simulated server as one that can be called: the same bytes as over HTTP, and pauses between them as a model makes.

use super::{Asks, Clock, ModelServer, Response};
use crate::simulate::{Face, SimulatedServer, SmallTokenizer};
use crate::wire::ProviderError;
use futures_util::StreamExt;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A simulated model writes a piece so often, in milliseconds: fast, and slow enough to be watched.
const PAUSE: u32 = 15;

/// The server inside the page. Clones are the same server.
pub struct Simulated<C> {
    server: Rc<RefCell<SimulatedServer>>,
    /// Which server it was made to be, with which window. A request may have it loaded with another one since.
    made: Rc<Cell<(Face, u32)>>,
    clock: Rc<C>,
}

impl<C> Clone for Simulated<C> {
    fn clone(&self) -> Self {
        Self { server: Rc::clone(&self.server), made: Rc::clone(&self.made), clock: Rc::clone(&self.clock) }
    }
}

impl<C> Simulated<C> {
    /// Starts one.
    pub fn new(face: Face, window: u32, clock: Rc<C>) -> Self {
        let server = SimulatedServer::new(face, window, Arc::new(SmallTokenizer::new()));
        Self { server: Rc::new(RefCell::new(server)), made: Rc::new(Cell::new((face, window))), clock }
    }

    /// Lets it be another server, or have another window. If it is that already, it goes on as it was.
    pub fn become_like(&self, face: Face, window: u32) {
        if self.made.replace((face, window)) != (face, window) {
            self.server.borrow_mut().restart(face, window);
        }
    }
}

impl<C: Clock + 'static> ModelServer for Simulated<C> {
    async fn post(&self, path: &str, body: String) -> Result<Response, ProviderError> {
        let answer = self.server.borrow_mut().post(path, &body);
        let clock = Rc::clone(&self.clock);
        let chunks = futures_util::stream::iter(answer.chunks).then(move |chunk| {
            let clock = Rc::clone(&clock);
            async move {
                clock.sleep(PAUSE).await;
                Ok(chunk)
            }
        });
        Ok(Response { status: answer.status, chunks: chunks.boxed_local() })
    }
}

impl<C> Asks for Simulated<C> {
    async fn ask(&self, path: &str) -> Result<(u16, String), ProviderError> {
        let answer = self.server.borrow().get(path);
        Ok((answer.status, String::from_utf8_lossy(&answer.chunks.concat()).into_owned()))
    }
}
