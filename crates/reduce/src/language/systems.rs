//! Rows of languages that are compiled to machine code.

use super::{Body, Entry, Syntax};

const C_DECLARATIONS: &[&str] = &[
    "function_definition",
    "declaration",
    "type_definition",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "field_declaration",
    "enumerator",
    "preproc_def",
    "preproc_function_def",
    "preproc_include",
];

/// What stands around the items of a whole header.
const FRAMES: &[&str] = &[
    "preproc_if",
    "preproc_ifdef",
    "preproc_else",
    "preproc_elif",
    "linkage_specification",
    "declaration_list",
];

const C: Syntax = Syntax {
    preprocessor: true,
    bodies: &[Body::braces(&["function_definition"]).declared_by("function_declarator")],
    frames: FRAMES,
    declarations: C_DECLARATIONS,
    ..Syntax::SLASHES
};

const CPP: Syntax = Syntax {
    preprocessor: true,
    bodies: &[Body::braces(&["function_definition"])
        .except(&["try_statement"])
        .declared_by("function_declarator")
        .and_semicolon()],
    frames: FRAMES,
    declarations: &[
        "function_definition",
        "declaration",
        "type_definition",
        "struct_specifier",
        "union_specifier",
        "enum_specifier",
        "class_specifier",
        "namespace_definition",
        "template_declaration",
        "alias_declaration",
        "using_declaration",
        "concept_definition",
        "friend_declaration",
        "field_declaration",
        "enumerator",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
    ],
    ..Syntax::SLASHES
};

const OBJECTIVE_C: Syntax = Syntax {
    preprocessor: true,
    bodies: &[
        Body::braces(&["function_definition"]).declared_by("function_declarator"),
        Body::braces(&["method_definition"]).in_kind("compound_statement"),
    ],
    frames: FRAMES,
    declarations: &[
        "function_definition",
        "method_definition",
        "method_declaration",
        "class_interface",
        "class_implementation",
        "protocol_declaration",
        "property_declaration",
        "declaration",
        "type_definition",
        "struct_specifier",
        "enum_specifier",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
    ],
    ..Syntax::SLASHES
};

const RUST: Syntax = Syntax {
    comments: &["line_comment", "block_comment"],
    bodies: &[Body::braces(&["function_item"])],
    declarations: &[
        "function_item",
        "function_signature_item",
        "struct_item",
        "enum_item",
        "enum_variant",
        "union_item",
        "trait_item",
        "impl_item",
        "mod_item",
        "type_item",
        "associated_type",
        "const_item",
        "static_item",
        "field_declaration",
        "macro_definition",
        "use_declaration",
        "extern_crate_declaration",
    ],
    ..Syntax::SLASHES
};

const GO: Syntax = Syntax {
    bodies: &[Body::braces(&["function_declaration", "method_declaration"])],
    declarations: &[
        "package_clause",
        "import_spec",
        "function_declaration",
        "method_declaration",
        "type_spec",
        "type_alias",
        "const_spec",
        "var_spec",
        "field_declaration",
        "method_elem",
    ],
    ..Syntax::SLASHES
};

const ZIG: Syntax = Syntax {
    comment_marks: &["//"],
    bodies: &[Body::braces(&["function_declaration"])],
    declarations: &[
        "function_declaration",
        "variable_declaration",
        "container_field",
        "test_declaration",
        "using_namespace_declaration",
    ],
    ..Syntax::NONE
};

const SWIFT: Syntax = Syntax {
    comments: &["comment", "multiline_comment"],
    verbatim: &["multi_line_str_text", "line_str_text", "raw_str_part", "raw_str_end_part"],
    bodies: &[Body::braces(&["function_declaration", "init_declaration", "deinit_declaration"])],
    declarations: &[
        "import_declaration",
        "class_declaration",
        "protocol_declaration",
        "function_declaration",
        "protocol_function_declaration",
        "init_declaration",
        "deinit_declaration",
        "subscript_declaration",
        "property_declaration",
        "protocol_property_declaration",
        "typealias_declaration",
        "associatedtype_declaration",
        "enum_entry",
        "operator_declaration",
    ],
    ..Syntax::SLASHES
};

const HASKELL: Syntax = Syntax {
    comments: &["comment", "haddock"],
    comment_marks: &["--", "{-"],
    verbatim: &["quasiquote"],
    declarations: &[
        "import",
        "data_type",
        "newtype",
        "class",
        "instance",
        "signature",
        "type_synonym",
        "type_family",
        "function",
        "bind",
    ],
    ..Syntax::NONE
};

/// In C every one of these words could be a name, but hardly any header uses it as one.
const CPP_EVIDENCE: &[&[&str]] = &[
    &["namespace", "_"],
    &["namespace", "{"],
    &["template", "<"],
    &["!struct", "class", "_", "{"],
    &["!struct", "class", "_", ":"],
    &["!struct", "class", "_", ";"],
    &["!struct", "class", "_", "_"],
    &["enum", "class", "_"],
    &["public", ":"],
    &["private", ":"],
    &["protected", ":"],
    &["_", "::", "_"],
    &["using", "_"],
    &["virtual", "_"],
    &["typename", "_"],
    &["operator", "=", "="],
    &["operator", "("],
    &["constexpr", "_"],
    &["static_cast", "<"],
    &["reinterpret_cast", "<"],
    &["_", "(", "_", "&", "_", ")"],
    &["#", "include", "<", "_", ">"],
];

const OBJECTIVE_C_EVIDENCE: &[&[&str]] = &[
    &["@", "interface"],
    &["@", "protocol"],
    &["@", "class"],
    &["@", "property"],
    &["@", "implementation"],
    &["@", "end"],
    &["#", "import"],
    &["NS_ASSUME_NONNULL_BEGIN"],
];

pub(super) static ENTRIES: [Entry; 8] = [
    Entry::new("C", &["c", "h"], || tree_sitter_c::LANGUAGE.into(), C),
    Entry::new("Objective-C", &["m", "mm", "h"], || tree_sitter_objc::LANGUAGE.into(), OBJECTIVE_C)
        .told_by(OBJECTIVE_C_EVIDENCE),
    Entry::new(
        "C++",
        &[
            "cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "h", "ipp", "inl", "tcc", "tpp", "cppm",
            "ixx", "cu", "cuh",
        ],
        || tree_sitter_cpp::LANGUAGE.into(),
        CPP,
    )
    .told_by(CPP_EVIDENCE),
    Entry::new("Rust", &["rs"], || tree_sitter_rust::LANGUAGE.into(), RUST),
    Entry::new("Go", &["go"], || tree_sitter_go::LANGUAGE.into(), GO),
    Entry::new("Zig", &["zig", "zon"], || tree_sitter_zig::LANGUAGE.into(), ZIG),
    Entry::new("Swift", &["swift"], || tree_sitter_swift::LANGUAGE.into(), SWIFT),
    Entry::new("Haskell", &["hs"], || tree_sitter_haskell::LANGUAGE.into(), HASKELL),
];
