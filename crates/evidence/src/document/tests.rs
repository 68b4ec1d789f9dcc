//! The bytes of answers.

use super::*;
use crate::ledger::Skip;
use fault::{Code, Text};

#[test]
fn a_search_is_written_in_order_and_compact() {
    let mut skipped = Skipped::default();
    for skip in [Skip::Name, Skip::TooLarge, Skip::Link, Skip::Changed, Skip::TooLarge] {
        skipped.count(skip);
    }
    let hit = Hit {
        path: "a\u{202E}\"b".to_owned(),
        line: 3,
        score: 2,
        snippet: "\tx\u{7F}".to_owned(),
        clipped: true,
        redacted: 1,
    };
    let answer = Search {
        hits: vec![hit.clone(), Hit { redacted: 0, ..hit }],
        reasons: vec![Reason::EntryLimit, Reason::FilesSkipped],
        searched_files: 4,
        searched_bytes: 5,
        skipped,
        candidates: 6,
    };
    let row = r#"{"path":"a\u202e\"b","line":3,"score":2,"snippet":"\tx\u007f","clipped":true"#;
    assert_eq!(
        search(&answer),
        format!(
            r#"{{"hits":[{row},"redacted":1}},{row}}}],"incomplete":true,"reasons":["entry_limit","files_skipped"],"searched":{{"files":4,"bytes":5}},"skipped":{{"tooLarge":2,"changed":1,"link":1,"name":1}},"candidates":6}}"#
        )
    );
}

#[test]
fn what_is_reserved_around_a_page_is_enough_for_the_widest() {
    let page_of = |total_lines, next_line| Page {
        path: "a\u{1}".to_owned(),
        lines: Vec::new(),
        total_lines,
        next_line,
    };
    let widest = crate::limits::FILE_BYTES_MAX;
    for (total, next) in [(0, None), (widest, None), (widest, Some(widest))] {
        let written = page_of(total, next);
        assert!(page(&written).len() <= around_page(&written), "{total}");
    }
}

#[test]
fn an_error_is_one_object_and_holds_no_secret() {
    let said = Text::new("no '").argument(&crate::trial::token(1)).and("'");
    assert_eq!(
        error(&Fault::new(Code::EvdBusy, said)),
        r#"{"error":{"code":"EVD-BUSY","message":"no 'REDACTED[github-pat#1]'","retryable":true}}"#
    );
}
