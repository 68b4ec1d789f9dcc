//! What holds for every file that is read, whatever its format. It knows no adapter.

use std::sync::Arc;

use docs::{
    Contract, Diagnostic, FileEntry, FileText, Hash, LoadedFile, ParsedFile, Parts, Place, Snapshot, Span,
    assemble, canon, canonical, node_json,
};

/// The place is inside of the text, or names no line.
pub fn assert_place(place: &Place, text: &str) {
    let Some(line) = place.line else { return };
    let lines: Vec<&str> = text.split('\n').collect();
    let there = lines.get(line as usize - 1).unwrap_or_else(|| panic!("line {line} of {}", lines.len()));
    let column = place.column.unwrap_or(1) as usize;
    assert!((1..=there.chars().count() + 1).contains(&column), "line {line}, column {column}: {there:?}");
}

/// The bytes are there, and stand where line and column say.
pub fn assert_span(span: Span, text: &str) {
    assert!(text.get(span.start..span.end).is_some(), "{span:?} of {} bytes", text.len());
    let before = &text[..span.start];
    assert_eq!(before.matches('\n').count() + 1, span.line as usize, "{span:?}");
    let line = before.rsplit('\n').next().unwrap_or_default();
    assert_eq!(line.chars().count() + 1, span.column as usize, "{span:?}");
}

/// The words are the engine's: one line that shows as it is.
pub fn assert_finding(finding: &Diagnostic, text: &str) {
    assert_place(&finding.place, text);
    assert!(!finding.message.is_empty());
    assert!(!finding.message.contains(|c: char| c.is_control()), "{:?}", finding.message);
}

/// Everything that an adapter says about a file is inside of the file.
pub fn assert_parsed(parsed: &ParsedFile, text: &str) {
    for finding in &parsed.diagnostics {
        assert_finding(finding, text);
    }
    for (at, node) in parsed.nodes.iter().enumerate() {
        assert_eq!(node.ordinal, at);
        assert_span(node.span, text);
        assert_span(node.body_span, text);
        assert_span(node.id_span, text);
        assert_eq!(canonical(&node.body), node.body, "a body is canonical");
        for (_, tree) in &node.fields {
            assert_span(tree.span, text);
        }
        for link in &node.links {
            assert_span(link.span, text);
        }
        for mention in &node.mentions {
            assert_span(mention.span, text);
        }
        for (_, span) in &node.references {
            assert_span(*span, text);
        }
    }
}

/// A file with this text, parsed by `read`.
pub fn loaded(
    contract: &Contract,
    path: &str,
    text: &str,
    read: fn(&Contract, &FileText) -> ParsedFile,
) -> LoadedFile {
    let stripped = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let file = FileText {
        path: path.to_owned(),
        text: Arc::from(stripped),
        bom_bytes: text.len() - stripped.len(),
        siblings: Vec::new(),
    };
    let entry = FileEntry {
        path: path.to_owned(),
        size: text.len() as u64,
        hash: Hash::of(&[text.as_bytes()]),
        source: Some(contract.sources[0].id.clone()),
    };
    LoadedFile { entry, parsed: read(contract, &file), beside: Vec::new() }
}

/// The project that holds these files alone.
pub fn project(contract: &Arc<Contract>, files: Vec<LoadedFile>) -> Snapshot {
    let files: Vec<Arc<LoadedFile>> = files.into_iter().map(Arc::new).collect();
    assemble(Parts {
        contract: Arc::clone(contract),
        files: &files,
        diagnostics: Vec::new(),
        exists: &|_| false,
        adapter_prefix: String::new(),
    })
}

/// A project of one file: its nodes hash as valid canonical JSON, its findings are inside of the file, it comes out the
/// same twice, and line ends and a byte order mark change its bytes alone.
pub fn assert_file(
    contract: &Arc<Contract>,
    path: &str,
    text: &str,
    read: fn(&Contract, &FileText) -> ParsedFile,
) {
    let stripped = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let file = loaded(contract, path, text, read);
    assert_parsed(&file.parsed, stripped);
    let snapshot = project(contract, vec![file]);
    for finding in snapshot.diagnostics() {
        assert_finding(finding, stripped);
    }
    for node in snapshot.nodes() {
        let json = serde_json::Value::Object(node_json(node, contract));
        let written = canon::canonical(&json);
        let back: serde_json::Value = serde_json::from_str(&written).expect("canonical JSON is JSON");
        assert_eq!(back, json);
        assert_eq!(canon::canonical(&back), written);
        assert_eq!(node.hash, Hash::of(&[b"docforge.node.v1\n", written.as_bytes()]));
    }
    let again = project(contract, vec![loaded(contract, path, text, read)]);
    assert_eq!(snapshot.snapshot_id(), again.snapshot_id());
    if text.contains('\r') || text.contains('\u{FEFF}') {
        return;
    }
    let codes = |snapshot: &Snapshot| -> Vec<String> {
        snapshot.diagnostics().iter().map(|one| one.check.code().into_owned()).collect()
    };
    for other in [text.replace('\n', "\r\n"), format!("\u{FEFF}{text}")] {
        let same = project(contract, vec![loaded(contract, path, &other, read)]);
        assert_eq!(snapshot.revision(), same.revision(), "meaning does not depend on line ends and marks");
        assert_eq!(codes(&snapshot), codes(&same));
    }
}
