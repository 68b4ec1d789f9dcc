//! What `[sources.options]` says, checked. It reads no file.

use crate::contract::Pattern;
use crate::parsed::LinkSyntax;

/// Options of one source, checked against the closed schema of its adapter.
#[derive(Clone, Debug, Default)]
pub struct AdapterOptions {
    /// Where the id of a node comes from; absent means the default of the adapter.
    pub id_from: Option<IdFrom>,
    /// What is done to it.
    pub id_transform: IdTransform,
    /// Where the type comes from.
    pub type_from: TypeFrom,
    /// Where the title comes from.
    pub title_from: Option<TitleFrom>,
    /// Keys as files write them, and what they mean.
    pub keys: Vec<(String, String)>,
    /// Values that mean that nothing is given.
    pub ignore_values: Vec<String>,
    /// How targets are looked up, in order; empty means by id, then by alias.
    pub resolve: Vec<Resolver>,
    /// Which inline links make mentions.
    pub inline: Vec<Inline>,
    /// `markdown@1`: whether a file holds many nodes, each below a heading.
    pub sections: bool,
    /// `markdown@1`: whether a stated inverse is turned round instead of being an error.
    pub accept_inverse: bool,
}

/// Where an id comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdFrom {
    /// A key, as written in the file.
    Field(String),
    /// The file name without its last extension.
    Stem,
    /// The project-relative path without its last extension.
    Path,
    /// The first run of digits of the file name, as written.
    NumberInStem,
}

/// What is done to an id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IdTransform {
    /// Nothing.
    #[default]
    None,
    /// Small letters, digits and dashes.
    Slug,
    /// This stands in front of it.
    Prefix(String),
}

/// Where a type comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeFrom {
    /// A key, as written in the file.
    Field(String),
    /// The name of the nearest folder that is a type, or its plural with `s`.
    Folder,
    /// The source's own type.
    Default,
}

impl Default for TypeFrom {
    fn default() -> Self {
        TypeFrom::Field("type".to_owned())
    }
}

/// Where a title comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TitleFrom {
    /// A key, as written in the file.
    Field(String),
    /// The first heading of the first level.
    Heading,
    /// The file name without its last extension.
    Stem,
}

/// One way to look a target up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// It is an id.
    Id,
    /// It is an old id.
    Alias,
    /// It is a path of a node's file: from the root, or from the folder of the file that names it.
    Path,
    /// It is the folder of a node's file.
    Dir,
    /// It is the last segment of a path, without extension and case.
    Stem,
    /// This is cut off in front, and the rest is a path.
    Url(String),
    /// An id stands in this text in the place of `{id}`.
    Template(String),
}

/// One kind of inline link.
#[derive(Clone, Debug)]
pub struct Inline {
    /// How it is written.
    pub syntax: LinkSyntax,
    /// The pattern, when it is written as one.
    pub pattern: Option<Pattern>,
    /// The relation that it makes.
    pub relation: String,
}
