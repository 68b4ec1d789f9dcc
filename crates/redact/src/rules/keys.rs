//! Keys of frameworks and key files, and credentials of a command line.

use crate::rule::{Allow, Rule};
use crate::rules::allow::TEMPLATES;

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "laravel-app-key",
        title: "Laravel application key",
        anchors: &["APP_KEY=base64:"],
        pattern: "APP_KEY=base64:([0-9A-Za-z+/]{43}=)",
        group: 1,
        min_entropy: 3.8,
        allow: TEMPLATES,
        samples: &["APP_KEY=base64:{base64:43}="],
        misses: &["APP_KEY=base64:{base64:20}="],
        ..Rule::BASE
    },
    Rule {
        id: "django-insecure-secret-key",
        title: "Django secret key made by its project template",
        anchors: &["django-insecure-"],
        pattern: "django-insecure-[0-9a-z!@#$%^&*(=+)_-]{50}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            r#"SECRET_KEY = "django-insecure-{any:abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+):50}""#,
        ],
        misses: &["django-insecure-{lower:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "putty-private-key",
        title: "PuTTY private key",
        anchors: &["Private-Lines:"],
        pattern: r"Private-Lines: [0-9]{1,3}\r?\n((?:[0-9A-Za-z+/=]{1,64}\r?\n){0,59}[0-9A-Za-z+/=]{1,64})(?:\r?\n|$)",
        group: 1,
        after: 5000,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["Private-Lines: 2\n{base64:64}\n{base64:40}\nPrivate-MAC: {hex:40}"],
        misses: &["Private-Lines: 0\n"],
        ..Rule::BASE
    },
    Rule {
        id: "curl-auth-header",
        title: "Authorization or token header of a curl command",
        anchors: &["curl"],
        pattern: r#"\bcurl\b(?:[^\n\\]|\\\r?\n|\\[^\n])*?["'](?i:(?:Proxy-)?Authorization: ?(?:Bearer|Token|Basic|ApiKey) |(?:X-)?(?:API|Auth)-?(?:Key|Token): ?)([\w.~+/=-]{16,})["']"#,
        group: 1,
        after: 1000,
        min_entropy: 3.3,
        allow: &[Allow::Regex(r"^(?:[A-Z]+(?:[_-][A-Z]+)*|[a-z]+(?:[_-][a-z]+)*)$"), TEMPLATES[0]],
        samples: &[r#"curl -s -H "Authorization: Bearer {alnum:40}" https://api"#],
        misses: &[
            r#"curl -H "Authorization: Bearer MY_ACCESS_TOKEN_NAME""#,
            r#"curl -H "Authorization: Bearer $TOKEN""#,
            r#"curl -H "Authorization: Bearer short""#,
        ],
        ..Rule::BASE
    },
    Rule {
        id: "curl-auth-user",
        title: "User and password of a curl command",
        anchors: &["curl"],
        pattern: r#"\bcurl\b(?:[^\n\\]|\\\r?\n|\\[^\n])*?[ \t](?:-u|--user)[ =]{0,2}["']?[^\s"':]{1,64}:([^\s"'$<{}\\`]{3,128})"#,
        group: 1,
        after: 1000,
        min_entropy: 2.5,
        allow: TEMPLATES,
        samples: &[r#"curl -u "deploy:{alnum:20}" https://api"#],
        misses: &[r#"curl -u "deploy:$PASSWORD""#, "curl -u deploy"],
        ..Rule::BASE
    },
];
