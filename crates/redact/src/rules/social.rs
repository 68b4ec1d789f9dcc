//! Token formats of social networks and of services for a wide public.

use crate::rule::{AnchorCase, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::{keyed, named};

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "facebook-secret",
        title: "Facebook (Meta) app secret",
        anchors: &["facebook", "fb_app", "fb_client", "fbapp", "fb_secret", "meta_app", "instagram"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"(?:facebook|\bfb|meta_app|instagram)[\w.-]{0,16}?secret", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["FACEBOOK_APP_SECRET={hex:32}", r#""facebookClientSecret": "{hex:32}","#],
        misses: &["FACEBOOK_APP_SECRET={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "facebook-page-access-token",
        title: "Facebook (Meta) user or page access token",
        anchors: &[
            "EAAA", "EAAB", "EAAC", "EAAD", "EAAE", "EAAF", "EAAG", "EAAH", "EAAI", "EAAJ", "EAAK", "EAAL",
            "EAAM", "EAAN", "EAAO", "EAAP", "EAAQ", "EAAR", "EAAS", "EAAT", "EAAU", "EAAV", "EAAW", "EAAX",
            "EAAY", "EAAZ",
        ],
        pattern: r"\bEAA[A-Z][0-9A-Za-z]{96,400}\b",
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["EAA{pick:M|C}{alnum:150-200}"],
        misses: &["EAA{alnum:40}"],
        ..Rule::BASE
    },
    Rule {
        id: "facebook-access-token",
        title: "Facebook (Meta) app access token",
        anchors: &["facebook", "fb_access", "fb_app", "fb_token", "meta_access"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(
            r"(?:facebook|\bfb|meta|graph\.facebook\.com)",
            r"[0-9]{15,16}(?:\||%7[Cc])[\w-]{27,40}"
        ),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "FACEBOOK_ACCESS_TOKEN={digit:15}|{dash:26}x",
            r#""facebookAppToken": "{digit:15}|{dash:26}x","#,
        ],
        misses: &["FACEBOOK_ACCESS_TOKEN={digit:15}|{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "instagram-access-token",
        title: "Instagram access token",
        anchors: &["IGQV", "IGQW", "IGAA"],
        pattern: r"\bIG(?:Q[VW]|AA)[\w-]{100,260}",
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["IGQVJ{dash:150}"],
        misses: &["IGQVJ{alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitter-api-secret",
        title: "Twitter (X) API secret",
        anchors: &["twitter", "x_api_"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"(?:twitter|\bx_api)[\w.-]{0,20}?secret", "[0-9A-Za-z]{45,50}"),
        group: 1,
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &["TWITTER_API_SECRET={alnum:50}", r#""twitterConsumerSecret": "{alnum:50}","#],
        misses: &["TWITTER_API_SECRET={alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitter-api-key",
        title: "Twitter (X) API key",
        anchors: &["twitter", "x_api_key"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"(?:twitter|\bx_api)", "[0-9A-Za-z]{25}"),
        group: 1,
        min_entropy: 3.4,
        allow: TEMPLATES,
        samples: &["TWITTER_API_KEY={alnum:25}", r#""twitterConsumerKey": "{alnum:25}","#],
        misses: &["TWITTER_API_KEY={alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitter-access-token",
        title: "Twitter (X) access token",
        anchors: &["twitter", "x_access_"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!(r"(?:twitter|\bx_access)", "[0-9]{8,25}-[0-9A-Za-z]{20,42}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "TWITTER_ACCESS_TOKEN={digit:18}-{alnum:40}",
            r#""twitterAuthToken": "{digit:18}-{alnum:40}","#,
        ],
        misses: &["TWITTER_ACCESS_TOKEN={digit:18}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitter-access-secret",
        title: "Twitter (X) access token secret",
        anchors: &["twitter", "x_access_"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"(?:twitter|\bx_access)[\w.-]{0,20}?secret", "[0-9A-Za-z]{43,45}"),
        group: 1,
        min_entropy: 3.7,
        allow: TEMPLATES,
        samples: &[
            "TWITTER_ACCESS_TOKEN_SECRET={alnum:45}",
            "const twitterAccessTokenSecret = '{alnum:45}';",
        ],
        misses: &["TWITTER_ACCESS_TOKEN_SECRET={alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitter-bearer-token",
        title: "Twitter (X) bearer token",
        anchors: &["AAAAAAAAAAAAAAAAAAAAA"],
        pattern: r"\bA{20,22}[0-9A-Za-z%]{70,120}\b",
        min_entropy: 3.5,
        context: &["bearer", "twitter"],
        allow: TEMPLATES,
        samples: &["TWITTER_BEARER_TOKEN=AAAAAAAAAAAAAAAAAAAAA{alnum:20}%2B{alnum:30}%3D{alnum:36}"],
        misses: &["AAAAAAAAAAAAAAAAAAAAA{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "linkedin-client-id",
        title: "LinkedIn client id",
        anchors: &["linkedin", "linked_in"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"linked_?in[\w.-]{0,16}?(?:id|key)", "[0-9a-z]{14}"),
        group: 1,
        min_entropy: 2.2,
        allow: TEMPLATES,
        samples: &["LINKEDIN_CLIENT_ID={lowernum:14}", r#""linkedinClientId": "{lowernum:14}","#],
        misses: &["LINKEDIN_CLIENT_ID={lowernum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "flickr-access-token",
        title: "Flickr API key",
        anchors: &["flickr"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("flickr", "[0-9a-z]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["FLICKR_API_KEY={hex:32}", r#""flickrAccessToken": "{hex:32}","#],
        misses: &["FLICKR_API_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "linkedin-client-secret",
        title: "LinkedIn client secret",
        anchors: &["linkedin"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"linked_?in[\w.-]{0,16}?secret", "[0-9A-Za-z]{16}"),
        group: 1,
        min_entropy: 2.8,
        allow: TEMPLATES,
        samples: &["LINKEDIN_CLIENT_SECRET={alnum:16}", r#""linkedinSecret": "{alnum:16}","#],
        misses: &["LINKEDIN_CLIENT_SECRET={alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "linkedin-primary-secret",
        title: "LinkedIn client secret with a prefix",
        anchors: &["WPL_AP1."],
        pattern: r"\bWPL_AP1\.[0-9A-Za-z]{16}\.[0-9A-Za-z+/]{6,10}={0,2}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["WPL_AP1.{alnum:16}.{base64:6}=="],
        misses: &["WPL_AP1.{alnum:8}"],
        ..Rule::BASE
    },
    Rule {
        id: "twitch-api-token",
        title: "Twitch client secret or token",
        anchors: &["twitch"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("twitch", "(?:oauth:)?[0-9a-z]{30}"),
        group: 1,
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["TWITCH_CLIENT_SECRET={lowernum:30}", r#""twitchAccessToken": "{lowernum:30}","#],
        misses: &["TWITCH_CLIENT_SECRET={lowernum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "spotify-client-secret",
        title: "Spotify client secret",
        anchors: &["spotify"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("spotify", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["SPOTIFY_CLIENT_SECRET={hex:32}", r#""spotifyClientSecret": "{hex:32}","#],
        misses: &["SPOTIFY_CLIENT_SECRET={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "reddit-client-secret",
        title: "Reddit client secret",
        anchors: &["reddit"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"reddit[\w.-]{0,16}?secret", r"[\w-]{27}(?:[\w-]{3})?"),
        group: 1,
        min_entropy: 3.4,
        allow: TEMPLATES,
        samples: &["REDDIT_CLIENT_SECRET={dash:26}x", r#""redditClientSecret": "{dash:26}x","#],
        misses: &["REDDIT_CLIENT_SECRET={alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "strava-client-secret",
        title: "Strava client secret or token",
        anchors: &["strava"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("strava", "[0-9a-f]{40}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["STRAVA_CLIENT_SECRET={hex:40}", r#""stravaAccessToken": "{hex:40}","#],
        misses: &["STRAVA_CLIENT_SECRET={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "steam-api-key",
        title: "Steam Web API key",
        anchors: &["steam"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("steam", "[0-9A-F]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["STEAM_API_KEY={HEX:32}", r#""steamWebApiKey": "{HEX:32}","#],
        misses: &["STEAM_API_KEY={HEX:20}"],
        ..Rule::BASE
    },
];
