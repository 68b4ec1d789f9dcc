//! Speaks the protocol for whatever server is put on it: lines in, lines out, both eras, one queue. It knows no
//! tool, no project and no file; what it serves is a [`crate::catalog::Surface`].

mod era;
mod flight;
mod frame;
mod handler;
mod lane;
mod line;
mod pipe;
mod probe;
mod progress;
mod serve;
mod transport;
mod watch;

pub use pipe::{ReadPipe, WritePipe};
pub use serve::{Diagnostics, Settings, serve, serve_streams};

#[doc(hidden)]
pub use probe::{Heard, probe};
