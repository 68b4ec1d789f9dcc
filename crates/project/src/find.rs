//! `search_project`: matching lines of the redacted text, with context.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fault::{Failure, Outcome, Phase, Text, Watch};
use redact::Numbering;
use search::{Clock, Matcher, Pattern, SearchStop};
use select::Sizes;

use crate::answer::Payload;
use crate::contents::Contents;
use crate::escape::search_label;
use crate::notices::{self, Consequence};
use crate::read::FileContent;
use crate::request::SearchRequest;
use crate::session::Session;
use crate::window::{MatchLine, WindowLimits, Windows, no_match_trailer};
use crate::{faults, limits};

/// Matching time of one call (contract, `search_project`).
const MATCHING_TIME_MAX: Duration = Duration::from_secs(2);

impl Session {
    /// Searches the redacted text of the baseline selection, line by line (contract, `search_project`). Ranges
    /// that redaction inserted never match. Trailers come after the notices.
    ///
    /// # Errors
    /// The faults of a selection; `INVALID-PATTERN` for a pattern that does not compile, is over 4,096 characters
    /// or needs more than two seconds of matching; `OPERATION-FAILED` after 30 seconds.
    pub fn search(&self, request: &SearchRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        if request.pattern.is_empty() {
            return Err(faults::argument(Text::new("`pattern` is required and must not be empty")).into());
        }
        if request.pattern.chars().count() > limits::PATTERN_CHARS_MAX {
            return Err(faults::pattern_too_long().into());
        }
        let pattern = Pattern::compile(&request.pattern, request.ignore_case).map_err(faults::pattern)?;
        let plan = self.plan(&request.target, &request.narrowing, watch)?;
        let watch = &Timed::new(watch, Duration::from_secs(limits::CALL_SECONDS_MAX));
        let choice = self.choose(&plan, None, Sizes::AsNeeded, watch)?;
        let contents = Contents::new(self, &plan.root, &choice.selection, reduce::Wanted::none());
        let scan =
            Scan { pattern: &pattern, clock: Clock::new(MATCHING_TIME_MAX), matchers: Mutex::default() };
        let mut windows = Windows::new(WindowLimits {
            context_lines: request.context_lines,
            max_results: request.max_results,
            max_chars: limits::SEARCH_CHARS_MAX,
        });
        let mut numbering = Numbering::new();
        let (mut searched, mut uninspected) = (0, 0);
        contents.map_in_order(
            watch,
            |content| match content {
                FileContent::Text(prepared) => {
                    let lines = match prepared.clean_text() {
                        Some(text) => scan.lines(text, &[], watch),
                        None => {
                            let masked = prepared.mask_alone();
                            scan.lines(masked.text(), masked.inserted(), watch)
                        }
                    }?;
                    Ok((FileContent::Text(prepared), lines))
                }
                FileContent::Other(class) => Ok((FileContent::Other(class), Vec::new())),
            },
            |result| result.as_ref().map_or(0, |(content, _)| content.len_bytes()),
            |file, result: Result<_, SearchStop>| {
                let (content, lines) = result.map_err(search_failure)?;
                let prepared = match content {
                    FileContent::Text(prepared) => prepared,
                    FileContent::Other(class) => {
                        uninspected += u64::from(class.is_uninspected());
                        return Ok(());
                    }
                };
                if !prepared.fits(&numbering) {
                    uninspected += 1;
                    return Ok(());
                }
                searched += 1;
                if lines.is_empty() || windows.is_full() {
                    windows.count(lines.len() as u64);
                    return Ok(());
                }
                let label = search_label(file.path.as_str(), &file.path.to_address());
                match prepared.clean_text() {
                    Some(text) => windows.file(&label, text, &lines),
                    None => {
                        let masked = prepared.mask(&mut numbering);
                        windows.file(&label, masked.text(), &placed(masked.text(), &lines));
                    }
                }
                Ok::<(), Failure>(())
            },
        )?;
        let found = windows.finish();
        let trailer = if found.matching_lines == 0 {
            Some(no_match_trailer(searched, &filters(request)))
        } else {
            found.not_shown_trailer()
        };
        let mut notices: Vec<_> =
            notices::uninspected(uninspected, Consequence::NotSearched).into_iter().collect();
        notices.extend(choice.notices);
        Ok(Outcome {
            value: Payload {
                text: self.sealed(numbering.tripwire(), found.text),
                trailers: trailer.into_iter().collect(),
            },
            notices,
        })
    }
}

/// The scanning states of the threads, under the one clock of the call.
struct Scan<'p> {
    pattern: &'p Pattern,
    clock: Clock,
    matchers: Mutex<Vec<Matcher<'p>>>,
}

impl Scan<'_> {
    fn lines(
        &self,
        text: &str,
        inserted: &[std::ops::Range<usize>],
        watch: &dyn Watch,
    ) -> Result<Vec<MatchLine>, SearchStop> {
        let idle = self.matchers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut matcher = idle.unwrap_or_else(|| Matcher::new(self.pattern));
        let mut lines = Vec::new();
        let ended = matcher.matching_lines(text, inserted, &self.clock, watch, &mut |line, range| {
            lines.push(MatchLine { line, at: range.start });
        });
        self.matchers.lock().unwrap_or_else(PoisonError::into_inner).push(matcher);
        ended.map(|()| lines)
    }
}

/// The same lines in a text that differs only in the numbers of its placeholders.
fn placed(text: &str, lines: &[MatchLine]) -> Vec<MatchLine> {
    let mut wanted = lines.iter().map(|found| found.line).peekable();
    content::lines(text)
        .enumerate()
        .filter(|(line, _)| wanted.next_if_eq(line).is_some())
        .map(|(line, range)| MatchLine { line, at: range.start })
        .collect()
}

/// The arguments that narrowed a search, for an answer without a match.
fn filters(request: &SearchRequest) -> Vec<String> {
    let narrowing = &request.narrowing;
    let mut filters = Vec::new();
    for (name, globs) in
        [("include_patterns", &narrowing.include_patterns), ("exclude_patterns", &narrowing.exclude_patterns)]
    {
        if !globs.is_empty() {
            filters.push(format!("{name}={}", globs.join(",")));
        }
    }
    if narrowing.tracked_only {
        filters.push("tracked_only=true".to_owned());
    }
    filters.extend(narrowing.git_scope.iter().map(|scope| format!("git_scope={scope}")));
    filters.extend(narrowing.max_file_bytes.map(|bytes| format!("max_file_bytes={bytes}")));
    filters.push(format!("ignore_case={}", request.ignore_case));
    // A pattern may hold the very secret that somebody looks for.
    filters.iter().map(|filter| redact::mask_name(filter).into_owned()).collect()
}

fn search_failure(stop: SearchStop) -> Failure {
    match stop {
        SearchStop::TooExpensive => faults::pattern_too_expensive().into(),
        SearchStop::Stopped(stop) => stop.into(),
    }
}

/// A watch with a deadline of its own.
struct Timed<'w> {
    watch: &'w dyn Watch,
    until: Instant,
}

impl<'w> Timed<'w> {
    fn new(watch: &'w dyn Watch, time: Duration) -> Self {
        let own = Instant::now() + time;
        Timed { watch, until: watch.deadline().map_or(own, |until| until.min(own)) }
    }
}

impl Watch for Timed<'_> {
    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }
    fn deadline(&self) -> Option<Instant> {
        Some(self.until)
    }
    fn step(&self, phase: Phase, done: u64, total: u64) {
        self.watch.step(phase, done, total);
    }
}
