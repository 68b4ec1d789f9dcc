//! The project server on the engine: its seven tools as they stand on the wire, and the public entry that serves them.
//! It holds no meaning of a tool: that is the `project` crate's, reached through [`ProjectService`].

mod analyze;
mod clients;
mod get_file;
mod get_tree;
mod list_projects;
mod pack_context;
mod read_pack;
mod search_project;
mod session;
mod shared;
mod surface;

use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use ::project::answer::{Analysis, PackAnswer, Payload, ProjectEntry};
use ::project::request::{
    AnalyzeRequest, FileRequest, PackRequest, ReadPackRequest, SearchRequest, TreeRequest,
};
use fault::{Failure, Outcome, Watch};

use crate::engine::serve_streams;

pub use surface::ProjectSurface;

/// What the seven tools mean.
pub trait ProjectService: Send + Sync + 'static {
    /// The pinned roots.
    ///
    /// # Errors
    /// When a root is no longer what was pinned.
    fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure>;

    /// The effective tree.
    ///
    /// # Errors
    /// As the contract says of `get_tree`.
    fn tree(&self, request: &TreeRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure>;

    /// The metrics.
    ///
    /// # Errors
    /// As the contract says of `analyze`.
    fn analyze(&self, request: &AnalyzeRequest, watch: &dyn Watch) -> Result<Outcome<Analysis>, Failure>;

    /// The pack, inline or stored.
    ///
    /// # Errors
    /// As the contract says of `pack_context`.
    fn pack(&self, request: &PackRequest, watch: &dyn Watch) -> Result<Outcome<PackAnswer>, Failure>;

    /// A page of a stored pack.
    ///
    /// # Errors
    /// As the contract says of `read_pack`.
    fn read_pack(&self, request: &ReadPackRequest, watch: &dyn Watch) -> Result<Payload, Failure>;

    /// Matching lines.
    ///
    /// # Errors
    /// As the contract says of `search_project`.
    fn search(&self, request: &SearchRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure>;

    /// A page of a file.
    ///
    /// # Errors
    /// As the contract says of `get_file`.
    fn file(&self, request: &FileRequest, watch: &dyn Watch) -> Result<Payload, Failure>;

    /// How many characters a page, an inline pack and a stored response may have from now on.
    fn set_page_chars(&self, page_chars: usize);

    /// Removes what must not outlive the process.
    fn close(&self) {}
}

/// How long pages are (start option `--page-chars`, protocol.md 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageChars {
    /// As long as the client at the other end is known to keep.
    #[default]
    Auto,
    /// A fixed number of characters, from 4,000 to 50,000.
    Fixed(usize),
}

/// How the server was started, as far as the wire shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProjectOptions {
    /// Whether Git URLs are accepted; the annotations say so.
    pub allow_remote: bool,
    /// How long pages are.
    pub page_chars: PageChars,
}

/// Serves the project tools on a pair of blocking streams until the input ends or the process is asked to end.
/// Blocks the calling thread, replaces the panic hook of the process, and handles SIGINT, SIGTERM and SIGHUP.
///
/// # Errors
/// When the operating system gives no thread, no signal handler or no event queue; nothing was written then.
pub fn serve_project(
    service: impl ProjectService,
    options: ProjectOptions,
    input: impl Read + AsFd + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    serve_streams(ProjectSurface::new(service, options), input, output)
}
