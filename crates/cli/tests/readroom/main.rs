//! The built binary as its users meet it: the server over its pipes and the commands in a shell. Each test proves
//! that a capability is plugged in; its corner cases are proved where the capability lives.

#![expect(clippy::disallowed_methods, reason = "tests make and look at files and start the binary")]

mod agent;
mod arguments;
mod codes;
mod docs_server;
mod docs_server_changes;
mod docs_server_graph;
mod docs_server_lists;
mod docs_server_protocol;
mod docs_server_queries;
mod docs_server_text;
mod doctor;
mod documents;
mod documents_build;
mod documents_hostile;
mod documents_index;
mod documents_page;
mod documents_pins;
mod documents_state;
mod evidence;
mod extremes;
mod git;
mod jail;
mod limits;
mod output;
mod people;
mod proposals;
mod proposals_boundary;
mod proposals_story;
mod redaction;
mod remotes;
mod sandbox;
mod search;
mod selection;
mod setup;
mod start;
mod sweep;
mod terminal;
mod trap;

use std::path::Path;

use serde_json::{Value, json};
use testkit::{Answer, Client, Era, Session, Tree};

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_readroom");

/// A server on the project of `tree`, with further options.
fn serve_with(tree: &Tree, options: &[&str]) -> Session {
    let root = tree.root();
    let mut arguments = vec!["mcp", "--root", root.to_str().expect("the test's folder is UTF-8")];
    arguments.extend(options);
    let client = Client::start(Path::new(BINARY), &arguments, &tree.home());
    Session::open(client, Era::Legacy("2025-11-25"))
}

/// A server on the project of `tree`.
fn serve(tree: &Tree) -> Session {
    serve_with(tree, &[])
}

/// The payload between the markers of the first block.
fn payload(answer: &Answer) -> String {
    assert!(!answer.is_error(), "{}", answer.text());
    inside(answer.text()).unwrap_or_else(|| panic!("no markers: {}", answer.text())).to_owned()
}

fn inside(text: &str) -> Option<&str> {
    let open = text.find("<untrusted-data-")?;
    let id = text[open..].strip_prefix("<untrusted-data-")?.split('>').next()?;
    let from = open + text[open..].find('\n')? + 1;
    let close = format!("\n</untrusted-data-{id}>");
    let to = from + text[from - 1..].find(&close)?;
    Some(text.get(from..to.saturating_sub(1)).unwrap_or_default())
}

/// What stands after the last marker, line by line.
fn trailers(answer: &Answer) -> Vec<String> {
    let text = answer.text();
    let after = text.rfind("</untrusted-data-").map_or("", |at| &text[at..]);
    after.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The tree of a project as text, without its root line.
fn shown(session: &mut Session, arguments: Value) -> String {
    let mut arguments = arguments;
    arguments["format"] = json!("text");
    let text = payload(&session.call("get_tree", arguments));
    text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned())
}

/// A token of a provider's shape with its checksum, made here so that none stands in the sources.
fn github_token(seed: u64) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut state = seed;
    let body: String = (0..30)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(ALPHABET[(state >> 33) as usize % 62])
        })
        .collect();
    let mut crc = !0u32;
    for byte in body.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    let mut sum = !crc;
    let mut digits = [b'0'; 6];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[sum as usize % 62];
        sum /= 62;
    }
    format!("ghp_{body}{}", String::from_utf8_lossy(&digits))
}
