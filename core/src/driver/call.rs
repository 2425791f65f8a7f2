//! One call of the model: bytes go out, bytes come in, and the decoder of the wire makes an answer of them.

use super::{Clock, ModelServer, Stop};
use crate::conversation::Request;
use crate::wire::{Delta, ModelOptions, ProviderError, Reply, Wire, classify};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use std::pin::pin;

/// How to call the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The wire that the server speaks.
    pub wire: Wire,
    /// The model, and what else the wire can carry.
    pub options: ModelOptions,
    /// The server may be silent for so long, in seconds.
    pub time_limit: u32,
}

/// How a call of the model ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CallEnd {
    /// With a whole answer.
    Replied(Reply),
    /// With a failure, and what had come until then.
    Failed(ProviderError, Option<Reply>),
    /// The reader stopped it; what had come until then.
    Stopped(Option<Reply>),
}

/// An error's text is read to this many bytes: a page of HTML is no help.
const LONGEST_ERROR: usize = 64 * 1024;

/// Why waiting ended without what was waited for.
enum Interrupted {
    Stopped,
    TimedOut,
}

/// Calls the model. Only silence counts against the time limit: a slow model that keeps writing may take for ever.
pub async fn call_model(
    server: &impl ModelServer,
    clock: &impl Clock,
    stop: &Stop,
    call: &Call,
    request: &Request,
    on_delta: &mut dyn FnMut(&Delta),
) -> CallEnd {
    let timed_out = ProviderError::TimedOut { seconds: call.time_limit };
    let body = call.wire.encode(request, &call.options).to_string();
    let response = match within(server.post(call.wire.path(), body), clock, stop, call.time_limit).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return CallEnd::Failed(error, None),
        Err(Interrupted::Stopped) => return CallEnd::Stopped(None),
        Err(Interrupted::TimedOut) => return CallEnd::Failed(timed_out, None),
    };
    let mut chunks = response.chunks;
    let is_error = !(200..300).contains(&response.status);
    let mut error_body = Vec::new();
    let mut decoder = call.wire.decoder();
    loop {
        let chunk = match within(chunks.next(), clock, stop, call.time_limit).await {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => break,
            Ok(Some(Err(_))) if is_error => break,
            Ok(Some(Err(error))) => return CallEnd::Failed(error, Some(decoder.partial())),
            Err(Interrupted::Stopped) => return CallEnd::Stopped(Some(decoder.partial())),
            Err(Interrupted::TimedOut) => return CallEnd::Failed(timed_out, Some(decoder.partial())),
        };
        if is_error {
            error_body.extend(chunk);
            if error_body.len() > LONGEST_ERROR {
                break;
            }
            continue;
        }
        match decoder.push(&chunk) {
            Ok(deltas) => deltas.iter().for_each(&mut *on_delta),
            Err(error) => return CallEnd::Failed(error, Some(decoder.partial())),
        }
        clock.breathe().await;
    }
    if is_error {
        return CallEnd::Failed(
            classify(response.status, &String::from_utf8_lossy(&error_body), &call.options.model),
            None,
        );
    }
    let partial = Some(decoder.partial());
    match decoder.finish() {
        Ok(reply) => CallEnd::Replied(reply),
        Err(error) => CallEnd::Failed(error, partial),
    }
}

async fn within<T>(
    work: impl Future<Output = T>,
    clock: &impl Clock,
    stop: &Stop,
    seconds: u32,
) -> Result<T, Interrupted> {
    let stopped = pin!(stop.wait());
    let limit = pin!(clock.sleep(seconds.saturating_mul(1_000)));
    // The reader's wish is looked at first: a server that never pauses must not keep them from stopping it.
    match select(stopped, select(pin!(work), limit)).await {
        Either::Left(((), _)) => Err(Interrupted::Stopped),
        Either::Right((Either::Left((result, _)), _)) => Ok(result),
        Either::Right((Either::Right(((), _)), _)) => Err(Interrupted::TimedOut),
    }
}
