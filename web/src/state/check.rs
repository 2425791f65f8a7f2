//! *Check my server*: a check of whichever server the settings name, on its way to a report.

use super::page::{Activity, PageState};
use crate::platform::timer::BrowserClock;
use brimline_core::check::{Check, CheckSettings, Progress, Report};
use brimline_core::driver::{Call, Checked, Stop, check_server};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The address of the check's own view, after the page's.
const HASH: &str = "#check";

/// The check's state: signals, so it is copied freely. Given to all components as a context.
#[derive(Clone, Copy)]
pub struct CheckState {
    page: PageState,
    /// Whether its view is shown instead of the conversation.
    pub is_open: RwSignal<bool>,
    /// The largest window to search for, in tokens; `None` leaves it to the check.
    pub ceiling: RwSignal<Option<u32>>,
    /// The check that is under way.
    pub run: RwSignal<Option<CheckRun>>,
    /// What the last one found.
    pub report: RwSignal<Option<Report>>,
}

/// A check under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CheckRun {
    /// How far it is.
    pub progress: Progress,
    /// Milliseconds since it began.
    pub elapsed: f64,
}

impl CheckState {
    /// The state of a fresh page.
    pub fn new(page: PageState) -> Self {
        let is_open = RwSignal::new(is_at_check());
        let changed = window_event_listener(leptos::ev::hashchange, move |_| is_open.set(is_at_check()));
        on_cleanup(move || changed.remove());
        Self {
            page,
            is_open,
            ceiling: RwSignal::default(),
            run: RwSignal::default(),
            report: RwSignal::default(),
        }
    }

    /// Begins a check. Does nothing while a conversation goes on, or another check.
    pub fn start(self) {
        if self.page.is_running() {
            return;
        }
        let stop = Stop::default();
        self.page.stop.set_value(stop.clone());
        self.page.activity.set(Activity::Preparing);
        self.report.set(None);
        let progress = Check::begin(CheckSettings::default()).progress();
        self.run.set(Some(CheckRun { progress, elapsed: 0.0 }));
        spawn_local(async move {
            let report = self.check(stop).await;
            self.run.set(None);
            self.report.set(Some(report));
            self.page.activity.set(Activity::Idle);
        });
    }

    /// Stops the check that is under way: what was found until then is shown.
    pub fn stop(self) {
        self.page.stop();
    }

    /// Lets the page go by a window that was measured, in tokens.
    pub fn use_window(self, tokens: u32) {
        // What was measured saw more than this being refused or lost, which is proof.
        let proven = Some(tokens);
        self.page.window.update(|belief| (belief.measured, belief.proven) = (proven, proven));
        self.page.session.update_value(|session| {
            if let Some(session) = session {
                let belief = session.window_mut();
                (belief.measured, belief.proven) = (proven, proven);
            }
        });
    }

    /// Whether the page goes by that window, in tokens.
    pub fn uses_window(self, tokens: u32) -> bool {
        self.page.window.with(|belief| belief.measured == Some(tokens))
    }

    async fn check(self, stop: Stop) -> Report {
        let known = self.page.connection.with_untracked(|connection| connection.connected().cloned());
        let connected = match known {
            Some(connected) => Ok(connected),
            None => self.page.connect().await,
        };
        let connected = match connected {
            Ok(connected) => connected,
            Err(error) => {
                let mut check = Check::begin(CheckSettings::default());
                check.failed(error);
                return check.report();
            }
        };
        let began = js_sys::Date::now();
        let time_limit = self.page.settings.with_untracked(|settings| settings.time_limit);
        let call = Call { wire: connected.wire, options: self.page.model_options(), time_limit };
        let server = self.page.server();
        let checked = Checked { server: &server, connected: &connected, call };
        let clock = BrowserClock::default();
        // The last six digits of the clock: no two checks of one reader send the same.
        let nonce = (began % 1_000_000.0) as u32;
        let report = |check: &Check| {
            let elapsed = js_sys::Date::now() - began;
            self.run.set(Some(CheckRun { progress: check.progress(), elapsed }));
        };
        check_server(&checked, &clock, &stop, self.ceiling.get_untracked(), nonce, report).await.report()
    }
}

/// How long what is left may take, in seconds, at the speed seen so far; `None` until there is a speed.
pub fn time_left(run: &CheckRun) -> Option<u32> {
    let Progress { tokens_read, tokens_left, .. } = run.progress;
    // After less than this, starting up is most of what was measured.
    const ENOUGH: u32 = 500;
    if tokens_read < ENOUGH || run.elapsed <= 0.0 {
        return None;
    }
    // The cast saturates.
    Some((run.elapsed / f64::from(tokens_read) * f64::from(tokens_left) / 1_000.0).ceil() as u32)
}

fn is_at_check() -> bool {
    window().location().hash().is_ok_and(|hash| hash == HASH)
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use brimline_core::check::Stage;

    #[test]
    fn the_time_left_goes_by_the_speed_so_far() {
        let run = |tokens_read, elapsed| CheckRun {
            progress: Progress { stage: Stage::Window, calls: 5, tokens_read, tokens_left: 10_000 },
            elapsed,
        };
        assert_eq!(time_left(&run(0, 2_000.0)), None);
        assert_eq!(time_left(&run(2_000, 4_000.0)), Some(20));
    }
}
