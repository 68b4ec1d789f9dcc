//! Token formats of package registries.

use crate::rule::{AnchorCase, Check, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::keyed;

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "npm-access-token",
        title: "npm access token",
        anchors: &["npm_"],
        pattern: r"\bnpm_[0-9A-Za-z]{36}\b",
        min_entropy: 2.7,
        check: Some(Check::Crc32Base62),
        allow: TEMPLATES,
        samples: &["//registry/:_authToken=npm_{alnum:30}{crc32_base62:6}"],
        misses: &["npm_{alnum:30}000000", "npm_{alnum:20}", "npm_config_{alnum:29}"],
        ..Rule::BASE
    },
    Rule {
        id: "npm-legacy-auth-token",
        title: "npm access token of the older form",
        anchors: &["_authToken="],
        pattern: r#"_authToken=["']?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b"#,
        group: 1,
        min_entropy: 2.5,
        allow: TEMPLATES,
        samples: &["//registry/:_authToken={uuid}"],
        misses: &["_authToken=${{NPM_TOKEN}"],
        ..Rule::BASE
    },
    Rule {
        id: "pypi-upload-token",
        title: "PyPI upload token",
        anchors: &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
        pattern: r"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[\w-]{50,}",
        after: 2000,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:pypi-AgEIcHlwaS5vcmc|pypi-AgENdGVzdC5weXBpLm9yZw}{dash:120-180}"],
        misses: &["pypi-AgEIcHlwaS5vcmc{dash:20}", "pypi-{dash:120}"],
        ..Rule::BASE
    },
    Rule {
        id: "rubygems-api-token",
        title: "RubyGems API key",
        anchors: &["rubygems_"],
        pattern: r"rubygems_[0-9a-f]{48}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[":rubygems_api_key: rubygems_{hex:48}"],
        misses: &["rubygems_{hex:20}", "rubygems_version_{hex:48}"],
        ..Rule::BASE
    },
    Rule {
        id: "crates-io-api-token",
        title: "crates.io API token",
        anchors: &["cio"],
        pattern: r"\bcio[0-9A-Za-z]{32}\b",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &[r#"token = "cio{alnum:32}""#],
        misses: &["cio{alnum:20}", "precio{alnum:32}"],
        ..Rule::BASE
    },
    Rule {
        id: "nuget-api-key",
        title: "NuGet API key",
        anchors: &["oy2"],
        pattern: r"\boy2[0-9a-z]{43}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["nuget push -k oy2{lowernum:43}"],
        misses: &["oy2{lowernum:20}", "oy2{alnum:43}Z"],
        ..Rule::BASE
    },
    Rule {
        id: "dockerhub-pat",
        title: "Docker Hub personal or organization access token",
        anchors: &["dckr_pat_", "dckr_oat_"],
        pattern: r"dckr_[po]at_[\w-]{27,40}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:dckr_pat_|dckr_oat_}{dash:27}"],
        misses: &["dckr_pat_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "clojars-api-token",
        title: "Clojars deploy token",
        anchors: &["CLOJARS_"],
        pattern: r"CLOJARS_[0-9A-Za-z]{60}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["CLOJARS_{lowernum:60}"],
        misses: &["CLOJARS_{lowernum:20}", "CLOJARS_PASSWORD"],
        ..Rule::BASE
    },
    Rule {
        id: "hex-api-key",
        title: "Hex package manager API key",
        anchors: &["hex_api", "hexpm", "hex_pm", "hexapi"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"\bhex_?(?:pm)?", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["HEX_API_KEY={hex:32}", r#""hexApiKey": "{hex:32}","#],
        misses: &["HEX_API_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "packagist-api-token",
        title: "Private Packagist token",
        anchors: &["packagist_"],
        pattern: r"packagist_[a-z]{2,6}_[0-9a-f]{50,80}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["packagist_{pick:uut|ort|out}_{hex:68}"],
        misses: &["packagist_out_{hex:20}", "packagist_token_name_{hex:68}"],
        ..Rule::BASE
    },
    Rule {
        id: "cocoapods-trunk-token",
        title: "CocoaPods trunk token",
        anchors: &["cocoapods_trunk", "cocoapodstrunk"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("cocoapods_?trunk", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["COCOAPODS_TRUNK_TOKEN={hex:32}", "const cocoapodsTrunkToken = '{hex:32}';"],
        misses: &["COCOAPODS_TRUNK_TOKEN={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "anaconda-api-token",
        title: "Anaconda.org token",
        anchors: &["anaconda", "conda_token", "conda_api"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(
            "(?:anaconda|conda)",
            "[a-z]{2}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
        ),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["ANACONDA_API_TOKEN=gb-{uuid}", "const anacondaApiToken = 'gb-{uuid}';"],
        misses: &["ANACONDA_API_TOKEN={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "cloudsmith-api-key",
        title: "Cloudsmith API key",
        anchors: &["cloudsmith"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("cloudsmith", "[0-9a-f]{40}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["CLOUDSMITH_API_KEY={hex:40}", "const cloudsmithApiKey = '{hex:40}';"],
        misses: &["CLOUDSMITH_API_KEY={hex:20}"],
        ..Rule::BASE
    },
];
