//! Token formats of shops, travel and shipping.

use crate::rule::{AnchorCase, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::keyed;

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "duffel-api-token",
        title: "Duffel API token",
        anchors: &["duffel_test_", "duffel_live_"],
        pattern: r"\bduffel_(?:test|live)_[\w=-]{43}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["duffel_{pick:test|live}_{dash:43}"],
        misses: &["duffel_test_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "easypost-api-token",
        title: "EasyPost production API key",
        anchors: &["EZAK"],
        pattern: r"\bEZAK[0-9A-Za-z]{54}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["EZAK{alnum:54}"],
        misses: &["EZAK{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "easypost-test-api-token",
        title: "EasyPost test API key",
        anchors: &["EZTK"],
        pattern: r"\bEZTK[0-9A-Za-z]{54}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["EZTK{alnum:54}"],
        misses: &["EZTK{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "shippo-api-token",
        title: "Shippo API token",
        anchors: &["shippo_live_", "shippo_test_"],
        pattern: r"\bshippo_(?:live|test)_[0-9a-f]{40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["shippo_{pick:live|test}_{hex:40}"],
        misses: &["shippo_test_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "lob-api-key",
        title: "Lob API key",
        anchors: &["lob_", "lob-", "lobapi"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"\blob", "(?:live|test)_[0-9a-f]{35}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["LOB_API_KEY={pick:live|test}_{hex:35}", r#""lobApiKey": "{pick:live|test}_{hex:35}","#],
        misses: &["LOB_API_KEY=test_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "lob-pub-api-key",
        title: "Lob publishable key",
        anchors: &["live_pub_", "test_pub_"],
        pattern: r"\b(?:live|test)_pub_[0-9a-f]{31}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:live|test}_pub_{hex:31}"],
        misses: &["test_pub_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "etsy-access-token",
        title: "Etsy API key",
        anchors: &["etsy"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("etsy", "[0-9a-z]{24}"),
        group: 1,
        min_entropy: 3.2,
        allow: TEMPLATES,
        samples: &["ETSY_API_KEY={lowernum:24}", r#""etsyAccessToken": "{lowernum:24}","#],
        misses: &["ETSY_API_KEY={lowernum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "shopify-access-token",
        title: "Shopify access token",
        anchors: &["shpat_"],
        pattern: r"shpat_[0-9A-Fa-f]{32}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["shpat_{hex:32}"],
        misses: &["shpat_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "shopify-custom-access-token",
        title: "Shopify custom access token",
        anchors: &["shpca_"],
        pattern: r"shpca_[0-9A-Fa-f]{32}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["shpca_{hex:32}"],
        misses: &["shpca_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "shopify-private-app-access-token",
        title: "Shopify private app access token",
        anchors: &["shppa_"],
        pattern: r"shppa_[0-9A-Fa-f]{32}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["shppa_{hex:32}"],
        misses: &["shppa_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "shopify-shared-secret",
        title: "Shopify shared secret",
        anchors: &["shpss_"],
        pattern: r"shpss_[0-9A-Fa-f]{32}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["shpss_{hex:32}"],
        misses: &["shpss_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "woocommerce-api-key",
        title: "WooCommerce consumer key or secret",
        anchors: &[
            "woocommerce",
            "wc_consumer",
            "wc-consumer",
            "consumer_key",
            "consumer_secret",
            "consumerkey",
            "consumersecret",
        ],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"(?:woocommerce|\bwc|consumer)", "c[ks]_[0-9a-f]{40}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "WOOCOMMERCE_CONSUMER_KEY={pick:ck|cs}_{hex:40}",
            r#""consumerSecret": "{pick:ck|cs}_{hex:40}","#,
        ],
        misses: &["WOOCOMMERCE_CONSUMER_KEY=ck_{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "ebay-client-secret",
        title: "eBay certificate id",
        anchors: &["SBX-", "PRD-"],
        pattern: r"\b(?:SBX|PRD)-[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:SBX|PRD}-{hex:12}-{hex:4}-{hex:4}-{hex:4}-{hex:4}"],
        misses: &["SBX-{hex:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "squarespace-access-token",
        title: "Squarespace API key",
        anchors: &["squarespace"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("squarespace", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["SQUARESPACE_API_KEY={uuid}", "const squarespaceApiKey = '{uuid}';"],
        misses: &["SQUARESPACE_API_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "bigcommerce-access-token",
        title: "BigCommerce access token",
        anchors: &["bigcommerce", "big_commerce"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("(?:big_?commerce|x-auth-token)", "[0-9a-z]{31}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "BIGCOMMERCE_ACCESS_TOKEN={lowernum:31}",
            "const bigcommerceAccessToken = '{lowernum:31}';",
        ],
        misses: &["BIGCOMMERCE_ACCESS_TOKEN={lowernum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "freemius-secret-key",
        title: "Freemius secret key",
        anchors: &["secret_key"],
        pattern: r#"secret_key["'][ \t]{0,8}=>[ \t]{0,4}["'](sk_[^\s"']{29})["']"#,
        group: 1,
        min_entropy: 2.7,
        paths: &[".php"],
        allow: TEMPLATES,
        samples: &[
            "'secret_key' => 'sk_{any:abcdefghijkmnopqrstuvwyzABCDEFGHJKLMNPQRSTUVWYZ23456789!@#%^&*()_-=+[]:29}',",
        ],
        misses: &["'secret_key' => 'sk_{lower:8}',"],
        ..Rule::BASE
    },
];
