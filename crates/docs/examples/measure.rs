//! What a project costs: loading, a look without change, an edited file, queries. `cargo xtask bench docs` makes the
//! projects, runs this in a release build and puts the figures beside their budgets.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it edits a file of a made project and prints"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use docs::{
    BUDGET, Change, Checked, ContextRequest, EdgeScope, Filter, FilterScope, ImpactRequest, LookUp, NodeIx,
    ProjectRoot, ProjectService, Query, SearchScope, Snapshot,
};
use fault::Unwatched;
use nix::sys::resource::{Usage, UsageWho, getrusage};

/// Runs of each small call.
const RUNS: usize = 200;
/// Edits of one file.
const EDITS: u32 = 8;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().expect("a project folder");
    let edited = arguments.next();
    let started = Instant::now();
    let root_path = Path::new(&root);
    let project = ProjectRoot::open(root_path).expect("a folder");
    let service = ProjectService::load(project, &Unwatched).expect("nothing stops it");
    let Some(snapshot) = service.snapshot() else {
        let refresh = service.refresh(Checked::Stat, &Unwatched).expect("nothing stops it");
        panic!("{:#?}", refresh.problems);
    };
    say("load cpu s", cpu_s());
    search(&snapshot, "load");
    say("cold cpu s", cpu_s());
    say("cold wall s", started.elapsed().as_secs_f64());
    say("peak mib", peak_mib());
    say("nodes", snapshot.nodes().len() as f64);
    say("edges", snapshot.edges().len() as f64);
    say("findings", snapshot.diagnostics().len() as f64);
    let Some(edited) = edited else { return };
    looks(&service);
    edit(&service, &root_path.join(edited));
    queries(&service.snapshot().expect("loaded before"));
}

/// Looks at a project that did not change.
fn looks(service: &ProjectService) {
    timed("warm p95 ms", |_| {
        service.refresh(Checked::Stat, &Unwatched).expect("nothing stops it").snapshot.is_some()
    });
}

/// Edits one file, looks, and searches in what is there now.
fn edit(service: &ProjectService, path: &Path) {
    let before = std::fs::read_to_string(path).expect("a source file");
    let mut took = Vec::new();
    let began = cpu_s();
    for round in 0..EDITS {
        let text = format!("{before}\nAn edit marker{round}.\n");
        std::fs::write(path, text).expect("writable");
        let started = Instant::now();
        let refresh = service.refresh(Checked::Stat, &Unwatched).expect("nothing stops it");
        let fresh = started.elapsed().as_secs_f64() * 1000.0;
        let snapshot = refresh.snapshot.expect("loaded before");
        let found = search(&snapshot, &format!("marker{round}"));
        assert_eq!(found, 1, "the edit is found");
        took.push((fresh, started.elapsed().as_secs_f64() * 1000.0));
    }
    std::fs::write(path, before).expect("writable");
    say("edited and searched mean cpu ms", (cpu_s() - began) * 1000.0 / f64::from(EDITS));
    say("edited ms", p95(took.iter().map(|(fresh, _)| *fresh).collect()));
    say("edited and searched ms", p95(took.iter().map(|(_, both)| *both).collect()));
    service.refresh(Checked::Stat, &Unwatched).expect("nothing stops it");
}

fn queries(snapshot: &Snapshot) {
    search(snapshot, "load");
    let ids: Vec<&str> = snapshot.nodes().iter().map(|node| node.id.as_str()).collect();
    timed("get_node p95 ms", |run| {
        let id = ids[run * 7919 % ids.len()];
        matches!(snapshot.look_up(id), LookUp::Found(_))
    });
    let body: Vec<&str> =
        snapshot.nodes()[ids.len() / 2].body.split_whitespace().filter(|word| word.len() > 5).collect();
    let [one, two, other, ..] = &body[..] else { panic!("a body of words") };
    let words = [
        (*one).to_owned(),
        format!("{one} {two}"),
        format!("\"{one} {two}\""),
        format!("{}*", &other[..4]),
        format!("{one} | {two} -{other}"),
        ids[ids.len() / 3].to_owned(),
        format!("{}* {other}", &two[..2]),
    ];
    timed("search p95 ms", |run| search(snapshot, &words[run % words.len()]) > 0);
    let filters = [
        format!("title ~ '{one}'"),
        "count(in.links) >= 3".to_owned(),
        "any(out.links where count(in.links) > 2)".to_owned(),
        format!("body ~ '{two}'"),
    ];
    let scope = FilterScope::of(snapshot.contract());
    timed("filter p95 ms", |run| {
        let filter = Filter::parse(&filters[run % filters.len()], &scope).expect("a filter");
        !filter.select(snapshot).expect("within the limit").is_empty()
    });
    let hub = snapshot.indices().max_by_key(|node| snapshot.inbound(*node).count()).unwrap_or(NodeIx(0));
    timed("backlinks p95 ms", |_| {
        snapshot.inbound(hub).take(50).map(|edge| snapshot.node(edge.from).id.len()).sum::<usize>() > 0
    });
    let nodes = snapshot.nodes().len() as u32;
    // Every tenth call is about the hub.
    let some = |run: usize| if run.is_multiple_of(10) { hub } else { NodeIx(run as u32 * 7919 % nodes) };
    timed("impact p95 ms", |run| {
        let scope = EdgeScope { relations: None, mentions: true };
        let request = ImpactRequest { change: Change::Content, scope, depth: 5 };
        snapshot.impact(&[some(run)], &request, None).other_breaks == 0
    });
    timed("dependencies p95 ms", |run| {
        let scope = EdgeScope { relations: None, mentions: true };
        snapshot.dependencies(some(run), &scope, 3, 100).nodes.len() <= 100
    });
    timed("neighbourhood p95 ms", |run| {
        let start = if run.is_multiple_of(2) { hub } else { some(run) };
        let request = ContextRequest { start, budget_tokens: BUDGET, query: None, relations: None, depth: 3 };
        snapshot.context(&request).is_ok()
    });
}

fn search(snapshot: &Snapshot, text: &str) -> usize {
    let query = Query::parse(text).expect("a query");
    let hits = snapshot.search(&query, SearchScope::default()).expect("within the limit");
    hits.iter().take(20).for_each(|hit| drop(black_box(snapshot.snippet(hit.node, &query))));
    hits.len()
}

fn timed(what: &str, mut call: impl FnMut(usize) -> bool) {
    let before = cpu_s();
    let took = (0..RUNS).map(|run| {
        let started = Instant::now();
        black_box(call(run));
        started.elapsed().as_secs_f64() * 1000.0
    });
    let took = took.collect();
    // On a machine that has other work, what a call costs is told by its time on a processor.
    say(&what.replace("p95 ms", "mean cpu ms"), (cpu_s() - before) * 1000.0 / RUNS as f64);
    say(what, p95(took));
}

fn p95(mut took: Vec<f64>) -> f64 {
    took.sort_by(f64::total_cmp);
    took[(took.len() * 95 / 100).min(took.len() - 1)]
}

fn usage() -> Usage {
    getrusage(UsageWho::RUSAGE_SELF).expect("a process can ask about itself")
}

fn cpu_s() -> f64 {
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage().user_time()) + seconds(usage().system_time())
}

fn peak_mib() -> f64 {
    usage().max_rss() as f64 / 1024.0
}

fn say(what: &str, value: f64) {
    println!("{what}\t{value}");
}
