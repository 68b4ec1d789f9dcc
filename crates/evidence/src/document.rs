//! How answers are written: compact JSON, keys in the specification's order. The tools and the command line print
//! these same bytes. It decides nothing about what an answer holds.

use std::fmt::Write as _;

use fault::{Fault, push_json};

use crate::context::{Hit, Search};
use crate::faults::is_retryable;
use crate::inventory::{Inventory, InventoryFile};
use crate::ledger::{Reason, Skipped};
use crate::range::{Line, Page};

/// The answer of `context_search`.
pub fn search(search: &Search) -> String {
    let mut out = String::from("{\"hits\":");
    array(&search.hits, hit, &mut out);
    push_reasons(&search.reasons, &mut out);
    let _ = write!(
        out,
        ",\"searched\":{{\"files\":{},\"bytes\":{}}}",
        search.searched_files, search.searched_bytes
    );
    push_skipped(&search.skipped, &mut out);
    let _ = write!(out, ",\"candidates\":{}}}", search.candidates);
    out
}

/// The answer of `read_range`.
pub fn page(page: &Page) -> String {
    let mut out = String::from("{\"path\":");
    push_json(&page.path, &mut out);
    out.push_str(",\"lines\":");
    array(&page.lines, line, &mut out);
    let _ = write!(out, ",\"totalLines\":{},\"truncated\":{}", page.total_lines, page.next_line.is_some());
    match page.next_line {
        Some(next) => write!(out, ",\"nextLine\":{next}}}"),
        None => write!(out, ",\"nextLine\":null}}"),
    }
    .ok();
    out
}

/// The most bytes that a page of this path can have besides its rows.
pub(crate) fn around_page(page: &Page) -> usize {
    // The numbers of the widest page: a file has fewer lines than it has bytes.
    const NUMBERS_BYTES: usize =
        ",\"lines\":[],\"totalLines\":262144,\"truncated\":false,\"nextLine\":262144}".len();
    let mut path = String::from("{\"path\":");
    push_json(&page.path, &mut path);
    path.len() + NUMBERS_BYTES
}

/// The answer of `file_inventory`.
pub fn inventory(inventory: &Inventory) -> String {
    let mut out = String::from("{\"files\":");
    array(&inventory.files, file, &mut out);
    push_reasons(&inventory.reasons, &mut out);
    push_skipped(&inventory.skipped, &mut out);
    out.push('}');
    out
}

/// The answer in the place of one, for a caller that can act on it.
pub fn error(fault: &Fault) -> String {
    let mut out = String::from("{\"error\":{\"code\":");
    push_json(fault.code.as_str(), &mut out);
    out.push_str(",\"message\":");
    push_json(&redact::mask_name(fault.text.as_str()), &mut out);
    let _ = write!(out, ",\"retryable\":{}}}}}", is_retryable(fault.code));
    out
}

/// One row of a search.
pub(crate) fn hit(hit: &Hit) -> String {
    let mut out = String::from("{\"path\":");
    push_json(&hit.path, &mut out);
    let _ = write!(out, ",\"line\":{},\"score\":{},\"snippet\":", hit.line, hit.score);
    push_json(&hit.snippet, &mut out);
    let _ = write!(out, ",\"clipped\":{}", hit.clipped);
    push_redacted(hit.redacted, &mut out);
    out
}

/// One row of a page.
pub(crate) fn line(line: &Line) -> String {
    let mut out = format!("{{\"line\":{},\"text\":", line.line);
    push_json(&line.text, &mut out);
    push_redacted(line.redacted, &mut out);
    out
}

/// One row of an inventory.
pub(crate) fn file(file: &InventoryFile) -> String {
    let mut out = String::from("{\"path\":");
    push_json(&file.path, &mut out);
    let _ = write!(out, ",\"bytes\":{}}}", file.bytes);
    out
}

fn push_redacted(redacted: usize, out: &mut String) {
    if redacted > 0 {
        let _ = write!(out, ",\"redacted\":{redacted}");
    }
    out.push('}');
}

fn array<T>(rows: &[T], write: fn(&T) -> String, out: &mut String) {
    out.push('[');
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str(&write(row));
    }
    out.push(']');
}

fn push_reasons(reasons: &[Reason], out: &mut String) {
    let _ = write!(out, ",\"incomplete\":{},\"reasons\":[", !reasons.is_empty());
    for (at, reason) in reasons.iter().enumerate() {
        let _ = write!(out, "{}\"{}\"", if at > 0 { "," } else { "" }, reason.as_str());
    }
    out.push(']');
}

fn push_skipped(skipped: &Skipped, out: &mut String) {
    out.push_str(",\"skipped\":{");
    for (at, (skip, count)) in skipped.iter().enumerate() {
        let _ = write!(out, "{}\"{}\":{count}", if at > 0 { "," } else { "" }, skip.as_str());
    }
    out.push('}');
}

#[cfg(test)]
mod tests;
