//! Packs as parsers, sinks and hostile input meet them.

use super::*;
use crate::sink::LineIndex;

const FORMATS: [PackFormat; 4] = [PackFormat::Markdown, PackFormat::Text, PackFormat::Json, PackFormat::Xml];

#[test]
fn hostile_names_and_bodies_leave_every_pack_readable() {
    let mut pack = Pack::of(&[]);
    for (at, name) in HOSTILE.iter().enumerate() {
        let body = HOSTILE.iter().cycle().skip(at).take(5).copied().collect::<Vec<_>>().join("\n");
        pack.files.push((format!("d{at}/{name}"), Class::Text, Some(body)));
    }
    pack.name = "](x)<img>\n# x".to_owned();
    pack.root = "/srv/<b>`x`\n*y*".to_owned();

    for (at, file) in pack.json(View::TreeContent)["files"].as_array().unwrap().iter().enumerate() {
        assert_eq!(file["path"], pack.files[at].0);
        assert_eq!(file["content"], pack.files[at].2.as_deref().unwrap());
    }
    let outline = xml_outline(&pack.write(PackFormat::Xml, View::TreeContent));
    assert_eq!(outline.iter().filter(|line| line.as_str() == "content").count(), HOSTILE.len());

    let document = pack.write(PackFormat::Markdown, View::TreeContent);
    assert_eq!(headings(&document), expected_headings(&pack));
    let document = pack.write(PackFormat::Text, View::Content);
    for (path, ..) in &pack.files {
        assert!(document.contains(&format!("\n\n{}:\n\n", crate::escape::visible(path))));
    }
    assert!(document.starts_with("Root: /srv/<b>`x`\\n*y*\n\n"));
}

/// Every heading and the body under it, as a CommonMark reader sees them.
fn headings(document: &str) -> Vec<(String, Option<String>)> {
    let (mut found, mut heading, mut body) = (Vec::<(String, Option<String>)>::new(), None, None);
    for event in Parser::new(document) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => found.extend(heading.take().map(|heading| (heading, None))),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => body = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => {
                let last = found.last_mut().unwrap();
                assert!(last.1.is_none(), "one body a heading");
                last.1 = body.take();
            }
            Event::Text(text) | Event::Code(text) => match (&mut heading, &mut body) {
                (Some(heading), _) => heading.push_str(&text),
                (_, Some(body)) => body.push_str(&text),
                _ => {}
            },
            Event::Start(Tag::Paragraph | Tag::Emphasis)
            | Event::End(TagEnd::Paragraph | TagEnd::Emphasis) => {}
            other => panic!("unexpected {other:?}"),
        }
    }
    found
}

fn expected_headings(pack: &Pack) -> Vec<(String, Option<String>)> {
    let mut tree = String::new();
    let paths = Tree::new(pack.files.iter().map(|(path, ..)| path), [""; 0]);
    tree_text::write(&paths, &pack.root, None, &mut tree).unwrap();
    let head =
        [(crate::escape::visible(&pack.name), None), ("Project tree".to_owned(), Some(format!("{tree}\n")))];
    let files = pack.files.iter().map(|(path, _, body)| {
        let body = body.as_ref().map(|body| format!("{}\n", body.replace("\r\n", "\n")));
        (crate::escape::visible(path), body)
    });
    head.into_iter().chain(files).collect()
}

#[test]
fn identical_packs_are_byte_identical_and_their_lines_are_counted_as_pages_do() {
    for format in FORMATS {
        let document = full().write(format, View::TreeContent);
        assert_eq!(document, full().write(format, View::TreeContent));
        assert_eq!(LineIndex::of(&document).lines(), content::count_lines(&document) as u64);
    }
}

#[test]
fn a_sink_that_fails_ends_the_document() {
    struct Full(usize);
    impl Sink for Full {
        fn put(&mut self, text: &str) -> io::Result<()> {
            self.0 = self.0.checked_sub(text.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(())
        }
    }
    for format in FORMATS {
        let pack = full();
        let tree = Tree::new(["a/b"], ["c"]);
        let head = PackHead {
            root: &pack.root,
            name: &pack.name,
            source: None,
            selection: &pack.selection,
            metrics: pack.metrics,
            tree: &tree,
            view: View::TreeContent,
        };
        for room in 0..2_000 {
            let mut sink = Full(room);
            let file = PackFile { path: "a/b", class: Class::Text, body: Some("<x>\n") };
            let end = PackEnd { budget: pack.budget.as_ref(), diagnostics: &[], fingerprint: "f" };
            let written = PackWriter::begin(format, &head, &mut sink).and_then(|mut writer| {
                writer.file(&file, &mut sink)?;
                writer.end(&end, &mut sink)
            });
            match written {
                Ok(()) => assert!(room > 60, "{format:?} fits {room} bytes"),
                Err(fault) => assert_eq!(fault.kind(), io::ErrorKind::StorageFull),
            }
        }
    }
}

#[test]
fn a_long_body_is_written_in_pieces() {
    struct Pieces(String, usize);
    impl Sink for Pieces {
        fn put(&mut self, text: &str) -> io::Result<()> {
            self.0.push_str(text);
            self.1 = self.1.max(text.len());
            Ok(())
        }
    }
    let body = "<é>\u{1}\"\n".repeat(100_000);
    let (selection, tree) = (SelectionEcho::default(), Tree::new([""; 0], [""; 0]));
    for format in [PackFormat::Json, PackFormat::Xml] {
        let head = PackHead {
            root: "/r",
            name: "r",
            source: None,
            selection: &selection,
            metrics: Metrics::default(),
            tree: &tree,
            view: View::Content,
        };
        let mut sink = Pieces(String::new(), 0);
        let mut writer = PackWriter::begin(format, &head, &mut sink).unwrap();
        writer.file(&PackFile { path: "a", class: Class::Text, body: Some(&body) }, &mut sink).unwrap();
        writer.end(&PackEnd { budget: None, diagnostics: &[], fingerprint: "f" }, &mut sink).unwrap();
        assert!(sink.1 <= 7 * GATHER_BYTES, "{} bytes at once", sink.1);
        if format == PackFormat::Json {
            let parsed: Value = serde_json::from_str(&sink.0).unwrap();
            assert_eq!(parsed["files"][0]["content"], body.as_str());
        } else {
            let outline = xml_outline(&sink.0);
            assert!(outline.contains(&format!("= {:?}", body.replace('\u{1}', "\u{fffd}"))));
        }
    }
}

fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(HOSTILE).prop_map(str::to_owned),
        "`{1,6}",
        "~{3,5}",
        "\n{1,3}",
        Just("```py\n".to_owned()),
        "[^\0\r]{0,5}",
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn no_body_closes_its_fence(bodies in prop::collection::vec(body(), 0..4)) {
        let named: Vec<(String, &str)> =
            bodies.iter().enumerate().map(|(at, body)| (format!("f{at}.md"), body.as_str())).collect();
        let files: Vec<(&str, &str)> = named.iter().map(|(path, body)| (path.as_str(), *body)).collect();
        let pack = Pack::of(&files);
        prop_assert_eq!(headings(&pack.write(PackFormat::Markdown, View::TreeContent)), expected_headings(&pack));
    }

    #[test]
    fn json_and_xml_always_parse_and_give_the_bodies_back(
        bodies in prop::collection::vec((body(), "[^/\0]{1,9}"), 0..4),
        view in prop::sample::select(vec![View::TreeContent, View::Content]),
    ) {
        let mut pack = full();
        pack.files.clear();
        for (at, (body, name)) in bodies.iter().enumerate() {
            pack.files.push((format!("{at}/{name}"), Class::Text, Some(body.clone())));
        }
        let parsed = pack.json(view);
        let found: Vec<&str> =
            parsed["files"].as_array().unwrap().iter().map(|file| file["content"].as_str().unwrap()).collect();
        prop_assert_eq!(found, bodies.iter().map(|(body, _)| body.as_str()).collect::<Vec<_>>());
        let document = pack.write(PackFormat::Xml, view);
        let outline = xml_outline(&document);
        prop_assert_eq!(outline.iter().filter(|line| line.as_str() == "content").count(), bodies.len());
        for (body, _) in &bodies {
            let legal: String = body
                .chars()
                .map(|c| if matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}') { '\u{fffd}' } else { c })
                .collect();
            let blank = legal.trim_matches([' ', '\n']).is_empty();
            prop_assert!(blank || outline.contains(&format!("= {legal:?}")), "{:?}", legal);
        }
    }
}
