//! What a person types: commands, options and their help. It checks spellings, not projects.

pub(crate) mod docs;
pub(crate) mod setup;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use project::request::{Detail, GitMode, Narrowing, PackFormat, TreeFormat, View};

/// Read a project, or let coding agents read it, without being able to harm it or leak from it.
#[derive(Debug, Parser)]
#[command(name = "readroom", version, max_term_width = 100, propagate_version = true)]
pub(crate) struct Flags {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve a coding agent over standard input and output
    Mcp(Mcp),
    /// Print the effective tree of a project
    Tree(TreeFlags),
    /// Measure a project: files, characters, estimated tokens, largest files
    Analyze(AnalyzeFlags),
    /// Pack a project into one redacted document
    Pack(PackFlags),
    /// Search the redacted text of a project
    Search(SearchFlags),
    /// Print one file, redacted
    Cat(CatFlags),
    /// Save, show, list or remove the local profile of a project
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// List or remove the cached checkouts of remote projects
    #[command(subcommand)]
    Cache(CacheCommand),
    /// Exact lines within small bounds, and what was not looked at
    #[command(subcommand)]
    Evidence(EvidenceCommand),
    /// Tell a client about a server: print the exact command or text, or edit the client's own file
    Setup(setup::SetupFlags),
    /// Look at this machine and say what does not work, and what to do about it
    Doctor(setup::DoctorFlags),
    /// Check and read a project of structured documents
    #[command(subcommand)]
    Docs(docs::DocsCommand),
}

/// `readroom mcp` is `readroom mcp project`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) server: Option<Server>,
    #[command(flatten)]
    pub(crate) project: ProjectServer,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Server {
    /// Inspect, search and pack projects (the default)
    Project(ProjectServer),
    /// Exact lines of one project within small bounds
    Evidence(EvidenceServer),
    /// Structured documents of one project as a typed graph; proposals that a person applies
    Docs(DocsServer),
}

#[derive(Debug, Args)]
pub(crate) struct DocsServer {
    /// The folder with docforge.toml
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) project_root: PathBuf,
    /// Take proposals under the rights of this writer of the manifest
    #[arg(long, value_name = "NAME")]
    pub(crate) proposal_writer: Option<String>,
    /// Never open the page that shows the graph
    #[arg(long)]
    pub(crate) no_visualize: bool,
    /// Minutes without a look after which the page is closed
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=240))]
    pub(crate) view_idle_minutes: u64,
    /// What the kernel holds this process to once it has started
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Sandbox::Auto)]
    pub(crate) sandbox: Sandbox,
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceServer {
    /// The project root
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: PathBuf,
    /// Show texts as they are, secrets included
    #[arg(long)]
    pub(crate) exact: bool,
    /// What the kernel holds this process to once it has started
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Sandbox::Auto)]
    pub(crate) sandbox: Sandbox,
}

/// Whether the kernel confines a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sandbox {
    /// As far as this kernel can
    Auto,
    /// Wholly, or the server does not start
    Require,
    /// Not at all
    Off,
}

#[derive(Debug, Args)]
pub(crate) struct ProjectServer {
    /// A project root; repeat it for several [default: $DEVPROJEX_ROOT, $CLAUDE_PROJECT_DIR, the current folder]
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: Vec<PathBuf>,
    /// Redact private data (addresses, phone numbers, user names) as well as secrets
    #[arg(long)]
    pub(crate) hide_private_data: bool,
    /// Accept repository URLs as projects
    #[arg(long)]
    pub(crate) allow_remote: bool,
    /// Accept repository URLs whose host is on this machine or in a private network
    #[arg(long, requires = "allow_remote")]
    pub(crate) allow_private_hosts: bool,
    /// The Git baseline where a request names no profile
    #[arg(long, value_name = "MODE", value_enum, ignore_case = true)]
    pub(crate) git_mode: Option<GitModeFlag>,
    /// Characters of one page: `auto`, or 4000 to 50000
    #[arg(long, value_name = "N", default_value = "auto", value_parser = page_chars)]
    pub(crate) page_chars: PageChars,
    /// What the kernel holds this process to once it has started
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Sandbox::Auto)]
    pub(crate) sandbox: Sandbox,
}

/// A Git baseline. Momentary states belong to a request's `git_scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GitModeFlag {
    /// No Git rule hides anything
    #[value(alias = "off")]
    None,
    /// Ignore files hide what they name
    Gitignore,
    /// Only files in the Git index
    Tracked,
}

impl From<GitModeFlag> for GitMode {
    fn from(flag: GitModeFlag) -> Self {
        match flag {
            GitModeFlag::None => GitMode::None,
            GitModeFlag::Gitignore => GitMode::Ignore,
            GitModeFlag::Tracked => GitMode::Tracked,
        }
    }
}

/// `--page-chars`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageChars {
    Auto,
    Fixed(usize),
}

/// What every command that reads a project accepts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectionFlags {
    /// Only files that match this glob, such as 'src/**/*.rs'; repeat it for several
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// No file that matches this glob; repeat it for several
    #[arg(short = 'x', long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Only files in the Git index
    #[arg(long)]
    pub(crate) tracked_only: bool,
    /// Only files of a Git state: staged, changes or diff:A..B
    #[arg(long, value_name = "SCOPE")]
    pub(crate) git_scope: Option<String>,
    /// No file larger than this many bytes
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_file_bytes: Option<u64>,
    /// The Git baseline: none, gitignore or tracked
    #[arg(long, value_name = "MODE", value_enum, ignore_case = true)]
    pub(crate) git_mode: Option<GitModeFlag>,
    /// Redact private data as well as secrets
    #[arg(long)]
    pub(crate) hide_private_data: bool,
    #[command(flatten)]
    pub(crate) remote: RemoteFlags,
}

/// What every command accepts that can read a remote project.
#[derive(Debug, Args)]
#[command(next_help_heading = "Remote projects")]
pub(crate) struct RemoteFlags {
    /// Accept a repository URL as DIR
    #[arg(long)]
    pub(crate) allow_remote: bool,
    /// Accept a URL whose host is on this machine or in a private network
    #[arg(long, requires = "allow_remote")]
    pub(crate) allow_private_hosts: bool,
    /// The branch of a repository URL [default: the repository's own]
    #[arg(long, value_name = "BRANCH")]
    pub(crate) branch: Option<String>,
}

impl SelectionFlags {
    pub(crate) fn narrowing(&self, paths: &[String]) -> Narrowing {
        Narrowing {
            include_patterns: self.include.clone(),
            exclude_patterns: self.exclude.clone(),
            paths: paths.to_vec(),
            tracked_only: self.tracked_only,
            git_scope: self.git_scope.clone(),
            max_file_bytes: self.max_file_bytes,
        }
    }
}

/// What every command that measures or packs content accepts.
#[derive(Debug, Args)]
pub(crate) struct ContentFlags {
    /// Only this file or folder; repeat it for several
    #[arg(long = "path", value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// A profile: standard, local or the path of a portable profile in the project
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// How much of the code is kept
    #[arg(long, value_enum, ignore_case = true, default_value = "full")]
    pub(crate) detail: DetailFlag,
}

#[derive(Debug, Args)]
pub(crate) struct TreeFlags {
    /// The project [default: the current folder]
    #[arg(value_name = "DIR", value_parser = text)]
    pub(crate) dir: Option<String>,
    /// The format
    #[arg(short, long, value_enum, ignore_case = true, default_value = "text")]
    pub(crate) format: FormatFlag,
    /// Levels below the root
    #[arg(short = 'L', long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) max_depth: Option<u32>,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: SelectionFlags,
}

#[derive(Debug, Args)]
pub(crate) struct AnalyzeFlags {
    /// The project [default: the current folder]
    #[arg(value_name = "DIR", value_parser = text)]
    pub(crate) dir: Option<String>,
    #[command(flatten)]
    pub(crate) content: ContentFlags,
    /// How many of the largest files are listed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) top_files: u32,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: SelectionFlags,
}

#[derive(Debug, Args)]
pub(crate) struct PackFlags {
    /// The project [default: the current folder]
    #[arg(value_name = "DIR", value_parser = text)]
    pub(crate) dir: Option<String>,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", value_parser = path)]
    pub(crate) output: Option<PathBuf>,
    /// Replace FILE when it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// The format
    #[arg(short, long, value_enum, ignore_case = true, default_value = "markdown")]
    pub(crate) format: FormatFlag,
    /// What the pack holds
    #[arg(long, value_enum, ignore_case = true, default_value = "tree-content")]
    pub(crate) view: ViewFlag,
    /// A budget of estimated tokens for the content
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tokens: Option<u64>,
    #[command(flatten)]
    pub(crate) content: ContentFlags,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: SelectionFlags,
}

#[derive(Debug, Args)]
pub(crate) struct SearchFlags {
    /// A regular expression, matched line by line
    #[arg(value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) pattern: String,
    /// The project [default: the current folder]
    #[arg(value_name = "DIR", value_parser = text)]
    pub(crate) dir: Option<String>,
    /// Lines of context on each side
    #[arg(short = 'C', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub(crate) context: u32,
    /// Tell upper from lower case
    #[arg(short = 's', long)]
    pub(crate) case_sensitive: bool,
    /// How many matching lines are shown
    #[arg(short = 'm', long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) max_results: u32,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) selection: SelectionFlags,
}

#[derive(Debug, Args)]
pub(crate) struct CatFlags {
    /// The file, below the project
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR", value_parser = text)]
    pub(crate) root: Option<String>,
    /// Only these lines: A-B, A- or A
    #[arg(short, long, value_name = "A-B", value_parser = lines)]
    pub(crate) lines: Option<(u64, Option<u64>)>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The Git baseline: none, gitignore or tracked
    #[arg(long, value_name = "MODE", value_enum, ignore_case = true)]
    pub(crate) git_mode: Option<GitModeFlag>,
    /// Redact private data as well as secrets
    #[arg(long)]
    pub(crate) hide_private_data: bool,
    #[command(flatten)]
    pub(crate) remote: RemoteFlags,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Save a profile for a project
    Save {
        /// The project [default: the current folder]
        #[arg(value_name = "DIR", value_parser = path)]
        dir: Option<PathBuf>,
        /// A portable profile inside the project, or `standard` [default: standard]
        #[arg(long, value_name = "PROFILE", default_value = "standard")]
        from: String,
    },
    /// Print the saved profile of a project as portable JSON
    Show {
        /// The project [default: the current folder]
        #[arg(value_name = "DIR", value_parser = path)]
        dir: Option<PathBuf>,
    },
    /// List the projects that have a saved profile
    List,
    /// Remove the saved profile of a project
    Remove {
        /// The project [default: the current folder]
        #[arg(value_name = "DIR", value_parser = path)]
        dir: Option<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// List the cached checkouts: address, branch, size and last use
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Remove every cached checkout that no running process uses
    Clean,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvidenceCommand {
    /// Find lines that hold literal terms, the best first
    Search(EvidenceSearchFlags),
    /// Print exact lines of one file
    Read(EvidenceReadFlags),
    /// List the files that may be searched and read
    Inventory(EvidenceInventoryFlags),
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceSearchFlags {
    /// A literal, case-sensitive fragment of a line; up to 12
    #[arg(value_name = "TERM", required = true)]
    pub(crate) terms: Vec<String>,
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: Option<PathBuf>,
    /// Show and match texts as they are, secrets included
    #[arg(long)]
    pub(crate) exact: bool,
    /// Print the tool's JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceReadFlags {
    /// The file, below the project
    #[arg(value_name = "PATH")]
    pub(crate) path: String,
    /// The first line
    #[arg(value_name = "START", default_value_t = 1)]
    pub(crate) start: u64,
    /// The last line, inclusive [default: 500 lines]
    #[arg(value_name = "END")]
    pub(crate) end: Option<u64>,
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: Option<PathBuf>,
    /// Show the text as it is, secrets included
    #[arg(long)]
    pub(crate) exact: bool,
    /// Print the tool's JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EvidenceInventoryFlags {
    /// The project [default: the current folder]
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: Option<PathBuf>,
    /// Print the tool's JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatFlag {
    /// Nested list, or headings and fenced blocks
    Markdown,
    /// Connectors, or plain headings
    Text,
    /// One JSON document
    Json,
    /// One XML document
    Xml,
}

impl From<FormatFlag> for TreeFormat {
    fn from(flag: FormatFlag) -> Self {
        match flag {
            FormatFlag::Markdown => TreeFormat::Markdown,
            FormatFlag::Text => TreeFormat::Text,
            FormatFlag::Json => TreeFormat::Json,
            FormatFlag::Xml => TreeFormat::Xml,
        }
    }
}

impl From<FormatFlag> for PackFormat {
    fn from(flag: FormatFlag) -> Self {
        match flag {
            FormatFlag::Markdown => PackFormat::Markdown,
            FormatFlag::Text => PackFormat::Text,
            FormatFlag::Json => PackFormat::Json,
            FormatFlag::Xml => PackFormat::Xml,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewFlag {
    /// The tree and the content
    TreeContent,
    /// The tree alone; no file is read
    Tree,
    /// The content alone
    Content,
}

impl From<ViewFlag> for View {
    fn from(flag: ViewFlag) -> Self {
        match flag {
            ViewFlag::TreeContent => View::TreeContent,
            ViewFlag::Tree => View::Tree,
            ViewFlag::Content => View::Content,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DetailFlag {
    /// Everything
    Full,
    /// Without comments and blank lines
    Compact,
    /// Without bodies as well
    Signatures,
}

impl From<DetailFlag> for Detail {
    fn from(flag: DetailFlag) -> Self {
        match flag {
            DetailFlag::Full => Detail::Full,
            DetailFlag::Compact => Detail::Compact,
            DetailFlag::Signatures => Detail::Signatures,
        }
    }
}

fn path(value: &str) -> Result<PathBuf, &'static str> {
    text(value).map(PathBuf::from)
}

fn text(value: &str) -> Result<String, &'static str> {
    if value.trim().is_empty() { Err("the value is empty") } else { Ok(value.to_owned()) }
}

fn page_chars(value: &str) -> Result<PageChars, &'static str> {
    if value.eq_ignore_ascii_case("auto") {
        return Ok(PageChars::Auto);
    }
    let bounds = project::limits::PAGE_CHARS_MIN..=project::limits::PAGE_CHARS_MAX;
    value
        .parse()
        .ok()
        .filter(|chars| bounds.contains(chars))
        .map(PageChars::Fixed)
        .ok_or("use `auto` or a number from 4000 to 50000")
}

fn lines(value: &str) -> Result<(u64, Option<u64>), &'static str> {
    const FORMS: &str = "use A-B, A- or A, with lines numbered from 1";
    let number = |text: &str| text.parse::<u64>().ok().filter(|line| *line > 0).ok_or(FORMS);
    match value.split_once('-') {
        None => number(value).map(|line| (line, Some(line))),
        Some((first, "")) => Ok((number(first)?, None)),
        Some((first, last)) => Ok((number(first)?, Some(number(last)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Flags, clap::Error> {
        Flags::try_parse_from(std::iter::once("readroom").chain(line.split(' ')))
    }

    #[test]
    fn the_commands_are_well_formed() {
        Flags::command().debug_assert();
    }

    #[test]
    fn mcp_alone_is_the_project_server_and_values_ignore_case() {
        for line in
            ["mcp --root a --root=b --git-mode TRACKED", "mcp project --root a --root=b --git-mode Tracked"]
        {
            let Command::Mcp(mcp) = parse(line).expect("valid").command else { panic!("not mcp") };
            let flags = match mcp.server {
                Some(Server::Project(flags)) => flags,
                Some(Server::Evidence(_) | Server::Docs(_)) => panic!("not the project server"),
                None => mcp.project,
            };
            assert_eq!(flags.root, [PathBuf::from("a"), PathBuf::from("b")]);
            assert_eq!(flags.git_mode, Some(GitModeFlag::Tracked));
        }
        let Command::Mcp(mcp) = parse("mcp --git-mode off").expect("valid").command else {
            panic!("not mcp")
        };
        assert_eq!(mcp.project.git_mode, Some(GitModeFlag::None));
    }

    #[test]
    fn momentary_git_states_empty_values_and_wrong_names_are_usage_errors() {
        for line in [
            "mcp --git-mode staged",
            "mcp --git-mode diff:a..b",
            "mcp --root=",
            "mcp --Root a",
            "mcp --page-chars 3999",
            "mcp --page-chars 50001",
            "search",
            "cat a --lines 0-3",
            "pack --force",
            "tree --max-depth 1001",
            "mcp evidence",
            "mcp evidence --root a --root b",
            "evidence",
            "evidence search",
            "evidence read",
            "evidence read a x",
            "evidence read a 1 2 3",
            "evidence inventory --exact",
        ] {
            assert_eq!(parse(line).map(|_| ()).map_err(|error| error.exit_code()), Err(2), "{line}");
        }
    }
}
