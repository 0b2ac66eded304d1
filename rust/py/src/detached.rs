//! The one way from Python into long work: without the GIL, interruptible, and with no panic let through.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use soundeval_core::parallel::Cancel;

/// How often a waiting thread looks whether the user pressed Ctrl-C.
const POLL: Duration = Duration::from_millis(50);

/// Work below this many frames times classes ends sooner than anyone could interrupt it.
const SHORT: usize = 1 << 20;

/// Runs `work` detached from the interpreter; `size` is its frames times classes.
///
/// Long work runs on a thread of its own, so that this one can notice Ctrl-C: Python only sets a flag in
/// its signal handler. The work is then cancelled and `KeyboardInterrupt` raised.
pub fn run<R: Send>(py: Python<'_>, size: usize, work: impl FnOnce(&Cancel) -> R + Send) -> PyResult<R> {
    let cancel = Cancel::new();
    let work = || catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    let outcome = if size < SHORT {
        py.detach(work)
    } else {
        let is_done = &AtomicBool::new(false);
        std::thread::scope(|scope| {
            let waiting = std::thread::current();
            let worker = scope.spawn(move || {
                let outcome = work();
                is_done.store(true, Ordering::Release);
                waiting.unpark();
                outcome
            });
            loop {
                py.detach(|| std::thread::park_timeout(POLL));
                if is_done.load(Ordering::Acquire) {
                    break;
                }
                if let Err(interrupt) = py.check_signals() {
                    cancel.set();
                    let _ = py.detach(|| worker.join());
                    return Err(interrupt);
                }
            }
            Ok(py.detach(|| worker.join()).unwrap_or_else(Err))
        })?
    };
    outcome.map_err(|panic| {
        let what = (panic.downcast_ref::<String>().map(String::as_str))
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        PyRuntimeError::new_err(format!(
            "soundeval failed inside its compiled part ({what}). This is a bug of soundeval, not of your data: please report it"
        ))
    })
}
