//! Five hundred secrets planted in files of every shape, and every way to read them: none comes out, whole or in a piece of
//! twelve characters, plain, as base64, in hexadecimal digits or percent-encoded.

use std::collections::HashSet;

use redact::sample::{Dice, expand};
use serde_json::{Value, json};
use testkit::{Session, Tree};

use super::{github_token, serve_with};

/// A file, the line that carries a value at `@@`, and the value's template; the empty one is a token with a checksum.
const PLANTS: &[(&str, &str, &str)] = &[
    (".env", "SERVICE_#_PASSWORD=@@", "{alnum:20}"),
    (".env.local", "export SECRET_#=\"@@\"", "{base64url:32}"),
    ("Dockerfile", "ENV APP_SECRET_#=@@", "{alnum:18}"),
    ("docker-compose.yml", "  POSTGRES_#_PASSWORD: \"@@\"", "{alnum:16}"),
    ("appsettings.json", "{\"Mail#Password\": \"@@\"}", "{alnum:24}"),
    ("prod.tfvars", "db#_password = \"@@\"", "{alnum:22}"),
    ("web.config", "<add key=\"Mail#Password\" value=\"@@\" />", "{alnum:20}"),
    ("app/settings.py", "EMAIL#_PASSWORD = '@@'", "{alnum:20}"),
    (".netrc", "machine h#.internal login app password @@", "{alnum:20}"),
    (".pgpass", "db#:5432:app:app:@@", "{alnum:20}"),
    ("calls.http", "Authorization: Bearer @@", "{base64url:40}"),
    ("src/db.py", "URL# = \"postgres://app:@@@db.internal/app#\"", "{alnum:20}"),
    ("src/Db.cs", "var c# = \"Server=db;Database=app;User Id=app;Password=@@;\";", "{alnum:20}"),
    ("src/a.rs", "let token# = \"@@\"; // end", ""),
    ("src/b.js", "const t# = ['@@'];", "xoxb-{digit:12}-{digit:12}-{alnum:24}"),
    ("src/c.go", "var k# = `@@`", "sk_live_{alnum:24}"),
    ("src/d.java", "String k# = \"@@\";", "AKIA{base32:16}"),
    ("docs/e.md", "Call it with `@@` (#).", "glpat-{base64url:20}"),
    ("src/f.py", "api_key# = \"@@\"", "{alnum:32}"),
    ("src/g.rb", "client_secret# = '@@'", "{base64url:40}"),
    ("src/h.ts", "const password# = \"@@\";", "{upper:3}{lower:5}{digit:4}!{alnum:4}"),
    ("conf/i.properties", "service#.token=@@", "{alnum:28}"),
    ("deploy/secret.yaml", "kind: Secret\ndata:\n  entry#: @@\n---", "{base64:32}"),
    (
        "keys/all.pem",
        "-----BEGIN PRIVATE KEY-----\n@@\n-----END PRIVATE KEY-----",
        "{base64:64}\n{base64:64}\n{base64:40}",
    ),
    ("src/quoted.json", "{\"text\": \"line\\npassword=\\\"@@\\\"\\n\"}", "{alnum:20}"),
];

/// How many values each row plants.
const EACH: usize = 20;
/// The piece that must not be readable, in bytes.
const PIECE_BYTES: usize = 12;

/// Pieces of all values, as each way of writing shows them.
#[derive(Default)]
struct Pieces {
    plain: HashSet<Vec<u8>>,
    hexadecimal: HashSet<Vec<u8>>,
    percent: HashSet<Vec<u8>>,
    base64: HashSet<Vec<u8>>,
}

impl Pieces {
    fn add(&mut self, value: &str) {
        for piece in value.lines().flat_map(|line| line.as_bytes().windows(PIECE_BYTES)) {
            self.plain.insert(piece.to_vec());
            self.hexadecimal
                .insert(piece.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect());
            self.percent.insert(piece.iter().flat_map(|byte| format!("%{byte:02x}").into_bytes()).collect());
            self.base64.insert(base64(piece));
        }
    }

    /// The first piece that `text` holds.
    fn in_text(&self, text: &str) -> Option<String> {
        let holds = |pieces: &HashSet<Vec<u8>>, bytes: &[u8], length: usize| {
            bytes.windows(length).find(|piece| pieces.contains(*piece)).map(<[u8]>::to_vec)
        };
        let lower = text.to_ascii_lowercase();
        holds(&self.plain, text.as_bytes(), PIECE_BYTES)
            .or_else(|| holds(&self.hexadecimal, lower.as_bytes(), PIECE_BYTES * 2))
            .or_else(|| holds(&self.percent, lower.as_bytes(), PIECE_BYTES * 3))
            .or_else(|| holds(&self.base64, text.as_bytes(), PIECE_BYTES / 3 * 4))
            .map(|piece| String::from_utf8_lossy(&piece).into_owned())
    }
}

/// Base64 of bytes whose number is a multiple of three.
fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups =
        bytes.chunks(3).map(|group| group.iter().fold(0usize, |word, byte| word << 8 | usize::from(*byte)));
    groups.flat_map(|word| [18, 12, 6, 0].map(|shift| DIGITS[word >> shift & 63])).collect()
}

/// What leaves the server: every text of an answer, its JSON as it stands on the wire, and what was sent meanwhile.
struct Outgoing<'a> {
    pieces: &'a Pieces,
    placeholders: usize,
}

impl Outgoing<'_> {
    fn call(&mut self, session: &mut Session, tool: &str, arguments: Value) -> String {
        let answer = session.call_with_progress(tool, arguments.clone(), json!("sweep"));
        let text = answer.all_text();
        let sent: Vec<Value> = session.take_notifications();
        for said in [&text, &answer.result().to_string(), &Value::from(sent).to_string()] {
            if let Some(piece) = self.pieces.in_text(said) {
                panic!("{tool} {arguments} shows {piece}");
            }
        }
        self.placeholders += text.matches("REDACTED[").count();
        text
    }
}

#[test]
fn none_of_five_hundred_planted_values_comes_out() {
    let tree = Tree::new("");
    let mut pieces = Pieces::default();
    let mut dice = Dice::new(11);
    let mut values = Vec::new();
    for (path, line, template) in PLANTS {
        let mut text = String::new();
        for number in 0..EACH {
            let value = match *template {
                "" => github_token(number as u64 + 40),
                template => expand(template, &mut dice),
            };
            pieces.add(&value);
            text.push_str(&line.replacen("@@", &value, 1).replace('#', &number.to_string()));
            text.push('\n');
            values.push(value);
        }
        tree.file(path, &text);
    }
    assert_eq!(values.len(), 500);
    // Long enough that a pack is stored, with values on both sides of the ends of its pages.
    let mut long = String::new();
    for (row, value) in values.iter().enumerate().take(400) {
        long.push_str(&"filler line\n".repeat(24));
        long.push_str(&format!("password{row} = \"{}\"\n", value.lines().next().unwrap_or_default()));
    }
    tree.file("z/long.py", &long);

    let mut session = serve_with(&tree, &["--hide-private-data"]);
    let mut out = Outgoing { pieces: &pieces, placeholders: 0 };
    for (tool, arguments) in [
        ("list_projects", json!({})),
        ("analyze", json!({})),
        ("get_tree", json!({ "format": "json" })),
        ("get_tree", json!({ "format": "text" })),
    ] {
        out.call(&mut session, tool, arguments);
    }
    for (path, ..) in PLANTS {
        out.call(&mut session, "get_file", json!({ "path": path }));
        out.call(&mut session, "get_file", json!({ "path": path, "start_line": 2, "end_line": 3 }));
    }
    for start in [1, 24, 25, 26, 990, 1_000] {
        out.call(&mut session, "get_file", json!({ "path": "z/long.py", "start_line": start }));
    }
    assert!(out.placeholders >= 500, "{}", out.placeholders);
    for format in ["text", "markdown", "json", "xml"] {
        for detail in ["full", "compact", "signatures"] {
            let arguments = json!({ "format": format, "detail": detail, "exclude_patterns": ["z/**"] });
            out.call(&mut session, "pack_context", arguments);
            let cut = json!({ "format": format, "detail": detail, "max_tokens": 900 });
            out.call(&mut session, "pack_context", cut);
        }
        let stored = out.call(&mut session, "pack_context", json!({ "format": format }));
        let id = stored.split('\'').nth(1).expect("a stored pack names its id").to_owned();
        for start in (1..9_000).step_by(1_000) {
            out.call(&mut session, "read_pack", json!({ "pack_id": id, "start_line": start }));
        }
    }
    for pattern in ["password", "token|secret", ".", "="] {
        for context in [0, 5] {
            let arguments = json!({ "pattern": pattern, "context_lines": context, "max_results": 200 });
            out.call(&mut session, "search_project", arguments);
        }
    }
    for (path, ..) in PLANTS {
        let arguments = json!({ "pattern": ".", "include_patterns": [path], "max_results": 200 });
        out.call(&mut session, "search_project", arguments);
    }
    // What is asked for is not found: a search does not tell whether a guess is right.
    for value in values.iter().step_by(29) {
        let guess: String = value.chars().take(10).map(|c| format!("\\x{{{:x}}}", u32::from(c))).collect();
        let found = out.call(&mut session, "search_project", json!({ "pattern": guess, "context_lines": 2 }));
        assert!(!found.contains("REDACTED["), "{found}");
    }
    // Errors and warnings, with a file that cannot be shown beside the others.
    tree.file("big.txt", &"x\n".repeat(9 << 20));
    for (tool, arguments) in [
        ("get_file", json!({ "path": "big.txt" })),
        ("get_file", json!({ "path": ".env", "start_line": 9_000 })),
        ("get_file", json!({ "path": ".env/none" })),
        ("search_project", json!({ "pattern": "(" })),
        ("pack_context", json!({ "format": "json", "view": "content", "exclude_patterns": ["z/**"] })),
        ("analyze", json!({ "max_file_bytes": 20_000_000 })),
        ("read_pack", json!({ "pack_id": "none" })),
    ] {
        out.call(&mut session, tool, arguments);
    }
}
