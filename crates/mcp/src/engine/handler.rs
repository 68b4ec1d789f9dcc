//! The SDK's server handler, by hand: lists the catalogue, sends calls to their lane, and dresses results for their
//! era. It runs no tool itself and reads no arguments.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rmcp::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, DiscoverResult, ErrorData, Implementation,
    InitializeRequestParams, InitializeResult, ListToolsResult, MetaObject, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::oneshot;

use super::era::{self, Era};
use super::flight::Wire;
use super::lane::{Job, Lane};
use super::progress::Progress;
use super::serve::Diagnostics;
use super::transport::Passport;
use super::watch::CallWatch;
use crate::catalog::{CallContext, Cancelled, Limits, Surface, Tool, Turn};
use crate::reply::{Reply, guarded};

/// A surface with its lanes.
pub(crate) struct Handler<S> {
    pub(crate) surface: Arc<S>,
    pub(crate) wire: Arc<Wire>,
    pub(crate) gate: Arc<Lane>,
    pub(crate) beside: Arc<Lane>,
    pub(crate) diagnostics: Arc<dyn Diagnostics>,
    limits: Limits,
    catalogue: Vec<Tool>,
    published: Vec<rmcp::model::Tool>,
}

/// How a job ended.
enum Ending {
    Replied(Reply),
    TakenBack,
    Panicked,
}

impl<S: Surface> Handler<S> {
    pub(crate) fn new(
        surface: Arc<S>,
        wire: Arc<Wire>,
        gate: Arc<Lane>,
        beside: Arc<Lane>,
        diagnostics: Arc<dyn Diagnostics>,
    ) -> Self {
        let catalogue = surface.tools();
        let published = catalogue.iter().map(publish).collect();
        let limits = surface.limits();
        Handler { surface, wire, gate, beside, diagnostics, limits, catalogue, published }
    }

    fn implementation(&self) -> Implementation {
        Implementation::new(self.surface.name(), env!("CARGO_PKG_VERSION")).with_title(self.surface.title())
    }

    /// The metadata that every result of the era without a handshake carries.
    fn server_meta(&self) -> MetaObject {
        let info = serde_json::to_value(self.implementation()).unwrap_or_default();
        MetaObject(Map::from_iter([(era::SERVER_KEY.to_owned(), info)]))
    }

    fn job(
        &self,
        tool: &Tool,
        arguments: Map<String, Value>,
        passport: Passport,
        tell: oneshot::Sender<Ending>,
    ) -> Job {
        let surface = Arc::clone(&self.surface);
        let diagnostics = Arc::clone(&self.diagnostics);
        let flight = Arc::clone(&passport.flight);
        let progress = passport
            .progress_token
            .filter(|_| tool.progress)
            .map(|token| Progress::new(token, Arc::clone(&flight), Arc::clone(&self.wire)));
        let name = tool.name;
        let time_max = self.limits.call_time_max;
        let work = move || {
            let watch = CallWatch::new(passport.flight, time_max, progress);
            let context = CallContext { watch: &watch };
            let ending = match catch_unwind(AssertUnwindSafe(|| surface.call(name, arguments, &context))) {
                Ok(Ok(reply)) => Ending::Replied(reply),
                Ok(Err(Cancelled)) => Ending::TakenBack,
                Err(_) => {
                    diagnostics.call_panicked();
                    Ending::Panicked
                }
            };
            if matches!(&ending, Ending::Replied(reply) if !reply.is_error()) {
                watch.done();
            }
            // The receiver is gone only when the connection is.
            let _ = tell.send(ending);
        };
        Job { flight, work: Box::new(work) }
    }
}

impl<S: Surface> ServerHandler for Handler<S> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(self.implementation())
            .with_instructions(self.surface.instructions())
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let version = era::negotiated(&request.protocol_version);
        request.protocol_version = version.clone();
        context.peer.set_peer_info(request);
        Ok(self.get_info().with_protocol_version(version))
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = ProtocolVersion::KNOWN_VERSIONS.to_vec();
        Ok(DiscoverResult::from_server_info(versions, self.get_info())
            .with_ttl_ms(era::LIST_TTL_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut result = ListToolsResult::with_all_items(self.published.clone());
        if passport(&context)?.era == Era::PerRequest {
            result.ttl_ms = Some(era::LIST_TTL_MS);
            result.cache_scope = Some(CacheScope::Private);
            result.meta = Some(self.server_meta());
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.catalogue.iter().find(|tool| tool.name == request.name) else {
            return Err(unknown_tool(&request.name));
        };
        let passport = passport(&context)?;
        let (flight, era) = (Arc::clone(&passport.flight), passport.era);
        let lane = match tool.turn {
            Turn::Gate => &self.gate,
            Turn::Beside => &self.beside,
        };
        let (tell, mut ending) = oneshot::channel();
        let job = self.job(tool, request.arguments.unwrap_or_default(), passport, tell);
        let reply = match lane.submit(job) {
            Err(_) => self.surface.busy(),
            Ok(()) => {
                let ending = tokio::select! {
                    biased;
                    ending = &mut ending => ending,
                    () = flight.cancelled() => {
                        lane.sweep();
                        // Work that already runs is awaited, so that its id stays taken until it has stopped.
                        ending.await
                    }
                };
                match ending {
                    Ok(Ending::Replied(reply)) => reply,
                    Ok(Ending::Panicked) => {
                        return Err(internal("the call failed inside the server; the server goes on"));
                    }
                    // Nobody waits for this answer; the wire does not send it.
                    Ok(Ending::TakenBack) | Err(_) => return Err(internal("the call was taken back")),
                }
            }
        };
        let mut result = reply.into_result();
        if era == Era::PerRequest {
            result.meta.get_or_insert_default().extend(self.server_meta());
        }
        Ok(result.into())
    }
}

fn passport(context: &RequestContext<RoleServer>) -> Result<Passport, ErrorData> {
    context.extensions.get::<Passport>().cloned().ok_or_else(|| internal("a request came past the transport"))
}

fn internal(what: &'static str) -> ErrorData {
    ErrorData::internal_error(what, None)
}

fn unknown_tool(name: &str) -> ErrorData {
    let text = fault::Text::new("Unknown tool: ").argument(name);
    ErrorData::invalid_params(guarded(text.as_str()).into_owned(), None)
}

fn publish(tool: &Tool) -> rmcp::model::Tool {
    let annotations = ToolAnnotations::from_raw(
        Some(tool.title.to_owned()),
        Some(tool.hints.read_only),
        Some(tool.hints.destructive),
        Some(tool.hints.idempotent),
        Some(tool.hints.open_world),
    );
    let mut out =
        rmcp::model::Tool::new(tool.name, Cow::Borrowed(tool.description), Arc::new(tool.input.clone()))
            .with_title(tool.title)
            .with_annotations(annotations);
    if let Some(output) = &tool.output {
        out = out.with_raw_output_schema(Arc::new(output.clone()));
    }
    if let Some(meta) = &tool.meta {
        out = out.with_meta(MetaObject(meta.clone()));
    }
    out
}
