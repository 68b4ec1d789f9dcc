//! Checkouts of remote repositories: their limits, and that nothing of a failed or cancelled one stays.

use std::time::Instant;

use disk::UserDirs;
use fault::{Phase, Stop, Unwatched, Watch};
use git::{CheckoutFault, CheckoutLimits, GitProgram, RemoteUrl, Wanted, acquire};
use testkit::Tree;

/// A repository with one file of a MiB that does not shrink.
fn source() -> Tree {
    let tree = Tree::new("");
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..1024 * 1024)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_le_bytes()[7]
        })
        .collect();
    tree.bytes("noise.bin", &noise);
    tree.commit("one");
    tree
}

fn try_acquire(tree: &Tree, limits: CheckoutLimits, watch: &dyn Watch) -> Result<(), CheckoutFault> {
    let url = RemoteUrl::parse(&format!("file://{}", tree.root().display()), false).expect("accepted");
    let git = GitProgram::find(std::iter::empty()).expect("git is installed");
    let wanted = Wanted { url: &url, branch: None, private_hosts: false, limits };
    acquire(&UserDirs::below(&tree.home()), Some(&git), wanted, watch).map(drop)
}

fn left_in_staging(tree: &Tree) -> usize {
    std::fs::read_dir(tree.home().join("cache/repos/.staging")).expect("made").count()
}

#[test]
fn what_is_larger_than_its_limits_is_not_kept() {
    let tree = source();
    let small = CheckoutLimits { total_bytes: 512 * 1024, ..CheckoutLimits::default() };
    assert_eq!(try_acquire(&tree, small, &Unwatched), Err(CheckoutFault::TooLarge));
    let file = CheckoutLimits { file_bytes: 512 * 1024, ..CheckoutLimits::default() };
    assert_eq!(try_acquire(&tree, file, &Unwatched), Err(CheckoutFault::Clone));
    let disk = CheckoutLimits { free_bytes: u64::MAX, ..CheckoutLimits::default() };
    assert_eq!(try_acquire(&tree, disk, &Unwatched), Err(CheckoutFault::TooLarge));
    assert_eq!(left_in_staging(&tree), 0);
    assert_eq!(try_acquire(&tree, CheckoutLimits::default(), &Unwatched), Ok(()));
}

#[test]
fn a_cancelled_fetch_leaves_nothing() {
    struct Cancelled(std::sync::atomic::AtomicBool);
    impl Watch for Cancelled {
        fn cancelled(&self) -> bool {
            self.0.load(std::sync::atomic::Ordering::SeqCst)
        }
        fn deadline(&self) -> Option<Instant> {
            None
        }
        fn step(&self, phase: Phase, _done: u64, _total: u64) {
            self.0.store(phase == Phase::Fetching, std::sync::atomic::Ordering::SeqCst);
        }
    }
    let tree = source();
    let watch = Cancelled(false.into());
    let stopped = try_acquire(&tree, CheckoutLimits::default(), &watch);
    assert_eq!(stopped, Err(CheckoutFault::Stopped(Stop::Cancelled)));
    assert_eq!(left_in_staging(&tree), 0);
}

#[test]
fn a_repository_without_commits_is_an_empty_project() {
    let tree = Tree::new("");
    tree.git(&["init", "--quiet"]);
    assert_eq!(try_acquire(&tree, CheckoutLimits::default(), &Unwatched), Ok(()));
}

#[test]
fn the_checkout_holds_no_address_and_no_configuration_of_the_clone() {
    let tree = source();
    try_acquire(&tree, CheckoutLimits::default(), &Unwatched).expect("cloned");
    let repos = tree.home().join("cache/repos");
    let container = std::fs::read_dir(&repos)
        .expect("made")
        .flatten()
        .find(|entry| !entry.file_name().to_string_lossy().starts_with(['.', 'c']))
        .expect("published");
    let config = std::fs::read_to_string(container.path().join("b/.git/config")).expect("there");
    assert!(!config.contains("remote") && config.contains("hooksPath = /dev/null"), "{config}");
    assert!(!container.path().join("b/.git/hooks").exists());
    assert!(container.path().join("b/noise.bin").exists());
}
