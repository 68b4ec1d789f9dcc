//! Ctrl-C for a command that prints: the work stops at its next check and nothing half-made stays. It knows no
//! command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fault::{Phase, Watch};

use crate::exit::Exit;

/// How long the work may take to notice.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at whether what may not be cut short is done.
const PAUSE: Duration = Duration::from_millis(20);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static FINISHING: AtomicBool = AtomicBool::new(false);

/// While it lives an interrupted process does not leave: documents are being changed, and that ends whole.
#[derive(Debug)]
pub(crate) struct Finishing(());

impl Finishing {
    /// From here on.
    pub(crate) fn begin() -> Finishing {
        FINISHING.store(true, Ordering::Relaxed);
        Finishing(())
    }
}

impl Drop for Finishing {
    fn drop(&mut self) {
        FINISHING.store(false, Ordering::Relaxed);
    }
}

/// Looks at whether the person pressed Ctrl-C.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CtrlC;

impl CtrlC {
    /// From now on SIGINT and SIGTERM cancel the work instead of ending the process where it stands.
    pub(crate) fn watch() -> CtrlC {
        let listen = || {
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
                return;
            };
            runtime.block_on(async {
                use tokio::signal::unix::{SignalKind, signal};
                let (Ok(mut interrupt), Ok(mut terminate)) =
                    (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
                else {
                    return;
                };
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                INTERRUPTED.store(true, Ordering::Relaxed);
                tokio::time::sleep(PATIENCE).await;
                while FINISHING.load(Ordering::Relaxed) {
                    tokio::time::sleep(PAUSE).await;
                }
                leave();
            });
        };
        // Without a thread for it, the signal ends the process as it always does.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
        CtrlC
    }
}

/// Ends the process where it stands: a reader of stdout that does not read holds the work where it looks at nothing.
/// A file in the making has no name yet, so it goes with the process.
#[expect(clippy::disallowed_methods, reason = "the main thread cannot return")]
fn leave() {
    std::process::exit(i32::from(Exit::Cancelled as u8));
}

impl Watch for CtrlC {
    fn cancelled(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
}
