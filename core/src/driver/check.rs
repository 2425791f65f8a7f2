//! Drives a check of a server to its end.

use super::{
    Asks, Call, CallEnd, Clock, Connected, ModelServer, Stop, call_model, find_rendering, read_prompt,
    told_window,
};
use crate::check::{Check, CheckSettings, CheckStep};
use crate::wire::{ModelOptions, Rendering, Wire};
use futures_util::future::{Either, select};
use std::pin::pin;

/// The server that is checked.
pub struct Checked<'a, S> {
    /// The server.
    pub server: &'a S,
    /// What it told when it was connected.
    pub connected: &'a Connected,
    /// How to call it. Whether it is to refuse what doesn't fit is for the check to say.
    pub call: Call,
}

/// Checks a server. `ceiling` is the largest window that is searched for, in tokens; without one it is the told window,
/// or that of [`CheckSettings`]. `nonce` differs from that of earlier checks. `report` hears of every step.
pub async fn check_server<S: ModelServer + Asks>(
    checked: &Checked<'_, S>,
    clock: &impl Clock,
    stop: &Stop,
    ceiling: Option<u32>,
    nonce: u32,
    mut report: impl FnMut(&Check),
) -> Check {
    let Checked { server, connected, call } = checked;
    let asked = |wish: Option<bool>| ModelOptions { truncate: wish, shift: wish, ..call.options.clone() };
    let tell = || told_window(*server, connected, &call.options.model);
    let begin = async {
        let rendering = find_rendering(*server, call.wire, &asked(None)).await;
        // The other way shows a prompt before anything was dropped from it.
        let rendering = rendering.filter(|rendering| *rendering == Rendering::DebugRender);
        (rendering, tell().await)
    };
    let (rendering, told) = match select(pin!(stop.wait()), pin!(begin)).await {
        Either::Left(((), _)) => (None, None),
        Either::Right((begun, _)) => begun,
    };
    let mut check = Check::begin(CheckSettings {
        told,
        ceiling: ceiling.or(told).unwrap_or(CheckSettings::default().ceiling),
        asks_to_refuse: call.wire == Wire::Ollama,
        reads_back: rendering.is_some(),
        nonce,
    });
    loop {
        if stop.is_requested() {
            check.cancel();
        }
        report(&check);
        match check.next_step() {
            CheckStep::Done(_) => return check,
            CheckStep::Call(next) => {
                let call = Call { options: asked(next.refusing.then_some(false)), ..call.clone() };
                match call_model(*server, clock, stop, &call, &next.request, &mut |_| {}).await {
                    CallEnd::Replied(reply) => check.replied(reply),
                    CallEnd::Failed(error, _) => check.failed(error),
                    CallEnd::Stopped(_) => check.cancel(),
                }
                // Ollama tells the window of a loaded model only, and now this one is loaded.
                if check.settings().told.is_none()
                    && check.log().len() == 1
                    && let Some(window) = tell().await
                {
                    check.told(window);
                }
            }
            CheckStep::ReadPrompt(request) => {
                let read = async { read_prompt(*server, rendering?, &asked(None), &request).await };
                match select(pin!(stop.wait()), pin!(read)).await {
                    Either::Left(((), _)) => check.cancel(),
                    Either::Right((prompt, _)) => check.prompt_read(prompt.as_deref()),
                }
            }
        }
    }
}
