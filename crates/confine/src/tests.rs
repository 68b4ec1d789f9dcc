//! What a confined thread can and cannot do, each beside the same act before. A kernel without the means is told apart
//! by what it says, never taken for success.
#![allow(clippy::disallowed_methods, reason = "the acts that are to be refused")]

use std::fs;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::Command;

use testkit::Tree;

use super::*;

/// Runs `act` on a thread of its own after `confinement` was applied to it.
fn confined<T: Send + 'static>(
    confinement: Confinement,
    act: impl FnOnce(Enforced) -> T + Send + 'static,
) -> T {
    std::thread::spawn(move || act(confinement.apply())).join().expect("the thread ends")
}

fn project() -> Tree {
    Tree::new("root/a.txt: inside\nroot/sub/b.txt: deep\noutside.txt: outside\nscratch/old.txt: old")
}

#[test]
fn files_are_read_beneath_the_named_folders_alone() {
    let tree = project();
    let (inside, deep, outside) =
        (tree.path("root/a.txt"), tree.path("root/sub/b.txt"), tree.path("outside.txt"));
    assert!(fs::read(&outside).is_ok());
    let read = confined(Confinement::new().reads(&tree.path("root")), move |enforced| {
        (
            enforced.files,
            [inside, deep, outside].map(|path| fs::read(path).is_ok()),
            fs::read("/etc/passwd").is_ok(),
        )
    });
    match read.0 {
        Held::Design => assert_eq!((read.1, read.2), ([true; 3], true)),
        _ => assert_eq!((read.1, read.2), ([true, true, false], false)),
    }
}

#[test]
fn an_open_folder_can_be_named_by_its_handle() {
    let tree = project();
    let root = handle(&tree.path("root")).expect("it is there");
    let (inside, outside) = (tree.path("root/a.txt"), tree.path("outside.txt"));
    let read = confined(Confinement::new().reads_handle(&root), move |enforced| {
        (enforced.files, fs::read(inside).is_ok(), fs::read(outside).is_ok())
    });
    assert_eq!((read.1, read.2), (true, read.0 == Held::Design));
}

#[test]
fn nothing_is_written_but_beneath_the_named_folders_and_no_link_is_made_there() {
    let tree = project();
    let (root, scratch) = (tree.path("root"), tree.path("scratch"));
    let confinement = Confinement::new().reads(&root).writes(&scratch);
    let done = confined(confinement, move |enforced| {
        let refused = [
            fs::write(root.join("new.txt"), "x").is_ok(),
            fs::write(root.join("a.txt"), "x").is_ok(),
            fs::remove_file(root.join("a.txt")).is_ok(),
            fs::create_dir(root.join("made")).is_ok(),
            std::os::unix::fs::symlink("/etc", scratch.join("link")).is_ok(),
        ];
        let allowed = [
            fs::write(scratch.join("new.txt"), "x").is_ok(),
            fs::create_dir(scratch.join("made")).is_ok(),
            fs::rename(scratch.join("new.txt"), scratch.join("made/moved.txt")).is_ok(),
            fs::remove_file(scratch.join("old.txt")).is_ok(),
        ];
        (enforced.files, refused, allowed)
    });
    if done.0 != Held::Design {
        assert_eq!(done.1, [false; 5]);
        assert_eq!(fs::read(tree.path("root/a.txt")).expect("it is there"), b"inside");
    }
    assert_eq!(done.2, [true; 4]);
}

#[test]
fn no_program_starts_no_process_is_forked_and_threads_still_do() {
    assert!(Command::new("/bin/true").status().is_ok());
    let (enforced, started, threads) = confined(Confinement::new().reads(Path::new("/")), |enforced| {
        let threads = std::thread::spawn(|| 7).join().ok();
        (enforced, Command::new("/bin/true").status().is_ok(), threads)
    });
    assert_eq!(started, enforced.calls == Held::Design && enforced.files == Held::Design);
    assert_eq!(threads, Some(7));
}

#[test]
fn only_a_listed_program_starts() {
    let tree = Tree::new("other: x");
    fs::copy("/bin/true", tree.path("other")).expect("copied");
    let other = tree.path("other");
    assert!(Command::new(&other).status().is_ok());
    let program = fs::canonicalize("/bin/true").expect("it is there");
    // The dynamic loader is a program too.
    let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1"];
    let mut confinement =
        Confinement::new().reads(Path::new("/")).starts(&program).writes(Path::new("/dev/null"));
    for loader in loaders {
        confinement = confinement.starts(Path::new(loader));
    }
    let (enforced, listed, unlisted) = confined(confinement, move |enforced| {
        let runs = |path: &Path| Command::new(path).status().is_ok_and(|status| status.success());
        (enforced, runs(&program), runs(&other))
    });
    assert!(listed);
    assert_eq!(unlisted, enforced.files == Held::Design);
}

#[test]
fn no_socket_is_made_or_reached() {
    let tree = Tree::new("");
    let path = tree.path("socket");
    let listener = TcpListener::bind("127.0.0.1:0").expect("free before");
    let address = listener.local_addr().expect("bound");
    let confinement = Confinement::new().reads(Path::new("/")).writes(&tree.root());
    let (calls, made) = confined(confinement, move |enforced| {
        let made = [
            TcpListener::bind("127.0.0.1:0").is_ok(),
            TcpStream::connect(address).is_ok(),
            UdpSocket::bind("127.0.0.1:0").is_ok(),
            UnixListener::bind(path).is_ok(),
        ];
        (enforced.calls, made)
    });
    assert_eq!(made, [calls == Held::Design; 4]);
}

#[test]
fn who_listens_takes_connections_of_tcp_and_opens_none() {
    use std::io::{Read as _, Write as _};
    let tree = Tree::new("");
    let path = tree.path("socket");
    let (listener, free) = (TcpListener::bind("127.0.0.1:0"), TcpListener::bind("127.0.0.1:0"));
    let address = listener.as_ref().map(|bound| bound.local_addr()).expect("free before").expect("bound");
    // A port that is free again, so that only the confinement can refuse it.
    let port = free.expect("free before").local_addr().expect("bound").port();
    let confinement = Confinement::new().reads(Path::new("/")).writes(&tree.root()).listens_on_loopback();
    let (sender, bound) = std::sync::mpsc::channel();
    let confined = std::thread::spawn(move || {
        let enforced = confinement.apply();
        let refused = [
            TcpStream::connect(address).is_ok(),
            UdpSocket::bind("127.0.0.1:0").is_ok(),
            UnixListener::bind(path).is_ok(),
            TcpListener::bind("[::1]:0").is_ok(),
        ];
        let chosen = TcpListener::bind(("127.0.0.1", port)).is_ok();
        let listener = TcpListener::bind("127.0.0.1:0").expect("it may listen");
        sender.send(listener.local_addr().expect("bound")).expect("somebody waits");
        let (mut stream, _) = listener.accept().expect("it may take a connection");
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("it may read");
        stream.write_all(&[byte[0] + 1]).expect("it may write");
        (enforced, refused, chosen)
    });
    let mut stream = TcpStream::connect(bound.recv().expect("it listens")).expect("it listens");
    stream.write_all(&[7]).expect("sent");
    let mut byte = [0];
    stream.read_exact(&mut byte).expect("answered");
    assert_eq!(byte, [8]);
    let (enforced, refused, chosen) = confined.join().expect("the thread ends");
    if enforced.calls == Held::Kernel {
        assert_eq!(refused, [false; 4]);
    }
    // Only the newer kernels hold which port it is.
    if enforced.files == Held::Kernel {
        assert!(!chosen);
    }
}

#[test]
fn what_is_not_restricted_stays_free() {
    let tree = project();
    let outside = tree.path("outside.txt");
    let root = tree.path("root");
    let confinement = Confinement::new().reads_anything().starts_anything().reaches_network();
    let (enforced, free, written) = confined(confinement, move |enforced| {
        let free = [
            fs::read(outside).is_ok(),
            Command::new("/bin/true").stdin(std::process::Stdio::inherit()).status().is_ok(),
            TcpListener::bind("127.0.0.1:0").is_ok(),
        ];
        (enforced, free, fs::write(root.join("new.txt"), "x").is_ok())
    });
    assert_eq!(free, [true; 3]);
    assert_eq!(written, enforced.files == Held::Design);
}

#[test]
fn this_kernel_says_what_it_holds() {
    let enforced = confined(Confinement::new(), |enforced| enforced);
    let has_landlock =
        fs::read_to_string("/sys/kernel/security/lsm").is_ok_and(|names| names.contains("landlock"));
    if has_landlock {
        assert_ne!(enforced.files, Held::Design);
    }
    assert_eq!(Held::Kernel.as_str(), "enforced by the kernel");
}
