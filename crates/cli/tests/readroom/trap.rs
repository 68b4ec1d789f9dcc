//! The trapped repository: every way that is known for a repository to make git start a program names a canary of its
//! own. Readroom sets off none of them, and plain git, in the same test, sets off each.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use testkit::{Client, Era, Session, Tree};

use super::BINARY;

/// One route: its name, the configuration that names the canary (`@` is its path, `%` the folder of the traps), and a
/// plain git command that sets it off, with what it reads. A route without a command is planted all the same: this git
/// is too old for it, or it takes more than one command.
struct Route {
    name: &'static str,
    config: &'static str,
    control: &'static [&'static str],
    input: &'static str,
}

const fn route(name: &'static str, config: &'static str, control: &'static [&'static str]) -> Route {
    Route { name, config, control, input: "" }
}

const ROUTES: &[Route] = &[
    route("fsmonitor", "core.fsmonitor=@", &["status"]),
    route("hooks-path", "core.hooksPath=%/hooks", &[]),
    route("hook-post-index-change", "", &["update-index", "--force-write-index", "--refresh", "-q"]),
    route("hook-pre-commit", "", &["commit", "--allow-empty", "-m", "x"]),
    route("hook-prepare-commit-msg", "", &["commit", "--allow-empty", "-m", "x"]),
    route("hook-commit-msg", "", &["commit", "--allow-empty", "-m", "x"]),
    route("hook-post-commit", "", &["commit", "--allow-empty", "-m", "x"]),
    route("hook-post-checkout", "", &["checkout", "-q", "-b", "other"]),
    route("hook-reference-transaction", "", &["update-ref", "refs/heads/n", "HEAD"]),
    route("hook-pre-push", "", &["push", "-q", "pushed", "HEAD:refs/heads/x"]),
    route("hook-post-merge", "", &[]),
    route("clean-in-tree", "filter.tree.clean=@", &["add", "in-tree.f1"]),
    route("clean-in-info", "filter.info.clean=@", &["add", "in-info.f2"]),
    route(
        "clean-in-attributes-file",
        "filter.file.clean=@;core.attributesFile=%/attributes",
        &["add", "in-file.f3"],
    ),
    route("clean-in-folder", "filter.folder.clean=@", &["add", "folder/in-folder.f4"]),
    route("smudge", "filter.smudged.smudge=@", &["checkout", "-f", "HEAD", "--", "smudged.f5"]),
    route("process", "filter.processed.process=@", &["add", "processed.f6"]),
    route("textconv", "diff.converted.textconv=@", &["log", "-p", "-1", "--", "converted.t1"]),
    route("textconv-blame", "diff.blamed.textconv=@", &["blame", "blamed.t3"]),
    route("diff-command", "diff.commanded.command=@", &["diff", "HEAD~1", "HEAD", "--", "commanded.t2"]),
    route("diff-external", "diff.external=@", &["diff", "HEAD~1", "HEAD", "--", "plain.txt"]),
    route("pager", "core.pager=@", &["grep", "-O", "two"]),
    route("alias", "alias.trap=!@", &["trap"]),
    route("ssh", "core.sshCommand=@", &["ls-remote", "ssh://trap.invalid/x"]),
    Route {
        name: "credential-helper",
        config: "credential.helper=!@",
        control: &["credential", "fill"],
        input: "protocol=https\nhost=trap.invalid\n\n",
    },
    Route {
        name: "credential-helper-of-url",
        config: "credential.https://url.invalid.helper=!@",
        control: &["credential", "fill"],
        input: "protocol=https\nhost=url.invalid\n\n",
    },
    Route {
        name: "askpass",
        config: "core.askPass=@",
        control: &["credential", "fill"],
        input: "protocol=https\nhost=ask.invalid\n\n",
    },
    route("gpg", "gpg.program=@", &["commit", "--allow-empty", "-S", "-m", "x"]),
    route(
        "gpg-ssh",
        "gpg.ssh.program=@;user.signingKey=%/key",
        &["-c", "gpg.format=ssh", "commit", "--allow-empty", "-S", "-m", "x"],
    ),
    route(
        "gpg-x509",
        "gpg.x509.program=@",
        &["-c", "gpg.format=x509", "commit", "--allow-empty", "-S", "-m", "x"],
    ),
    route("included", "include.path=%/included", &["commit", "--allow-empty"]),
    route("included-if", "includeIf.gitdir:**.path=%/included-if", &["included"]),
    route("merge-driver", "merge.driven.driver=@", &[]),
    route("difftool", "difftool.trap.cmd=@", &["difftool", "-y", "-t", "trap", "HEAD~1", "HEAD"]),
    route("archive", "tar.trapped.command=@", &["archive", "--format=trapped", "HEAD"]),
    route("uploadpack", "remote.up.uploadpack=@;remote.up.url=%/bare", &["ls-remote", "up"]),
    route(
        "receivepack",
        "remote.down.receivepack=@;remote.down.url=%/bare",
        &["push", "-q", "down", "HEAD:refs/heads/y"],
    ),
    route(
        "ext-transport",
        "protocol.ext.allow=always;url.ext::@ .insteadOf=trapped:",
        &["ls-remote", "trapped:x"],
    ),
    route("git-proxy", "core.gitProxy=@", &["ls-remote", "git://trap.invalid/x"]),
    Route {
        name: "trailer-command",
        config: "trailer.one.key=One;trailer.one.command=@",
        control: &["interpret-trailers", "--trailer", "one=x"],
        input: "subject\n\nbody\n",
    },
    Route {
        name: "trailer-cmd",
        config: "trailer.two.key=Two;trailer.two.cmd=@",
        control: &["interpret-trailers", "--trailer", "two=x"],
        input: "subject\n\nbody\n",
    },
    route("browser", "browser.trap.cmd=@", &["web--browse", "--browser=trap", "https://trap.invalid/"]),
    route("man", "man.trap.cmd=@", &["-c", "man.viewer=trap", "help", "-m", "status"]),
    Route { name: "diff-filter", config: "interactive.diffFilter=@", control: &[], input: "q\n" },
    route("imap-tunnel", "imap.tunnel=@;imap.folder=x", &[]),
    route("recent-objects", "gc.recentObjectsHook=@", &[]),
    route(
        "submodule-update",
        "submodule.mod.update=!@",
        &["submodule", "--quiet", "update", "--force", "mod"],
    ),
    route("module-fsmonitor", "", &["-C", "mod", "status"]),
    route("module-clean", "", &["-C", "mod", "add", "m.f7"]),
    route("config-hook", "hook.trap.command=@;hook.trap.event=post-index-change", &[]),
];

/// The repository, the traps beside it, and the folder where a canary that ran leaves its name.
struct Trap {
    tree: Tree,
    traps: PathBuf,
    fired: PathBuf,
}

impl Trap {
    fn set() -> Trap {
        let tree = Tree::new("");
        let traps = tree.scratch().join("traps");
        let fired = tree.scratch().join("fired");
        for folder in [&traps, &traps.join("hooks"), &fired] {
            std::fs::create_dir(folder).expect("new");
        }
        let trap = Trap { tree, traps, fired };
        trap.fill();
        trap
    }

    fn canary(&self, place: &Path, name: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let script = format!("#!/bin/sh\n: > '{}/{name}'\nexit 0\n", self.fired.display());
        std::fs::write(place, script).expect("written");
        std::fs::set_permissions(place, std::fs::Permissions::from_mode(0o755)).expect("set");
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.traps.join(name), text).expect("written");
    }

    fn fill(&self) {
        let tree = &self.tree;
        tree.add("modsrc/m.f7: m\nmodsrc/.gitattributes: *.f7 filter=inner");
        tree.git_in("modsrc", &["init", "--quiet", "--initial-branch=main"]);
        tree.git_in("modsrc", &["add", "-A"]);
        tree.git_in("modsrc", &["commit", "--quiet", "-m", "x"]);
        tree.rename("modsrc", "../modsrc");
        tree.add(
            "in-tree.f1: one\nin-info.f2: one\nin-file.f3: one\nfolder/in-folder.f4: one\nsmudged.f5: one\nprocessed.f6: one\n\
             converted.t1: one\ncommanded.t2: one\nblamed.t3: one\nplain.txt: one\nmerged.mg: base\n\
             folder/.gitattributes: *.f4 filter=folder\n\
             .gitattributes: *.f1 filter=tree\\n*.f5 filter=smudged\\n*.f6 filter=processed\\n*.t1 diff=converted\\n*.t2 diff=commanded\\n*.t3 diff=blamed\\n*.mg merge=driven\\n",
        );
        tree.git(&["init", "--quiet", "--initial-branch=main"]);
        let source = tree.scratch().join("modsrc").display().to_string();
        tree.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            "--name",
            "mod",
            &source,
            "mod",
        ]);
        tree.commit("one");
        tree.git(&["checkout", "--quiet", "-b", "side"]);
        tree.file("merged.mg", "side").commit("side");
        tree.git(&["checkout", "--quiet", "main"]);
        for name in ["converted.t1", "commanded.t2", "plain.txt", "blamed.t3"] {
            tree.file(name, "two");
        }
        tree.file("merged.mg", "main").commit("two");
        self.write("attributes", "*.f3 filter=file\n");
        self.write("key", "ssh-ed25519 AAAA trap\n");
        tree.file(".git/info/attributes", "*.f2 filter=info\n");
        let bare = self.traps.join("bare").display().to_string();
        tree.git(&["init", "--quiet", "--bare", &bare]);
        let mut config = String::new();
        for route in ROUTES {
            let canary = self.traps.join(route.name);
            self.canary(&canary, route.name);
            if let Some(hook) = route.name.strip_prefix("hook-") {
                self.canary(&self.traps.join("hooks").join(hook), route.name);
            }
            for line in route.config.split(';').filter(|line| !line.is_empty()) {
                let (key, value) = line.split_once('=').expect("a key and a value");
                let fill = |text: &str| {
                    text.replace('@', &canary.display().to_string())
                        .replace('%', &self.traps.display().to_string())
                };
                let (section, rest) = key.split_once('.').expect("a section");
                match rest.rsplit_once('.') {
                    Some((sub, key)) => {
                        config.push_str(&format!(
                            "[{section} \"{}\"]\n\t{key} = \"{}\"\n",
                            fill(sub),
                            fill(value)
                        ));
                    }
                    None => config.push_str(&format!("[{section}]\n\t{rest} = \"{}\"\n", fill(value))),
                }
            }
        }
        config.push_str(&format!(
            "[remote \"pushed\"]\n\turl = {bare}\n[user]\n\tname = t\n\temail = t@example.invalid\n"
        ));
        // An included file is no program: what it names is.
        for (name, key) in [("included", "[core]\n\teditor = "), ("included-if", "[alias]\n\tincluded = !")] {
            self.canary(&self.traps.join(format!("{name}.sh")), name);
            self.write(name, &format!("{key}{}.sh\n", self.traps.join(name).display()));
        }
        tree.append(".git/config", config.as_bytes());
        let inner = format!(
            "[core]\n\tfsmonitor = {0}/module-fsmonitor\n[filter \"inner\"]\n\tclean = {0}/module-clean\n",
            self.traps.display()
        );
        tree.append(".git/modules/mod/config", inner.as_bytes());
        // Everything is dirty, so that git has to look at content.
        for name in [
            "in-tree.f1",
            "in-info.f2",
            "in-file.f3",
            "folder/in-folder.f4",
            "smudged.f5",
            "processed.f6",
            "plain.txt",
            "mod/m.f7",
        ] {
            tree.append(name, b"more");
        }
        tree.add("untracked.txt: u");
    }

    fn fired(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.fired).expect("readable");
        let mut names: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Every file of the repository's own folder with its bytes and times.
    fn git_folder(&self) -> BTreeMap<PathBuf, (Vec<u8>, i64, i64)> {
        let mut found = BTreeMap::new();
        let mut ahead = vec![self.tree.path(".git")];
        while let Some(folder) = ahead.pop() {
            for entry in std::fs::read_dir(folder).expect("readable").flatten() {
                let stat = entry.metadata().expect("there");
                if stat.is_dir() {
                    ahead.push(entry.path());
                }
                let bytes =
                    if stat.is_file() { std::fs::read(entry.path()).expect("readable") } else { Vec::new() };
                found.insert(entry.path(), (bytes, stat.mtime(), stat.mtime_nsec()));
            }
        }
        found
    }
}

/// The folders that hold a git, each once.
fn gits() -> Vec<String> {
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for folder in std::env::var("PATH").unwrap_or_default().split(':') {
        if let Ok(physical) = std::fs::canonicalize(Path::new(folder).join("git"))
            && found.iter().all(|(known, _)| *known != physical)
        {
            found.push((physical, folder.to_owned()));
        }
    }
    found.into_iter().map(|(_, folder)| folder).collect()
}

#[test]
fn no_tool_and_no_scope_sets_off_a_trap_that_plain_git_sets_off() {
    let trap = Trap::set();
    let before = trap.git_folder();
    let root = trap.tree.root();
    for (at, git) in gits().into_iter().enumerate() {
        // The baseline changes nothing of what git is asked, so each is tried with one git.
        let modes: &[&str] = if at == 0 { &["gitignore", "none"] } else { &["tracked"] };
        for mode in modes {
            let client = Client::start_with(
                Path::new(BINARY),
                &["mcp".as_ref(), "--git-mode".as_ref(), mode.as_ref(), "--root".as_ref(), root.as_os_str()],
                &trap.tree.home(),
                |command| command.env("PATH", format!("{git}:/usr/bin:/bin")),
            );
            let mut session = Session::open(client, Era::Legacy("2025-11-25"));
            let mut ask = |tool: &str, arguments: Value| {
                let answer = session.call(tool, arguments);
                assert!(!answer.is_error(), "{tool} in {mode}: {}", answer.text());
                answer.all_text()
            };
            ask("list_projects", json!({}));
            ask("get_file", json!({ "path": "plain.txt" }));
            for narrowing in [
                json!({}),
                json!({ "tracked_only": true }),
                json!({ "git_scope": "staged" }),
                json!({ "git_scope": "changes" }),
                json!({ "git_scope": "diff:HEAD~1..side" }),
                json!({ "git_scope": "changes", "tracked_only": true }),
            ] {
                for tool in ["get_tree", "analyze", "pack_context", "search_project"] {
                    let mut arguments = narrowing.clone();
                    if tool == "search_project" {
                        arguments["pattern"] = json!("more");
                    }
                    let text = ask(tool, arguments);
                    if narrowing == json!({ "git_scope": "changes" }) && tool == "get_tree" {
                        for name in ["in-tree.f1", "in-info.f2", "m.f7", "processed.f6"] {
                            assert!(text.contains(name), "{name} is changed: {text}");
                        }
                    }
                }
            }
            session.finish();
        }
        assert_eq!(trap.fired(), [""; 0], "with the git in {git}");
        assert!(trap.git_folder() == before, "the repository's own folder is as it was");
    }
    control(&trap);
}

/// Each route is set off by the plain command that stands with it, in a copy of the repository.
fn control(trap: &Trap) {
    let mut silent = Vec::new();
    let mut checked = 0;
    for route in ROUTES.iter().filter(|route| !route.control.is_empty()) {
        checked += 1;
        let copy = trap.tree.scratch().join("copy");
        let _ = std::fs::remove_dir_all(&copy);
        let copied =
            Command::new("cp").arg("-a").arg(trap.tree.root()).arg(&copy).status().expect("cp is there");
        assert!(copied.success());
        // The pointer of the submodule is relative, so the copy is a repository of its own. Whatever hangs is ended.
        let _ = std::fs::remove_file(trap.fired.join(route.name));
        let mut child = Command::new("timeout")
            .args(["10", "git"])
            .args(route.control)
            .current_dir(&copy)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", trap.tree.home())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("git is installed");
        let mut input = child.stdin.take().expect("piped");
        let _ = std::io::Write::write_all(&mut input, route.input.as_bytes());
        drop(input);
        let _ = child.wait();
        if !trap.fired.join(route.name).exists() {
            silent.push(route.name);
        }
    }
    assert_eq!(silent, [""; 0], "plain git sets off every trap");
    assert!(checked >= 30, "{checked} routes are checked");
}
