//! protocol.md 1: both eras on one pipe.

use serde_json::{Value, json};

use crate::client::{BOTH, Client, Era, call, initialize, meta, request};
use crate::fake::Fake;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test]
async fn a_legacy_version_is_answered_with_itself() {
    for version in LEGACY {
        let answer = Client::raw(Fake::plain()).ask(&initialize(version)).await;
        assert_eq!(answer["result"]["protocolVersion"], version);
    }
}

#[tokio::test]
async fn an_unknown_or_newer_version_is_answered_2025_11_25() {
    for version in ["2026-07-28", "2027-01-01", "1.0", "", "DRAFT"] {
        let answer = Client::raw(Fake::plain()).ask(&initialize(version)).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
}

#[tokio::test]
async fn the_greeting_says_who_is_there_and_offers_tools_alone() {
    let answer = Client::raw(Fake::plain()).ask(&initialize("2025-11-25")).await;
    let result = &answer["result"];
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(
        result["serverInfo"],
        json!({"name": "readroom", "title": "Readroom", "version": env!("CARGO_PKG_VERSION")})
    );
    assert!(result["instructions"].as_str().expect("instructions").chars().count() < 1_200);
    let mut keys: Vec<&String> = result.as_object().expect("object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["capabilities", "instructions", "protocolVersion", "serverInfo"]);
}

#[tokio::test]
async fn initialize_without_a_version_is_refused_and_can_be_repeated() {
    let mut client = Client::raw(Fake::plain());
    for params in [
        json!({}),
        json!({"protocolVersion": 5}),
        json!({"protocolVersion": "2025-06-18", "capabilities": []}),
    ] {
        let answer =
            client.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(client.ask(&initialize("2025-06-18")).await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.ask(&initialize("2024-11-05")).await["result"]["protocolVersion"], "2024-11-05");
}

#[tokio::test]
async fn discover_tells_versions_capabilities_and_the_server() {
    let mut client = Client::raw(Fake::plain());
    let answer = client.ask(&request(Era::PerRequest, 1, "server/discover", json!({}))).await;
    let result = &answer["result"];
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["supportedVersions"],
        json!([LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3], "2026-07-28"])
    );
    assert_eq!(result["capabilities"], json!({"tools": {}}));
    assert_eq!(result["ttlMs"], 3_600_000);
    assert_eq!(result["cacheScope"], "private");
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "readroom");
    assert!(result["instructions"].is_string());
}

#[tokio::test]
async fn results_without_a_handshake_carry_their_type_and_the_server() {
    let mut client = Client::raw(Fake::plain());
    let list = client.ask(&request(Era::PerRequest, 1, "tools/list", json!({}))).await;
    assert_eq!(list["result"]["resultType"], "complete");
    assert_eq!(list["result"]["ttlMs"], 3_600_000);
    assert_eq!(list["result"]["cacheScope"], "private");
    let info = json!({"name": "readroom", "title": "Readroom", "version": env!("CARGO_PKG_VERSION")});
    assert_eq!(list["result"]["_meta"], json!({"io.modelcontextprotocol/serverInfo": info}));
    for tool in ["get_tree", "list_projects", "analyze"] {
        let answer = client.ask(&call(Era::PerRequest, 2, tool, json!({}))).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"], info);
    }
    let failed = client.ask(&call(Era::PerRequest, 3, "get_tree", json!({"project": "fault"}))).await;
    assert_eq!(failed["result"]["resultType"], "complete");
    assert_eq!(failed["result"]["_meta"]["io.modelcontextprotocol/serverInfo"], info);
}

#[tokio::test]
async fn results_after_a_handshake_keep_the_older_shape() {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    let list = client.ask(&request(Era::Handshake, 1, "tools/list", json!({}))).await;
    assert_eq!(list["result"].as_object().expect("object").keys().collect::<Vec<_>>(), ["tools"]);
    let answer = client.ask(&call(Era::Handshake, 2, "get_tree", json!({}))).await;
    assert_eq!(
        answer["result"].as_object().expect("object").keys().collect::<Vec<_>>(),
        ["content", "isError"]
    );
}

#[tokio::test]
async fn tools_are_the_same_in_every_era_and_version() {
    let mut lists = Vec::new();
    for version in LEGACY {
        let mut client = Client::raw(Fake::plain());
        client.ask(&initialize(version)).await;
        lists.push(
            client.ask(&request(Era::Handshake, 1, "tools/list", json!({}))).await["result"]["tools"]
                .to_string(),
        );
    }
    let mut client = Client::raw(Fake::plain());
    lists.push(
        client.ask(&request(Era::PerRequest, 1, "tools/list", json!({}))).await["result"]["tools"]
            .to_string(),
    );
    lists.push(client.ask(&request(Era::PerRequest, 2, "tools/list", json!({"cursor": null}))).await["result"]["tools"].to_string());
    assert!(lists.iter().all(|list| *list == lists[0]));
}

#[tokio::test]
async fn an_unsupported_version_is_told_the_supported_ones() {
    let mut client = Client::raw(Fake::plain());
    for method in ["server/discover", "tools/list", "tools/call", "ping"] {
        let mut message = request(Era::PerRequest, 1, method, json!({"name": "get_tree"}));
        message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
        let answer = client.ask(&message).await;
        assert_eq!(answer["error"]["code"], -32022, "{answer}");
        assert_eq!(answer["error"]["data"]["requested"], "2099-01-01");
        assert_eq!(answer["error"]["data"]["supported"][4], "2026-07-28");
    }
}

#[tokio::test]
async fn bad_or_missing_metadata_is_invalid_params() {
    let mut client = Client::raw(Fake::plain());
    let without = |key: &str| {
        let mut all = meta();
        all.as_object_mut().expect("object").remove(key);
        all
    };
    let with = |key: &str, value: Value| {
        let mut all = meta();
        all[key] = value;
        all
    };
    let version = "io.modelcontextprotocol/protocolVersion";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    let client_info = "io.modelcontextprotocol/clientInfo";
    for bad in [
        json!(null),
        json!({}),
        json!(5),
        json!([]),
        without(version),
        without(capabilities),
        with(version, json!(20260728)),
        with(version, json!(null)),
        with(capabilities, json!("all")),
        with(capabilities, json!(null)),
        with(client_info, json!("me")),
        with(client_info, json!({"name": "me"})),
        with("progressToken", json!(1.5)),
        with("progressToken", json!({})),
    ] {
        for method in ["tools/list", "server/discover", "tools/call"] {
            let params = json!({"_meta": bad, "name": "get_tree"});
            let answer =
                client.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await;
            assert_eq!(answer["error"]["code"], -32602, "{method} {bad} {answer}");
        }
    }
    let answer = client.ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn client_info_is_optional_without_a_handshake() {
    let mut client = Client::raw(Fake::plain());
    let mut message = request(Era::PerRequest, 1, "tools/list", json!({}));
    message["params"]["_meta"].as_object_mut().expect("object").remove("io.modelcontextprotocol/clientInfo");
    assert!(client.ask(&message).await["result"]["tools"].is_array());
}

#[tokio::test]
async fn discover_and_then_initialize_is_served() {
    let mut client = Client::raw(Fake::plain());
    assert!(
        client.ask(&request(Era::PerRequest, 1, "server/discover", json!({}))).await["result"].is_object()
    );
    client.greet(Era::Handshake).await;
    assert!(
        client.ask(&request(Era::Handshake, 2, "tools/list", json!({}))).await["result"]["tools"].is_array()
    );
    assert!(
        client.ask(&call(Era::Handshake, 3, "get_tree", json!({}))).await["result"]["content"].is_array()
    );
}

#[tokio::test]
async fn a_client_may_use_both_eras_on_one_connection() {
    let mut client = Client::raw(Fake::plain());
    assert_eq!(
        client.ask(&call(Era::PerRequest, 1, "get_tree", json!({}))).await["result"]["resultType"],
        "complete"
    );
    client.greet(Era::Handshake).await;
    assert!(
        client.ask(&call(Era::Handshake, 2, "get_tree", json!({}))).await["result"]
            .get("resultType")
            .is_none()
    );
    assert_eq!(
        client.ask(&call(Era::PerRequest, 3, "get_tree", json!({}))).await["result"]["resultType"],
        "complete"
    );
}

#[tokio::test]
async fn requests_before_initialize_are_answered_and_the_server_lives() {
    let mut client = Client::raw(Fake::plain());
    for method in ["tools/list", "tools/call", "server/discover"] {
        let answer = client.ask(&request(Era::Handshake, 1, method, json!({"name": "get_tree"}))).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(client.ask(&request(Era::Handshake, 2, "ping", json!({}))).await["result"], json!({}));
    client.greet(Era::Handshake).await;
    assert!(client.ask(&request(Era::Handshake, 3, "tools/list", json!({}))).await["result"].is_object());
}

#[tokio::test]
async fn a_notification_first_does_no_harm() {
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/made/up"] {
        let mut client = Client::raw(Fake::plain());
        client.send(&json!({"jsonrpc": "2.0", "method": method})).await;
        client.is_silent().await;
        client.greet(Era::Handshake).await;
    }
}

#[tokio::test]
async fn ping_belongs_to_the_handshake_era() {
    let mut client = Client::raw(Fake::plain());
    let answer = client.ask(&request(Era::PerRequest, 1, "ping", json!({}))).await;
    assert_eq!(answer["error"]["code"], -32601);
    client.is_silent().await;
}

#[tokio::test]
async fn every_era_calls_tools() {
    for era in BOTH {
        let mut client = Client::start(Fake::plain(), era).await;
        let answer = client.ask(&call(era, 1, "get_tree", json!({}))).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
}
