//! Edits one member of a JSON document, comments and trailing commas allowed, by its place in the text: every other byte
//! stays. It knows no client and no file.

use std::ops::Range;

use serde_json::{Value, json};

use super::{Edit, EditFault, Entry, apply, line_end, line_of};

/// Levels of nesting that are followed.
const DEPTH_MAX: usize = 128;
/// What a level is indented by where the document does not show.
const INDENT: &str = "  ";

/// What is written, its members in the order in which people expect them.
#[derive(Clone, Debug)]
enum New {
    Members(Vec<(String, New)>),
    Plain(Value),
}

impl New {
    fn of(members: &[(&'static str, Value)]) -> New {
        New::Members(
            members.iter().map(|(name, value)| ((*name).to_owned(), New::Plain(value.clone()))).collect(),
        )
    }

    fn below(self, name: &str) -> New {
        New::Members(vec![(name.to_owned(), self)])
    }
}

/// The members of an entry.
fn members(entry: &Entry, typed: bool) -> Vec<(&'static str, Value)> {
    let mut members = Vec::new();
    if typed {
        members.push(("type", json!("stdio")));
    }
    members.extend([("command", json!(entry.command)), ("args", json!(entry.args))]);
    members
}

/// The entry on one line, with its name as a further member.
pub(super) fn named(entry: &Entry) -> String {
    let mut members = members(entry, false);
    members.insert(0, ("name", json!(entry.name)));
    compact(&New::of(&members))
}

/// A whole document that holds the entry alone.
pub(super) fn document(key: &str, entry: &Entry, typed: bool) -> String {
    let whole = New::of(&members(entry, typed)).below(&entry.name).below(key);
    format!("{}\n", pretty(&whole, "", INDENT, "\n"))
}

/// The text with the entry as a member of `key`. An entry of that name keeps what else it says.
pub(super) fn set(text: &str, key: &str, entry: &Entry, typed: bool) -> Result<String, EditFault> {
    let members = members(entry, typed);
    let whole = New::of(&members);
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(self::document(key, entry, typed));
    }
    let mut text = text.to_owned();
    // Each round makes one change; there is one for the entry, or one for each of its members.
    for _ in 0..=members.len() {
        let root_node = parse(&text)?;
        let form = |key: &str| EditFault::Form { key: key.to_owned() };
        let root = root_node.object().ok_or_else(|| form(key))?;
        let edits = match root.member(&text, key)? {
            None => insert(&text, &root_node, key, &whole.clone().below(&entry.name))?,
            Some(servers) => {
                let object = servers.value.object().ok_or_else(|| form(key))?;
                match object.member(&text, &entry.name)? {
                    None => insert(&text, &servers.value, &entry.name, &whole)?,
                    Some(old) => match old.value.object() {
                        None => vec![(old.value.span.clone(), compact(&whole))],
                        Some(fields) => match first_difference(&text, old, fields, &members)? {
                            Some(edits) => edits,
                            None => return Ok(text),
                        },
                    },
                }
            }
        };
        text = apply(&text, &edits);
    }
    Ok(text)
}

/// The edit of the first member that is not as it should be.
fn first_difference(
    text: &str,
    old: &Member,
    fields: &Object,
    members: &[(&str, Value)],
) -> Result<Option<Vec<Edit>>, EditFault> {
    for (name, wanted) in members {
        match fields.member(text, name)? {
            None => return insert(text, &old.value, name, &New::Plain(wanted.clone())).map(Some),
            Some(field) => {
                let is_so = serde_json::from_str::<Value>(&text[field.value.span.clone()])
                    .is_ok_and(|is| is == *wanted);
                if !is_so {
                    return Ok(Some(vec![(field.value.span.clone(), spaced(wanted))]));
                }
            }
        }
    }
    Ok(None)
}

/// The text without the entry; as it is when there is none.
pub(super) fn remove(text: &str, key: &str, name: &str) -> Result<String, EditFault> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(text.to_owned());
    }
    let document = parse(text)?;
    let form = || EditFault::Form { key: key.to_owned() };
    let Some(servers) = document.object().ok_or_else(form)?.member(text, key)? else {
        return Ok(text.to_owned());
    };
    let object = servers.value.object().ok_or_else(form)?;
    if object.member(text, name)?.is_none() {
        return Ok(text.to_owned());
    }
    let at = object.members.iter().position(|member| member.name == name).unwrap_or_default();
    let member = &object.members[at];
    let open = servers.value.span.start + 1;
    // From the end of what stands before it, comments included, to its own comma.
    let start = open + text[open..member.key.start].trim_end().len();
    let end = member.comma.map_or(member.value.span.end, |comma| comma + 1);
    let mut edits = Vec::new();
    if member.comma.is_none()
        && let Some(comma) = at.checked_sub(1).and_then(|before| object.members[before].comma)
    {
        edits.push((comma..comma + 1, String::new()));
    }
    let close = servers.value.span.end - 1;
    let end = if object.members.len() == 1 && start == open && text[end..close].trim().is_empty() {
        close
    } else {
        end
    };
    match edits.last() {
        // The comma that goes is the last of what stands before.
        Some((comma, _)) if comma.end >= start => {
            let from = comma.start;
            edits = vec![(from..end, String::new())];
        }
        _ => edits.push((start..end, String::new())),
    }
    Ok(apply(text, &edits))
}

/// The edits that add a member as the last of an object.
fn insert(text: &str, node: &Node, name: &str, value: &New) -> Result<Vec<Edit>, EditFault> {
    let Some(object) = node.object() else { return Err(EditFault::Form { key: name.to_owned() }) };
    let (open, close) = (node.span.start + 1, node.span.end - 1);
    let (end, unit, key) = (line_end(text), unit(text), Value::from(name));
    let outer = indent_at(text, node.span.start);
    let inner = match object.members.first() {
        Some(first) if starts_line(text, first.key.start) => indent_at(text, first.key.start),
        _ => format!("{outer}{unit}"),
    };
    let body = &text[open..close];
    let at = open + body.trim_end().len();
    if !body.contains('\n') && at > open {
        let (at, head, tail) = match object.members.last() {
            None => (at, " ", ""),
            Some(Member { comma: Some(comma), .. }) => (comma + 1, " ", ","),
            Some(last) => (last.value.span.end, ", ", ""),
        };
        return Ok(vec![(at..at, format!("{head}{key}: {}{tail}", compact(value)))]);
    }
    let mut member = format!("{end}{inner}{key}: {}", pretty(value, &inner, &unit, end));
    let Some(last) = object.members.last() else {
        // Blanks alone are replaced; a comment and the line end behind it stay.
        let to = if at > open && text[at..close].contains('\n') { at } else { close };
        if to == close {
            member.push_str(end);
            member.push_str(&outer);
        }
        return Ok(vec![(at..to, member)]);
    };
    if last.comma.is_some() {
        // Who ends the last member with a comma ends the new one so too.
        member.push(',');
        Ok(vec![(at..at, member)])
    } else {
        let after = last.value.span.end;
        Ok(vec![(after..after, ",".to_owned()), (at..at, member)])
    }
}

fn compact(new: &New) -> String {
    match new {
        New::Members(members) => {
            let member =
                |(name, new): &(String, New)| format!("{}: {}", Value::from(name.as_str()), compact(new));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        New::Plain(value) => spaced(value),
    }
}

/// A text or a list of texts, on one line: arguments read best so.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Members over several lines, the first of which is already indented.
fn pretty(new: &New, indent: &str, unit: &str, end: &str) -> String {
    let New::Members(members) = new else { return compact(new) };
    let inner = format!("{indent}{unit}");
    let member = |(name, new): &(String, New)| {
        format!("{end}{inner}{}: {}", Value::from(name.as_str()), pretty(new, &inner, unit, end))
    };
    let members: Vec<String> = members.iter().map(member).collect();
    format!("{{{}{end}{indent}}}", members.join(","))
}

/// The blanks that the line of `at` begins with.
fn indent_at(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

fn starts_line(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    line > 0 && text[line..at].trim().is_empty()
}

/// What a level is indented by: the blanks of the first line that has some.
fn unit(text: &str) -> String {
    let blanks = |line: &str| line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect::<String>();
    text.lines().map(blanks).find(|blanks| !blanks.is_empty()).unwrap_or_else(|| INDENT.to_owned())
}

/// A value and where it stands.
#[derive(Debug)]
struct Node {
    span: Range<usize>,
    object: Option<Object>,
}

#[derive(Debug)]
struct Object {
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    name: String,
    key: Range<usize>,
    value: Node,
    /// Where the comma behind it stands.
    comma: Option<usize>,
}

impl Node {
    fn object(&self) -> Option<&Object> {
        self.object.as_ref()
    }
}

impl Object {
    /// The member of that name; two of them are a fault.
    fn member(&self, text: &str, name: &str) -> Result<Option<&Member>, EditFault> {
        let mut found = self.members.iter().filter(|member| member.name == name);
        let first = found.next();
        match found.next() {
            Some(second) => {
                Err(EditFault::Twice { line: line_of(text, second.key.start), key: name.to_owned() })
            }
            None => Ok(first),
        }
    }
}

fn parse(text: &str) -> Result<Node, EditFault> {
    let mut reader =
        Reader { text, at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } };
    let node = reader.value(0)?;
    reader.blanks()?;
    if reader.at < text.len() {
        Err(reader.malformed("something stands behind the document"))
    } else {
        Ok(node)
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn malformed(&self, what: &'static str) -> EditFault {
        EditFault::Malformed { line: line_of(self.text, self.at), what }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Blanks and comments.
    fn blanks(&mut self) -> Result<(), EditFault> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.malformed("a comment has no end"))?;
                self.at += end + 2;
            } else if matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                self.at += 1;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, EditFault> {
        if depth > DEPTH_MAX {
            return Err(self.malformed("it is nested too deeply"));
        }
        self.blanks()?;
        let start = self.at;
        let object = match self.peek() {
            Some(b'{') => Some(self.object(depth)?),
            Some(b'[') => {
                self.array(depth)?;
                None
            }
            Some(b'"') => {
                self.string()?;
                None
            }
            _ => {
                let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.');
                let word = self.text[start..].find(|c| !is_word(c)).unwrap_or(self.text.len() - start);
                if serde_json::from_str::<Value>(&self.text[start..start + word]).is_err() {
                    return Err(self.malformed("a value is missing or no value"));
                }
                self.at += word;
                None
            }
        };
        Ok(Node { span: start..self.at, object })
    }

    fn object(&mut self, depth: usize) -> Result<Object, EditFault> {
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.blanks()?;
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(Object { members });
            }
            if members.last().is_some_and(|member| member.comma.is_none()) {
                return Err(self.malformed("a comma is missing"));
            }
            let key = self.at;
            let name = self.string()?;
            let key = key..self.at;
            self.blanks()?;
            if self.peek() != Some(b':') {
                return Err(self.malformed("a colon is missing"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            self.blanks()?;
            let comma = (self.peek() == Some(b',')).then_some(self.at);
            self.at += usize::from(comma.is_some());
            members.push(Member { name, key, value, comma });
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), EditFault> {
        self.at += 1;
        let mut needs_comma = false;
        loop {
            self.blanks()?;
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b',') if needs_comma => {
                    self.at += 1;
                    needs_comma = false;
                }
                _ if needs_comma => return Err(self.malformed("a comma is missing")),
                _ => {
                    self.value(depth + 1)?;
                    needs_comma = true;
                }
            }
        }
    }

    fn string(&mut self) -> Result<String, EditFault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.malformed("a name in double quotes is missing"));
        }
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(b'\n') | None => return Err(self.malformed("a text has no end")),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let text = self.text.get(start..self.at).ok_or_else(|| self.malformed("a text has no end"))?;
        serde_json::from_str(text).map_err(|_| self.malformed("a text is no text of JSON"))
    }
}
