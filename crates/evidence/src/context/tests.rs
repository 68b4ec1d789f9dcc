//! Order, bounds, secrets and gaps of a search.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fault::Unwatched;
use serde_json::{Value, json};
use testkit::Tree;

use crate::limits::{CANDIDATES_MAX, FILE_BYTES_MAX, SEARCH_BYTES_MAX};
use crate::trial::{Meddling, exact, json, open, paths, read, search, search_text, ticking, token};

fn places(answer: &Value) -> Vec<String> {
    let row = |hit: &Value| format!("{}:{}={}", hit["path"].as_str().unwrap(), hit["line"], hit["score"]);
    answer["hits"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn hits_are_ordered_by_score_then_path_then_line() {
    let tree = Tree::new(
        r"b.txt: one two\none\n
                           a.txt: one\ntwo\none two three\n
                           a/z.txt: two one\n
                           a-z.txt: one\n",
    );
    tree.file("\u{E000}.txt", "one").file("\u{1F600}.txt", "one");
    let answer = search(&open(&tree), &["one", "two", "three", "one"]);
    assert_eq!(
        places(&answer),
        [
            "a.txt:3=3",
            "a/z.txt:1=2",
            "b.txt:1=2",
            "a-z.txt:1=1",
            "a.txt:1=1",
            "a.txt:2=1",
            "b.txt:2=1",
            "\u{1F600}.txt:1=1",
            "\u{E000}.txt:1=1",
        ]
    );
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hits", "incomplete", "reasons", "searched", "skipped", "candidates"]);
    assert_eq!(
        answer["hits"][0],
        json!({"path": "a.txt", "line": 3, "score": 3, "snippet": "one two three", "clipped": false})
    );
    assert_eq!((&answer["candidates"], &answer["incomplete"]), (&json!(9), &json!(false)));
    let bytes: usize = [12, 22, 8, 4, 3, 3].iter().sum();
    assert_eq!(answer["searched"], json!({"files": 6, "bytes": bytes}));
}

#[test]
fn forty_hits_are_returned_and_one_more_is_told() {
    for (lines, complete) in [(39, true), (40, true), (41, false)] {
        let tree = Tree::new("");
        tree.file("a.txt", &"x\n".repeat(lines));
        let answer = search(&open(&tree), &["x"]);
        assert_eq!(answer["hits"].as_array().unwrap().len(), lines.min(40), "{lines}");
        assert_eq!(answer["candidates"], lines);
        let reasons = if complete { json!([]) } else { json!(["hit_limit"]) };
        assert_eq!((&answer["reasons"], &answer["incomplete"]), (&reasons, &json!(!complete)), "{lines}");
    }
}

#[test]
fn a_thousand_candidates_are_collected_and_input_left_behind_them_is_told() {
    for (lines, reasons) in [
        (999, json!(["hit_limit"])),
        (1_000, json!(["hit_limit"])),
        (1_001, json!(["candidate_limit", "hit_limit"])),
    ] {
        let tree = Tree::new("");
        tree.file("a.txt", &"x\n".repeat(lines));
        let answer = search(&open(&tree), &["x"]);
        assert_eq!(answer["candidates"], lines.min(CANDIDATES_MAX), "{lines}");
        assert_eq!(answer["reasons"], reasons, "{lines}");
        assert_eq!(answer["searched"]["files"], 1);
    }
}

#[test]
fn what_follows_the_thousandth_candidate_is_left_even_when_nothing_matches_there() {
    let reasons = |last: &str, other: bool| {
        let tree = Tree::new("");
        tree.file("a.txt", &("x\n".repeat(999) + last));
        if other {
            tree.file("b.txt", "nothing");
        }
        search(&open(&tree), &["x"])["reasons"].clone()
    };
    assert_eq!(reasons("x", false), json!(["hit_limit"]));
    assert_eq!(reasons("x\n", false), json!(["hit_limit"]));
    assert_eq!(reasons("x\ny", false), json!(["candidate_limit", "hit_limit"]));
    assert_eq!(reasons("x", true), json!(["candidate_limit", "hit_limit"]));
}

#[test]
fn the_best_lines_may_come_late_and_are_still_first() {
    let tree = Tree::new("");
    tree.file("a.txt", &"x\n".repeat(500)).file("z.txt", "x y");
    assert_eq!(places(&search(&open(&tree), &["x", "y"]))[0], "z.txt:1=2");
}

#[test]
fn a_file_of_256_kib_is_searched_and_a_larger_one_is_counted() {
    for (bytes, complete) in [(FILE_BYTES_MAX - 1, true), (FILE_BYTES_MAX, true), (FILE_BYTES_MAX + 1, false)]
    {
        let tree = Tree::new("");
        let mut text = "hay hay\n".repeat(FILE_BYTES_MAX as usize / 8 - 1);
        text += &"-".repeat(bytes as usize - text.len() - 6);
        tree.file("a.txt", &(text + "needle"));
        let evidence = open(&tree);
        let answer = search(&evidence, &["needle"]);
        assert_eq!(answer["candidates"], u64::from(complete), "{bytes}");
        let (skipped, reasons) = if complete {
            (json!({}), json!([]))
        } else {
            (json!({"tooLarge": 1}), json!(["files_skipped"]))
        };
        assert_eq!((&answer["skipped"], &answer["reasons"]), (&skipped, &reasons));
        assert_eq!(answer["searched"]["bytes"], if complete { bytes } else { 0 });
        let inventory = crate::trial::inventory(&evidence);
        assert_eq!(inventory["files"][0]["bytes"], bytes, "its name is eligible");
        assert_eq!(inventory["incomplete"], false);
        let read = read(&evidence, "a.txt", 1, 1);
        assert_eq!(read["error"]["code"], if complete { Value::Null } else { json!("EVD-TOO-LARGE") });
    }
}

#[test]
fn no_file_is_begun_once_8_mib_were_read() {
    let full = "hay hay\n".repeat(FILE_BYTES_MAX as usize / 8);
    for (short, others, searched, complete) in [
        // One byte short of the threshold: one more file is read, whatever its size.
        (1, 1, SEARCH_BYTES_MAX - 1 + FILE_BYTES_MAX, true),
        (1, 2, SEARCH_BYTES_MAX - 1 + FILE_BYTES_MAX, false),
        // At the threshold: complete when nothing is left, else not.
        (0, 0, SEARCH_BYTES_MAX, true),
        (0, 1, SEARCH_BYTES_MAX, false),
    ] {
        let tree = Tree::new("");
        for number in 0..32 {
            let cut = if number == 31 { full.len() - short } else { full.len() };
            tree.file(&format!("a{number:02}"), &full[..cut]);
        }
        for number in 0..others {
            tree.file(&format!("b{number}"), &full);
        }
        let answer = search(&exact(&tree), &["needle"]);
        assert_eq!(answer["searched"]["bytes"], searched, "{short} {others}");
        let reasons = if complete { json!([]) } else { json!(["content_limit"]) };
        assert_eq!(answer["reasons"], reasons, "{short} {others}");
        assert_eq!(
            search(&open(&tree), &["needle"]),
            answer,
            "redaction changes nothing where there is no secret"
        );
    }
}

#[test]
fn bytes_of_files_that_are_no_text_count_toward_what_is_read() {
    let tree = Tree::new("");
    for number in 0..32 {
        tree.bytes(&format!("a{number:02}"), &vec![0; FILE_BYTES_MAX as usize]);
    }
    tree.file("b", "needle").sparse("aa", FILE_BYTES_MAX + 1);
    let answer = search(&open(&tree), &["needle"]);
    assert_eq!(answer["searched"], json!({"files": 0, "bytes": 0}));
    assert_eq!(answer["skipped"], json!({"binary": 32}));
    assert_eq!(answer["reasons"], json!(["content_limit"]));
}

#[test]
fn terms_have_their_bounds() {
    let tree = Tree::new("a.txt: x");
    let evidence = open(&tree);
    let code = |terms: &[&str]| search(&evidence, terms)["error"]["code"].clone();
    let long = |chars: usize| "é".repeat(chars);
    assert_eq!(code(&[]), "EVD-INVALID-ARGUMENTS");
    for (count, refused) in [(1, false), (11, false), (12, false), (13, true)] {
        // Duplicates are counted before they collapse.
        assert_eq!(code(&vec!["x"; count]).is_string(), refused, "{count}");
    }
    for (chars, refused) in [(0, true), (1, false), (127, false), (128, false), (129, true)] {
        assert_eq!(code(&[&long(chars)]).is_string(), refused, "{chars}");
    }
    for term in ["a\nb", "\r", "\r\n"] {
        assert_eq!(code(&[term]), "EVD-INVALID-ARGUMENTS");
    }
    assert_eq!(code(&[" "]), Value::Null);
    assert_eq!(search(&evidence, &["x"; 12])["hits"][0]["score"], 1);
}

#[test]
fn a_clipped_snippet_shows_the_first_match_and_says_so() {
    let tree = Tree::new("");
    tree.file("a.txt", &format!("{} second needle {}\n", "a".repeat(5_000), "b".repeat(5_000)));
    let answer = search(&open(&tree), &["needle", "second"]);
    let hit = &answer["hits"][0];
    let snippet = hit["snippet"].as_str().unwrap();
    assert_eq!((snippet.len(), &hit["clipped"], &hit["score"]), (500, &json!(true), &json!(2)));
    assert_eq!(snippet.find("second"), Some(247));
    let keys: Vec<&String> = hit.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["path", "line", "score", "snippet", "clipped"]);
}

#[test]
fn rows_stop_before_14_000_bytes_and_the_answer_stays_under_16_000() {
    let row = "{\"path\":\"a\",\"line\":10,\"score\":1,\"snippet\":\"\",\"clipped\":false}".len();
    for (last, complete) in [(399, true), (400, true), (401, false)] {
        let tree = Tree::new("");
        // 35 rows of 400 bytes with their separators are the whole budget; lines 10 and up have two digits.
        let line = |bytes: usize| format!("x{}\n", "y".repeat(bytes - 1 - row - 1));
        tree.file("a", &("\n".repeat(9) + &line(400).repeat(34) + &line(last)));
        let text = search_text(&open(&tree), &["x"], &Unwatched);
        assert!(text.len() < 16_000, "{}", text.len());
        let answer = json(&text);
        assert_eq!(answer["hits"].as_array().unwrap().len(), 34 + usize::from(complete), "{last}");
        let reasons = if complete { json!([]) } else { json!(["output_limit"]) };
        assert_eq!((&answer["reasons"], &answer["candidates"]), (&reasons, &json!(35)), "{last}");
    }
    let tree = Tree::new("");
    tree.file("a", &format!("{}x\n", "\u{1}".repeat(240)).repeat(1_001));
    let text = search_text(&open(&tree), &["x"], &Unwatched);
    assert!(text.len() < 16_000, "{}", text.len());
    assert_eq!(json(&text)["reasons"], json!(["candidate_limit", "hit_limit", "output_limit"]));
}

#[test]
fn a_secret_is_masked_and_not_found_by_guessing() {
    let tree = Tree::new("");
    let secret = token(7);
    tree.file("a.ts", &format!("const a = 1;\nconst token = \"{secret}\";\n"));
    let evidence = open(&tree);
    for guess in [&secret, &secret[..10], &secret[20..], "ghp_"] {
        assert_eq!(search(&evidence, &[guess])["candidates"], 0, "{guess}");
    }
    for inserted in ["REDACTED", "github-pat#1", "\"REDACTED", "1]\"", "]"] {
        assert_eq!(search(&evidence, &[inserted])["candidates"], 0, "{inserted}");
    }
    let answer = search(&evidence, &["token"]);
    assert_eq!(answer["hits"][0]["snippet"], "const token = \"REDACTED[github-pat#1]\";");
    assert_eq!(answer["hits"][0]["redacted"], 1);
    assert_eq!(answer["incomplete"], false);
    let bare = exact(&tree);
    let answer = search(&bare, &[&secret]);
    assert_eq!(answer["hits"][0]["snippet"], format!("const token = \"{secret}\";"));
    assert!(answer["hits"][0].get("redacted").is_none());
    assert!(read(&bare, "a.ts", 2, 2)["lines"][0]["text"].as_str().unwrap().contains(&secret));
    assert!(!evidence.is_exact() && bare.is_exact());
}

#[test]
fn placeholders_outside_of_the_snippet_are_not_counted() {
    let tree = Tree::new("");
    let line = format!("needle {} {} tail {}", "a".repeat(600), token(1), token(2));
    tree.file("a.txt", &line);
    let answer = search(&open(&tree), &["needle", "tail"]);
    assert!(answer["hits"][0].get("redacted").is_none(), "{answer}");
    let answer = search(&open(&tree), &["tail"]);
    assert_eq!(answer["hits"][0]["redacted"], 2);
    assert!(!answer.to_string().contains("ghp_"));
}

#[test]
fn a_key_over_many_lines_is_masked_in_every_part() {
    let tree = Tree::new("");
    let mut dice = redact::sample::Dice::new(3);
    let body = redact::sample::expand("{pem:20}", &mut dice);
    let kind = "PRIVATE KEY";
    tree.file("k.txt", &format!("before\n-----BEGIN {kind}-----\n{body}-----END {kind}-----\nafter\n"));
    let evidence = open(&tree);
    for line in body.lines() {
        assert_eq!(search(&evidence, &[&line[..20]])["candidates"], 0);
    }
    let answer = read(&evidence, "k.txt", 5, 10);
    assert!(body.lines().all(|line| !answer.to_string().contains(&line[..20])), "{answer}");
    assert_eq!(answer["totalLines"], 24);
    assert_eq!(search(&evidence, &["after"])["hits"][0]["line"], 24);
}

#[test]
fn a_file_that_cannot_be_inspected_is_withheld_whatever_is_asked() {
    let tree = Tree::new("");
    let tokens: String = (0..4_097).map(|seed| format!("{}\n", token(seed))).collect();
    tree.file("a.txt", &tokens).file("b.txt", "needle");
    let evidence = open(&tree);
    for term in ["needle", &token(9), "nothing"] {
        for _ in 0..2 {
            let answer = search(&evidence, &[term]);
            assert_eq!(answer["skipped"], json!({"uninspected": 1}), "{term}");
            assert_eq!(answer["reasons"], json!(["files_skipped"]));
            assert_eq!(answer["searched"]["files"], 1);
        }
    }
    let answer = read(&evidence, "a.txt", 1, 1);
    assert_eq!(answer["error"]["code"], "EVD-OPERATION-FAILED");
    assert!(!answer.to_string().contains("ghp_"));
    assert_eq!(read(&exact(&tree), "a.txt", 1, 1)["totalLines"], 4_097);
}

#[test]
fn files_without_readable_text_are_counted_under_their_reason() {
    let tree = Tree::new("a.txt: needle\nlatin.txt: caf\\xE9 needle");
    tree.bytes("zeros", b"needle\0");
    tree.file("locked.txt", "needle").mode("locked.txt", 0);
    let answer = search(&open(&tree), &["needle"]);
    let mut skipped = json!({"binary": 1, "notUtf8": 1});
    if tree.permissions_hold() {
        skipped["unreadable"] = json!(1);
        assert_eq!(read(&open(&tree), "locked.txt", 1, 1)["error"]["code"], "EVD-OPERATION-FAILED");
        assert_eq!(paths(&answer["hits"]), ["a.txt"]);
    }
    assert_eq!(answer["skipped"], skipped);
    assert_eq!(answer["incomplete"], true);
}

#[test]
fn a_file_that_is_written_while_it_is_read_is_counted_and_not_matched() {
    let tree = Tree::new("a.txt: needle\n");
    let evidence = open(&tree);
    let growing = Meddling(|| {
        tree.append("a.txt", &b"needle\n".repeat(5_000));
        false
    });
    let answer = json(&search_text(&evidence, &["needle"], &growing));
    assert_eq!(answer["candidates"], 0);
    assert_eq!((&answer["skipped"], &answer["reasons"]), (&json!({"changed": 1}), &json!(["files_skipped"])));
    tree.file("a.txt", "needle\n");
    let answer = json(&crate::trial::read_text(&evidence, "a.txt", 1, 1, &growing));
    assert_eq!(answer["error"]["code"], "EVD-CHANGED");
    assert_eq!(answer["error"]["retryable"], true);
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_counted_and_not_matched() {
    let tree = Tree::new("a.txt: needle\n");
    let evidence = open(&tree);
    let number = AtomicUsize::new(0);
    let replacing = Meddling(|| {
        let next = format!("spare{}.key", number.fetch_add(1, Ordering::Relaxed));
        tree.file(&next, "needle\n").rename(&next, "a.txt");
        false
    });
    let answer = json(&search_text(&evidence, &["needle"], &replacing));
    assert_eq!((&answer["candidates"], &answer["skipped"]), (&json!(0), &json!({"changed": 1})));
    let answer = json(&crate::trial::read_text(&evidence, "a.txt", 1, 1, &replacing));
    assert_eq!(answer["error"]["code"], "EVD-CHANGED");
}

#[test]
fn the_time_of_a_call_ends_a_search_and_is_told() {
    let tree = Tree::new("");
    for number in 0..50 {
        tree.file(&format!("f{number}"), "needle");
    }
    let evidence = open(&tree).with(None, Some(ticking(Duration::from_millis(20))));
    let answer = search(&evidence, &["needle"]);
    assert_eq!(answer["reasons"].as_array().unwrap()[0], "time_limit");
    assert!(answer["searched"]["files"].as_u64().unwrap() < 50, "{answer}");
    let evidence = open(&tree).with(None, Some(ticking(Duration::from_secs(4))));
    let answer = search(&evidence, &["needle"]);
    assert_eq!(answer["reasons"], json!(["time_limit"]));
    assert_eq!(answer["searched"]["files"], 0);
    let answer = read(&evidence, "f1", 1, 1);
    assert_eq!(answer["error"]["code"], "EVD-OPERATION-FAILED");
}

#[test]
fn a_name_that_holds_a_token_is_kept_back_and_counted() {
    let tree = Tree::new("a.txt: needle");
    let path = format!("sub/{}.txt", token(5));
    tree.file(&path, "needle");
    let evidence = open(&tree);
    let answer = search(&evidence, &["needle"]);
    assert_eq!((paths(&answer["hits"]), &answer["skipped"]), (vec!["a.txt".to_owned()], &json!({"name": 1})));
    assert_eq!(crate::trial::refusal(&evidence, &path), "EVD-PATH-DENIED");
    assert!(!crate::trial::inventory(&evidence).to_string().contains("ghp_"));
    let bare = exact(&tree);
    assert_eq!(paths(&search(&bare, &["needle"])["hits"]), ["a.txt".to_owned(), path.clone()]);
    assert_eq!(read(&bare, &path, 1, 1)["totalLines"], 1);
}
