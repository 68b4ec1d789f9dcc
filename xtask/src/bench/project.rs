//! What is measured of the project server and its commands, beside whom, and which goals of the performance page's
//! first stage that meets. It does not know how a run is measured.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Options;
use super::corpora::Corpus;
use super::measure::{Cost, Run, in_turn, median};
use super::peers::Peers;
use super::server::{Server, Took};
use super::table::{Goal, command_row, commands_head, goals, ratio_text};
use crate::workspace::Workspace;

/// One operation on one corpus, ours and everybody else's.
struct Pair {
    operation: &'static str,
    corpus: &'static str,
    ours: Run,
    peers: Vec<(&'static str, Run)>,
}

/// What the commands cost, for the goals.
#[derive(Default)]
struct Measured {
    rows: Vec<Row>,
}

/// One operation on one corpus, as it was measured.
struct Row {
    operation: &'static str,
    corpus: &'static str,
    ours: Result<Cost, String>,
    peers: Vec<(&'static str, Result<Cost, String>)>,
}

impl Measured {
    fn row(&self, operation: &str, corpus: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.operation == operation && row.corpus == corpus)
    }

    fn ours(&self, operation: &str, corpus: &str) -> Option<Cost> {
        self.row(operation, corpus)?.ours.as_ref().ok().copied()
    }

    fn peer(&self, operation: &str, corpus: &str, peer: &str) -> Option<Cost> {
        let (_, cost) = self.row(operation, corpus)?.peers.iter().find(|(name, _)| *name == peer)?;
        cost.as_ref().ok().copied()
    }

    /// How many times slower this machine is than the one that the goals' absolute times were set on, by what one
    /// search program takes on the same corpus on both.
    fn pace(&self) -> Option<f64> {
        let (operation, corpus, _) = PATTERNS[0];
        self.peer(operation, corpus, "rg").map(|cost| cost.cpu_s / RG_MEDIUM_CPU_S)
    }
}

/// CPU seconds that ripgrep took on the medium corpus where the absolute times of the goals come from.
const RG_MEDIUM_CPU_S: f64 = 0.077;

/// A selective pattern, a common one and one that is a regular expression, for each of the larger corpora.
const PATTERNS: &[(&str, &str, &str)] = &[
    ("search, selective", "medium", "select_for_update"),
    ("search, common", "medium", "import"),
    ("search, expression", "medium", r"\w+Error\(.*%"),
    ("search, selective", "large", "raw_spin_lock_irqsave"),
    ("search, common", "large", "static int"),
    ("search, expression", "large", r"struct \w+_ops = \{"),
];

/// Measures and prints.
pub(crate) fn run(
    workspace: &Workspace,
    options: &Options,
    binary: &Path,
    peers: &Peers,
    corpora: &[Corpus],
) -> Result<(), String> {
    let scratch = workspace.path(".bench/out");
    std::fs::create_dir_all(&scratch).map_err(|error| format!(".bench/out: {error}"))?;
    let wanted = |operation: &str, corpus: &str| {
        let name = format!("{operation} {corpus}");
        options.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
    };
    print!("{}", commands_head());
    let mut measured = Measured::default();
    for pair in pairs(binary, peers, corpora, &scratch) {
        if !wanted(pair.operation, pair.corpus) {
            continue;
        }
        let sides: Vec<&Run> =
            std::iter::once(&pair.ours).chain(pair.peers.iter().map(|(_, run)| run)).collect();
        let mut costs = in_turn(&sides, options.runs).into_iter();
        let ours = costs.next().unwrap_or(Err("not run".to_owned()));
        let peers: Vec<_> = pair.peers.iter().map(|(name, _)| *name).zip(costs).collect();
        for (peer, cost) in &peers {
            print!("{}", command_row(pair.operation, pair.corpus, &ours, peer, cost));
        }
        if peers.is_empty() {
            print!("{}", command_row(pair.operation, pair.corpus, &ours, "none", &Err(String::new())));
        }
        measured.rows.push(Row { operation: pair.operation, corpus: pair.corpus, ours, peers });
    }
    let pace = measured.pace();
    match pace {
        Some(pace) => {
            println!("\nrg takes {pace:.2} times what it took where the goals were set; so may we.")
        }
        None => {
            println!("\nrg was not measured, so absolute times are held against the goals as they stand.")
        }
    }
    let pace = pace.unwrap_or(1.0);
    let mut all = command_goals(&measured, corpora, pace);
    if wanted("server", "") {
        all.extend(server_goals(options, binary, peers, corpora, workspace, pace)?);
    }
    print!("{}", goals(&all));
    std::fs::remove_dir_all(&scratch).map_err(|error| format!(".bench/out: {error}"))
}

fn pairs(binary: &Path, peers: &Peers, corpora: &[Corpus], scratch: &Path) -> Vec<Pair> {
    let words = |line: &[&str]| line.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let ours = |arguments: &[&str], tree: &str| {
        let mut command = vec![binary.display().to_string()];
        command.extend(words(arguments));
        command.push(tree.to_owned());
        Run::new(scratch, command)
    };
    let mut pairs = Vec::new();
    for corpus in corpora {
        let tree = corpus.path.display().to_string();
        let out = |name: &str| scratch.join(format!("{name}-{}", corpus.name));
        let peer = |name: &'static str, arguments: &[&str]| {
            let mut command = peers.found.get(name)?.command.clone();
            command.extend(words(arguments));
            Some(Run::new(scratch, command))
        };
        let floor = |to: &Path| {
            let script = "cd \"$1\" && git ls-files -z | xargs -0 cat --";
            Run::new(scratch, words(&["bash", "-c", script, "bash", &tree])).to(to)
        };
        let large = corpus.name == "large";

        for (operation, format) in [("pack markdown", "markdown"), ("pack xml", "xml"), ("pack json", "json")]
        {
            let mut others = vec![("git ls-files + cat", Some(floor(&out("floor"))))];
            let style = if format == "markdown" { "markdown" } else { format };
            if !large {
                let file = out("repomix").display().to_string();
                for name in ["repomix", "repomix (newer)"] {
                    let arguments = [&tree, "--quiet", "--style", style, "--output", &file];
                    others.push((name, peer(name, &arguments)));
                }
            }
            if format == "markdown" {
                let file = out("peer").display().to_string();
                if !large {
                    others.push(("gitingest", peer("gitingest", &[&tree, "--output", &file])));
                    let quiet = ["--no-clipboard", "--output-file", &file, &tree];
                    others.push(("code2prompt", peer("code2prompt", &quiet)));
                }
                others.push(("files-to-prompt", peer("files-to-prompt", &[&tree, "--output", &file])));
                others.push((
                    "yek",
                    peer("yek", &["--json", "--tokens", "100000000", &tree]).map(|run| run.to(&out("yek"))),
                ));
            }
            let run = ours(&["pack", "--format", format], &tree).to(&out("ours"));
            pairs.push(pair(operation, corpus.name, run, others));
        }
        if !large {
            let file = out("repomix").display().to_string();
            let compress = peer("repomix", &[&tree, "--quiet", "--compress", "--output", &file]);
            let run = ours(&["pack", "--detail", "signatures"], &tree).to(&out("ours"));
            pairs.push(pair("pack signatures", corpus.name, run, vec![("repomix --compress", compress)]));
        }

        let listing = peer("git", &["-C", &tree, "ls-files"]);
        let walk = peer("rg", &["--no-config", "--files", &tree]);
        let others = vec![("git ls-files", listing), ("rg --files", walk)];
        pairs.push(pair("tree", corpus.name, ours(&["tree"], &tree), others));

        let others = vec![("git ls-files + cat", Some(floor(Path::new("/dev/null"))))];
        pairs.push(pair("analyze", corpus.name, ours(&["analyze"], &tree), others));

        for (operation, _, pattern) in PATTERNS.iter().filter(|(_, on, _)| *on == corpus.name) {
            // Nothing found is an answer, with a code of its own.
            let rg = peer("rg", &["--no-config", "--ignore-case", "--line-number", pattern, &tree]);
            let run = ours(&["search", "--context", "0", "--max-results", "200", pattern], &tree);
            pairs.push(pair(
                operation,
                corpus.name,
                run.accepting(&[0, 1]),
                vec![("rg", rg.map(|rg| rg.accepting(&[0, 1])))],
            ));
        }
    }
    pairs
}

fn pair(
    operation: &'static str,
    corpus: &'static str,
    ours: Run,
    peers: Vec<(&'static str, Option<Run>)>,
) -> Pair {
    let peers = peers.into_iter().filter_map(|(name, run)| run.map(|run| (name, run))).collect();
    Pair { operation, corpus, ours, peers }
}

fn command_goals(measured: &Measured, corpora: &[Corpus], pace: f64) -> Vec<Goal> {
    let mut all = Vec::new();
    let mut ratio = |operation: &str, corpus: &str, peer: &str, bound: f64| {
        let ours = measured.ours(operation, corpus);
        let theirs = measured.peer(operation, corpus, peer);
        let value = ours.zip(theirs).map(|(ours, theirs)| ours.cpu_s / theirs.cpu_s);
        all.push(Goal {
            what: format!("{operation}, {corpus}"),
            bound: format!("at most {} of {peer}, CPU", ratio_text(bound)),
            measured: value.map(ratio_text).unwrap_or_default(),
            reached: value.map(|value| value <= bound),
        });
    };
    ratio("pack markdown", "medium", "repomix", 1.0 / 20.0);
    ratio("pack xml", "medium", "repomix", 1.0 / 20.0);
    ratio("pack json", "medium", "repomix", 1.0 / 50.0);
    ratio("pack signatures", "medium", "repomix --compress", 1.0 / 4.0);
    for (operation, corpus, _) in PATTERNS {
        ratio(operation, corpus, "rg", 4.0);
    }
    ratio("analyze", "medium", "git ls-files + cat", 6.0);

    let mut bounded = |what: &str, bound: String, value: Option<f64>, unit: &str, holds: bool| {
        all.push(Goal {
            what: what.to_owned(),
            bound,
            measured: value.map(|value| format!("{value:.1} {unit}")).unwrap_or_default(),
            reached: value.map(|_| holds),
        });
    };
    let large = measured.ours("pack markdown", "large");
    let at_most = |value: Option<f64>, most: f64| value.is_some_and(|value| value <= most);
    let peak = large.map(|cost| cost.peak_mib);
    let said = "finishes, at most 512 MiB".to_owned();
    bounded("pack markdown, large", said, peak, "MiB", at_most(peak, 512.0));
    let peak = measured.ours("pack markdown", "medium").map(|cost| cost.peak_mib);
    bounded("pack markdown, medium", "at most 256 MiB".to_owned(), peak, "MiB", at_most(peak, 256.0));
    let rate = |corpus: &str| {
        let bytes = corpora.iter().find(|known| known.name == corpus)?.bytes as f64;
        measured.ours("pack markdown", corpus).map(|cost| bytes / 1e6 / cost.cpu_s)
    };
    for (corpus, what) in
        [("medium", "redaction with its I/O, medium"), ("large", "redaction with its I/O, large")]
    {
        let least = 150.0 / pace;
        let holds = rate(corpus).is_some_and(|rate| rate >= least);
        bounded(what, format!("at least 150 MB a CPU s, here {least:.0}"), rate(corpus), "MB/s", holds);
    }
    let growth = rate("medium").zip(rate("large")).map(|(medium, large)| medium / large);
    let said = "linear: at most 1.5 x the CPU a byte".to_owned();
    bounded("pack markdown, large to medium", said, growth, "x", at_most(growth, 1.5));
    let tree = measured.ours("tree", "large").map(|cost| cost.wall_s * 1000.0);
    let most = 1000.0 * pace;
    let said = format!("at most 1000 ms wall, here {most:.0}");
    bounded("tree, large, first in a process", said, tree, "ms", at_most(tree, most));
    all
}

/// The file whose page is measured: a source of 107 KB.
const PAGE: &str = "django/db/models/query.py";

fn server_goals(
    options: &Options,
    binary: &Path,
    peers: &Peers,
    corpora: &[Corpus],
    workspace: &Workspace,
    pace: f64,
) -> Result<Vec<Goal>, String> {
    let path = |name: &str| -> Result<PathBuf, String> {
        corpora
            .iter()
            .find(|corpus| corpus.name == name)
            .map(|corpus| corpus.path.clone())
            .ok_or(format!("no {name}"))
    };
    let (medium, large) = (path("medium")?, path("large")?);
    let folder = workspace.path(".bench");
    let ours = |tree: &Path| {
        let [binary, tree] = [binary, tree].map(|path| path.display().to_string());
        vec![binary, "mcp".to_owned(), "--root".to_owned(), tree]
    };
    let command = ours(&medium);
    let mut starts = Vec::new();
    let mut trees = Vec::new();
    let mut large_trees = Vec::new();
    let mut idle = Vec::new();
    for _ in 0..options.runs {
        let (mut server, took) = Server::start(&command, &folder)?;
        starts.push(took);
        server.list_tools()?;
        idle.push(server.memory_mib("VmRSS"));
        let (tree, _) = server.call("get_tree", json!({}))?;
        trees.push(Took { wall: took.wall + tree.wall, cpu: tree.cpu });
        let (mut server, took) = Server::start(&ours(&large), &folder)?;
        let (tree, _) = server.call("get_tree", json!({}))?;
        large_trees.push(Took { wall: took.wall + tree.wall, cpu: tree.cpu });
    }
    let (mut server, _) = Server::start(&command, &folder)?;
    let mut repeat = |tool: &str, arguments: Value| -> Result<Vec<Took>, String> {
        server.call(tool, arguments.clone())?;
        (0..options.runs.max(5)).map(|_| server.call(tool, arguments.clone()).map(|(took, _)| took)).collect()
    };
    let search = repeat("search_project", json!({"pattern": "select_for_update"}))?;
    let common = repeat("search_project", json!({"pattern": "import", "max_results": 200}))?;
    let page = repeat("get_file", json!({"path": PAGE, "end_line": 1000}))?;
    server.call("pack_context", json!({"format": "markdown"}))?;
    let peak_medium = server.memory_mib("VmHWM");
    let (mut server, _) = Server::start(&ours(&large), &folder)?;
    // A pack of the whole tree is over the store's quota, so this also shows what a refusal costs.
    let refused = server.call("pack_context", json!({"format": "markdown"})).is_err();
    let peak_large = server.memory_mib("VmHWM");

    let wall = |took: &[Took]| median(took.iter().map(|took| took.wall.as_secs_f64() * 1000.0));
    let cpu = |took: &[Took]| median(took.iter().map(|took| took.cpu.as_secs_f64() * 1000.0));
    println!("\n## Server\n\n| call | wall ms | CPU ms |\n|---|---:|---:|");
    for (name, took) in [
        ("start to `initialize` answered", &starts),
        ("start to the first tree, medium", &trees),
        ("start to the first tree, large", &large_trees),
        ("search, selective, warm, medium", &search),
        ("search, common, warm, medium", &common),
        ("get_file, one page of 107 KB", &page),
    ] {
        println!("| {name} | {:.2} | {:.2} |", wall(took), cpu(took));
    }
    peer_servers(options, peers, &medium, &folder);
    let quota = if refused { "refused" } else { "stored" };
    println!("\nPack of large over the wire: {quota}, peak {peak_large:.0} MiB.");

    let goal = |what: &str, bound: String, measured: f64, unit: &str, most: f64| Goal {
        what: what.to_owned(),
        bound,
        measured: format!("{measured:.2} {unit}"),
        reached: Some(measured <= most),
    };
    let time = |what: &str, most_ms: f64, measured: f64| {
        let most = most_ms * pace;
        goal(what, format!("at most {most_ms} ms wall, here {most:.0}"), measured, "ms", most)
    };
    let memory = |what: &str, most: f64, measured: f64| {
        goal(what, format!("at most {most} MiB"), measured, "MiB", most)
    };
    Ok(vec![
        time("start to `initialize` answered", 50.0, wall(&starts)),
        time("start to the first tree, medium", 200.0, wall(&trees)),
        time("start to the first tree, large", 1000.0, wall(&large_trees)),
        time("search in a warm session, medium", 150.0, wall(&search).max(wall(&common))),
        time("get_file, one page of 107 KB", 3.0, wall(&page)),
        memory("memory, idle", 40.0, median(idle.into_iter())),
        memory("memory, medium packed", 256.0, peak_medium),
        memory("memory, large packed", 512.0, peak_large),
    ])
}

/// The same for whichever other servers are installed.
fn peer_servers(options: &Options, peers: &Peers, medium: &Path, folder: &Path) {
    let tree = medium.display().to_string();
    let page = medium.join(PAGE).display().to_string();
    let asked: [(&str, &[&str], &str, Value); 2] = [
        ("server-filesystem", &[&tree], "read_text_file", json!({"path": page})),
        ("mcp-ripgrep", &[], "search", json!({"pattern": "select_for_update", "path": tree})),
    ];
    for (name, arguments, tool, call) in asked {
        let Some(peer) = peers.found.get(name) else { continue };
        let mut command = peer.command.clone();
        command.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let measured = (0..options.runs).map(|_| {
            let (mut server, start) = Server::start(&command, folder)?;
            server.call(tool, call.clone())?;
            let (called, _) = server.call(tool, call.clone())?;
            Ok((start, called))
        });
        match measured.collect::<Result<Vec<(Took, Took)>, String>>() {
            Ok(took) => {
                let wall = |pick: fn(&(Took, Took)) -> Took| {
                    median(took.iter().map(|took| pick(took).wall.as_secs_f64() * 1e3))
                };
                let cpu = |pick: fn(&(Took, Took)) -> Took| {
                    median(took.iter().map(|took| pick(took).cpu.as_secs_f64() * 1e3))
                };
                println!("| {name}: start to `initialize` | {:.2} | {:.2} |", wall(|t| t.0), cpu(|t| t.0));
                println!("| {name}: {tool}, warm | {:.2} | {:.2} |", wall(|t| t.1), cpu(|t| t.1));
            }
            Err(said) => println!("| {name}: {} | | |", said.replace('|', "/")),
        }
    }
}
