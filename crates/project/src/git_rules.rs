//! What Git says about a selection: which ignore rules apply, and what cannot be answered. It brings together
//! `git`, which knows repositories, and `select`, which knows rules, and decides nothing else.

use std::sync::Arc;

use disk::{RelPath, Root};
use fault::{Code, Failure, Fault, Notice, Text, Watch};
use git::{Repository, Rules, RulesAt, Scope, ScopeFault, SubmoduleRules, TrackedFault};
use select::{GitRules, Nested, NoRepositories, PathSet, Policy, RepoRules, Repositories};

use crate::place::Place;
use crate::request::GitMode;
use crate::scope::GitScope;
use crate::session::Session;
use crate::{faults, notices};

/// What a request wants of Git.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The baseline.
    pub(crate) mode: GitMode,
    /// Whether the request itself wants tracked files only.
    pub(crate) is_tracked_asked: bool,
    pub(crate) scope: Option<&'a GitScope>,
    /// The files and folders that the request names, if any.
    pub(crate) paths: &'a [RelPath],
}

impl Asked<'_> {
    /// The baseline alone.
    pub(crate) fn baseline(mode: GitMode) -> Asked<'static> {
        Asked { mode, is_tracked_asked: false, scope: None, paths: &[] }
    }
}

/// The Git part of a selection.
pub(crate) struct GitView {
    /// The baseline's part of Git.
    pub(crate) policy: Policy,
    /// The files of the scope, when one is asked for.
    pub(crate) members: Option<Arc<PathSet>>,
    /// What must be said beside the answer.
    pub(crate) notices: Vec<Notice>,
}

impl Session {
    /// Asks the repository that owns `root`.
    ///
    /// # Errors
    /// [`Code::InvalidArguments`] where something of Git is asked of a folder without a repository;
    /// [`Code::ProjectUnavailable`] where Git cannot be asked.
    pub(crate) fn git_view(
        &self,
        root: &Place,
        asked: Asked<'_>,
        watch: &dyn Watch,
    ) -> Result<GitView, Failure> {
        let Asked { mode, is_tracked_asked, scope, .. } = asked;
        // The state of changes is without ignored files, whatever the baseline (spec 7.3).
        let mode =
            if mode == GitMode::None && scope == Some(&GitScope::Changes) { GitMode::Ignore } else { mode };
        if mode == GitMode::None && scope.is_none() {
            let policy =
                Policy { git: GitRules::None, nested: Arc::new(NoRepositories), ..Policy::default() };
            return Ok(GitView { policy, members: None, notices: Vec::new() });
        }
        let repository = self.repository(root);
        let Some(owner) = &repository else {
            if is_tracked_asked || scope.is_some() {
                return Err(not_a_repository(is_tracked_asked, scope.is_some()).into());
            }
            if mode == GitMode::Tracked {
                return Err(no_repository_to_track().into());
            }
            let policy = Policy { nested: Arc::new(NestedRepositories(None)), ..Policy::default() };
            return Ok(GitView { policy, members: None, notices: Vec::new() });
        };
        let mut notices = Vec::new();
        let git = match mode {
            GitMode::None => GitRules::None,
            GitMode::Ignore => GitRules::Ignore,
            GitMode::Tracked => {
                let tracked = git::tracked(root, owner, watch).map_err(tracked_failure)?;
                notices.extend(notices::nested_index_unreadable(tracked.unreadable));
                GitRules::Tracked(Arc::new(tracked.files.into_iter().collect()))
            }
        };
        let members = match scope {
            Some(scope) => {
                Some(Arc::new(self.members(root, owner, scope, asked.paths, &mut notices, watch)?))
            }
            None => None,
        };
        let policy = Policy {
            git,
            repository: Some(rules_of(owner)),
            nested: Arc::new(NestedRepositories(repository)),
            ..Policy::default()
        };
        Ok(GitView { policy, members, notices })
    }

    /// The files of a scope, as far as they are in the working tree.
    fn members(
        &self,
        root: &Place,
        owner: &Repository,
        scope: &GitScope,
        paths: &[RelPath],
        notices: &mut Vec<Notice>,
        watch: &dyn Watch,
    ) -> Result<PathSet, Failure> {
        let Some(program) = self.git() else {
            let why =
                "git is not installed or not on PATH, and git_scope needs it; install git, or omit git_scope";
            return Err(faults::unavailable(Code::GitStateUnavailable, why).into());
        };
        let store = self.store()?;
        let state = match scope {
            GitScope::Staged => Scope::Staged,
            GitScope::Changes => Scope::Changes,
            GitScope::Diff { from, to } => Scope::Diff { from, to },
        };
        let ask = || git::scoped(program, &|| store.work_folder(), root, owner, state, paths, watch);
        let mut scoped = ask();
        // A remote project is cloned without its history: what a diff names is fetched when it is asked for.
        if let (Err(ScopeFault::UnknownRevision), Scope::Diff { from, to }) = (&scoped, state)
            && root.fetch(program, &[from, to], watch)?
        {
            scoped = ask();
        }
        let scoped = scoped.map_err(scope_failure)?;
        let asked: PathSet = paths.iter().cloned().collect();
        let deleted = scoped.deleted.iter().filter(|path| paths.is_empty() || asked.covers(path)).count();
        notices.extend(notices::deleted(deleted));
        notices.extend(notices::nested_index_unreadable(scoped.unreadable));
        notices.extend(notices::nested_without_revisions(scoped.without_revisions));
        Ok(scoped.present.into_iter().collect())
    }
}

fn scope_failure(fault: ScopeFault) -> Failure {
    let why = match fault {
        ScopeFault::Stopped(stop) => return stop.into(),
        ScopeFault::NoGitDir => {
            "`.git` does not lead to a repository of this project; omit git_scope, or add the repository's own folder as a \
             root"
        }
        ScopeFault::BadRevision => {
            "a reference of the diff is not accepted; use branch and tag names, commit ids, and steps such as `HEAD~2`"
        }
        ScopeFault::UnknownRevision => {
            "a reference of the diff is not a commit of this repository; check it with `git rev-parse`, then call again"
        }
        ScopeFault::Extension => "the repository uses an extension that is not supported; omit git_scope",
        ScopeFault::Borrowed => {
            "the repository borrows objects from outside of the project; run `git repack -a -d` and remove \
             objects/info/alternates, or omit git_scope"
        }
        ScopeFault::Unreadable => {
            "a file of the repository cannot be read; check it with `git status`, or omit git_scope"
        }
        ScopeFault::Failed => "git could not answer; check the repository with `git fsck`, or omit git_scope",
        ScopeFault::TooMuch => "the state names too many files; use a smaller diff, or omit git_scope",
        ScopeFault::TooSlow => "git took longer than 10 seconds; use a smaller diff, or omit git_scope",
    };
    faults::unavailable(Code::GitStateUnavailable, why).into()
}

fn no_repository_to_track() -> Fault {
    faults::unavailable(
        Code::GitTrackedIndexUnavailable,
        "the project is not in a Git repository, so no file is tracked; start the server with --git-mode gitignore, or \
         name a profile with another Git mode",
    )
}

fn tracked_failure(fault: TrackedFault) -> Failure {
    let why = match fault {
        TrackedFault::Stopped(stop) => return stop.into(),
        TrackedFault::NoGitDir => {
            "`.git` does not lead to a repository of this project; omit tracked_only, or add the repository's own folder as \
             a root"
        }
        TrackedFault::Sparse => {
            "the index is sparse and folders outside of the sparse checkout are on disk; remove them or run `git \
             sparse-checkout reapply`, then call again"
        }
        TrackedFault::Index(_) => {
            "the Git index cannot be read; check it with `git status`, or omit tracked_only"
        }
    };
    faults::unavailable(Code::GitTrackedIndexUnavailable, why).into()
}

fn rules_of(repository: &Repository) -> RepoRules {
    let mut rules = RepoRules {
        ignore_case: repository.ignore_case(),
        prefix: repository.prefix().clone(),
        ..RepoRules::default()
    };
    rules.exclude = bytes_of(repository.exclude(), &mut rules.unreadable);
    for above in repository.ancestors() {
        if let Some(bytes) = bytes_of(above.rules, &mut rules.unreadable) {
            rules.ancestors.push((above.folder, bytes));
        }
    }
    rules
}

/// What begins below a root that this repository owns, if any does.
struct NestedRepositories(Option<Arc<Repository>>);

impl Repositories for NestedRepositories {
    fn at(&self, root: &Root, owner: Option<&RelPath>, dir: &RelPath) -> Nested {
        match git::rules_at(root, self.0.as_deref(), owner, dir) {
            RulesAt::NotARepository => Nested::NotARepository,
            RulesAt::Undeclared(rules) => Nested::Undeclared(nested_rules(rules)),
            RulesAt::Declared(rules) => Nested::Declared(nested_rules(rules)),
        }
    }
}

fn nested_rules(nested: SubmoduleRules) -> RepoRules {
    let mut rules = RepoRules { ignore_case: nested.ignore_case, ..RepoRules::default() };
    rules.exclude = bytes_of(nested.exclude, &mut rules.unreadable);
    rules
}

fn bytes_of(rules: Rules, unreadable: &mut usize) -> Option<Vec<u8>> {
    match rules {
        Rules::Absent => None,
        Rules::Bytes(bytes) => Some(bytes),
        Rules::Unreadable => {
            *unreadable += 1;
            None
        }
    }
}

fn not_a_repository(is_tracked_asked: bool, has_scope: bool) -> Fault {
    let omit = match (is_tracked_asked, has_scope) {
        (true, true) => "omit tracked_only and git_scope",
        (true, false) => "omit tracked_only",
        _ => "omit git_scope",
    };
    faults::argument(Text::new("the project is not in a Git repository; ").and(omit))
}
