//! Token formats of database and search services.

use crate::rule::{AnchorCase, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::{keyed, named};

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "planetscale-password",
        title: "PlanetScale password",
        anchors: &["pscale_pw_"],
        pattern: r"\bpscale_pw_[\w.=-]{32,64}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pscale_pw_{dash:43}"],
        misses: &["pscale_pw_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "planetscale-api-token",
        title: "PlanetScale API token",
        anchors: &["pscale_tkn_"],
        pattern: r"\bpscale_tkn_[\w.=-]{32,64}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pscale_tkn_{dash:43}"],
        misses: &["pscale_tkn_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "planetscale-oauth-token",
        title: "PlanetScale OAuth token",
        anchors: &["pscale_oauth_"],
        pattern: r"\bpscale_oauth_[\w.=-]{32,64}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pscale_oauth_{dash:43}"],
        misses: &["pscale_oauth_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "neon-api-key",
        title: "Neon API key",
        anchors: &["napi_"],
        pattern: r"\bnapi_[0-9A-Za-z]{60,68}\b",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["napi_{lowernum:64}"],
        misses: &["napi_{lower:20}", "napi_create_{lower:20}_{lower:36}"],
        ..Rule::BASE
    },
    Rule {
        id: "neon-password",
        title: "Neon database password",
        anchors: &["npg_"],
        pattern: r"\bnpg_[0-9A-Za-z]{12,20}\b",
        min_entropy: 2.6,
        allow: TEMPLATES,
        samples: &["PGPASSWORD=npg_{alnum:12}"],
        misses: &["npg_{alnum:6}", "npg_{lower:8}_{lower:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "supabase-access-token",
        title: "Supabase personal access token",
        anchors: &["sbp_"],
        pattern: r"\bsbp_(?:v0_)?[0-9a-f]{40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["SUPABASE_ACCESS_TOKEN=sbp_{hex:40}"],
        misses: &["sbp_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "supabase-secret-key",
        title: "Supabase secret API key",
        anchors: &["sb_secret_"],
        pattern: r"\bsb_secret_[\w-]{30,44}",
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["sb_secret_{dash:22}_{alnum:8}"],
        misses: &["sb_secret_{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "mongodb-atlas-service-account-secret",
        title: "MongoDB Atlas service account secret",
        anchors: &["mdb_sa_sk_"],
        pattern: r"\bmdb_sa_sk_[\w-]{40}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["mdb_sa_sk_{dash:40}"],
        misses: &["mdb_sa_sk_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "mongodb-atlas-private-key",
        title: "MongoDB Atlas private API key",
        anchors: &["mongodb_atlas", "mongodbatlas", "mcli_private", "atlas_private", "atlasprivate"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(
            "(?:mongodb_?atlas|atlas|mcli)",
            "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        ),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["MONGODB_ATLAS_PRIVATE_KEY={uuid}", r#""atlasPrivateKey": "{uuid}","#],
        misses: &["MONGODB_ATLAS_PRIVATE_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "databricks-api-token",
        title: "Databricks token",
        anchors: &["dapi", "dose"],
        pattern: r"\b(?:dapi|dose)[0-9a-f]{32}(?:-[0-9])?\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["DATABRICKS_TOKEN={pick:dapi|dose}{hex:32}{pick:|-2}"],
        misses: &["dapi{hex:20}", "xdapi{hex:32}"],
        ..Rule::BASE
    },
    Rule {
        id: "algolia-api-key",
        title: "Algolia API key",
        anchors: &["algolia"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("algolia", "[0-9a-z]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "ALGOLIA_API_KEY={hex:32}",
            r#""X-Algolia-API-Key": "{hex:32}","#,
            r#""algoliaAdminKey": "{hex:32}","#,
        ],
        misses: &["ALGOLIA_API_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "confluent-cloud-secret",
        title: "Confluent Cloud API secret with a prefix",
        anchors: &["cflt"],
        pattern: r"\b(cflt[0-9A-Za-z+/]{56,64})(?:[^\w/+=-]|$)",
        group: 1,
        min_entropy: 3.8,
        allow: TEMPLATES,
        samples: &["sasl.password=cflt{alnum:60}"],
        misses: &["cflt{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "confluent-secret-key",
        title: "Confluent Cloud API secret",
        anchors: &["confluent"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("confluent", "[0-9A-Za-z+/]{64}"),
        group: 1,
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["CONFLUENT_CLOUD_API_SECRET={base64:64}", r#""confluentSecretKey": "{base64:64}","#],
        misses: &["CONFLUENT_CLOUD_API_SECRET={alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "confluent-access-token",
        title: "Confluent Cloud API key",
        anchors: &["confluent"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("confluent", "[0-9A-Z]{16}"),
        group: 1,
        min_entropy: 2.6,
        allow: TEMPLATES,
        samples: &["CONFLUENT_CLOUD_API_KEY={uppernum:16}", r#""confluentAccessToken": "{uppernum:16}","#],
        misses: &["CONFLUENT_CLOUD_API_KEY={uppernum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "clickhouse-cloud-api-secret-key",
        title: "ClickHouse Cloud API secret",
        anchors: &["4b1d"],
        pattern: r"\b4b1d[0-9A-Za-z]{38}\b",
        min_entropy: 3.8,
        allow: TEMPLATES,
        samples: &["4b1d{alnum:38}"],
        misses: &["4b1d{alnum:20}", "4b1d{hex:36}"],
        ..Rule::BASE
    },
    Rule {
        id: "dbt-cloud-token",
        title: "dbt Cloud token",
        anchors: &["dbtc_", "dbtu_"],
        pattern: r"\bdbt[cu]_[\w-]{32,64}",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["{pick:dbtc|dbtu}_{dash:40}"],
        misses: &["dbtc_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "fauna-secret",
        title: "Fauna secret",
        anchors: &["fnAE", "fnAF", "fnAC", "fnAD"],
        pattern: r"\bfnA[C-F][\w-]{36}",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["fnA{pick:C|D|E|F}{dash:36}"],
        misses: &["fnAE{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "xata-api-key",
        title: "Xata API key",
        anchors: &["xau_"],
        pattern: r"\bxau_[0-9A-Za-z]{32,40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xau_{alnum:36}"],
        misses: &["xau_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "upstash-redis-token",
        title: "Upstash Redis REST token",
        anchors: &["upstash_redis_rest_token", "upstashredisresttoken"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!("upstash_?redis_?rest_?token", "[0-9A-Za-z_=-]{36,120}"),
        group: 1,
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["UPSTASH_REDIS_REST_TOKEN={alnum:56}", "const upstashRedisRestToken = '{alnum:56}';"],
        misses: &["UPSTASH_REDIS_REST_TOKEN={alnum:12}"],
        ..Rule::BASE
    },
];
