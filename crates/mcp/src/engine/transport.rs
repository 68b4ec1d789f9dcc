//! The line transport under the SDK's service loop: reads bounded lines, answers what is broken by itself, and hands on
//! only requests that are well formed and in a known era. It runs no tool.

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientJsonRpcMessage, ClientRequest,
    DiscoverRequest, DiscoverRequestParams, ErrorCode, ErrorData, GetExtensions as _, Implementation,
    InitializeRequest, InitializeRequestParams, ListToolsRequest, PingRequest, ProtocolVersion, RequestId,
    RequestMetaObject,
};
use rmcp::service::{RoleServer, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

use super::era::{self, Era};
use super::flight::{Flight, Wire};
use super::frame::{self, Frame};
use super::line::{Line, Lines};
use crate::reply::guarded;

/// What the transport knows of a request beyond its message: handed to the handler beside it.
#[derive(Clone)]
pub(crate) struct Passport {
    pub(crate) flight: Arc<Flight>,
    pub(crate) era: Era,
    pub(crate) progress_token: Option<Value>,
}

/// The SDK's side of the transport.
pub(crate) struct LineTransport {
    pub(crate) requests: mpsc::Receiver<ClientJsonRpcMessage>,
    pub(crate) wire: Arc<Wire>,
}

impl Transport<RoleServer> for LineTransport {
    type Error = Infallible;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        // Queued here and now, so that the order on the wire is the order of the calls.
        self.wire.answer(&message);
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.requests.recv().await
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Writes each message in one piece until the wire is finished or nobody reads.
pub(crate) async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut lines: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
    wire: Arc<Wire>,
) {
    while let Some(Some(line)) = lines.recv().await {
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        if written.await.is_err() {
            wire.mark_broken();
            return;
        }
        wire.left(line.len());
    }
}

/// Reads lines to the end of input and hands on what deserves it.
pub(crate) async fn read_lines(
    input: impl AsyncRead + Unpin,
    line_bytes_max: usize,
    wire: Arc<Wire>,
    requests: mpsc::Sender<ClientJsonRpcMessage>,
    client: impl Fn(&str),
) {
    let mut lines = Lines::new(input, line_bytes_max);
    let mut gate = Gate { wire: Arc::clone(&wire), shaken: false, client };
    loop {
        wire.room().await;
        let Some(line) = lines.next().await else { return };
        let (frame, line_bytes) = match &line {
            Line::Whole(bytes) => (frame::read(bytes), bytes.len()),
            Line::TooLong(head) => (frame::too_long(head, line_bytes_max), 0),
        };
        if let Some(message) = gate.pass(frame, line_bytes)
            && requests.send(message).await.is_err()
        {
            return;
        }
    }
}

struct Gate<C> {
    wire: Arc<Wire>,
    /// Whether `initialize` was seen on this connection.
    shaken: bool,
    client: C,
}

impl<C: Fn(&str)> Gate<C> {
    fn pass(&mut self, frame: Frame, line_bytes: usize) -> Option<ClientJsonRpcMessage> {
        match frame {
            Frame::Nothing => None,
            Frame::Broken { id, error } => {
                self.wire.refuse(id, error);
                None
            }
            Frame::Notification { method, mut params } => {
                if method == "notifications/cancelled"
                    && let Some(id) = params.remove("requestId").and_then(frame::read_id)
                {
                    self.wire.cancel(&id);
                }
                None
            }
            Frame::Request { id, method, params } => match self.admit(&id, &method, params, line_bytes) {
                Ok(request) => Some(ClientJsonRpcMessage::request(request, id)),
                Err(error) => {
                    self.wire.refuse(Some(id), error);
                    None
                }
            },
        }
    }

    fn admit(
        &mut self,
        id: &RequestId,
        method: &str,
        params: Map<String, Value>,
        line_bytes: usize,
    ) -> Result<ClientRequest, ErrorData> {
        if !matches!(method, "initialize" | "ping" | "server/discover" | "tools/list" | "tools/call") {
            return Err(unknown_method(method));
        }
        let era = era::judge(method, &params, self.shaken)?;
        if era == Era::PerRequest && method == "ping" {
            return Err(unknown_method("ping"));
        }
        let client = era::client_name(&params).map(str::to_owned);
        let progress_token = era::progress_token(&params);
        let mut request = build(method, params)?;
        let flight = self.wire.depart(id, line_bytes).map_err(|_| in_flight(id))?;
        let passport = Passport { flight, era, progress_token };
        request.extensions_mut().insert(passport);
        if let ClientRequest::InitializeRequest(request) = &request {
            self.shaken = true;
            (self.client)(&request.params.client_info.name);
        } else if let Some(name) = client {
            (self.client)(&name);
        }
        Ok(request)
    }
}

fn build(method: &str, mut params: Map<String, Value>) -> Result<ClientRequest, ErrorData> {
    let meta = match params.remove("_meta") {
        Some(Value::Object(meta)) => Some(RequestMetaObject::from(meta)),
        _ => None,
    };
    let mut request = match method {
        "initialize" => ClientRequest::InitializeRequest(InitializeRequest::new(initialize_params(params)?)),
        "ping" => ClientRequest::PingRequest(PingRequest::default()),
        "server/discover" => ClientRequest::DiscoverRequest(DiscoverRequest::new(DiscoverRequestParams {})),
        "tools/list" => match params.get("cursor") {
            None | Some(Value::Null) => ClientRequest::ListToolsRequest(ListToolsRequest::default()),
            Some(_) => return Err(invalid("`cursor` is not one of this server: the list has a single page")),
        },
        _ => ClientRequest::CallToolRequest(CallToolRequest::new(call_params(params)?)),
    };
    if let Some(meta) = meta {
        request.extensions_mut().insert(meta);
    }
    Ok(request)
}

fn initialize_params(mut params: Map<String, Value>) -> Result<InitializeRequestParams, ErrorData> {
    let Some(Value::String(version)) = params.remove("protocolVersion") else {
        return Err(invalid("`protocolVersion` of initialize must be a string"));
    };
    let capabilities = match params.remove("capabilities") {
        None | Some(Value::Null) => ClientCapabilities::default(),
        // Nothing of what a client offers is used, so an entry of an unknown shape does no harm.
        Some(value @ Value::Object(_)) => serde_json::from_value(value).unwrap_or_default(),
        Some(_) => return Err(invalid("`capabilities` of initialize must be an object")),
    };
    let client = match params.remove("clientInfo") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(client)) => client,
        Some(_) => return Err(invalid("`clientInfo` of initialize must be an object")),
    };
    let text = |key: &str| client.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let client = Implementation::new(text("name"), text("version"));
    let version: ProtocolVersion = serde_json::from_value(Value::String(version))
        .map_err(|_| invalid("`protocolVersion` of initialize must be a string"))?;
    Ok(InitializeRequestParams::new(capabilities, client).with_protocol_version(version))
}

fn call_params(mut params: Map<String, Value>) -> Result<CallToolRequestParams, ErrorData> {
    let name = match params.remove("name") {
        Some(Value::String(name)) => name,
        None => return Err(invalid("`name` of the tool is missing")),
        Some(_) => return Err(invalid("`name` of the tool must be a string")),
    };
    let arguments = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(Value::String(text)) => match frame::read_object(&text) {
            Some(arguments) => arguments,
            None => return Err(invalid("`arguments` must be an object; the string given holds none")),
        },
        Some(_) => return Err(invalid("`arguments` must be an object")),
    };
    Ok(CallToolRequestParams::new(Cow::Owned(name)).with_arguments(arguments))
}

fn invalid(what: &'static str) -> ErrorData {
    ErrorData::invalid_params(format!("Invalid params: {what}"), None)
}

fn unknown_method(method: &str) -> ErrorData {
    let text = fault::Text::new("Method not found: ").argument(method);
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, guarded(text.as_str()).into_owned(), None)
}

fn in_flight(id: &RequestId) -> ErrorData {
    let text = fault::Text::new("Invalid request: a request with id ")
        .argument(&id.to_string())
        .and(" is still under way");
    ErrorData::invalid_request(guarded(text.as_str()).into_owned(), None)
}
