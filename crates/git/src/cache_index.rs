//! What the cache of remote repositories holds, as its index says it, and what is removed from it: by a person's wish, or
//! when it is too much or too old. It fetches nothing.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use disk::{CacheFolder, StoreFault, UserDirs, read_shared, write_shared};
use serde_json::{Value, json};

use crate::checkout::{LEASE, LEASES, REPOS, STAGING, bytes_below};

const INDEX: &str = "cache-index.json";
const BACKUP: &str = "cache-index.backup.json";
const TRASH: &str = ".trash";
const SCHEMA_VERSION: u64 = 2;
/// Bytes of the index (spec `project.md` 11.4).
const INDEX_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// What the cache may hold, and how long what nobody uses stays.
const CACHE_BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;
const UNUSED_MAX: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// One cached checkout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheEntry {
    pub(crate) identity: String,
    /// The address as it may be shown.
    pub url: String,
    /// The name of its folder in the cache; never shown.
    pub(crate) path: String,
    /// The branch that was asked for.
    pub branch: Option<String>,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// Bytes on disk.
    pub size_bytes: u64,
    /// When it was last used, in seconds since 1970.
    pub last_opened: u64,
}

/// What a clean-up removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Checkouts that are gone.
    pub removed: usize,
    /// Bytes that they had.
    pub bytes: u64,
    /// Checkouts that are in use and stay.
    pub in_use: usize,
}

/// The index file of a cache.
pub(crate) struct CacheIndex {
    path: PathBuf,
}

impl CacheIndex {
    pub(crate) fn of(cache: &CacheFolder) -> CacheIndex {
        CacheIndex { path: cache.path().join(INDEX) }
    }

    fn entries(&self) -> Vec<CacheEntry> {
        let read = |path: &std::path::Path| {
            read_shared(path, INDEX_BYTES_MAX).ok().flatten().and_then(|bytes| parse(&bytes))
        };
        read(&self.path).or_else(|| read(&self.path.with_file_name(BACKUP))).unwrap_or_default()
    }

    /// Changes the list under its lock. The checkouts are found without it, so a failure loses no more than a line of
    /// `readroom cache list`.
    fn change(&self, change: impl FnOnce(&mut Vec<CacheEntry>)) {
        let known = self.entries();
        let mut before = None;
        let _ = write_shared(&self.path, INDEX_BYTES_MAX, |bytes| {
            let mut entries = bytes.and_then(parse).unwrap_or(known);
            before = bytes.filter(|bytes| parse(bytes).is_some()).map(<[u8]>::to_vec);
            change(&mut entries);
            entries.sort_by(|a, b| a.path.cmp(&b.path));
            Some(to_json(&entries).into_bytes())
        });
        if let Some(before) = before {
            let backup = self.path.with_file_name(BACKUP);
            let _ = write_shared(&backup, INDEX_BYTES_MAX, |_| Some(before));
        }
    }

    pub(crate) fn add(&self, mut entry: CacheEntry) {
        entry.last_opened = now();
        self.change(|entries| {
            entries.retain(|known| known.path != entry.path);
            entries.push(entry);
        });
    }

    pub(crate) fn touch(&self, path: &str) {
        self.change(|entries| {
            for entry in entries.iter_mut().filter(|entry| entry.path == path) {
                entry.last_opened = now();
            }
        });
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn parse(bytes: &[u8]) -> Option<Vec<CacheEntry>> {
    let document: Value = serde_json::from_slice(bytes).ok()?;
    if document.get("schemaVersion")?.as_u64()? != SCHEMA_VERSION {
        return None;
    }
    let text = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).map(str::to_owned);
    let entry = |entry: &Value| {
        Some(CacheEntry {
            identity: text(entry, "identity")?,
            url: text(entry, "url")?,
            path: text(entry, "path").filter(|path| is_container(path))?,
            branch: text(entry, "branch"),
            commit: text(entry, "commit"),
            size_bytes: entry.get("sizeBytes")?.as_u64()?,
            last_opened: entry.get("lastOpened")?.as_u64()?,
        })
    };
    Some(document.get("entries")?.as_array()?.iter().filter_map(entry).collect())
}

fn to_json(entries: &[CacheEntry]) -> String {
    let entries: Vec<Value> = entries
        .iter()
        .map(|entry| {
            json!({
                "identity": entry.identity,
                "url": entry.url,
                "path": entry.path,
                "branch": entry.branch,
                "commit": entry.commit,
                "state": "ready",
                "sizeBytes": entry.size_bytes,
                "lastOpened": entry.last_opened,
                "kind": "clone",
            })
        })
        .collect();
    format!("{:#}\n", json!({ "schemaVersion": SCHEMA_VERSION, "entries": entries }))
}

/// Whether a name is that of a container: letters, digits, `-` and `_`, and 32 hexadecimal digits at its end.
fn is_container(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars().all(is_plain)
        && name.rsplit_once('-').is_some_and(|(_, digits)| {
            digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// What the cache holds, the least recently used first. A cache that was never used is empty.
///
/// # Errors
/// [`StoreFault`] when the folder is not ours alone.
pub fn cached(dirs: &UserDirs) -> Result<Vec<CacheEntry>, StoreFault> {
    match open(dirs)? {
        Some(cache) => entries(&cache),
        None => Ok(Vec::new()),
    }
}

fn open(dirs: &UserDirs) -> Result<Option<CacheFolder>, StoreFault> {
    match CacheFolder::existing(dirs, REPOS) {
        Ok(cache) => Ok(Some(cache)),
        Err(StoreFault::Unavailable(std::io::ErrorKind::NotFound)) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// The containers that are there, with what the index knows of each.
fn entries(cache: &CacheFolder) -> Result<Vec<CacheEntry>, StoreFault> {
    let mut known = CacheIndex::of(cache).entries();
    let there: Vec<String> = cache.names()?.into_iter().filter(|name| is_container(name)).collect();
    known.retain(|entry| there.contains(&entry.path));
    for name in there {
        if known.iter().all(|entry| entry.path != name) {
            let size_bytes = bytes_below(&cache.path().join(&name));
            known.push(CacheEntry {
                identity: String::new(),
                url: "(unknown)".to_owned(),
                path: name,
                branch: None,
                commit: None,
                size_bytes,
                last_opened: now(),
            });
        }
    }
    known.sort_by(|a, b| (a.last_opened, &a.path).cmp(&(b.last_opened, &b.path)));
    Ok(known)
}

/// Removes every checkout that nobody uses, and what died while it was fetched.
///
/// # Errors
/// [`StoreFault`] when the folder is not ours alone.
pub fn clean(dirs: &UserDirs) -> Result<Cleaned, StoreFault> {
    sweep(dirs, 0, Duration::ZERO)
}

/// Makes the cache's folder, so that a process may be confined to it before the first source is fetched.
///
/// # Errors
/// When it cannot be made or does not belong to this user alone.
pub fn prepare(dirs: &UserDirs) -> Result<(), StoreFault> {
    CacheFolder::open(dirs, REPOS).map(|_| ())
}

/// Removes what is unused for 60 days, and the least recently used beyond 10 GiB.
///
/// # Errors
/// [`StoreFault`] when the folder is not ours alone.
pub fn tidy(dirs: &UserDirs) -> Result<Cleaned, StoreFault> {
    sweep(dirs, CACHE_BYTES_MAX, UNUSED_MAX)
}

pub(crate) fn sweep(dirs: &UserDirs, max_bytes: u64, max_age: Duration) -> Result<Cleaned, StoreFault> {
    let mut cleaned = Cleaned::default();
    let Some(cache) = open(dirs)? else { return Ok(cleaned) };
    let staging = cache.folder(STAGING)?;
    let trash = staging.folder(TRASH)?;
    for name in staging.names()?.iter().filter(|name| name.starts_with("tmp-")) {
        if is_free(&staging, name) {
            let _ = staging.remove(name);
        }
    }
    let entries = entries(&cache)?;
    let mut total: u64 = entries.iter().map(|entry| entry.size_bytes).sum();
    let mut gone = Vec::new();
    for entry in entries {
        let age = now().saturating_sub(entry.last_opened);
        if total <= max_bytes && age <= max_age.as_secs() && max_bytes > 0 {
            continue;
        }
        // Nobody can take a lease between the look and the rename: the lock is held meanwhile.
        let Ok(folder) = cache.existing_folder(&entry.path) else { continue };
        let lock = folder.folder(LEASES).and_then(|leases| leases.try_lock(LEASE, false));
        let Ok(Some(_lock)) = lock else {
            cleaned.in_use += 1;
            continue;
        };
        if cache.publish(&entry.path, &trash, &entry.path)? {
            total = total.saturating_sub(entry.size_bytes);
            cleaned.removed += 1;
            cleaned.bytes += entry.size_bytes;
            gone.push(entry.path);
        }
    }
    for name in trash.names()? {
        let _ = trash.remove(&name);
    }
    if !gone.is_empty() {
        CacheIndex::of(&cache).change(|entries| entries.retain(|entry| !gone.contains(&entry.path)));
    }
    Ok(cleaned)
}

fn is_free(parent: &CacheFolder, name: &str) -> bool {
    let lock = parent
        .existing_folder(name)
        .and_then(|folder| folder.existing_folder(LEASES))
        .and_then(|leases| leases.try_lock(LEASE, false));
    matches!(lock, Ok(Some(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    const MIB: u64 = 1024 * 1024;

    /// A cache with containers of one MiB each, used so many days ago.
    fn cache(tree: &Tree, days: &[u64]) -> (UserDirs, Vec<String>) {
        let dirs = UserDirs::below(&tree.home());
        let cache = CacheFolder::open(&dirs, REPOS).expect("private");
        let mut paths = Vec::new();
        for (at, days) in days.iter().enumerate() {
            let path = format!("r{at}-{at:032x}");
            let container = cache.folder(&path).expect("made");
            container.folder(LEASES).expect("made");
            container.write("x", b"x").expect("written");
            CacheIndex::of(&cache).change(|entries| {
                entries.push(CacheEntry {
                    identity: format!("host.example/{at}"),
                    url: format!("https://host.example/{at}"),
                    path: path.clone(),
                    branch: None,
                    commit: None,
                    size_bytes: MIB,
                    last_opened: now() - days * 24 * 60 * 60,
                });
            });
            paths.push(path);
        }
        (dirs, paths)
    }

    fn left(dirs: &UserDirs) -> Vec<String> {
        cached(dirs).expect("readable").into_iter().map(|entry| entry.path).collect()
    }

    #[test]
    fn what_is_unused_for_sixty_days_goes_and_the_rest_stays() {
        let tree = Tree::new("");
        let (dirs, paths) = cache(&tree, &[61, 59, 0]);
        assert_eq!(tidy(&dirs).expect("private"), Cleaned { removed: 1, bytes: MIB, in_use: 0 });
        assert_eq!(left(&dirs), [paths[1].clone(), paths[2].clone()]);
    }

    #[test]
    fn beyond_the_limit_the_least_recently_used_goes_first_and_leased_ones_never() {
        let tree = Tree::new("");
        let (dirs, paths) = cache(&tree, &[3, 2, 1]);
        assert_eq!(sweep(&dirs, 3 * MIB, UNUSED_MAX).expect("private").removed, 0);
        let cache = CacheFolder::open(&dirs, REPOS).expect("private");
        let leases = cache.existing_folder(&paths[0]).and_then(|container| container.folder(LEASES));
        let lease = leases.and_then(|leases| leases.try_lock(LEASE, true)).expect("free");
        assert!(lease.is_some());
        let cleaned = sweep(&dirs, 2 * MIB, UNUSED_MAX).expect("private");
        assert_eq!(cleaned, Cleaned { removed: 1, bytes: MIB, in_use: 1 });
        assert_eq!(left(&dirs), [paths[0].clone(), paths[2].clone()]);
    }

    #[test]
    fn what_died_while_it_was_fetched_goes_and_what_is_being_fetched_stays() {
        let tree = Tree::new("");
        let (dirs, _) = cache(&tree, &[]);
        let staging =
            CacheFolder::open(&dirs, REPOS).and_then(|cache| cache.folder(STAGING)).expect("private");
        let make = || {
            let (name, folder) = staging.new_folder().expect("made");
            let lock = folder.folder(LEASES).and_then(|leases| leases.try_lock(LEASE, false)).expect("free");
            (name, lock)
        };
        let (dead, lock) = make();
        drop(lock);
        let (alive, _lock) = make();
        tidy(&dirs).expect("private");
        let names = staging.names().expect("readable");
        assert!(names.contains(&alive) && !names.contains(&dead), "{names:?}");
    }

    #[test]
    fn a_damaged_index_loses_no_checkout() {
        let tree = Tree::new("");
        let (dirs, paths) = cache(&tree, &[1]);
        let cache = CacheFolder::open(&dirs, REPOS).expect("private");
        for name in [INDEX, BACKUP] {
            cache.write(name, b"{").expect("written");
        }
        assert_eq!(left(&dirs), paths);
        assert_eq!(clean(&dirs).expect("private").removed, 1);
        assert_eq!(cached(&UserDirs::below(&tree.root())).expect("empty"), []);
    }
}
