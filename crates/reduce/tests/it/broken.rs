//! Files with defects: only what is sound is edited.

use crate::{compact, signatures, unchanged};

#[test]
fn a_root_item_that_holds_an_error_stays_byte_identical() {
    signatures(
        "a.rs",
        "// a\n\nfn a() { b() } // c\n\nfn d() { // e\n\n    let = ;\n}\n\nfn f() { g() }\n",
        "fn a() { }\nfn d() { // e\n\n    let = ;\n}\nfn f() { }\n",
    );
    signatures(
        "a.java",
        "class A { int f() { return 1; } /* c */\n\n int g( { } }\n",
        "class A { int f() { return 1; } /* c */\n\n int g( { } }\n",
    );
}

#[test]
fn a_text_that_is_one_error_stays_unchanged() {
    for path in
        ["a.c", "a.cc", "a.cs", "a.java", "a.js", "a.kt", "a.php", "a.py", "a.rb", "a.rs", "a.scala", "a.ts"]
    {
        unchanged(path, "}}}} // c\n<<<< (((( /* d */ \"\n");
    }
}

#[test]
fn a_comment_beside_an_error_is_removed_and_the_error_stays() {
    compact(
        "a.js",
        "// a\nlet b = 1;\n\nlet c = = 1; // d\n\nlet e = 1; // f\n",
        "let b = 1;\nlet c = = 1;\nlet e = 1;\n",
    );
}
