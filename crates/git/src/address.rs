//! Tells remote addresses from local paths, and shows them without credentials. It opens nothing and reaches
//! nothing.

use std::path::Path;

/// Whether `project` is meant as a repository URL rather than as a local path: it has a scheme, starts with
/// `git@`, or has the form `user@host:path` / `host.name:path` and is no existing folder (spec `project.md` 11.1).
pub fn looks_remote(project: &str) -> bool {
    if project.contains("://") || project.starts_with("git@") {
        return true;
    }
    let Some((host, rest)) = project.split_once(':') else { return false };
    // `helper::address` would make git start a program.
    let is_helper = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if rest.starts_with(':') && is_helper {
        return true;
    }
    let has_host_shape = host.contains(['@', '.']) && !host.contains(['/', '\\']);
    has_host_shape && !Path::new(project).is_dir()
}

/// Whether a local spelling names another machine, so that even looking it up could cause network traffic:
/// UNC paths, `//server` and automounted `/net/…`.
pub fn names_a_host(path: &str) -> bool {
    path.starts_with("\\\\") || path.starts_with("//") || path == "/net" || path.starts_with("/net/")
}

/// An address that may be shown: without password, without user for `http(s)`, host in lower case, without
/// query, fragment and trailing slashes (spec `project.md` 11.1).
pub fn safe_display(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else {
        return scp_display(url);
    };
    let scheme = scheme.to_ascii_lowercase();
    let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    // A password may hold an `@`: the host begins after the last one.
    let (userinfo, host) =
        authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let user = userinfo.map(|userinfo| userinfo.split(':').next().unwrap_or_default());
    let user = user.filter(|user| !user.is_empty() && scheme != "http" && scheme != "https");
    let at = if user.is_some() { "@" } else { "" };
    let shown = format!("{scheme}://{}{at}{}{path}", user.unwrap_or_default(), host.to_ascii_lowercase());
    shown.trim_end_matches('/').to_owned()
}

fn scp_display(address: &str) -> String {
    let Some((authority, path)) = address.split_once(':') else {
        return address.trim_end_matches('/').to_owned();
    };
    // `user:password@host:path` is no valid form, but what was typed must not be echoed either.
    let (authority, path) = match path.rsplit_once('@') {
        Some((_, rest)) if !authority.contains('@') => match rest.split_once(':') {
            Some((host, path)) => (format!("{authority}@{host}"), path),
            None => (authority.to_owned(), rest),
        },
        _ => (authority.to_owned(), path),
    };
    let shown = match authority.rsplit_once('@') {
        Some((user, host)) => format!("{user}@{}:{path}", host.to_ascii_lowercase()),
        None => format!("{}:{path}", authority.to_ascii_lowercase()),
    };
    shown.trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_and_scp_forms_look_remote_and_paths_do_not() {
        for url in [
            "https://host.example/a",
            "git@host:a/b",
            "ssh://x/y",
            "me@host:a",
            "host.example:a/b",
            "ext::sh -c://x",
            "ext::sh -c touch",
            "file:///etc",
        ] {
            assert!(looks_remote(url), "{url}");
        }
        for path in ["/srv/demo", ".", "../a", "a:b", "./x.y:z", "C:\\x", ""] {
            assert!(!looks_remote(path), "{path}");
        }
    }

    #[test]
    fn spellings_that_name_a_host_are_known() {
        assert!(["//server/x", "\\\\server\\x", "/net/server/x"].iter().all(|path| names_a_host(path)));
        assert!(!names_a_host("/netlify/x") && !names_a_host("/srv"));
    }

    #[test]
    fn credentials_queries_and_fragments_are_never_shown() {
        let cases = [
            ("https://user:pa@ss@Host.Example/A/b.git/", "https://host.example/A/b.git"),
            ("HTTP://user@HOST/x?token=1#y", "http://host/x"),
            ("ssh://git:pw@Host:2222/a", "ssh://git@host:2222/a"),
            ("git@Host.Example:a/b.git", "git@host.example:a/b.git"),
            ("user:pw@host:a/b", "user@host:a/b"),
            ("https://host/a#user:pw@x", "https://host/a"),
        ];
        for (url, shown) in cases {
            assert_eq!(safe_display(url), shown);
            assert!(!safe_display(url).contains("pw") && !safe_display(url).contains("pa@ss"));
        }
    }
}
