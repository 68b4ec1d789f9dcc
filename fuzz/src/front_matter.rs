//! `markdown@1`, with one node in a file and with many: reading, and writing what was read.

use std::sync::{Arc, OnceLock};

use docs::{
    Contract, EditFault, FileEdit, NewNode, NodeEdit, canonical, create_file, edit_file, is_id, read_markdown,
};

use super::sample::{MARKDOWN, SECTIONS, contract, read};
use super::text::assert_file;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    static CONTRACTS: OnceLock<[Arc<Contract>; 2]> = OnceLock::new();
    for contract in CONTRACTS.get_or_init(|| [contract(MARKDOWN), contract(SECTIONS)]) {
        let source = &contract.sources[0];
        let parsed = read_markdown(contract, source, "docs/a.md", bytes).parsed;
        match edit_file(contract, source, "docs/a.md", bytes, &[]) {
            Ok(Some(same)) => assert_eq!(same, bytes, "no change changes nothing"),
            Ok(None) => panic!("no change removes nothing"),
            Err(fault) => assert_eq!(fault, EditFault::Unreadable),
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            assert!(parsed.is_quarantined);
            continue;
        };
        assert_file(contract, "docs/a.md", text, read);
        for node in &parsed.nodes {
            let nothing = FileEdit::Change { id: node.id.clone(), edit: NodeEdit::default() };
            if let Ok(same) = edit_file(contract, source, "docs/a.md", bytes, &[nothing]) {
                assert_eq!(same.as_deref(), Some(bytes), "no change of a node changes nothing");
            }
            if !is_id(&node.id, contract.ids.charset) {
                continue;
            }
            let new = NewNode {
                id: node.id.clone(),
                type_name: "test".to_owned(),
                title: node.title.clone(),
                keys: Vec::new(),
                body: if source.options.sections { String::new() } else { node.body.clone() },
            };
            let written = create_file(contract, source, &new).expect("the source can be written");
            let back = read_markdown(contract, source, "docs/b.md", &written).parsed;
            let [back] = back.nodes.as_slice() else { panic!("{}", String::from_utf8_lossy(&written)) };
            assert_eq!((&back.id, &back.title), (&node.id, &node.title));
            assert_eq!(back.type_name.as_deref(), Some("test"));
            assert_eq!(canonical(&back.body), new.body);
        }
    }
}
