//! A project service that does what a test's script says.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use fault::{Code, Failure, Fault, Notice, Outcome, Phase, Text, Watch};
use mcp::ProjectService;
use project::answer::{Analysis, PackAnswer, Payload, ProjectEntry, TopFile};
use project::request::{
    AnalyzeRequest, Detail, FileRequest, PackRequest, ReadPackRequest, SearchRequest, TreeRequest,
};
use tokio::sync::mpsc;

/// What a blocking call waits for.
#[derive(Clone, Default)]
pub(crate) struct Latch(Arc<(Mutex<bool>, Condvar)>);

impl Latch {
    pub(crate) fn open(&self) {
        *self.0.0.lock().expect("latch") = true;
        self.0.1.notify_all();
    }

    fn is_open(&self) -> bool {
        *self.0.0.lock().expect("latch")
    }

    /// Waits until it is open or the call was taken back.
    fn wait(&self, watch: &dyn Watch) -> Result<(), Failure> {
        let mut open = self.0.0.lock().expect("latch");
        while !*open {
            watch.check()?;
            open = self.0.1.wait_timeout(open, Duration::from_millis(1)).expect("latch").0;
        }
        Ok(())
    }

    /// As [`Latch::wait`], for surfaces without failures.
    pub(crate) fn wait_for(&self, watch: &dyn Watch) -> Result<(), ()> {
        self.wait(watch).map_err(drop)
    }

    /// Waits until it is open, whatever the watch says.
    fn insist(&self) {
        let mut open = self.0.0.lock().expect("latch");
        while !*open {
            open = self.0.1.wait(open).expect("latch");
        }
    }
}

/// What a script can see and steer from outside.
#[derive(Clone)]
pub(crate) struct Stage {
    /// Opened by the test to let blocked calls go on.
    pub(crate) latch: Latch,
    /// Requests as they arrived, in order.
    pub(crate) seen: Arc<Mutex<Vec<String>>>,
    /// Page lengths as they were set.
    pub(crate) page_chars: Arc<Mutex<Vec<usize>>>,
    /// How often the service was closed.
    pub(crate) closed: Arc<Mutex<usize>>,
}

impl Stage {
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("seen").clone()
    }
}

/// The scripted service. The `project` argument is the script: `block`, `insist`, `panic`, `fault`, `secret`, `long`,
/// `many`, `stored`, `big`, `report`; anything else answers at once.
pub(crate) struct Fake {
    stage: Stage,
    started: mpsc::UnboundedSender<String>,
}

impl Fake {
    pub(crate) fn new() -> (Fake, Stage, mpsc::UnboundedReceiver<String>) {
        let (started, starts) = mpsc::unbounded_channel();
        let stage = Stage {
            latch: Latch::default(),
            seen: Arc::default(),
            page_chars: Arc::default(),
            closed: Arc::default(),
        };
        (Fake { stage: stage.clone(), started }, stage, starts)
    }

    pub(crate) fn plain() -> Fake {
        Fake::new().0
    }

    fn play(
        &self,
        request: &impl std::fmt::Debug,
        project: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<(), Failure> {
        self.stage.seen.lock().expect("seen").push(format!("{request:?}"));
        let _ = self.started.send(project.unwrap_or_default().to_owned());
        match project {
            Some(script) if script.starts_with("block") => self.stage.latch.wait(watch),
            Some("insist") => {
                self.stage.latch.insist();
                Ok(())
            }
            Some("panic") => panic!("a line of the project that nobody may see"),
            Some("fault") => Err(fault("nothing here", None)),
            Some("secret") => Err(fault("cannot use ", Some("https://bot:hunter2@git.internal/x.git"))),
            Some("long") => {
                let mut text = Text::default();
                for _ in 0..2_000 {
                    text = text.and("äöü€ ");
                }
                Err(Failure::Fault(Fault::new(Code::OperationFailed, text)))
            }
            Some("unasked cancel") => Err(Failure::Cancelled),
            _ => Ok(()),
        }
    }
}

fn fault(literal: &'static str, argument: Option<&str>) -> Failure {
    let mut text = Text::new(literal);
    if let Some(argument) = argument {
        text = text.argument(argument);
    }
    Failure::Fault(Fault::new(Code::UnknownProject, text))
}

fn notice(code: Code, literal: &'static str) -> Notice {
    Notice::new(code, Text::new(literal))
}

fn notices(project: Option<&str>) -> Vec<Notice> {
    match project {
        Some("noticed") => vec![
            notice(Code::PayloadTruncated, "1 selected file could not be inspected"),
            notice(Code::ProjectPartialAccess, "2 folders could not be read"),
            notice(Code::GitStateDeleted, "3 paths are gone"),
        ],
        _ => Vec::new(),
    }
}

fn page(text: &str) -> Payload {
    Payload {
        text: text.to_owned(),
        trailers: vec!["[Showing lines 1-2 of 9; continue with start_line 3]".to_owned()],
    }
}

impl ProjectService for Fake {
    fn list_projects(&self) -> Result<Vec<ProjectEntry>, Failure> {
        self.stage.seen.lock().expect("seen").push("list".to_owned());
        let entry = |path: &str, name: &str, is_git, has_local_profile| ProjectEntry {
            path: PathBuf::from(path),
            name: name.to_owned(),
            is_git,
            has_local_profile,
        };
        Ok(vec![entry("/srv/demo", "demo", true, true), entry("/srv/plain", "plain", false, false)])
    }

    fn tree(&self, request: &TreeRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        let project = request.target.project.as_deref();
        self.play(request, project, watch)?;
        let value = Payload {
            text: "Root: /srv/demo\n\n- a.rs".to_owned(),
            trailers: vec!["[Tree truncated at 2000 lines]".to_owned()],
        };
        Ok(Outcome { value, notices: notices(project) })
    }

    fn analyze(&self, request: &AnalyzeRequest, watch: &dyn Watch) -> Result<Outcome<Analysis>, Failure> {
        let project = request.target.project.as_deref();
        watch.step(Phase::Selecting, 0, 0);
        self.play(request, project, watch)?;
        watch.step(Phase::Scanned, 2, 2);
        watch.step(Phase::Transforming, 2, 2);
        watch.step(Phase::Analyzing, 2, 2);
        let top = |path: &str, tokens, uninspected| TopFile { path: path.to_owned(), tokens, uninspected };
        let value = Analysis {
            files: 3,
            characters: 41,
            tokens: 12,
            detail: Detail::Compact,
            top_files: vec![top("b.rs", 9, false), top("a \"quoted\".rs", 3, true)],
            uninspected: u64::from(project == Some("noticed")),
        };
        Ok(Outcome { value, notices: notices(project) })
    }

    fn pack(&self, request: &PackRequest, watch: &dyn Watch) -> Result<Outcome<PackAnswer>, Failure> {
        let project = request.target.project.as_deref();
        self.play(request, project, watch)?;
        watch.step(Phase::Scanned, 7, 7);
        let stored = |preview: String, report: Option<String>| PackAnswer::Stored {
            id: "0123456789abcdef".to_owned(),
            characters: 123_456,
            lines: 789,
            preview,
            is_preview_cut: false,
            is_report_cut: report.is_some(),
            report,
            uninspected: 2,
        };
        let value = match project {
            Some("stored") => stored("/srv/demo:\n└── a.rs".to_owned(), None),
            Some("big") => stored("├── ünïcode.rs\n".repeat(4_000), Some(["report line"; 600].join("\n"))),
            Some("wide") => stored("x".repeat(60_000), None),
            Some("many") => {
                let notices = (0..100)
                    .map(|_| {
                        notice(Code::ProjectPartialAccess, "one of very many notices that nobody can read")
                    })
                    .collect();
                return Ok(Outcome { value: stored("tree".to_owned(), None), notices });
            }
            Some("report") => PackAnswer::Inline {
                document: "{\"a\": 1}".to_owned(),
                report: Some("Budget: 5 tokens".to_owned()),
                uninspected: 0,
            },
            _ => PackAnswer::Inline {
                document: "# demo\n\ncontent".to_owned(),
                report: None,
                uninspected: u64::from(project == Some("noticed")),
            },
        };
        Ok(Outcome { value, notices: notices(project) })
    }

    fn read_pack(&self, request: &ReadPackRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        self.play(request, Some(&request.pack_id), watch)?;
        Ok(page("one\ntwo"))
    }

    fn search(&self, request: &SearchRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        let project = request.target.project.as_deref();
        self.play(request, project, watch)?;
        let value = Payload {
            text: "a.rs:1:x".to_owned(),
            trailers: vec!["[3 more matching lines not shown]".to_owned()],
        };
        Ok(Outcome { value, notices: notices(project) })
    }

    fn file(&self, request: &FileRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        self.play(request, request.target.project.as_deref(), watch)?;
        Ok(page("one\ntwo"))
    }

    fn set_page_chars(&self, page_chars: usize) {
        self.stage.page_chars.lock().expect("pages").push(page_chars);
    }

    fn close(&self) {
        *self.stage.closed.lock().expect("closed") += 1;
    }
}

impl std::fmt::Debug for Latch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Latch({})", self.is_open())
    }
}
