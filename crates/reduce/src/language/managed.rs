//! Rows of languages that run on a virtual machine.

use super::{Body, Entry, Syntax};

const JAVA: Syntax = Syntax {
    comments: &["line_comment", "block_comment"],
    bodies: &[Body::braces(&[
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
    ])],
    declarations: &[
        "package_declaration",
        "import_declaration",
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
        "annotation_type_element_declaration",
        "method_declaration",
        "constructor_declaration",
        "compact_constructor_declaration",
        "field_declaration",
        "constant_declaration",
        "enum_constant",
    ],
    ..Syntax::SLASHES
};

const C_SHARP: Syntax = Syntax {
    preprocessor: true,
    bodies: &[Body::braces(&[
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
    ])],
    declarations: &[
        "using_directive",
        "namespace_declaration",
        "file_scoped_namespace_declaration",
        "class_declaration",
        "struct_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "delegate_declaration",
        "method_declaration",
        "constructor_declaration",
        "destructor_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
        "local_function_statement",
        "property_declaration",
        "indexer_declaration",
        "event_declaration",
        "event_field_declaration",
        "field_declaration",
        "enum_member_declaration",
    ],
    ..Syntax::SLASHES
};

const KOTLIN: Syntax = Syntax {
    comments: &["line_comment", "block_comment"],
    bodies: &[
        Body::braces(&["function_declaration"]).in_kind("function_body"),
        Body::braces(&["secondary_constructor", "anonymous_initializer"]).in_kind("block"),
    ],
    declarations: &[
        "package_header",
        "import",
        "class_declaration",
        "object_declaration",
        "companion_object",
        "function_declaration",
        "property_declaration",
        "secondary_constructor",
        "anonymous_initializer",
        "type_alias",
        "enum_entry",
    ],
    ..Syntax::SLASHES
};

const SCALA: Syntax = Syntax {
    comments: &["comment", "block_comment"],
    bodies: &[Body::braces(&["function_definition"]).except(&["indented_block", "indented_cases"])],
    declarations: &[
        "package_clause",
        "import_declaration",
        "export_declaration",
        "class_definition",
        "object_definition",
        "trait_definition",
        "enum_definition",
        "package_object",
        "given_definition",
        "extension_definition",
        "function_definition",
        "function_declaration",
        "val_definition",
        "val_declaration",
        "var_definition",
        "var_declaration",
        "type_definition",
    ],
    ..Syntax::SLASHES
};

const DART: Syntax = Syntax {
    comments: &["comment", "documentation_comment"],
    bodies: &[Body::braces(&["function_declaration", "method_declaration"]).with_block("block")],
    declarations: &[
        "import_specification",
        "library_name",
        "class_definition",
        "mixin_declaration",
        "enum_declaration",
        "enum_constant",
        "extension_declaration",
        "extension_type_declaration",
        "type_alias",
        "function_signature",
        "getter_signature",
        "setter_signature",
        "operator_signature",
        "constructor_signature",
        "factory_constructor_signature",
        "constant_constructor_signature",
        "initialized_identifier",
        "static_final_declaration",
    ],
    ..Syntax::SLASHES
};

pub(super) static ENTRIES: [Entry; 5] = [
    Entry::new("Java", &["java"], || tree_sitter_java::LANGUAGE.into(), JAVA),
    Entry::new("C#", &["cs", "csx"], || tree_sitter_c_sharp::LANGUAGE.into(), C_SHARP),
    Entry::new("Kotlin", &["kt", "kts"], || tree_sitter_kotlin_ng::LANGUAGE.into(), KOTLIN),
    Entry::new("Scala", &["scala", "sc", "sbt"], || tree_sitter_scala::LANGUAGE.into(), SCALA),
    Entry::new("Dart", &["dart"], || tree_sitter_dart_orchard::LANGUAGE.into(), DART),
];
