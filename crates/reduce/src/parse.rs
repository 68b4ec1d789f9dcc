//! Parsing that ends: within a deadline, within an amount of work, and when nobody waits any more.
//!
//! Knows no language. The work is counted in the parser's own steps and reads, so that the same text gets the same
//! answer on a busy machine; the clock is only the net below.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Instant;

use fault::{Stop, Watch};
use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

use crate::limits;

/// Where the time of one file ends.
pub(crate) struct Budget<'a> {
    until: Instant,
    until_with_error: Instant,
    watch: &'a dyn Watch,
}

impl<'a> Budget<'a> {
    /// The time that a file has from now on.
    pub(crate) fn from_now(watch: &'a dyn Watch) -> Budget<'a> {
        let now = Instant::now();
        Budget { until: now + limits::TIME, until_with_error: now + limits::TIME_WITH_ERROR, watch }
    }
}

#[cfg(test)]
impl<'a> Budget<'a> {
    /// All the time that a test may need.
    pub(crate) fn endless(watch: &'a dyn Watch) -> Budget<'a> {
        let until = Instant::now() + std::time::Duration::from_secs(3_600);
        Budget { until, until_with_error: until, watch }
    }

    /// No time at all.
    pub(crate) fn over(watch: &'a dyn Watch) -> Budget<'a> {
        let until = Instant::now();
        Budget { until, until_with_error: until, watch }
    }
}

/// A parser of one language.
pub(crate) struct Reader {
    parser: Parser,
}

impl Reader {
    /// None when the grammar and the core do not fit each other.
    pub(crate) fn new(language: &Language) -> Option<Reader> {
        let mut parser = Parser::new();
        parser.set_language(language).ok()?;
        Some(Reader { parser })
    }

    /// The tree of `text`, whatever it costs.
    pub(crate) fn parse_all(&mut self, text: &str) -> Option<Tree> {
        self.parser.parse(text, None)
    }

    /// The tree of `text`, or none when the budget is spent.
    ///
    /// # Errors
    /// The [`Stop`] that the watch reported.
    pub(crate) fn parse(&mut self, text: &str, budget: &Budget) -> Result<Option<Tree>, Stop> {
        let bytes = text.as_bytes();
        let mut stop = None;
        let spent = Cell::new(false);
        let mut reads = limits::reads(bytes.len());
        let mut asks = limits::asks(bytes.len());
        let mut read = |at: usize, _| {
            reads = reads.saturating_sub(1);
            if spent.get() || reads == 0 || Instant::now() >= budget.until {
                // The text ends here for the parser, which then soon asks whether to go on.
                spent.set(true);
                return &[][..];
            }
            let end = bytes.len().min(at.saturating_add(limits::READ_BYTES));
            bytes.get(at..end).unwrap_or_default()
        };
        let mut ask = |state: &ParseState| {
            if let Err(reported) = budget.watch.check() {
                stop = Some(reported);
                return ControlFlow::Break(());
            }
            asks = asks.saturating_sub(1);
            let until = if state.has_error() { budget.until_with_error } else { budget.until };
            if spent.get() || asks == 0 || Instant::now() >= until {
                spent.set(true);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let options = ParseOptions::new().progress_callback(&mut ask);
        let tree = self.parser.parse_with_options(&mut read, None, Some(options));
        // An interrupted parser would go on with the text it was interrupted in.
        self.parser.reset();
        match stop {
            Some(stop) => Err(stop),
            None => Ok(tree.filter(|_| !spent.get())),
        }
    }
}
