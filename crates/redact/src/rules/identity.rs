//! Token formats of identity providers and secret stores.

use crate::rule::{AnchorCase, Check, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::{keyed, named};

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "jwt",
        title: "JSON Web Token",
        anchors: &[
            "eyJh", "eyJi", "eyJj", "eyJk", "eyJl", "eyJm", "eyJn", "eyJo", "eyJp", "eyJq", "eyJr", "eyJs",
            "eyJt", "eyJu", "eyJv", "eyJw", "eyJx", "eyJy", "eyJz", "eyJ0", "eyJ1", "eyJ2", "eyJ3", "eyJ4",
            "eyJ5", "eyJ6", "eyAi", "ewog",
        ],
        pattern: r"\be[yw][\w-]{15,}\.e[yw][\w-]{10,}\.[\w-]*",
        after: 8000,
        min_entropy: 3.0,
        check: Some(Check::JwtHeader),
        allow: TEMPLATES,
        samples: &["Authorization: Bearer {jwt}"],
        misses: &["eyJ{alnum:30}.eyJ{alnum:30}", "eyJ{alnum:30}.eyJ{alnum:30}.{alnum:30}", "an{jwt}"],
        ..Rule::BASE
    },
    Rule {
        id: "jwt-base64",
        title: "JSON Web Token encoded once more in base64",
        anchors: &["ZXlK"],
        pattern: r"\bZXlK[0-9A-Za-z+/]{60,}={0,2}",
        after: 8000,
        min_entropy: 3.0,
        check: Some(Check::JwtBase64),
        allow: TEMPLATES,
        samples: &["token: {b64of:eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI<lower:8>In0.<base64url:43>}"],
        misses: &["ZXlK{alnum:20}", "ZXlK{alnum:80}"],
        ..Rule::BASE
    },
    Rule {
        id: "1password-service-account-token",
        title: "1Password service account token",
        anchors: &["ops_eyJ"],
        pattern: r"\bops_eyJ[0-9A-Za-z+/]{200,}={0,3}",
        after: 2500,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["OP_SERVICE_ACCOUNT_TOKEN=ops_eyJ{base64:600}"],
        misses: &["ops_eyJ{base64:60}"],
        ..Rule::BASE
    },
    Rule {
        id: "1password-secret-key",
        title: "1Password secret key",
        anchors: &["A3-"],
        pattern: r"\bA3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}\b",
        min_entropy: 3.2,
        allow: TEMPLATES,
        samples: &[
            "A3-{uppernum:6}-{uppernum:6}-{uppernum:5}-{uppernum:5}-{uppernum:5}-{uppernum:5}",
            "A3-{uppernum:6}-{uppernum:11}-{uppernum:5}-{uppernum:5}-{uppernum:5}",
        ],
        misses: &["A3-{uppernum:6}", "A3-XXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX"],
        ..Rule::BASE
    },
    Rule {
        id: "age-secret-key",
        title: "age secret key",
        anchors: &["AGE-SECRET-KEY-"],
        pattern: r"AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]{58,62}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["AGE-SECRET-KEY-1{any:QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L:58}"],
        misses: &["AGE-SECRET-KEY-1{upper:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "vault-service-token",
        title: "HashiCorp Vault service token",
        anchors: &["hvs."],
        pattern: r"\bhvs\.[\w-]{24,300}",
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["VAULT_TOKEN=hvs.{dash:90-120}"],
        misses: &["hvs.{alnum:9}", "hvs.{lower:10}({lower:20})"],
        ..Rule::BASE
    },
    Rule {
        id: "vault-batch-token",
        title: "HashiCorp Vault batch token",
        anchors: &["hvb."],
        pattern: r"\bhvb\.[\w-]{100,300}",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["hvb.{dash:138-212}"],
        misses: &["hvb.{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "vault-recovery-token",
        title: "HashiCorp Vault recovery token",
        anchors: &["hvr."],
        pattern: r"\bhvr\.[\w-]{24,300}",
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["hvr.{dash:90-120}"],
        misses: &["hvr.{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "vault-legacy-service-token",
        title: "HashiCorp Vault token of the older form",
        anchors: &["vault"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("vault", r"[sbr]\.[0-9A-Za-z]{24}"),
        group: 1,
        min_entropy: 3.4,
        allow: TEMPLATES,
        samples: &["VAULT_TOKEN=s.{alnum:24}", r#""vaultRootToken": "s.{alnum:24}","#],
        misses: &["VAULT_TOKEN=s.{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "doppler-api-token",
        title: "Doppler token",
        anchors: &["dp.pt.", "dp.ct.", "dp.st.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.said."],
        pattern: r"\bdp\.(?:pt|ct|sa|scim|audit|said|st(?:\.[0-9a-z_-]{2,35})?)\.[0-9A-Za-z]{40,44}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "DOPPLER_TOKEN={pick:dp.pt.|dp.ct.|dp.sa.|dp.scim.|dp.audit.|dp.st.|dp.st.prd.}{alnum:43}",
        ],
        misses: &["dp.pt.{alnum:20}", "dp.xx.{alnum:43}"],
        ..Rule::BASE
    },
    Rule {
        id: "infisical-service-token",
        title: "Infisical service token",
        anchors: &["infisical"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("infisical", r"st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "INFISICAL_TOKEN=st.{hex:24}.{hex:32}.{hex:32}",
            "const infisicalToken = 'st.{hex:24}.{hex:32}.{hex:32}';",
        ],
        misses: &["INFISICAL_TOKEN=st.{hex:24}"],
        ..Rule::BASE
    },
    Rule {
        id: "bitwarden-access-token",
        title: "Bitwarden Secrets Manager access token",
        anchors: &["bws_access", "bws-access", "bwsaccess", "bitwarden"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(
            "(?:bws|bitwarden)",
            r"0\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[0-9A-Za-z]{30}:[0-9A-Za-z+/]{22}=="
        ),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "BWS_ACCESS_TOKEN=0.{uuid}.{alnum:30}:{base64:22}==",
            "const bwsAccessToken = '0.{uuid}.{alnum:30}:{base64:22}==';",
        ],
        misses: &["BWS_ACCESS_TOKEN=0.{uuid}.{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "okta-access-token",
        title: "Okta API token",
        anchors: &["okta"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("okta", r"00[\w-]{40}"),
        group: 1,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["OKTA_API_TOKEN=00{dash:39}x", r#""oktaToken": "00{dash:39}x","#],
        misses: &["OKTA_API_TOKEN=00{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "okta-client-secret",
        title: "Okta client secret",
        anchors: &["okta"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"okta[\w.-]{0,16}?secret", r"[\w-]{40}(?:[\w-]{24})?"),
        group: 1,
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["OKTA_CLIENT_SECRET={dash:39}x", r#""oktaClientSecret": "{dash:39}x","#],
        misses: &["OKTA_CLIENT_SECRET={alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "auth0-client-secret",
        title: "Auth0 client secret",
        anchors: &["auth0"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("auth0", r"[\w-]{64}"),
        group: 1,
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["AUTH0_CLIENT_SECRET={dash:63}x", r#""auth0ClientSecret": "{dash:63}x","#],
        misses: &["AUTH0_CLIENT_SECRET={alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "stytch-secret",
        title: "Stytch project secret",
        anchors: &["secret-test-", "secret-live-"],
        pattern: r"\bsecret-(?:test|live)-[\w-]{35,44}=?",
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["secret-{pick:test|live}-{dash:43}="],
        misses: &["secret-test-{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "duo-secret-key",
        title: "Duo Security secret key",
        anchors: &["duo_", "duo-", "duosecret"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"\bduo", "[0-9A-Za-z]{40}"),
        group: 1,
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["DUO_SECRET_KEY={alnum:40}", "const duoSecretKey = '{alnum:40}';"],
        misses: &["DUO_SECRET_KEY={alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "authress-service-client-access-key",
        title: "Authress service client access key",
        anchors: &[".acc_", ".acc-"],
        pattern: r"(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})((?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\.[0-9A-Za-z]{4,6}\.acc[_-][0-9A-Za-z-]{10,32}\.[0-9A-Za-z+/_=-]{30,120})",
        group: 1,
        before: 51,
        after: 202,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:sc|ext|authress}_{lowernum:12}.{lowernum:4}.acc_{lowernum:16}.{alnum:64}"],
        misses: &["sc_{lowernum:12}.{lowernum:4}.acc_{lowernum:16}"],
        ..Rule::BASE
    },
];
