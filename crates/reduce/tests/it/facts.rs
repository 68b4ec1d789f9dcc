//! The facts about detail levels, in the order in which the specification states them.

use crate::{BLANK_LINES, BODIES, COMMENTS, bodies, check, compact, reduced, signatures, unchanged};
use reduce::{Tier, Wanted, languages};

#[test]
fn signatures_takes_comments_and_the_body_of_a_function() {
    signatures(
        "a.rs",
        "pub fn add(a: i32, b: i32) -> i32 {   // sum\n    a + b\n}\n",
        "pub fn add(a: i32, b: i32) -> i32 { }\n",
    );
}

#[test]
fn compact_is_comments_and_blank_lines_and_signatures_is_bodies_too() {
    let text = "// one\n\nfn a() {\n    // two\n\n    b();\n}\n";
    compact("a.rs", text, "fn a() {\n    b();\n}\n");
    signatures("a.rs", text, "fn a() { }\n");
    check("a.rs", COMMENTS, text, "fn a() {\n\n    b();\n}\n");
    check("a.rs", BLANK_LINES, text, "// one\nfn a() {\n    // two\n    b();\n}\n");
    check("a.rs", BODIES, text, "// one\n\nfn a() { }\n");
    check("a.rs", Wanted::none(), text, text);
}

#[test]
fn an_unsupported_language_stays_unchanged() {
    for path in ["a.txt", "a", ".rs", "a.rs.orig", "README.md", "dir.rs/a", "a."] {
        unchanged(path, "// c\n\nfn a() { b() }\n");
    }
}

#[test]
fn the_language_is_chosen_by_extension_in_any_case_or_by_the_whole_name() {
    for path in ["a.rs", "x/y.z/A.RS", "a.b.rs", "..rs"] {
        signatures(path, "fn a() { b() }\n", "fn a() { }\n");
    }
    for path in ["Dockerfile", "deep/Containerfile", "Dockerfile.dev", "a.dockerfile"] {
        compact(path, "# c\nFROM scratch\n", "FROM scratch\n");
    }
    for path in ["Dockerfile.", "MyDockerfile", "dockerfiles"] {
        unchanged(path, "# c\nFROM scratch\n");
    }
}

/// Body collapse: a function with a body that must go, per language.
#[test]
fn bodies_collapse_in_every_language_of_the_list() {
    let rows = [
        ("C", "a.c", "int f(int a) { return a; }\n", "int f(int a) { }\n"),
        ("C++", "a.cc", "auto f(int a) -> int { return a; }\n", "auto f(int a) -> int { }\n"),
        ("C#", "a.cs", "class A { int F(int a) { return a; } }\n", "class A { int F(int a) { } }\n"),
        ("Go", "a.go", "package a\nfunc f(a int) int { return a }\n", "package a\nfunc f(a int) int { }\n"),
        ("Java", "a.java", "class A { int f(int a) { return a; } }\n", "class A { int f(int a) { } }\n"),
        ("JavaScript", "a.js", "function f(a) { return a; }\n", "function f(a) { }\n"),
        ("Kotlin", "a.kt", "fun f(a: Int): Int { return a }\n", "fun f(a: Int): Int { }\n"),
        ("PHP", "a.php", "<?php\nfunction f($a) { return $a; }\n", "<?php\nfunction f($a) { }\n"),
        ("Python", "a.py", "def f(a):\n    return a + 1\n", "def f(a):\n    ...\n"),
        ("Ruby", "a.rb", "def f(a)\n  a + 1\nend\n", "def f(a)\nend\n"),
        ("Rust", "a.rs", "fn f(a: u8) -> u8 { a }\n", "fn f(a: u8) -> u8 { }\n"),
        ("Scala", "a.scala", "def f(a: Int): Int = { a + 1 }\n", "def f(a: Int): Int = { }\n"),
        ("TSX", "a.tsx", "const A = () => { return <p/>; };\n", "const A = () => { };\n"),
        (
            "TypeScript",
            "a.ts",
            "function f(a: number): number { return a; }\n",
            "function f(a: number): number { }\n",
        ),
        ("Swift", "a.swift", "func f(a: Int) -> Int { return a }\n", "func f(a: Int) -> Int { }\n"),
        ("Dart", "a.dart", "int f(int a) { return a; }\n", "int f(int a) { }\n"),
        ("Lua", "a.lua", "function f(a)\n  return a\nend\n", "function f(a)\nend\n"),
        ("Bash", "a.sh", "f() {\n  echo \"$1\"\n}\n", "f() { :; }\n"),
        ("Elixir", "a.ex", "def f(a) do\n  a + 1\nend\n", "def f(a) do\nend\n"),
        ("Zig", "a.zig", "fn f(a: u8) u8 { return a; }\n", "fn f(a: u8) u8 { }\n"),
        (
            "Objective-C",
            "a.m",
            "@implementation A\n- (int)f { return 1; }\n@end\n",
            "@implementation A\n- (int)f { }\n@end\n",
        ),
    ];
    for (_, path, before, after) in rows {
        signatures(path, before, after);
    }
    let mut tested: Vec<&str> = rows.iter().map(|row| row.0).collect();
    tested.sort_unstable_by_key(|name| name.to_lowercase());
    let listed: Vec<&str> = languages().iter().filter(|one| one.bodies).map(|one| one.name).collect();
    assert_eq!(tested, listed);
}

#[test]
fn comments_and_blank_lines_go_in_every_language_of_the_list() {
    let rows = [
        ("C", "a.c", "/* c */\n\nint a;\n", "int a;\n"),
        ("C++", "a.cpp", "// c\n\nint a;\n", "int a;\n"),
        ("C#", "a.cs", "/// <summary>c</summary>\n\nclass A { }\n", "class A { }\n"),
        ("Go", "a.go", "// Package a.\n\npackage a\n", "package a\n"),
        ("Java", "a.java", "/** c */\n\nclass A { }\n", "class A { }\n"),
        ("JavaScript", "a.mjs", "/* c */\n\nlet a; // d\n", "let a;\n"),
        ("Kotlin", "a.kts", "/** c */\n\nval a = 1 // d\n", "val a = 1\n"),
        ("PHP", "a.php", "<?php\n// c\n\n# d\n$a = 1; /* e */\n", "<?php\n$a = 1;\n"),
        ("Python", "a.pyi", "# c\n\na = 1  # d\n", "a = 1\n"),
        ("Ruby", "Rakefile", "# c\n\na = 1 # d\n=begin\ne\n=end\n", "a = 1\n"),
        ("Rust", "a.rs", "//! c\n\n/// d\nstruct A; // e\n", "struct A;\n"),
        ("Scala", "a.scala", "/** c */\n\nval a = 1 // d\n", "val a = 1\n"),
        ("TSX", "a.tsx", "// c\n\nlet a = <p>b</p>;\n", "let a = <p>b</p>;\n"),
        ("TypeScript", "a.mts", "// c\n\nlet a: string; /* d */\n", "let a: string;\n"),
        ("Swift", "a.swift", "/// c\n\nlet a = 1 /* d */\n", "let a = 1\n"),
        ("Dart", "a.dart", "/// c\n\nint a = 1; // d\n", "int a = 1;\n"),
        ("Lua", "a.lua", "-- c\n\nlocal a = 1 --[[ d ]]\n", "local a = 1\n"),
        ("Bash", ".bashrc", "# c\n\na=1 # d\n", "a=1\n"),
        ("Elixir", "a.exs", "# c\n\na = 1 # d\n", "a = 1\n"),
        ("Haskell", "a.hs", "-- c\n\nmodule A where\na = 1 {- d -}\n", "module A where\na = 1\n"),
        ("Zig", "a.zig", "/// c\n\nconst a = 1; // d\n", "const a = 1;\n"),
        ("Objective-C", "a.m", "// c\n\nint a; /* d */\n", "int a;\n"),
        ("HTML", "a.html", "<!-- c -->\n\n<p>a</p>\n", "<p>a</p>\n"),
        ("CSS", "a.css", "/* c */\n\np { color: red; /* d */ }\n", "p { color: red; }\n"),
        ("TOML", "a.toml", "# c\n\na = 1 # d\n", "a = 1\n"),
        ("YAML", "a.yml", "# c\n\na: 1 # d\n", "a: 1\n"),
        ("XML", "a.xml", "<!-- c -->\n\n<a/>\n", "<a/>\n"),
        ("SQL", "a.sql", "-- c\n\nSELECT 1; /* d */\n", "SELECT 1;\n"),
        ("Dockerfile", "Dockerfile", "# c\n\nFROM scratch\n", "FROM scratch\n"),
        ("HCL", "a.tf", "# c\n\na = 1 // d\n", "a = 1\n"),
        ("Protocol Buffers", "a.proto", "// c\n\nsyntax = \"proto3\"; /* d */\n", "syntax = \"proto3\";\n"),
        ("JSON with comments", "tsconfig.json", "// c\n\n{ \"a\": 1 /* d */ }\n", "{ \"a\": 1 }\n"),
    ];
    for (_, path, before, after) in rows {
        compact(path, before, after);
    }
    let mut tested: Vec<&str> = rows.iter().map(|row| row.0).collect();
    tested.sort_unstable_by_key(|name| name.to_lowercase());
    let listed: Vec<&str> = languages().iter().map(|one| one.name).collect();
    assert_eq!(tested, listed);
}

#[test]
fn the_xml_family_is_xml() {
    for ending in ["xml", "xsd", "xsl", "xslt", "svg", "xaml", "csproj", "props", "targets", "resx", "plist"]
    {
        compact(&format!("a.{ending}"), "<!-- c -->\n<a b=\"&lt;\"/>\n", "<a b=\"&lt;\"/>\n");
    }
}

#[test]
fn a_header_is_c_unless_its_words_are_cpp_or_objective_c() {
    // Only in C++ a reference is a parameter, so that the file has no error and is collapsed.
    let cpp = "namespace a {\nstruct B { int f(int &x) { return x; } };\n}\n";
    signatures("a.h", cpp, "namespace a {\nstruct B { int f(int &x) { } };\n}\n");
    // Only in C these words are names.
    let c = "struct class *new;\nstatic inline int f(int template) { return template; }\n";
    signatures("a.h", c, "struct class *new;\nstatic inline int f(int template) { }\n");
    let objective_c = "@interface A\n- (void)f; // c\n@end\n";
    compact("a.h", objective_c, "@interface A\n- (void)f;\n@end\n");
}

#[test]
fn a_multi_line_expression_body_becomes_braces_and_a_one_line_one_stays() {
    bodies(
        "a.kt",
        "fun f() =\n    a\n        .b()\nfun g() = a.b()\nfun h() =\n    a.b()\n",
        "fun f() { }\nfun g() = a.b()\nfun h() =\n    a.b()\n",
    );
    bodies(
        "a.cs",
        "class A {\n  int F() =>\n    B(\n      1);\n  int G() => 1;\n  int P =>\n    B(\n      1);\n}\n",
        "class A {\n  int F() { }\n  int G() => 1;\n  int P =>\n    B(\n      1);\n}\n",
    );
    bodies("a.dart", "int f() =>\n    b(\n      1);\nint g() => 1;\n", "int f() { }\nint g() => 1;\n");
    bodies("a.scala", "def f = a.map { b =>\n  b }\ndef g = 1\n", "def f = { }\ndef g = 1\n");
    bodies(
        "a.ts",
        "const f = (a: A) => b(\n  a,\n);\nconst g = (a: A) => a;\n",
        "const f = (a: A) => { };\nconst g = (a: A) => a;\n",
    );
}

#[test]
fn a_python_body_becomes_an_ellipsis_on_an_indented_line() {
    signatures(
        "a.py",
        "class A:\n\tdef f(self,\n\t      a): # c\n\t\tx = a\n\n\t\treturn x\n",
        "class A:\n\tdef f(self,\n\t      a):\n\t\t...\n",
    );
    bodies("a.py", "def f(): # c\n    # d\n    return 1\n", "def f(): # c\n    ...\n");
    // A body on the header's line stays there.
    signatures("a.py", "def f(): return [1, 2]\n", "def f(): ...\n");
    unchanged("a.py", "def f(): ...\ndef g():\n    ...\n");
}

#[test]
fn a_ruby_method_keeps_nothing_between_header_and_end() {
    signatures(
        "a.rb",
        "class A\n  def f(a) # c\n    # d\n    b\n  rescue\n    c\n  end\nend\n",
        "class A\n  def f(a)\n  end\nend\n",
    );
    signatures("a.rb", "def f; 1; end\ndef g() 1 end\ndef h = 1\n", "def f; end\ndef g() end\ndef h = 1\n");
    bodies("a.rb", "def f(a) # c\n  # d\n  b\nend\n", "def f(a)\nend\n");
}

#[test]
fn fields_and_properties_keep_their_initialisers_and_accessors() {
    let kept = [
        (
            "a.cs",
            "class A {\n  int x = F(1);\n  int P { get { return x; } set { x = value; } } = 3;\n  int this[int i] { get { return 1; } }\n  event E X { add { F(); } remove { F(); } }\n}\n",
        ),
        (
            "a.kt",
            "class A(val x: Int = f()) {\n  val y: Int by lazy { 1 }\n  var z: Int = 1\n    get() { return field }\n    set(v) { field = v }\n}\n",
        ),
        (
            "a.swift",
            "struct A {\n  var x: Int { return 1 }\n  var y: Int = 1 {\n    didSet { f() }\n  }\n  subscript(i: Int) -> Int { return 1 }\n}\n",
        ),
        (
            "a.java",
            "class A {\n  int x = f(1);\n  static final Map<A, B> M = new HashMap<>(1);\n  static { g(); }\n}\n",
        ),
        ("a.rs", "const A: u8 = { 1 + 1 };\nstatic B: fn() = || { c() };\nenum D { E = { 1 } }\n"),
        ("a.py", "class A:\n    x: int = f(1)\n    y = lambda a: a + 1\n"),
        ("a.ts", "class A {\n  x = f(1);\n  static readonly y: B = { c: [1] };\n  #z?: number;\n}\n"),
        ("a.php", "<?php\nclass A {\n  private static $x = [1, 2];\n  const Y = self::Z . 'a';\n}\n"),
        ("a.cc", "struct A {\n  int x{1};\n  static constexpr int y = f(1);\n};\n"),
        ("a.c", "struct a { int b; };\nstatic const struct a c[] = { { 1 }, { 2 } };\n"),
        ("a.go", "package a\n\ntype b struct {\n\tc int `json:\"c\"`\n}\n\nvar d = f(b{c: 1})\n"),
        ("a.rb", "class A\n  X = [1, 2].freeze\n  attr_reader :y\nend\n"),
        ("a.scala", "class A {\n  val x = f(1)\n  lazy val y: Int = { x + 1 }\n}\n"),
        ("a.dart", "class A {\n  final int x = f(1);\n  static const y = [1];\n}\n"),
    ];
    for (path, text) in kept {
        check(path, BODIES, text, text);
    }
}

#[test]
fn free_lambdas_and_closures_stay() {
    let kept = [
        ("a.go", "package a\n\nvar f = func(a int) int { return a }\n"),
        ("a.cc", "auto f = [](int a) { return a; };\n"),
        ("a.java", "class A { F f = a -> { return a; }; }\n"),
        ("a.cs", "class A { F f = a => { return a; }; }\n"),
        ("a.kt", "val f = { a: Int -> a }\nval g = fun(a: Int): Int { return a }\n"),
        ("a.php", "<?php\n$f = function ($a) { return $a; };\n$g = fn($a) => $a;\n"),
        ("a.rb", "F = lambda { |a| a }\nG = ->(a) { a }\ndescribe \"x\" do\n  it { a }\nend\n"),
        ("a.scala", "val f = (a: Int) => { a }\n"),
        ("a.rs", "static F: fn(u8) -> u8 = |a| { a };\n"),
    ];
    for (path, text) in kept {
        check(path, BODIES, text, text);
    }
}

#[test]
fn attributes_and_enum_members_stay() {
    signatures(
        "a.rs",
        "#[inline] // c\n#[doc = \"// d\"]\npub fn f() { g() }\nenum A { #[x] B = 1, C }\n",
        "#[inline]\n#[doc = \"// d\"]\npub fn f() { }\nenum A { #[x] B = 1, C }\n",
    );
    signatures(
        "a.java",
        "@A(x = 1)\nenum B { C { int f() { return 1; } }, D }\n",
        "@A(x = 1)\nenum B { C { int f() { } }, D }\n",
    );
    signatures(
        "a.cs",
        "[A(\"// x\")]\nenum B { C = 1, [D] E }\nclass F { [G] void H([I] int j) { K(); } }\n",
        "[A(\"// x\")]\nenum B { C = 1, [D] E }\nclass F { [G] void H([I] int j) { } }\n",
    );
    signatures(
        "a.php",
        "<?php\n#[A('# x')]\n# c\nenum B: int { case C = 1; function f() { return 1; } }\n",
        "<?php\n#[A('# x')]\nenum B: int { case C = 1; function f() { } }\n",
    );
    signatures("a.py", "@a(1)  # c\n@b\ndef f(): return 1 + 1\n", "@a(1)\n@b\ndef f(): ...\n");
}

#[test]
fn python_initialisers_keep_their_body() {
    signatures(
        "a.py",
        "class A:\n    def __init__(self):\n        \"\"\"D.\"\"\"\n        # c\n        self.a = 1\n\n    def __post_init__(self):\n        self.b = 1\n\n    def __call__(self):\n        self.c = 1\n",
        "class A:\n    def __init__(self):\n        self.a = 1\n    def __post_init__(self):\n        self.b = 1\n    def __call__(self):\n        ...\n",
    );
}

#[test]
fn ruby_initialize_keeps_its_body() {
    signatures(
        "a.rb",
        "class A\n  def initialize(a)\n    @a = a # c\n  end\n\n  def f\n    @a\n  end\nend\n",
        "class A\n  def initialize(a)\n    @a = a\n  end\n  def f\n  end\nend\n",
    );
}

#[test]
fn php_construct_keeps_its_body() {
    signatures(
        "a.php",
        "<?php\nclass A {\n  function __construct(private int $a) { $this->b = 1; }\n  function __destruct() { f(); }\n}\n",
        "<?php\nclass A {\n  function __construct(private int $a) { $this->b = 1; }\n  function __destruct() { }\n}\n",
    );
}

#[test]
fn a_semicolon_behind_a_cpp_body_goes_with_it() {
    // `int f() { };` would declare a variable with an empty value.
    signatures(
        "a.h",
        "class A {\n  int f() const { return a; };\n  int g() { return b; } ;\n};\nint A::h() { return c; };\n",
        "class A {\n  int f() const { }\n  int g() { }\n};\nint A::h() { }\n",
    );
    signatures("a.js", "const f = () => { a(); };\n", "const f = () => { };\n");
}

#[test]
fn constructors_of_other_languages_collapse() {
    signatures(
        "a.java",
        "class A { A(int a) { this.a = a; } }\nrecord B(int a) { B { f(); } }\n",
        "class A { A(int a) { } }\nrecord B(int a) { B { } }\n",
    );
    signatures(
        "a.cs",
        "class A { A(int a) : base(a) { b = a; } ~A() { F(); } }\n",
        "class A { A(int a) : base(a) { } ~A() { } }\n",
    );
    signatures(
        "a.cc",
        "A::A(int a) : b(a), c{1} { f(); }\nA::~A() { f(); }\n",
        "A::A(int a) : b(a), c{1} { }\nA::~A() { }\n",
    );
    signatures(
        "a.ts",
        "class A { constructor(private a: B) { super(a); } }\n",
        "class A { constructor(private a: B) { } }\n",
    );
}

#[test]
fn kotlin_init_blocks_and_secondary_constructors_collapse() {
    signatures(
        "a.kt",
        "class A(val a: Int) {\n  init { f(a) }\n  constructor(b: String) : this(1) { g(b) }\n}\n",
        "class A(val a: Int) {\n  init { }\n  constructor(b: String) : this(1) { }\n}\n",
    );
}

#[test]
fn scala_indentation_bodies_stay() {
    bodies(
        "a.scala",
        "def f(a: Int): Int =\n  val b = a\n  b * b\n\ndef g(a: Int): Int = { a * a }\n",
        "def f(a: Int): Int =\n  val b = a\n  b * b\n\ndef g(a: Int): Int = { }\n",
    );
}

#[test]
fn html_around_php_stays() {
    signatures(
        "a.php",
        "<!-- c -->\n\n<p>a</p>\n<?php\n// d\n\nfunction f() { return 1; }\n?>\n\n<!-- e -->\n<?php # g ?>\n",
        "<!-- c -->\n\n<p>a</p>\n<?php\nfunction f() { }\n?>\n\n<!-- e -->\n<?php ?>\n",
    );
}

#[test]
fn script_functions_collapse_when_bound_to_a_stable_name() {
    let rows = [
        ("const f = function () { a(); };\n", "const f = function () { };\n"),
        ("let f = async (x) => { a(); };\n", "let f = async (x) => { };\n"),
        ("module.exports = () => { a(); };\n", "module.exports = () => { };\n"),
        ("A.prototype.f = function* () { a(); };\n", "A.prototype.f = function* () { };\n"),
        (
            "const o = { f: () => { a(); }, 'g': function () { b(); }, h() { c(); }, get i() { d(); } };\n",
            "const o = { f: () => { }, 'g': function () { }, h() { }, get i() { } };\n",
        ),
        (
            "class A { f = () => { a(); }; #g = () => { b(); }; static h() { c(); } }\n",
            "class A { f = () => { }; #g = () => { }; static h() { } }\n",
        ),
        ("export default () => { a(); };\n", "export default () => { };\n"),
        ("export default function () { a(); }\n", "export default function () { }\n"),
        // One or two calls deep.
        ("const A = memo(() => { a(); });\n", "const A = memo(() => { });\n"),
        (
            "const A = React.memo(forwardRef((p, r) => { a(); }));\n",
            "const A = React.memo(forwardRef((p, r) => { }));\n",
        ),
        ("const f = (a => { b(); });\n", "const f = (a => { });\n"),
        // What a function returns has the name of that function.
        ("const f = a => b => { c(); };\n", "const f = a => b => { };\n"),
    ];
    for path in ["a.js", "a.ts", "a.tsx"] {
        for (before, after) in rows {
            signatures(path, before, after);
        }
    }
}

#[test]
fn bare_callbacks_stay() {
    for text in [
        "items.forEach((x) => { a(x); });\n",
        "app.get('/', (q, r) => { a(); });\n",
        "setTimeout(function () { a(); }, 1);\n",
        "setTimeout(function named() { a(); }, 1);\n",
        "(function () { a(); })();\n",
        "(() => { a(); })();\n",
        "const x = (function () { a(); })();\n",
        // Three calls deep.
        "const f = a(b(c(() => { d(); })));\n",
        // The name is not the function's.
        "const names = users.map((u) => { return u.name; });\n",
        "o['a'] = () => { b(); };\n",
        "const { f = () => { a(); } } = o;\n",
        "const o = { [k]: () => { a(); } };\n",
    ] {
        for path in ["a.js", "a.ts", "a.tsx"] {
            check(path, BODIES, text, text);
        }
    }
    // What is named inside a bare callback still collapses.
    bodies(
        "a.js",
        "describe('x', () => { function f() { a(); } });\n",
        "describe('x', () => { function f() { } });\n",
    );
}

#[test]
fn python_docstrings_stay_when_only_bodies_collapse() {
    let text = "\"\"\"M.\"\"\"\n\nclass A:\n    '''C.'''\n\n    def f(self):\n        \"\"\"F.\n\n        More.\n        \"\"\"\n        return 1\n";
    bodies(
        "a.py",
        text,
        "\"\"\"M.\"\"\"\n\nclass A:\n    '''C.'''\n\n    def f(self):\n        \"\"\"F.\n\n        More.\n        \"\"\"\n        ...\n",
    );
    signatures("a.py", text, "class A:\n    def f(self):\n        ...\n");
    compact("a.py", text, "class A:\n    def f(self):\n        return 1\n");
    // There is nothing left to collapse.
    check("a.py", BODIES, "def f():\n    \"\"\"F.\"\"\"\n", "def f():\n    \"\"\"F.\"\"\"\n");
}

#[test]
fn comment_stripping_removes_docstrings_and_an_emptied_suite_gets_an_ellipsis() {
    compact("a.py", "class A(B):\n    \"\"\"C.\"\"\"\n", "class A(B):\n    ...\n");
    compact("a.py", "def f():\n    r'''F.'''\n    # c\n", "def f():\n    ...\n");
    compact("a.py", "def f():\n    'a' \"b\"\n    return 1\n", "def f():\n    return 1\n");
    compact("a.py", "class A: 'a docstring'\n", "class A: ...\n");
    compact("a.py", "# c\n\"\"\"M.\"\"\" # d\nimport a\n", "import a\n");
}

#[test]
fn strings_that_are_no_docstrings_stay() {
    for text in [
        "def f():\n    f\"\"\"{a}\"\"\"\n    return 1\n",
        "def f():\n    b'x'\n    return 1\n",
        "a = 1\n\"\"\"x\"\"\"\n",
        "def f():\n    return 'x'\n",
        "def f():\n    'x'.y()\n    return 1\n",
        "def f():\n    'x'; return 1\n",
        "if a:\n    'x'\n    b = 1\n",
    ] {
        check("a.py", COMMENTS, text, text);
    }
}

#[test]
fn a_shebang_on_the_first_byte_stays() {
    compact("a.py", "#!/usr/bin/env python3\n# c\na = 1\n", "#!/usr/bin/env python3\na = 1\n");
    compact("a.sh", "#!/bin/sh\n#c\nb\n", "#!/bin/sh\nb\n");
    compact("a.rb", "#!/usr/bin/ruby\n#c\nb\n", "#!/usr/bin/ruby\nb\n");
    compact("a.js", "#!/usr/bin/env node\n//c\nb();\n", "#!/usr/bin/env node\nb();\n");
    // Elsewhere it is a comment like any other.
    compact("a.py", "\n#!/usr/bin/env python3\na = 1\n", "a = 1\n");
}

#[test]
fn directive_comments_are_removed_too() {
    compact("a.py", "# -*- coding: utf-8 -*-\na = b  # type: ignore[x]\n", "a = b\n");
    compact(
        "a.ts",
        "// @ts-nocheck\n/* eslint-disable */\nlet a = b; // eslint-disable-line\n",
        "let a = b;\n",
    );
    compact(
        "a.go",
        "//go:build linux\n\npackage a\n\n//go:embed x\nvar b string\n",
        "package a\nvar b string\n",
    );
    compact("a.c", "// NOLINTNEXTLINE\nint a; /* clang-format off */\n", "int a;\n");
    compact("a.sh", "# shellcheck disable=SC2034\na=1\n", "a=1\n");
}

#[test]
fn strings_that_look_like_comments_stay() {
    for (path, text) in [
        ("a.c", "char *a = \"// x\"; char b = '#'; char *c = \"/* \\\" */\";\n"),
        ("a.rs", "const A: &str = r#\"// x\n\n/* y */\"#;\n"),
        ("a.go", "package a\n\nvar b = `// x\n\n/* y */`\n"),
        ("a.js", "a = `// x\n\n${b}/* y */`; c = /\\/\\/ d/; e = '// f';\n"),
        ("a.py", "a = '# x'\nb = \"\"\"\n# y\n\n\"\"\"\nc = f'{d}# e'\n"),
        ("a.rb", "a = '# x'\nb = \"#{c} # d\"\ne = %q(# f)\n"),
        ("a.sh", "a='# x'\nb=\"${c#d}\"\necho e#f\n"),
        ("a.sql", "SELECT '-- x', '/* y */';\n"),
        ("a.lua", "a = [[-- x\n\n]]\nb = '-- y'\n"),
        ("a.yml", "a: '# x'\nb: c#d\ne: |\n  # f\n\n  g\n"),
        ("a.toml", "a = '# x'\nb = \"\"\"\n# y\n\n\"\"\"\n"),
        ("a.css", "p { content: \"/* x */\"; }\n"),
        ("a.html", "<p title=\"<!-- x -->\">a</p><script>// b\n\nc</script>\n"),
        ("a.xml", "<a b=\"&lt;!-- x --&gt;\"><![CDATA[<!-- c -->\n\n]]></a>\n"),
    ] {
        check(path, COMMENTS, text, text);
    }
}

#[test]
fn heredocs_stay() {
    for (path, text) in [
        ("a.sh", "cat <<EOF\n# x\n\ny\nEOF\ncat <<-'E'\n\t# z\n\n\tE\n"),
        ("a.rb", "a = <<~EOS\n  # x\n\n  y\nEOS\n"),
        ("a.php", "<?php\n$a = <<<EOT\n// x\n\n# y\nEOT;\n$b = <<<'N'\n/* z */\n\nN;\n"),
        ("a.tf", "a = <<EOF\n# x\n\ny\nEOF\n"),
        ("Dockerfile", "FROM a\nRUN <<EOF\n# x\n\nb\nEOF\n"),
    ] {
        check(path, Tier::Compact.wanted(), text, text);
    }
}

#[test]
fn preprocessor_lines_stay() {
    let text =
        "#include <a.h> // x\n#define A 1 /* y */\n#define B(x) \\\n    x /* z */ \\\n    + 1\n#endif // w\n";
    unchanged("a.c", text);
    compact("a.c", "#if A // x\nint a; // y\n#endif /* A */\n", "#if A // x\nint a;\n#endif /* A */\n");
    compact(
        "a.cs",
        "#region A // x\nclass B { } // y\n#endregion\n",
        "#region A // x\nclass B { }\n#endregion\n",
    );
}

#[test]
fn removing_a_full_line_comment_leaves_at_most_one_blank_line() {
    check("a.py", COMMENTS, "a = 1\n\n\n# c\n# d\n\n\nb = 1\n", "a = 1\n\nb = 1\n");
    check("a.py", COMMENTS, "a = 1\n\n# c\nb = 1\n", "a = 1\n\nb = 1\n");
    check("a.py", COMMENTS, "a = 1\n# c\n\nb = 1\n", "a = 1\n\nb = 1\n");
    check("a.py", COMMENTS, "a = 1\n# c\nb = 1\n", "a = 1\nb = 1\n");
    // Blank lines away from comments stay, and so does what follows a comment on its line.
    check("a.py", COMMENTS, "a = 1\n\n\nb = 1 # c\n\n\nd = 1\n", "a = 1\n\n\nb = 1\n\n\nd = 1\n");
    check("a.py", COMMENTS, "# licence\n\n\na = 1\n", "a = 1\n");
}

#[test]
fn blank_line_stripping_removes_lines_of_white_space_outside_tokens() {
    check(
        "a.rs",
        BLANK_LINES,
        "\n \t\nfn a() {\n\n    b(\n\n    );\r\n\r\n}\n\n \n",
        "fn a() {\n    b(\n    );\r\n}\n",
    );
    check(
        "a.rs",
        BLANK_LINES,
        "/* a\n\nb */\n\nconst C: &str = \"d\n\ne\";\n",
        "/* a\n\nb */\nconst C: &str = \"d\n\ne\";\n",
    );
    check("a.c", BLANK_LINES, "#define A \\\n\nint b;\n\nint c;\n", "#define A \\\n\nint b;\nint c;\n");
    check("a.py", BLANK_LINES, "a = 1 \\\n\nb = 1\n\nc = 1\n", "a = 1 \\\n\nb = 1\nc = 1\n");
}

#[test]
fn text_nodes_of_markup_stay() {
    compact(
        "a.html",
        "<p>a\n\nb <!-- c --> d</p>\n\n<pre>\n\nx <!-- e -->\n\n</pre>\n",
        "<p>a\n\nb d</p>\n<pre>\n\nx <!-- e -->\n\n</pre>\n",
    );
    compact("a.xml", "<a>\n\n  <b>c\n\n</b>\n\n</a>\n", "<a>\n\n  <b>c\n\n</b>\n\n</a>\n");
    compact("a.xml", "<a>b<!-- c -->d</a>\n", "<a>bd</a>\n");
}

#[test]
fn an_inline_comment_never_joins_two_tokens() {
    compact("a.c", "int/**/a; int b /* c */ = 1; f(/* d */1, 2 /* e */);\n", "int a; int b = 1; f(1, 2);\n");
    // A comment with a line end in it ends a statement in Go, so this is a file with a defect.
    unchanged("a.go", "package a\nvar b = c /* d\n*/ + e\n");
}

#[test]
fn a_result_that_is_not_smaller_is_no_result() {
    unchanged("a.rs", "fn a() {}\nfn b() { }\n");
    unchanged("a.rs", "struct A;\n");
    unchanged("a.rs", "");
}

#[test]
fn line_ends_stay_what_they_are() {
    signatures(
        "a.py",
        "# c\r\ndef f(a):\r\n    # d\r\n    return a\r\n\r\nb = 1\r\n",
        "def f(a):\r\n    ...\r\nb = 1\r\n",
    );
    signatures("a.rs", "// c\r\nfn f() {\r\n    a\r\n} // d\r\n", "fn f() { }\r\n");
    compact("a.rb", "# c\r\na = 1 # d\r\n", "a = 1\r\n");
    compact("a.rs", "a!(); // c", "a!();");
    compact("a.rs", "a!();\n// c", "a!();\n");
}

#[test]
fn unions_of_wishes_are_carried_out_together() {
    let profile = Wanted { bodies: true, ..Wanted::none() };
    let text = "// c\n\nfn a() { b() }\n";
    let union = profile.union(Tier::Compact.wanted());
    assert_eq!(reduced("a.rs", text, union), reduced("a.rs", text, Tier::Signatures.wanted()));
}
