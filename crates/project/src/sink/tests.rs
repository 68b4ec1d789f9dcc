//! Counting, the inline limit and the line index.

use std::cell::Cell;

use super::*;

/// A writer that knows how often it was called and what it holds.
#[derive(Debug, Default)]
struct Spy {
    bytes: Vec<u8>,
    largest_write_bytes: usize,
    fails: bool,
}

impl io::Write for Spy {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.fails {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.largest_write_bytes = self.largest_write_bytes.max(buf.len());
        self.bytes.extend_from_slice(buf);
        Ok(buf.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn settled(pieces: &[&str], inline_chars: u64, report_chars: u64) -> (Settled<Vec<u8>>, LineIndex) {
    let mut sink = CountedSink::new(inline_chars, || Ok(Vec::new()));
    for piece in pieces {
        sink.put(piece).unwrap();
    }
    sink.settle(report_chars).unwrap()
}

fn inline(text: &str) -> Settled<Vec<u8>> {
    Settled::Inline(text.to_owned())
}

fn spilled(text: &str) -> Settled<Vec<u8>> {
    Settled::Spilled(text.as_bytes().to_vec())
}

#[test]
fn a_document_at_the_limit_is_inline_and_one_more_character_is_not() {
    assert_eq!(settled(&["éééé", "😀"], 5, 0).0, inline("éééé😀"));
    assert_eq!(settled(&["éééé", "😀", "a"], 5, 0).0, spilled("éééé😀a"));
    assert_eq!(settled(&["éééé😀a"], 5, 0).0, spilled("éééé😀a"));
    let document = "x".repeat(50_000);
    assert_eq!(settled(&[&document], 50_000, 0).0, inline(&document));
    assert_eq!(settled(&[&document, "\n"], 50_000, 0).0, spilled(&format!("{document}\n")));
}

#[test]
fn the_report_shares_the_inline_limit() {
    let document = "x".repeat(49_900);
    assert_eq!(settled(&[&document], 50_000, 100).0, inline(&document));
    assert_eq!(settled(&[&document], 50_000, 101).0, spilled(&document));
    assert_eq!(settled(&[&document], 50_000, 300).0, spilled(&document));
    assert_eq!(settled(&[&document], 50_000, u64::MAX).0, spilled(&document));
}

#[test]
fn nothing_is_opened_for_an_inline_document_and_once_for_a_long_one() {
    let opened = Cell::new(0);
    let open = || {
        opened.set(opened.get() + 1);
        Ok(Vec::new())
    };
    let mut sink = CountedSink::new(3, open);
    sink.put("abc").unwrap();
    assert_eq!(opened.get(), 0);
    sink.put("d").unwrap();
    sink.put("e").unwrap();
    assert_eq!(opened.get(), 1);
    assert_eq!(sink.settle(0).unwrap().0, spilled("abcde"));
    assert_eq!(opened.get(), 1);
}

#[test]
fn a_long_document_is_not_held() {
    let mut sink = CountedSink::new(50_000, || Ok(Spy::default()));
    let line = "0123456789abcde\n".repeat(1_000);
    for _ in 0..500 {
        sink.put(&line).unwrap();
        assert!(sink.held.capacity() <= 50_000 + 2 * WRITE_BYTES);
    }
    let (Settled::Spilled(spy), index) = sink.settle(0).unwrap() else { panic!("spilled") };
    assert_eq!(spy.bytes.len(), 8_000_000);
    assert_eq!((index.bytes(), index.chars(), index.lines()), (8_000_000, 8_000_000, 500_001));
    assert!(spy.largest_write_bytes <= 50_000 + WRITE_BYTES);
}

#[test]
fn a_failing_writer_ends_the_document() {
    let mut sink = CountedSink::new(1, || Ok(Spy { fails: true, ..Spy::default() }));
    sink.put("ab").unwrap();
    let fault = sink.settle(0).unwrap_err();
    assert_eq!(fault.kind(), io::ErrorKind::StorageFull);
    let mut sink = CountedSink::new(1, || Err::<Spy, _>(io::ErrorKind::PermissionDenied.into()));
    assert_eq!(sink.put("ab").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
}

#[test]
fn lines_are_line_ends_and_one_and_none_for_an_empty_text() {
    for (text, lines) in [("", 0), ("a", 1), ("a\n", 2), ("\n", 2), ("a\r\nb", 2), ("a\rb", 1)] {
        assert_eq!(LineIndex::of(text).lines(), lines, "{text:?}");
        assert_eq!(settled(&[text], 100, 0).1.lines(), lines, "{text:?}");
    }
}

#[test]
fn each_256th_line_has_its_offset_however_the_text_came() {
    let text: String = (0..5_000).map(|line| format!("{line}{}\n", "é".repeat(line % 97))).collect();
    let whole = LineIndex::of(&text);
    for step in [1, 7, 8_191, 8_192, 8_193, 100_000] {
        let mut index = LineIndex::default();
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(step));
            index.add(piece);
            rest = after;
        }
        assert_eq!(index, whole, "pieces of {step}");
    }
    let starts: Vec<usize> =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
    for line in [0, 1, 255, 256, 257, 511, 512, 4_863, 4_864, 4_999, 5_000] {
        let (known, offset) = whole.before(line);
        assert_eq!(known, line / INDEX_STEP_LINES * INDEX_STEP_LINES);
        assert_eq!(offset, starts[usize::try_from(known).unwrap()] as u64, "line {line}");
    }
    assert_eq!(whole.before(1_000_000).0, 4_864);
}
