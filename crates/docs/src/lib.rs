//! A project of structured documents as a typed graph: a manifest says which types, fields and relations there are,
//! adapters read nodes out of files, and what is loaded is checked, searched and walked as one immutable snapshot. It
//! knows no protocol and no terminal, and it never writes a document.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make the files that they look at"))]

mod adapter;
mod assemble;
pub mod canon;
mod context;
mod contract;
mod delta;
mod diagnose;
mod filter;
mod glob;
mod hash;
mod hidden;
mod ident;
mod impact;
mod index;
pub mod limits;
pub mod lines;
mod list;
pub mod literal;
mod load;
mod model;
mod near;
mod parsed;
mod path;
mod pins;
mod place;
#[doc(hidden)]
pub mod probe;
mod search;
mod service;
mod snapshot;
mod tree;
mod value;
mod walk;
mod yaml;

pub use adapter::REGISTRY as ADAPTERS;
pub use adapter::{
    AdapterOptions, DoorstopOptions, EditFault, FileEdit, HeaderOptions, HeaderStyle, IdFrom, IdTransform,
    Inline, Insertion, NewNode, NodeEdit, NodePlace, RecordOptions, RecordRelation, Resolver, TitleFrom,
    TypeFrom, canonical, create_file, edit_file, read_markdown,
};
pub use assemble::{ENGINE, LoadedFile, Parts, assemble, assemble_after, node_json, pin_of};
pub use context::{
    BUDGET, BUDGET_MAX, BUDGET_MIN, BudgetTooSmall, Candidate, Context, ContextError, ContextPlan,
    ContextProvider, ContextRequest, ESTIMATOR, Form, FormItem, Omitted, POLICY, ProviderId, SnapshotView,
    Step, cost,
};
pub use contract::{
    BodyRule, Charset, Checks, ContextUse, Contract, FieldDef, FieldType, Grant, IdRules, ImpactFlow,
    MANIFEST_NAME, Operation, Part, Paths, Pattern, PinUse, ProjectDef, RENDERERS, RelationDef, RuleDef,
    SCHEMA, SortKey, SourceDef, TypeDef, UnknownFields, ViewDef, WriterDef, load, writer_policy_hash,
};
pub use delta::Delta;
pub use diagnose::{Check, Diagnostic, Place, Severity};
pub use filter::{Budget, Filter, FilterFault, FilterProblem, FilterScope, TooComplex};
pub use glob::{Glob, SourceGlobs};
pub use hash::Hash;
pub use hidden::{Hidden, hidden};
pub use ident::{ID_BYTES_MAX, is_id, is_path};
pub use impact::{Affected, Change, Impact, ImpactRequest, Reason, RuleChange, ViewChange};
pub use index::{IndexFault, IndexState, index_bytes, index_state};
pub use limits::Limits;
pub use list::{Counts, GroupKey, WordFault};
pub use model::{Edge, EdgeIx, EdgeKind, Field, Link, Node, NodeIx, Review, State};
pub use near::near;
pub use parsed::{FileText, LinkSyntax, ParsedFile, ParsedLink, ParsedMention, ParsedNode};
pub use pins::{Pin, PinState};
pub use search::{Column, Hit, Query, QueryFault, SearchScope};
pub use service::{CHANGED_SHOWN, Checked, Freshness, ProjectRoot, ProjectService, Refresh};
pub use snapshot::{Dangling, FileEntry, LookUp, ProjectState, Snapshot};
pub use tree::{Scalar, Span, Tree, TreeKind};
pub use value::Value;
pub use walk::{Dependencies, EdgeScope, Reached};
