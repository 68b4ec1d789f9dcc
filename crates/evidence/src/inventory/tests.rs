//! What is eligible, what is passed over, and each bound of a traversal: one below, at, one above.

use std::os::unix::net::UnixListener;
use std::sync::Mutex;
use std::time::Duration;

use fault::Unwatched;
use redact::sample::Dice;
use serde_json::{Value, json};
use testkit::Tree;

use crate::policy::tests::EXCLUDED;
use crate::trial::{
    Meddling, Shuffled, inventory, inventory_text, open, paths, read, refusal, search, search_text, ticking,
};

#[test]
fn files_stand_in_the_order_of_their_paths_with_their_sizes() {
    let tree = Tree::new("b/x: 12\na-b: 1\na/z: \na/b/c: 123\na.txt: 1\na0: 1");
    tree.file("\u{E000}", "").file("\u{1F600}", "").file("é", "");
    let answer = inventory(&open(&tree));
    assert_eq!(
        paths(&answer["files"]),
        ["a-b", "a.txt", "a/b/c", "a/z", "a0", "b/x", "é", "\u{1F600}", "\u{E000}"]
    );
    assert_eq!(answer["files"][2], json!({"path": "a/b/c", "bytes": 3}));
    assert_eq!(answer["incomplete"], false);
    assert_eq!((&answer["reasons"], &answer["skipped"]), (&json!([]), &json!({})));
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["files", "incomplete", "reasons", "skipped"]);
}

#[test]
fn nothing_undoes_an_exclusion() {
    let tree = Tree::new("seen.txt: needle");
    let mut negations = String::from("!*\n");
    let mut places = Vec::new();
    for name in EXCLUDED.iter().filter(|name| !name.ends_with('.')) {
        for place in
            [(*name).to_owned(), name.to_uppercase(), format!("sub/{name}"), format!("sub/Deep/{name}")]
        {
            negations += &format!("!{name}\n!{place}\n!/{place}\n!{place}/**\n");
            places.push(place);
        }
    }
    for place in &places {
        // As a file in one tree of folders, and as a folder with a file in the other.
        tree.file(&format!("files/{place}"), "needle").file(&format!("folders/{place}/inner.txt"), "needle");
    }
    tree.file(".gitignore", &negations).file(".contextignore", &negations);
    let evidence = open(&tree);
    let answer = inventory(&evidence);
    assert_eq!(paths(&answer["files"]), [".contextignore", ".gitignore", "seen.txt"]);
    assert_eq!(answer["incomplete"], false);
    assert_eq!(paths(&search(&evidence, &["needle"])["hits"]), ["seen.txt"]);
    for place in &places {
        for path in [format!("files/{place}"), format!("folders/{place}/inner.txt")] {
            let answer = read(&evidence, &path, 1, 1);
            assert_eq!(answer["error"]["code"], "EVD-PATH-DENIED", "{path}");
            let said = answer["error"]["message"].as_str().unwrap();
            assert!(said.starts_with("a default exclusion"), "{path}: {said}");
        }
    }
}

#[test]
fn the_ignore_files_of_the_root_count_and_only_those() {
    let tree = Tree::new(
        ".gitignore: *.log\\nprivate-data/\\n/only-here.txt\n
         .contextignore: !keep.log\\ncustomer-export.csv\\n!private-data/x\n
         a.log: needle\nkeep.log: needle\nsub/a.log: needle\nsub/keep.log: needle\nprivate-data/x: needle\n
         sub/private-data/x: needle\nonly-here.txt: needle\nsub/only-here.txt: needle\ncustomer-export.csv: needle\n
         sub/.gitignore: shown.txt\nsub/shown.txt: needle\nsub/private-data.txt: needle",
    );
    let evidence = open(&tree);
    let seen = ["keep.log", "sub/keep.log", "sub/only-here.txt", "sub/private-data.txt", "sub/shown.txt"];
    assert_eq!(paths(&search(&evidence, &["needle"])["hits"]), seen);
    for path in
        ["a.log", "sub/a.log", "private-data/x", "sub/private-data/x", "only-here.txt", "customer-export.csv"]
    {
        assert_eq!(refusal(&evidence, path), "EVD-PATH-DENIED", "{path}");
        let said = read(&evidence, path, 1, 1)["error"]["message"].as_str().unwrap().to_owned();
        assert!(said.starts_with("an ignore rule"), "{path}: {said}");
    }
    // An ignored path is refused whether it is there or not.
    assert_eq!(refusal(&evidence, "no/such.log"), "EVD-PATH-DENIED");
    assert_eq!(refusal(&evidence, "no/such.txt"), "EVD-PATH-NOT-FOUND");
    // They are read once, at the start.
    tree.file(".gitignore", "").file(".contextignore", "");
    assert_eq!(refusal(&evidence, "a.log"), "EVD-PATH-DENIED");
    assert_eq!(read(&open(&tree), "a.log", 1, 1)["lines"][0]["text"], "needle");
}

#[test]
fn what_is_no_plain_file_is_counted_and_neither_listed_nor_read() {
    let tree = Tree::new(
        "a.txt: needle\ntwo: needle\nsub/real.txt: needle\nlink -> a.txt\nfolder -> sub\nnowhere -> nope",
    );
    std::fs::hard_link(tree.path("two"), tree.path("sub/three")).unwrap();
    std::fs::write(tree.scratch().join("outside"), "needle").unwrap();
    tree.link("out", tree.scratch().join("outside"))
        .link("zero", "/dev/zero")
        .link("proc", "/proc/self/environ");
    tree.fifo("pipe").fifo("sub/pipe.txt");
    let socket = UnixListener::bind(tree.path("socket")).unwrap();
    let evidence = open(&tree);
    let skipped = json!({"multiLink": 2, "special": 3, "link": 6});
    let answer = inventory(&evidence);
    assert_eq!(paths(&answer["files"]), ["a.txt", "sub/real.txt"]);
    assert_eq!((&answer["skipped"], &answer["reasons"]), (&skipped, &json!(["files_skipped"])));
    let answer = search(&evidence, &["needle"]);
    assert_eq!(paths(&answer["hits"]), ["a.txt", "sub/real.txt"]);
    assert_eq!((&answer["skipped"], &answer["reasons"]), (&skipped, &json!(["files_skipped"])));
    for (path, said) in [
        ("two", "several links"),
        ("sub/three", "several links"),
        ("link", "link"),
        ("folder/real.txt", "link"),
        ("nowhere", "link"),
        ("out", "link"),
        ("zero", "link"),
        ("proc", "link"),
        ("pipe", "pipe"),
        ("sub/pipe.txt", "pipe"),
        ("socket", "socket"),
        ("sub", "directory"),
    ] {
        let answer = read(&evidence, path, 1, 1);
        assert_eq!(answer["error"]["code"], "EVD-PATH-DENIED", "{path}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{path}: {answer}");
    }
    drop(socket);
}

#[test]
fn links_pipes_and_sockets_alone_do_not_make_an_answer_incomplete() {
    let tree = Tree::new("a.txt: x\nlink -> a.txt");
    tree.fifo("pipe").bytes("binary", b"a\0b");
    tree.bytes_at(b"\xFF.txt", b"needle");
    tree.file("nul.txt", "needle").file("sub/a:b", "needle").file("end. ", "needle");
    let answer = search(&open(&tree), &["needle"]);
    assert_eq!(answer["incomplete"], false, "{answer}");
    assert_eq!(answer["skipped"], json!({"binary": 1, "special": 1, "link": 1, "name": 4}));
}

#[test]
fn a_folder_whose_name_nobody_can_ask_for_is_counted_once_and_not_entered() {
    let tree = Tree::new("aux/a: needle\naux/b: needle\nok/a: needle");
    let answer = search(&open(&tree), &["needle"]);
    assert_eq!(paths(&answer["hits"]), ["ok/a"]);
    assert_eq!(answer["skipped"], json!({"name": 1}));
}

#[test]
fn four_thousand_entries_are_looked_at_and_one_more_is_not() {
    let tree = Tree::new("z.txt: needle");
    // Excluded names count as entries and not as files.
    for number in 0..3_997 {
        std::fs::write(tree.path(&format!("a{number:04}.key")), "").unwrap();
    }
    let evidence = open(&tree);
    for (more, complete) in [("b1.key", true), ("b2.key", true), ("b3.key", false)] {
        tree.file(more, "");
        let answer = inventory(&evidence);
        assert_eq!(paths(&answer["files"]).is_empty(), !complete, "{more}");
        let reasons = if complete { json!([]) } else { json!(["entry_limit"]) };
        assert_eq!((&answer["incomplete"], &answer["reasons"]), (&json!(!complete), &reasons), "{more}");
    }
    assert_eq!(search(&evidence, &["needle"])["reasons"], json!(["entry_limit"]));
    // What a traversal counts does not limit a read.
    assert_eq!(read(&evidence, "z.txt", 1, 1)["lines"][0]["text"], "needle");
}

#[test]
fn entries_of_excluded_folders_are_not_looked_at() {
    let tree = Tree::new("node_modules/x/y/z: needle\na.txt: x");
    for number in 0..4_100 {
        std::fs::write(tree.path(&format!("node_modules/{number}")), "").unwrap();
    }
    assert_eq!(inventory(&open(&tree))["incomplete"], false);
}

#[test]
fn a_thousand_files_are_eligible_and_one_more_is_not() {
    let tree = Tree::new("");
    for number in 0..999 {
        std::fs::write(tree.path(&format!("f{number:04}")), "needle").unwrap();
    }
    let evidence = open(&tree);
    for (more, files, complete) in [("f0999", 1_000, true), ("g", 1_000, false)] {
        tree.file(more, "last");
        let answer = search(&evidence, &["last"]);
        assert_eq!(answer["searched"]["files"], files, "{more}");
        assert_eq!(answer["incomplete"], !complete, "{more} {answer}");
        let reasons = if complete { json!([]) } else { json!(["file_limit"]) };
        assert_eq!(answer["reasons"], reasons);
    }
    // Names that are no eligible files do not count.
    tree.remove("g").fifo("h").link("i", "f0001").file("x.key", "");
    assert_eq!(search(&evidence, &["last"])["incomplete"], false);
}

#[test]
fn names_at_level_32_are_seen_and_a_folder_there_is_not_entered() {
    let folders = |levels: usize| vec!["d"; levels].join("/");
    for (levels, complete) in [(30, true), (31, true), (32, false)] {
        let tree = Tree::new("");
        let path = format!("{}/f", folders(levels));
        tree.file(&path, "needle");
        let evidence = open(&tree);
        let answer = search(&evidence, &["needle"]);
        assert_eq!(paths(&answer["hits"]).len(), usize::from(complete), "{levels}");
        let reasons = if complete { json!([]) } else { json!(["depth_limit"]) };
        assert_eq!(answer["reasons"], reasons, "{levels}");
        if complete {
            assert_eq!(read(&evidence, &path, 1, 1)["lines"][0]["text"], "needle");
        } else {
            assert_eq!(refusal(&evidence, &path), "EVD-PATH-DENIED");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_listed_is_told() {
    let tree = Tree::new("locked/a: needle\nb: needle");
    tree.mode("locked", 0);
    if !tree.permissions_hold() {
        return;
    }
    let answer = search(&open(&tree), &["needle"]);
    assert_eq!(paths(&answer["hits"]), ["b"]);
    assert_eq!(answer["reasons"], json!(["directory_unreadable"]));
}

#[test]
fn rows_stop_before_14_000_bytes() {
    let tree = Tree::new("");
    // 100 files of 140 bytes a row with its separator: exactly the budget.
    let name = |number: usize, bytes: usize| {
        let row = "{\"path\":\"\",\"bytes\":0}".len();
        format!("{number:03}{}", "n".repeat(bytes - 1 - row - 3))
    };
    for number in 0..99 {
        std::fs::write(tree.path(&name(number, 140)), "").unwrap();
    }
    let evidence = open(&tree);
    for (bytes, complete) in [(139, true), (140, true), (141, false)] {
        let last = name(999, bytes);
        tree.file(&last, "");
        let text = inventory_text(&evidence, &Unwatched);
        assert!(text.len() < 16_000);
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(paths(&answer["files"]).len(), 99 + usize::from(complete), "{bytes}");
        let reasons = if complete { json!([]) } else { json!(["output_limit"]) };
        assert_eq!(answer["reasons"], reasons, "{bytes}");
        tree.remove(&last);
    }
}

#[test]
fn answers_are_the_same_bytes_again_and_in_any_order_of_folders() {
    let tree = Tree::new("");
    let mut dice = Dice::new(5);
    for number in 0..300 {
        let folder = ["", "a/", "a-b/", "a/b/", "\u{E000}/", "\u{1F600}/", "z.d/"][number % 7];
        let text = format!("needle {}\nother hay\n", dice.below(3));
        tree.file(&format!("{folder}{}", dice.chars("abAB01-_.é\u{E001}\u{1F601}", 6) + "x"), &text);
    }
    let evidence = open(&tree);
    let list = inventory_text(&evidence, &Unwatched);
    let found = search_text(&evidence, &["needle", "hay", "2"], &Unwatched);
    assert_eq!(inventory_text(&evidence, &Unwatched), list);
    assert_eq!(search_text(&evidence, &["needle", "hay", "2"], &Unwatched), found);
    for seed in 0..5 {
        let shuffled = open(&tree).with(Some(Box::new(Shuffled(Mutex::new(Dice::new(seed))))), None);
        assert_eq!(inventory_text(&shuffled, &Unwatched), list);
        assert_eq!(search_text(&shuffled, &["2", "hay", "needle", "hay"], &Unwatched), found);
    }
    let files: Vec<String> = paths(&inventory(&evidence)["files"]);
    assert!(files.is_sorted_by(|a, b| a.encode_utf16().lt(b.encode_utf16())));
}

#[test]
fn the_time_of_a_call_ends_a_traversal_and_is_told() {
    let tree = Tree::new("a: x\nb: x\nc: x\nd: x\ne: x\nf: x\ng: x\nh: x");
    let evidence = open(&tree).with(None, Some(ticking(Duration::from_millis(700))));
    let answer = inventory(&evidence);
    assert_eq!(answer["reasons"], json!(["time_limit"]));
    let files = paths(&answer["files"]).len();
    assert!((1..8).contains(&files), "{files}");
}

#[test]
fn a_call_that_was_taken_back_gives_no_answer() {
    let tree = Tree::new("a: x");
    let evidence = open(&tree);
    let gone = Meddling(|| true);
    assert_eq!(inventory_text(&evidence, &gone), "cancelled");
    assert_eq!(search_text(&evidence, &["x"], &gone), "cancelled");
}

#[test]
fn a_file_that_goes_between_its_name_and_its_look_is_changed() {
    let tree = Tree::new("a: x\nb: x\nc: x");
    let evidence = open(&tree);
    // The names are listed before the first entry is judged.
    let looks = std::sync::atomic::AtomicUsize::new(0);
    let meddling = Meddling(|| {
        if looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 3 {
            tree.remove("b").remove("c").link("c", "a");
        }
        false
    });
    let answer: Value = serde_json::from_str(&inventory_text(&evidence, &meddling)).unwrap();
    assert_eq!(paths(&answer["files"]), ["a"]);
    assert_eq!(answer["skipped"], json!({"changed": 1, "link": 1}));
    assert_eq!(answer["reasons"], json!(["files_skipped"]));
}
