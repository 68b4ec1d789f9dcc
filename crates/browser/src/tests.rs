//! The browser over its socket, byte by byte: who is let in, what is answered, and how a view ends.

mod data;
mod gate;
mod life;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use docs::{ProjectRoot, ProjectService, Snapshot};
use fault::Unwatched;
use serde_json::Value;
use testkit::Tree;

use crate::{Browser, Focus, Options, ServiceOrigin, View};

/// A text of the project that no answer to a stranger may hold.
const CANARY: &str = "canary-7c1f";

const MANIFEST: &str = r#"schema = "docforge/1"
[project]
id = "shown"
title = "Shown canary-7c1f"
[types.req]
title = "Requirement"
[types.req.fields.status]
type = "enum"
values = ["draft", "approved"]
[types.test]
[relations.refines]
from = ["req"]
to = ["req"]
inverse = "refined-by"
acyclic = true
[relations.verifies]
from = ["test"]
to = ["req"]
inverse = "verified-by"
[relations.see]
from = ["*"]
to = ["*"]
inverse = "seen-from"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
type = "req"
"#;

/// A project with a browser on it.
struct Page {
    tree: Tree,
    service: Arc<ProjectService>,
    browser: Browser,
}

/// An answer, taken apart.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Page {
    fn new() -> Page {
        let tree = Tree::new("");
        tree.file("docforge.toml", MANIFEST);
        tree.file(
            "docs/a.md",
            "---\nid: REQ-1\ntitle: First canary-7c1f\nstatus: draft\n---\nThe first requirement canary-7c1f.\n",
        );
        tree.file("docs/b.md", "---\nid: REQ-2\ntitle: Second\nrefines: [REQ-1]\n---\nBody two.\n");
        tree.file("docs/c.md", "---\nid: REQ-3\ntitle: Third\nrefines: [REQ-2]\nsee: [REQ-9]\n---\n");
        tree.file("docs/t.md", "---\nid: TEST-1\ntype: test\ntitle: Try it\nverifies: [REQ-1, REQ-2]\n---\n");
        Page::of(tree)
    }

    fn of(tree: Tree) -> Page {
        let service = load(&tree);
        Page { tree, service, browser: Browser::new(Options::default()) }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        self.service.snapshot().expect("loaded")
    }

    fn open(&self) -> (u16, String) {
        let view = self.view(&Focus::Overview);
        (port(&view), token(&view))
    }

    fn view(&self, focus: &Focus) -> View {
        let origin = Box::new(ServiceOrigin::new(Arc::clone(&self.service)));
        self.browser.open(&self.snapshot(), focus, origin).expect("loopback is there")
    }
}

fn load(tree: &Tree) -> Arc<ProjectService> {
    let root = ProjectRoot::open(&tree.root()).expect("a folder");
    let service = ProjectService::load(root, &Unwatched).expect("nothing stops it");
    let refresh = service.refresh(docs::Checked::Stat, &Unwatched).expect("nothing stops it");
    assert!(refresh.snapshot.is_some(), "{:#?}", refresh.problems);
    Arc::new(service)
}

fn port(view: &View) -> u16 {
    let rest = view.url.strip_prefix("http://127.0.0.1:").expect("a loopback address");
    rest.split_once("/app#t=").expect("the page").0.parse().expect("a port")
}

fn token(view: &View) -> String {
    let (_, fragment) = view.url.split_once("#t=").expect("a token");
    fragment.split('&').next().unwrap_or_default().to_owned()
}

/// Sends `bytes` and takes everything until the other end closes.
fn exchange(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout can be set");
    // An answer may come, and the connection end, before everything is sent.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).expect("answers are text")
}

/// One request whose connection ends with its answer.
fn ask(port: u16, bytes: &[u8]) -> Answer {
    let text = exchange(port, bytes);
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no answer: {text:?} to {:.200}", String::from_utf8_lossy(bytes)));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// A request as the page makes it.
fn get(port: u16, token: &str, target: &str) -> Answer {
    let head = format!(
        "GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
         Sec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n"
    );
    ask(port, head.as_bytes())
}

fn json(port: u16, token: &str, target: &str) -> Value {
    let answer = get(port, token, target);
    assert_eq!(answer.status, 200, "{target}: {}", answer.body);
    serde_json::from_str(&answer.body).expect("JSON")
}
