//! A private folder that outlives sessions, for what can be fetched again: folders in it appear whole by a rename, are
//! leased by kernel locks that die with their process, and are taken apart by handle. It knows no content.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fault::{Stop, Watch};
use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, RenameFlags, flock, mkdirat, openat, renameat_with, statvfs,
    unlinkat,
};
use rustix::io::Errno;

use super::dirs::UserDirs;
use super::private::{Missing, directory, holder};
use super::random_hex;
use super::remove::{Removal, empty};
use super::store::StoreFault;
use crate::beneath::step;

/// How often somebody who waits for a lock looks again.
const PAUSE: Duration = Duration::from_millis(50);

/// A private folder (mode 0700, ours) below the per-user cache.
#[derive(Debug)]
pub struct CacheFolder {
    handle: OwnedFd,
    path: PathBuf,
}

/// A held kernel lock; it ends with this value or with the process, however that ends.
#[derive(Debug)]
pub struct CacheLock {
    _file: File,
}

impl CacheFolder {
    /// Opens `<cache>/<name>`, made when it is missing.
    ///
    /// # Errors
    /// A folder that is a link, another user's, or open to others is refused, never repaired.
    pub fn open(dirs: &UserDirs, name: &str) -> Result<CacheFolder, StoreFault> {
        CacheFolder::reach(dirs, name, Missing::Make)
    }

    /// As [`CacheFolder::open`]; nothing is made.
    ///
    /// # Errors
    /// As [`CacheFolder::open`], and [`StoreFault::Unavailable`] when it is not there.
    pub fn existing(dirs: &UserDirs, name: &str) -> Result<CacheFolder, StoreFault> {
        CacheFolder::reach(dirs, name, Missing::Leave)
    }

    fn reach(dirs: &UserDirs, name: &str, missing: Missing) -> Result<CacheFolder, StoreFault> {
        let (Some(parent), Some(own)) = (dirs.cache.parent(), dirs.cache.file_name()) else {
            return Err(StoreFault::Unavailable(std::io::ErrorKind::InvalidInput));
        };
        let outer = holder(parent, missing)?;
        let base = directory(outer.as_fd(), own.as_encoded_bytes(), missing)?;
        let handle = directory(base.as_fd(), name.as_bytes(), missing)?;
        let path = std::fs::canonicalize(parent)?.join(own).join(name);
        Ok(CacheFolder { handle, path })
    }

    /// The physical path, for a program that has to be told.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A folder in this one, made when it is missing.
    ///
    /// # Errors
    /// As [`CacheFolder::open`].
    pub fn folder(&self, name: &str) -> Result<CacheFolder, StoreFault> {
        let handle = directory(self.handle.as_fd(), name.as_bytes(), Missing::Make)?;
        Ok(CacheFolder { handle, path: self.path.join(name) })
    }

    /// A folder in this one that is there already.
    ///
    /// # Errors
    /// As [`CacheFolder::existing`].
    pub fn existing_folder(&self, name: &str) -> Result<CacheFolder, StoreFault> {
        let handle = directory(self.handle.as_fd(), name.as_bytes(), Missing::Leave)?;
        Ok(CacheFolder { handle, path: self.path.join(name) })
    }

    /// A folder that a program of ours made in this one; other users may be able to look into it, but they cannot come
    /// this far.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`], [`StoreFault::Linked`].
    pub fn existing_folder_as_made(&self, name: &str) -> Result<CacheFolder, StoreFault> {
        let handle = step(self.handle.as_fd(), name.as_bytes(), OFlags::RDONLY | OFlags::DIRECTORY)?;
        Ok(CacheFolder { handle, path: self.path.join(name) })
    }

    /// A new folder with a random name, and that name.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn new_folder(&self) -> Result<(String, CacheFolder), StoreFault> {
        let name = format!("tmp-{}", random_hex(16)?);
        mkdirat(&self.handle, name.as_str(), Mode::RWXU)?;
        let folder = self.existing_folder(&name)?;
        Ok((name, folder))
    }

    /// The names in this folder.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn names(&self) -> Result<Vec<String>, StoreFault> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            names.extend(entry?.file_name().into_string());
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Writes a new file, or replaces one of ours.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StoreFault> {
        let _ = unlinkat(&self.handle, name, AtFlags::empty());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(std::io::Write::write_all(&mut File::from(file), bytes)?)
    }

    /// Takes the lock file `name` for this process alone, waiting for others until `patience` or the watch ends.
    ///
    /// # Errors
    /// The stop of the watch; else `None` inside when it is still taken or cannot be made.
    pub fn lock(&self, name: &str, patience: Duration, watch: &dyn Watch) -> Result<Option<CacheLock>, Stop> {
        let end = Instant::now() + patience;
        loop {
            watch.check()?;
            match self.try_lock(name, false) {
                Ok(Some(lock)) => return Ok(Some(lock)),
                Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
                Ok(None) | Err(_) => return Ok(None),
            }
        }
    }

    /// Takes the lock file `name` now, alone or together with others who share it; none when it is taken otherwise.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn try_lock(&self, name: &str, shared: bool) -> Result<Option<CacheLock>, StoreFault> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        let how = if shared {
            FlockOperation::NonBlockingLockShared
        } else {
            FlockOperation::NonBlockingLockExclusive
        };
        match flock(&file, how) {
            Ok(()) => Ok(Some(CacheLock { _file: File::from(file) })),
            Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the folder `from` of this folder the name `to` in `into`; never replaces anything. Says whether it did.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`].
    pub fn publish(&self, from: &str, into: &CacheFolder, to: &str) -> Result<bool, StoreFault> {
        match renameat_with(&self.handle, from, &into.handle, to, RenameFlags::NOREPLACE) {
            Ok(()) => {
                rustix::fs::fsync(&into.handle)?;
                Ok(true)
            }
            Err(Errno::EXIST | Errno::NOTEMPTY) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the folder `name` and all that is in it, whatever its depth; no link is followed.
    ///
    /// # Errors
    /// [`StoreFault::Unavailable`] when something of it stays.
    pub fn remove(&self, name: &str) -> Result<(), StoreFault> {
        let folder = self.existing_folder(name)?;
        let mut budget = usize::MAX;
        if empty(folder.handle.as_fd(), b"", &mut budget) != Removal::Done {
            return Err(StoreFault::Unavailable(std::io::ErrorKind::DirectoryNotEmpty));
        }
        Ok(unlinkat(&self.handle, name, AtFlags::REMOVEDIR)?)
    }

    /// Bytes that are free for us on the file system of this folder.
    pub fn free_bytes(&self) -> u64 {
        statvfs(&self.path).map_or(u64::MAX, |stat| stat.f_bavail.saturating_mul(stat.f_frsize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::remove_tree;
    use fault::Unwatched;

    struct Home(PathBuf, UserDirs);

    impl Drop for Home {
        fn drop(&mut self) {
            remove_tree(&self.0);
        }
    }

    fn home() -> Home {
        let path = std::env::temp_dir().join(format!("readroom-cache-{}", random_hex(8).unwrap()));
        std::fs::create_dir(&path).unwrap();
        let path = std::fs::canonicalize(path).unwrap();
        let dirs = UserDirs::below(&path);
        Home(path, dirs)
    }

    #[test]
    fn a_folder_appears_whole_under_a_name_that_nobody_has() {
        let home = home();
        let cache = CacheFolder::open(&home.1, "repos").unwrap();
        let staging = cache.folder("staging").unwrap();
        let publish = |text: &str| {
            let (name, folder) = staging.new_folder().unwrap();
            folder.write("a", text.as_bytes()).unwrap();
            staging.publish(&name, &cache, "x").unwrap()
        };
        assert!(publish("first") && !publish("second"));
        assert_eq!(std::fs::read(cache.path().join("x/a")).unwrap(), b"first");
        assert_eq!(staging.names().unwrap().len(), 1);
        cache.remove("x").unwrap();
        assert_eq!(cache.names().unwrap(), ["staging"]);
    }

    #[test]
    fn leases_are_shared_and_keep_others_out() {
        let home = home();
        let cache = CacheFolder::open(&home.1, "repos").unwrap();
        let one = cache.try_lock("l", true).unwrap();
        let two = cache.try_lock("l", true).unwrap();
        assert!(one.is_some() && two.is_some());
        assert!(cache.try_lock("l", false).unwrap().is_none());
        assert!(cache.lock("l", Duration::ZERO, &Unwatched).unwrap().is_none());
        drop((one, two));
        assert!(cache.lock("l", Duration::ZERO, &Unwatched).unwrap().is_some());
    }

    #[test]
    fn a_folder_that_others_could_enter_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let home = home();
        let path = CacheFolder::open(&home.1, "repos").unwrap().path().to_owned();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(CacheFolder::open(&home.1, "repos").unwrap_err(), StoreFault::OpenToOthers);
        std::fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/tmp", &path).unwrap();
        assert_eq!(CacheFolder::open(&home.1, "repos").unwrap_err(), StoreFault::Linked);
        std::fs::remove_file(&path).unwrap();
        assert!(CacheFolder::existing(&home.1, "repos").is_err() && !path.exists());
    }
}
