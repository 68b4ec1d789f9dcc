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
fn what_holds_an_item_with_an_error_stays_byte_identical() {
    for (path, text) in [
        ("a.cc", "namespace a {\n// one\nint one() { return 1; }\n\nint two() { return = ; }\n}\n"),
        ("a.rs", "impl A {\n    // one\n    fn one() { 1 }\n\n    fn two() { let = ; }\n}\n"),
        (
            "a.py",
            "class A:\n    # one\n    def one(self):\n        return 1\n\n    def two(self):\n        return = 2\n",
        ),
    ] {
        unchanged(path, text);
    }
}

#[test]
fn an_error_in_the_frame_of_a_header_leaves_the_other_items_alone() {
    signatures(
        "a.h",
        "#ifndef A_H\n#define A_H\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n// one\nstatic inline int one(void) { return 1; }\n// two\n\nstatic int two(void) { return = ; }\n#ifdef __cplusplus\n}\n#endif\n#endif\n",
        "#ifndef A_H\n#define A_H\n#ifdef __cplusplus\nextern \"C\" {\n#endif\nstatic inline int one(void) { }\nstatic int two(void) { return = ; }\n#ifdef __cplusplus\n}\n#endif\n#endif\n",
    );
}

#[test]
fn a_class_behind_a_macro_is_no_function() {
    signatures(
        "a.cc",
        "class EXPORT A {\n public:\n  // says\n  void b();\n  int c() { return 1; }\n};\n\nint& d() { return e; }\nint* const* f(int) { return e; }\n",
        "class EXPORT A {\n public:\n  void b();\n  int c() { }\n};\nint& d() { }\nint* const* f(int) { }\n",
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

#[test]
fn a_form_that_a_grammar_does_not_know_stays_as_it_is() {
    for (path, form) in [
        ("a.c", "#define A(x) \\\n    do { /* b */ \\\n        c(x); \\\n    } while (0)\n"),
        ("a.cc", "struct A {\n    int b(int c = {}) { /* d */ return c; }\n};\n"),
        ("a.css", "a { background: url(data:image/png;base64,//8=); /* b */ }\n"),
        ("a.jsonc", "[1, /* two */ 2, -3.5e+7]\n"),
        ("a.kt", "class A { fun b() { c() /* d */ } }\n"),
        ("a.sql", "CREATE TABLE a (\n  b text DEFAULT 1 NOT NULL -- c\n);\n"),
        ("a.ts", "interface A<in out T> { b: T; /* c */ }\n"),
    ] {
        unchanged(path, form);
    }
}
