//! The docs server on the engine: its tools as they stand on the wire, and the builders that serve them (contract "Read
//! tools", "Isolated proposal tools"). What a tool means belongs to `docs`, `propose`, `render` and `browser`; nothing here
//! can write a document, because none of those can.

mod backlinks;
mod call;
mod changesets;
mod create_changeset;
mod cursor;
mod dependencies;
mod drafts;
mod envelope;
mod fault;
mod filter_nodes;
mod get_changeset;
mod get_changeset_diff;
mod get_context;
mod get_contract;
mod get_node;
mod host;
mod impact;
mod list_changesets;
mod page;
mod project_info;
mod propose_create;
mod propose_delete;
mod propose_move;
mod propose_update;
mod schema;
mod search;
mod shape;
mod surface;
mod tools;
mod validate_changeset;
mod validate_project;
mod visualize;

use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::os::fd::AsFd;
use std::sync::Arc;

use ::browser::{Browser, Options};
use ::docs::{ContextProvider, ProjectService};
use ::propose::{ConfinedRoots, ProposalPolicy, ProposalValidator, StartupWriter, WriterRules};
use serde_json::{Map, Value};

use crate::engine::serve_streams;
use call::Call;
use host::{Host, Proposals};
use page::Ceiling;
pub use surface::DocsSurface;

/// A docs server that is put together. What it starts from decides for good which tools it has.
pub struct McpServer<Form> {
    service: Arc<ProjectService>,
    browser: Option<Browser>,
    proposals: Option<Proposals>,
    provider: Option<Box<dyn ContextProvider>>,
    form: PhantomData<Form>,
}

/// The form with the read tools alone. It has no way to take proposals.
#[derive(Debug)]
pub enum ReadOnly {}

/// The form with every tool. Without a writer, the tools that change a changeset answer `proposal_access_disabled`.
#[derive(Debug)]
pub enum Full {}

impl McpServer<ReadOnly> {
    /// The twelve read tools on a project.
    pub fn read_only(service: Arc<ProjectService>) -> McpServer<ReadOnly> {
        McpServer::with(service, None)
    }
}

impl McpServer<Full> {
    /// Every tool, for an integration: confined folders, a writer of the contract, and a policy that can only narrow it.
    pub fn full(
        service: Arc<ProjectService>,
        roots: ConfinedRoots,
        writer: StartupWriter,
        policy: Box<dyn ProposalPolicy>,
    ) -> McpServer<Full> {
        McpServer::with(service, Some(Proposals::new(Some(writer), policy, Some(roots))))
    }

    /// Every tool, as the command serves them: with a writer or without, and with folders that are opened once the contract
    /// is known when they are not given.
    pub fn command(
        service: Arc<ProjectService>,
        writer: Option<StartupWriter>,
        roots: Option<ConfinedRoots>,
    ) -> McpServer<Full> {
        McpServer::with(service, Some(Proposals::new(writer, Box::new(WriterRules), roots)))
    }

    /// Adds validators, whose findings stand beside those of the core.
    #[must_use]
    pub fn validators(mut self, validators: Vec<Box<dyn ProposalValidator>>) -> Self {
        if let Some(proposals) = &mut self.proposals {
            proposals.validators.extend(validators);
        }
        self
    }
}

impl<Form> McpServer<Form> {
    fn with(service: Arc<ProjectService>, proposals: Option<Proposals>) -> McpServer<Form> {
        let browser = Some(Browser::new(Options::default()));
        McpServer { service, browser, proposals, provider: None, form: PhantomData }
    }

    /// How long the page of the graph lives without a look, or that there is none.
    #[must_use]
    pub fn browser(mut self, options: Option<Options>) -> Self {
        self.browser = options.map(Browser::new);
        self
    }

    /// Puts a policy of the integration in place of our own for what stands around a node.
    #[must_use]
    pub fn context(mut self, provider: Box<dyn ContextProvider>) -> Self {
        self.provider = Some(provider);
        self
    }

    /// The server for the engine.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn surface(self) -> io::Result<DocsSurface> {
        let host = Host::new(self.service, self.proposals, self.browser, self.provider)
            .map_err(|_| io::Error::other("no random bytes"))?;
        Ok(DocsSurface::new(Arc::new(host)))
    }

    /// Serves on a pair of blocking streams until the input ends or the process is asked to end. Blocks the calling
    /// thread, replaces the panic hook of the process, and handles SIGINT, SIGTERM and SIGHUP.
    ///
    /// # Errors
    /// When the operating system gives no thread, no signal handler, no random bytes or no event queue; nothing was
    /// written then.
    pub fn serve(
        self,
        input: impl Read + AsFd + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> io::Result<()> {
        serve_streams(self.surface()?, input, output)
    }

    /// Serves on standard input and output.
    ///
    /// # Errors
    /// As [`McpServer::serve`].
    pub fn serve_stdio(self) -> io::Result<()> {
        self.serve(io::stdin(), io::stdout())
    }
}

/// Every tool of the docs server, in the published order.
pub fn tools() -> Vec<crate::catalog::Tool> {
    tools::READ.iter().chain(tools::PROPOSE).map(|one| (one.tool)()).collect()
}

/// What a tool answers, whole: lists without an end, bodies without a cut. For a person's own terminal. Nothing when there
/// is no such tool, when `watch` takes the call back, or when the system gives no random bytes.
pub fn answer(
    service: &Arc<ProjectService>,
    tool: &str,
    arguments: Map<String, Value>,
    watch: &dyn ::fault::Watch,
) -> Option<Value> {
    let proposals = Proposals::new(None, Box::new(WriterRules), None);
    let host = Host::new(Arc::clone(service), Some(proposals), None, None).ok()?;
    let tool = tools::READ.iter().chain(tools::PROPOSE).find(|one| one.name == tool)?;
    surface::answer(&mut Call::new(&host, watch, tool.name, arguments, Ceiling::None), tool)
}
