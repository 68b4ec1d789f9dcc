//! From a request's words to a selection: arguments first, then the project, its paths, the profile, and only
//! then the disk. The order decides which error a caller sees (spec `project.md` 6.1). It reads no content.

use std::path::Path;
use std::sync::Arc;

use disk::RelPath;
use fault::{Code, Failure, Fault, Notice, Text, Watch};
use select::{Globs, Narrow, Policy, SelectFault, SelectedFile, Selection, Sizes};

use crate::document::SelectionEcho;
use crate::git_rules::{Asked, GitView};
use crate::place::Place;
use crate::profile::Profile;
use crate::request::{GitMode, Narrowing, Target};
use crate::scope::GitScope;
use crate::session::Session;
use crate::{faults, limits, notices};

/// A request whose words were all understood.
pub(crate) struct Plan {
    pub(crate) root: Arc<Place>,
    include: Globs,
    exclude: Globs,
    paths: Vec<RelPath>,
    tracked_only: bool,
    scope: Option<GitScope>,
    max_file_bytes: Option<u64>,
}

/// What a request selects.
pub(crate) struct Choice {
    pub(crate) selection: Selection,
    pub(crate) profile: Profile,
    pub(crate) echo: SelectionEcho,
    pub(crate) notices: Vec<Notice>,
}

impl Session {
    /// Understands a request without reading anything but the paths that it names.
    pub(crate) fn plan(
        &self,
        target: &Target,
        narrowing: &Narrowing,
        watch: &dyn Watch,
    ) -> Result<Plan, Failure> {
        let scope = scope(narrowing)?;
        let include = globs("include_patterns", &narrowing.include_patterns)?;
        let exclude = globs("exclude_patterns", &narrowing.exclude_patterns)?;
        let asked = distinct_paths(&narrowing.paths)?;
        let root = self.resolve(target, watch)?;
        let paths = asked.into_iter().map(|path| existing(&root, path)).collect::<Result<_, _>>()?;
        Ok(Plan {
            root,
            include,
            exclude,
            paths,
            tracked_only: narrowing.tracked_only,
            scope,
            max_file_bytes: narrowing.max_file_bytes,
        })
    }

    /// Selects. `profile` is the request's word for it.
    pub(crate) fn choose(
        &self,
        plan: &Plan,
        profile: Option<&str>,
        sizes: Sizes,
        watch: &dyn Watch,
    ) -> Result<Choice, Failure> {
        let profile = self.profile(&plan.root, profile, watch)?;
        let git_mode = if plan.tracked_only { GitMode::Tracked } else { profile.git_mode };
        let asked = Asked {
            mode: git_mode,
            is_tracked_asked: plan.tracked_only,
            scope: plan.scope.as_ref(),
            paths: &plan.paths,
        };
        let git = self.git_view(&plan.root, asked, watch)?;
        let GitView { policy: git_policy, members, notices: git_notices } = git;
        let policy = policy(&profile, git_policy);
        let narrow = Narrow {
            include: plan.include.clone(),
            exclude: plan.exclude.clone(),
            paths: plan.paths.clone(),
            members,
            max_file_bytes: plan.max_file_bytes,
        };
        let selection =
            select::select(&plan.root, &policy, &narrow, sizes, watch).map_err(selection_failure)?;
        let echo = SelectionEcho {
            git_mode: plan.scope.as_ref().map_or_else(|| git_mode.as_str().to_owned(), GitScope::token),
            exclusions: profile.toggles.tokens().into_iter().map(str::to_owned).collect(),
            roots: profile.roots.clone().unwrap_or_default(),
            extensions: profile.extensions.clone().unwrap_or_default(),
            selected_paths: present(&profile, &selection.missing_selected_paths),
        };
        let notices = [
            notices::partial_access(&selection.partial),
            notices::missing_selected_paths(selection.missing_selected_paths.len()),
            selection.everything_ignored.then(notices::everything_ignored),
        ];
        let notices = git_notices.into_iter().chain(notices.into_iter().flatten()).collect();
        Ok(Choice { echo, notices, profile, selection })
    }

    /// One file of the baseline selection, which is what `get_file` reads from.
    pub(crate) fn select_one(
        &self,
        root: &Place,
        path: &RelPath,
        watch: &dyn Watch,
    ) -> Result<Option<SelectedFile>, Failure> {
        let profile = self.baseline();
        let git = self.git_view(root, Asked::baseline(profile.git_mode), watch)?;
        select::select_one(root, &policy(&profile, git.policy), path, watch).map_err(selection_failure)
    }

    /// What holds where no profile is named.
    pub(crate) fn baseline(&self) -> Profile {
        Profile::baseline(self.git_mode().unwrap_or_default())
    }
}

fn policy(profile: &Profile, git: Policy) -> Policy {
    Policy {
        toggles: profile.toggles,
        roots: profile.roots.clone(),
        extensions: profile.extensions.clone(),
        selected_paths: profile.selected_paths.iter().filter_map(|path| RelPath::parse(path).ok()).collect(),
        ..git
    }
}

/// The selected paths of a profile without those that the effective tree does not hold, which are counted and
/// appear nowhere. What a request narrows further does not change what its profile selects.
fn present(profile: &Profile, missing: &[RelPath]) -> Vec<String> {
    let is_missing = |path: &str| RelPath::parse(path).map_or(true, |path| missing.contains(&path));
    profile.selected_paths.iter().filter(|path| !is_missing(path)).cloned().collect()
}

fn selection_failure(fault: SelectFault) -> Failure {
    match fault {
        SelectFault::Stopped(stop) => stop.into(),
        SelectFault::GlobsTooExpensive => Fault::new(
            Code::InvalidPattern,
            Text::new("the globs need too much work for this project; use fewer wildcards or fewer patterns"),
        )
        .into(),
        SelectFault::RootUnreadable => faults::unavailable(
            Code::ProjectPartialAccess,
            "the root folder cannot be read; check its permissions and call again",
        )
        .into(),
    }
}

fn scope(narrowing: &Narrowing) -> Result<Option<GitScope>, Fault> {
    let Some(text) = &narrowing.git_scope else { return Ok(None) };
    if text.chars().count() > limits::GIT_SCOPE_CHARS_MAX {
        return Err(faults::argument(
            Text::new("`git_scope` is longer than ").count(limits::GIT_SCOPE_CHARS_MAX).and(" characters"),
        ));
    }
    GitScope::parse(text).map(Some).map_err(|_| {
        faults::argument(
            Text::new("`git_scope` is '")
                .argument(text)
                .and("'; use `staged`, `changes` or `diff:<ref>..<ref>` with exactly one `..` and no spaces"),
        )
    })
}

fn globs(name: &'static str, patterns: &[String]) -> Result<Globs, Fault> {
    if patterns.len() > limits::GLOBS_MAX {
        return Err(faults::too_many_globs(name));
    }
    Globs::compile(patterns).map_err(|fault| faults::glob(name, &fault))
}

/// The entries of `paths` without lexical duplicates, in order.
fn distinct_paths(paths: &[String]) -> Result<Vec<&str>, Fault> {
    if paths.len() > limits::PATHS_MAX {
        return Err(faults::argument(
            Text::new("`paths` holds ")
                .count(paths.len())
                .and(" entries; at most ")
                .count(limits::PATHS_MAX)
                .and(" are accepted, and a folder selects everything below it"),
        ));
    }
    let mut distinct: Vec<(Option<RelPath>, &str)> = Vec::with_capacity(paths.len());
    for path in paths {
        if path.chars().count() > limits::PATH_CHARS_MAX {
            return Err(faults::argument(
                Text::new("an entry of `paths` is longer than ")
                    .count(limits::PATH_CHARS_MAX)
                    .and(" characters"),
            ));
        }
        let lexical = RelPath::parse(path).ok();
        let is_known = distinct.iter().any(|(known, text)| match &lexical {
            Some(_) => *known == lexical,
            None => *text == path.as_str(),
        });
        if !is_known {
            distinct.push((lexical, path));
        }
    }
    Ok(distinct.into_iter().map(|(_, path)| path).collect())
}

/// The path that a caller names, below the root: relative, absolute inside the root, or an address with escapes.
pub(crate) fn below(root: &Place, argument: &str) -> Result<RelPath, Fault> {
    if argument.starts_with('/') {
        return root.relative(Path::new(argument)).ok_or_else(|| faults::outside(argument, root));
    }
    RelPath::parse(argument).map_err(|fault| faults::path(argument, fault, root))
}

/// The physical path of something that exists. An address that is shown leads back to what it was shown for: what
/// holds a backslash is read as an address first, and as the name that it spells when there is nothing of that address.
pub(crate) fn existing(root: &Place, argument: &str) -> Result<RelPath, Fault> {
    let path = below(root, argument)?;
    if argument.contains('\\')
        && let Ok(address) = RelPath::from_address(argument)
        && let Ok(found) = root.resolve(&address)
    {
        return Ok(found);
    }
    root.resolve(&path).map_err(|fault| faults::open(argument, fault, root))
}
