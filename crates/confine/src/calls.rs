//! Which system calls the kernel refuses a thread: seccomp. Refused is what no server of ours ever needs, so that a
//! defect cannot reach for it; a refused call fails with EPERM and ends nothing. It knows no path.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

use crate::{Held, Network, Programs};

/// Never needed: other processes' memory, the kernel's own programs, mounts, namespaces, keys, modules, clocks, and
/// the ways round a path check.
const NEVER: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
    libc::SYS_vhangup,
    libc::SYS_mknodat,
];

/// Sockets are neither made nor connected; one that is open already can still be served.
const SOCKETS: &[libc::c_long] = &[libc::SYS_socket, libc::SYS_bind, libc::SYS_connect, libc::SYS_listen];

/// The parts of the argument `type` of `socket` that say what kind it is.
const SOCKET_KIND: u64 = 0xF;

/// Programs are not started.
const STARTS: &[libc::c_long] = &[libc::SYS_execve, libc::SYS_execveat];

/// The flag of `clone` that makes a thread instead of a process.
const CLONE_THREAD: u64 = 0x0001_0000;

/// Restricts the calling thread. A system without such filters, or of another kind, restricts nothing.
pub(crate) fn restrict(programs: Programs, network: Network) -> Held {
    let applied = (|| {
        let arch = TargetArch::try_from(std::env::consts::ARCH).ok()?;
        let filter: BpfProgram = refused(programs, network, arch)?.try_into().ok()?;
        seccompiler::apply_filter(&filter).ok()?;
        if programs == Programs::None {
            // The flags of clone3 stand in memory that a filter does not see; without it the C library uses clone.
            let rules = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
            let answer = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
            let absent: BpfProgram =
                SeccompFilter::new(rules, SeccompAction::Allow, answer, arch).ok()?.try_into().ok()?;
            seccompiler::apply_filter(&absent).ok()?;
        }
        if arch == TargetArch::x86_64 {
            seccompiler::apply_filter(&without_x32()).ok()?;
        }
        Some(())
    })();
    if applied.is_some() { Held::Kernel } else { Held::Design }
}

fn refused(programs: Programs, network: Network, arch: TargetArch) -> Option<SeccompFilter> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = NEVER.iter().map(|call| (*call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend([libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_mknod].map(|call| (call, Vec::new())));
    match network {
        Network::None => rules.extend(SOCKETS.iter().map(|call| (*call, Vec::new()))),
        Network::Listening => {
            rules.insert(libc::SYS_connect, Vec::new());
            rules.insert(libc::SYS_socket, other_than_tcp()?);
        }
        Network::Any => {}
    }
    if programs == Programs::None {
        rules.extend(STARTS.iter().map(|call| (*call, Vec::new())));
        #[cfg(target_arch = "x86_64")]
        rules.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, Vec::new())));
        let makes_a_process =
            SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(CLONE_THREAD), 0)
                .ok()?;
        rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![makes_a_process]).ok()?]);
    }
    let answer = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, answer, arch).ok()
}

/// When a `socket` is none of TCP over IPv4: each rule refuses.
fn other_than_tcp() -> Option<Vec<SeccompRule>> {
    let when = |argument, op, value: i32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, u64::try_from(value).ok()?).ok()
    };
    let stream = u64::try_from(libc::SOCK_STREAM).ok()?;
    let mut rules = vec![
        SeccompRule::new(vec![when(0, SeccompCmpOp::Ne, libc::AF_INET)?]).ok()?,
        SeccompRule::new(vec![when(2, SeccompCmpOp::Ne, 0)?, when(2, SeccompCmpOp::Ne, libc::IPPROTO_TCP)?])
            .ok()?,
    ];
    for kind in (0..=SOCKET_KIND).filter(|kind| *kind != stream) {
        let is_kind =
            SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(SOCKET_KIND), kind)
                .ok()?;
        rules.push(SeccompRule::new(vec![is_kind]).ok()?);
    }
    Some(rules)
}

/// Refuses the numbers of the x32 interface, which name the same calls under other numbers and so pass a list.
fn without_x32() -> Vec<sock_filter> {
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_BITS: u16 = 0x45;
    const RETURN: u16 = 0x06;
    const X32_BIT: u32 = 0x4000_0000;
    const ALLOW: u32 = 0x7fff_0000;
    const REFUSE: u32 = 0x0005_0000 | 1;
    [(LOAD_WORD, 0, 0, 0), (JUMP_IF_BITS, 0, 1, X32_BIT), (RETURN, 0, 0, REFUSE), (RETURN, 0, 0, ALLOW)]
        .map(|(code, jt, jf, k)| sock_filter { code, jt, jf, k })
        .to_vec()
}
