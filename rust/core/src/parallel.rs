//! Threads: the one place that names rayon.
//!
//! The pool is our own. It is built at the first use and remembered together with the process that built
//! it: a forked child inherits the memory of a pool but none of its threads, and would wait for ever.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

/// A flag that tells long work to stop: the caller no longer wants the result.
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Number of threads chosen by the user; 0 means as many as the machine has.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// Uses `n` threads from now on; `None` uses as many as the machine has.
pub fn set_num_threads(n: Option<NonZeroUsize>) {
    CHOSEN.store(n.map_or(0, NonZeroUsize::get), Ordering::Relaxed);
}

/// Number of threads that parallel work uses.
pub fn num_threads() -> usize {
    match CHOSEN.load(Ordering::Relaxed) {
        0 => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        n => n,
    }
}

struct Pool {
    process: u32,
    n_threads: usize,
    threads: Arc<rayon::ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

fn pool(n_threads: usize) -> Option<Arc<rayon::ThreadPool>> {
    let build = || {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        builder.thread_name(|i| format!("soundeval-{i}")).build().ok().map(Arc::new)
    };
    let process = std::process::id();
    // The lock may have been held by another thread at the fork; the child then makes do with a pool of its own.
    let Ok(mut kept) = POOL.try_lock() else {
        return build();
    };
    if let Some(pool) = kept.as_ref()
        && pool.process == process
        && pool.n_threads == n_threads
    {
        return Some(Arc::clone(&pool.threads));
    }
    let threads = build()?;
    let fresh = Pool { process, n_threads, threads: Arc::clone(&threads) };
    if let Some(stale) = kept.replace(fresh)
        && stale.process != process
    {
        // Its threads do not exist here: there is nobody to shut down.
        std::mem::forget(stale);
    }
    Some(threads)
}

/// Maps items in parallel and returns the results in the order of the items.
///
/// `workspace` makes memory that one thread reuses from item to item. With one thread, or one item, or where
/// the system grants no threads, the work is done right here.
pub fn ordered_map<'a, T: Sync, W, R: Send>(
    items: &'a [T],
    workspace: impl Fn() -> W + Sync + Send,
    work: impl Fn(&mut W, &'a T) -> R + Sync + Send,
) -> Vec<R> {
    let n_threads = num_threads().min(items.len());
    let pool = if n_threads > 1 { pool(num_threads()) } else { None };
    let Some(pool) = pool else {
        let mut space = workspace();
        return items.iter().map(|item| work(&mut space, item)).collect();
    };
    pool.install(|| items.par_iter().map_init(&workspace, &work).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_for_any_number_of_threads() {
        let items: Vec<u32> = (0..1000).collect();
        let expected: Vec<u32> = items.iter().map(|item| item * item).collect();
        for n in [1, 2, 7] {
            set_num_threads(NonZeroUsize::new(n));
            assert_eq!(num_threads(), n);
            assert_eq!(ordered_map(&items, || (), |(), item| item * item), expected);
        }
        set_num_threads(None);
        assert!(num_threads() >= 1);
    }
}
