//! Pages of texts and of stored texts, at, below and above their limits.

use std::io::Cursor;

use proptest::prelude::*;

use super::*;

const LIMITS: PageLimits = PageLimits { max_lines: 1_000, max_chars: 50_000 };

fn range(start: u64, end: u64) -> LineRange {
    LineRange { start_line: Some(start), end_line: Some(end) }
}

fn from(start: u64) -> LineRange {
    LineRange { start_line: Some(start), end_line: None }
}

/// The page of a text, which must be the same when the text is stored.
fn page(text: &str, range: LineRange, limits: PageLimits) -> Result<Page, String> {
    let paged = of_text(text, range, limits).map_err(|fault| fault.to_string());
    let stored = of_stored(&mut Cursor::new(text), &LineIndex::of(text), range, limits);
    if !text.contains('\r') {
        assert_eq!(stored.map_err(|fault| fault.to_string()), paged);
    }
    paged
}

fn shown(text: &str, range: LineRange) -> (String, Vec<String>) {
    let page = page(text, range, LIMITS).unwrap();
    (page.text, page.trailers)
}

fn lines(count: usize) -> String {
    (1..=count).map(|line| line.to_string()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_text_has_no_trailer() {
    assert_eq!(shown("a\nb", LineRange::default()), ("a\nb".to_owned(), vec![]));
    assert_eq!(shown("a\nb", range(1, 2)), ("a\nb".to_owned(), vec![]));
    assert_eq!(shown("a\nb", from(2)), ("b".to_owned(), vec![]));
}

#[test]
fn lf_and_crlf_end_a_line_and_a_lone_cr_does_not() {
    assert_eq!(shown("a\r\nb\rc\nd\r\n", LineRange::default()).0, "a\nb\rc\nd\n");
    assert_eq!(shown("a\r\nb\rc\nd\r\n", range(2, 2)).0, "b\rc");
    assert_eq!(
        page("a\r\nb\rc\nd\r\n", from(5), LIMITS).unwrap_err(),
        "DPX-MCP-INVALID-RANGE: start_line 5 is past the last line; the valid interval is 1-4"
    );
}

#[test]
fn a_final_line_end_opens_an_empty_last_line() {
    assert_eq!(shown("a\n", LineRange::default()), ("a\n".to_owned(), vec![]));
    assert_eq!(shown("a\n", from(2)), (String::new(), vec![]));
    assert_eq!(shown("a\n", range(1, 1)).1, ["[Showing lines 1-1 of 2; next start_line=2]"]);
    assert_eq!(shown("\n\n", range(2, 3)), ("\n".to_owned(), vec![]));
}

#[test]
fn more_lines_give_a_trailer_with_the_next_start_line() {
    let (text, trailers) = shown(&lines(30), range(5, 9));
    assert_eq!(text, "5\n6\n7\n8\n9");
    assert_eq!(trailers, ["[Showing lines 5-9 of 30; next start_line=10]"]);
}

#[test]
fn a_page_has_at_most_a_thousand_lines() {
    assert_eq!(shown(&lines(999), LineRange::default()).1, Vec::<String>::new());
    assert_eq!(shown(&lines(1_000), LineRange::default()).1, Vec::<String>::new());
    let (text, trailers) = shown(&lines(1_001), LineRange::default());
    assert_eq!(text, lines(1_000));
    assert_eq!(trailers, ["[Showing lines 1-1000 of 1001; next start_line=1001]"]);
    assert_eq!(
        shown(&lines(3_000), range(500, 2_500)).1,
        ["[Showing lines 500-1499 of 3000; next start_line=1500]"]
    );
}

#[test]
fn a_page_has_at_most_fifty_thousand_characters() {
    // Two lines and the line end between them, one below, at and above the limit, in characters.
    for (second, fits) in [(24_998, true), (24_999, true), (25_000, false)] {
        let text = format!("{}\n{}", "é".repeat(25_000), "😀".repeat(second));
        let (shown, trailers) = shown(&text, LineRange::default());
        assert_eq!(shown.chars().count(), if fits { 25_001 + second } else { 25_000 });
        assert_eq!(trailers.is_empty(), fits);
        if !fits {
            assert_eq!(trailers, ["[Showing lines 1-1 of 2; next start_line=2]"]);
        }
    }
}

#[test]
fn a_single_line_longer_than_a_page_is_cut_and_two_trailers_say_so() {
    let exact = "é".repeat(50_000);
    assert_eq!(shown(&exact, LineRange::default()), (exact.clone(), vec![]));
    let (text, trailers) = shown(&"é".repeat(100_000), LineRange::default());
    assert_eq!(text, exact);
    assert_eq!(
        trailers,
        [
            "[Showing lines 1-1 of 1]",
            "[Line 1 is longer than one page: only its first 50000 characters are shown]"
        ]
    );
    let (text, trailers) = shown(&format!("a\n{}\nb", "x".repeat(50_001)), from(2));
    assert_eq!(text.len(), 50_000);
    assert_eq!(
        trailers,
        [
            "[Showing lines 2-2 of 3; next start_line=3]",
            "[Line 2 is longer than one page: only its first 50000 characters are shown]"
        ]
    );
}

#[test]
fn an_overlong_line_after_the_first_waits_for_the_next_page() {
    let text = format!("a\n{}", "x".repeat(60_000));
    assert_eq!(
        shown(&text, LineRange::default()),
        ("a".to_owned(), vec!["[Showing lines 1-1 of 2; next start_line=2]".to_owned()])
    );
}

#[test]
fn a_cut_line_ends_before_a_placeholder_that_would_be_split() {
    let placeholder = "REDACTED[private-key#1]";
    let text = format!("{}{placeholder}{}", "x".repeat(49_990), "y".repeat(9));
    let (page, trailers) = shown(&text, LineRange::default());
    assert_eq!(page, "x".repeat(49_990));
    assert_eq!(trailers[1], "[Line 1 is longer than one page: only its first 49990 characters are shown]");
}

#[test]
fn an_end_past_the_last_line_is_clamped_and_said() {
    assert_eq!(shown("a\nb\nc", range(2, 3)).1, Vec::<String>::new());
    assert_eq!(
        shown("a\nb\nc", range(2, 4)),
        ("b\nc".to_owned(), vec!["[Showing lines 2-3 of 3; end_line 4 is past the last line]".to_owned()])
    );
    assert_eq!(
        shown(&lines(2_000), range(1, u64::MAX)).1,
        [
            "[Showing lines 1-1000 of 2000; end_line 18446744073709551615 is past the last line; next start_line=1001]"
        ]
    );
}

#[test]
fn a_range_outside_the_text_names_the_valid_interval() {
    let fault =
        |start, end| page("a\nb\nc", LineRange { start_line: start, end_line: end }, LIMITS).unwrap_err();
    assert_eq!(
        fault(Some(4), None),
        "DPX-MCP-INVALID-RANGE: start_line 4 is past the last line; the valid interval is 1-3"
    );
    assert_eq!(
        fault(Some(3), Some(2)),
        "DPX-MCP-INVALID-RANGE: end_line 2 is before start_line 3; the valid interval is 1-3"
    );
    assert_eq!(
        fault(Some(0), None),
        "DPX-MCP-INVALID-RANGE: lines are numbered from 1; the valid interval is 1-3"
    );
    assert_eq!(
        fault(None, Some(0)),
        "DPX-MCP-INVALID-RANGE: lines are numbered from 1; the valid interval is 1-3"
    );
    assert!(fault(Some(u64::MAX), Some(u64::MAX)).contains("1-3"));
}

#[test]
fn an_empty_text_is_an_empty_page_unless_a_range_is_given() {
    assert_eq!(shown("", LineRange::default()), (String::new(), vec![]));
    for range in [from(1), range(1, 1), LineRange { start_line: None, end_line: Some(1) }] {
        assert_eq!(
            page("", range, LIMITS).unwrap_err(),
            "DPX-MCP-INVALID-RANGE: the text is empty and has no lines; omit start_line and end_line"
        );
    }
}

#[test]
fn a_stored_page_reads_little_of_a_long_text() {
    struct Counting<'t>(Cursor<&'t str>, usize);
    impl Read for Counting<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let count = self.0.read(buf)?;
            self.1 += count;
            Ok(count)
        }
    }
    impl Seek for Counting<'_> {
        fn seek(&mut self, pos: SeekFrom) -> io::Result<u64> {
            self.0.seek(pos)
        }
    }
    let text = "0123456789abcdef0123456789abcde\n".repeat(200_000);
    let index = LineIndex::of(&text);
    let mut reader = Counting(Cursor::new(&text), 0);
    let page = of_stored(&mut reader, &index, from(150_100), LIMITS).unwrap();
    assert_eq!(page, of_text(&text, from(150_100), LIMITS).unwrap());
    assert!(reader.1 < 512 * 1024, "{} bytes read", reader.1);
}

#[test]
fn a_stored_text_that_is_damaged_is_unreadable_and_not_guessed() {
    let text = "é\n".repeat(1_000);
    let index = LineIndex::of(&text);
    let shorter = &text.as_bytes()[..text.len() - 300];
    for asked in [LineRange::default(), from(999)] {
        let fault = of_stored(&mut Cursor::new(shorter), &index, asked, LIMITS).unwrap_err();
        assert!(matches!(fault, PageFault::Unreadable(_)), "{fault}");
    }
    let mut bytes = text.clone().into_bytes();
    bytes[0] = 0xFF;
    let fault = of_stored(&mut Cursor::new(bytes), &index, LineRange::default(), LIMITS).unwrap_err();
    assert!(matches!(fault, PageFault::Unreadable(_)));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pages_concatenate_to_the_whole(
        text in "([aé😀]{0,12}\n){0,40}[b]{0,12}",
        max_lines in 1_usize..9,
        max_chars in 13_usize..40,
    ) {
        let limits = PageLimits { max_lines, max_chars };
        let total = content::count_lines(&text) as u64;
        let (mut start, mut pages) = (1, Vec::new());
        while start <= total {
            let found = page(&text, from(start), limits).unwrap();
            prop_assert!(found.text.chars().count() <= max_chars);
            let shown = memchr::memchr_iter(b'\n', found.text.as_bytes()).count() as u64 + 1;
            prop_assert!(shown <= max_lines as u64);
            start += shown;
            let next = (start <= total).then(|| format!("next start_line={start}]"));
            prop_assert_eq!(found.trailers.len(), usize::from(next.is_some()));
            prop_assert!(next.is_none_or(|next| found.trailers[0].ends_with(&next)));
            pages.push(found.text);
        }
        prop_assert_eq!(pages.join("\n"), text);
    }

    #[test]
    fn a_stored_page_is_the_page_of_the_text(
        lines in prop::collection::vec("[aé😀]{0,9}\r?", 0..700),
        start in 1_u64..700,
        length in 0_u64..50,
    ) {
        let text = lines.join("\n");
        let asked = LineRange { start_line: Some(start), end_line: Some(start + length) };
        let limits = PageLimits { max_lines: 20, max_chars: 64 };
        let whole = of_text(&text, asked, limits).map_err(|fault| fault.to_string());
        let stored = of_stored(&mut Cursor::new(&text), &LineIndex::of(&text), asked, limits);
        prop_assert_eq!(stored.map_err(|fault| fault.to_string()), whole);
    }
}
