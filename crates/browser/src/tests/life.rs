//! How a view lives and ends: one token for one snapshot, and an old page that is told why it has none any more.

use std::time::Instant;

use super::*;
use crate::connection::Patience;
use crate::origin::{Origin, Staleness, Standing};
use crate::view::Timing;

const DATA: &str = "/api/v1/overview";

fn code(answer: &Answer) -> String {
    let body: Value = serde_json::from_str(&answer.body).expect("JSON");
    body["error"]["code"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn there_is_no_socket_before_the_first_page_and_none_after_the_handle() {
    let page = Page::new();
    assert!(!page.browser.is_running());
    let (port, token) = page.open();
    assert!(page.browser.is_running());
    assert_eq!(get(port, &token, DATA).status, 200);
    page.browser.close();
    assert!(!page.browser.is_running());
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    let (again, other) = page.open();
    assert_ne!(token, other);
    let Page { browser, .. } = page;
    drop(browser);
    assert!(TcpStream::connect(("127.0.0.1", again)).is_err());
}

#[test]
fn the_same_snapshot_keeps_its_token_and_the_focus_alone_differs() {
    let page = Page::new();
    let first = page.view(&Focus::Overview);
    assert_eq!((first.reused, first.expires_idle_minutes), (false, 30));
    let node = page.view(&Focus::Node("REQ-1 &\u{E4}".to_owned()));
    assert_eq!((node.reused, node.url), (true, format!("{}&node=REQ-1%20%26%C3%A4", first.url)));
    let query = page.view(&Focus::Query("a b".to_owned()));
    assert_eq!((query.reused, query.url), (true, format!("{}&q=a%20b", first.url)));
}

#[test]
fn v38_a_new_snapshot_gets_a_new_token_and_the_old_page_is_told() {
    let page = Page::new();
    let (port, old) = page.open();
    page.tree.file("docs/d.md", "---\nid: REQ-4\ntitle: New\n---\n");
    // Until somebody calls again, the page shows what it showed, and says that the sources moved on.
    std::thread::sleep(Duration::from_millis(1_100));
    let before = json(port, &old, DATA);
    assert_eq!(before["staleness"]["state"], "stale_sources");
    assert_eq!(before["staleness"]["changed"], serde_json::json!(["docs/d.md"]));
    assert_eq!(
        (before["counts"]["nodes"].as_u64(), before["staleness"]["changed_total"].as_u64()),
        (Some(4), Some(1))
    );
    let (same_port, new) = page.open();
    assert_eq!(port, same_port, "one listener");
    assert_ne!(old, new);
    let told = get(port, &old, DATA);
    assert_eq!((told.status, code(&told).as_str()), (409, "snapshot_replaced"));
    let after = json(port, &new, DATA);
    assert_eq!(
        (after["counts"]["nodes"].as_u64(), after["staleness"]["state"].as_str()),
        (Some(5), Some("fresh"))
    );
    assert_ne!(before["snapshot_id"], after["snapshot_id"]);
}

fn with_index() -> (Page, docs::Hash) {
    let page = Page::new();
    let bytes = docs::index_bytes(&page.snapshot()).expect("an index");
    let path = page.snapshot().contract().paths.index.clone();
    page.tree.bytes(&path, &bytes);
    (page, docs::Hash::of(&[&bytes]))
}

fn open_with(page: &Page, hash: docs::Hash) -> View {
    let origin = Box::new(ServiceOrigin::with_index(Arc::clone(&page.service), hash));
    page.browser.open(&page.snapshot(), &Focus::Overview, origin).expect("loopback is there")
}

#[test]
fn v38_an_index_that_is_replaced_altered_or_deleted_ends_the_view_for_good() {
    type Act = fn(&Tree, &str);
    let replaced: Act = |tree, path| {
        tree.file("copy", "").remove("copy");
        let bytes = std::fs::read(tree.path(path)).unwrap();
        tree.bytes("copy", &bytes);
        tree.rename("copy", path);
    };
    let altered: Act = |tree, path| {
        tree.append(path, b"x");
    };
    let deleted: Act = |tree, path| {
        tree.remove(path);
    };
    for (act, expected) in
        [(replaced, "snapshot_replaced"), (altered, "snapshot_altered"), (deleted, "snapshot_replaced")]
    {
        let (page, hash) = with_index();
        let view = open_with(&page, hash);
        let (port, old) = (port(&view), token(&view));
        let path = page.snapshot().contract().paths.index.clone();
        let bytes = std::fs::read(page.tree.path(&path)).unwrap();
        assert_eq!(get(port, &old, DATA).status, 200);
        act(&page.tree, &path);
        let told = get(port, &old, DATA);
        assert_eq!((told.status, code(&told).as_str()), (409, expected));
        // Even when the bytes are back.
        page.tree.bytes(&path, &bytes);
        assert_eq!(code(&get(port, &old, DATA)), expected);
        let again = open_with(&page, hash);
        assert!(!again.reused);
        assert_eq!(get(port, &token(&again), DATA).status, 200);
        assert_eq!(code(&get(port, &old, DATA)), "snapshot_replaced");
    }
}

#[test]
fn an_index_that_was_only_touched_is_still_what_it_was() {
    let (page, hash) = with_index();
    let view = open_with(&page, hash);
    let path = page.snapshot().contract().paths.index.clone();
    page.tree.mtime(&path, 1_000_000);
    assert_eq!(get(port(&view), &token(&view), DATA).status, 200);
    assert!(open_with(&page, hash).reused);
    // And an index that never was what it is said to be shows nothing.
    let other = open_with(&page, docs::Hash::of(&[b"other"]));
    assert_eq!(get(port(&other), &token(&other), DATA).status, 409);
}

#[test]
fn a_listener_closes_by_itself_when_nobody_asks() {
    let mut page = Page::new();
    let mut timing = Timing::of(Options::default());
    timing.idle = Duration::from_millis(50);
    timing.patience = Patience { look: Duration::from_millis(10), ..timing.patience };
    page.browser = Browser::timed(Options::default(), timing);
    let (port, _) = page.open();
    assert!(page.browser.wait(Duration::from_secs(60)));
    assert!(!page.browser.is_running() && TcpStream::connect(("127.0.0.1", port)).is_err());
    let view = page.view(&Focus::Overview);
    assert!(!view.reused, "the next page starts anew");
}

#[test]
fn idle_minutes_are_1_to_240() {
    for (asked, given) in [(0, 1), (1, 1), (240, 240), (9_999, 240)] {
        let timing = Timing::of(Options { idle_minutes: asked });
        assert_eq!(
            (timing.idle, timing.life),
            (Duration::from_secs(given * 60), Duration::from_secs(8 * 3600))
        );
    }
}

struct Slow;

impl Origin for Slow {
    fn standing(&self) -> Standing {
        std::thread::sleep(Duration::from_millis(1_500));
        Standing::Same
    }

    fn staleness(&self, _: &Snapshot) -> Staleness {
        Staleness {
            state: docs::Freshness::Unverified,
            checked: docs::Checked::Stat,
            changed: Vec::new(),
            changed_total: 0,
        }
    }
}

#[test]
fn the_end_does_not_wait_for_a_request_that_is_being_answered() {
    let page = Page::new();
    let view = page.browser.open(&page.snapshot(), &Focus::Overview, Box::new(Slow)).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port(&view))).unwrap();
    let head = format!(
        "GET {DATA} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        port(&view),
        token(&view)
    );
    stream.write_all(head.as_bytes()).unwrap();
    let started = Instant::now();
    page.browser.close();
    // Not an assertion about the machine's pace: the answer alone takes longer than this by a second.
    assert!(started.elapsed() < Duration::from_millis(1_400) || stream.take_error().is_ok());
}
