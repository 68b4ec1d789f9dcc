//! Which files the kernel lets a thread read, write and start: Landlock, by folder. It knows no system call by name.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, PathBeneath, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::fs::FileType;

use crate::{Confinement, Held, Network, Programs};

/// The newest interface whose rights are asked for; an older kernel holds what it knows.
const NEWEST: ABI = ABI::V6;

/// Restricts the calling thread. A kernel without Landlock restricts nothing.
pub(crate) fn restrict(confinement: &Confinement) -> Held {
    match enforce(confinement) {
        Ok(RulesetStatus::FullyEnforced) => Held::Kernel,
        Ok(RulesetStatus::PartiallyEnforced) => Held::KernelInPart,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Held::Design,
    }
}

fn enforce(confinement: &Confinement) -> Result<RulesetStatus, RulesetError> {
    let mut handled = AccessFs::from_all(NEWEST);
    if confinement.reads.is_none() {
        handled.remove(reading());
    }
    if confinement.programs == Programs::Any {
        handled.remove(AccessFs::Execute);
    }
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?
        .scope(Scope::Signal)?;
    if confinement.network != Network::Any {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?.scope(Scope::AbstractUnixSocket)?;
    }
    let mut rules = ruleset.create()?;
    if confinement.network == Network::Listening {
        // Port 0 stands for one that the system chooses.
        rules = rules.add_rule(NetPort::new(0, AccessNet::BindTcp))?;
    }
    rules = allow(rules, confinement.reads.iter().flatten(), reading() & handled)?;
    rules = allow(rules, &confinement.writes, (reading() | writing()) & handled)?;
    rules = allow(
        rules,
        &confinement.starts,
        (BitFlags::from(AccessFs::ReadFile) | AccessFs::Execute) & handled,
    )?;
    Ok(rules.restrict_self()?.ruleset)
}

fn allow<'a>(
    mut rules: RulesetCreated,
    places: impl IntoIterator<Item = &'a OwnedFd>,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    for place in places {
        // A file takes the rights of files alone.
        let rights = if is_folder(place.as_fd()) { rights } else { rights & AccessFs::from_file(NEWEST) };
        if !rights.is_empty() {
            rules = rules.add_rule(PathBeneath::new(place.as_fd(), rights))?;
        }
    }
    Ok(rules)
}

fn is_folder(place: BorrowedFd<'_>) -> bool {
    rustix::fs::fstat(place).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

fn reading() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::ReadDir
}

/// Files and folders; moving between two folders is one of the rights. No links, pipes, sockets, devices.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
        | AccessFs::Refer
}
