//! Which of the two eras a request belongs to (protocol.md 1): with a handshake, or with `_meta` on each request.
//! It looks at a request's metadata alone and knows no tool.

use rmcp::model::{ClientCapabilities, ErrorData, Implementation, ProtocolVersion};
use serde_json::{Map, Value, json};

/// How long a client may keep a list of tools, in milliseconds.
pub(crate) const LIST_TTL_MS: u64 = 3_600_000;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
const TOKEN_KEY: &str = "progressToken";

/// The key of the server info in the `_meta` of a result.
pub(crate) const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// The revisions with `initialize`.
    Handshake,
    /// 2026-07-28: every request carries its own context.
    PerRequest,
}

/// The revisions that an unsupported one is told, oldest first.
pub(crate) fn supported() -> Vec<&'static str> {
    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect()
}

/// The version that answers `initialize`: the same when it has a handshake, else the newest that has one.
pub(crate) fn negotiated(requested: &ProtocolVersion) -> ProtocolVersion {
    if ProtocolVersion::KNOWN_VERSIONS.contains(requested) && requested.has_initialize() {
        requested.clone()
    } else {
        ProtocolVersion::LATEST_WITH_INITIALIZE
    }
}

/// Judges a request by its `_meta`. `shaken` says whether `initialize` came before on this connection.
///
/// # Errors
/// -32602 for metadata that is missing or malformed, -32022 for a version that this server does not speak.
pub(crate) fn judge(method: &str, params: &Map<String, Value>, shaken: bool) -> Result<Era, ErrorData> {
    if method == "initialize" {
        return Ok(Era::Handshake);
    }
    let nothing = Map::new();
    let meta = match params.get("_meta") {
        None | Some(Value::Null) => &nothing,
        Some(Value::Object(meta)) => meta,
        Some(_) => return Err(invalid("`_meta` must be an object".to_owned())),
    };
    let version = match meta.get(VERSION_KEY) {
        None | Some(Value::Null) => None,
        Some(Value::String(version)) => Some(version.as_str()),
        Some(_) => return Err(invalid(format!("`{VERSION_KEY}` in `_meta` must be a string"))),
    };
    let Some(version) = version else {
        let needs_none = method == "ping" || (shaken && method != "server/discover");
        return if needs_none { Ok(Era::Handshake) } else { Err(missing(meta, true)) };
    };
    if !supported().contains(&version) {
        return Err(unsupported(version));
    }
    let per_request = version >= ProtocolVersion::NO_INITIALIZE.as_str();
    if per_request || method == "server/discover" {
        check_context(meta)?;
    }
    Ok(if per_request { Era::PerRequest } else { Era::Handshake })
}

/// The client's name in the metadata of a request.
pub(crate) fn client_name(params: &Map<String, Value>) -> Option<&str> {
    params.get("_meta")?.get(CLIENT_KEY)?.get("name")?.as_str()
}

/// A progress token: a string or an integer, kept as it came.
pub(crate) fn progress_token(params: &Map<String, Value>) -> Option<Value> {
    let token = params.get("_meta")?.get(TOKEN_KEY)?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}

fn check_context(meta: &Map<String, Value>) -> Result<(), ErrorData> {
    match meta.get(CAPABILITIES_KEY) {
        None | Some(Value::Null) => return Err(missing(meta, false)),
        Some(value) if !decodes::<ClientCapabilities>(value) => {
            return Err(invalid(format!("`{CAPABILITIES_KEY}` in `_meta` is not valid")));
        }
        Some(_) => {}
    }
    match meta.get(CLIENT_KEY) {
        None | Some(Value::Null) => {}
        Some(value) if !decodes::<Implementation>(value) => {
            return Err(invalid(format!("`{CLIENT_KEY}` in `_meta` needs a `name` and a `version`")));
        }
        Some(_) => {}
    }
    match meta.get(TOKEN_KEY) {
        None | Some(Value::Null | Value::String(_)) => Ok(()),
        Some(Value::Number(number)) if number.is_i64() || number.is_u64() => Ok(()),
        Some(_) => Err(invalid("`progressToken` in `_meta` must be a string or an integer".to_owned())),
    }
}

fn decodes<T: serde::de::DeserializeOwned>(value: &Value) -> bool {
    value.is_object() && serde_json::from_value::<T>(value.clone()).is_ok()
}

fn missing(meta: &Map<String, Value>, version: bool) -> ErrorData {
    let mut keys = Vec::new();
    if version {
        keys.push(VERSION_KEY);
    }
    if !meta.contains_key(CAPABILITIES_KEY) {
        keys.push(CAPABILITIES_KEY);
    }
    invalid(format!("call `initialize` first, or send {} in `_meta` of every request", keys.join(" and ")))
}

fn invalid(what: String) -> ErrorData {
    ErrorData::invalid_params(format!("Invalid params: {what}"), None)
}

fn unsupported(version: &str) -> ErrorData {
    let mut shown = version.to_owned();
    shown.truncate(shown.char_indices().nth(64).map_or(shown.len(), |(at, _)| at));
    ErrorData::new(
        rmcp::model::ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        "Unsupported protocol version",
        Some(json!({ "supported": supported(), "requested": shown })),
    )
}
