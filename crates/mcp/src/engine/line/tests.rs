//! Lines at, below and over the cap, in pieces of any size.

use super::*;
use proptest::prelude::*;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::ReadBuf;

/// Gives its bytes in pieces of the given sizes, over and over.
struct Pieces<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
    at: usize,
}

impl AsyncRead for Pieces<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let size = self.sizes[self.at % self.sizes.len()].min(buffer.remaining()).min(self.bytes.len());
        self.at += 1;
        let (piece, rest) = self.bytes.split_at(size);
        self.bytes = rest;
        buffer.put_slice(piece);
        Poll::Ready(Ok(()))
    }
}

fn cut(bytes: &[u8], sizes: Vec<usize>, line_bytes_max: usize) -> Vec<Line> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
    runtime.block_on(async {
        let mut lines = Lines::new(Pieces { bytes, sizes, at: 0 }, line_bytes_max);
        let mut out = Vec::new();
        while let Some(line) = lines.next().await {
            out.push(line);
        }
        out
    })
}

fn whole(text: &str) -> Line {
    Line::Whole(text.as_bytes().to_vec())
}

#[test]
fn a_last_line_without_a_line_feed_counts() {
    assert_eq!(cut(b"a\nb", vec![64], 9), [whole("a"), whole("b")]);
    assert_eq!(cut(b"a\nb\n", vec![64], 9), [whole("a"), whole("b")]);
    assert_eq!(cut(b"", vec![64], 9), []);
    assert_eq!(cut(b"\n", vec![64], 9), [whole("")]);
}

#[test]
fn one_byte_at_a_time_gives_the_same_lines() {
    assert_eq!(
        cut(b"one\r\ntwo\n\nthree", vec![1], 9),
        [whole("one\r"), whole("two"), whole(""), whole("three")]
    );
}

#[test]
fn the_cap_is_the_last_length_that_is_kept() {
    for (length, fits) in [(99, true), (100, true), (101, false)] {
        let mut text = vec![b'x'; length];
        text.extend_from_slice(b"\nnext\n");
        let lines = cut(&text, vec![7], 100);
        assert_eq!(matches!(lines[0], Line::Whole(_)), fits, "{length}");
        assert_eq!(lines[1], whole("next"));
    }
}

#[test]
fn of_a_line_over_the_cap_only_the_head_is_kept() {
    let mut text = vec![b'x'; 64 * 1024 * 1024];
    text.extend_from_slice(b"\nnext\n");
    let lines = cut(&text, vec![usize::MAX], 4 * 1024 * 1024);
    let Line::TooLong(head) = &lines[0] else { panic!("the line was kept") };
    assert_eq!(head.len(), HEAD_BYTES);
    assert!(head.capacity() <= 2 * HEAD_BYTES, "{}", head.capacity());
    assert_eq!(lines[1..], [whole("next")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn lines_do_not_depend_on_how_the_bytes_arrive(
        bytes in prop::collection::vec(prop_oneof![3 => Just(b'\n'), 20 => any::<u8>()], 0..600),
        sizes in prop::collection::vec(1usize..40, 1..6),
        cap in 1usize..60,
    ) {
        let expected: Vec<Line> = {
            let mut pieces: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            if pieces.last().is_some_and(|last| last.is_empty()) {
                pieces.pop();
            }
            pieces.iter().map(|piece| if piece.len() > cap {
                Line::TooLong(piece[..piece.len().min(HEAD_BYTES)].to_vec())
            } else {
                Line::Whole(piece.to_vec())
            }).collect()
        };
        prop_assert_eq!(cut(&bytes, sizes, cap), expected);
    }
}
