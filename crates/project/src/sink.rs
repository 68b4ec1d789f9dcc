//! Where a document is written to: a string, or a counted pipe that moves from memory to the caller's own
//! writer when the document grows past the inline limit, so that a long one is never held twice
//! (spec `project.md` 5.7, 5.8). It does not know what is written, nor where the other writer leads.

use std::io;

/// A receiver of document text.
pub trait Sink {
    /// Takes the next piece.
    ///
    /// # Errors
    /// What the writer behind it reports; the document is then worthless.
    fn put(&mut self, text: &str) -> io::Result<()>;
}

impl Sink for String {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.push_str(text);
        Ok(())
    }
}

/// Lines between two entries of a [`LineIndex`].
pub const INDEX_STEP_LINES: u64 = 256;

/// What was written, as `read_pack` counts it, and where each 256th line begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    offsets: Vec<u64>,
    line_ends: u64,
    bytes: u64,
    chars: u64,
}

impl LineIndex {
    /// The index of a whole text.
    pub fn of(text: &str) -> LineIndex {
        let mut index = LineIndex::default();
        index.add(text);
        index
    }

    /// Bytes of UTF-8.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Unicode scalars.
    pub fn chars(&self) -> u64 {
        self.chars
    }

    /// Lines: line ends + 1, and 0 for an empty text (5.8).
    pub fn lines(&self) -> u64 {
        if self.bytes == 0 { 0 } else { self.line_ends + 1 }
    }

    /// The nearest known line (from 0) at or before `line`, and the byte at which it begins.
    pub fn before(&self, line: u64) -> (u64, u64) {
        let step = (line / INDEX_STEP_LINES).min(self.offsets.len() as u64);
        match step.checked_sub(1).and_then(|at| self.offsets.get(usize::try_from(at).ok()?)) {
            Some(offset) => (step * INDEX_STEP_LINES, *offset),
            None => (0, 0),
        }
    }

    fn add(&mut self, text: &str) {
        const BLOCK_BYTES: usize = 1024;
        self.chars += text.chars().count() as u64;
        for block in text.as_bytes().chunks(BLOCK_BYTES) {
            let ends = memchr::memchr_iter(b'\n', block).count() as u64;
            let to_next = INDEX_STEP_LINES - self.line_ends % INDEX_STEP_LINES;
            if ends >= to_next {
                for (seen, at) in (self.line_ends + 1..).zip(memchr::memchr_iter(b'\n', block)) {
                    if seen % INDEX_STEP_LINES == 0 {
                        self.offsets.push(self.bytes + at as u64 + 1);
                    }
                }
            }
            self.line_ends += ends;
            self.bytes += block.len() as u64;
        }
    }
}

/// Where a finished document is.
#[derive(Debug, PartialEq, Eq)]
pub enum Settled<W> {
    /// In memory: it and its budget report fit the inline limit.
    Inline(String),
    /// Written completely to the writer that the caller opened.
    Spilled(W),
}

/// A sink that counts, and that holds at most `inline_chars` characters before it asks for a writer.
#[derive(Debug)]
pub struct CountedSink<W, F> {
    held: String,
    inline_chars: u64,
    open: Option<F>,
    spill: Option<W>,
    index: LineIndex,
}

/// Bytes gathered before the writer is called.
const WRITE_BYTES: usize = 64 * 1024;

impl<W: io::Write, F: FnOnce() -> io::Result<W>> CountedSink<W, F> {
    /// A sink that calls `open` once, and only when the text passes `inline_chars` characters.
    pub fn new(inline_chars: u64, open: F) -> Self {
        CountedSink {
            held: String::new(),
            inline_chars,
            open: Some(open),
            spill: None,
            index: LineIndex::default(),
        }
    }

    /// What was written so far.
    pub fn index(&self) -> &LineIndex {
        &self.index
    }

    /// Ends the document. `report_chars` is the length of the budget report, which shares the inline limit:
    /// a document that fits alone but not together with it goes to the writer now.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn settle(mut self, report_chars: u64) -> io::Result<(Settled<W>, LineIndex)> {
        if self.spill.is_none() {
            if self.index.chars.saturating_add(report_chars) <= self.inline_chars {
                return Ok((Settled::Inline(self.held), self.index));
            }
            self.start_spill()?;
        }
        self.flush_held()?;
        match self.spill {
            Some(mut spill) => {
                spill.flush()?;
                Ok((Settled::Spilled(spill), self.index))
            }
            None => Err(io::Error::other("no writer was opened")),
        }
    }

    fn start_spill(&mut self) -> io::Result<()> {
        if let Some(open) = self.open.take() {
            self.spill = Some(open()?);
        }
        Ok(())
    }

    fn flush_held(&mut self) -> io::Result<()> {
        if let Some(spill) = &mut self.spill {
            spill.write_all(self.held.as_bytes())?;
            self.held.clear();
        }
        Ok(())
    }
}

impl<W: io::Write, F: FnOnce() -> io::Result<W>> Sink for CountedSink<W, F> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.index.add(text);
        if self.spill.is_none() && self.index.chars > self.inline_chars {
            self.start_spill()?;
        }
        if let Some(spill) = &mut self.spill
            && self.held.len() + text.len() > WRITE_BYTES
        {
            spill.write_all(self.held.as_bytes())?;
            self.held.clear();
            if text.len() > WRITE_BYTES {
                return spill.write_all(text.as_bytes());
            }
        }
        self.held.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
