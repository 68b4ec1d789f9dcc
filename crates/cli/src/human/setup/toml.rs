//! Edits one table of `mcp_servers` in a TOML document by its place in the text: every other byte stays. It knows no
//! client and no file.

use std::ops::Range;

use toml_edit::{Document, Item, Table, Value};

use super::{Edit, EditFault, Entry, apply, line_end, line_of};

/// The table of all servers.
const SERVERS: &str = "mcp_servers";

/// A document's text of the entry alone.
pub(super) fn table(entry: &Entry, end: &str) -> String {
    let args: Vec<String> = entry.args.iter().map(|arg| string(arg)).collect();
    format!(
        "[{SERVERS}.{}]{end}command = {}{end}args = [{}]{end}",
        entry.name,
        string(&entry.command),
        args.join(", ")
    )
}

/// A basic string: what JSON escapes, TOML escapes in the same way, and DEL besides.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// The text with the entry. A table of that name keeps what else it says.
pub(super) fn set(text: &str, entry: &Entry) -> Result<String, EditFault> {
    let document = parse(text)?;
    let form = || EditFault::Form { key: format!("{SERVERS}.{}", entry.name) };
    let edited = match headed(&document, &entry.name)? {
        None => append(text, entry),
        Some(old) => {
            let mut edits: Vec<Edit> = Vec::new();
            let args =
                format!("[{}]", entry.args.iter().map(|arg| string(arg)).collect::<Vec<_>>().join(", "));
            let header = old.span().ok_or_else(form)?;
            let mut missing = String::new();
            for (key, new, is_so) in [
                (
                    "command",
                    string(&entry.command),
                    old.get("command").and_then(Item::as_str) == Some(&entry.command),
                ),
                (
                    "args",
                    args,
                    old.get("args").is_some_and(|item| strings(item).as_ref() == Some(&entry.args)),
                ),
            ] {
                match old.get(key).map(Item::as_value) {
                    _ if is_so => {}
                    Some(Some(value)) => edits.push((value.span().ok_or_else(form)?, new)),
                    Some(None) => return Err(form()),
                    None => missing.push_str(&format!("{}{key} = {new}", line_end(text))),
                }
            }
            if !missing.is_empty() {
                // Behind the header, and behind a comment on its line.
                let at = header.start
                    + text[header.start..].find(['\r', '\n']).unwrap_or(text.len() - header.start);
                edits.push((at..at, missing));
            }
            edits.sort_by_key(|(range, _)| range.start);
            apply(text, &edits)
        }
    };
    // What was meant is what is there now, or nothing was edited.
    let check = parse(&edited).map_err(|_| form())?;
    let is_there = headed(&check, &entry.name)?.is_some_and(|table| {
        table.get("command").and_then(Item::as_str) == Some(&entry.command)
            && table.get("args").and_then(strings).as_ref() == Some(&entry.args)
    });
    if is_there { Ok(edited) } else { Err(form()) }
}

fn append(text: &str, entry: &Entry) -> String {
    let end = line_end(text);
    let mut out = text.to_owned();
    if !text.is_empty() {
        if !text.ends_with('\n') {
            out.push_str(end);
        }
        out.push_str(end);
    }
    out.push_str(&table(entry, end));
    out
}

/// The text without the entry and its own tables; as it is when there is none.
pub(super) fn remove(text: &str, name: &str) -> Result<String, EditFault> {
    let document = parse(text)?;
    let form = || EditFault::Form { key: format!("{SERVERS}.{name}") };
    let Some(Item::Table(servers)) = document.get(SERVERS) else {
        return if document.get(SERVERS).is_none() { Ok(text.to_owned()) } else { Err(form()) };
    };
    let Some(item) = servers.get(name) else { return Ok(text.to_owned()) };
    let Item::Table(entry) = item else { return Err(form()) };
    if entry.is_dotted() {
        return Err(form());
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    tables(text, entry, &mut ranges);
    if ranges.is_empty() {
        return Err(form());
    }
    ranges.sort_by_key(|range| range.start);
    if ranges.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return Err(form());
    }
    // The blank line that set the table apart goes with it at the end of the file.
    if let Some(last) = ranges.last_mut()
        && last.end == text.len()
    {
        let end = line_end(text);
        let before = &text[..last.start];
        if before.ends_with(&format!("{end}{end}")) {
            last.start -= end.len();
        }
    }
    let edited = apply(text, &ranges.into_iter().map(|range| (range, String::new())).collect::<Vec<_>>());
    let check = parse(&edited).map_err(|_| form())?;
    let is_gone = check.get(SERVERS).and_then(|servers| servers.get(name)).is_none();
    if is_gone { Ok(edited) } else { Err(form()) }
}

/// The table of the entry that has a header of its own; none when there is none yet.
fn headed<'d>(document: &'d Document<&str>, name: &str) -> Result<Option<&'d Table>, EditFault> {
    let form = || EditFault::Form { key: format!("{SERVERS}.{name}") };
    match document.get(SERVERS) {
        None => Ok(None),
        Some(Item::Table(servers)) => match servers.get(name) {
            None => Ok(None),
            Some(Item::Table(entry)) if entry.is_implicit() => Ok(None),
            Some(Item::Table(entry)) if !entry.is_dotted() => Ok(Some(entry)),
            Some(_) => Err(form()),
        },
        Some(_) => Err(form()),
    }
}

/// The lines of each table with a header, from its header to its last value.
fn tables(text: &str, table: &Table, ranges: &mut Vec<Range<usize>>) {
    if !table.is_implicit()
        && !table.is_dotted()
        && let Some(span) = table.span()
    {
        let start = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let header = text[span.start..].find('\n').map_or(text.len(), |end| span.start + end + 1);
        let last = last_value(table)
            .map_or(header, |end| text[end..].find('\n').map_or(text.len(), |line| end + line + 1));
        ranges.push(start..last.max(header));
    }
    for (_, item) in table.iter() {
        match item {
            Item::Table(inner) => tables(text, inner, ranges),
            Item::ArrayOfTables(array) => array.iter().for_each(|inner| tables(text, inner, ranges)),
            _ => {}
        }
    }
}

/// Where the last value ends that stands under the table's own header.
fn last_value(table: &Table) -> Option<usize> {
    let end = |item: &Item| match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(inner) if inner.is_dotted() => last_value(inner),
        _ => None,
    };
    table.iter().filter_map(|(_, item)| end(item)).max()
}

fn strings(item: &Item) -> Option<Vec<String>> {
    let strings = item.as_array()?.iter().map(|value: &Value| value.as_str().map(str::to_owned));
    strings.collect()
}

fn parse(text: &str) -> Result<Document<&str>, EditFault> {
    Document::parse(text).map_err(|error| EditFault::Malformed {
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        what: "no TOML",
    })
}
