//! What this process may do from now on, held by the kernel: which folders it reads and writes, which programs it
//! starts, whether it reaches a network. Where a kernel has no such means nothing fails; what holds is told. It knows
//! no server and opens nothing but the folders that it is given.

mod calls;
mod files;

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Which programs may be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programs {
    /// None, and no process is forked.
    None,
    /// Those of [`Confinement::starts`].
    Listed,
    /// Any that may be read.
    Any,
}

/// Whether sockets may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// No socket of any kind is made or connected.
    None,
    /// Connections of TCP are taken on a port that the system chooses; nothing is connected to. That the address is the
    /// loopback one no kernel can be asked to hold: the listener alone says so.
    Listening,
    /// Unrestricted.
    Any,
}

/// What a process may do; everything that is not named is refused.
#[derive(Debug)]
pub struct Confinement {
    reads: Option<Vec<OwnedFd>>,
    writes: Vec<OwnedFd>,
    starts: Vec<OwnedFd>,
    programs: Programs,
    network: Network,
}

/// Who holds a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// The kernel, whatever the program does.
    Kernel,
    /// The kernel for the most part: it is too old for some of it.
    KernelInPart,
    /// The program alone, by what it never does.
    Design,
}

impl Held {
    /// The words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Held::Kernel => "enforced by the kernel",
            Held::KernelInPart => "enforced by the kernel in part",
            Held::Design => "by design",
        }
    }
}

/// Who holds which promise after [`Confinement::apply`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enforced {
    /// Files are read, written and started only where that is allowed.
    pub files: Held,
    /// System calls that are never needed are refused.
    pub calls: Held,
}

impl Enforced {
    /// Nothing is held by the kernel.
    pub const NOTHING: Enforced = Enforced { files: Held::Design, calls: Held::Design };
}

impl Confinement {
    /// A process that computes and talks through the handles that it has.
    pub fn new() -> Confinement {
        Confinement {
            reads: Some(Vec::new()),
            writes: Vec::new(),
            starts: Vec::new(),
            programs: Programs::None,
            network: Network::None,
        }
    }

    /// Files beneath `place` may be read, or `place` itself when it is a file. What does not exist is skipped.
    #[must_use]
    pub fn reads(mut self, place: &Path) -> Confinement {
        if let (Some(reads), Some(handle)) = (&mut self.reads, handle(place)) {
            reads.push(handle);
        }
        self
    }

    /// The same for a folder that is open already. A handle that cannot be copied is skipped.
    #[must_use]
    pub fn reads_handle(mut self, place: impl AsFd) -> Confinement {
        if let (Some(reads), Ok(handle)) = (&mut self.reads, place.as_fd().try_clone_to_owned()) {
            reads.push(handle);
        }
        self
    }

    /// Reading is not restricted.
    #[must_use]
    pub fn reads_anything(mut self) -> Confinement {
        self.reads = None;
        self
    }

    /// Files and folders beneath `place` may be read, made, changed and removed; no links, pipes, sockets or devices
    /// are made there and nothing is started from there. What does not exist is skipped.
    #[must_use]
    pub fn writes(mut self, place: &Path) -> Confinement {
        self.writes.extend(handle(place));
        self
    }

    /// The program `file` may be started, or anything beneath a folder. What does not exist is skipped.
    #[must_use]
    pub fn starts(mut self, file: &Path) -> Confinement {
        self.programs = Programs::Listed;
        self.starts.extend(handle(file));
        self
    }

    /// Any program may be started.
    #[must_use]
    pub fn starts_anything(mut self) -> Confinement {
        self.programs = Programs::Any;
        self
    }

    /// A TCP socket may listen on a port that the system chooses and take connections; none is opened, and no socket of
    /// another kind is made. Needs nothing else of a confinement but threads.
    #[must_use]
    pub fn listens_on_loopback(mut self) -> Confinement {
        if self.network == Network::None {
            self.network = Network::Listening;
        }
        self
    }

    /// Sockets may be made.
    #[must_use]
    pub fn reaches_network(mut self) -> Confinement {
        self.network = Network::Any;
        self
    }

    /// Restricts the calling thread and whatever it starts from now on, for good. A process is confined as a whole
    /// when this happens before its first further thread.
    #[must_use]
    pub fn apply(self) -> Enforced {
        let files = files::restrict(&self);
        let calls = calls::restrict(self.programs, self.network);
        Enforced { files, calls }
    }
}

impl Default for Confinement {
    fn default() -> Self {
        Confinement::new()
    }
}

/// No core of this process is written, and another process of the same user cannot attach to it or read its memory.
pub fn keep_memory_private() {
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// A handle that names a place and reads nothing.
fn handle(place: &Path) -> Option<OwnedFd> {
    rustix::fs::open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()
}

#[cfg(test)]
mod tests;
