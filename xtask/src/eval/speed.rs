//! False masks in clean code, bytes per second of CPU time, and texts made to be slow. It does not know what a rule is.

use std::path::{Path, PathBuf};

use fault::Unwatched;
use nix::sys::resource::{UsageWho, getrusage};
use redact::{Detector, FileFacts, Policy};

/// How many crates are clean code.
const CRATES: usize = 20;
/// The most that is inspected of one file.
const INSPECTED_BYTES: usize = 16 << 20;

/// Texts that repeat a piece up to the limit of one file: dense anchors and what never ends.
const HOSTILE: &[(&str, &str)] = &[
    ("src/a.rs", "ghp_"),
    ("src/a.rs", "AKIA"),
    ("src/a.rs", "password="),
    ("src/a.rs", "password=\"a\\\"b "),
    ("src/a.rs", "Server=a;password=b;"),
    ("src/a.rs", "://a:b@"),
    ("src/a.rs", "https://a:"),
    ("src/a.rs", "eyJhbGciOi."),
    ("src/a.rs", "-----BEGIN PRIVATE KEY-----\n"),
    ("src/a.rs", "-----BEGIN PRIVATE KEY-----\nQUJDRA\n"),
    ("src/a.rs", "token_"),
    ("src/a.rs", "key"),
    ("src/a.rs", "secret: &'static "),
    ("src/a.rs", "bearer "),
    ("src/a.rs", "xoxb-1-"),
    ("src/a.rs", "token = \"aB3dE6gH9jK2mN5pQ8\"\n"),
    ("src/a.rs", "\u{200B}key\u{200B}="),
    ("a.yaml", "kind: Secret\ndata:\n  a: |\n"),
    ("compose.yml", "password: {"),
    (".env", "A_PASSWORD=${"),
    ("web.config", "<add key=\"password\" "),
    ("appsettings.json", "{\"password\":["),
    ("settings.py", "PASSWORD = \"\"\""),
    ("settings.py", "PASSWORD=\\'"),
    ("settings.py", "PASSWORD:a "),
    ("settings.py", "a="),
    (".netrc", "password "),
    ("appsettings.json", "\"\\\"\\\""),
    ("appsettings.json", "\"password\":/*"),
    ("web.config", "<password><![CDATA["),
    ("web.config", "<a b=\""),
    ("Dockerfile", "ENV password \\\n"),
    ("Dockerfile", "ENV a=\"b c=\\\" "),
    ("x.tfvars", "password = [\""),
    ("a.http", "Authorization: Bearer a"),
    (".pgpass", "a:b:c:d:e\\:"),
    ("compose.yml", "- \"password="),
];

/// Counts what is masked in clean code, and how fast.
pub(crate) fn clean_code(folders: &[PathBuf], show: bool) {
    let folders = if folders.is_empty() { largest_crates() } else { folders.to_vec() };
    let mut texts = Vec::new();
    for folder in &folders {
        collect(folder, &mut texts);
    }
    let lines: usize = texts.iter().map(|(_, text)| text.lines().count()).sum();
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    let detector = Detector::shared();
    let (mut masks, mut words) = (0usize, 0usize);
    let mut best = f64::INFINITY;
    for round in 0..3 {
        let before = cpu_s();
        for (path, text) in &texts {
            let name = path.to_string_lossy();
            let facts = FileFacts { path: &name, ..FileFacts::default() };
            let findings = detector.detect(text, &facts, &Policy::default(), &Unwatched).unwrap_or_default();
            if round > 0 {
                continue;
            }
            masks += findings.len();
            for finding in findings {
                let value = &text[finding.range.clone()];
                let word = value.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
                let quoted = text[..finding.range.start].ends_with(['"', '\'', '`']);
                words += usize::from(word && !quoted);
                if show {
                    let line = text[..finding.range.start].matches('\n').count() + 1;
                    println!("clean code: {}: {name}:{line}: {value}", finding.rule);
                }
            }
        }
        best = best.min(cpu_s() - before);
    }
    println!(
        "Clean code: {} folders, {lines} lines, {masks} masks ({:.2} per 10,000 lines), {words} of bare words; {:.0} MB per CPU-second.",
        folders.len(),
        masks as f64 * 1e4 / lines.max(1) as f64,
        bytes as f64 / 1e6 / best.max(1e-9)
    );
}

/// Inspects each hostile text once.
pub(crate) fn hostile() {
    let mut slowest = (0.0, "");
    for (path, piece) in HOSTILE {
        let text = piece.repeat(INSPECTED_BYTES / piece.len());
        let facts = FileFacts { path, ..FileFacts::default() };
        let before = cpu_s();
        let outcome = Detector::shared().detect(&text, &facts, &Policy::default(), &Unwatched);
        let took = cpu_s() - before;
        let said =
            outcome.map_or_else(|fault| fault.to_string(), |findings| format!("{} findings", findings.len()));
        println!("{took:6.2} CPU-s for 16 MiB of {piece:?}: {said}");
        if took > slowest.0 {
            slowest = (took, piece);
        }
    }
    println!(
        "The slowest of {} hostile texts took {:.2} CPU-seconds: {:?}.",
        HOSTILE.len(),
        slowest.0,
        slowest.1
    );
}

/// The crates of the registry cache with most bytes of Rust.
fn largest_crates() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let mut crates: Vec<(u64, PathBuf)> = folders_in(&home.join("registry/src"))
        .iter()
        .flat_map(|registry| folders_in(registry))
        .map(|folder| {
            let mut texts = Vec::new();
            collect(&folder, &mut texts);
            (texts.iter().map(|(_, text)| text.len() as u64).sum(), folder)
        })
        .collect();
    crates.sort_unstable_by(|a, b| b.cmp(a));
    crates.into_iter().take(CRATES).map(|(_, folder)| folder).collect()
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// Every source text below a folder.
fn collect(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() {
            collect(&path, texts);
        } else if kind.is_file()
            && let Ok(text) = std::fs::read_to_string(&path)
            && text.len() <= INSPECTED_BYTES
        {
            texts.push((path, text));
        }
    }
}

/// The CPU seconds of this process so far.
fn cpu_s() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return f64::NAN };
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}
