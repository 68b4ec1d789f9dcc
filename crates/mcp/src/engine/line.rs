//! Cuts a byte stream into lines of bounded length. It does not know what a line says.

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How much of a line that is thrown away is kept to look for its id.
pub(crate) const HEAD_BYTES: usize = 4 * 1024;

const CHUNK_BYTES: usize = 64 * 1024;

/// One line without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The whole line.
    Whole(Vec<u8>),
    /// The first [`HEAD_BYTES`] of a line over the cap; the rest was never kept.
    TooLong(Vec<u8>),
}

/// The lines of `input`, none longer than `line_bytes_max`.
pub(crate) struct Lines<R> {
    input: R,
    line_bytes_max: usize,
    chunk: Box<[u8]>,
    start: usize,
    end: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(input: R, line_bytes_max: usize) -> Self {
        Lines { input, line_bytes_max, chunk: vec![0; CHUNK_BYTES].into_boxed_slice(), start: 0, end: 0 }
    }

    /// The next line; `None` at the end of input, which a read error also is. A last line without a line feed
    /// counts as a line.
    pub(crate) async fn next(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        let mut too_long = false;
        let mut seen = false;
        loop {
            if self.start == self.end {
                self.start = 0;
                self.end = self.input.read(&mut self.chunk).await.unwrap_or(0);
                if self.end == 0 {
                    return seen.then(|| finish(line, too_long));
                }
            }
            seen = true;
            let rest = &self.chunk[self.start..self.end];
            let found = memchr::memchr(b'\n', rest);
            let part = &rest[..found.unwrap_or(rest.len())];
            if too_long || line.len() + part.len() > self.line_bytes_max {
                if line.len() < HEAD_BYTES {
                    line.extend_from_slice(&part[..part.len().min(HEAD_BYTES - line.len())]);
                }
                line.truncate(HEAD_BYTES);
                line.shrink_to_fit();
                too_long = true;
            } else {
                line.extend_from_slice(part);
            }
            match found {
                Some(at) => {
                    self.start += at + 1;
                    return Some(finish(line, too_long));
                }
                None => self.start = self.end,
            }
        }
    }
}

fn finish(line: Vec<u8>, too_long: bool) -> Line {
    if too_long { Line::TooLong(line) } else { Line::Whole(line) }
}

#[cfg(test)]
mod tests;
