use super::*;
use crate::sink::LineIndex;

const FORMATS: [PackFormat; 4] = [PackFormat::Markdown, PackFormat::Text, PackFormat::Json, PackFormat::Xml];

/// A pack in the making: what a caller knows about one.
struct Pack {
    root: String,
    name: String,
    source: Option<Source>,
    selection: SelectionEcho,
    metrics: Metrics,
    files: Vec<(String, Class, Option<String>)>,
    budget: Option<Budget>,
    diagnostics: Vec<Diagnostic>,
}

impl Pack {
    fn of(files: &[(&str, &str)]) -> Pack {
        Pack {
            root: "/srv/demo".to_owned(),
            name: "demo".to_owned(),
            source: None,
            selection: SelectionEcho { git_mode: "gitignore".to_owned(), ..SelectionEcho::default() },
            metrics: Metrics::default(),
            files: files
                .iter()
                .map(|(path, body)| ((*path).to_owned(), Class::Text, Some((*body).to_owned())))
                .collect(),
            budget: None,
            diagnostics: Vec::new(),
        }
    }

    fn with(mut self, path: &str, class: Class) -> Pack {
        self.files.push((path.to_owned(), class, None));
        self
    }

    fn write(&self, format: PackFormat, view: View) -> String {
        let tree = Tree::new(self.files.iter().map(|(path, ..)| path), [""; 0]);
        let head = PackHead {
            root: &self.root,
            name: &self.name,
            source: self.source.as_ref(),
            selection: &self.selection,
            metrics: self.metrics,
            tree: &tree,
            view,
        };
        let mut document = String::new();
        let mut writer = PackWriter::begin(format, &head, &mut document).unwrap();
        if view != View::Tree {
            for (path, class, body) in &self.files {
                let file = PackFile { path, class: *class, body: body.as_deref() };
                writer.file(&file, &mut document).unwrap();
            }
        }
        let end =
            PackEnd { budget: self.budget.as_ref(), diagnostics: &self.diagnostics, fingerprint: "0123abcd" };
        writer.end(&end, &mut document).unwrap();
        document
    }

    fn json(&self, view: View) -> Value {
        serde_json::from_str(&self.write(PackFormat::Json, view)).unwrap()
    }
}

fn demo() -> Pack {
    Pack::of(&[("a.py", "print(1)\n")])
}

#[test]
fn the_markdown_sample() {
    insta::assert_snapshot!(demo().write(PackFormat::Markdown, View::TreeContent), @"
    # demo

    ## Project tree

    ```text
    /srv/demo:
    └── a.py
    ```

    ## `a.py`

    ```py
    print(1)

    ```
    ");
}

#[test]
fn markdown_content_has_a_root_line_and_relative_headings() {
    let mut pack = Pack::of(&[("src/a.PY", "x"), ("src/b", "")]);
    pack.root = "/srv/my_demo".to_owned();
    pack.name = "my_demo".to_owned();
    insta::assert_snapshot!(pack.write(PackFormat::Markdown, View::Content), @r"
    # my\_demo

    Root: /srv/my\_demo

    ## `src/a.PY`

    ```py
    x
    ```

    ## `src/b`

    ```

    ```
    ");
}

#[test]
fn a_tree_pack_holds_the_tree_alone() {
    assert_eq!(demo().write(PackFormat::Text, View::Tree), "/srv/demo:\n└── a.py");
    assert_eq!(
        demo().write(PackFormat::Markdown, View::Tree),
        "# demo\n\n## Project tree\n\n```text\n/srv/demo:\n└── a.py\n```"
    );
    assert_eq!(demo().json(View::Tree)["files"], json!([]));
    assert!(demo().write(PackFormat::Xml, View::Tree).contains("\n  <files/>\n"));
}

#[test]
fn text_separates_files_by_what_their_bodies_end_with() {
    let pack = Pack::of(&[("a", "1\n"), ("b", "2"), ("c/d", "3\r\n\n")]);
    assert_eq!(
        pack.write(PackFormat::Text, View::TreeContent),
        "/srv/demo:\n├── c\n│   └── d\n├── a\n└── b\n\n\na:\n\n1\n\n\nb:\n\n2\n\nc/d:\n\n3"
    );
    assert_eq!(
        pack.write(PackFormat::Text, View::Content),
        "Root: /srv/demo\n\na:\n\n1\n\n\nb:\n\n2\n\nc/d:\n\n3"
    );
}

#[test]
fn human_documents_end_without_a_line_end() {
    for body in ["", "\n", "\r\n\r\n", "x\n\n\n", "x", "\r"] {
        let pack = Pack::of(&[("a", "1"), ("b", body)]);
        for view in [View::TreeContent, View::Tree, View::Content] {
            for format in [PackFormat::Text, PackFormat::Markdown] {
                let document = pack.write(format, view);
                assert!(!document.ends_with('\n'), "{body:?} {format:?} {view:?}: {document:?}");
            }
        }
    }
    let pack = Pack::of(&[("a", "\n"), ("b", "\n")]);
    assert_eq!(pack.write(PackFormat::Text, View::Content), "Root: /srv/demo\n\na:\n\n\n\n\nb:");
    assert_eq!(
        Pack::of(&[("a", "x\r")]).write(PackFormat::Text, View::Content),
        "Root: /srv/demo\n\na:\n\nx\r"
    );
    assert_eq!(Pack::of(&[]).write(PackFormat::Text, View::TreeContent), "/srv/demo:");
    assert_eq!(Pack::of(&[]).write(PackFormat::Text, View::Content), "Root: /srv/demo");
    assert_eq!(Pack::of(&[]).write(PackFormat::Markdown, View::Content), "# demo\n\nRoot: /srv/demo");
}

#[test]
fn bodies_keep_their_line_ends() {
    let pack = Pack::of(&[("a", "1\r\n2\r3\n\n")]);
    assert!(pack.write(PackFormat::Markdown, View::Content).ends_with("```\n1\r\n2\r3\n\n\n```"));
    assert_eq!(pack.json(View::Content)["files"][0]["content"], "1\r\n2\r3\n\n");
    assert!(
        xml_outline(&pack.write(PackFormat::Xml, View::Content)).contains(&r#"= "1\r\n2\r3\n\n""#.to_owned())
    );
}

#[test]
fn a_fence_is_longer_than_any_run_of_backticks_in_the_body() {
    for (run, fence) in [(0, 3), (1, 3), (2, 3), (3, 4), (4, 5), (9, 10)] {
        let pack = Pack::of(&[("a.md", &format!("x\n{}\ny", "`".repeat(run)))]);
        let document = pack.write(PackFormat::Markdown, View::Content);
        assert!(document.contains(&format!("\n\n{}md\n", "`".repeat(fence))), "{document}");
        assert!(document.ends_with(&format!("\ny\n{}", "`".repeat(fence))), "{document}");
    }
    let pack = Pack::of(&[("a````b", "x")]);
    assert!(pack.write(PackFormat::Markdown, View::Tree).ends_with("\n└── a````b\n`````"));
    let mut pack = Pack::of(&[]);
    pack.root = "/a````b".to_owned();
    assert!(pack.write(PackFormat::Markdown, View::Tree).ends_with("\n\n`````text\n/a````b:\n`````"));
}

#[test]
fn each_class_without_a_body_has_its_sentence_or_its_gap() {
    let classes = [
        (Class::Text, "text", "Content withheld: it could not be inspected for secrets."),
        (Class::Binary, "binary", "Binary file: content omitted."),
        (Class::TooLarge, "too-large", "File too large to inspect: content withheld."),
        (Class::Unreadable, "unreadable", "File could not be read: content omitted."),
        (Class::AccessDenied, "access-denied", "Access denied: content omitted."),
        (Class::Missing, "missing", "File no longer exists: content omitted."),
        (Class::UnsupportedEncoding, "unsupported-encoding", "Unsupported text encoding: content omitted."),
    ];
    for (class, token, sentence) in classes {
        let pack = Pack::of(&[]).with("x.bin", class);
        let is_binary = class == Class::Binary;
        assert_eq!(
            pack.write(PackFormat::Text, View::Content),
            format!("Root: /srv/demo\n\nx.bin:\n\n[{sentence}]")
        );
        assert_eq!(
            pack.write(PackFormat::Markdown, View::Content),
            format!("# demo\n\nRoot: /srv/demo\n\n## `x.bin`\n\n*{sentence}*")
        );
        assert_eq!(
            pack.json(View::TreeContent)["files"],
            json!([{"path": "x.bin", "isBinary": is_binary, "classification": token, "content": null}])
        );
        let outline = xml_outline(&pack.write(PackFormat::Xml, View::TreeContent));
        let file = format!("file path=\"x.bin\" isBinary=\"{is_binary}\" classification=\"{token}\" /");
        assert!(outline.contains(&file), "{outline:?}");
    }
}

#[test]
fn an_omitted_file_is_followed_by_the_next_heading() {
    let mut pack = Pack::of(&[("a", "1")]).with("b.png", Class::Binary);
    pack.files.push(("c".to_owned(), Class::Text, Some("2\n".to_owned())));
    assert_eq!(
        pack.write(PackFormat::Text, View::Content),
        "Root: /srv/demo\n\na:\n\n1\n\nb.png:\n\n[Binary file: content omitted.]\n\nc:\n\n2"
    );
}

/// Everything that JSON and XML can say.
fn full() -> Pack {
    let mut pack = Pack::of(&[("docs/ä.md", "# Ä <&>\n"), ("z", "")]).with("logo.png", Class::Binary);
    pack.source = Some(Source {
        repository_url: "https://host.example/demo".to_owned(),
        branch: Some("main".to_owned()),
        commit: Some("c0ffee".to_owned()),
    });
    pack.selection = SelectionEcho {
        git_mode: "diff:a..b".to_owned(),
        exclusions: vec!["smart-ignore".to_owned(), "empty-folders".to_owned()],
        roots: vec!["docs".to_owned()],
        extensions: vec![".md".to_owned()],
        selected_paths: vec!["docs/ä.md".to_owned()],
    };
    pack.metrics = Metrics { files: 3, folders: 1, bytes: 1_000, characters: 8, estimated_tokens: 2 };
    let mut budget = Budget::new(5_000_000_000);
    budget.admit("docs/ä.md", 2);
    budget.admit("big", 6_000_000_000);
    pack.budget = Some(budget);
    pack.diagnostics.push(Diagnostic {
        code: "DPX-GIT-STATE-DELETED".to_owned(),
        severity: "warning",
        message: "gone".to_owned(),
        path: Some("old".to_owned()),
    });
    pack
}

#[test]
fn the_json_document_has_its_keys_in_order_and_two_spaces_a_level() {
    insta::assert_snapshot!(full().write(PackFormat::Json, View::TreeContent), @r##"
    {
      "schemaVersion": 1,
      "kind": "devprojex-context",
      "project": {
        "root": "/srv/demo",
        "name": "demo",
        "source": {
          "type": "git",
          "repositoryUrl": "https://host.example/demo",
          "branch": "main",
          "commit": "c0ffee"
        }
      },
      "selection": {
        "gitMode": "diff:a..b",
        "exclusions": [
          "smart-ignore",
          "empty-folders"
        ],
        "roots": [
          "docs"
        ],
        "extensions": [
          ".md"
        ],
        "selectedPaths": [
          "docs/ä.md"
        ]
      },
      "metrics": {
        "files": 3,
        "folders": 1,
        "bytes": 1000,
        "characters": 8,
        "estimatedTokens": 2
      },
      "tree": {
        "path": ".",
        "name": "demo",
        "type": "directory",
        "children": [
          {
            "path": "docs",
            "name": "docs",
            "type": "directory",
            "children": [
              {
                "path": "docs/ä.md",
                "name": "ä.md",
                "type": "file",
                "children": []
              }
            ]
          },
          {
            "path": "logo.png",
            "name": "logo.png",
            "type": "file",
            "children": []
          },
          {
            "path": "z",
            "name": "z",
            "type": "file",
            "children": []
          }
        ]
      },
      "files": [
        {
          "path": "docs/ä.md",
          "isBinary": false,
          "classification": "text",
          "content": "# Ä <&>\n"
        },
        {
          "path": "z",
          "isBinary": false,
          "classification": "text",
          "content": ""
        },
        {
          "path": "logo.png",
          "isBinary": true,
          "classification": "binary",
          "content": null
        }
      ],
      "tokenBudget": {
        "maximumEstimatedTokens": 5000000000,
        "includedFiles": 1,
        "skippedFiles": 1,
        "includedEstimatedTokens": 2,
        "skippedEstimatedTokens": 6000000000,
        "largestSkippedFiles": [
          {
            "path": "big",
            "estimatedTokens": 6000000000
          }
        ],
        "additionalSkippedFiles": 0
      },
      "diagnostics": [
        {
          "code": "DPX-GIT-STATE-DELETED",
          "severity": "warning",
          "message": "gone",
          "path": "old"
        }
      ],
      "fingerprint": "0123abcd"
    }
    "##);
}

#[test]
fn a_json_document_with_nothing_in_it_has_empty_lists() {
    insta::assert_snapshot!(Pack::of(&[]).write(PackFormat::Json, View::TreeContent), @r#"
    {
      "schemaVersion": 1,
      "kind": "devprojex-context",
      "project": {
        "root": "/srv/demo",
        "name": "demo"
      },
      "selection": {
        "gitMode": "gitignore",
        "exclusions": [],
        "roots": [],
        "extensions": [],
        "selectedPaths": []
      },
      "metrics": {
        "files": 0,
        "folders": 0,
        "bytes": 0,
        "characters": 0,
        "estimatedTokens": 0
      },
      "tree": {
        "path": ".",
        "name": "demo",
        "type": "directory",
        "children": []
      },
      "files": [],
      "diagnostics": [],
      "fingerprint": "0123abcd"
    }
    "#);
}

#[test]
fn the_xml_document_says_the_same() {
    insta::assert_snapshot!(full().write(PackFormat::Xml, View::TreeContent), @r##"
    <?xml version="1.0" encoding="utf-8"?>
    <devprojexContext schemaVersion="1" kind="devprojex-context">
      <project root="/srv/demo" name="demo">
        <source type="git" repositoryUrl="https://host.example/demo" branch="main" commit="c0ffee"/>
      </project>
      <selection gitMode="diff:a..b">
        <exclusions>
          <exclusion>smart-ignore</exclusion>
          <exclusion>empty-folders</exclusion>
        </exclusions>
        <roots>
          <root>docs</root>
        </roots>
        <extensions>
          <extension>.md</extension>
        </extensions>
        <selectedPaths>
          <path>docs/ä.md</path>
        </selectedPaths>
      </selection>
      <metrics files="3" folders="1" bytes="1000" characters="8" estimatedTokens="2"/>
      <tree>
        <directory path="." name="demo">
          <directory path="docs" name="docs">
            <file path="docs/ä.md" name="ä.md"/>
          </directory>
          <file path="logo.png" name="logo.png"/>
          <file path="z" name="z"/>
        </directory>
      </tree>
      <files>
        <file path="docs/ä.md" isBinary="false" classification="text">
          <content># Ä &lt;&amp;&gt;
    </content>
        </file>
        <file path="z" isBinary="false" classification="text">
          <content></content>
        </file>
        <file path="logo.png" isBinary="true" classification="binary"/>
      </files>
      <tokenBudget maximumEstimatedTokens="5000000000" includedFiles="1" skippedFiles="1" includedEstimatedTokens="2" skippedEstimatedTokens="6000000000" additionalSkippedFiles="0">
        <largestSkippedFiles>
          <file path="big" estimatedTokens="6000000000"/>
        </largestSkippedFiles>
      </tokenBudget>
      <diagnostics>
        <diagnostic code="DPX-GIT-STATE-DELETED" severity="warning" message="gone" path="old"/>
      </diagnostics>
      <fingerprint>0123abcd</fingerprint>
    </devprojexContext>
    "##);
}

#[test]
fn an_xml_document_with_nothing_in_it_has_empty_containers() {
    let mut pack = Pack::of(&[]);
    pack.budget = Some(Budget::new(1));
    insta::assert_snapshot!(pack.write(PackFormat::Xml, View::Content), @r#"
    <?xml version="1.0" encoding="utf-8"?>
    <devprojexContext schemaVersion="1" kind="devprojex-context">
      <project root="/srv/demo" name="demo"/>
      <selection gitMode="gitignore">
        <exclusions/>
        <roots/>
        <extensions/>
        <selectedPaths/>
      </selection>
      <metrics files="0" folders="0" bytes="0" characters="0" estimatedTokens="0"/>
      <tree/>
      <files/>
      <tokenBudget maximumEstimatedTokens="1" includedFiles="0" skippedFiles="0" includedEstimatedTokens="0" skippedEstimatedTokens="0" additionalSkippedFiles="0">
        <largestSkippedFiles/>
      </tokenBudget>
      <diagnostics/>
      <fingerprint>0123abcd</fingerprint>
    </devprojexContext>
    "#);
    let empty = Pack::of(&[]).write(PackFormat::Xml, View::Tree);
    assert!(empty.contains("  <tree>\n    <directory path=\".\" name=\"demo\"/>\n  </tree>\n"));
}

#[test]
fn content_views_of_json_and_xml_carry_whole_addresses() {
    for (root, address) in [
        ("/srv/demo", "/srv/demo/src/a.rs"),
        ("/", "/src/a.rs"),
        ("https://host.example/demo", "https://host.example/demo/src/a.rs"),
    ] {
        let mut pack = Pack::of(&[("src/a.rs", "x")]);
        pack.root = root.to_owned();
        let content = pack.json(View::Content);
        assert_eq!((&content["files"][0]["path"], &content["tree"]), (&json!(address), &Value::Null));
        assert!(
            pack.write(PackFormat::Xml, View::Content)
                .contains(&format!("<file path=\"{address}\" isBinary"))
        );
        assert_eq!(pack.json(View::TreeContent)["files"][0]["path"], "src/a.rs");
        assert!(pack.write(PackFormat::Xml, View::TreeContent).contains("<file path=\"src/a.rs\" isBinary"));
        assert!(pack.write(PackFormat::Markdown, View::Content).contains("\n\n## `src/a.rs`\n"));
        assert!(
            pack.write(PackFormat::Text, View::Content).starts_with(&format!("Root: {root}\n\nsrc/a.rs:\n"))
        );
    }
}

#[test]
fn the_budget_changes_neither_metrics_nor_tree() {
    let (mut with, without) = (full(), full());
    with.files.pop();
    let (with, without) = (with.json(View::Content), without.json(View::Content));
    assert_eq!(with["metrics"], without["metrics"]);
    assert_ne!(with["files"], without["files"]);
}

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
