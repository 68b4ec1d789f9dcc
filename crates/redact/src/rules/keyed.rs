//! The shape of a token that has no prefix of its own: only the name it is assigned to tells whose it is.
//! It knows no provider; a table names the word and the value.

/// A name that holds the provider's word and then a word for a secret, then the value: `HEROKU_API_KEY=…`,
/// `"herokuToken": "…"`, `heroku_key: String = "…"`, `<add key="heroku-secret" value="…"/>`.
///
/// The provider's word is matched in either case, the value as written. Group 1 is the value.
macro_rules! keyed {
    ($word:literal, $value:literal) => {
        concat!(
            "(?i:",
            $word,
            r")[\w.-]{0,24}?(?i:key|token|secret|passw|pwd|auth|cred)[\w.-]{0,16}",
            r"(?:[^\w]{1,24}(?i:string|str|value|default))?[^\w\n]{1,12}",
            r#"(?:[bBfFrRuU]{1,2}["'])?("#,
            $value,
            r")(?:[^\w/+=-]|$)"
        )
    };
}

/// A name that the table describes as a whole, then the value; otherwise like [`keyed`].
macro_rules! named {
    ($name:literal, $value:literal) => {
        concat!(
            "(?i:",
            $name,
            r")[\w.-]{0,16}(?:[^\w]{1,24}(?i:string|str|value|default))?[^\w\n]{1,12}",
            r#"(?:[bBfFrRuU]{1,2}["'])?("#,
            $value,
            r")(?:[^\w/+=-]|$)"
        )
    };
}

pub(crate) use {keyed, named};
