//! Inputs that would drown a careless server: it stays alive, small, and says what it did not look at.

use serde_json::json;
use testkit::Tree;

use super::{payload, serve, shown, trailers};

/// Resident memory that no call may exceed, in bytes.
const MEMORY_BYTES_MAX: u64 = 256 * 1024 * 1024;

fn survives(session: &mut testkit::Session) {
    assert!(session.client().peak_bytes() < MEMORY_BYTES_MAX, "{} bytes", session.client().peak_bytes());
    assert!(!session.call("list_projects", json!({})).is_error());
}

#[test]
fn a_sparse_file_of_one_tebibyte_is_withheld() {
    let tree = Tree::new("a.txt: x");
    tree.sparse("huge.bin2", 1 << 40);
    let mut session = serve(&tree);
    assert!(payload(&session.call("pack_context", json!({ "format": "json" }))).contains("huge.bin2"));
    assert!(session.call("get_file", json!({ "path": "huge.bin2" })).is_error());
    survives(&mut session);
}

#[test]
fn a_line_of_sixty_four_mebibytes_is_withheld() {
    let tree = Tree::new("a.txt: x");
    tree.bytes("line.txt", &vec![b'a'; 64 * 1024 * 1024]);
    let mut session = serve(&tree);
    let found = session.call("search_project", json!({ "pattern": "a" }));
    assert!(
        trailers(&found)[0].starts_with("[Warning DPX-MCP-PAYLOAD-TRUNCATED] 1 "),
        "{:?}",
        trailers(&found)
    );
    survives(&mut session);
}

#[test]
fn a_line_of_sixty_four_mebibytes_on_the_wire_is_refused_and_the_next_is_served() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let mut line = br#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"x":""#.to_vec();
    line.resize(64 * 1024 * 1024, b'a');
    line.push(b'\n');
    session.client().send_bytes(&line);
    let frame = session.client().read_frame();
    assert_eq!((frame["error"]["code"].as_i64(), frame["id"].as_i64()), (Some(-32600), Some(77)));
    survives(&mut session);
}

#[test]
fn a_tree_twenty_thousand_levels_deep_is_cut_and_said() {
    let tree = Tree::new("a.txt: x");
    tree.deep("d", 20_000);
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({ "format": "text" }));
    assert!(payload(&answer).ends_with("a.txt"));
    assert!(
        trailers(&answer).iter().any(|line| line.contains("DPX-PROJECT-PARTIAL-ACCESS")),
        "{:?}",
        trailers(&answer)
    );
    survives(&mut session);
}

#[test]
fn an_ignore_file_of_twenty_five_megabytes_hides_its_folder() {
    let tree = Tree::new("sub/b.txt: x\na.txt: x");
    tree.file("sub/.gitignore", &"pattern-that-costs-memory\n".repeat(1_000_000));
    let mut session = serve(&tree);
    assert_eq!(shown(&mut session, json!({})), "└── a.txt");
    survives(&mut session);
}

#[test]
fn a_folder_of_two_hundred_thousand_entries_is_listed() {
    let tree = Tree::of_many("");
    let root = tree.root();
    for number in 0..200_000 {
        std::fs::File::create(root.join(format!("f{number}"))).expect("made");
    }
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({ "format": "text" }));
    assert_eq!(payload(&answer).lines().count(), 2_000);
    assert!(trailers(&answer)[0].contains("200001"), "{:?}", trailers(&answer));
    assert_eq!(session.call("analyze", json!({})).structured()["files"], json!(200_000));
    survives(&mut session);
}

#[test]
fn idle_memory_stays_under_forty_mebibytes() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    assert!(!session.list_tools().is_empty());
    let bytes = session.client().resident_bytes();
    assert!(bytes < 40 * 1024 * 1024, "{bytes}");
}
