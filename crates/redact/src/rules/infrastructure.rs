//! Token formats of content delivery, networks, clusters and tools that describe infrastructure.

use crate::rule::{AnchorCase, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::{keyed, named};

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "cloudinary-url-secret",
        title: "Cloudinary API secret in an address",
        anchors: &["cloudinary://"],
        pattern: r"cloudinary://[0-9]{15}:([\w-]{27})@",
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["CLOUDINARY_URL=cloudinary://{digit:15}:{dash:27}@shop"],
        misses: &["cloudinary://{digit:15}:{alnum:9}@shop"],
        ..Rule::BASE
    },
    Rule {
        id: "cloudinary-api-secret",
        title: "Cloudinary API secret",
        anchors: &["cloudinary"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"cloudinary[\w.-]{0,16}?secret", r"[\w-]{27}"),
        group: 1,
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["CLOUDINARY_API_SECRET={dash:26}x", r#""cloudinaryApiSecret": "{dash:26}x","#],
        misses: &["CLOUDINARY_API_SECRET={alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "backblaze-application-key",
        title: "Backblaze B2 application key",
        anchors: &["backblaze", "b2_app", "b2_key", "b2app"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"(?:backblaze|\bb2)", "K00[0-9][0-9A-Za-z+/]{27}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "B2_APPLICATION_KEY=K00{digit:1}{base64:27}",
            r#""backblazeKey": "K00{digit:1}{base64:27}","#,
        ],
        misses: &["B2_APPLICATION_KEY=K001{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "fastly-api-token",
        title: "Fastly API token",
        anchors: &["fastly"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("fastly", r"[\w=-]{32}"),
        group: 1,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["FASTLY_API_TOKEN={dash:31}x", r#""fastlyKey": "{dash:31}x","#],
        misses: &["FASTLY_API_TOKEN={alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "bunny-api-key",
        title: "bunny.net API key",
        anchors: &["bunny"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(
            "bunny(?:_?cdn|_?net)?",
            "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?"
        ),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["BUNNY_API_KEY={uuid}", r#""bunnycdnAccessKey": "{uuid}","#],
        misses: &["BUNNY_API_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "tailscale-key",
        title: "Tailscale key",
        anchors: &["tskey-"],
        pattern: r"\btskey-[a-z]{3,8}-[0-9A-Za-z]{8,24}-[0-9A-Za-z]{16,44}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["TS_AUTHKEY=tskey-{pick:auth|api|client}-k{alnum:10}CNTRL-{alnum:32}"],
        misses: &["tskey-auth-{alnum:6}", "tskey-auth-{lower:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "ngrok-auth-token",
        title: "ngrok auth token",
        anchors: &["ngrok"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("ngrok", "[0-9A-Za-z]{27}_[0-9A-Za-z]{20,21}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "NGROK_AUTHTOKEN={alnum:27}_{alnum:21}",
            r#""ngrok.auth_token": "{alnum:27}_{alnum:21}","#,
        ],
        misses: &["NGROK_AUTHTOKEN={alnum:27}"],
        ..Rule::BASE
    },
    Rule {
        id: "netbird-access-token",
        title: "NetBird access token",
        anchors: &["nbp_"],
        pattern: r"\bnbp_[0-9A-Za-z]{36}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["nbp_{alnum:36}"],
        misses: &["nbp_{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "zerotier-api-token",
        title: "ZeroTier API token",
        anchors: &["zerotier", "zero_tier"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("zero_?tier", "[0-9A-Za-z]{32}"),
        group: 1,
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["ZEROTIER_API_TOKEN={alnum:32}", "const zerotierApiToken = '{alnum:32}';"],
        misses: &["ZEROTIER_API_TOKEN={alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "hashicorp-tf-api-token",
        title: "Terraform Cloud or HCP API token",
        anchors: &[".atlasv1."],
        pattern: r"(?:\b|\\[nrt]|%[0-9A-Fa-f]{2})([0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,70})",
        group: 1,
        before: 17,
        after: 87,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &[r#"token = "{alnum:14}.atlasv1.{dash:67}""#],
        misses: &["{alnum:14}.atlasv1.{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "hashicorp-tf-password",
        title: "Administrator password of a Terraform resource",
        anchors: &["password"],
        anchor_case: AnchorCase::Insensitive,
        pattern: r#"(?i:(?:administrator|admin|master|db)[\w]{0,16}password)[ \t]{0,12}=[ \t]{0,4}"([^"\s$]{8,64})""#,
        group: 1,
        before: 40,
        after: 112,
        min_entropy: 2.5,
        paths: &[".tf", ".hcl"],
        allow: TEMPLATES,
        samples: &[
            "resource \"x\" \"y\" {{\n  administrator_login_password = \"{alnum:14}\"\n",
            r#"admin_password = "{alnum:10}!x""#,
        ],
        misses: &[
            "administrator_login_password = var.password",
            r#"administrator_login_password = "${{var.password}""#,
        ],
        ..Rule::BASE
    },
    Rule {
        id: "pulumi-api-token",
        title: "Pulumi access token",
        anchors: &["pul-"],
        pattern: r"\bpul-[0-9a-f]{40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pul-{hex:40}"],
        misses: &["pul-{hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "openshift-user-token",
        title: "OpenShift user token",
        anchors: &["sha256~"],
        pattern: r"\bsha256~[\w-]{43}(?:\b|$)",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["oc login --token=sha256~{dash:42}x"],
        misses: &["sha256~{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "rancher-api-token",
        title: "Rancher API token",
        anchors: &["token-"],
        pattern: r"\btoken-[0-9a-z]{5}:[0-9a-z]{54}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["token-{lowernum:5}:{lowernum:54}"],
        misses: &["token-{lowernum:5}:{lowernum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "portainer-access-token",
        title: "Portainer access token",
        anchors: &["ptr_"],
        pattern: r"\bptr_[0-9A-Za-z+/]{43}=",
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["X-API-Key: ptr_{base64:43}="],
        misses: &["ptr_{alnum:20}=", "ptr_{lower:20}_{lower:22} ="],
        ..Rule::BASE
    },
    Rule {
        id: "kubeadm-bootstrap-token",
        title: "Kubernetes bootstrap token",
        anchors: &["kubeadm", "bootstrap_token", "bootstrap-token", "bootstraptoken"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("(?:kubeadm|bootstrap)", r"[0-9a-z]{6}\.[0-9a-z]{16}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "KUBEADM_TOKEN={lowernum:6}.{lowernum:16}",
            r#""bootstrapToken": "{lowernum:6}.{lowernum:16}","#,
        ],
        misses: &["KUBEADM_TOKEN={lowernum:16}"],
        ..Rule::BASE
    },
    Rule {
        id: "consul-token",
        title: "HashiCorp Consul token",
        anchors: &["consul"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("consul", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["CONSUL_HTTP_TOKEN={uuid}", r#""consulAclToken": "{uuid}","#],
        misses: &["CONSUL_HTTP_TOKEN={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "nomad-token",
        title: "HashiCorp Nomad token",
        anchors: &["nomad"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("nomad", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["NOMAD_TOKEN={uuid}", r#""nomadAclToken": "{uuid}","#],
        misses: &["NOMAD_TOKEN={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "hashicorp-cloud-client-secret",
        title: "HashiCorp Cloud client secret",
        anchors: &["hcp_client", "hcpclient"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"\bhcp", r"[\w-]{64}"),
        group: 1,
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["HCP_CLIENT_SECRET={dash:63}x", "const hcpClientSecret = '{dash:63}x';"],
        misses: &["HCP_CLIENT_SECRET={alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "cisco-meraki-api-key",
        title: "Cisco Meraki API key",
        anchors: &["meraki"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("meraki", "[0-9a-f]{40}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["MERAKI_DASHBOARD_API_KEY={hex:40}", r#""X-Cisco-Meraki-API-Key": "{hex:40}","#],
        misses: &["MERAKI_DASHBOARD_API_KEY={hex:20}"],
        ..Rule::BASE
    },
];
