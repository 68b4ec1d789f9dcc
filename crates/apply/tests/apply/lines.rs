//! P36 on drawn documents: whatever comments, quotes, line ends and blank lines a file has, a change touches the lines that it
//! is about and no other byte.

use propose::*;
use serde_json::{Value, json};
use testkit::Tree;

use crate::bench::{Office, documents, fill};

/// Nodes of one changeset.
const NODES: usize = 20;
const SEEDS: u64 = 10;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.below(items.len() as u64)).expect("small");
        items[at]
    }
}

/// What is proposed for one document, and what its file may differ in.
struct Change {
    request: UpdateRequest,
    /// Lines that go and lines that come.
    gone: usize,
    came: usize,
    /// What the new line holds.
    holds: String,
}

struct Drawn {
    id: String,
    text: String,
    has_owner: bool,
    /// Whether the relations stand one a line.
    is_block: Option<bool>,
    body_lines: usize,
}

fn draw(dice: &mut Dice, number: usize) -> Drawn {
    let id = format!("REQ-{}", 1000 + number);
    let mut lines = vec!["---".to_owned()];
    let comment = |dice: &mut Dice, lines: &mut Vec<String>| match dice.below(5) {
        0 => lines.push("# a line of its own".to_owned()),
        1 => lines.push("#".to_owned()),
        _ => {}
    };
    comment(dice, &mut lines);
    let title = dice.of(&["title: Old", "title: 'Old'", "title: \"Old\"", "title:    Old"]);
    let status = dice.of(&["status: draft", "status: 'draft'", "\"status\": draft"]);
    let behind = |dice: &mut Dice| dice.of(&["", "", " # behind", "   # 'quoted' behind"]).to_owned();
    let mut keys = vec![format!("id: {id}"), "type: req".to_owned(), title.to_owned(), status.to_owned()];
    let has_owner = dice.below(2) == 0;
    if has_owner {
        keys.push(dice.of(&["owner: Ann", "owner:   \"Ann\"", "owner: 'Ann'"]).to_owned());
    }
    // Any order of the keys.
    for at in (1..keys.len()).rev() {
        let other = usize::try_from(dice.below(at as u64 + 1)).expect("small");
        keys.swap(at, other);
    }
    for key in keys {
        lines.push(key + &behind(dice));
        comment(dice, &mut lines);
    }
    let is_block = match dice.below(3) {
        0 => None,
        1 => {
            lines.push("needs: [REQ-2, REQ-1]".to_owned() + &behind(dice));
            Some(false)
        }
        _ => {
            lines.push("needs:".to_owned());
            lines.push("  - REQ-2".to_owned() + &behind(dice));
            comment(dice, &mut lines);
            lines.push("  - REQ-1".to_owned() + &behind(dice));
            Some(true)
        }
    };
    comment(dice, &mut lines);
    lines.push("---".to_owned());
    let body_lines = usize::try_from(dice.below(6)).expect("small");
    for line in 0..body_lines {
        lines.push(format!("{}word-{line} of the text", dice.of(&["", "  ", "- ", "> ", "\t"])));
        if dice.below(3) == 0 {
            lines.push(String::new());
        }
    }
    let ends = dice.below(3);
    let mut text = dice.of(&["", "", "", "\u{FEFF}"]).to_owned();
    let last = lines.len() - 1;
    let is_open = dice.below(4) == 0;
    for (at, line) in lines.iter().enumerate() {
        text.push_str(line);
        if at == last && is_open && body_lines > 0 && !line.is_empty() {
            break;
        }
        text.push_str(match ends {
            0 => "\n",
            1 => "\r\n",
            _ => dice.of(&["\n", "\r\n"]),
        });
    }
    Drawn { id, text, has_owner, is_block, body_lines }
}

fn propose_one(dice: &mut Dice, office: &Office, drawn: &Drawn) -> Change {
    let change = office.change(&drawn.id);
    let fields = |value: Value| value.as_object().expect("an object").clone();
    let of = |request, gone, came, holds: &str| Change { request, gone, came, holds: holds.to_owned() };
    match dice.below(7) {
        0 => of(UpdateRequest { title: Some("New: it #is".to_owned()), ..change }, 1, 1, "New: it #is"),
        1 => {
            of(UpdateRequest { fields: fields(json!({ "status": "approved" })), ..change }, 1, 1, "approved")
        }
        2 => {
            let gone = usize::from(drawn.has_owner);
            of(UpdateRequest { fields: fields(json!({ "owner": "Eve" })), ..change }, gone, 1, "Eve")
        }
        3 if drawn.has_owner => of(UpdateRequest { unset: vec!["owner".to_owned()], ..change }, 1, 0, ""),
        4 => {
            let link =
                LinkDraft { relation: "needs".to_owned(), to: "REQ-3".to_owned(), pin: None, note: None };
            let gone = usize::from(drawn.is_block == Some(false));
            of(UpdateRequest { add: vec![link], ..change }, gone, 1, "REQ-3")
        }
        5 if drawn.is_block.is_some() => {
            let came = usize::from(drawn.is_block == Some(false));
            let remove = vec![("needs".to_owned(), dice.of(&["REQ-1", "REQ-2"]).to_owned())];
            of(UpdateRequest { remove, ..change }, 1, came, "REQ-")
        }
        _ if drawn.body_lines > 0 => {
            let line = dice.below(drawn.body_lines as u64);
            let edit = Edit {
                find: format!("word-{line} of"),
                replace: format!("phrase-{line} in"),
                occurrence: None,
            };
            let body = Some(BodyEdit::Edits(vec![edit]));
            of(UpdateRequest { body, ..change }, 1, 1, &format!("phrase-{line} in the text"))
        }
        _ => of(UpdateRequest { body: Some(BodyEdit::Replace("Now.\n".to_owned())), ..change }, 0, 1, "Now."),
    }
}

/// The end of a line, and the remark in front of it.
fn ends(line: &str) -> (&str, &str) {
    let text = line.trim_end_matches(['\r', '\n']);
    let remark = if line.starts_with("word") { "" } else { text.find(" # ").map_or("", |at| &text[at..]) };
    (remark.trim_start(), &line[text.len()..])
}

fn check(drawn: &Drawn, change: &Change, now: &str) {
    let told = || format!("{}\n{:?}\n{:?}\n{:?}", drawn.id, change.request, drawn.text, now);
    let (old, new): (Vec<&str>, Vec<&str>) =
        (drawn.text.split_inclusive('\n').collect(), now.split_inclusive('\n').collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest =
        old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (gone, came) = (&old[same..old.len() - rest], &new[same..new.len() - rest]);
    assert_eq!((gone.len(), came.len()), (change.gone, change.came), "{}", told());
    if let [line] = came {
        assert!(line.contains(&change.holds), "{}", told());
        if let [before] = gone {
            assert_eq!(ends(before), ends(line), "{}", told());
        }
    }
    assert_eq!(now.starts_with('\u{FEFF}'), drawn.text.starts_with('\u{FEFF}'), "{}", told());
}

#[test]
fn p36_whatever_a_file_looks_like_only_the_proposed_lines_change() {
    for seed in 0..SEEDS {
        let mut dice = Dice(seed);
        let tree = Tree::of_many("");
        fill(&tree);
        let drawn: Vec<Drawn> = (0..NODES).map(|number| draw(&mut dice, number)).collect();
        for one in &drawn {
            tree.file(&format!("docs/{}.md", one.id), &one.text);
        }
        let before = documents(&tree.root());
        let office = Office::open(&tree.root());
        let id = office.changeset().expect("made");
        let mut changes = Vec::new();
        for one in &drawn {
            let change = propose_one(&mut dice, &office, one);
            let proposed = office.update(&id, change.request.clone());
            assert!(proposed.is_ok(), "{proposed:?} {:?} {:?}", change.request, one.text);
            changes.push(change);
        }
        office.apply(&id).expect("applied");
        let mut after = documents(&tree.root());
        for (one, change) in drawn.iter().zip(&changes) {
            let now = after.remove(&format!("docs/{}.md", one.id)).expect("there");
            check(one, change, std::str::from_utf8(&now).expect("UTF-8"));
        }
        assert!(after.iter().all(|(path, bytes)| before[path] == *bytes), "nothing else was touched");
    }
}
