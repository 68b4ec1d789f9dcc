//! Decides what one line is: a request, a notification, something to ignore, or something broken that deserves
//! an answer (protocol.md 2). It knows no method and keeps no state.

use std::cell::Cell;
use std::fmt;

use rmcp::model::{ErrorData, RequestId};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::line::HEAD_BYTES;

/// Levels of nesting that a message may have.
const NESTING_MAX: usize = 128;

/// What a line turned out to be.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// A well-formed request.
    Request { id: RequestId, method: String, params: Map<String, Value> },
    /// A well-formed notification.
    Notification { method: String, params: Map<String, Value> },
    /// Nothing that is ever answered: an empty line, or something that looks like a response.
    Nothing,
    /// Broken: this error is the answer, with the id when one is readable.
    Broken { id: Option<RequestId>, error: ErrorData },
}

/// Reads one whole line.
pub(crate) fn read(line: &[u8]) -> Frame {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Frame::Nothing;
    }
    let broken = |what: &'static str| Frame::Broken {
        id: find_id(&line[..line.len().min(HEAD_BYTES)]),
        error: ErrorData::parse_error(what, None),
    };
    let Ok(text) = std::str::from_utf8(line) else {
        return broken("Parse error: the line is not valid UTF-8");
    };
    if nesting(line) > NESTING_MAX {
        return broken("Parse error: the line nests more than 128 levels deep");
    }
    let repeated = Cell::new(None);
    match parse(text, &repeated) {
        Ok(Value::Object(message)) => judge(message, repeated.get()),
        Ok(Value::Array(_)) => {
            refuse(None, "Invalid request: batches are not supported, send one message a line")
        }
        Ok(_) => refuse(None, "Invalid request: a message is a JSON object"),
        Err(_) => broken("Parse error: the line is not valid JSON"),
    }
}

/// The answer to a line over the cap, of which only the head was kept.
pub(crate) fn too_long(head: &[u8], line_bytes_max: usize) -> Frame {
    Frame::Broken {
        id: find_id(head),
        error: ErrorData::invalid_request(
            format!("Invalid request: the line is longer than {line_bytes_max} bytes and was thrown away"),
            None,
        ),
    }
}

fn refuse(id: Option<RequestId>, what: &'static str) -> Frame {
    Frame::Broken { id, error: ErrorData::invalid_request(what, None) }
}

fn judge(mut message: Map<String, Value>, repeated: Option<Repeated>) -> Frame {
    let has_answer = message.contains_key("result") || message.contains_key("error");
    if has_answer && !message.contains_key("method") {
        return Frame::Nothing;
    }
    let (id, id_is_bad) = match message.remove("id") {
        None => (None, false),
        Some(value) => match read_id(value) {
            Some(id) => (Some(id), false),
            None => (None, true),
        },
    };
    if repeated == Some(Repeated::Id) {
        return refuse(None, "Invalid request: `id` stands more than once");
    }
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refuse(id, "Invalid request: `jsonrpc` must be \"2.0\"");
    }
    if id_is_bad {
        return refuse(None, "Invalid request: `id` must be a string or a 64-bit integer");
    }
    let method = match message.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return refuse(id, "Invalid request: `method` must be a string"),
        None => return refuse(id, "Invalid request: `method` is missing"),
    };
    let params = match message.remove("params") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) if method == "tools/call" => {
            let error =
                ErrorData::invalid_params("Invalid params: `params` of tools/call must be an object", None);
            return Frame::Broken { id, error };
        }
        Some(_) => return refuse(id, "Invalid request: `params` must be an object"),
    };
    match (repeated, id) {
        (Some(Repeated::Top), id) => refuse(id, "Invalid request: a member stands more than once"),
        (Some(_), Some(id)) => Frame::Broken {
            id: Some(id),
            error: ErrorData::invalid_params(
                "Invalid params: an object names the same member more than once",
                None,
            ),
        },
        (_, Some(id)) => Frame::Request { id, method, params },
        (_, None) => Frame::Notification { method, params },
    }
}

/// An id that the protocol allows: a string, or an integer of 64 bits written without fraction or exponent.
pub(crate) fn read_id(value: Value) -> Option<RequestId> {
    match value {
        Value::String(text) => Some(RequestId::String(text.into())),
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        _ => None,
    }
}

/// The object that a string holds, as some clients send their arguments.
pub(crate) fn read_object(text: &str) -> Option<Map<String, Value>> {
    if nesting(text.as_bytes()) > NESTING_MAX {
        return None;
    }
    let repeated = Cell::new(None);
    match parse(text, &repeated) {
        Ok(Value::Object(object)) if repeated.get().is_none() => Some(object),
        _ => None,
    }
}

/// The deepest level of brackets outside strings.
fn nesting(line: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for &byte in line {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Where an object names a member twice; JSON leaves open which of the two counts, so neither does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Repeated {
    Id,
    Top,
    Inner,
}

fn parse(text: &str, repeated: &Cell<Option<Repeated>>) -> serde_json::Result<Value> {
    let mut input = serde_json::Deserializer::from_str(text);
    input.disable_recursion_limit();
    let value = Strict { depth: 0, repeated }.deserialize(&mut input)?;
    input.end()?;
    Ok(value)
}

/// Reads any JSON value and notes repeated members on the way.
#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    repeated: &'a Cell<Option<Repeated>>,
}

impl Strict<'_> {
    fn inner(self) -> Self {
        Strict { depth: self.depth + 1, ..self }
    }

    fn note(self, key: &str) {
        let found = match (self.depth, key) {
            (0, "id") => Repeated::Id,
            (0, _) => Repeated::Top,
            _ => Repeated::Inner,
        };
        self.repeated.set(Some(self.repeated.get().map_or(found, |before| before.min(found))));
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element_seed(self.inner())? {
            out.push(item);
        }
        Ok(Value::Array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut out = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(self.inner())?;
            if out.contains_key(&key) {
                self.note(&key);
            } else {
                out.insert(key, value);
            }
        }
        Ok(Value::Object(out))
    }
}

/// Looks for the `id` member of the outermost object in the head of a line that is not JSON as a whole.
/// Strings and brackets are followed, so that an `id` inside another member is never taken for the request's.
pub(crate) fn find_id(head: &[u8]) -> Option<RequestId> {
    let mut scan = Scan { rest: head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head) };
    scan.skip_space();
    scan.take(b'{')?;
    loop {
        scan.skip_space();
        let key = scan.string()?;
        scan.skip_space();
        scan.take(b':')?;
        scan.skip_space();
        if decoded(key).as_deref() == Some("id") {
            return scan.id();
        }
        scan.value()?;
        scan.skip_space();
        scan.take(b',')?;
    }
}

fn decoded(quoted: &[u8]) -> Option<String> {
    serde_json::from_slice(quoted).ok()
}

struct Scan<'a> {
    rest: &'a [u8],
}

impl<'a> Scan<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        if self.rest.first() != Some(&b'"') {
            return None;
        }
        let mut at = 1;
        loop {
            match self.rest.get(at)? {
                b'\\' => at += 2,
                b'"' => break,
                _ => at += 1,
            }
        }
        let (string, rest) = self.rest.split_at(at + 1);
        self.rest = rest;
        Some(string)
    }

    fn value(&mut self) -> Option<()> {
        match self.rest.first()? {
            b'"' => self.string().map(drop),
            b'{' | b'[' => self.nested(),
            _ => self.bare().map(drop),
        }
    }

    fn nested(&mut self) -> Option<()> {
        let mut open = Vec::new();
        loop {
            match *self.rest.first()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                byte @ (b'}' | b']') if open.pop() != Some(byte) => return None,
                _ => {}
            }
            self.rest = &self.rest[1..];
            if open.is_empty() {
                return Some(());
            }
        }
    }

    /// A token that is neither a string nor a container, up to what ends it.
    fn bare(&mut self) -> Option<&'a [u8]> {
        let ends =
            |byte: &u8| matches!(byte, b',' | b'}' | b']' | b'"' | b'{' | b'[') || byte.is_ascii_whitespace();
        let at = self.rest.iter().position(ends)?;
        if at == 0 {
            return None;
        }
        let (token, rest) = self.rest.split_at(at);
        self.rest = rest;
        Some(token)
    }

    fn id(&mut self) -> Option<RequestId> {
        let value = match self.rest.first()? {
            b'"' => self.string()?,
            _ => self.bare()?,
        };
        // What follows must be able to follow, or the value may be longer than what was read.
        if !matches!(self.rest.first()?, b',' | b'}') && !self.rest.first()?.is_ascii_whitespace() {
            return None;
        }
        read_id(serde_json::from_slice(value).ok()?)
    }
}

#[cfg(test)]
mod tests;
