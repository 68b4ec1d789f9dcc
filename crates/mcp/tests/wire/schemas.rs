//! protocol.md 4: schemas that every client can read, and the catalogue as a golden file.

use mcp::catalog::Surface;
use mcp::project::{ProjectOptions, ProjectSurface};
use serde_json::{Value, json};

use crate::client::{Client, Era, request};
use crate::fake::Fake;

async fn list(options: ProjectOptions) -> (Value, usize) {
    let mut client = Client::on(ProjectSurface::new(Fake::plain(), options));
    let answer = client.ask(&request(Era::PerRequest, 1, "tools/list", json!({}))).await;
    (answer["result"]["tools"].clone(), answer.to_string().chars().count())
}

async fn tools() -> Vec<Value> {
    list(ProjectOptions::default()).await.0.as_array().cloned().expect("tools")
}

#[tokio::test]
async fn the_catalogue_is_the_golden_one() {
    for (name, allow_remote) in [("local", false), ("remote", true)] {
        let (tools, _) = list(ProjectOptions { allow_remote, ..ProjectOptions::default() }).await;
        let text = serde_json::to_string_pretty(&tools).expect("JSON");
        insta::assert_snapshot!(format!("tools_{name}"), text);
    }
}

#[tokio::test]
async fn tools_stand_in_the_contracts_order() {
    let names: Vec<Value> = tools().await.iter().map(|tool| tool["name"].clone()).collect();
    let expected =
        ["list_projects", "get_tree", "analyze", "pack_context", "read_pack", "search_project", "get_file"];
    assert_eq!(names, expected);
}

#[tokio::test]
async fn the_whole_list_is_under_14_000_characters_and_each_description_under_1_500() {
    for allow_remote in [false, true] {
        let (_, chars) = list(ProjectOptions { allow_remote, ..ProjectOptions::default() }).await;
        assert!(chars < 14_000, "{chars}");
    }
    for tool in tools().await {
        assert!(tool["description"].as_str().is_some_and(|text| text.chars().count() < 1_500), "{tool}");
    }
}

#[tokio::test]
async fn the_packer_says_which_languages_it_reduces() {
    let tools = tools().await;
    let pack = tools.iter().find(|tool| tool["name"] == "pack_context").expect("it is listed");
    let said = pack["inputSchema"]["properties"]["detail"]["description"].as_str().expect("it is described");
    for language in project::request::Detail::languages() {
        assert!(said.contains(language), "{language}: {said}");
    }
}

#[tokio::test]
async fn annotations_and_titles_are_complete() {
    for allow_remote in [false, true] {
        let (tools, _) = list(ProjectOptions { allow_remote, ..ProjectOptions::default() }).await;
        for tool in tools.as_array().expect("tools") {
            let name = tool["name"].as_str().expect("name");
            let open_world = allow_remote && !["list_projects", "read_pack"].contains(&name);
            assert_eq!(
                tool["annotations"],
                json!({
                    "title": tool["title"],
                    "readOnlyHint": true,
                    "destructiveHint": false,
                    "idempotentHint": name != "pack_context",
                    "openWorldHint": open_world,
                }),
                "{name}"
            );
            assert!(tool["title"].as_str().is_some_and(|title| !title.is_empty() && title != name));
        }
    }
}

#[tokio::test]
async fn only_two_tools_have_an_output_schema_and_two_a_size_hint() {
    for tool in tools().await {
        let name = tool["name"].as_str().expect("name");
        assert_eq!(
            tool.get("outputSchema").is_some(),
            ["list_projects", "analyze"].contains(&name),
            "{name}"
        );
        let hint = ["pack_context", "read_pack"].contains(&name);
        assert_eq!(
            tool["_meta"],
            if hint { json!({"anthropic/maxResultSizeChars": 200_000}) } else { Value::Null }
        );
    }
}

#[tokio::test]
async fn properties_stand_in_the_published_order() {
    let expected = [
        ("list_projects", "", ""),
        (
            "get_tree",
            "project branch include_patterns exclude_patterns tracked_only git_scope max_file_bytes max_depth format",
            "",
        ),
        (
            "analyze",
            "project branch paths include_patterns exclude_patterns profile detail tracked_only git_scope top_files max_file_bytes",
            "",
        ),
        (
            "pack_context",
            "project branch paths include_patterns exclude_patterns profile detail tracked_only git_scope max_tokens max_file_bytes view format",
            "",
        ),
        ("read_pack", "pack_id start_line end_line", "pack_id"),
        (
            "search_project",
            "project branch pattern include_patterns exclude_patterns tracked_only git_scope max_file_bytes context_lines ignore_case max_results",
            "pattern",
        ),
        ("get_file", "project branch path start_line end_line", "path"),
    ];
    for (tool, (name, properties, required)) in tools().await.iter().zip(expected) {
        assert_eq!(tool["name"], name);
        let schema = &tool["inputSchema"];
        let names: Vec<&str> =
            schema["properties"].as_object().expect("object").keys().map(String::as_str).collect();
        assert_eq!(names.join(" "), properties);
        let listed = schema["required"]
            .as_array()
            .map(|all| all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
        assert_eq!(listed.unwrap_or_default(), required);
    }
}

/// Keywords that some client cannot read.
const REFUSED: [&str; 8] = ["$schema", "$ref", "$defs", "anyOf", "oneOf", "allOf", "format", "const"];

pub(crate) fn lint(schema: &Value, place: &str) {
    let object = schema.as_object().unwrap_or_else(|| panic!("{place} is no object"));
    for keyword in REFUSED {
        assert!(!object.contains_key(keyword), "{place} has {keyword}");
    }
    let kind =
        object.get("type").and_then(Value::as_str).unwrap_or_else(|| panic!("{place} has no plain type"));
    match kind {
        "object" => {
            assert_eq!(object.get("additionalProperties"), Some(&json!(false)), "{place} is open");
            let properties = object
                .get("properties")
                .and_then(Value::as_object)
                .unwrap_or_else(|| panic!("{place} has no properties"));
            for (name, schema) in properties {
                lint(schema, &format!("{place}.{name}"));
            }
            for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
                assert!(
                    name.as_str().is_some_and(|name| properties.contains_key(name)),
                    "{place} requires {name}"
                );
            }
        }
        "array" => {
            lint(object.get("items").unwrap_or_else(|| panic!("{place} has no items")), &format!("{place}[]"))
        }
        "string" | "integer" | "boolean" => {}
        other => panic!("{place} is of type {other}"),
    }
}

#[tokio::test]
async fn every_schema_passes_the_lint() {
    for tool in tools().await {
        let name = tool["name"].as_str().expect("name");
        lint(&tool["inputSchema"], name);
        if let Some(output) = tool.get("outputSchema") {
            lint(output, name);
        }
    }
}

#[tokio::test]
async fn every_property_is_described_and_says_its_bounds_and_default_in_words() {
    for tool in tools().await {
        for (name, schema) in tool["inputSchema"]["properties"].as_object().expect("object") {
            let text = schema["description"].as_str().unwrap_or_else(|| panic!("{name} is not described"));
            for bound in ["minimum", "maximum", "maxItems"] {
                if let Some(bound) = schema.get(bound) {
                    assert!(text.contains(&bound.to_string()), "{name} does not say {bound}: {text}");
                }
            }
            let longest = schema.get("maxLength").or_else(|| schema["items"].get("maxLength"));
            if let Some(longest) = longest {
                assert!(text.contains(&longest.to_string()), "{name} does not say {longest}: {text}");
            }
            if let Some(default) = schema.get("default") {
                let word = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                assert!(
                    text.contains(&word) && text.to_lowercase().contains("default"),
                    "{name} does not say {word}: {text}"
                );
            }
        }
    }
}

#[tokio::test]
async fn no_schema_mentions_redaction_controls() {
    for tool in tools().await {
        let schema = tool["inputSchema"].to_string().to_lowercase();
        for word in ["redact", "secret", "private", "mask", "sanitiz", "sanitis"] {
            assert!(!schema.contains(word), "{} mentions {word}", tool["name"]);
        }
    }
}

#[test]
fn the_instructions_are_under_1_200_characters_and_say_what_matters() {
    let text = ProjectSurface::new(Fake::plain(), ProjectOptions::default()).instructions();
    assert!(text.chars().count() < 1_200, "{}", text.chars().count());
    for word in [
        "list_projects",
        "get_tree",
        "analyze",
        "search_project",
        "get_file",
        "pack_context",
        "read_pack",
        "untrusted-data",
        "REDACTED[",
        "1,000 lines",
        "50,000",
        "`**/*.rs`",
    ] {
        assert!(text.contains(word), "{word}");
    }
}
