//! Token formats of payment services.

use crate::rule::{AnchorCase, Rule};
use crate::rules::allow::TEMPLATES;
use crate::rules::keyed::keyed;
use crate::rules::keyed::named;

pub(crate) static RULES: &[Rule] = &[
    Rule {
        id: "stripe-access-token",
        title: "Stripe secret or restricted key",
        anchors: &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"],
        pattern: r"\b[sr]k_(?:live|test|prod)_[0-9A-Za-z]{10,247}\b",
        min_entropy: 3.2,
        allow: TEMPLATES,
        samples: &["{pick:sk_live_|sk_test_|rk_live_|rk_test_}{alnum:24}", "STRIPE_KEY=sk_live_51{alnum:97}"],
        misses: &["sk_live_{alnum:5}", "task_live_{alnum:24}", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"],
        ..Rule::BASE
    },
    Rule {
        id: "stripe-webhook-secret",
        title: "Signing secret of Stripe or Standard Webhooks",
        anchors: &["whsec_"],
        pattern: r"\bwhsec_[0-9A-Za-z+/]{24,88}={0,2}",
        min_entropy: 3.2,
        allow: TEMPLATES,
        samples: &["whsec_{alnum:32}"],
        misses: &["whsec_{alnum:9}", "whsec_..."],
        ..Rule::BASE
    },
    Rule {
        id: "square-access-token",
        title: "Square access token",
        anchors: &["sq0atp-", "EAAA"],
        pattern: r"\b(?:sq0atp-[\w-]{22}|EAAA[\w-]{60})(?:[^\w-]|$)",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["{pick:sq0atp-}{dash:21}x"],
        misses: &["sq0atp-{alnum:9}", "EAAA{alnum:30}"],
        ..Rule::BASE
    },
    Rule {
        id: "square-oauth-secret",
        title: "Square OAuth secret",
        anchors: &["sq0csp-"],
        pattern: r"\bsq0csp-[\w-]{43}",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["sq0csp-{dash:43}"],
        misses: &["sq0csp-{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "braintree-access-token",
        title: "Braintree or PayPal access token",
        anchors: &["access_token$"],
        pattern: r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["access_token${pick:production|sandbox}${lowernum:16}${hex:32}"],
        misses: &["access_token$sandbox${lowernum:16}"],
        ..Rule::BASE
    },
    Rule {
        id: "braintree-private-key",
        title: "Braintree private key",
        anchors: &["braintree"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"braintree[\w.-]{0,16}?private", "[0-9a-f]{32}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["BRAINTREE_PRIVATE_KEY={hex:32}", r#""braintreePrivateKey": "{hex:32}","#],
        misses: &["BRAINTREE_PRIVATE_KEY={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "paypal-client-secret",
        title: "PayPal client secret",
        anchors: &["paypal"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("paypal", r"E[\w-]{79}"),
        group: 1,
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &["PAYPAL_CLIENT_SECRET=E{dash:78}x", r#""paypalSecret": "E{dash:78}x","#],
        misses: &["PAYPAL_CLIENT_SECRET=E{alnum:40}"],
        ..Rule::BASE
    },
    Rule {
        id: "plaid-secret-key",
        title: "Plaid secret",
        anchors: &["plaid"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"plaid[\w.-]{0,16}?secret", "[0-9a-f]{30}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["PLAID_SECRET={hex:30}", r#""plaidSecretKey": "{hex:30}","#],
        misses: &["PLAID_SECRET={hex:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "plaid-api-token",
        title: "Plaid access token",
        anchors: &["access-sandbox-", "access-development-", "access-production-"],
        pattern: r"\baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["access-{pick:sandbox|development|production}-{uuid}"],
        misses: &["access-sandbox-{hex:8}"],
        ..Rule::BASE
    },
    Rule {
        id: "adyen-api-key",
        title: "Adyen API key",
        anchors: &["adyen"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("adyen", r#"AQ[0-9A-Za-z][\w+/=-]{90,260}[^\s"\x27`<>\\]{0,16}"#),
        group: 1,
        min_entropy: 4.0,
        allow: TEMPLATES,
        samples: &[
            "ADYEN_API_KEY=AQEyhmfx{base64:120}==-{base64:43}=-{alnum:16}",
            r#""adyenApiKey": "AQEyhmfx{base64:120}==-{base64:43}=-{alnum:16}","#,
        ],
        misses: &["ADYEN_API_KEY=AQE{base64:40}"],
        ..Rule::BASE
    },
    Rule {
        id: "flutterwave-secret-key",
        title: "Flutterwave secret key",
        anchors: &["FLWSECK"],
        pattern: r"\bFLWSECK(?:_TEST|_PROD)?-[0-9A-Za-z]{32}(?:-[0-9A-Za-z]{6,20})?-X\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:FLWSECK_TEST-|FLWSECK-}{hex:32}-X"],
        misses: &["FLWSECK_TEST-{hex:8}-X"],
        ..Rule::BASE
    },
    Rule {
        id: "flutterwave-encryption-key",
        title: "Flutterwave encryption key",
        anchors: &["FLWSECK_TEST"],
        pattern: r"\bFLWSECK_TEST[0-9A-Za-z]{12}\b",
        min_entropy: 2.5,
        allow: TEMPLATES,
        samples: &["FLWSECK_TEST{hex:12}"],
        misses: &["FLWSECK_TEST{hex:4}"],
        ..Rule::BASE
    },
    Rule {
        id: "flutterwave-public-key",
        title: "Flutterwave public key",
        anchors: &["FLWPUBK"],
        pattern: r"\bFLWPUBK(?:_TEST|_PROD)?-[0-9A-Za-z]{32}-X\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["{pick:FLWPUBK_TEST-|FLWPUBK-}{hex:32}-X"],
        misses: &["FLWPUBK_TEST-{hex:8}-X"],
        ..Rule::BASE
    },
    Rule {
        id: "razorpay-key-id",
        title: "Razorpay key id",
        anchors: &["rzp_live_", "rzp_test_"],
        pattern: r"\brzp_(?:live|test)_[0-9A-Za-z]{14}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["rzp_{pick:live|test}_{alnum:14}"],
        misses: &["rzp_live_{alnum:5}"],
        ..Rule::BASE
    },
    Rule {
        id: "razorpay-key-secret",
        title: "Razorpay key secret",
        anchors: &["razorpay", "rzp_key", "rzp_secret"],
        anchor_case: AnchorCase::Insensitive,
        pattern: named!(r"(?:razorpay|rzp)[\w.-]{0,16}?secret", "[0-9A-Za-z]{24}"),
        group: 1,
        min_entropy: 3.3,
        allow: TEMPLATES,
        samples: &["RAZORPAY_KEY_SECRET={alnum:24}", r#""razorpaySecret": "{alnum:24}","#],
        misses: &["RAZORPAY_KEY_SECRET={alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "gocardless-api-token",
        title: "GoCardless access token",
        anchors: &["gocardless", "go_cardless"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("go_?cardless", r"(?:live|sandbox)_[\w=-]{40}"),
        group: 1,
        min_entropy: 3.6,
        allow: TEMPLATES,
        samples: &["GOCARDLESS_ACCESS_TOKEN=live_{dash:39}x", r#""gocardlessToken": "live_{dash:39}x","#],
        misses: &["GOCARDLESS_ACCESS_TOKEN=live_{alnum:20}"],
        ..Rule::BASE
    },
    Rule {
        id: "mollie-api-key",
        title: "Mollie API key",
        anchors: &["mollie"],
        anchor_case: AnchorCase::Insensitive,
        pattern: keyed!("mollie", "(?:live|test)_[0-9A-Za-z]{30}"),
        group: 1,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &[
            "MOLLIE_API_KEY={pick:live|test}_{alnum:30}",
            r#""mollieApiKey": "{pick:live|test}_{alnum:30}","#,
        ],
        misses: &["MOLLIE_API_KEY=live_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "paddle-api-key",
        title: "Paddle API key",
        anchors: &["pdl_live_apikey_", "pdl_sdbx_apikey_"],
        pattern: r"\bpdl_(?:live|sdbx)_apikey_[0-9a-z]{26}_[0-9A-Za-z]{22}_[0-9A-Za-z]{3}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pdl_{pick:live|sdbx}_apikey_{lowernum:26}_{alnum:22}_{alnum:3}"],
        misses: &["pdl_live_apikey_{lowernum:26}"],
        ..Rule::BASE
    },
    Rule {
        id: "paddle-webhook-secret",
        title: "Paddle webhook secret",
        anchors: &["pdl_ntfset_"],
        pattern: r"\bpdl_ntfset_[0-9a-z]{26}_[0-9A-Za-z+/]{32}",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["pdl_ntfset_{lowernum:26}_{alnum:32}"],
        misses: &["pdl_ntfset_{lowernum:26}"],
        ..Rule::BASE
    },
    Rule {
        id: "klarna-api-key",
        title: "Klarna API key",
        anchors: &["klarna_live_api_", "klarna_test_api_"],
        pattern: r"\bklarna_(?:live|test)_api_[\w+/=-]{40,200}",
        min_entropy: 3.5,
        allow: TEMPLATES,
        samples: &["klarna_{pick:live|test}_api_{dash:120}"],
        misses: &["klarna_live_api_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "mercadopago-access-token",
        title: "Mercado Pago access token",
        anchors: &["APP_USR-"],
        pattern: r"\bAPP_USR-[0-9]{10,20}-[0-9]{6}-[0-9a-f]{32}-[0-9]{6,12}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["APP_USR-{digit:16}-{digit:6}-{hex:32}-{digit:9}"],
        misses: &["APP_USR-{digit:16}"],
        ..Rule::BASE
    },
    Rule {
        id: "midtrans-server-key",
        title: "Midtrans server key",
        anchors: &["Mid-server-"],
        pattern: r"\b(?:SB-)?Mid-server-[\w-]{24}",
        before: 3,
        after: 26,
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["SB-Mid-server-{dash:24}"],
        misses: &["Mid-server-{alnum:9}"],
        ..Rule::BASE
    },
    Rule {
        id: "xendit-secret-key",
        title: "Xendit secret key",
        anchors: &["xnd_production_", "xnd_development_"],
        pattern: r"\bxnd_(?:production|development)_[0-9A-Za-z]{40,64}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["xnd_{pick:production|development}_{alnum:48}"],
        misses: &["xnd_production_{alnum:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "cashfree-secret-key",
        title: "Cashfree secret key",
        anchors: &["cfsk_ma_"],
        pattern: r"\bcfsk_ma_(?:prod|test)_[0-9a-f]{32}_[0-9a-f]{8}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["cfsk_ma_{pick:prod|test}_{hex:32}_{hex:8}"],
        misses: &["cfsk_ma_prod_{hex:12}"],
        ..Rule::BASE
    },
    Rule {
        id: "paystack-secret-key",
        title: "Paystack secret key",
        anchors: &["sk_live_", "sk_test_"],
        pattern: r"\bsk_(?:live|test)_[0-9a-f]{40}\b",
        min_entropy: 2.7,
        allow: TEMPLATES,
        samples: &["sk_{pick:live|test}_{hex:40}"],
        misses: &["sk_live_{hex:20}"],
        ..Rule::BASE
    },
];
