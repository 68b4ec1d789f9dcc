//! The grammar of remote addresses: what is accepted, what two spellings have in common, and what git is told. It
//! reaches nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::address::safe_display;
use crate::refs::is_reference_name;

/// Characters of an address, and of a branch.
const URL_CHARS_MAX: usize = 4_096;
const BRANCH_CHARS_MAX: usize = 250;
/// Hosts whose paths do not tell upper from lower case.
const CASELESS_HOSTS: [&str; 3] = ["github.com", "gitlab.com", "bitbucket.org"];

/// How a repository is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
    /// SSH, as a URL or in SCP form.
    Ssh,
    /// The git protocol.
    Git,
    /// A folder of this machine.
    File,
}

impl Transport {
    /// The name that git has for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Transport::Http => "http",
            Transport::Https => "https",
            Transport::Ssh => "ssh",
            Transport::Git => "git",
            Transport::File => "file",
        }
    }

    pub(crate) fn default_port(self) -> u16 {
        match self {
            Transport::Http => 80,
            Transport::Https => 443,
            Transport::Ssh => 22,
            Transport::Git => 9418,
            Transport::File => 0,
        }
    }
}

/// Why an address is not accepted. The texts repeat nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    /// A scheme that is not fetched, or none.
    #[error("its scheme is not supported")]
    Scheme,
    /// A query or a fragment, which could carry credentials.
    #[error("it has a query or a fragment")]
    Query,
    /// A password.
    #[error("it holds a password")]
    Password,
    /// A host, a port or a user that is not written as they are.
    #[error("its host, port or user is not valid")]
    Host,
    /// An address of this machine or of a private network.
    #[error("its host is on this machine or in a private network")]
    PrivateHost,
    /// The path is missing or holds what it must not.
    #[error("its path is missing or not valid")]
    Path,
}

/// An accepted remote address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteUrl {
    pub(crate) transport: Transport,
    pub(crate) host: String,
    pub(crate) port: Option<u16>,
    user: Option<String>,
    path: String,
    is_scp: bool,
}

impl RemoteUrl {
    /// Reads an address (spec `project.md` 11.1, security model 2.5). With `file://` the path is percent-decoded once;
    /// whether it may be read is another question.
    ///
    /// # Errors
    /// [`UrlFault`].
    pub fn parse(text: &str, private_hosts: bool) -> Result<RemoteUrl, UrlFault> {
        if text.is_empty()
            || text.chars().count() > URL_CHARS_MAX
            || text.starts_with('-')
            || text.contains("::")
        {
            return Err(UrlFault::Scheme);
        }
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '"' || c == '\\') {
            return Err(UrlFault::Path);
        }
        if text.contains(['?', '#']) {
            return Err(UrlFault::Query);
        }
        let url = match text.split_once("://") {
            Some((scheme, rest)) => RemoteUrl::with_scheme(&scheme.to_ascii_lowercase(), rest)?,
            None => RemoteUrl::scp(text)?,
        };
        if url.transport != Transport::File && !private_hosts && is_private_name(&url.host) {
            return Err(UrlFault::PrivateHost);
        }
        Ok(url)
    }

    fn with_scheme(scheme: &str, rest: &str) -> Result<RemoteUrl, UrlFault> {
        let transport = match scheme {
            "http" => Transport::Http,
            "https" => Transport::Https,
            "ssh" => Transport::Ssh,
            "git" => Transport::Git,
            "file" => {
                let path =
                    percent_decoded(rest).filter(|path| path.starts_with('/') && !path.starts_with("//"));
                let path = path.filter(|path| !path.contains('\0')).ok_or(UrlFault::Path)?;
                return Ok(RemoteUrl {
                    transport: Transport::File,
                    host: String::new(),
                    port: None,
                    user: None,
                    path,
                    is_scp: false,
                });
            }
            _ => return Err(UrlFault::Scheme),
        };
        let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        let user = user_of(user)?;
        let (host, port) = match place.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (place, None),
        };
        let port = match port {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok().filter(|port| *port > 0).ok_or(UrlFault::Host)?)
            }
            Some(_) => return Err(UrlFault::Host),
            None => None,
        };
        let path = path.trim_end_matches('/');
        check_path(path.strip_prefix('/').ok_or(UrlFault::Path)?)?;
        let port = port.filter(|port| *port != transport.default_port());
        Ok(RemoteUrl { transport, host: host_of(host)?, port, user, path: path.to_owned(), is_scp: false })
    }

    fn scp(text: &str) -> Result<RemoteUrl, UrlFault> {
        let (authority, path) = text.split_once(':').ok_or(UrlFault::Scheme)?;
        // A second colon in front of an `@` is a password that somebody typed.
        if path.contains('@') && !authority.contains('@') {
            return Err(UrlFault::Password);
        }
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        let user = user_of(user)?;
        let path = path.trim_end_matches('/');
        check_path(path.strip_prefix('/').unwrap_or(path))?;
        Ok(RemoteUrl {
            transport: Transport::Ssh,
            host: host_of(host)?,
            port: None,
            user,
            path: path.to_owned(),
            is_scp: true,
        })
    }

    /// How the repository is reached.
    pub fn transport(&self) -> Transport {
        self.transport
    }

    /// The path of a `file://` address.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What all spellings of one repository have in common: no scheme, no user, no `.git`, the host in lower case, the
    /// port only when it is not the usual one.
    pub fn identity(&self) -> String {
        let path = self.path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        if self.transport == Transport::File {
            return format!("file:/{path}");
        }
        let path = if CASELESS_HOSTS.contains(&self.host.as_str()) {
            path.to_ascii_lowercase()
        } else {
            path.to_owned()
        };
        match self.port {
            Some(port) => format!("{}:{port}/{path}", self.host),
            None => format!("{}/{path}", self.host),
        }
    }

    /// The last name of the path, without `.git`.
    pub fn name(&self) -> String {
        let path = self.path.trim_end_matches('/');
        let name = path.rsplit(['/', ':']).next().unwrap_or(path);
        name.strip_suffix(".git").filter(|name| !name.is_empty()).unwrap_or(name).to_owned()
    }

    /// What git is told. It holds no credentials.
    pub(crate) fn for_git(&self) -> String {
        let user = self.user.as_deref().filter(|_| self.transport == Transport::Ssh);
        let user = user.map(|user| format!("{user}@")).unwrap_or_default();
        if self.transport == Transport::File {
            return self.path.clone();
        }
        if self.is_scp {
            return format!("{user}{}:{}", self.host, self.path);
        }
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{user}{}{port}{}", self.transport.name(), self.host, self.path)
    }

    /// The address as it may be shown.
    pub fn shown(&self) -> String {
        if self.transport == Transport::File {
            return safe_display(&format!("file://{}", self.path));
        }
        safe_display(&self.for_git())
    }
}

/// Whether `branch` may be a branch.
pub fn is_branch_name(branch: &str) -> bool {
    branch.chars().count() <= BRANCH_CHARS_MAX
        && !branch.starts_with('-')
        && branch != "HEAD"
        && !branch.chars().any(char::is_whitespace)
        && is_reference_name(branch)
}

fn user_of(user: Option<&str>) -> Result<Option<String>, UrlFault> {
    let Some(user) = user else { return Ok(None) };
    if user.contains(':') {
        return Err(UrlFault::Password);
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if user.is_empty() || user.starts_with('-') || !user.chars().all(is_plain) {
        return Err(UrlFault::Host);
    }
    Ok(Some(user.to_owned()))
}

fn host_of(host: &str) -> Result<String, UrlFault> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let begins = host.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !begins || host.len() > 253 || !host.chars().all(is_plain) {
        return Err(UrlFault::Host);
    }
    Ok(host.trim_end_matches('.').to_ascii_lowercase())
}

fn check_path(path: &str) -> Result<(), UrlFault> {
    let is_hostile = path.is_empty()
        || path.starts_with('-')
        || path.split('/').any(|part| part == ".." || part == "." || part.is_empty());
    if is_hostile { Err(UrlFault::Path) } else { Ok(()) }
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether a host is one of this machine or of a private network by its name alone.
fn is_private_name(host: &str) -> bool {
    let is_local = host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local");
    is_local || host.parse::<IpAddr>().is_ok_and(is_private) || is_number_like(host)
}

/// `127.1`, `0x7f000001` and the like, which resolvers take for an address.
fn is_number_like(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_number && host.parse::<Ipv4Addr>().is_err()
}

/// Whether an address belongs to this machine, to a private or carrier network, or to a link.
pub(crate) fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            v4.is_loopback()
                || v4.is_private()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_broadcast()
                || v4.is_multicast()
                || a == 0
                || a >= 240
                || (a == 100 && (64..128).contains(&b))
                || (a == 192 && b == 0)
                || (a == 198 && (b == 18 || b == 19))
        }
        IpAddr::V6(v6) => is_private_v6(v6),
    }
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    let segments = v6.segments();
    let embedded = v6.to_ipv4().or_else(|| {
        // NAT64 carries an IPv4 address in its last 32 bits.
        (segments[0] == 0x64 && segments[1] == 0xff9b).then(|| {
            let [.., a, b, c, d] = v6.octets();
            Ipv4Addr::new(a, b, c, d)
        })
    });
    v6.is_loopback()
        || v6.is_unspecified()
        || v6.is_multicast()
        || segments[0] & 0xfe00 == 0xfc00
        || segments[0] & 0xffc0 == 0xfe80
        || embedded.is_some_and(|v4| is_private(IpAddr::V4(v4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_accepted_forms_have_an_identity_and_show_no_credentials() {
        for (text, git, identity, shown) in [
            (
                "https://Host.Example/A/b.git/",
                "https://host.example/A/b.git",
                "host.example/A/b",
                "https://host.example/A/b.git",
            ),
            (
                "HTTPS://me@github.com/Me/X",
                "https://github.com/Me/X",
                "github.com/me/x",
                "https://github.com/Me/X",
            ),
            (
                "ssh://git@host.example:22/a/b",
                "ssh://git@host.example/a/b",
                "host.example/a/b",
                "ssh://git@host.example/a/b",
            ),
            (
                "ssh://host.example:2222/a",
                "ssh://host.example:2222/a",
                "host.example:2222/a",
                "ssh://host.example:2222/a",
            ),
            (
                "git@host.example:a/b.git",
                "git@host.example:a/b.git",
                "host.example/a/b",
                "git@host.example:a/b.git",
            ),
            ("http://host.example:80/a", "http://host.example/a", "host.example/a", "http://host.example/a"),
            ("git://host.example/a", "git://host.example/a", "host.example/a", "git://host.example/a"),
            ("file:///srv/a%20b", "/srv/a b", "file:/srv/a b", "file:///srv/a b"),
        ] {
            let url = RemoteUrl::parse(text, false).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(
                (url.for_git().as_str(), url.identity().as_str(), url.shown().as_str()),
                (git, identity, shown)
            );
        }
        let name = |text: &str| RemoteUrl::parse(text, false).map(|url| url.name());
        assert_eq!(name("https://host.example/a/b.git"), Ok("b".to_owned()));
        assert_eq!(name("git@host.example:b"), Ok("b".to_owned()));
    }

    #[test]
    fn everything_else_is_refused_with_its_reason() {
        for (text, fault) in [
            ("ssh://-oProxyCommand=x/a", UrlFault::Host),
            ("git@-oProxyCommand=x:y", UrlFault::Host),
            ("ext::sh -c x", UrlFault::Scheme),
            ("ext::sh", UrlFault::Scheme),
            ("ftp://host.example/a", UrlFault::Scheme),
            ("-x://a/b", UrlFault::Scheme),
            ("https://me:secret@host.example/a", UrlFault::Password),
            ("me:secret@host.example:a", UrlFault::Password),
            ("https://host.example/a?x=1", UrlFault::Query),
            ("https://host.example/a#x", UrlFault::Query),
            ("https://host.example/a\"b", UrlFault::Path),
            ("https://host.example/a\nb", UrlFault::Path),
            ("https://host.example", UrlFault::Path),
            ("https://host.example/", UrlFault::Path),
            ("https://host.example/../x", UrlFault::Path),
            ("https://host.example/-x", UrlFault::Path),
            ("https://host.example:0/a", UrlFault::Host),
            ("https://host.example:65536/a", UrlFault::Host),
            ("https://host.example:x/a", UrlFault::Host),
            ("https://[::ffff:169.254.169.254]/a", UrlFault::Scheme),
            ("https://[fe80:1]/a", UrlFault::Host),
            ("https://169.254.169.254/a", UrlFault::PrivateHost),
            ("https://localhost/a", UrlFault::PrivateHost),
            ("https://127.1/a", UrlFault::PrivateHost),
            ("https://0x7f000001/a", UrlFault::PrivateHost),
            ("https://10.0.0.1/a", UrlFault::PrivateHost),
            ("git@100.64.0.1:a", UrlFault::PrivateHost),
            ("file://etc", UrlFault::Path),
            ("file:///a%zz", UrlFault::Path),
            ("file:////server/x", UrlFault::Path),
        ] {
            assert_eq!(RemoteUrl::parse(text, false), Err(fault), "{text}");
        }
        assert!(RemoteUrl::parse("http://127.0.0.1:8080/a", true).is_ok());
    }

    #[test]
    fn addresses_of_private_networks_are_known_in_both_families() {
        let is = |text: &str| is_private(text.parse().expect("an address"));
        for private in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "::1",
            "::",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
        ] {
            assert!(is(private), "{private}");
        }
        for public in ["8.8.8.8", "100.63.255.255", "100.128.0.0", "172.32.0.1", "2606:4700::1111"] {
            assert!(!is(public), "{public}");
        }
    }

    #[test]
    fn branches_follow_the_rules_of_git_and_never_look_like_options() {
        assert!(is_branch_name("main") && is_branch_name("feature/x-1"));
        for bad in
            ["--upload-pack=x", "-x", "a..b", "a b", "", "HEAD", "a\nb", "a:b", "x.lock", &"a".repeat(251)]
        {
            assert!(!is_branch_name(bad), "{bad}");
        }
    }
}
