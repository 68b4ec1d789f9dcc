//! Checkouts of remote repositories in a private cache: cloned once without any program of the repository, published
//! whole by a rename, leased by kernel locks, reused offline (spec `project.md` 11). It shows nobody where they lie.

use std::ffi::OsString;
use std::net::ToSocketAddrs as _;
use std::path::Path;
use std::time::{Duration, Instant};

use disk::{
    CacheFolder, CacheLock, Entry, Folder, Kind, RelPath, Root, Step, StoreFault, UserDirs, Visitor,
    WalkLimits, walk,
};
use fault::{Phase, Stop, Unwatched, Watch};

use crate::cache_index::{CacheEntry, CacheIndex};
use crate::cage::Cage;
use crate::index::ObjectFormat;
use crate::refs::{References, Revision};
use crate::remote_url::{RemoteUrl, Transport, is_branch_name, is_private};
use crate::run::{GitProgram, RunFault, RunLimits};

/// The folder of all checkouts below the per-user cache.
pub(crate) const REPOS: &str = "repos";
pub(crate) const STAGING: &str = ".staging";
const LOCKS: &str = ".locks";
/// In a container: the checkout, the folder of its lease, and the file that says what it is.
const BASE: &str = "b";
pub(crate) const LEASES: &str = "l";
pub(crate) const LEASE: &str = "lease";
const MARKER: &str = ".readroom-repository";
/// How long a clone may take, and a checkout (spec 11.3).
const NETWORK_TIME_MAX: Duration = Duration::from_secs(600);
const CHECKOUT_TIME_MAX: Duration = Duration::from_secs(120);
/// How long somebody waits for another process that clones the same repository.
const PATIENCE: Duration = Duration::from_secs(720);
/// How often the size of what is being cloned is looked at.
const SIZE_PAUSE: Duration = Duration::from_millis(250);

/// How much a clone may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckoutLimits {
    /// Bytes on disk of one clone with its checkout.
    pub total_bytes: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes that stay free on the disk.
    pub free_bytes: u64,
}

impl Default for CheckoutLimits {
    fn default() -> Self {
        const GIB: u64 = 1024 * 1024 * 1024;
        CheckoutLimits { total_bytes: 4 * GIB, file_bytes: 2 * GIB, free_bytes: GIB }
    }
}

/// Why there is no checkout. The texts hold nothing that git or a server said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutFault {
    /// There is no git outside of the roots.
    #[error("git is not installed or not on PATH")]
    NoGit,
    /// The cache folder is not ours alone or cannot be written.
    #[error("the cache folder cannot be used")]
    Cache,
    /// Another process holds the repository for too long.
    #[error("another process is fetching the same repository")]
    Busy,
    /// The host is unknown, or one of this machine or a private network.
    #[error("the host cannot be reached or is in a private network")]
    Host,
    /// The clone failed: address, access or branch.
    #[error("the repository or the branch could not be fetched")]
    Clone,
    /// The clone is larger than is fetched, or the disk is nearly full.
    #[error("the repository is too large for the cache")]
    TooLarge,
    /// It took longer than ten minutes, or its checkout longer than two.
    #[error("fetching took too long")]
    TooSlow,
    /// What was fetched could not be checked out or published.
    #[error("the checkout failed")]
    Checkout,
    /// The call ended.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<StoreFault> for CheckoutFault {
    fn from(_: StoreFault) -> Self {
        CheckoutFault::Cache
    }
}

/// A lease on a checkout: as long as it is held, nobody removes it.
#[derive(Debug)]
pub struct Lease {
    _lock: CacheLock,
}

/// A checkout that is ready.
#[derive(Debug)]
pub struct Checkout {
    /// The pinned work tree.
    pub root: Root,
    /// The commit that is checked out; none in a repository without commits.
    pub commit: Option<String>,
    /// The lease.
    pub lease: Lease,
}

/// What is to be checked out.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// The address.
    pub url: &'w RemoteUrl,
    /// The branch; the repository's own default when absent.
    pub branch: Option<&'w str>,
    /// Whether hosts of private networks are accepted.
    pub private_hosts: bool,
    /// How much it may take.
    pub limits: CheckoutLimits,
}

impl Wanted<'_> {
    /// The name of the container: readable, and one for each identity and branch.
    fn container(&self) -> String {
        let name: String = self
            .url
            .name()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .take(40)
            .collect();
        let key = format!("{}\0{}", self.url.identity(), self.branch.unwrap_or_default());
        format!("{}-{}", if name.is_empty() { "repository" } else { &name }, digest(&key))
    }
}

/// Gives the checkout of `wanted` from the cache, cloning it first when it is not there. The steps are those of spec
/// `project.md` 11.3.
///
/// # Errors
/// [`CheckoutFault`]; nothing of a failed clone stays.
pub fn acquire(
    dirs: &UserDirs,
    git: Option<&GitProgram>,
    wanted: Wanted<'_>,
    watch: &dyn Watch,
) -> Result<Checkout, CheckoutFault> {
    let cache = CacheFolder::open(dirs, REPOS)?;
    let container = wanted.container();
    let lock = cache.folder(LOCKS)?.lock(&container, PATIENCE, watch)?;
    let _lock = lock.ok_or(CheckoutFault::Busy)?;
    let index = CacheIndex::of(&cache);
    if let Some(checkout) = lease(&cache, &container)? {
        index.touch(&container);
        return Ok(checkout);
    }
    let git = git.ok_or(CheckoutFault::NoGit)?;
    if cache.free_bytes() < wanted.limits.free_bytes {
        return Err(CheckoutFault::TooLarge);
    }
    watch.step(Phase::Fetching, 0, 2);
    let staging = cache.folder(STAGING)?;
    let (name, folder) = staging.new_folder()?;
    let made = make(&folder, git, wanted, watch);
    let published = made.and_then(|size_bytes| {
        let is_ours = staging.publish(&name, &cache, &container)?;
        Ok(is_ours.then_some(size_bytes))
    });
    if !matches!(published, Ok(Some(_))) {
        let _ = staging.remove(&name);
    }
    let size_bytes = published?;
    let checkout = lease(&cache, &container)?.ok_or(CheckoutFault::Checkout)?;
    index.add(CacheEntry {
        identity: wanted.url.identity(),
        url: wanted.url.shown(),
        path: container,
        branch: wanted.branch.map(str::to_owned),
        commit: checkout.commit.clone(),
        size_bytes: size_bytes.unwrap_or_default(),
        last_opened: 0,
    });
    watch.step(Phase::Fetching, 2, 2);
    Ok(checkout)
}

/// Leases a container that is ready; nothing when there is none.
fn lease(cache: &CacheFolder, container: &str) -> Result<Option<Checkout>, CheckoutFault> {
    let Ok(folder) = cache.existing_folder(container) else { return Ok(None) };
    let lock = folder.existing_folder(LEASES)?.try_lock(LEASE, true)?;
    let lock = lock.ok_or(CheckoutFault::Busy)?;
    let path = folder.path().join(BASE);
    let root = Root::pin(&path).ok().filter(|root| root.path() == path).ok_or(CheckoutFault::Checkout)?;
    let git_dir = Root::pin(&path.join(".git")).map_err(|_| CheckoutFault::Checkout)?;
    let format = format_of(&git_dir);
    let references = References { git_dir: &git_dir, common_dir: &git_dir, format };
    let commit = references.head().map_err(|_| CheckoutFault::Checkout)?;
    Ok(Some(Checkout { root, commit, lease: Lease { _lock: lock } }))
}

fn format_of(git_dir: &Root) -> ObjectFormat {
    let settings = crate::repository::read_settings(git_dir);
    let is_sha256 = settings.iter().any(|setting| {
        setting.is("extensions", "objectformat") && setting.value.eq_ignore_ascii_case("sha256")
    });
    if is_sha256 { ObjectFormat::Sha256 } else { ObjectFormat::Sha1 }
}

/// Clones into `folder/b`, replaces the configuration, checks out, and says how many bytes it takes.
fn make(
    folder: &CacheFolder,
    git: &GitProgram,
    wanted: Wanted<'_>,
    watch: &dyn Watch,
) -> Result<u64, CheckoutFault> {
    // A process that died while it cloned leaves a folder whose lease is free.
    let _unfinished = folder.folder(LEASES)?.try_lock(LEASE, false)?.ok_or(CheckoutFault::Cache)?;
    folder.write(MARKER, b"1\n")?;
    let base = folder.path().join(BASE);
    let limit = |time: Duration| RunLimits {
        time,
        output_bytes: 64 * 1024,
        is_local: false,
        file_bytes: Some(wanted.limits.file_bytes),
    };
    let mut size = Sizes { folder: folder.path(), limits: wanted.limits, looked: Instant::now() };
    let environment = environment(folder.path(), wanted.url.transport());
    let arguments = clone_arguments(wanted, &base)?;
    let cage = Cage::Remote { writes: folder.path().to_owned() };
    git.run_polled(&arguments, &environment, limit(NETWORK_TIME_MAX), &cage, watch, &mut || size.check())
        .map_err(|fault| of_run(fault, CheckoutFault::Clone))?;
    size.check_now().map_err(|fault| of_run(fault, CheckoutFault::Clone))?;
    watch.step(Phase::Fetching, 1, 2);
    let git_dir = folder.existing_folder_as_made(BASE)?.existing_folder_as_made(".git")?;
    let pinned = Root::pin(git_dir.path()).map_err(|_| CheckoutFault::Checkout)?;
    git_dir.write("config", own_configuration(format_of(&pinned)).as_bytes())?;
    let format = format_of(&pinned);
    let references = References { git_dir: &pinned, common_dir: &pinned, format };
    if references.head().map_err(|_| CheckoutFault::Checkout)?.is_some() {
        let mut arguments: Vec<OsString> = vec!["--no-pager".into()];
        for (name, value) in [("--git-dir=", git_dir.path()), ("--work-tree=", base.as_path())] {
            let mut option = OsString::from(name);
            option.push(value);
            arguments.push(option);
        }
        push_settings(&mut arguments, &CHECKOUT_SETTINGS);
        arguments.extend(["read-tree", "--reset", "-u", "HEAD"].map(OsString::from));
        git.run_polled(&arguments, &environment, limit(CHECKOUT_TIME_MAX), &cage, watch, &mut || {
            size.check()
        })
        .map_err(|fault| of_run(fault, CheckoutFault::Checkout))?;
    }
    size.check_now().map_err(|fault| of_run(fault, CheckoutFault::Checkout))
}

/// Fetches what `revisions` name into a checkout that was cloned without its history, and as much of the history as
/// their steps back need. Says whether everything was fetched.
///
/// # Errors
/// When the call ends.
pub fn fetch_revisions(
    git: &GitProgram,
    checkout: &Root,
    wanted: Wanted<'_>,
    revisions: &[&str],
    watch: &dyn Watch,
) -> Result<bool, Stop> {
    watch.step(Phase::Fetching, 0, 1);
    let Ok(git_dir) = Root::pin(&checkout.path().join(".git")) else { return Ok(false) };
    let references = References { git_dir: &git_dir, common_dir: &git_dir, format: format_of(&git_dir) };
    let Ok(settings) = network_settings(wanted) else { return Ok(false) };
    let Some(revisions) = revisions.iter().map(|text| Revision::parse(text)).collect::<Option<Vec<_>>>()
    else {
        return Ok(false);
    };
    // One depth for all: a shallower fetch would cut off what a deeper one brought.
    let generations = revisions.iter().map(Revision::generations).max().unwrap_or_default();
    let depth = format!("--depth={}", generations.saturating_add(1));
    for revision in &revisions {
        let known = match revision.name.as_str() {
            "HEAD" => references.head().ok().flatten(),
            name => Some(name.to_owned()).filter(|name| name.len() == references.format.hex_digits()),
        };
        let source = match known {
            Some(id) if id.bytes().all(|byte| byte.is_ascii_hexdigit()) => id,
            _ if is_branch_name(&revision.name) => format!("+{0}:refs/remotes/{0}", revision.name),
            _ => return Ok(false),
        };
        let mut option = OsString::from("--git-dir=");
        option.push(git_dir.path());
        let mut arguments = vec!["--no-pager".into(), option];
        arguments.extend(settings.clone());
        arguments.extend(
            ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-gc", &depth, "--"]
                .map(OsString::from),
        );
        arguments.extend([wanted.url.for_git().into(), source.into()]);
        let limits = RunLimits {
            time: NETWORK_TIME_MAX,
            output_bytes: 64 * 1024,
            is_local: false,
            file_bytes: Some(wanted.limits.file_bytes),
        };
        let mut size = Sizes { folder: checkout.path(), limits: wanted.limits, looked: Instant::now() };
        let environment = environment(checkout.path(), wanted.url.transport());
        let cage = Cage::Remote { writes: checkout.path().to_owned() };
        match git.run_polled(&arguments, &environment, limits, &cage, watch, &mut || size.check()) {
            Ok(_) => {}
            Err(RunFault::Stopped(stop)) => return Err(stop),
            Err(_) => return Ok(false),
        }
    }
    watch.step(Phase::Selecting, 0, 1);
    Ok(true)
}

fn of_run(fault: RunFault, failed: CheckoutFault) -> CheckoutFault {
    match fault {
        RunFault::NotStarted => CheckoutFault::NoGit,
        RunFault::Failed => failed,
        RunFault::TooMuch => CheckoutFault::TooLarge,
        RunFault::TooSlow => CheckoutFault::TooSlow,
        RunFault::Stopped(stop) => CheckoutFault::Stopped(stop),
    }
}

const CHECKOUT_SETTINGS: [&str; 11] = [
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "submodule.recurse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

fn push_settings(arguments: &mut Vec<OsString>, settings: &[&str]) {
    for setting in settings {
        arguments.extend(["-c".into(), OsString::from(setting)]);
    }
}

/// The settings of a command that uses the network.
fn network_settings(wanted: Wanted<'_>) -> Result<Vec<OsString>, CheckoutFault> {
    let transport = wanted.url.transport();
    let allow = format!("protocol.{}.allow=always", transport.name());
    let mut arguments: Vec<OsString> = Vec::new();
    push_settings(
        &mut arguments,
        &[
            "protocol.allow=never",
            &allow,
            "core.hooksPath=/dev/null",
            "core.fsmonitor=false",
            "core.symlinks=false",
            "core.protectHFS=true",
            "core.protectNTFS=true",
            "transfer.fsckObjects=true",
            "transfer.bundleURI=false",
            "submodule.recurse=false",
            "fetch.recurseSubmodules=false",
            "credential.helper=",
            "core.askPass=",
            "http.followRedirects=false",
            "http.lowSpeedLimit=1024",
            "http.lowSpeedTime=20",
            "gc.auto=0",
            "maintenance.auto=false",
            "core.autocrlf=false",
        ],
    );
    if let Some(resolve) = pinned_address(wanted)? {
        push_settings(&mut arguments, &[&resolve]);
    }
    Ok(arguments)
}

fn clone_arguments(wanted: Wanted<'_>, base: &Path) -> Result<Vec<OsString>, CheckoutFault> {
    let transport = wanted.url.transport();
    let mut arguments = network_settings(wanted)?;
    arguments.extend(
        [
            "clone",
            "--quiet",
            "--template=",
            "--no-recurse-submodules",
            "--no-tags",
            "--single-branch",
            "--depth=1",
            "--no-hardlinks",
            "--no-checkout",
        ]
        .map(OsString::from),
    );
    if transport == Transport::File {
        arguments.push("--no-local".into());
    }
    if let Some(branch) = wanted.branch {
        arguments.push(format!("--branch={branch}").into());
    }
    arguments.extend(["--".into(), wanted.url.for_git().into(), base.into()]);
    Ok(arguments)
}

/// Resolves the host once, refuses private addresses, and pins the address for HTTP.
fn pinned_address(wanted: Wanted<'_>) -> Result<Option<String>, CheckoutFault> {
    let url = wanted.url;
    if url.transport() == Transport::File {
        return Ok(None);
    }
    let port = url.port.unwrap_or_else(|| url.transport().default_port());
    let found = (url.host.as_str(), port).to_socket_addrs().map_err(|_| CheckoutFault::Host)?;
    let addresses: Vec<_> = found.map(|address| address.ip()).collect();
    if !wanted.private_hosts && addresses.iter().any(|address| is_private(*address)) {
        return Err(CheckoutFault::Host);
    }
    let first = addresses.first().ok_or(CheckoutFault::Host)?;
    let is_http = matches!(url.transport(), Transport::Http | Transport::Https);
    Ok(is_http.then(|| format!("http.curloptResolve={}:{port}:{first}", url.host)))
}

/// The environment of a clone (security model 2.5).
fn environment(own: &Path, transport: Transport) -> Vec<(&'static str, OsString)> {
    let own = own.as_os_str();
    vec![
        ("PATH", "/usr/bin:/bin".into()),
        ("HOME", own.into()),
        ("XDG_CONFIG_HOME", own.into()),
        ("LC_ALL", "C".into()),
        ("TZ", "UTC".into()),
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
        ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
        ("GIT_ATTR_NOSYSTEM", "1".into()),
        ("GIT_NO_LAZY_FETCH", "1".into()),
        ("GIT_NO_REPLACE_OBJECTS", "1".into()),
        ("GIT_LITERAL_PATHSPECS", "1".into()),
        ("GIT_TERMINAL_PROMPT", "0".into()),
        ("GIT_CEILING_DIRECTORIES", own.into()),
        ("GIT_ALLOW_PROTOCOL", transport.name().into()),
        ("GIT_PROTOCOL_FROM_USER", "0".into()),
        ("GIT_ASKPASS", "/bin/false".into()),
        ("SSH_ASKPASS", "/bin/false".into()),
        ("SSH_ASKPASS_REQUIRE", "never".into()),
        ("GIT_SSH_VARIANT", "ssh".into()),
        (
            "GIT_SSH_COMMAND",
            "/usr/bin/ssh -F /dev/null -oBatchMode=yes -oStrictHostKeyChecking=yes -oProxyCommand=none \
             -oPermitLocalCommand=no -oForwardAgent=no -oClearAllForwardings=yes"
                .into(),
        ),
    ]
}

/// The configuration of a checkout: nothing of what the clone wrote, so no address stays in it.
fn own_configuration(format: ObjectFormat) -> String {
    let sha256 = format == ObjectFormat::Sha256;
    let version = i32::from(sha256);
    let extension = if sha256 { "[extensions]\n\tobjectformat = sha256\n" } else { "" };
    format!(
        "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n\tfilemode = true\n\tsymlinks = false\n\t\
         hooksPath = /dev/null\n\tfsmonitor = false\n\tautocrlf = false\n{extension}"
    )
}

/// The size of a clone in progress.
struct Sizes<'s> {
    folder: &'s Path,
    limits: CheckoutLimits,
    looked: Instant,
}

impl Sizes<'_> {
    fn check(&mut self) -> Result<(), RunFault> {
        if self.looked.elapsed() < SIZE_PAUSE {
            return Ok(());
        }
        self.looked = Instant::now();
        self.check_now().map(drop)
    }

    fn check_now(&self) -> Result<u64, RunFault> {
        let bytes = bytes_below(self.folder);
        if bytes > self.limits.total_bytes { Err(RunFault::TooMuch) } else { Ok(bytes) }
    }
}

/// Bytes of all files below a folder.
pub(crate) fn bytes_below(folder: &Path) -> u64 {
    struct Sum(u64);
    impl Visitor for Sum {
        fn enter(&mut self, _dir: &RelPath, entries: &[Entry], folder: &Folder<'_>) -> Vec<Step> {
            for entry in entries.iter().filter(|entry| entry.kind == Kind::File) {
                let stat = folder.stat(&entry.name);
                self.0 += stat.map_or(0, |stat| stat.size_bytes);
            }
            vec![Step::Descend; entries.len()]
        }
        fn leave(&mut self, _dir: &RelPath) {}
        fn unreadable(&mut self, _dir: &RelPath) {}
    }
    let mut sum = Sum(0);
    if let Ok(root) = Root::pin(folder) {
        let _ = walk(&root, &RelPath::root(), &WalkLimits::default(), &mut sum, &Unwatched);
    }
    sum.0
}

/// The short name of a text: 32 hexadecimal digits of its SHA-256.
fn digest(text: &str) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
