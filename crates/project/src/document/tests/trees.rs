//! The tree alone, sentence by sentence.

use super::*;

const ROOT: &str = "/srv/demo";
const LINES: usize = crate::limits::TREE_LINES_MAX;
const FORMATS: [TreeFormat; 4] = [TreeFormat::Markdown, TreeFormat::Text, TreeFormat::Json, TreeFormat::Xml];

fn demo() -> Tree {
    Tree::new(["Cargo.toml", "docs/intro.md", "src/app.rs", "src/lib.rs"], ["docs"])
}

fn render(tree: &Tree, format: TreeFormat) -> String {
    let document = tree_document(tree, ROOT, format, None, LINES).unwrap();
    assert_eq!(document.trailer, None);
    document.text
}

fn render_to(tree: &Tree, format: TreeFormat, max_depth: u32) -> String {
    tree_document(tree, ROOT, format, Some(max_depth), LINES).unwrap().text
}

#[test]
fn the_text_sample() {
    insta::assert_snapshot!(render(&demo(), TreeFormat::Text), @"
    /srv/demo:
    ├── docs
    │   └── intro.md
    ├── src
    │   ├── app.rs
    │   └── lib.rs
    └── Cargo.toml
    ");
}

#[test]
fn the_markdown_sample() {
    insta::assert_snapshot!(render(&demo(), TreeFormat::Markdown), @"
    Root: /srv/demo

    - docs/
      - intro.md
    - src/
      - app.rs
      - lib.rs
    - Cargo.toml
    ");
}

#[test]
fn the_json_sample_with_one_item_a_line() {
    insta::assert_snapshot!(render(&demo(), TreeFormat::Json), @r#"
    {
      "rootPath": "/srv/demo",
      "tree": {
        "docs": [
          "intro.md"
        ],
        "src": [
          "app.rs",
          "lib.rs"
        ],
        "/": [
          "Cargo.toml"
        ]
      }
    }
    "#);
}

#[test]
fn the_xml_sample() {
    insta::assert_snapshot!(render(&demo(), TreeFormat::Xml), @r#"
    <t r="/srv/demo">
      <d n="docs">
        <f>intro.md</f>
      </d>
      <d n="src">
        <f>app.rs</f>
        <f>lib.rs</f>
      </d>
      <f>Cargo.toml</f>
    </t>
    "#);
}

#[test]
fn the_last_folder_carries_no_line_into_its_children() {
    let tree = Tree::new(["a/b/c/d", "a/b/e", "z/y"], ["z/x"]);
    insta::assert_snapshot!(render(&tree, TreeFormat::Text), @"
    /srv/demo:
    ├── a
    │   └── b
    │       ├── c
    │       │   └── d
    │       └── e
    └── z
        ├── x
        └── y
    ");
}

#[test]
fn json_tells_folders_with_and_without_subfolders_apart() {
    let tree = Tree::new(["a/b/c", "a/d", "e/f/g"], ["empty", "e/none"]);
    let document = render(&tree, TreeFormat::Json);
    insta::assert_snapshot!(document, @r#"
    {
      "rootPath": "/srv/demo",
      "tree": {
        "a": {
          "b": [
            "c"
          ],
          "/": [
            "d"
          ]
        },
        "e": {
          "f": [
            "g"
          ],
          "none": []
        },
        "empty": []
      }
    }
    "#);
    let parsed: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(serde_json::to_string_pretty(&parsed).unwrap().lines().count(), document.lines().count());
}

#[test]
fn the_top_level_of_json_is_an_object_even_without_folders() {
    let parsed: Value =
        serde_json::from_str(&render(&Tree::new(["b", "a"], [""; 0]), TreeFormat::Json)).unwrap();
    assert_eq!(parsed, json!({"rootPath": ROOT, "tree": {"/": ["a", "b"]}}));
}

#[test]
fn an_empty_selection_is_the_address_alone() {
    let empty = Tree::new([""; 0], [""; 0]);
    for max_depth in [None, Some(0), Some(3)] {
        let document = |format| tree_document(&empty, ROOT, format, max_depth, LINES).unwrap().text;
        assert_eq!(document(TreeFormat::Text), "/srv/demo:");
        assert_eq!(document(TreeFormat::Markdown), "Root: /srv/demo");
        assert_eq!(document(TreeFormat::Json), "{\n  \"rootPath\": \"/srv/demo\",\n  \"tree\": {}\n}");
        assert_eq!(document(TreeFormat::Xml), "<t r=\"/srv/demo\"/>");
    }
}

#[test]
fn max_depth_zero_is_the_root_alone_and_pruned_folders_stay_empty() {
    let (tree, empty) = (demo(), Tree::new([""; 0], [""; 0]));
    let pruned = Tree::new(["Cargo.toml"], ["docs", "src"]);
    for format in FORMATS {
        assert_eq!(render_to(&tree, format, 0), render(&empty, format));
        assert_eq!(render_to(&tree, format, 1), render(&pruned, format));
        assert_eq!(render_to(&tree, format, 2), render(&tree, format));
    }
    insta::assert_snapshot!(render_to(&tree, TreeFormat::Xml, 1), @r#"
    <t r="/srv/demo">
      <d n="docs"/>
      <d n="src"/>
      <f>Cargo.toml</f>
    </t>
    "#);
    assert!(render_to(&tree, TreeFormat::Text, 1).contains("├── docs\n├── src\n└── Cargo.toml"));
    let nested = Tree::new(["a/b/c"], [""; 0]);
    let parsed: Value = serde_json::from_str(&render_to(&nested, TreeFormat::Json, 1)).unwrap();
    assert_eq!(parsed["tree"], json!({"a": []}));
    let parsed: Value = serde_json::from_str(&render_to(&nested, TreeFormat::Json, 2)).unwrap();
    assert_eq!(parsed["tree"], json!({"a": {"b": []}}));
}

#[test]
fn the_root_of_a_file_system_and_a_url_are_addresses_like_any_other() {
    let tree = Tree::new(["a_b"], [""; 0]);
    let document = |root, format| tree_document(&tree, root, format, None, LINES).unwrap().text;
    assert_eq!(document("/", TreeFormat::Text), "/:\n└── a_b");
    assert_eq!(
        document("https://host.example/a_b", TreeFormat::Markdown),
        "Root: https://host.example/a\\_b\n\n- a\\_b"
    );
    assert_eq!(document("/x\n<", TreeFormat::Text), "/x\\n<:\n└── a_b");
    assert_eq!(document("/x\"<", TreeFormat::Xml), "<t r=\"/x&quot;&lt;\">\n  <f>a_b</f>\n</t>");
}

fn flat(files: usize) -> Tree {
    Tree::new((0..files).map(|file| format!("f{file:05}")), [""; 0])
}

#[test]
fn two_thousand_lines_are_whole_and_one_more_is_cut_in_the_human_formats() {
    for (format, head) in [(TreeFormat::Text, 1), (TreeFormat::Markdown, 2)] {
        for files in [LINES - head - 1, LINES - head] {
            let document = tree_document(&flat(files), ROOT, format, None, LINES).unwrap();
            assert_eq!((document.text.lines().count(), document.trailer), (files + head, None));
        }
        let whole = render(&flat(LINES - head), format);
        let document = tree_document(&flat(LINES - head + 1), ROOT, format, None, LINES).unwrap();
        assert_eq!(document.text.lines().count(), LINES);
        assert_eq!(document.text.replace("├── f01998", "└── f01998"), whole);
        assert!(!document.text.ends_with('\n'));
        assert_eq!(
            document.trailer.unwrap(),
            "[Tree truncated after 2000 of 2001 lines; narrow it with include_patterns or exclude_patterns, or \
             lower max_depth]"
        );
    }
}

#[test]
fn the_trailer_counts_only_the_levels_that_were_asked_for() {
    let tree = Tree::new((0..3_000).map(|at| format!("d{at}/x")), [""; 0]);
    let document = tree_document(&tree, ROOT, TreeFormat::Markdown, Some(1), LINES).unwrap();
    assert!(document.trailer.unwrap().starts_with("[Tree truncated after 2000 of 3002 lines;"));
    let document = tree_document(&tree, ROOT, TreeFormat::Text, None, LINES).unwrap();
    assert!(document.trailer.unwrap().starts_with("[Tree truncated after 2000 of 6001 lines;"));
}

#[test]
fn two_thousand_lines_are_whole_and_one_more_is_an_error_in_json_and_xml() {
    // JSON: brace, root, tree, "/", items, and four closing lines; XML: the root's two tags.
    for (format, head) in [(TreeFormat::Json, 7), (TreeFormat::Xml, 2)] {
        for files in [LINES - head - 1, LINES - head] {
            assert_eq!(render(&flat(files), format).lines().count(), files + head);
        }
        let fault = tree_document(&flat(LINES - head + 1), ROOT, format, None, LINES).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "DPX-MCP-PAYLOAD-TRUNCATED: the tree has more than 2000 lines in this format; narrow it with \
             include_patterns or exclude_patterns, or lower max_depth, or use format markdown or text, which return \
             the first lines"
        );
        assert!(tree_document(&flat(LINES), ROOT, format, Some(0), LINES).is_ok());
    }
}

#[test]
fn hostile_names_stay_one_line_each_in_every_format() {
    let tree = Tree::new(HOSTILE.iter().map(|name| format!("dir {name}/{name}")), [""; 0]);
    let nodes = 2 * HOSTILE.len();
    for format in FORMATS {
        let document = render(&tree, format);
        assert!(!has_raw_controls(&document), "{document}");
    }
    assert_eq!(render(&tree, TreeFormat::Text).lines().count(), 1 + nodes);
    assert_eq!(render(&tree, TreeFormat::Markdown).lines().count(), 2 + nodes);
    assert_eq!(render(&tree, TreeFormat::Xml).lines().count(), 2 + nodes + HOSTILE.len());
}

#[test]
fn hostile_names_come_back_from_json_and_xml() {
    let tree = Tree::new(HOSTILE, [""; 0]);
    let parsed: Value = serde_json::from_str(&render(&tree, TreeFormat::Json)).unwrap();
    let mut names: Vec<&str> =
        parsed["tree"]["/"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let mut expected = HOSTILE.to_vec();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);

    let mut names: Vec<String> = xml_outline(&render(&tree, TreeFormat::Xml))
        .into_iter()
        .filter(|line| line.starts_with('='))
        .collect();
    let mut expected: Vec<String> = HOSTILE
        .iter()
        .map(|name| format!("= {:?}", name.replace(['\u{7}', '\u{1b}', '\u{ffff}'], "\u{fffd}")))
        .collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn hostile_names_are_literal_list_items_for_a_markdown_reader() {
    for name in HOSTILE.iter().filter(|name| !name.starts_with(' ')) {
        let tree = Tree::new([format!("{name}/{name}")], [""; 0]);
        let document = render(&tree, TreeFormat::Markdown);
        let (mut items, mut text) = (Vec::new(), String::new());
        for event in Parser::new(&document) {
            match event {
                Event::Text(piece) => text.push_str(&piece),
                Event::Start(Tag::Item | Tag::List(_)) | Event::End(TagEnd::Item) => {
                    items.extend((!text.is_empty()).then(|| std::mem::take(&mut text)));
                }
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph | TagEnd::List(_)) => {}
                other => panic!("{name:?} became {other:?}"),
            }
        }
        let line = crate::escape::visible(name);
        assert_eq!(items, ["Root: /srv/demo".to_owned(), format!("{line}/"), line]);
    }
}

fn addresses() -> impl Strategy<Value = Vec<String>> {
    let name =
        prop_oneof![prop::sample::select(HOSTILE).prop_map(str::to_owned), "[a-cA-C]{1,2}", "[^/\0]{1,4}"]
            // No entry of a folder has these names, and an address without them is another address.
            .prop_filter("not a name", |name: &String| name != "." && name != "..");
    let address = prop::collection::vec(name, 1..5).prop_map(|names| names.join("/"));
    // No file may be a folder of another.
    prop::collection::btree_set(address, 0..20).prop_map(|set| {
        let all: Vec<String> = set.into_iter().collect();
        all.iter()
            .filter(|file| !all.iter().any(|other| other.starts_with(&format!("{file}/"))))
            .cloned()
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_shows_every_node_once(files in addresses(), max_depth in prop::option::of(0_u32..5)) {
        let tree = Tree::new(&files, [""; 0]);
        let nodes = usize::try_from(tree.nodes_within(max_depth)).unwrap();
        let document = |format| tree_document(&tree, ROOT, format, max_depth, LINES).unwrap().text;
        prop_assert_eq!(document(TreeFormat::Text).lines().count(), 1 + nodes);
        let blank = usize::from(nodes > 0);
        prop_assert_eq!(document(TreeFormat::Markdown).lines().count(), 1 + blank + nodes);
        let outline = xml_outline(&document(TreeFormat::Xml));
        let elements = outline.iter().filter(|line| line.starts_with("d ") || *line == "f").count();
        prop_assert_eq!(elements, nodes);
        let json = document(TreeFormat::Json);
        let parsed: Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(count(&parsed["tree"]), nodes);
        prop_assert_eq!(serde_json::to_string_pretty(&parsed).unwrap().lines().count(), json.lines().count());
    }
}

/// Nodes below a folder of the JSON tree.
fn count(folder: &Value) -> usize {
    match folder {
        Value::Array(files) => files.len(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| count(value) + usize::from(key != "/")).sum()
        }
        _ => panic!("{folder}"),
    }
}
