//! Rows of markup, style, data and build languages: comments and blank lines only.

use super::{Entry, Syntax};

const HTML: Syntax = Syntax {
    comment_marks: &["<!--"],
    joint: "",
    verbatim: &["text", "raw_text", "attribute_value"],
    verbatim_when: &[("element", "<pre"), ("element", "<textarea")],
    fluid: &["text"],
    declarations: &["element", "script_element", "style_element"],
    ..Syntax::NONE
};

const XML: Syntax = Syntax {
    comments: &["Comment"],
    comment_marks: &["<!--"],
    joint: "",
    verbatim: &["CharData", "CData", "AttValue", "PI"],
    fluid: &["CharData"],
    shells: &["prolog"],
    declarations: &["element"],
    ..Syntax::NONE
};

const CSS: Syntax = Syntax {
    // The grammar also knows comments of another language, which CSS has not: `//` in an address is none.
    comments: &["comment"],
    comment_marks: &["/*"],
    verbatim: &["js_comment"],
    declarations: &["rule_set", "media_statement", "keyframes_statement", "import_statement", "at_rule"],
    ..Syntax::NONE
};

const TOML: Syntax = Syntax { declarations: &["table", "table_array_element", "pair"], ..Syntax::HASHES };

const YAML: Syntax = Syntax {
    verbatim: &["block_scalar"],
    declarations: &["block_mapping_pair", "block_sequence_item"],
    ..Syntax::HASHES
};

const JSON: Syntax = Syntax { declarations: &["pair"], ..Syntax::SLASHES };

const SQL: Syntax = Syntax {
    comments: &["comment", "marginalia"],
    comment_marks: &["--", "/*"],
    verbatim: &["literal", "dollar_quote"],
    declarations: &["statement"],
    ..Syntax::NONE
};

const DOCKERFILE: Syntax = Syntax { declarations: &["from_instruction"], ..Syntax::HASHES };

const HCL: Syntax = Syntax {
    comment_marks: &["#", "//", "/*"],
    verbatim: &["template_literal", "heredoc_template"],
    declarations: &["block", "attribute"],
    ..Syntax::NONE
};

const PROTOBUF: Syntax = Syntax {
    declarations: &[
        "message",
        "enum",
        "service",
        "rpc",
        "field",
        "map_field",
        "enum_field",
        "import",
        "package",
    ],
    ..Syntax::SLASHES
};

pub(super) static ENTRIES: [Entry; 10] = [
    Entry::new("HTML", &["html", "htm"], || tree_sitter_html::LANGUAGE.into(), HTML),
    Entry::new(
        "XML",
        &[
            "xml", "xsd", "xsl", "xslt", "svg", "xaml", "axaml", "csproj", "fsproj", "vbproj", "vcxproj",
            "props", "targets", "resx", "nuspec", "plist", "wsdl", "rss", "atom",
        ],
        || tree_sitter_xml::LANGUAGE_XML.into(),
        XML,
    ),
    Entry::new("CSS", &["css"], || tree_sitter_css::LANGUAGE.into(), CSS),
    Entry::new("TOML", &["toml"], || tree_sitter_toml_ng::LANGUAGE.into(), TOML),
    Entry::new("YAML", &["yaml", "yml"], || tree_sitter_yaml::LANGUAGE.into(), YAML),
    Entry::new(
        "JSON with comments",
        &["jsonc", "code-workspace"],
        || tree_sitter_json::LANGUAGE.into(),
        JSON,
    )
    .named(&["tsconfig.json", "jsconfig.json", "devcontainer.json", ".eslintrc.json", "tsconfig.*"]),
    Entry::new("SQL", &["sql"], || tree_sitter_sequel::LANGUAGE.into(), SQL),
    Entry::new("Dockerfile", &["dockerfile"], || tree_sitter_containerfile::LANGUAGE.into(), DOCKERFILE)
        .named(&["Dockerfile", "Containerfile", "Dockerfile.*", "Containerfile.*"]),
    Entry::new("HCL", &["hcl", "tf", "tfvars"], || tree_sitter_hcl::LANGUAGE.into(), HCL),
    Entry::new("Protocol Buffers", &["proto"], || tree_sitter_proto::LANGUAGE.into(), PROTOBUF),
];
