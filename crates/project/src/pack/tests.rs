//! What a pack says of itself, and how the store's faults reach a caller.

use super::*;

#[test]
fn a_project_named_after_its_user_is_named_by_the_placeholder() {
    assert_eq!(last_segment("/home/REDACTED[local-user#1]"), Some("REDACTED[local-user#1]"));
    assert_eq!(last_segment("/home/REDACTED[local-user#1]/demo"), Some("demo"));
    assert_eq!(last_segment("/"), None);
}

#[test]
fn pack_bytes_max_and_session_bytes_max_are_told_as_pack_too_large_with_a_way_out() {
    assert_eq!((limits::PACK_BYTES_MAX, limits::SESSION_BYTES_MAX), (200 << 20, 1 << 30));
    for (fault, size) in [(StoreFault::ItemQuota, "200 MiB"), (StoreFault::SessionQuota, "1 GiB")] {
        let Failure::Fault(fault) = store_failure(fault) else { panic!("the caller waits") };
        assert_eq!(fault.code, Code::PackTooLarge);
        for word in [size, "paths", "include_patterns", "detail=compact", "tracked_only"] {
            assert!(fault.to_string().contains(word), "{word} in {fault}");
        }
    }
    assert_eq!(store_failure(StoreFault::Closed), Failure::Cancelled);
}

#[test]
fn a_report_over_its_share_is_cut_at_a_line() {
    let line = "n".repeat(99);
    let report = vec![line; 100].join("\n");
    assert_eq!(report_share(None, limits::PAGE_CHARS_MAX), (None, false));
    let whole = report[..8_000].to_owned();
    assert_eq!(report_share(Some(whole.clone()), limits::PAGE_CHARS_MAX), (Some(whole), false));
    let (kept, is_cut) = report_share(Some(report[..8_001].to_owned()), limits::PAGE_CHARS_MAX);
    assert_eq!((kept.map(|kept| kept.len()), is_cut), (Some(7_999), true));
    let (kept, is_cut) = report_share(Some(report), limits::PAGE_CHARS_MIN);
    assert_eq!((kept.map(|kept| kept.len()), is_cut), (Some(599), true));
}
