//! Pages of `get_file` and `read_pack`: whole lines of a text, at most so many lines and characters, with
//! trailers that say where to go on (spec `project.md` 5.8). It does not know where the text comes from.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::RangeInclusive;

use fault::{Code, Fault, Text};

use crate::cut::{self, PLACEHOLDER_BYTES_MAX};
use crate::sink::LineIndex;

/// The lines that a caller asks for, from 1, inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineRange {
    /// The first line; absent means line 1.
    pub start_line: Option<u64>,
    /// The last line; absent means the last one.
    pub end_line: Option<u64>,
}

/// How much one page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLimits {
    /// Lines.
    pub max_lines: usize,
    /// Characters of the page's text, line ends included.
    pub max_chars: usize,
}

/// One page. Its lines are joined with `\n`; the last one has no line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The lines.
    pub text: String,
    /// Continuation, then the long-line notice; each only where it applies.
    pub trailers: Vec<String>,
}

/// Why a stored text gave no page.
#[derive(Debug, thiserror::Error)]
pub enum PageFault {
    /// The range is not inside the text.
    #[error(transparent)]
    Range(#[from] Fault),
    /// The stored text cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

/// A page of a text that is in memory. CRLF line ends become `\n`.
///
/// # Errors
/// [`Code::InvalidRange`], naming the valid interval.
pub fn of_text(text: &str, range: LineRange, limits: PageLimits) -> Result<Page, Fault> {
    let total = content::count_lines(text) as u64;
    let Some(asked) = resolve(range, total)? else { return Ok(Page::default()) };
    let start = start_of(text.as_bytes(), *asked.start() - 1).unwrap_or(text.len());
    Ok(take(&text[start..], &asked, range, total, limits))
}

/// A page of a stored text, read from the nearest line that the index knows. At most the page and the 256 lines
/// before it are read, in small pieces.
///
/// # Errors
/// [`PageFault::Range`] as for [`of_text`]; [`PageFault::Unreadable`] when the reader fails, when the text is
/// shorter than the index says, or when it is no longer UTF-8.
pub fn of_stored<R: Read + Seek>(
    reader: &mut R,
    index: &LineIndex,
    range: LineRange,
    limits: PageLimits,
) -> Result<Page, PageFault> {
    let total = index.lines();
    let Some(asked) = resolve(range, total)? else { return Ok(Page::default()) };
    let (known_line, offset) = index.before(*asked.start() - 1);
    reader.seek(SeekFrom::Start(offset))?;
    let mut skip = *asked.start() - 1 - known_line;

    // Enough for a full page of four-byte characters with CRLF ends, and for the rest of a placeholder.
    let enough_bytes = 4 * limits.max_chars + 2 * limits.max_lines + PLACEHOLDER_BYTES_MAX;
    let mut held = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    let mut read_bytes = offset;
    let is_at_end = loop {
        let count = match reader.read(&mut piece) {
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
            count => count?,
        };
        if count == 0 {
            break true;
        }
        read_bytes += count as u64;
        let mut new = &piece[..count];
        while skip > 0 {
            let Some(end) = memchr::memchr(b'\n', new) else {
                new = &[];
                break;
            };
            new = &new[end + 1..];
            skip -= 1;
        }
        held.extend_from_slice(new);
        if held.len() > enough_bytes {
            break false;
        }
    };
    if skip > 0 || (is_at_end && read_bytes != index.bytes()) {
        return Err(PageFault::Unreadable(io::ErrorKind::UnexpectedEof.into()));
    }
    let text = match std::str::from_utf8(&held) {
        Ok(text) => text,
        // Only a character that the last piece cut in two may be missing its end.
        Err(fault) if fault.error_len().is_none() && !is_at_end => {
            std::str::from_utf8(&held[..fault.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return Err(PageFault::Unreadable(io::ErrorKind::InvalidData.into())),
    };
    Ok(take(text, &asked, range, total, limits))
}

/// The lines asked for, clamped to the text; nothing for an empty text without a range.
fn resolve(range: LineRange, total: u64) -> Result<Option<RangeInclusive<u64>>, Fault> {
    let is_default = range == LineRange::default();
    if total == 0 && is_default {
        return Ok(None);
    }
    let (start, end) = (range.start_line.unwrap_or(1), range.end_line.unwrap_or(total));
    let text = if total == 0 {
        Text::new("the text is empty and has no lines; omit start_line and end_line")
    } else if start == 0 || range.end_line == Some(0) {
        Text::new("lines are numbered from 1; the valid interval is 1-").number(total)
    } else if start > total {
        Text::new("start_line ")
            .number(start)
            .and(" is past the last line; the valid interval is 1-")
            .number(total)
    } else if end < start {
        Text::new("end_line ")
            .number(end)
            .and(" is before start_line ")
            .number(start)
            .and("; the valid interval is 1-")
            .number(total)
    } else {
        return Ok(Some(start..=end.min(total)));
    };
    Err(Fault::new(Code::InvalidRange, text))
}

/// The byte at which line `line` (from 0) begins.
fn start_of(bytes: &[u8], line: u64) -> Option<usize> {
    match usize::try_from(line).ok()?.checked_sub(1) {
        None => Some(0),
        Some(end) => memchr::memchr_iter(b'\n', bytes).nth(end).map(|at| at + 1),
    }
}

/// The page that begins with `text`, which may lack the end of a line that cannot fit anyway.
fn take(text: &str, asked: &RangeInclusive<u64>, range: LineRange, total: u64, limits: PageLimits) -> Page {
    let mut page = Page::default();
    let (first, mut last) = (*asked.start(), *asked.start() - 1);
    let mut chars = 0;
    let mut cut_chars = None;
    // Here an empty rest is the empty last line after a final line end.
    let empty_line = text.is_empty().then_some(0..0);
    for line in content::lines(text).chain(empty_line).take(limits.max_lines) {
        if last == *asked.end() {
            break;
        }
        let line = &text[line];
        let line_chars = line.chars().count();
        let separator = usize::from(last >= first);
        if chars + separator + line_chars > limits.max_chars {
            if last < first {
                page.text.push_str(cut::prefix(line, limits.max_chars));
                cut_chars = Some(page.text.chars().count());
                last += 1;
            }
            break;
        }
        if separator > 0 {
            page.text.push('\n');
        }
        page.text.push_str(line);
        chars += separator + line_chars;
        last += 1;
    }
    page.trailers = trailers(first, last, total, range, cut_chars);
    page
}

fn trailers(first: u64, last: u64, total: u64, range: LineRange, cut_chars: Option<usize>) -> Vec<String> {
    let mut trailers = Vec::new();
    let past_end = range.end_line.filter(|end| *end > total);
    if last < total || past_end.is_some() || cut_chars.is_some() {
        let mut trailer = format!("[Showing lines {first}-{last} of {total}");
        if let Some(end) = past_end {
            trailer.push_str(&format!("; end_line {end} is past the last line"));
        }
        if last < total {
            trailer.push_str(&format!("; next start_line={}", last + 1));
        }
        trailer.push(']');
        trailers.push(trailer);
    }
    if let Some(chars) = cut_chars {
        trailers.push(format!(
            "[Line {first} is longer than one page: only its first {chars} characters are shown]"
        ));
    }
    trailers
}

#[cfg(test)]
mod tests;
