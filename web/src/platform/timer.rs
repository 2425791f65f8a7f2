//! Time, as the driver needs it.

use brimline_core::driver::Clock;
use gloo_timers::future::TimeoutFuture;
use std::cell::Cell;

/// After so much work in one go the browser gets a chance to draw and to take clicks, in milliseconds.
const SLICE: f64 = 12.0;

/// The browser's timers.
#[derive(Debug, Default)]
pub struct BrowserClock {
    last_breath: Cell<f64>,
}

impl Clock for BrowserClock {
    async fn sleep(&self, milliseconds: u32) {
        TimeoutFuture::new(milliseconds).await;
    }

    async fn breathe(&self) {
        if js_sys::Date::now() - self.last_breath.get() > SLICE {
            TimeoutFuture::new(0).await;
            self.last_breath.set(js_sys::Date::now());
        }
    }
}
