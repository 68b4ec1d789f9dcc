//! The evidence server on the engine: its three tools as they stand on the wire, and the public entry that serves
//! them. It holds no meaning of a tool: that is the `evidence` crate's, reached through [`EvidenceService`].

mod context_search;
mod file_inventory;
mod read_range;
mod shared;
mod surface;

use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use ::evidence::{Evidence, Inventory, Page, RangeRequest, Search};
use fault::{Failure, Watch};

use crate::engine::serve_streams;

pub use surface::{EvidenceSurface, tools};

/// What the three tools mean.
pub trait EvidenceService: Send + Sync + 'static {
    /// Whether texts are shown as they are, secrets included.
    fn is_exact(&self) -> bool;

    /// Lines that hold literal terms.
    ///
    /// # Errors
    /// As the contract says of `context_search`.
    fn search(&self, terms: &[String], watch: &dyn Watch) -> Result<Search, Failure>;

    /// Whole lines of one file.
    ///
    /// # Errors
    /// As the contract says of `read_range`.
    fn read_range(&self, request: &RangeRequest, watch: &dyn Watch) -> Result<Page, Failure>;

    /// The eligible files.
    ///
    /// # Errors
    /// As the contract says of `file_inventory`.
    fn inventory(&self, watch: &dyn Watch) -> Result<Inventory, Failure>;
}

impl EvidenceService for Evidence {
    fn is_exact(&self) -> bool {
        Evidence::is_exact(self)
    }
    fn search(&self, terms: &[String], watch: &dyn Watch) -> Result<Search, Failure> {
        Evidence::search(self, terms, watch)
    }
    fn read_range(&self, request: &RangeRequest, watch: &dyn Watch) -> Result<Page, Failure> {
        Evidence::read_range(self, request, watch)
    }
    fn inventory(&self, watch: &dyn Watch) -> Result<Inventory, Failure> {
        Evidence::inventory(self, watch)
    }
}

/// Serves the evidence tools on a pair of blocking streams until the input ends or the process is asked to end.
/// Blocks the calling thread, replaces the panic hook of the process, and handles SIGINT, SIGTERM and SIGHUP.
///
/// # Errors
/// When the operating system gives no thread, no signal handler or no event queue; nothing was written then.
pub fn serve_evidence(
    service: impl EvidenceService,
    input: impl Read + AsFd + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    serve_streams(EvidenceSurface::new(service), input, output)
}
