//! The tree of a selection as a value: folders and files by name, in the one order that every format shows.
//! It knows neither the disk nor a format, and is walked without recursion, however deep it is.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// The tree below a root. Names are the segments of addresses (a name that is not UTF-8 is already escaped).
#[derive(Clone, Debug)]
pub struct Tree {
    names: String,
    nodes: Vec<Node>,
    files: u64,
}

#[derive(Clone, Debug, Default)]
struct Node {
    name: Range<usize>,
    folders: Vec<usize>,
    files: Vec<Range<usize>>,
}

const ROOT: usize = 0;

impl Tree {
    /// Puts the tree together from root-relative addresses with `/`, in any order: every file, and every folder
    /// that is shown although no file lies in it. Folders above a file need not be named.
    pub fn new<P: AsRef<str>, Q: AsRef<str>>(
        files: impl IntoIterator<Item = P>,
        folders: impl IntoIterator<Item = Q>,
    ) -> Tree {
        let mut builder = Builder::new();
        for file in files {
            builder.file(file.as_ref());
        }
        for folder in folders {
            builder.folder(folder.as_ref());
        }
        builder.finish()
    }

    /// Files, however deep.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// Folders below the root.
    pub fn folders(&self) -> u64 {
        self.nodes.len() as u64 - 1
    }

    /// Whether nothing is below the root.
    pub fn is_empty(&self) -> bool {
        self.nodes[ROOT].folders.is_empty() && self.nodes[ROOT].files.is_empty()
    }

    /// Nodes that are at most `max_depth` levels below the root.
    pub(crate) fn nodes_within(&self, max_depth: Option<u32>) -> u64 {
        if max_depth.is_none() {
            return self.files() + self.folders();
        }
        let mut count = 0;
        let Ok(()) = self.walk(max_depth, &mut |step| {
            if !matches!(step.node, Visit::Close(_)) {
                count += 1;
            }
            Ok::<(), std::convert::Infallible>(())
        });
        count
    }

    /// The longest run of backticks in any name.
    pub(crate) fn longest_backtick_run(&self) -> usize {
        if memchr::memchr(b'`', self.names.as_bytes()).is_none() {
            return 0;
        }
        let folders = self.nodes.iter().map(|node| &node.name);
        let files = self.nodes.iter().flat_map(|node| &node.files);
        folders
            .chain(files)
            .map(|name| crate::escape::longest_backtick_run(&self.names[name.clone()]))
            .max()
            .unwrap_or(0)
    }

    /// Visits every node below the root in the order of the formats: in each folder first its folders, then its
    /// files. With `max_depth`, folders at that level are visited as if they were empty; 0 visits nothing.
    ///
    /// # Errors
    /// The first error of `visit`, which ends the walk.
    pub(crate) fn walk<'t, E>(
        &'t self,
        max_depth: Option<u32>,
        visit: &mut dyn FnMut(Step<'t>) -> Result<(), E>,
    ) -> Result<(), E> {
        let max_depth = max_depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap_or(usize::MAX));
        if max_depth == 0 {
            return Ok(());
        }
        let mut open = vec![Open { node: ROOT, next: 0, last: true }];
        while let Some(top) = open.last_mut() {
            let node = &self.nodes[top.node];
            let (next, total) = (top.next, node.folders.len() + node.files.len());
            top.next += 1;
            let (parent, last) = (top.node, next + 1 >= total);
            let depth = open.len() - 1;
            if let Some(&child) = node.folders.get(next) {
                let is_pruned = depth + 1 >= max_depth;
                let folder = self.folder(child, is_pruned);
                visit(Step { node: Visit::Open(folder), depth, last })?;
                if is_pruned {
                    visit(Step { node: Visit::Close(folder), depth, last })?;
                } else {
                    open.push(Open { node: child, next: 0, last });
                }
            } else if let Some(name) = node.files.get(next - node.folders.len()) {
                let is_first = next == node.folders.len();
                let name = &self.names[name.clone()];
                visit(Step {
                    node: Visit::File { name, is_first, beside_folders: !node.folders.is_empty() },
                    depth,
                    last,
                })?;
            } else {
                let last = open.pop().is_some_and(|closed| closed.last);
                if let Some(depth) = depth.checked_sub(1) {
                    visit(Step { node: Visit::Close(self.folder(parent, false)), depth, last })?;
                }
            }
        }
        Ok(())
    }

    fn folder(&self, at: usize, is_pruned: bool) -> Folder<'_> {
        let node = &self.nodes[at];
        Folder {
            name: &self.names[node.name.clone()],
            has_folders: !is_pruned && !node.folders.is_empty(),
            has_files: !is_pruned && !node.files.is_empty(),
        }
    }
}

struct Open {
    node: usize,
    next: usize,
    last: bool,
}

/// One visit of [`Tree::walk`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'t> {
    pub(crate) node: Visit<'t>,
    /// Folders between the root and the node: 0 for what lies in the root itself.
    pub(crate) depth: usize,
    /// Whether no sibling follows.
    pub(crate) last: bool,
}

/// What is visited. Every `Open` has its `Close`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Visit<'t> {
    Open(Folder<'t>),
    File { name: &'t str, is_first: bool, beside_folders: bool },
    Close(Folder<'t>),
}

/// A folder as it is shown: without children where `max_depth` cut them off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folder<'t> {
    pub(crate) name: &'t str,
    pub(crate) has_folders: bool,
    pub(crate) has_files: bool,
}

impl Folder<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_folders && !self.has_files
    }
}

struct Builder {
    tree: Tree,
    known: HashMap<String, usize>,
    last_parent: (String, usize),
}

impl Builder {
    fn new() -> Self {
        let tree = Tree { names: String::new(), nodes: vec![Node::default()], files: 0 };
        Builder { tree, known: HashMap::new(), last_parent: (String::new(), ROOT) }
    }

    fn file(&mut self, address: &str) {
        let (parent, name) = split(address);
        let parent = if self.last_parent.0 == parent {
            self.last_parent.1
        } else {
            let at = self.folder(parent);
            self.last_parent = (parent.to_owned(), at);
            at
        };
        let name = self.name(name);
        self.tree.nodes[parent].files.push(name);
        self.tree.files += 1;
    }

    fn folder(&mut self, address: &str) -> usize {
        // From the folder up to the nearest known one, then down again.
        let mut missing = Vec::new();
        let mut rest = address;
        let mut at = loop {
            // The root's own address is a dot, which is never a name.
            if matches!(rest, "" | ".") {
                break ROOT;
            }
            if let Some(&known) = self.known.get(rest) {
                break known;
            }
            missing.push(rest);
            rest = split(rest).0;
        };
        for folder in missing.into_iter().rev() {
            let name = self.name(split(folder).1);
            let child = self.tree.nodes.len();
            self.tree.nodes.push(Node { name, ..Node::default() });
            self.tree.nodes[at].folders.push(child);
            self.known.insert(folder.to_owned(), child);
            at = child;
        }
        at
    }

    fn name(&mut self, name: &str) -> Range<usize> {
        let start = self.tree.names.len();
        self.tree.names.push_str(name);
        start..self.tree.names.len()
    }

    fn finish(self) -> Tree {
        let Tree { names, mut nodes, files } = self.tree;
        let folder_names: Vec<Range<usize>> = nodes.iter().map(|node| node.name.clone()).collect();
        for node in &mut nodes {
            node.folders
                .sort_by(|a, b| order(&names[folder_names[*a].clone()], &names[folder_names[*b].clone()]));
            node.files.sort_by(|a, b| order(&names[a.clone()], &names[b.clone()]));
        }
        Tree { names, nodes, files }
    }
}

fn split(address: &str) -> (&str, &str) {
    address.rsplit_once('/').unwrap_or(("", address))
}

/// The order of names: without regard to case, scalar by scalar in upper case, ties by the exact name (5.4).
fn order(a: &str, b: &str) -> Ordering {
    let folded = if a.is_ascii() && b.is_ascii() {
        a.bytes().map(|byte| byte.to_ascii_uppercase()).cmp(b.bytes().map(|byte| byte.to_ascii_uppercase()))
    } else {
        a.chars().map(upper).cmp(b.chars().map(upper))
    };
    folded.then_with(|| a.cmp(b))
}

/// The simple upper case of one scalar; a scalar that would become several stays as it is.
fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

#[cfg(test)]
mod tests;
