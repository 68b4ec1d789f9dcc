//! The work on texts made to be slow grows with their length and no faster. The clock is not asked: the detector counts.

use crate::Detector;

/// Pieces that repeat: anchors side by side, values that never end, brackets and markers that never close.
const SHAPES: &[(&str, &str)] = &[
    ("src/a.rs", "ghp_"),
    ("src/a.rs", "password="),
    ("src/a.rs", "password=\"a\\\"b "),
    ("src/a.rs", "Server=a;password=b;"),
    ("src/a.rs", "://a:b@"),
    ("src/a.rs", "https://a:"),
    ("src/a.rs", "eyJhbGciOi."),
    ("src/a.rs", "AKIA0123456789ABCDEF "),
    ("src/a.rs", "-----BEGIN PRIVATE KEY-----\n"),
    ("src/a.rs", "-----BEGIN PRIVATE KEY-----\nQUJDRA\n"),
    ("src/a.rs", "token_"),
    ("src/a.rs", "keykeykey"),
    ("src/a.rs", "secret: &'static "),
    ("src/a.rs", "bearer bearer "),
    ("src/a.rs", "xoxb-1-"),
    ("src/a.rs", "sk-"),
    ("a.yaml", "kind: Secret\ndata:\n  a: |\n"),
    ("compose.yml", "password: {"),
    (".env", "A_PASSWORD=${"),
    ("web.config", "<add key=\"password\" "),
    ("appsettings.json", "{\"password\":["),
    ("Dockerfile", "ENV password \\\n"),
    ("settings.py", "PASSWORD = \"\"\""),
    (".netrc", "password "),
];

#[test]
fn work_grows_no_faster_than_the_text() {
    for (path, piece) in SHAPES {
        let work =
            |bytes: usize| Detector::shared().effort_bytes(&piece.repeat(bytes / piece.len()), path).max(1);
        let (small, large) = (work(64 << 10), work(512 << 10));
        assert!(large <= small * 10 + (1 << 20), "{piece:?}: {small} bytes of work became {large}");
    }
}
