//! The contract as canonical data: what `get_contract` shows and what the contract hash is taken over (spec C4). Free
//! text of the manifest stands under `doc`; defaults are written out, absent things left out.

use serde_json::{Map, Value, json};

use crate::canon::canonical;
use crate::contract::{
    BodyRule, Charset, ContextUse, Contract, FieldDef, Grant, ImpactFlow, Part, PinUse, RelationDef,
    SourceDef, TypeDef, UnknownFields, ViewDef, WriterDef,
};
use crate::diagnose::Check;
use crate::hash::Hash;

impl Contract {
    /// The normalised form, sections and names in contract order, `[paths]` left out.
    pub fn to_json(&self) -> Value {
        let named = |entries: Vec<(String, Value)>| Value::Object(entries.into_iter().collect());
        let rules = self.rules.iter().map(|rule| {
            let doc = json!({
                "where": rule.applies.source(),
                "require": rule.require.source(),
                "message": rule.message,
            });
            (rule.id.clone(), json!({ "severity": rule.severity.as_str(), "doc": doc }))
        });
        json!({
            "schema": super::load::SCHEMA,
            "project": self.project_json(),
            "ids": self.ids_json(),
            "limits": self.limits_json(),
            "types": named(self.types.iter().map(|one| (one.name.clone(), type_json(one))).collect()),
            "relations": named(self.relations.iter().map(|one| (one.name.clone(), relation_json(one))).collect()),
            "sources": named(self.sources.iter().map(|one| (one.id.clone(), source_json(one))).collect()),
            "rules": named(rules.collect()),
            "checks": self.checks_json(),
            "views": named(self.views.iter().map(|one| (one.name.clone(), view_json(one))).collect()),
            "writers": named(self.writers.iter().map(|one| (one.name.clone(), writer_json(one))).collect()),
        })
    }

    fn project_json(&self) -> Value {
        let mut out = object(json!({ "id": self.project.id }));
        put(&mut out, "language", self.project.language.as_ref());
        let mut doc = object(json!({ "title": self.project.title }));
        put(&mut doc, "description", self.project.description.as_ref());
        out.insert("doc".to_owned(), Value::Object(doc));
        Value::Object(out)
    }

    fn ids_json(&self) -> Value {
        let charset = match self.ids.charset {
            Charset::Ascii => "ascii",
            Charset::Unicode => "unicode",
        };
        let mut out = object(json!({ "charset": charset, "case_unique": self.ids.case_unique }));
        if let Some(pattern) = &self.ids.pattern {
            out.insert("doc".to_owned(), json!({ "pattern": pattern.source }));
        }
        Value::Object(out)
    }

    /// Every ceiling of the project, as `[limits]` names them.
    pub fn limits_json(&self) -> Value {
        let limits = &self.limits;
        json!({
            "max_nodes": limits.max_nodes,
            "max_files": limits.max_files,
            "max_file_bytes": limits.max_file_bytes,
            "max_total_bytes": limits.max_total_bytes,
            "max_depth": limits.max_depth,
            "max_body_bytes": limits.max_body_bytes,
            "max_fields_per_node": limits.max_fields_per_node,
            "max_field_bytes": limits.max_field_bytes,
            "max_relations_per_node": limits.max_relations_per_node,
            "max_title_chars": limits.max_title_chars,
            "max_changeset_ops": limits.max_changeset_ops,
            "max_changeset_bytes": limits.max_changeset_bytes,
            "max_open_changesets": limits.max_open_changesets,
        })
    }

    /// The severity of every check that a manifest may set, as it is here.
    fn checks_json(&self) -> Value {
        let settable = Check::BUILT_IN.iter().filter(|check| check.is_settable());
        let members = settable.map(|check| {
            let severity = self.checks.severity(check).map_or("off", |severity| severity.as_str());
            (check.code().into_owned(), Value::from(severity))
        });
        Value::Object(members.collect())
    }
}

/// The contract hash: comments and the order of keys do not matter.
pub(super) fn hash(contract: &Contract) -> Hash {
    Hash::of(&[b"docforge.contract.v1\n", canonical(&contract.to_json()).as_bytes()])
}

/// What a writer may do, as a hash; a changeset remembers it.
pub fn writer_policy_hash(writer: &WriterDef) -> Hash {
    Hash::of(&[b"docforge.writer.v1\n", canonical(&writer_json(writer)).as_bytes()])
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn put<V: Into<Value> + Clone>(out: &mut Map<String, Value>, key: &str, value: Option<&V>) {
    if let Some(value) = value {
        out.insert(key.to_owned(), value.clone().into());
    }
}

fn put_doc(out: &mut Map<String, Value>, doc: Map<String, Value>) {
    if !doc.is_empty() {
        out.insert("doc".to_owned(), Value::Object(doc));
    }
}

fn type_json(one: &TypeDef) -> Value {
    let body = match one.body {
        BodyRule::Required => "required",
        BodyRule::Optional => "optional",
        BodyRule::Forbidden => "forbidden",
    };
    let unknown = match one.unknown_fields {
        UnknownFields::Error => "error",
        UnknownFields::Warn => "warn",
        UnknownFields::Keep => "keep",
    };
    let mut out = object(json!({ "body": body, "unknown_fields": unknown }));
    put(&mut out, "extends", one.extends.as_ref());
    let fields = one.fields.iter().map(|field| (field.name.clone(), field_json(field)));
    out.insert("fields".to_owned(), Value::Object(fields.collect()));
    let mut doc = Map::new();
    put(&mut doc, "title", one.title.as_ref());
    put(&mut doc, "description", one.description.as_ref());
    put(&mut doc, "id_pattern", one.id_pattern.as_ref().map(|pattern| &pattern.source));
    put(&mut doc, "id_hint", one.id_hint.as_ref());
    put_doc(&mut out, doc);
    Value::Object(out)
}

fn field_json(field: &FieldDef) -> Value {
    let mut out = object(json!({
        "type": field.kind.as_str(),
        "list": field.list,
        "required": field.required,
        "search": field.search,
        "hash": field.hash,
    }));
    if field.list {
        out.insert("unique".to_owned(), field.unique.into());
    }
    put(&mut out, "min_items", field.min_items.as_ref());
    put(&mut out, "max_items", field.max_items.as_ref());
    put(&mut out, "min_length", field.min_length.as_ref());
    put(&mut out, "max_length", field.max_length.as_ref());
    put(&mut out, "min", field.min.as_ref());
    put(&mut out, "max", field.max.as_ref());
    let mut doc = Map::new();
    if !field.values.is_empty() {
        doc.insert("values".to_owned(), field.values.clone().into());
    }
    put(&mut doc, "pattern", field.pattern.as_ref().map(|pattern| &pattern.source));
    put(&mut doc, "label", field.label.as_ref());
    put_doc(&mut out, doc);
    Value::Object(out)
}

fn relation_json(one: &RelationDef) -> Value {
    let ends = |names: &[String]| if names.is_empty() { json!(["*"]) } else { json!(names) };
    let pin = match one.pin {
        PinUse::Off => "off",
        PinUse::Optional => "optional",
        PinUse::Required => "required",
    };
    let impact = match one.impact {
        ImpactFlow::ToSource => "to_source",
        ImpactFlow::ToTarget => "to_target",
        ImpactFlow::Both => "both",
        ImpactFlow::None => "none",
    };
    let context = match one.context {
        ContextUse::Always => "always",
        ContextUse::Rank => "rank",
        ContextUse::Never => "never",
    };
    let mut out = object(json!({
        "from": ends(&one.from),
        "to": ends(&one.to),
        "inverse": one.inverse,
        "acyclic": one.acyclic,
        "symmetric": one.symmetric,
        "self": one.self_loop,
        "ordered": one.ordered,
        "pin": pin,
        "impact": impact,
        "weight": one.weight,
        "context": context,
    }));
    put(&mut out, "min", one.min.as_ref());
    put(&mut out, "max", one.max.as_ref());
    put(&mut out, "inverse_min", one.inverse_min.as_ref());
    put(&mut out, "inverse_max", one.inverse_max.as_ref());
    put(&mut out, "paired_with", one.paired_with.as_ref());
    let parts = |parts: &[Part]| parts.iter().map(Part::word).collect::<Vec<String>>();
    for (key, list) in [
        ("acyclic_with", one.acyclic_with.clone()),
        ("pin_fields", parts(&one.pin_fields)),
        ("impact_fields", parts(&one.impact_fields)),
    ] {
        if !list.is_empty() {
            out.insert(key.to_owned(), list.into());
        }
    }
    let mut doc = Map::new();
    put(&mut doc, "title", one.title.as_ref());
    put(&mut doc, "inverse_title", one.inverse_title.as_ref());
    put(
        &mut doc,
        "target_where",
        one.target_where.as_ref().map(|filter| filter.source().to_owned()).as_ref(),
    );
    put_doc(&mut out, doc);
    Value::Object(out)
}

impl Part {
    /// The word in the manifest: `title`, `body`, `relations` or `field:NAME`.
    pub fn word(&self) -> String {
        match self {
            Part::Title => "title".to_owned(),
            Part::Body => "body".to_owned(),
            Part::Relations => "relations".to_owned(),
            Part::Field(name) => format!("field:{name}"),
        }
    }
}

fn source_json(one: &SourceDef) -> Value {
    let mut out = object(json!({
        "adapter": one.adapter,
        "include": one.include,
        "exclude": one.exclude,
        "write": one.write,
    }));
    put(&mut out, "type", one.default_type.as_ref());
    if !one.options_json.is_null() {
        out.insert("doc".to_owned(), json!({ "options": one.options_json }));
    }
    Value::Object(out)
}

fn view_json(one: &ViewDef) -> Value {
    let sort: Vec<String> = one
        .sort
        .iter()
        .map(|key| if key.descending { format!("-{}", key.key) } else { key.key.clone() })
        .collect();
    let mut out = object(json!({ "renderer": one.renderer, "sort": sort }));
    put(&mut out, "output", one.output.as_ref());
    let mut doc = object(json!({ "title": one.title, "options": one.options }));
    put(&mut doc, "where", one.selects.as_ref().map(|filter| filter.source().to_owned()).as_ref());
    put_doc(&mut out, doc);
    Value::Object(out)
}

fn writer_json(one: &WriterDef) -> Value {
    let operations: Vec<&str> = one.operations.iter().map(|operation| operation.as_str()).collect();
    let mut out = object(json!({
        "operations": operations,
        "types": one.types,
        "sources": one.sources,
        "max_open": one.max_open,
        "max_ops": one.max_ops,
        "strict_base": one.strict_base,
    }));
    for (key, grant) in [("fields", &one.fields), ("relations", &one.relations)] {
        match grant {
            Grant::All => {}
            Grant::Allow(names) => {
                out.insert(key.to_owned(), json!({ "allow": names }));
            }
            Grant::Deny(names) => {
                out.insert(key.to_owned(), json!({ "deny": names }));
            }
        }
    }
    let mut doc = object(json!({ "title": one.title }));
    put(&mut doc, "where", one.applies.as_ref().map(|filter| filter.source().to_owned()).as_ref());
    put_doc(&mut out, doc);
    Value::Object(out)
}
