//! Token formats of chat services and webhooks.

use crate::rule::{AnchorCase, Check, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::{keyed, named};

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "slack-bot-token",
        title: "Slack bot token",
        anchors: &["xoxb-"],
        pattern: r"xoxb-[0-9]{9,14}-(?:[0-9]{9,14}-)?[0-9A-Za-z]{18,40}\b",
        min_entropy: 3.0,
        allow: TEMPLATES,
        samples: &["SLACK_TOKEN=xoxb-{digit:12}-{digit:12}-{alnum:24}"],
        misses: &["xoxb-{digit:6}", "xoxb-XXXXXXXX-XXXXXXXX-XXXX", "xoxb-{digit:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-legacy-bot-token",
        title: "Slack bot token of the older form",
        anchors: &["xoxb-"],
        pattern: r"xoxb-[0-9]{6,8}-[0-9A-Za-z]{18,26}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xoxb-{digit:8}-{alnum:24}"],
        misses: &["xoxb-{digit:8}-{alnum:6}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-user-token",
        title: "Slack user token",
        anchors: &["xoxp-", "xoxe-"],
        pattern: r"xox[pe]-(?:[0-9]{9,14}-){2,3}[0-9A-Za-z]{24,40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:xoxp|xoxe}-{digit:12}-{digit:12}-{digit:13}-{hex:32}"],
        misses: &["xoxp-{digit:12}-{digit:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-legacy-token",
        title: "Slack token of the oldest form",
        anchors: &["xoxo-", "xoxs-"],
        pattern: r"xox[os]-[0-9]{5,14}-[0-9]{5,14}-[0-9]{5,14}-[0-9a-f]{10,64}\b",
        min_entropy: 2.5,
        allow: TEMPLATES,
        samples: &["{pick:xoxo|xoxs}-{digit:11}-{digit:11}-{digit:12}-{hex:10}"],
        misses: &["xoxs-{digit:11}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-legacy-workspace-token",
        title: "Slack workspace token",
        anchors: &["xoxa-", "xoxr-"],
        pattern: "xox[ar]-(?:[0-9]-)?[0-9A-Za-z][0-9A-Za-z-]{7,80}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:xoxa|xoxr}-2-{digit:12}-{digit:12}-{alnum:24}"],
        misses: &["xoxa-2-{alnum:4}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-session-token",
        title: "Slack browser session token",
        anchors: &["xoxc-", "xoxd-"],
        pattern: "xox(?:c-[0-9]{9,14}-[0-9]{9,14}-[0-9]{9,14}-[0-9a-f]{64}|d-[0-9A-Za-z%/+]{60,300}={0,2})",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xoxc-{digit:12}-{digit:12}-{digit:13}-{hex:64}", "xoxd-{base64:140}"],
        misses: &["xoxc-{digit:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-app-token",
        title: "Slack app-level token",
        anchors: &["xapp-"],
        pattern: r"xapp-[0-9]-[0-9A-Za-z]{6,20}-[0-9]{9,20}-[0-9a-z]{10,80}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xapp-1-A{uppernum:10}-{digit:13}-{hex:64}"],
        misses: &["xapp-1-{upper:6}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-config-access-token",
        title: "Slack configuration access token",
        anchors: &["xoxe.xoxb-", "xoxe.xoxp-"],
        pattern: r"xoxe\.xox[bp]-[0-9]-[0-9A-Za-z]{120,220}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xoxe.xox{pick:b|p}-1-{uppernum:166}"],
        misses: &["xoxe.xoxp-1-{uppernum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-config-refresh-token",
        title: "Slack configuration refresh token",
        anchors: &["xoxe-"],
        pattern: r"xoxe-[0-9]-[0-9A-Za-z]{120,220}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xoxe-1-{uppernum:146}"],
        misses: &["xoxe-1-{uppernum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "slack-webhook-url",
        title: "Slack webhook address",
        anchors: &["hooks.slack.com/"],
        pattern: r"hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z]{8,14}/[0-9A-Za-z]{8,20}/(?:[0-9]{9,20}/)?[0-9A-Za-z]{20,40})\b",
        group: 1,
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &[
            "https://hooks.slack.com/services/T{uppernum:10}/B{uppernum:10}/{alnum:24}",
            "hooks.slack.com/workflows/T{uppernum:10}/A{uppernum:10}/{digit:18}/{alnum:24}",
        ],
        misses: &[
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "https://hooks.slack.com/services/",
        ],
        ..Rule::BASE
    },
    Rule {
        id: "slack-signing-secret",
        title: "Slack signing secret",
        anchors: &["slack"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"slack[\w.-]{0,16}?secret", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["SLACK_SIGNING_SECRET={hex:32}", r#""slackClientSecret": "{hex:32}","#],
        misses: &["SLACK_SIGNING_SECRET={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "discord-bot-token",
        title: "Discord bot token",
        anchors: &["discord", "bot "],
        anchor_case: AnchorCase::Insensitive,
        pattern: r"(?i:discord|\bbot)[^\n]{0,120}?(?:^|[^\w.-])([MNO][0-9A-Za-z_-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40})(?:[^\w.-]|$)",
        group: 1,
        after: 300,
        min_entropy: 3.7,
        check: Some(Check::DiscordToken),
        allow: TEMPLATES,
        samples: &["DISCORD_TOKEN={b64of:<digit:18>}.{dash:6}.{dash:37}x"],
        misses: &["DISCORD_TOKEN=M{alnum:12}.{alnum:6}", "DISCORD_TOKEN=M{alnum:23}.{dash:6}.{dash:37}x"],
        ..Rule::BASE
    },
    Rule {
        id: "discord-api-token",
        title: "Discord API token of the older form",
        anchors: &["discord"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("discord", "[0-9a-f]{64}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["DISCORD_API_TOKEN={hex:64}", r#""discordAuthKey": "{hex:64}","#],
        misses: &["DISCORD_API_TOKEN={hex:40}"],
        ..Rule::BASE
    },
    Rule {
        id: "discord-client-id",
        title: "Discord client id",
        anchors: &["discord"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"discord[\w.-]{0,16}?id", "[0-9]{17,19}"),
        group: 1,
        min_entropy: 1.5,
        allow: TEMPLATES,
        samples: &["DISCORD_CLIENT_ID={digit:18}", r#""discordClientId": "{digit:18}","#],
        misses: &["DISCORD_CLIENT_ID={digit:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "discord-client-secret",
        title: "Discord client secret",
        anchors: &["discord"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"discord[\w.-]{0,16}?secret", r"[\w-]{32}"),
        group: 1,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["DISCORD_CLIENT_SECRET={dash:31}x", r#""discordSecret": "{dash:31}x","#],
        misses: &["DISCORD_CLIENT_SECRET={alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "discord-webhook-url",
        title: "Discord webhook address",
        anchors: &["/api/webhooks/"],
        pattern: r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[\w-]{60,72})",
        group: 1,
        before: 14,
        after: 107,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["https://discord.com/api/webhooks/{digit:19}/{dash:68}"],
        misses: &["https://discord.com/api/webhooks/{digit:19}/{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "telegram-bot-api-token",
        title: "Telegram bot token",
        anchors: &[":AA"],
        pattern: r"(?:^|[^0-9A-Za-z_]|bot|\\[nrt]|%[0-9A-Fa-f]{2})([0-9]{8,10}:AA[\w-]{33})(?:[^\w-]|$)",
        group: 1,
        before: 14,
        after: 36,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["{digit:9}1:AA{dash:32}x", "https://api.telegram.org/bot{digit:10}:AA{alnum:33}/getMe"],
        misses: &["{digit:10}:AA{alnum:12}", "std::AAssertion{alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "telegram-bot-token-of-any-form",
        title: "Telegram bot token beside the word",
        anchors: &["telegram", "tg_bot", "tg_token", "bot_token", "bottoken"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"(?:telegram|\btg|\bbot)", r"[0-9]{5,16}:[\w-]{35}"),
        group: 1,
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &[
            "TELEGRAM_BOT_TOKEN={digit:10}:{dash:34}x",
            r#""telegramToken": "{digit:10}:{dash:34}x","#,
        ],
        misses: &["TELEGRAM_BOT_TOKEN={digit:10}:{alnum:12}"],
        ..Rule::BASE
    },
];
