//! The simulated server behind HTTP: the same answers, with the pauses of a model, Ollama's rule about origins, and the
//! faults that a server can have.

mod faults;
mod origins;

pub use faults::Fault;

use crate::RealTokenizer;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use brimline_core::simulate::{Answer, Exchange, Face, SimulatedServer};
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// How the server behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Which server it is.
    pub face: Face,
    /// The window of its models, in tokens.
    pub window: u32,
    /// The pause between two pieces of an answer.
    pub pause: Duration,
    /// What goes wrong with every answer of the model.
    pub fault: Option<Fault>,
    /// The port; 0 takes any that is free.
    pub port: u16,
}

impl Default for Settings {
    fn default() -> Self {
        Self { face: Face::Ollama033, window: 4_096, pause: Duration::ZERO, fault: None, port: 0 }
    }
}

/// A server that runs until this is dropped.
#[derive(Debug)]
pub struct RunningServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    face: Face,
    pause: Duration,
    server: Mutex<SimulatedServer>,
    fault: Mutex<Option<Fault>>,
    seen: Mutex<Seen>,
}

/// What a server saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// Path and body of every request to the model.
    pub bodies: Vec<(String, String)>,
    /// Answers whose reader went away before their end.
    pub abandoned: usize,
}

/// Starts a server.
///
/// # Errors
/// When the port is taken.
pub async fn spawn(settings: Settings) -> io::Result<RunningServer> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, settings.port)).await?;
    let address = listener.local_addr()?;
    let shared = Arc::new(Shared {
        face: settings.face,
        pause: settings.pause,
        server: Mutex::new(SimulatedServer::new(settings.face, settings.window, Arc::new(RealTokenizer))),
        fault: Mutex::new(settings.fault),
        seen: Mutex::default(),
    });
    let router = Router::new().fallback(answer).with_state(Arc::clone(&shared));
    let task = tokio::spawn(async move {
        // Serving ends with the task; a connection that breaks is its client's matter.
        let at_once = listener.tap_io(|stream| {
            // Small pieces go out as they are written; without this each waits for the last one to be acknowledged.
            let _ = stream.set_nodelay(true);
        });
        let _ = axum::serve(at_once, router).await;
    });
    Ok(RunningServer { address, shared, task })
}

impl RunningServer {
    /// Its address, as a page would be given it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets every answer of the model go wrong from now on, or right again.
    pub fn set_fault(&self, fault: Option<Fault>) {
        *lock(&self.shared.fault) = fault;
    }

    /// What became of each conversation: the truth.
    pub fn log(&self) -> Vec<Exchange> {
        lock(&self.shared.server).log().to_vec()
    }

    /// What it saw.
    pub fn seen(&self) -> Seen {
        lock(&self.shared.seen).clone()
    }

    /// Runs until the process ends.
    pub async fn run(mut self) {
        let _ = (&mut self.task).await;
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("face", &self.face).finish_non_exhaustive()
    }
}

/// A panic elsewhere leaves counts that are still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Some(cors) = origins::headers(shared.face, &parts) else {
        return StatusCode::FORBIDDEN.into_response();
    };
    if parts.method == Method::OPTIONS {
        return (StatusCode::NO_CONTENT, cors).into_response();
    }
    let path = parts.uri.path().to_owned();
    let Ok(body) = axum::body::to_bytes(body, LONGEST_BODY).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let body = String::from_utf8_lossy(&body).into_owned();
    let answer = if parts.method == Method::POST {
        if matches!(path.as_str(), "/v1/chat/completions" | "/api/chat") {
            lock(&shared.seen).bodies.push((path.clone(), body.clone()));
            let fault = *lock(&shared.fault);
            if let Some(fault) = fault {
                let answer = lock(&shared.server).post(&path, &body);
                return (cors, faults::respond(fault, answer)).into_response();
            }
        }
        lock(&shared.server).post(&path, &body)
    } else {
        lock(&shared.server).get(&path)
    };
    (cors, respond(answer, &shared)).into_response()
}

/// A request is of at most so many bytes.
const LONGEST_BODY: usize = 64 << 20;

/// Sends an answer piece by piece, and notes if nobody reads it to its end.
fn respond(answer: Answer, shared: &Arc<Shared>) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let content_type = answer.content_type;
    let chunks = pieces(answer, shared.pause);
    let watched = Watched { shared: Arc::clone(shared), is_over: false };
    let body = stream::unfold((Box::pin(chunks), watched), |(mut chunks, mut watched)| async move {
        let chunk = chunks.next().await;
        watched.is_over = chunk.is_none();
        chunk.map(|chunk| (Ok::<_, Infallible>(chunk), (chunks, watched)))
    });
    (status, [(header::CONTENT_TYPE, content_type)], Body::from_stream(body)).into_response()
}

struct Watched {
    shared: Arc<Shared>,
    is_over: bool,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.is_over {
            lock(&self.shared.seen).abandoned += 1;
        }
    }
}

fn pieces(answer: Answer, pause: Duration) -> impl Stream<Item = Bytes> {
    stream::iter(answer.chunks).then(move |chunk| async move {
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Bytes::from(chunk)
    })
}
