//! The layout of packs, sentence by sentence.

use super::*;

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
