//! The reader's wish to stop.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// A wish to stop that the one who works can wait for. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    shared: Rc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    requested: Cell<bool>,
    /// A run is one task, so one waiter is enough.
    waiter: RefCell<Option<Waker>>,
}

impl Stop {
    /// Asks to stop. Asking again changes nothing.
    pub fn request(&self) {
        self.shared.requested.set(true);
        if let Some(waiter) = self.shared.waiter.take() {
            waiter.wake();
        }
    }

    /// Whether somebody asked to stop.
    pub fn is_requested(&self) -> bool {
        self.shared.requested.get()
    }

    /// Waits until somebody asks to stop.
    pub async fn wait(&self) {
        poll_fn(|context| {
            if self.is_requested() {
                return Poll::Ready(());
            }
            self.shared.waiter.replace(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}
