//! Who is let in: the matrix of V37, and ten thousand forged requests without a byte of data.

use super::*;
use crate::connection::Patience;
use crate::limits::{
    CONNECTIONS_MAX, HEADER_BYTES_MAX, HEADERS_MAX, REQUEST_LINE_BYTES_MAX, REQUESTS_PER_CONNECTION_MAX,
};
use crate::reply::HEADERS;
use crate::view::Timing;

const DATA: &str = "/api/v1/overview";

struct Forged {
    method: &'static str,
    target: String,
    hosts: Vec<String>,
    headers: Vec<(&'static str, String)>,
    body: &'static str,
}

impl Forged {
    /// A request that is let in.
    fn right(port: u16, token: &str) -> Forged {
        Forged {
            method: "GET",
            target: DATA.to_owned(),
            hosts: vec![format!("127.0.0.1:{port}")],
            headers: vec![
                ("Authorization", format!("Bearer {token}")),
                ("Sec-Fetch-Site", "same-origin".to_owned()),
                ("Connection", "close".to_owned()),
            ],
            body: "",
        }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Forged {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.into()));
        self
    }

    fn without(mut self, name: &str) -> Forged {
        self.headers.retain(|(known, _)| *known != name);
        self
    }

    fn to(mut self, target: impl Into<String>) -> Forged {
        self.target = target.into();
        self
    }

    fn on(mut self, hosts: &[&str]) -> Forged {
        self.hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        self
    }

    fn by(mut self, method: &'static str) -> Forged {
        self.method = method;
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        self.hosts.iter().for_each(|host| text.push_str(&format!("Host: {host}\r\n")));
        self.headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
        text.push_str("\r\n");
        text.push_str(self.body);
        text.into_bytes()
    }
}

fn refused(port: u16, forged: &Forged, status: u16, code: &str) {
    let shown = String::from_utf8_lossy(&forged.bytes()).chars().take(300).collect::<String>();
    let answer = ask(port, &forged.bytes());
    assert_eq!(answer.status, status, "{shown}\n{}", answer.body);
    if forged.method != "HEAD" {
        let body: Value =
            serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{shown}: {answer:?}"));
        assert_eq!(body["error"]["code"], code, "{shown}");
    }
    assert!(!answer.body.contains(CANARY) && !answer.body.contains("REQ-"), "{shown}");
    for (name, value) in HEADERS {
        assert!(
            answer.head.contains(&format!("\r\n{name}: {}", value.to_ascii_lowercase())),
            "{name}: {shown}"
        );
    }
}

#[test]
fn v37_each_forged_request_is_refused_with_its_status_and_nothing_of_the_project() {
    let page = Page::new();
    let (port, token) = page.open();
    let right = || Forged::right(port, &token);
    assert!(ask(port, &right().bytes()).body.contains(CANARY), "the right request is let in");

    for host in [
        format!("localhost:{port}"),
        format!("127.0.0.1.evil:{port}"),
        format!("127.0.0.1:{port}."),
        format!("127.0.0.1.:{port}"),
        format!("127.1:{port}"),
        format!("[::1]:{port}"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1:0{port}"),
        format!("user@127.0.0.1:{port}"),
        "127.0.0.1".to_owned(),
        "evil".to_owned(),
        String::new(),
    ] {
        refused(port, &right().on(&[&host]), 421, "host_rejected");
    }
    refused(port, &right().on(&[]), 421, "host_rejected");
    let own = format!("127.0.0.1:{port}");
    refused(port, &right().on(&[&own, &own]), 400, "bad_request");
    refused(port, &right().on(&[&own, "evil"]), 400, "bad_request");
    refused(port, &right().to(format!("http://127.0.0.1:{port}{DATA}")), 400, "bad_request");
    refused(port, &right().to(format!("http://evil{DATA}")), 400, "bad_request");

    for origin in [
        "null".to_owned(),
        format!("http://127.0.0.1:{port}.evil"),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}, http://127.0.0.1:{port}"),
        "http://127.0.0.1".to_owned(),
        String::new(),
    ] {
        refused(port, &right().with("Origin", origin), 403, "origin_rejected");
    }
    assert_eq!(ask(port, &right().with("Origin", format!("http://127.0.0.1:{port}")).bytes()).status, 200);

    for site in ["cross-site", "same-site", "none", "Same-Origin", "", "same-origin, cross-site"] {
        for target in [DATA, "/app.js", "/app.css", "/favicon.ico"] {
            refused(port, &right().with("Sec-Fetch-Site", site).to(target), 403, "origin_rejected");
        }
    }
    let clicked = |site: &str, mode: &str, dest: &str| {
        let click =
            right().with("Sec-Fetch-Site", site).with("Sec-Fetch-Mode", mode).with("Sec-Fetch-Dest", dest);
        ask(port, &click.without("Authorization").to("/app").bytes()).status
    };
    assert_eq!(clicked("cross-site", "navigate", "document"), 200, "people click on the address");
    assert_eq!(clicked("none", "navigate", "document"), 200);
    assert_eq!(clicked("cross-site", "navigate", "iframe"), 403);
    assert_eq!(clicked("cross-site", "no-cors", "script"), 403);
    refused(
        port,
        &right()
            .with("Sec-Fetch-Site", "cross-site")
            .with("Sec-Fetch-Mode", "navigate")
            .with("Sec-Fetch-Dest", "document"),
        403,
        "origin_rejected",
    );

    for method in ["POST", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "PROPFIND", "get"] {
        for target in [DATA, "/app", "/app.js"] {
            refused(port, &right().by(method).to(target), 405, "method_not_allowed");
        }
    }
    refused(port, &right().by("CONNECT").to("evil:80"), 400, "bad_request");
    for target in [
        "/api/v1/../x",
        "/api/v1/sql",
        "/api/v1/overview/",
        "/api/v1//overview",
        "/API/v1/overview",
        "/api/v1/%6fverview",
        "/",
        "/index.html",
        "/app/",
        "/app.js.map",
        "/..%2f..%2fetc/passwd",
        "/api/v1/node",
        "*",
    ] {
        refused(port, &right().to(target), 404, "route_not_found");
    }

    let mut with_body = right().by("POST").with("Content-Length", "9");
    with_body.body = "canary=1&";
    refused(port, &with_body, 413, "bad_request");
    with_body.method = "GET";
    refused(port, &with_body, 413, "bad_request");
    let mut chunked = right().with("Transfer-Encoding", "chunked");
    chunked.body = "0\r\n\r\n";
    refused(port, &chunked, 400, "bad_request");
    refused(port, &right().with("Transfer-Encoding", "identity"), 400, "bad_request");

    refused(port, &right().with("X-Long", "x".repeat(9 * 1024)), 431, "headers_too_large");
    refused(port, &right().with("X-Long", "x".repeat(300 * 1024)), 431, "headers_too_large");
    refused(port, &right().to(format!("{DATA}?{}", "x".repeat(3_000))), 431, "headers_too_large");
    for count in [50, 90, 300] {
        let mut many = right();
        many.headers.extend((0..count).map(|_| ("X-Many", "x".to_owned())));
        refused(port, &many, 431, "headers_too_large");
    }

    refused(port, &right().without("Authorization"), 401, "token_missing");
    let wrong = format!("{}{}", &token[..42], if token.ends_with('A') { 'Q' } else { 'A' });
    for value in [
        format!("Bearer {wrong}"),
        format!("bearer {token}"),
        format!("Bearer  {token}"),
        format!("Bearer {token}x"),
        format!("Basic {token}"),
        token.clone(),
        "Bearer ".to_owned(),
        "Bearer".to_owned(),
    ] {
        refused(port, &right().with("Authorization", value), 401, "token_invalid");
    }
    refused(port, &right().to(format!("{DATA}?t={token}")).without("Authorization"), 401, "token_missing");

    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET /app\r\n\r\n",
        b"GET /app HTTP/9.9\r\n\r\n",
        b"GET /app HTTP/1.1\r\nHo st: x\r\n\r\n",
        b"GET /app HTTP/1.1\r\nHost: a\0b\r\n\r\n",
        b"GET /app HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        b"GET /\xFF HTTP/1.1\r\n\r\n",
    ] {
        let answer = ask(port, garbage);
        assert!(matches!(answer.status, 400 | 404 | 421), "{garbage:?} {answer:?}");
        assert!(!answer.body.contains(CANARY));
        for (name, _) in HEADERS {
            assert!(answer.head.contains(&format!("\r\n{name}: ")), "{name} {garbage:?} {answer:?}");
        }
    }
    assert_eq!(exchange(port, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "", "another protocol is not spoken");
    assert_eq!(ask(port, &right().bytes()).status, 200, "and the right request is still let in");
}

#[test]
fn ten_thousand_forged_requests_get_no_byte_of_data() {
    let page = Page::new();
    let (port, token) = page.open();
    let own = format!("127.0.0.1:{port}");
    let hosts =
        [own.clone(), format!("localhost:{port}"), "evil".to_owned(), format!("{own}."), String::new()];
    let origins = ["", "null", "http://evil", "http://127.0.0.1"].map(str::to_owned);
    let sites = ["same-origin", "cross-site", "none", "same-site"];
    let methods = ["GET", "POST", "HEAD", "OPTIONS"];
    let tokens = ["", "A", &token[..42], &token[1..], &token].map(str::to_owned);
    let targets = [
        DATA,
        "/api/v1/search?q=canary",
        "/api/v1/neighborhood?id=REQ-1",
        "/api/v1/sql",
        "/../x",
        "/app",
        "/app.js",
    ];
    let mut grid = Vec::new();
    for host in &hosts {
        for origin in &origins {
            for site in sites {
                for method in methods {
                    for token_sent in &tokens {
                        for target in targets {
                            let is_right = *host == own
                                && origin.is_empty()
                                && site == "same-origin"
                                && matches!(method, "GET" | "HEAD")
                                && *token_sent == token
                                && target.starts_with("/api/v1/")
                                && target != "/api/v1/sql";
                            let mut forged =
                                Forged::right(port, token_sent).on(&[host]).by(method).to(target);
                            forged = forged.with("Sec-Fetch-Site", site);
                            if !origin.is_empty() {
                                forged = forged.with("Origin", origin);
                            }
                            if token_sent.is_empty() {
                                forged = forged.without("Authorization");
                            }
                            if !is_right {
                                grid.push(forged.bytes());
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(grid.len() > 10_000, "{}", grid.len());
    let ask_all = |part: &[Vec<u8>]| {
        for bytes in part {
            let answer = ask(port, bytes);
            let leaks =
                answer.body.contains(CANARY) || answer.body.contains("REQ-") || answer.head.contains("req-");
            assert!(!leaks, "{}", String::from_utf8_lossy(bytes));
            assert!(
                answer.status >= 400 || answer.head.contains("content-type: text/"),
                "{}\n{answer:?}",
                String::from_utf8_lossy(bytes)
            );
        }
    };
    std::thread::scope(|scope| {
        for part in grid.chunks(grid.len().div_ceil(4)) {
            scope.spawn(move || ask_all(part));
        }
    });
    assert_eq!(get(port, &token, DATA).status, 200, "strangers lock nobody out");
}

#[test]
fn from_the_64th_wrong_token_on_strangers_are_slowed_down_and_the_owner_is_not() {
    let page = Page::new();
    let (port, token) = page.open();
    let statuses: Vec<u16> = (0..80).map(|_| get(port, &"x".repeat(43), DATA).status).collect();
    assert!(statuses[..63].iter().all(|status| *status == 401), "{statuses:?}");
    assert!(statuses[63..].contains(&429), "{statuses:?}");
    assert_eq!(get(port, &token, DATA).status, 200);
}

#[test]
fn requests_per_second_max_is_50_for_the_owner_too() {
    let page = Page::new();
    let (port, token) = page.open();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let one =
        format!("HEAD {DATA} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n");
    stream.write_all(one.repeat(90).as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let served = text.matches("HTTP/1.1 200").count();
    assert!((50..90).contains(&served) && text.contains("HTTP/1.1 429"), "{served}");
    assert!(text.ends_with("\r\n\r\n"), "what is refused ends its connection");
}

#[test]
fn requests_per_connection_max_is_100() {
    let page = Page::new();
    let (port, _) = page.open();
    let one = format!("HEAD /app HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let text = exchange(port, one.repeat(150).as_bytes());
    assert_eq!(text.matches("HTTP/1.1 200").count(), usize::try_from(REQUESTS_PER_CONNECTION_MAX).unwrap());
    assert_eq!(text.matches("connection: close").count(), 1);
}

#[test]
fn the_numbers_of_the_gate_are_exact() {
    let page = Page::new();
    let (port, token) = page.open();
    let right = || Forged::right(port, &token);
    // Everything that stands on the line but the query, and its line end.
    let line = format!("GET {DATA}? HTTP/1.1").len();
    let long = |bytes: usize| right().to(format!("{DATA}?{}", "x".repeat(bytes - line)));
    assert_eq!(ask(port, &long(REQUEST_LINE_BYTES_MAX).bytes()).status, 400, "an unknown name");
    assert_eq!(ask(port, &long(REQUEST_LINE_BYTES_MAX + 1).bytes()).status, 431);
    let sized = |bytes: usize| {
        let plain = right().with("X-Fill", "");
        let used: usize = plain.headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        let host = "Host: ".len() + plain.hosts[0].len() + 2;
        plain.with("X-Fill", "x".repeat(bytes - used - host))
    };
    assert_eq!(ask(port, &sized(HEADER_BYTES_MAX).bytes()).status, 200);
    assert_eq!(ask(port, &sized(HEADER_BYTES_MAX + 1).bytes()).status, 431);
    let many = |count: usize| {
        let mut many = right();
        many.headers.extend((0..count - 4).map(|_| ("X-Many", "x".to_owned())));
        many
    };
    assert_eq!(ask(port, &many(HEADERS_MAX).bytes()).status, 200);
    assert_eq!(ask(port, &many(HEADERS_MAX + 1).bytes()).status, 431);
}

fn hurried(head: Duration, idle: Duration) -> Page {
    let mut page = Page::new();
    let mut timing = Timing::of(Options::default());
    timing.patience = Patience { head, idle, look: Duration::from_millis(20) };
    page.browser = Browser::timed(Options::default(), timing);
    page
}

#[test]
fn who_sends_a_request_slowly_and_who_sends_none_is_cut_off() {
    let page = hurried(Duration::from_millis(60), Duration::from_millis(120));
    let (port, token) = page.open();
    assert_eq!(exchange(port, b""), "");
    assert_eq!(exchange(port, b"GET /app HTTP/1.1\r\nHost:"), "");
    let mut drip = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut sent = 0;
    // A byte at a time does not start the clock again.
    while drip.write_all(b"G").is_ok() && sent < 10_000 {
        sent += 1;
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(sent < 10_000, "it was never cut off");
    assert_eq!(get(port, &token, DATA).status, 200);
}

#[test]
fn connections_max_is_16_and_a_further_one_is_served_when_a_place_is_free() {
    let page = Page::new();
    let (port, token) = page.open();
    let mut held: Vec<TcpStream> =
        (0..CONNECTIONS_MAX).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    // Each has its place once it has had an answer.
    for stream in &mut held {
        let head = format!("HEAD /app HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        assert!(stream.read(&mut [0; 4096]).unwrap() > 0);
    }
    let mut late = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "GET {DATA} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    late.write_all(head.as_bytes()).unwrap();
    late.set_read_timeout(Some(Duration::from_millis(150))).unwrap();
    assert!(late.read(&mut [0; 16]).is_err(), "nobody answers while all places are taken");
    held.pop();
    late.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut text = String::new();
    late.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}

#[test]
fn the_page_and_its_parts_are_constants_for_everyone_and_hold_no_data() {
    let page = Page::new();
    let (port, _) = page.open();
    for (target, kind) in [
        ("/app", "text/html"),
        ("/app.js", "text/javascript"),
        ("/app.css", "text/css"),
        ("/app?x=1", "text/html"),
    ] {
        let head = format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        let answer = ask(port, head.as_bytes());
        assert_eq!(answer.status, 200);
        assert!(answer.head.contains(&format!("content-type: {kind}; charset=utf-8")), "{}", answer.head);
        assert!(!answer.body.contains(CANARY) && !answer.body.contains("shown"));
        let head = ask(port, head.replace("GET", "HEAD").as_bytes());
        assert_eq!((head.status, head.body.as_str()), (200, ""));
        assert!(head.head.contains(&format!("content-length: {}", answer.body.len())));
    }
    let icon = format!("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    assert_eq!(ask(port, icon.as_bytes()).status, 204);
}

#[test]
fn nothing_listens_on_any_other_address() {
    let page = Page::new();
    let (port, _) = page.open();
    for address in ["127.0.0.2", "::1"] {
        assert!(TcpStream::connect((address, port)).is_err(), "{address}");
    }
}
