//! Whether a whole value plainly stands for a value that is filled in elsewhere (`project.md` 9.4).
//! It does not judge how random a value is.

/// Whether a value, trimmed, is empty, a reference or a template word, and so no secret of a configuration.
/// Weak real values such as `admin` are not templates.
pub(crate) fn is_template(value: &str) -> bool {
    let value = value.trim();
    value.is_empty() || is_reference(value) || is_repeated(value) || is_template_word(value)
}

/// `${…}`, `$(…)`, `{{…}}`, `<…>`, `%…%`, whole: the bracket that opens the value closes at its end.
pub(crate) fn is_reference(value: &str) -> bool {
    let wrapped = |lead: &str, open: char, close: char| {
        let Some(rest) = value.strip_prefix(lead) else { return false };
        let mut depth = lead.matches(open).count();
        for (at, c) in rest.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    return at + c.len_utf8() == rest.len();
                }
            }
        }
        false
    };
    wrapped("${", '{', '}')
        || wrapped("$(", '(', ')')
        || wrapped("{{", '{', '}')
        || wrapped("<", '<', '>')
        || (value.len() > 2 && value.starts_with('%') && value[1..].find('%') == Some(value.len() - 2))
}

/// One character that is no digit, four times or more and nothing else.
pub(crate) fn is_repeated(value: &str) -> bool {
    let mut chars = value.chars();
    let Some(first) = chars.next() else { return false };
    !first.is_numeric() && value.chars().count() >= 4 && chars.all(|c| c == first)
}

/// The short list of words that stand for a value to be filled in.
pub(crate) fn is_template_word(value: &str) -> bool {
    if value.len() > 64 || !value.is_ascii() {
        return false;
    }
    if value.eq_ignore_ascii_case("n/a") {
        return true;
    }
    let plain: String =
        value.bytes().filter(u8::is_ascii_alphanumeric).map(|b| char::from(b.to_ascii_lowercase())).collect();
    // Nothing but letters, digits and the separators that people write between words.
    if !value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_ .!*[]".contains(&b)) {
        return false;
    }
    let plain = plain.as_str();
    const WORDS: &[&str] = &[
        "changeme",
        "changemenow",
        "changemeplease",
        "pleasechangeme",
        "pleasechange",
        "changeit",
        "changethis",
        "changethispassword",
        "changethissecret",
        "changethiskey",
        "changepassword",
        "tobechanged",
        "replaceme",
        "replacethis",
        "replace",
        "todo",
        "tbd",
        "fixme",
        "placeholder",
        "null",
        "none",
        "unset",
        "undefined",
        "nil",
        "insertkeyhere",
        "enterpasswordhere",
        "redacted",
        "removed",
        "hidden",
        "masked",
    ];
    if WORDS.contains(&plain) {
        return true;
    }
    const NOUNS: &[&str] = &[
        "password",
        "passwd",
        "pwd",
        "pass",
        "passphrase",
        "secret",
        "secretkey",
        "token",
        "key",
        "apikey",
        "apitoken",
        "accesskey",
        "accesstoken",
        "authtoken",
        "privatekey",
        "clientsecret",
        "credential",
        "credentials",
        "value",
        "secretvalue",
    ];
    let noun = |text: &str| NOUNS.iter().any(|noun| text.ends_with(noun));
    let body = plain.strip_suffix("here").unwrap_or(plain);
    let told = |lead: &str| {
        plain.strip_prefix(lead).is_some_and(|rest| rest.is_empty() || rest.ends_with("here") || noun(rest))
    };
    // your-password, your_api_key_here, insert-token-here, enter your key, put-your-secret-here …
    (plain.starts_with("your") && (noun(body) || plain.ends_with("here")))
        || [
            "insert",
            "enter",
            "puthere",
            "putyour",
            "addyour",
            "pasteyour",
            "replacewith",
            "changeme",
            "setyour",
        ]
        .iter()
        .any(|lead| told(lead))
}

#[cfg(test)]
mod tests {
    use super::is_template;

    #[test]
    fn references_are_templates() {
        for value in [
            "",
            "  ",
            "${DB_PASSWORD}",
            "$(cat /run/x)",
            "{{ vault.password }}",
            "<your password>",
            "%DB_PASS%",
            " ${A} ",
        ] {
            assert!(is_template(value), "{value:?}");
        }
    }

    #[test]
    fn template_words_are_templates() {
        for value in [
            "changeme",
            "ChangeMe",
            "CHANGE_ME",
            "change-me!",
            "your-password",
            "your_password_here",
            "YOUR-API-KEY",
            "your-token-here",
            "your_api_key_here",
            "insert-key-here",
            "enter-password-here",
            "replace_me",
            "TODO",
            "tbd",
            "placeholder",
            "N/A",
            "null",
            "None",
            "unset",
            "yourSecretKey",
        ] {
            assert!(is_template(value), "{value:?}");
        }
    }

    #[test]
    fn one_character_repeated_four_times_is_a_template_unless_it_is_a_digit() {
        assert!(is_template("xxxx") && is_template("********") && is_template("...."));
        assert!(
            !is_template("xxx") && !is_template("0000") && !is_template("11111111") && !is_template("xxxy")
        );
    }

    #[test]
    fn weak_real_values_are_no_templates() {
        for value in [
            "admin",
            "123456",
            "password",
            "postgres",
            "hunter2",
            "a${b}",
            "<a><b>",
            "x%y%",
            "${a}real${b}",
            "%a%b%",
            "youranium",
            "nullable1",
            "${a} ${b",
        ] {
            assert!(!is_template(value), "{value:?}");
        }
    }
}
