//! What the three kinds of JSON say, on a small project, a hostile one and a large one.

use super::*;
use crate::limits::{ANSWER_BYTES_MAX, TEXT_BYTES_MAX};

#[test]
fn every_answer_names_its_snapshot() {
    let page = Page::new();
    let (port, token) = page.open();
    for target in ["/api/v1/overview", "/api/v1/search", "/api/v1/neighborhood?id=REQ-1"] {
        let answer = json(port, &token, target);
        let snapshot = page.snapshot();
        assert_eq!(answer["snapshot_id"], snapshot.snapshot_id());
        assert_eq!(answer["revision"], snapshot.revision());
        assert_eq!(answer["source_hash"], snapshot.source_hash().to_string());
        assert_eq!(answer["staleness"]["state"], "fresh");
    }
}

#[test]
fn the_overview_counts_types_bundles_hubs_and_findings() {
    let page = Page::new();
    let (port, token) = page.open();
    let seen = json(port, &token, "/api/v1/overview");
    assert_eq!(seen["project"]["id"], "shown");
    assert_eq!(seen["project"]["state"], "invalid");
    assert_eq!(seen["project"]["doc"]["title"], "Shown canary-7c1f");
    assert_eq!(seen["counts"], serde_json::json!({"nodes":4,"edges":4,"mentions":0,"dangling":1,"files":4}));
    let types = seen["types"].as_array().unwrap();
    let counts: Vec<_> =
        types.iter().map(|one| (one["name"].as_str().unwrap(), one["count"].as_u64().unwrap())).collect();
    assert_eq!(counts, [("req", 3), ("test", 1)]);
    let bundles: Vec<_> = seen["bundles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!(
                "{} {} {} {}",
                one["from"].as_str().unwrap(),
                one["relation"].as_str().unwrap(),
                one["to"].as_str().unwrap(),
                one["count"]
            )
        })
        .collect();
    assert_eq!(bundles, ["req refines req 2", "test verifies req 2"]);
    let hubs: Vec<_> =
        seen["hubs"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(hubs, ["REQ-2", "REQ-1", "TEST-1", "REQ-3"]);
    let dangling = seen["diagnostics"]["by_code"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["code"] == "dangling_relation")
        .unwrap();
    assert_eq!((dangling["count"].as_u64(), dangling["first"][0]["node"].as_str()), (Some(1), Some("REQ-3")));
}

#[test]
fn search_takes_words_types_conditions_states_and_pages() {
    let page = Page::new();
    let (port, token) = page.open();
    let ids = |target: &str| -> Vec<String> {
        let found = json(port, &token, target);
        found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("/api/v1/search"), ["REQ-1", "REQ-2", "REQ-3", "TEST-1"]);
    assert_eq!(ids("/api/v1/search?q=requirement"), ["REQ-1"]);
    assert_eq!(ids("/api/v1/search?types=test"), ["TEST-1"]);
    assert_eq!(ids("/api/v1/search?where=any(in.verifies)"), ["REQ-1", "REQ-2"]);
    assert_eq!(ids("/api/v1/search?state=error"), ["REQ-3"]);
    let hit = &json(port, &token, "/api/v1/search?q=requirement")["hits"][0];
    assert_eq!(hit["doc"]["title"], "First canary-7c1f");
    assert!(hit["doc"]["snippet"].as_str().unwrap().contains("first requirement"));

    let first = json(port, &token, "/api/v1/search?limit=3");
    let cursor = first["next_cursor"].as_str().unwrap().to_owned();
    assert_eq!((first["total"].as_u64(), first["by_type"]["req"].as_u64()), (Some(4), Some(3)));
    let rest = json(port, &token, &format!("/api/v1/search?limit=3&cursor={cursor}"));
    assert_eq!((rest["hits"][0]["id"].as_str(), rest["next_cursor"].is_null()), (Some("TEST-1"), true));

    for (target, words) in [
        (format!("/api/v1/search?types=test&cursor={cursor}"), "cursor"),
        ("/api/v1/search?cursor=x".to_owned(), "cursor"),
        ("/api/v1/search?types=tset".to_owned(), "type"),
        ("/api/v1/search?state=good".to_owned(), "state"),
        ("/api/v1/search?limit=101".to_owned(), "1 to 100"),
        ("/api/v1/search?where=statsu%20%3D%20draft".to_owned(), "Did you mean `status`"),
        ("/api/v1/search?where=(".to_owned(), "character"),
        ("/api/v1/search?q=!!".to_owned(), "no letter"),
        ("/api/v1/search?sql=1".to_owned(), "name"),
        ("/api/v1/overview?x=1".to_owned(), "name"),
        ("/api/v1/neighborhood".to_owned(), "`id`"),
        ("/api/v1/neighborhood?id=REQ-1&depth=4".to_owned(), "1 to 3"),
        ("/api/v1/neighborhood?id=REQ-1&limit=301".to_owned(), "1 to 300"),
        ("/api/v1/neighborhood?id=REQ-1&direction=up".to_owned(), "direction"),
        ("/api/v1/neighborhood?id=REQ-1&relations=x".to_owned(), "relation"),
    ] {
        let answer = get(port, &token, &target);
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!((answer.status, body["error"]["code"].as_str()), (400, Some("bad_request")), "{target}");
        assert!(body["error"]["message"].as_str().unwrap().contains(words), "{target}: {body}");
    }
}

fn keys(seen: &Value) -> Vec<String> {
    seen["nodes"].as_array().unwrap().iter().map(|node| node["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_neighbourhood_has_direction_depth_relations_and_missing_targets() {
    let page = Page::new();
    let (port, token) = page.open();
    let at = |query: &str| json(port, &token, &format!("/api/v1/neighborhood?{query}"));
    let seen = at("id=REQ-1");
    assert_eq!(keys(&seen), ["n:REQ-1", "n:REQ-2", "n:TEST-1"]);
    assert_eq!(seen["edges"].as_array().unwrap().len(), 3, "edges between neighbours are drawn too");
    assert_eq!(seen["nodes"][1]["more"], 1, "REQ-3 is not drawn");
    assert_eq!(keys(&at("id=REQ-1&depth=2")), ["n:REQ-1", "n:REQ-2", "n:TEST-1", "n:REQ-3", "d:REQ-3:see:1"]);
    assert_eq!(keys(&at("id=REQ-1&direction=out")), ["n:REQ-1"]);
    assert_eq!(keys(&at("id=REQ-2&direction=out")), ["n:REQ-2", "n:REQ-1"]);
    assert_eq!(keys(&at("id=REQ-1&relations=verifies")), ["n:REQ-1", "n:TEST-1"]);
    assert_eq!(
        keys(&at("id=REQ-1&id=REQ-2")),
        ["n:REQ-1", "n:REQ-2", "n:TEST-1", "n:REQ-3", "d:REQ-3:see:1"]
    );
    assert_eq!(keys(&at("id=REQ-3&id=REQ-1&limit=2")), ["n:REQ-3", "n:REQ-1", "d:REQ-3:see:1"]);
    let center = &at("id=REQ-1")["center"];
    assert_eq!(center["doc"]["excerpt"], "The first requirement canary-7c1f.\n");
    assert_eq!(center["doc"]["fields"][0]["name"], "status");
    assert_eq!(
        (center["in"].as_u64(), center["out"].as_u64(), center["path"].as_str()),
        (Some(2), Some(0), Some("docs/a.md"))
    );
    assert_eq!(get(port, &token, "/api/v1/neighborhood?id=REQ-77").status, 404);
}

#[test]
fn an_id_of_old_leads_to_the_node_and_one_of_two_nodes_to_none() {
    let page = Page::new();
    page.tree.file("docs/x.md", "---\nid: REQ-5\naliases: [OLD-5]\n---\n");
    page.tree.file("docs/y.md", "---\nid: REQ-6\n---\n").file("docs/z.md", "---\nid: REQ-6\n---\n");
    let page = Page::of(page.tree);
    let (port, token) = page.open();
    assert_eq!(json(port, &token, "/api/v1/neighborhood?id=OLD-5")["center"]["id"], "REQ-5");
    let two = get(port, &token, "/api/v1/neighborhood?id=REQ-6");
    assert!(two.status == 404 && two.body.contains("node_ambiguous"), "{two:?}");
}

#[test]
fn v39_hostile_titles_are_text_and_hidden_characters_are_named() {
    let page = Page::new();
    let title = "<img src=x onerror=alert(1)>";
    page.tree
        .file("docs/h.md", &format!("---\nid: REQ-8\ntitle: '{title}'\n---\n<script>alert(2)</script>\n"));
    page.tree.file("docs/i.md", "---\nid: REQ-10\ntitle: \"a\u{202E}b\u{E0041}\"\n---\nx\u{200B}y\n");
    let page = Page::of(page.tree);
    let (port, token) = page.open();
    let answer = get(port, &token, "/api/v1/neighborhood?id=REQ-8");
    assert!(answer.head.contains("content-type: application/json"));
    let seen: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(seen["nodes"][0]["doc"]["title"], title);
    assert_eq!(seen["center"]["doc"]["excerpt"], "<script>alert(2)</script>\n");
    let hidden = json(port, &token, "/api/v1/neighborhood?id=REQ-10");
    assert_eq!(hidden["center"]["hidden"], serde_json::json!(["bidi", "tag_chars", "zero_width"]));
    assert_eq!(hidden["nodes"][0]["hidden"], serde_json::json!(["bidi", "tag_chars"]));
}

/// A hub with `count` notes that lead to it.
fn hub(count: usize) -> Page {
    let tree = Tree::new("");
    tree.file("docs/hub.md", "# The hub\n\n```node\nid: HUB\n```\n");
    // A few files of many nodes: sections are quicker to make than files.
    let manifest =
        MANIFEST.replace("type = \"req\"\n", "type = \"req\"\n[sources.options]\nsections = true\n");
    tree.file("docforge.toml", &manifest);
    for part in 0..count.div_ceil(500) {
        let mut text = String::new();
        for at in part * 500..count.min(part * 500 + 500) {
            let relation = if at % 100 == 0 { "refines" } else { "see" };
            text.push_str(&format!(
                "# Note {at}\n\n```node\nid: N-{at:05}\n{relation}: [HUB]\n```\n\nText.\n\n"
            ));
        }
        tree.file(&format!("docs/part-{part}.md"), &text);
    }
    Page::of(tree)
}

#[test]
fn a_hub_shows_a_few_of_every_relation_and_says_how_many_are_left_out() {
    let page = hub(2_000);
    assert_eq!(
        page.snapshot().nodes().len(),
        2_001,
        "{:?}",
        page.snapshot().diagnostics().iter().find(|one| one.severity == docs::Severity::Error)
    );
    let (port, token) = page.open();
    for limit in [10, 50, 300] {
        let seen = json(port, &token, &format!("/api/v1/neighborhood?id=HUB&limit={limit}"));
        let nodes = seen["nodes"].as_array().unwrap();
        let drawn = nodes.iter().filter(|node| node["kind"] == "node").count();
        assert_eq!(drawn, limit);
        let clusters: Vec<_> = nodes.iter().filter(|node| node["kind"] == "cluster").collect();
        let left_out: u64 = clusters.iter().map(|node| node["count"].as_u64().unwrap()).sum();
        assert_eq!(left_out, 2_001 - limit as u64);
        assert_eq!(
            (seen["truncated"].as_bool(), seen["hidden_total"].as_u64()),
            (Some(true), Some(left_out))
        );
        let of = |relation: &str| {
            seen["edges"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|edge| edge["relation"] == relation && edge["cluster"].is_null())
                .count()
        };
        assert!(of("refines") >= 4 && of("see") >= 4, "{} {}", of("refines"), of("see"));
        let hash = seen["layout"]["hash"].clone();
        let again = json(port, &token, &format!("/api/v1/neighborhood?id=HUB&limit={limit}"));
        assert_eq!(again["layout"]["hash"], hash, "same snapshot, same picture");
    }
    let other = hub(2_000);
    let (port_b, token_b) = other.open();
    let target = "/api/v1/neighborhood?id=HUB&limit=50";
    assert_eq!(
        json(port, &token, target)["layout"],
        json(port_b, &token_b, target)["layout"],
        "the same in another process of the same snapshot"
    );
}

#[test]
fn a_node_of_much_text_is_cut_and_no_answer_is_larger_than_1_mib() {
    let page = Page::new();
    let manifest = MANIFEST.replace("[types.test]\n", "[types.test]\nunknown_fields = \"keep\"\n");
    page.tree.file("docforge.toml", &manifest);
    let mut text = String::from("---\nid: TEST-9\ntype: test\ntitle: Long\n");
    for field in 0..40 {
        text.push_str(&format!("f{field}: {}\n", "ä".repeat(3_000)));
    }
    text.push_str(&format!("---\n{}\n", "ö".repeat(60_000)));
    page.tree.file("docs/long.md", &text);
    let wide = format!("---\nid: REQ-{}\ntitle: {}\n", "9".repeat(60), "\u{1F600}".repeat(300));
    page.tree.file("docs/wide.md", &format!("{wide}---\n"));
    for at in 0..320 {
        let id = format!("REQ-{at:0>90}");
        page.tree.file(
            &format!("docs/w/{at}.md"),
            &format!("---\nid: {id}\ntitle: {}{at}\nsee: [TEST-9]\n---\n", "\u{1F600}".repeat(290)),
        );
    }
    let page = Page::of(page.tree);
    let (port, token) = page.open();
    let answer = get(port, &token, "/api/v1/neighborhood?id=TEST-9&limit=300");
    assert!(answer.status == 200 && answer.body.len() <= ANSWER_BYTES_MAX, "{}", answer.body.len());
    let seen: Value = serde_json::from_str(&answer.body).unwrap();
    let center = &seen["center"];
    assert!(center["doc"]["excerpt"].as_str().unwrap().len() <= TEXT_BYTES_MAX);
    let fields = center["doc"]["fields"].as_array().unwrap();
    let shown: usize = fields.iter().map(|field| field["value"].as_str().unwrap().len()).sum();
    assert!(shown <= TEXT_BYTES_MAX && center["fields_cut"] == true && center["excerpt_cut"] == true);
}
