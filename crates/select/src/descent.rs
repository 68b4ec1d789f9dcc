//! The rules in force on the way down a tree: one frame for each folder, from the root to where the walk stands.
//! Both the whole selection and the question about a single file go through here, so that they cannot disagree.
//! It decides the baseline only; narrowing, counting and ordering are not its business.

use disk::{Entry, Kind, Links, OpenFault, RelPath, Root};
use fault::Unwatched;

use crate::builtin::{Stacks, is_artefact, is_junk_file, is_version_control, stacks_of};
use crate::ignore::{IGNORE_FILE_BYTES_MAX, Quota, Rules};
use crate::paths::{Chosen, Standing};
use crate::policy::{GitRules, Nested, Policy};
use crate::repository::Base;
use crate::toggles::{Toggle, extension};
use crate::wild::Effort;

/// What becomes of one entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Never listed: version control, links.
    Never,
    /// Hidden by the Git mode.
    Ignored,
    /// Hidden by another rule of the baseline.
    Excluded,
    /// A file that is selected, or a folder to enter.
    Wanted,
}

/// Why nothing of a folder is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seal {
    /// Its ignore rules cannot be trusted.
    Rules,
    /// It is a repository of its own inside another one.
    Opaque,
    /// Git ignores the root itself.
    Ignored,
}

/// One folder on the way down.
pub(crate) struct Frame {
    dir: RelPath,
    /// Bytes of a path below this folder that lead to it.
    skip: usize,
    rules: Option<Rules>,
    /// Which repository owns the folder: an index into `bases`.
    base: Option<usize>,
    /// Whether the repository begins here.
    is_top: bool,
    pub(crate) seal: Option<Seal>,
    /// The stacks that own folder names here, and those that redaction is told.
    owner: Stacks,
    told: Stacks,
    /// How the folder stands to the selected paths of the profile.
    standing: Standing,
}

/// The way down to one folder.
pub(crate) struct Descent<'a> {
    root: &'a Root,
    policy: &'a Policy,
    extensions: Option<Vec<Vec<u8>>>,
    selected: Chosen,
    frames: Vec<Frame>,
    bases: Vec<Base>,
    quota: Quota,
    effort: Effort,
    path: Vec<u8>,
    /// Ignore files that could not be trusted.
    pub(crate) ignore_files_lost: usize,
}

impl<'a> Descent<'a> {
    pub(crate) fn new(root: &'a Root, policy: &'a Policy, effort: Effort) -> Self {
        let extensions = policy.extensions.as_ref().map(|extensions| {
            extensions.iter().map(|text| lower(text.strip_prefix('.').unwrap_or(text).as_bytes())).collect()
        });
        Descent {
            root,
            policy,
            extensions,
            selected: Chosen::new(&policy.selected_paths),
            frames: Vec::new(),
            bases: Vec::new(),
            quota: Quota::default(),
            effort,
            path: Vec::new(),
            ignore_files_lost: 0,
        }
    }

    /// The folder where the walk stands.
    pub(crate) fn here(&self) -> &Frame {
        self.frames.last().expect("a folder is entered before it is asked about")
    }

    /// The stacks that redaction is told about files of this folder.
    pub(crate) fn stack_bits(&self) -> u8 {
        self.here().told.redaction_bits()
    }

    /// Goes down into a folder. `complete` says that no entry was cut from the list.
    pub(crate) fn enter(&mut self, dir: &RelPath, entries: &[Entry], complete: bool) {
        let stacks = stacks_of(entries);
        let parent = self.frames.last();
        let or_parent = |own: Stacks, parents: Option<Stacks>| {
            if own.is_none() { parents.unwrap_or(Stacks::NONE) } else { own }
        };
        let mut frame = Frame {
            dir: dir.clone(),
            skip: if dir.is_root() { 0 } else { dir.as_bytes().len() + 1 },
            rules: None,
            base: parent.and_then(|parent| parent.base),
            is_top: parent.is_none(),
            seal: parent.and_then(|parent| parent.seal),
            owner: or_parent(stacks.owning(), parent.map(|parent| parent.owner)),
            told: or_parent(stacks.told(), parent.map(|parent| parent.told)),
            standing: match parent {
                None => self.selected.of_root(),
                Some(parent) => self.selected.below(parent.standing, dir),
            },
        };
        if !matches!(self.policy.git, GitRules::None) && frame.seal.is_none() {
            self.enter_repository(&mut frame, entries, complete);
        }
        if matches!(self.policy.git, GitRules::Ignore) && frame.seal.is_none() {
            self.read_rules(&mut frame, entries, complete);
        }
        self.frames.push(frame);
    }

    /// Goes back up.
    pub(crate) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            let still_used = self.frames.last().and_then(|frame| frame.base);
            if frame.base != still_used {
                self.bases.pop();
            }
        }
    }

    fn enter_repository(&mut self, frame: &mut Frame, entries: &[Entry], complete: bool) {
        let rules = if frame.dir.is_root() {
            match &self.policy.repository {
                Some(rules) => rules.clone(),
                None => return,
            }
        } else {
            if kind_of(self.root, &frame.dir, b".git", entries, complete).is_none() {
                return;
            }
            let owner = frame.base.and_then(|_| self.frames.iter().rfind(|frame| frame.is_top));
            match self.policy.nested.at(self.root, owner.map(|owner| &owner.dir), &frame.dir) {
                Nested::NotARepository => return,
                Nested::Undeclared(_) if owner.is_some() => {
                    frame.seal = Some(Seal::Opaque);
                    return;
                }
                Nested::Undeclared(rules) | Nested::Declared(rules) => rules,
            }
        };
        frame.is_top = true;
        match Base::new(&rules, &mut self.quota) {
            Ok(base) => {
                if base.ignored && matches!(self.policy.git, GitRules::Ignore) {
                    frame.seal = Some(Seal::Ignored);
                }
                self.bases.push(base);
                frame.base = Some(self.bases.len() - 1);
            }
            Err(_) if matches!(self.policy.git, GitRules::Ignore) => {
                self.ignore_files_lost += rules.unreadable.max(1);
                frame.seal = Some(Seal::Rules);
            }
            Err(_) => {}
        }
    }

    fn read_rules(&mut self, frame: &mut Frame, entries: &[Entry], complete: bool) {
        const NAME: &[u8] = b".gitignore";
        let rules = match kind_of(self.root, &frame.dir, NAME, entries, complete) {
            None | Some(Kind::Directory) => return,
            Some(Kind::Link | Kind::Special) => Err(()),
            Some(Kind::File) => {
                let ignore_case = frame.base.is_some_and(|base| self.bases[base].ignore_case);
                match read(self.root, &frame.dir.join(NAME)) {
                    Ok(Some(bytes)) => Rules::parse(&bytes, ignore_case, &mut self.quota).map_err(drop),
                    Ok(None) => return,
                    Err(()) => Err(()),
                }
            }
        };
        match rules {
            Ok(rules) if rules.is_empty() => {}
            Ok(rules) => frame.rules = Some(rules),
            Err(()) => {
                self.ignore_files_lost += 1;
                frame.seal = Some(Seal::Rules);
            }
        }
    }

    /// What becomes of an entry of the folder where the walk stands. Sizes are not asked here.
    pub(crate) fn fate(&mut self, entry: &Entry) -> Fate {
        if entry.kind == Kind::Link || is_version_control(&entry.name) {
            return Fate::Never;
        }
        let is_folder = entry.kind == Kind::Directory;
        if self.here().seal.is_some() || self.is_ignored(&entry.name, is_folder) {
            return Fate::Ignored;
        }
        let wanted = if is_folder { self.wants_folder(&entry.name) } else { self.wants_file(&entry.name) };
        if wanted { Fate::Wanted } else { Fate::Excluded }
    }

    /// Whether a zero-length file at `size_bytes` is hidden by its toggle.
    pub(crate) fn hides_size(&self, size_bytes: u64) -> bool {
        size_bytes == 0 && self.policy.toggles.has(Toggle::EmptyFiles)
    }

    fn is_ignored(&mut self, name: &[u8], is_folder: bool) -> bool {
        match &self.policy.git {
            GitRules::None => false,
            GitRules::Tracked(files) => {
                let path = self.here().dir.join(name);
                if is_folder { !files.has_below(&path) } else { !files.contains(&path) }
            }
            GitRules::Ignore => {
                self.path.clear();
                let here = self.frames.last().expect("a folder is entered before it is asked about");
                if !here.dir.is_root() {
                    self.path.extend_from_slice(here.dir.as_bytes());
                    self.path.push(b'/');
                }
                self.path.extend_from_slice(name);
                let was_spent = self.effort.is_spent();
                let ignored = self.verdict(is_folder).unwrap_or(false);
                if self.effort.is_spent() && !was_spent {
                    self.ignore_files_lost += 1;
                }
                ignored || self.effort.is_spent()
            }
        }
    }

    /// What the ignore rules in force say of `self.path`: the nearest file of rules that knows it decides.
    fn verdict(&mut self, is_folder: bool) -> Option<bool> {
        let (path, effort) = (&self.path, &mut self.effort);
        for frame in self.frames.iter().rev() {
            if let Some(rules) = &frame.rules
                && let Some(verdict) = rules.verdict(&path[frame.skip..], is_folder, effort)
            {
                return Some(verdict);
            }
            if frame.is_top {
                return self.bases[frame.base?].verdict(&path[frame.skip..], is_folder, effort);
            }
        }
        None
    }

    fn wants_folder(&self, name: &[u8]) -> bool {
        let here = self.here();
        let toggles = self.policy.toggles;
        if here.dir.is_root()
            && let Some(roots) = &self.policy.roots
            && !roots.iter().any(|root| root.as_bytes() == name)
        {
            return false;
        }
        if toggles.has(Toggle::DotFolders) && name.first() == Some(&b'.') {
            return false;
        }
        let path = here.dir.join(name);
        if self.selected.below(here.standing, &path) == Standing::Outside {
            return false;
        }
        !(toggles.has(Toggle::SmartIgnore) && is_artefact(self.root, &path, name, here.owner))
    }

    fn wants_file(&self, name: &[u8]) -> bool {
        let here = self.here();
        let toggles = self.policy.toggles;
        if toggles.has(Toggle::SmartIgnore) && is_junk_file(name) {
            return false;
        }
        if toggles.has(Toggle::DotFiles) && name.first() == Some(&b'.') {
            return false;
        }
        match (extension(name), &self.extensions) {
            (None, _) if toggles.has(Toggle::ExtensionlessFiles) => return false,
            (Some(extension), Some(wanted)) if !wanted.contains(&lower(extension)) => return false,
            _ => {}
        }
        here.standing == Standing::Inside
            || self.selected.below(here.standing, &here.dir.join(name)) == Standing::Inside
    }
}

/// Lower case as a person expects it: by Unicode where the bytes are text.
fn lower(bytes: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.is_ascii() => text.to_lowercase().into_bytes(),
        _ => bytes.to_ascii_lowercase(),
    }
}

/// What `name` is in a folder. When the list of entries was cut, the file system is asked.
fn kind_of(root: &Root, dir: &RelPath, name: &[u8], entries: &[Entry], complete: bool) -> Option<Kind> {
    match entries.binary_search_by(|entry| (*entry.name).cmp(name)) {
        Ok(at) => Some(entries[at].kind),
        Err(_) if complete => None,
        Err(_) => root.stat(&dir.join(name), Links::Refuse).ok().map(|stat| stat.kind),
    }
}

/// The bytes of an ignore file; nothing when it is gone, an error when it cannot be trusted.
fn read(root: &Root, path: &RelPath) -> Result<Option<Vec<u8>>, ()> {
    let max_bytes = IGNORE_FILE_BYTES_MAX as u64;
    match root.open_file(path, Links::Refuse, max_bytes) {
        Ok(file) => file.read(max_bytes, &Unwatched).map(|read| Some(read.bytes)).map_err(drop),
        Err(OpenFault::NotFound) => Ok(None),
        Err(_) => Err(()),
    }
}
