//! Rows of languages that are run from their source.

use super::{Binder, Binding, Body, Entry, Names, Shape, Suites, Syntax};

const PYTHON: Syntax = Syntax {
    suites: Some(Suites {
        statement: "expression_statement",
        strings: &["string", "concatenated_string"],
        not_before_quote: "fFbBtT",
        holders: &["module", "class_definition", "function_definition"],
        filler: "...",
    }),
    bodies: &[Body::braces(&["function_definition"])
        .shaped(Shape::Suite)
        .names(Names::Except("name", &["__init__", "__post_init__"]))],
    declarations: &[
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "class_definition",
        "function_definition",
        "type_alias_statement",
    ],
    ..Syntax::HASHES
};

const SCRIPT_BODIES: &[Body] = &[
    Body::braces(&["function_declaration", "generator_function_declaration", "method_definition"]),
    Body::braces(&["arrow_function", "function_expression", "generator_function"])
        .except(&["arrow_function", "function_expression", "generator_function"])
        .bound(),
];

const SCRIPT_NAMES: &[&str] =
    &["identifier", "member_expression", "property_identifier", "private_property_identifier", "string"];

const fn binder(kind: &'static str, value: &'static str, name: &'static str) -> Binder {
    Binder { kind, value: Some(value), name: Some((name, SCRIPT_NAMES)) }
}

const EXPORT: Binder = Binder { kind: "export_statement", value: Some("value"), name: None };

const SCRIPT_BINDING: Binding = Binding {
    binders: &[
        binder("variable_declarator", "value", "name"),
        binder("assignment_expression", "right", "left"),
        binder("pair", "value", "key"),
        binder("field_definition", "value", "property"),
        EXPORT,
    ],
    transparent: &[("parenthesized_expression", None), ("arrow_function", Some("body"))],
    arguments: &["arguments"],
    calls: &[("call_expression", "function"), ("new_expression", "constructor")],
    callback_methods: &[
        "catch",
        "every",
        "filter",
        "finally",
        "find",
        "findIndex",
        "findLast",
        "findLastIndex",
        "flatMap",
        "forEach",
        "map",
        "reduce",
        "reduceRight",
        "replace",
        "replaceAll",
        "some",
        "sort",
        "then",
        "toSorted",
    ],
    depth: 2,
};

const SCRIPT: Syntax = Syntax {
    comments: &["comment", "html_comment"],
    comment_marks: &["//", "/*", "<!--", "-->"],
    verbatim: &["jsx_text"],
    fluid: &["jsx_text"],
    shells: &["jsx_expression"],
    bodies: SCRIPT_BODIES,
    binding: Some(SCRIPT_BINDING),
    declarations: &[
        "import_statement",
        "class_declaration",
        "class",
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "field_definition",
        "variable_declarator",
    ],
    ..Syntax::NONE
};

const TYPED_SCRIPT_BINDING: Binding = Binding {
    binders: &[
        binder("variable_declarator", "value", "name"),
        binder("assignment_expression", "right", "left"),
        binder("pair", "value", "key"),
        binder("public_field_definition", "value", "name"),
        EXPORT,
    ],
    transparent: &[
        ("parenthesized_expression", None),
        ("arrow_function", Some("body")),
        ("as_expression", None),
        ("satisfies_expression", None),
        ("non_null_expression", None),
    ],
    ..SCRIPT_BINDING
};

const TSX: Syntax = Syntax {
    binding: Some(TYPED_SCRIPT_BINDING),
    declarations: &[
        "import_statement",
        "class_declaration",
        "abstract_class_declaration",
        "class",
        "function_declaration",
        "generator_function_declaration",
        "function_signature",
        "method_definition",
        "method_signature",
        "abstract_method_signature",
        "public_field_definition",
        "property_signature",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "internal_module",
        "module",
        "variable_declarator",
    ],
    ..SCRIPT
};

const TYPESCRIPT: Syntax = Syntax { verbatim: &[], fluid: &[], shells: &[], ..TSX };

const PHP: Syntax = Syntax {
    comment_marks: &["//", "/*", "#"],
    verbatim: &["text", "text_interpolation"],
    bodies: &[Body::braces(&["function_definition", "method_declaration"])
        .names(Names::Except("name", &["__construct"]))],
    declarations: &[
        "namespace_definition",
        "namespace_use_declaration",
        "class_declaration",
        "interface_declaration",
        "trait_declaration",
        "enum_declaration",
        "enum_case",
        "function_definition",
        "method_declaration",
        "property_declaration",
        "const_declaration",
        "use_declaration",
    ],
    ..Syntax::NONE
};

const RUBY: Syntax = Syntax {
    comment_marks: &["#", "=begin"],
    verbatim: &["uninterpreted", "subshell"],
    bodies: &[Body::braces(&["method", "singleton_method"])
        .in_kind("body_statement")
        .shaped(Shape::Hollow)
        .names(Names::Except("name", &["initialize"]))],
    declarations: &["class", "singleton_class", "module", "method", "singleton_method", "alias"],
    ..Syntax::NONE
};

const LUA: Syntax = Syntax {
    comment_marks: &["--"],
    bodies: &[
        Body::braces(&["function_declaration"]).shaped(Shape::Hollow),
        Body::braces(&["function_definition"]).shaped(Shape::Hollow).bound(),
    ],
    binding: Some(Binding {
        binders: &[
            Binder { kind: "assignment_statement", value: None, name: None },
            Binder { kind: "field", value: Some("value"), name: Some(("name", &["identifier", "string"])) },
        ],
        transparent: &[("expression_list", None), ("parenthesized_expression", None)],
        arguments: &[],
        calls: &[],
        callback_methods: &[],
        depth: 0,
    }),
    declarations: &["function_declaration", "variable_declaration", "field"],
    ..Syntax::NONE
};

const BASH: Syntax = Syntax {
    bodies: &[Body::braces(&["function_definition"]).shaped(Shape::Braces("{ :; }"))],
    declarations: &["function_definition", "declaration_command", "variable_assignment"],
    ..Syntax::HASHES
};

const ELIXIR: Syntax = Syntax {
    verbatim: &["sigil", "charlist"],
    bodies: &[Body::braces(&["call"])
        .in_kind("do_block")
        .shaped(Shape::Inside)
        .names(Names::Only("target", &["def", "defp", "defmacro", "defmacrop"]))],
    declarations: &["call"],
    ..Syntax::HASHES
};

pub(super) static ENTRIES: [Entry; 9] = [
    Entry::new("Python", &["py", "pyi", "pyw"], || tree_sitter_python::LANGUAGE.into(), PYTHON),
    Entry::new(
        "JavaScript",
        &["js", "mjs", "cjs", "jsx"],
        || tree_sitter_javascript::LANGUAGE.into(),
        SCRIPT,
    ),
    Entry::new(
        "TypeScript",
        &["ts", "mts", "cts"],
        || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        TYPESCRIPT,
    ),
    Entry::new("TSX", &["tsx"], || tree_sitter_typescript::LANGUAGE_TSX.into(), TSX),
    Entry::new("PHP", &["php", "phtml"], || tree_sitter_php::LANGUAGE_PHP.into(), PHP),
    Entry::new("Ruby", &["rb", "rake", "gemspec", "ru"], || tree_sitter_ruby::LANGUAGE.into(), RUBY)
        .named(&["Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Brewfile"]),
    Entry::new("Lua", &["lua"], || tree_sitter_lua::LANGUAGE.into(), LUA),
    Entry::new("Bash", &["sh", "bash"], || tree_sitter_bash::LANGUAGE.into(), BASH).named(&[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".profile",
    ]),
    Entry::new("Elixir", &["ex", "exs"], || tree_sitter_elixir::LANGUAGE.into(), ELIXIR),
];
