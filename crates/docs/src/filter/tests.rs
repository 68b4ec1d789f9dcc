//! The filter language against a second evaluation that tries everything on a graph that is drawn at random.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::contract::load;
use crate::hash::Hash;
use crate::model::{Edge, EdgeIx, EdgeKind, Field, Link, Node, State};
use crate::tree::Span;
use crate::value::Value;

const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "f"
title = "F"
[types.a.fields.status]
type = "enum"
values = ["open", "done", "in review"]
[types.a.fields.priority]
type = "integer"
[types.a.fields.share]
type = "number"
[types.a.fields.due]
type = "date"
[types.a.fields.at]
type = "datetime"
[types.a.fields.ready]
type = "boolean"
[types.a.fields.tags]
type = "string"
list = true
[types.a.fields.owner]
type = "string"
[types.a.fields.extra]
type = "json"
[types.a.fields.state]
type = "string"
[types.b.fields.priority]
type = "integer"
[relations.needs]
from = ["*"]
to = ["*"]
inverse = "needed_by"
[relations.proves]
from = ["*"]
to = ["*"]
inverse = "proved_by"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["**/*.md"]
"#;

#[derive(Clone, Debug, Default)]
struct Drawn {
    type_name: &'static str,
    title: String,
    fields: Vec<(&'static str, Value)>,
    /// Relation and target; a target past the end dangles.
    links: Vec<(usize, usize)>,
    state: State,
}

fn snapshot_of(drawn: &[Drawn]) -> Snapshot {
    let contract = Arc::new(load(MANIFEST).expect("valid"));
    let mut snapshot = Snapshot {
        files: Vec::new(),
        nodes: Vec::new(),
        by_id: HashMap::new(),
        by_alias: HashMap::new(),
        ambiguous: std::collections::BTreeMap::new(),
        edges: Vec::new(),
        out: vec![Vec::new(); drawn.len()],
        inbound: vec![Vec::new(); drawn.len()],
        dangling: Vec::new(),
        diagnostics: Vec::new(),
        adapter_version: String::new(),
        revision: String::new(),
        source_hash: Hash::of(&[]),
        snapshot_id: String::new(),
        contract,
        text: crate::snapshot::TextIndex::default(),
    };
    let ix = |at: usize| NodeIx(u32::try_from(at).expect("small"));
    for (at, one) in drawn.iter().enumerate() {
        let id = format!("N-{at:04}");
        snapshot.by_id.insert(id.clone(), ix(at));
        let links = one.links.iter().map(|(relation, to)| Link {
            relation: snapshot.contract.relations[*relation].name.clone(),
            to: format!("N-{to:04}"),
            is_resolved: *to < drawn.len(),
            pin: None,
            note: None,
            span: Span::default(),
        });
        let mut fields: Vec<Field> = one
            .fields
            .iter()
            .map(|(name, value)| Field { name: (*name).to_owned(), value: value.clone(), is_hashed: true })
            .collect();
        fields.sort_by(|left, right| left.name.cmp(&right.name));
        snapshot.nodes.push(Node {
            id,
            type_name: one.type_name.to_owned(),
            title: one.title.clone(),
            aliases: Vec::new(),
            fields,
            links: links.collect(),
            body: String::new(),
            headings: Vec::new(),
            external: Vec::new(),
            path: format!("docs/{at}.md"),
            source: "main".to_owned(),
            ordinal: 0,
            span: Span::default(),
            stamp: None,
            review: None,
            body_span: Span::default(),
            hash: Hash::of(&[]),
            state: one.state,
        });
        for (relation, to) in one.links.iter().filter(|(_, to)| *to < drawn.len()) {
            snapshot.edges.push(Edge {
                from: ix(at),
                to: ix(*to),
                relation: u32::try_from(*relation).expect("small"),
                kind: EdgeKind::Relation,
                pin: None,
                suspect: None,
                note: None,
            });
        }
        // A mention beside each relation counts for nothing.
        snapshot.edges.push(Edge {
            from: ix(at),
            to: ix(0),
            relation: 0,
            kind: EdgeKind::Mention,
            pin: None,
            suspect: None,
            note: None,
        });
    }
    let key = |edge: &Edge, far: NodeIx| (edge.relation, edge.kind, far);
    for (at, edge) in snapshot.edges.iter().enumerate() {
        let at = EdgeIx(u32::try_from(at).expect("small"));
        snapshot.out[edge.from.0 as usize].push(at);
        snapshot.inbound[edge.to.0 as usize].push(at);
    }
    let edges = &snapshot.edges;
    for list in &mut snapshot.out {
        list.sort_by_key(|at| key(&edges[at.0 as usize], edges[at.0 as usize].to));
    }
    for list in &mut snapshot.inbound {
        list.sort_by_key(|at| key(&edges[at.0 as usize], edges[at.0 as usize].from));
    }
    snapshot
}

fn scope() -> FilterScope {
    FilterScope::of(&load(MANIFEST).expect("valid"))
}

/// The second evaluation: questions with their own text and their own meaning.
#[derive(Clone, Debug)]
enum Question {
    Or(Box<Question>, Box<Question>),
    And(Box<Question>, Box<Question>),
    Not(Box<Question>),
    Type(&'static str),
    Priority(&'static str, i64),
    Status(&'static str, &'static str),
    Owner(&'static str, &'static str),
    Ready(bool),
    Tag(&'static str),
    IsSet(&'static str, bool),
    State(&'static str),
    Quantified(&'static str, bool, usize, Option<Box<Question>>),
    Count(bool, usize, Option<Box<Question>>, &'static str, u64),
    Reaches(bool, usize, usize, Option<u32>),
}

const RELATIONS: [&str; 2] = ["needs", "proves"];

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |is_out: &bool| if *is_out { "out" } else { "in" };
        let condition = |inner: &Option<Box<Question>>| {
            inner.as_ref().map_or(String::new(), |one| format!(" where {one}"))
        };
        match self {
            Question::Or(left, right) => write!(f, "({left} or {right})"),
            Question::And(left, right) => write!(f, "({left} and {right})"),
            Question::Not(one) => write!(f, "not ({one})"),
            Question::Type(name) => write!(f, "type = {name}"),
            Question::Priority(op, number) => write!(f, "priority {op} {number}"),
            Question::Status(op, value) => write!(f, "status {op} '{value}'"),
            Question::Owner(op, value) => write!(f, "owner {op} \"{value}\""),
            Question::Ready(truth) => write!(f, "ready = {truth}"),
            Question::Tag(tag) => write!(f, "tags has {tag}"),
            Question::IsSet(name, set) => write!(f, "{name} is {}", if *set { "set" } else { "unset" }),
            Question::State(word) => write!(f, "state = {word}"),
            Question::Quantified(word, is_out, relation, inner) => {
                write!(f, "{word}({}.{}{})", side(is_out), RELATIONS[*relation], condition(inner))
            }
            Question::Count(is_out, relation, inner, op, number) => {
                write!(
                    f,
                    "count({}.{}{}) {op} {number}",
                    side(is_out),
                    RELATIONS[*relation],
                    condition(inner)
                )
            }
            Question::Reaches(is_out, relation, target, depth) => {
                write!(f, "reaches({}.{}, N-{target:04}", side(is_out), RELATIONS[*relation])?;
                match depth {
                    Some(depth) => write!(f, ", depth <= {depth})"),
                    None => write!(f, ")"),
                }
            }
        }
    }
}

fn op_holds<T: Ord>(left: &T, op: &str, right: &T) -> bool {
    match op {
        "=" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        _ => unreachable!("an ordering"),
    }
}

impl Question {
    fn far(drawn: &[Drawn], at: usize, is_out: bool, relation: usize) -> Vec<usize> {
        if is_out {
            drawn[at].links.iter().filter(|(one, _)| *one == relation).map(|(_, to)| *to).collect()
        } else {
            let all = drawn
                .iter()
                .enumerate()
                .flat_map(|(from, one)| one.links.iter().map(move |link| (from, *link)));
            all.filter(|(_, link)| *link == (relation, at)).map(|(from, _)| from).collect()
        }
    }

    fn holds(&self, drawn: &[Drawn], at: usize) -> bool {
        let field =
            |name: &str| drawn[at].fields.iter().find(|(one, _)| *one == name).map(|(_, value)| value);
        let text = |name: &str| match field(name) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        // What does not exist meets nothing.
        let meets = |inner: &Option<Box<Question>>, far: usize| match inner {
            Some(inner) => far < drawn.len() && inner.holds(drawn, far),
            None => true,
        };
        match self {
            Question::Or(left, right) => left.holds(drawn, at) || right.holds(drawn, at),
            Question::And(left, right) => left.holds(drawn, at) && right.holds(drawn, at),
            Question::Not(one) => !one.holds(drawn, at),
            Question::Type(name) => drawn[at].type_name == *name,
            Question::Priority(op, number) => match field("priority") {
                Some(Value::Integer(value)) => op_holds(value, op, number),
                _ => *op == "!=",
            },
            Question::Status(op, value) | Question::Owner(op, value) => {
                let name = if matches!(self, Question::Status(..)) { "status" } else { "owner" };
                match (text(name), *op) {
                    (None, op) => op == "!=",
                    (Some(text), "~") => text.to_lowercase().contains(&value.to_lowercase()),
                    (Some(text), "^=") => text.find(value) == Some(0),
                    (Some(text), "$=") => {
                        text.len() >= value.len() && text[text.len() - value.len()..] == **value
                    }
                    (Some(text), op) => op_holds(&text, op, &(*value).to_owned()),
                }
            }
            Question::Ready(truth) => field("ready") == Some(&Value::Boolean(*truth)),
            Question::Tag(tag) => match field("tags") {
                Some(Value::List(items)) => items.contains(&Value::Text((*tag).to_owned())),
                _ => false,
            },
            Question::IsSet(name, set) => {
                let is_set =
                    if *name == "title" { !drawn[at].title.is_empty() } else { field(name).is_some() };
                is_set == *set
            }
            Question::State(word) => {
                let state = drawn[at].state;
                match *word {
                    "error" => state.error,
                    "suspect" => state.suspect,
                    "orphan" => state.orphan,
                    _ => !(state.error || state.warn || state.suspect),
                }
            }
            Question::Quantified(word, is_out, relation, inner) => {
                let far = Question::far(drawn, at, *is_out, *relation);
                match *word {
                    "any" => far.iter().any(|far| meets(inner, *far)),
                    "none" => !far.iter().any(|far| meets(inner, *far)),
                    _ => far.iter().all(|far| meets(inner, *far)),
                }
            }
            Question::Count(is_out, relation, inner, op, number) => {
                let far = Question::far(drawn, at, *is_out, *relation);
                let count = far.iter().filter(|far| meets(inner, **far)).count();
                op_holds(&u64::try_from(count).expect("small"), op, number)
            }
            Question::Reaches(is_out, relation, target, depth) => {
                let most = depth.map_or(drawn.len() + 1, |depth| usize::try_from(depth).expect("small"));
                let mut here = vec![at];
                for _ in 0..most.min(drawn.len() + 1) {
                    here = here
                        .iter()
                        .flat_map(|one| Question::far(drawn, *one, *is_out, *relation))
                        .filter(|far| *far < drawn.len())
                        .collect();
                    here.sort_unstable();
                    here.dedup();
                    if here.contains(target) {
                        return true;
                    }
                }
                false
            }
        }
    }
}

fn any_question() -> impl Strategy<Value = Question> {
    let order = || prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let depth = prop::option::of(0_u32..4);
    let leaf = prop_oneof![
        prop::sample::select(vec!["a", "b"]).prop_map(Question::Type),
        (order(), -1_i64..4).prop_map(|(op, number)| Question::Priority(op, number)),
        (prop::sample::select(vec!["=", "!="]), prop::sample::select(vec!["open", "done", "in review"]))
            .prop_map(|(op, value)| Question::Status(op, value)),
        (
            prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">=", "~", "^=", "$="]),
            prop::sample::select(vec!["Ann", "ann", "n", "Ünal", "ü", "a-b c", ""])
        )
            .prop_map(|(op, value)| Question::Owner(op, value)),
        any::<bool>().prop_map(Question::Ready),
        prop::sample::select(vec!["x", "y"]).prop_map(Question::Tag),
        (prop::sample::select(vec!["owner", "tags", "title", "extra", "priority"]), any::<bool>())
            .prop_map(|(name, set)| Question::IsSet(name, set)),
        prop::sample::select(vec!["error", "clean", "suspect", "orphan"]).prop_map(Question::State),
        (any::<bool>(), 0_usize..2, 0_usize..9, depth)
            .prop_map(|(is_out, relation, target, depth)| Question::Reaches(is_out, relation, target, depth)),
    ];
    leaf.prop_recursive(3, 12, 2, move |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let inside = || prop::option::of(boxed());
        prop_oneof![
            (boxed(), boxed()).prop_map(|(left, right)| Question::Or(left, right)),
            (boxed(), boxed()).prop_map(|(left, right)| Question::And(left, right)),
            boxed().prop_map(Question::Not),
            (prop::sample::select(vec!["any", "all", "none"]), any::<bool>(), 0_usize..2, inside()).prop_map(
                |(word, is_out, relation, inner)| Question::Quantified(word, is_out, relation, inner)
            ),
            (any::<bool>(), 0_usize..2, inside(), order(), 0_u64..3).prop_map(
                |(is_out, relation, inner, op, number)| Question::Count(is_out, relation, inner, op, number)
            ),
        ]
    })
}

fn any_node() -> impl Strategy<Value = Drawn> {
    let text = |values: Vec<&'static str>| {
        prop::option::of(prop::sample::select(values).prop_map(|one| Value::Text(one.to_owned())))
    };
    let tags = prop::option::of(prop::collection::vec(
        prop::sample::select(vec!["x", "y", "z"]).prop_map(|one| Value::Text(one.to_owned())),
        0..3,
    ));
    (
        prop::sample::select(vec!["a", "b"]),
        prop::sample::select(vec!["", "Title"]),
        prop::option::of((-1_i64..4).prop_map(Value::Integer)),
        text(vec!["open", "done", "in review"]),
        text(vec!["Ann", "ann", "ANNA", "Ünal", "ünal", "a-b c", "~"]),
        prop::option::of(any::<bool>().prop_map(Value::Boolean)),
        tags.prop_map(|tags| tags.map(Value::List)),
        prop::collection::vec((0_usize..2, 0_usize..9), 0..4),
        any::<[bool; 4]>(),
    )
        .prop_map(|(type_name, title, priority, status, owner, ready, tags, links, state)| {
            let fields = [
                ("priority", priority),
                ("status", status),
                ("owner", owner),
                ("ready", ready),
                ("tags", tags),
            ];
            Drawn {
                type_name,
                title: title.to_owned(),
                fields: fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
                links,
                state: State { error: state[0], warn: state[1], suspect: state[2], orphan: state[3] },
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn a_filter_agrees_with_trying_everything(
        drawn in prop::collection::vec(any_node(), 1..8),
        question in any_question(),
    ) {
        let text = question.to_string();
        let filter = Filter::parse(&text, &scope());
        prop_assert!(filter.is_ok(), "{} {:?}", text, filter);
        let snapshot = snapshot_of(&drawn);
        let chosen = filter.expect("checked").select(&snapshot).expect("small");
        let expected: Vec<NodeIx> = snapshot.indices().filter(|ix| question.holds(&drawn, ix.0 as usize)).collect();
        prop_assert_eq!(chosen, expected, "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_fall_over(text in "[a-z0-9 ()=<>!~^$'\"\\[\\],.:ß-]{0,60}") {
        let _ = Filter::parse(&text, &scope());
    }

    #[test]
    fn words_of_the_language_in_any_order_are_read_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "any", "all", "count", "(", ")", "out", ".", "needs", "where", "and", "or", "not", "type", "=", "a",
            "owner", "~", "'x'", "reaches", ",", "depth", "<=", "3", "is", "set", "in", "[", "]", "has", "tags",
        ]), 0..20),
    ) {
        let _ = Filter::parse(&words.join(" "), &scope());
    }
}

fn fault(text: &str) -> FilterFault {
    Filter::parse(text, &scope()).expect_err(text)
}

#[track_caller]
fn refused(text: &str, code: FilterProblem, position: usize, near: &[&str]) {
    let fault = fault(text);
    assert_eq!((fault.code, fault.position), (code, position), "{text}: {fault}");
    assert_eq!(fault.near, near, "{text}");
}

#[test]
fn unknown_names_are_refused_with_near_ones() {
    refused("type = a and statsu = open", FilterProblem::FieldUnknown, 14, &["status", "state"]);
    refused("prioritty > 3", FilterProblem::FieldUnknown, 1, &["priority"]);
    refused("type = c", FilterProblem::TypeUnknown, 8, &["a", "b"]);
    refused("source = mian", FilterProblem::TypeError, 10, &["main"]);
    refused("any(out.need)", FilterProblem::RelationUnknown, 9, &["needs"]);
    refused("any(out.needed_by)", FilterProblem::RelationUnknown, 9, &[]);
    refused("field:nope is set", FilterProblem::FieldUnknown, 1, &[]);
}

#[test]
fn operators_and_literals_fit_their_operand() {
    for (text, position) in [
        ("priority ~ 3", 12),
        ("priority = '3'", 12),
        ("priority > high", 12),
        ("priority = 1.5", 12),
        ("share < x", 9),
        ("status < open", 10),
        ("status in [open, dnoe]", 18),
        ("due > 2023-02-29", 7),
        ("at > 2023-02-28", 6),
        ("ready = yes", 9),
        ("ready < true", 9),
        ("tags = x", 8),
        ("extra = x", 9),
        ("owner has x", 1),
        ("title has x", 1),
        ("state < warn", 1),
        ("state = fine", 9),
        ("type < a", 1),
        ("count(out.needs) ~ 1", 17),
    ] {
        refused_type(text, position);
    }
    assert_eq!(fault("status = dnoe").near, ["done"]);
}

#[track_caller]
fn refused_type(text: &str, position: usize) {
    let fault = fault(text);
    assert_eq!((fault.code, fault.position), (FilterProblem::TypeError, position), "{text}: {fault}");
}

#[test]
fn what_is_not_the_language_says_where() {
    for (text, position) in [
        ("", 1),
        ("   ", 4),
        ("type", 5),
        ("type =", 7),
        ("type = a b", 10),
        ("type = a and", 13),
        ("(type = a", 10),
        ("owner = 'x", 9),
        ("owner is empty", 10),
        ("owner in []", 11),
        ("any(needs)", 5),
        ("any(out needs)", 9),
        ("count(out.needs)", 17),
        ("count(out.needs) >= x", 21),
        ("reaches(out.needs)", 18),
        ("reaches(out.needs, N-1, deep <= 3)", 25),
        ("not not type = a", 5),
        ("set = 3", 1),
        ("ß = 3", 1),
        ("field: is set", 1),
    ] {
        let fault = fault(text);
        assert_eq!((fault.code, fault.position), (FilterProblem::Syntax, position), "{text}: {fault}");
    }
}

#[test]
fn the_limits_of_the_language_hold() {
    let tests = |count: usize| vec!["ready = true"; count].join(" or ");
    assert!(Filter::parse(&tests(64), &scope()).is_ok());
    assert_eq!(fault(&tests(70)).code, FilterProblem::TooComplex);
    let nested = |depth: usize| format!("{}ready = true{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Filter::parse(&nested(16), &scope()).is_ok());
    assert_eq!(fault(&nested(20)).code, FilterProblem::TooComplex);
    let quantified =
        |depth: usize| format!("{}ready = true{}", "any(out.needs where ".repeat(depth), ")".repeat(depth));
    assert!(Filter::parse(&quantified(3), &scope()).is_ok());
    assert_eq!(fault(&quantified(4)).code, FilterProblem::TooComplex);
    let long = format!("owner = '{}'", "ü".repeat(4_086));
    assert_eq!(long.chars().count(), 4_096);
    assert!(Filter::parse(&long, &scope()).is_ok());
    assert_eq!(fault(&format!("{long} ")).code, FilterProblem::TooComplex);
    assert!(Filter::parse(&format!("owner ~ '{}'", "ü".repeat(4_086)), &scope()).is_ok());
}

/// The titles of the nodes that meet `text`.
fn chosen(drawn: &[Drawn], text: &str) -> Vec<usize> {
    let filter = Filter::parse(text, &scope()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let snapshot = snapshot_of(drawn);
    filter.select(&snapshot).expect("small").into_iter().map(|ix| ix.0 as usize).collect()
}

fn with(name: &'static str, value: Value) -> Drawn {
    Drawn { type_name: "a", fields: vec![(name, value)], ..Drawn::default() }
}

#[test]
fn typed_values_compare_by_their_meaning() {
    let number = |text: &str| with("share", Value::Number(text.to_owned()));
    let shares = [number("9.5"), number("10"), number("-2"), number("0.25")];
    assert_eq!(chosen(&shares, "share > 9"), [0, 1]);
    assert_eq!(chosen(&shares, "share <= 0.2500"), [2, 3]);
    assert_eq!(chosen(&shares, "share = 1e1"), [1]);
}

#[test]
fn days_and_times_compare_by_their_meaning() {
    let day = |text: &str| with("due", Value::Date(text.to_owned()));
    assert_eq!(chosen(&[day("2024-02-29"), day("2024-03-01")], "due < '2024-03-01'"), [0]);
    let time = |text: &str| with("at", Value::DateTime(text.to_owned()));
    let times = [time("2024-01-01T00:00:00Z"), time("2024-01-01T00:00:00.5Z"), time("2023-12-31T23:00:00Z")];
    assert_eq!(chosen(&times, "at > '2024-01-01T01:00:00+01:00'"), [1]);
    assert_eq!(chosen(&times, "at = 2023-12-31T23:00:00.000Z"), [2]);
}

#[test]
fn words_stand_with_and_without_blanks_and_quotes() {
    let owner = |text: &str| with("owner", Value::Text(text.to_owned()));
    let owners = [owner("it's"), owner("say \"no\""), owner("a/b@c.d:e~f-g_h"), owner("İstanbul")];
    assert_eq!(chosen(&owners, "owner=\"it's\""), [0]);
    assert_eq!(chosen(&owners, "owner = 'say \"no\"'"), [1]);
    assert_eq!(chosen(&owners, "owner=a/b@c.d:e~f-g_h"), [2]);
    assert_eq!(chosen(&owners, "owner~NO"), [1]);
    assert_eq!(chosen(&owners, "owner in [x,\"it's\" , 'a' ]"), [0]);
    assert_eq!(chosen(&owners, "owner ~ 'tanbul'and not(owner is unset)"), [3]);
    assert_eq!(chosen(&owners, "id ^= N-00 and path $= '2.md'"), [2]);
    assert_eq!(chosen(&[with("state", Value::Text("x".to_owned()))], "field:state = x"), [0]);
}

#[test]
fn what_is_nested_over_a_hub_gives_up_soon() {
    let mut drawn = vec![Drawn { type_name: "a", ..Drawn::default() }; 9_000];
    for at in 1..9_000 {
        drawn[at].links = vec![(0, 0)];
        drawn[0].links.push((0, at));
    }
    let snapshot = snapshot_of(&drawn);
    let text = "all(out.needs where all(out.needs where all(out.needs where type = a)))";
    let filter = Filter::parse(text, &scope()).expect("valid");
    assert_eq!(filter.select(&snapshot), Err(TooComplex));
    // One walk answers a question of reach for every node.
    let reach = Filter::parse("reaches(out.needs, N-0007)", &scope()).expect("valid");
    assert_eq!(reach.select(&snapshot).expect("cheap").len(), 9_000);
}

#[test]
fn an_alias_is_reached_like_its_node() {
    let mut snapshot = snapshot_of(&[
        Drawn { type_name: "a", links: vec![(0, 1)], ..Drawn::default() },
        Drawn { type_name: "a", ..Drawn::default() },
    ]);
    snapshot.by_alias.insert("OLD".to_owned(), vec![NodeIx(1)]);
    let filter = Filter::parse("reaches(out.needs, OLD, depth <= 1)", &scope()).expect("valid");
    assert_eq!(filter.select(&snapshot), Ok(vec![NodeIx(0)]));
}
