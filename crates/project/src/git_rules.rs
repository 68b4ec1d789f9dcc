//! What Git says about a selection: which ignore rules apply, and what cannot be answered. It brings together
//! `git`, which knows repositories, and `select`, which knows rules, and decides nothing else.

use std::sync::Arc;

use disk::{RelPath, Root};
use fault::{Code, Fault, Text};
use git::{Repository, Rules, RulesAt, SubmoduleRules};
use select::{Nested, Policy, RepoRules, Repositories};

use crate::faults;
use crate::request::GitMode;
use crate::scope::GitScope;

/// The Git part of a selection's policy, read from the repository that owns `root`.
///
/// # Errors
/// [`Code::InvalidArguments`] where something of Git is asked of a folder without a repository;
/// [`Code::ProjectUnavailable`] where Git cannot be asked.
pub(crate) fn git_policy(
    root: &Root,
    mode: GitMode,
    is_tracked_asked: bool,
    scope: Option<&GitScope>,
) -> Result<Policy, Fault> {
    let repository = Repository::discover(root);
    if repository.is_none() && (is_tracked_asked || scope.is_some()) {
        return Err(not_a_repository(is_tracked_asked, scope.is_some()));
    }
    if mode == GitMode::Tracked {
        return Err(faults::unavailable(
            Code::GitTrackedIndexUnavailable,
            "the list of tracked files is not available; omit tracked_only, or start the server with --git-mode gitignore",
        ));
    }
    if scope.is_some() {
        return Err(faults::unavailable(
            Code::GitStateUnavailable,
            "the Git state is not available; omit git_scope",
        ));
    }
    let git = match mode {
        GitMode::None => select::GitRules::None,
        GitMode::Ignore | GitMode::Tracked => select::GitRules::Ignore,
    };
    let rules = repository.as_ref().map(rules_of);
    Ok(Policy {
        git,
        repository: rules,
        nested: Arc::new(NestedRepositories(repository)),
        ..Policy::default()
    })
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
struct NestedRepositories(Option<Repository>);

impl Repositories for NestedRepositories {
    fn at(&self, root: &Root, owner: Option<&RelPath>, dir: &RelPath) -> Nested {
        match git::rules_at(root, self.0.as_ref(), owner, dir) {
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
