//! What the kernel lets git itself do, besides what its environment and arguments already keep it from: which folders it
//! reads and writes, and that nothing runs but git (security model 2.4, 2.5). It knows no command.

use std::path::{Path, PathBuf};

use confine::Confinement;

/// Where programs and libraries of a system lie.
const SYSTEM: [&str; 9] = [
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
];
/// What git opens and throws away.
const NULL: &str = "/dev/null";
/// Programs that a remote command starts besides git's own.
const REMOTE_PROGRAMS: [&str; 2] = ["/bin/sh", "/usr/bin/ssh"];

/// What one run of git may touch.
#[derive(Clone, Debug)]
pub(crate) enum Cage {
    /// A local question: these places are read, none is written, nothing is reached.
    Local {
        /// Folders that are read.
        reads: Vec<PathBuf>,
    },
    /// A remote source: this folder is written and nothing in it can be started.
    Remote {
        /// The folder of the checkout.
        writes: PathBuf,
    },
}

/// The files that the kernel has to start so that a program runs: itself and the dynamic loader that it names. `None`
/// for a script, whose interpreter would be more than git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Startable {
    files: Vec<PathBuf>,
    /// The folder above the one of the program, for its libraries and helpers.
    prefix: PathBuf,
}

impl Startable {
    /// Reads the head of the program at `path`.
    pub(crate) fn of(path: &Path) -> Option<Startable> {
        use std::io::Read as _;
        let mut head = Vec::new();
        std::fs::File::open(path).ok()?.take(64 * 1024).read_to_end(&mut head).ok()?;
        let mut files = vec![path.to_owned()];
        files.extend(loader(&head)?);
        Some(Startable { files, prefix: path.parent()?.parent()?.to_owned() })
    }

    /// Every file that has to be startable.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// The confinement of one run, programs restricted to git's.
    pub(crate) fn confinement(&self, cage: &Cage) -> Confinement {
        let mut confinement = loose(cage);
        for file in &self.files {
            confinement = confinement.starts(file);
        }
        if let Cage::Local { reads } = cage {
            confinement = SYSTEM.iter().fold(confinement, |so_far, place| so_far.reads(Path::new(place)));
            confinement =
                reads.iter().fold(confinement.reads(&self.prefix), |so_far, place| so_far.reads(place));
        } else {
            for helpers in ["libexec/git-core", "lib/git-core"] {
                confinement = confinement.starts(&self.prefix.join(helpers));
            }
            confinement =
                REMOTE_PROGRAMS.iter().fold(confinement, |so_far, file| so_far.starts(Path::new(file)));
        }
        confinement
    }
}

/// The confinement of a run whose program is not understood: what is written and reached is still held.
pub(crate) fn loose(cage: &Cage) -> Confinement {
    match cage {
        Cage::Local { .. } => Confinement::new().writes(Path::new(NULL)),
        Cage::Remote { writes } => {
            Confinement::new().reads_anything().writes(writes).writes(Path::new(NULL)).reaches_network()
        }
    }
}

/// The dynamic loader that an ELF program of this machine names; nothing for one without, `None` for what is no such
/// program.
fn loader(head: &[u8]) -> Option<Option<PathBuf>> {
    use std::os::unix::ffi::OsStrExt as _;
    const LOADER: u32 = 3;
    if head.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let number = |at: usize, bytes: usize| -> Option<usize> {
        let mut value = [0; 8];
        value[..bytes].copy_from_slice(head.get(at..at.checked_add(bytes)?)?);
        usize::try_from(u64::from_le_bytes(value)).ok()
    };
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for entry in 0..count {
        let at = table.checked_add(entry.checked_mul(size)?)?;
        if number(at, 4)? == LOADER as usize {
            let (start, length) = (number(at.checked_add(8)?, 8)?, number(at.checked_add(32)?, 8)?);
            let name = head.get(start..start.checked_add(length)?)?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            return Some(Some(PathBuf::from(std::ffi::OsStr::from_bytes(name))));
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_of_this_machine_names_its_loader_and_a_script_is_not_understood() {
        let program = std::fs::read("/bin/sh").expect("there is a shell");
        let loader = loader(&program).expect("a program").expect("with a loader");
        assert!(loader.is_absolute() && loader.exists(), "{}", loader.display());
        for text in ["#!/bin/sh\n", "", "\u{7f}ELF"] {
            assert_eq!(super::loader(text.as_bytes()), None);
        }
        for cut in [7, 40, 60, 70, 200] {
            let _ = super::loader(&program[..cut]);
        }
    }
}
