//! `read_range`: whole lines of one file, as many as one answer holds. It knows no other file.

use fault::{Failure, Fault, Watch};

use crate::clock::CallTime;
use crate::limits::{ANSWER_BYTES_END, READ_LINES_MAX, ROWS_BYTES_MAX};
use crate::policy::Denied;
use crate::session::Evidence;
use crate::shown::NoText;
use crate::{document, faults, policy};

/// What `read_range` is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeRequest {
    /// The path below the root.
    pub path: String,
    /// The first line, from 1.
    pub start: u64,
    /// The last line, inclusive.
    pub end: u64,
}

/// One whole line without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// From 1.
    pub line: u64,
    /// The text.
    pub text: String,
    /// Placeholders in it.
    pub redacted: usize,
}

/// The answer of `read_range`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The path as it was asked for.
    pub path: String,
    /// The lines.
    pub lines: Vec<Line>,
    /// Lines of the whole file.
    pub total_lines: u64,
    /// The first line that did not fit any more, when one did not.
    pub next_line: Option<u64>,
}

impl Evidence {
    /// The lines of a file, redacted unless this server is exact.
    ///
    /// # Errors
    /// As the specification says of `read_range`: each code with the rule that was met.
    pub fn read_range(&self, request: &RangeRequest, watch: &dyn Watch) -> Result<Page, Failure> {
        let asked = request.end.checked_sub(request.start);
        if request.start == 0 || asked.is_none_or(|more| more >= READ_LINES_MAX) {
            return Err(faults::range().into());
        }
        policy::check(&request.path).map_err(faults::denied)?;
        if !self.is_exact() && redact::contains_secret(&request.path) {
            return Err(faults::denied(Denied::Secret).into());
        }
        if let Some(denied) =
            policy::covered(&request.path, self.rules()).map_err(|_| faults::rules_too_costly())?
        {
            return Err(faults::denied(denied).into());
        }
        let time = CallTime::begin(watch, self.clock());
        time.check().map_err(faults::stopped)?;
        let shown = self.reader().read(self.root(), &request.path, &time).outcome.map_err(failure)?;

        let mut page =
            Page { path: request.path.clone(), lines: Vec::new(), total_lines: 0, next_line: None };
        let budget = ROWS_BYTES_MAX.min(ANSWER_BYTES_END.saturating_sub(document::around_page(&page) + 1));
        let mut bytes = 0;
        for (number, range) in (1..).zip(lines(shown.text())) {
            page.total_lines = number;
            if number < request.start || number > request.end || page.next_line.is_some() {
                continue;
            }
            let redacted = shown.inserted_in(&range).len();
            let line = Line { line: number, text: shown.text()[range].to_owned(), redacted };
            bytes += document::line(&line).len() + 1;
            if bytes <= budget {
                page.lines.push(line);
            } else if page.lines.is_empty() {
                return Err(faults::line_too_long(number, line.text.len()).into());
            } else {
                page.next_line = Some(number);
            }
        }
        Ok(page)
    }
}

/// The lines of a text; the empty piece after a last line end is none.
fn lines(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    content::lines(text).filter(|range| range.start < text.len())
}

fn failure(no_text: NoText) -> Failure {
    let fault: Fault = match no_text {
        NoText::Denied(denied) => faults::denied(denied),
        NoText::NotFound => faults::not_found(),
        NoText::TooLarge(size_bytes) => faults::too_large(size_bytes),
        NoText::Binary => faults::binary(),
        NoText::NotUtf8 => faults::not_utf8(),
        NoText::Changed => faults::changed(),
        NoText::Unreadable => faults::unreadable(),
        NoText::Uninspected => faults::uninspected(),
        NoText::Stopped(stop) => return faults::stopped(stop),
    };
    fault.into()
}

#[cfg(test)]
mod tests;
