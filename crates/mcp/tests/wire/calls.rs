//! How arguments become requests, and which of them are refused with what (spec project.md 4 and its rulings).

use serde_json::{Map, Value, json};

use crate::client::{Client, Era, call};
use crate::fake::Fake;

/// Calls a tool; gives the error text, or what the service saw.
async fn seen(tool: &str, arguments: Value) -> Result<String, String> {
    let (fake, stage, _) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    let answer = client.ask(&call(Era::Handshake, 1, tool, arguments)).await;
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    if result["isError"] == json!(true) {
        assert!(stage.seen().is_empty(), "a refused call reached the service");
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
        assert!(result.get("structuredContent").is_none());
        return Err(text);
    }
    Ok(stage.seen().remove(0))
}

async fn code(tool: &str, arguments: Value) -> String {
    let text = seen(tool, arguments.clone()).await.expect_err(&format!("{tool} took {arguments}"));
    text.split(':').next().expect("a code").to_owned()
}

const INVALID: &str = "DPX-MCP-INVALID-ARGUMENTS";
const RANGE: &str = "DPX-MCP-INVALID-RANGE";
const PATTERN: &str = "DPX-MCP-INVALID-PATTERN";

/// The arguments that a tool must have, for the calls that look at others.
fn with(tool: &str, name: &str, value: Value) -> Value {
    let mut arguments = match tool {
        "read_pack" => json!({"pack_id": "x"}),
        "search_project" => json!({"pattern": "x"}),
        "get_file" => json!({"path": "x"}),
        _ => json!({}),
    };
    arguments[name] = value;
    arguments
}

#[tokio::test]
async fn defaults_are_the_contracts() {
    let target = "target: Target { project: None, branch: None }";
    let narrowing = "narrowing: Narrowing { include_patterns: [], exclude_patterns: [], paths: [], tracked_only: false, \
                     git_scope: None, max_file_bytes: None }";
    assert_eq!(
        seen("get_tree", json!({})).await,
        Ok(format!("TreeRequest {{ {target}, {narrowing}, max_depth: None, format: Markdown }}"))
    );
    assert_eq!(
        seen("analyze", json!({})).await,
        Ok(format!("AnalyzeRequest {{ {target}, {narrowing}, profile: None, detail: Full, top_files: 10 }}"))
    );
    assert_eq!(
        seen("pack_context", json!({})).await,
        Ok(format!(
            "PackRequest {{ {target}, {narrowing}, profile: None, detail: Full, max_tokens: None, view: TreeContent, \
             format: Markdown }}"
        ))
    );
    assert_eq!(
        seen("search_project", json!({"pattern": " "})).await,
        Ok(format!(
            "SearchRequest {{ {target}, {narrowing}, pattern: \" \", context_lines: 2, ignore_case: true, max_results: \
             50 }}"
        ))
    );
    assert_eq!(
        seen("get_file", json!({"path": " "})).await,
        Ok(format!("FileRequest {{ {target}, path: \" \", start_line: None, end_line: None }}"))
    );
    assert_eq!(
        seen("read_pack", json!({"pack_id": "p"})).await,
        Ok("ReadPackRequest { pack_id: \"p\", start_line: None, end_line: None }".to_owned())
    );
    assert_eq!(seen("list_projects", json!({})).await, Ok("list".to_owned()));
}

#[tokio::test]
async fn every_argument_arrives() {
    let narrowing = json!({
        "project": "/srv/x", "branch": "main", "include_patterns": ["**/*.rs"], "exclude_patterns": "target/**",
        "tracked_only": "true", "git_scope": "diff:a..b", "max_file_bytes": "100",
    });
    let all = |more: Value| {
        let mut all = narrowing.as_object().cloned().expect("object");
        all.extend(more.as_object().cloned().expect("object"));
        Value::Object(all)
    };
    let text = "target: Target { project: Some(\"/srv/x\"), branch: Some(\"main\") }, narrowing: Narrowing { \
                include_patterns: [\"**/*.rs\"], exclude_patterns: [\"target/**\"], paths: [], tracked_only: true, \
                git_scope: Some(\"diff:a..b\"), max_file_bytes: Some(100) }";
    let with_paths = text.replace("paths: []", "paths: [\"src\", \"a b\"]");
    assert_eq!(
        seen("get_tree", all(json!({"max_depth": 0, "format": "xml"}))).await,
        Ok(format!("TreeRequest {{ {text}, max_depth: Some(0), format: Xml }}"))
    );
    assert_eq!(
        seen("analyze", all(json!({"paths": "[\"src\", \"a b\"]", "profile": "standard", "detail": "compact", "top_files": 1000}))).await,
        Ok(format!("AnalyzeRequest {{ {with_paths}, profile: Some(\"standard\"), detail: Compact, top_files: 1000 }}"))
    );
    assert_eq!(
        seen(
            "pack_context",
            all(json!({"paths": ["src", "a b"], "profile": "p.json", "detail": "signatures",
            "max_tokens": 9_000_000_000_000_000_000u64, "view": "content", "format": "json"}))
        )
        .await,
        Ok(format!(
            "PackRequest {{ {with_paths}, profile: Some(\"p.json\"), detail: Signatures, max_tokens: \
             Some(9000000000000000000), view: Content, format: Json }}"
        ))
    );
    assert_eq!(
        seen(
            "search_project",
            all(json!({"pattern": "a|b", "context_lines": 20, "ignore_case": false, "max_results": "200"}))
        )
        .await,
        Ok(format!(
            "SearchRequest {{ {text}, pattern: \"a|b\", context_lines: 20, ignore_case: false, max_results: 200 }}"
        ))
    );
    assert_eq!(
        seen("get_file", json!({"project": "/srv/x", "branch": "main", "path": "a", "start_line": 5.0, "end_line": "7"})).await,
        Ok("FileRequest { target: Target { project: Some(\"/srv/x\"), branch: Some(\"main\") }, path: \"a\", \
            start_line: Some(5), end_line: Some(7) }".to_owned())
    );
}

#[tokio::test]
async fn null_is_as_absent_for_every_optional_argument() {
    for (tool, names) in [
        (
            "get_tree",
            "project branch include_patterns exclude_patterns tracked_only git_scope max_file_bytes max_depth format",
        ),
        (
            "analyze",
            "project branch paths include_patterns exclude_patterns profile detail tracked_only git_scope top_files max_file_bytes",
        ),
        (
            "pack_context",
            "project branch paths include_patterns exclude_patterns profile detail tracked_only git_scope max_tokens max_file_bytes view format",
        ),
        ("read_pack", "start_line end_line"),
        (
            "search_project",
            "project branch include_patterns exclude_patterns tracked_only git_scope max_file_bytes context_lines ignore_case max_results",
        ),
        ("get_file", "project branch start_line end_line"),
    ] {
        let bare = seen(
            tool,
            with(tool, "project", json!(null))
                .as_object()
                .map(|map| {
                    let mut map: Map<String, Value> = map.clone();
                    map.remove("project");
                    Value::Object(map)
                })
                .expect("object"),
        )
        .await
        .expect("the bare call");
        for name in names.split(' ') {
            assert_eq!(seen(tool, with(tool, name, json!(null))).await.as_ref(), Ok(&bare), "{tool} {name}");
        }
    }
}

#[tokio::test]
async fn empty_project_profile_and_paths_are_as_absent() {
    for value in [
        with("pack_context", "project", json!("")),
        with("pack_context", "profile", json!("")),
        with("pack_context", "paths", json!([])),
    ] {
        assert_eq!(seen("pack_context", value).await, seen("pack_context", json!({})).await);
    }
}

#[tokio::test]
async fn unknown_names_are_refused_with_the_sorted_valid_ones() {
    assert_eq!(
        seen("get_file", json!({"path": "x", "detail": "full"})).await,
        Err(format!(
            "{INVALID}: unknown argument 'detail'; valid names: branch, end_line, path, project, start_line"
        ))
    );
    assert_eq!(
        seen("list_projects", json!({"project": "x"})).await,
        Err(format!("{INVALID}: unknown argument 'project'; this tool takes no arguments"))
    );
    for (tool, name) in [
        ("get_tree", "paths"),
        ("get_tree", "profile"),
        ("get_tree", "detail"),
        ("search_project", "paths"),
        ("search_project", "profile"),
        ("search_project", "detail"),
        ("get_file", "git_scope"),
        ("get_file", "tracked_only"),
        ("get_file", "max_file_bytes"),
        ("read_pack", "project"),
        ("analyze", "max_tokens"),
        ("analyze", "view"),
        ("pack_context", "redact"),
    ] {
        assert_eq!(code(tool, with(tool, name, json!(null))).await, INVALID, "{tool} {name}");
    }
}

#[tokio::test]
async fn required_arguments_must_be_there() {
    for (tool, name) in [("read_pack", "pack_id"), ("search_project", "pattern"), ("get_file", "path")] {
        for value in [json!(null), json!(""), json!(5), json!(["x"])] {
            assert_eq!(code(tool, with(tool, name, value.clone())).await, INVALID, "{tool} {value}");
        }
        assert_eq!(code(tool, json!({})).await, INVALID, "{tool}");
    }
    assert_eq!(code("read_pack", json!({"pack_id": "  "})).await, INVALID);
}

#[tokio::test]
async fn integers_have_their_bounds() {
    const MAX: u64 = i64::MAX as u64;
    for (tool, name, min, max) in [
        ("get_tree", "max_depth", 0, 1_000),
        ("get_tree", "max_file_bytes", 1, MAX),
        ("analyze", "top_files", 1, 1_000),
        ("analyze", "max_file_bytes", 1, MAX),
        ("pack_context", "max_tokens", 1, MAX),
        ("pack_context", "max_file_bytes", 1, MAX),
        ("read_pack", "start_line", 1, MAX),
        ("read_pack", "end_line", 1, MAX),
        ("search_project", "context_lines", 0, 20),
        ("search_project", "max_results", 1, 200),
        ("search_project", "max_file_bytes", 1, MAX),
        ("get_file", "start_line", 1, MAX),
        ("get_file", "end_line", 1, MAX),
    ] {
        for good in [min, max] {
            assert!(seen(tool, with(tool, name, json!(good))).await.is_ok(), "{tool} {name} {good}");
            assert!(
                seen(tool, with(tool, name, json!(good.to_string()))).await.is_ok(),
                "{tool} {name} \"{good}\""
            );
        }
        let mut bad = vec![
            json!(max + 1),
            json!((max + 1).to_string()),
            json!(5.5),
            json!(" 5"),
            json!("+5"),
            json!(-1),
        ];
        if min > 0 {
            bad.push(json!(min - 1));
        }
        for value in bad {
            let text = seen(tool, with(tool, name, value.clone())).await.expect_err("out of range");
            assert_eq!(
                text,
                format!("{RANGE}: '{name}' must be an integer from {min} to {max}"),
                "{tool} {value}"
            );
        }
        for value in [json!(true), json!([]), json!({})] {
            assert_eq!(code(tool, with(tool, name, value.clone())).await, INVALID, "{tool} {name} {value}");
        }
    }
}

#[tokio::test]
async fn booleans_and_choices_are_exact() {
    for (tool, name) in [
        ("get_tree", "tracked_only"),
        ("analyze", "tracked_only"),
        ("pack_context", "tracked_only"),
        ("search_project", "tracked_only"),
        ("search_project", "ignore_case"),
    ] {
        for value in [json!(true), json!(false), json!("true"), json!("false")] {
            assert!(seen(tool, with(tool, name, value)).await.is_ok());
        }
        for value in [json!("TRUE"), json!(1), json!("yes"), json!([true])] {
            assert_eq!(code(tool, with(tool, name, value.clone())).await, INVALID, "{value}");
        }
    }
    for (tool, name, words) in [
        ("get_tree", "format", "markdown, text, json, xml"),
        ("analyze", "detail", "full, compact, signatures"),
        ("pack_context", "detail", "full, compact, signatures"),
        ("pack_context", "view", "tree, content, tree-content"),
        ("pack_context", "format", "text, markdown, json, xml"),
    ] {
        for value in [json!("JSON"), json!(""), json!("none"), json!(1)] {
            let text = seen(tool, with(tool, name, value)).await.expect_err("refused");
            assert_eq!(text, format!("{INVALID}: '{name}' must be one of: {words}"));
        }
    }
}

#[tokio::test]
async fn arrays_have_their_bounds_and_codes() {
    let many = |count: usize| Value::from((0..count).map(|n| n.to_string()).collect::<Vec<_>>());
    for (tool, name, chars_max, beyond) in [
        ("get_tree", "include_patterns", 512, PATTERN),
        ("search_project", "exclude_patterns", 512, PATTERN),
        ("pack_context", "include_patterns", 512, PATTERN),
        ("analyze", "paths", 4_096, INVALID),
        ("pack_context", "paths", 4_096, INVALID),
    ] {
        assert!(seen(tool, with(tool, name, many(256))).await.is_ok(), "{tool} {name}");
        assert_eq!(code(tool, with(tool, name, many(257))).await, beyond);
        assert!(seen(tool, with(tool, name, json!(["é".repeat(chars_max)]))).await.is_ok());
        assert_eq!(code(tool, with(tool, name, json!(["é".repeat(chars_max + 1)]))).await, beyond);
        for value in
            [json!([""]), json!(["a", " "]), json!(5), json!({"a": 1}), json!(["a", null]), json!("")]
        {
            assert_eq!(code(tool, with(tool, name, value.clone())).await, INVALID, "{tool} {name} {value}");
        }
    }
    let text = seen("get_tree", json!({"include_patterns": many(257)})).await.expect_err("too many");
    assert!(text.contains("257") && text.contains("256") && text.contains("relative to the root"), "{text}");
}

#[tokio::test]
async fn patterns_and_scopes_are_bounded_in_scalars() {
    assert!(seen("search_project", json!({"pattern": "🦀".repeat(4_096)})).await.is_ok());
    assert_eq!(code("search_project", json!({"pattern": "🦀".repeat(4_097)})).await, PATTERN);
    let scope = |chars: usize| json!({"git_scope": format!("diff:{}..b", "é".repeat(chars - 8))});
    assert!(seen("get_tree", scope(4_096)).await.is_ok());
    assert_eq!(code("get_tree", scope(4_097)).await, INVALID);
    assert_eq!(code("get_tree", json!({"git_scope": ""})).await, INVALID);
    assert_eq!(code("get_tree", json!({"branch": ""})).await, INVALID);
    assert_eq!(code("get_tree", json!({"project": 5})).await, INVALID);
}
