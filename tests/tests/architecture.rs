//! The arrows of ARCHITECTURE.md: which crates a crate may depend on, and which files of a crate import
//! each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Each crate: its folder, and exactly the crates of this workspace that it depends on.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/image", &[]),
    ("crates/shell", &[]),
    ("crates/json", &[]),
    ("crates/secrets", &[]),
    ("crates/intent", &[]),
    ("crates/facts", &["image", "json", "secrets", "shell"]),
    ("stdlib-profiles", &[]),
    ("runtime", &["facts", "image", "intent", "json", "secrets", "shell"]),
    ("compiler", &["facts", "image", "runtime", "shell"]),
    ("agents", &["facts", "json", "runtime", "shell"]),
    ("crates/models", &["runtime"]),
    ("crates/rule-tests", &["agents", "compiler", "runtime"]),
    ("lsp", &["compiler"]),
    ("dap", &["agents", "image", "json", "runtime"]),
    ("mcp", &[]),
    (
        "cli",
        &[
            "agents",
            "compiler",
            "dap",
            "facts",
            "image",
            "json",
            "lsp",
            "mcp",
            "models",
            "rule-tests",
            "runtime",
            "secrets",
            "shell",
            "stdlib",
        ],
    ),
    (
        "tests",
        &[
            "agents",
            "compiler",
            "facts",
            "image",
            "rule-tests",
            "runtime",
            "secrets",
            "shell",
            "stdlib",
        ],
    ),
    ("xtask", &[]),
];

/// The leaves of the runtime, as files and folders of `runtime/src`: they stand on its core, which knows none of them.
const LEAVES: &[&str] = &[
    "brain",
    "classifier",
    "command_explanation",
    "constitution",
    "exchange",
    "explain",
    "model",
    "monitor",
    "verifier",
    "workflow",
];

/// What joins the core of the runtime with its leaves, for those who embed it. Every other file there is of the core.
const ASSEMBLY: &[&str] = &[
    "conversation",
    "layers",
    "lib",
    "preflight",
    "question",
    "replay",
    "report",
    "saved",
    "session",
    "session_layer",
    "shared",
];

/// The most lines of code of the core, without tests, comments and blank lines.
const MAX_CORE: usize = 8_000;

#[test]
fn crates_depend_on_what_the_map_allows() {
    for (folder, allowed) in CRATES {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        let dependencies = manifest
            .split("\n[")
            .find_map(|section| section.strip_prefix("dependencies]"))
            .unwrap_or_default();
        let found: Vec<&str> = dependencies
            .lines()
            .filter_map(|line| line.strip_prefix("behavior-"))
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .collect();
        assert_eq!(found, *allowed, "dependencies of `{folder}`, in the order of the alphabet");
    }
}

#[test]
fn the_map_names_every_crate() {
    let manifest = read(&root().join("Cargo.toml"));
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let found: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let named: BTreeSet<&str> = CRATES.iter().map(|(folder, _)| *folder).collect();
    assert_eq!(found, named);
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    for (folder, _) in CRATES {
        let mut modules = Modules::new();
        collect_modules(&root().join(folder).join("src"), &mut Vec::new(), &mut modules);
        let mut circles = circles(&imports(&modules));
        // Two files may be parts of one thing.
        circles.retain(|circle| circle.len() > 2);
        assert!(circles.is_empty(), "{folder}: {circles:#?}");
    }
}

#[test]
fn the_core_of_the_runtime_imports_no_leaf() {
    let folder = root().join("runtime/src");
    let mut modules = Modules::new();
    collect_modules(&folder, &mut Vec::new(), &mut modules);
    let parts: BTreeSet<&str> = modules.values().map(|module| part(&module.file)).collect();
    let is_gone = |name: &&&str| !parts.contains(**name);
    let gone: Vec<_> = LEAVES.iter().chain(ASSEMBLY).filter(is_gone).collect();
    assert!(gone.is_empty(), "not in `runtime/src` any more: {gone:?}");
    let mut wrong = Vec::new();
    for (path, module) in &modules {
        // What a leaf gives on of the core's counts for the leaf: nobody needs to go there for it.
        let is_above = |used: &ModulePath| {
            let name = used.first().map(String::as_str).filter(|name| parts.contains(name));
            Group::of(name.unwrap_or("lib")) > Group::of(&module.file)
        };
        let used = all_uses(path, module, &modules).into_iter().map(|(_, used)| used);
        let named = used.filter(is_above).map(|used| used.join("::"));
        wrong.extend(named.map(|named| format!("{} names {named}", module.file)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let core = modules.values().filter(|module| Group::of(&module.file) == Group::Core);
    let lines: usize = core.map(|module| lines_of_code(&read(&folder.join(&module.file)))).sum();
    assert!(lines <= MAX_CORE, "the core has {lines} lines of code");
}

/// The groups of the runtime's files. None imports one that comes behind it.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Core,
    Leaf,
    Assembly,
}

impl Group {
    fn of(file: &str) -> Self {
        match part(file) {
            name if LEAVES.contains(&name) => Self::Leaf,
            name if ASSEMBLY.contains(&name) => Self::Assembly,
            _ => Self::Core,
        }
    }
}

/// The file or folder at the top that a file is, or lies in, without an ending.
fn part(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap_or_default()
}

/// How many lines of code a text has, without its tests.
fn lines_of_code(text: &str) -> usize {
    let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
    code.lines().map(str::trim).filter(is_code).count()
}

#[test]
fn lines_of_code_are_no_comments_and_no_tests() {
    let text = "//! A file.\n\nfn f() {\n    // Why.\n    g(); // How.\n}\n";
    assert_eq!(lines_of_code(text), 3);
    assert_eq!(
        lines_of_code(&format!("{text}\n#[cfg(test)]\nmod tests {{\n    fn t() {{}}\n}}\n")),
        3
    );
}

#[test]
fn imports_are_found_however_they_are_written() {
    let files = [
        ("", "lib.rs", "mod one;\nmod two;\nmod three;\npub use one::One;\n"),
        ("one", "one.rs", "use crate::two::{\n    self, Two as Other,\n};\npub struct One;\n"),
        // A function and an imported module of one name, and a module inside.
        (
            "two",
            "two.rs",
            "use super::three;\nfn three() {}\nmod inner {\n    use super::Two;\n}\n",
        ),
        (
            "three",
            "three.rs",
            "fn f() { super::One::new(); crate::two::three() }\n// crate::four::f()\n",
        ),
        ("four", "four.rs", "#[cfg(test)]\nmod tests {\n    use crate::one::One;\n}\n"),
    ];
    let modules = files.iter().map(|(path, file, text)| {
        let path: ModulePath =
            path.split("::").filter(|s| !s.is_empty()).map(str::to_owned).collect();
        (path, Module::of((*file).to_owned(), text))
    });
    let found = imports(&modules.collect());
    let of = |file: &str| found[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("lib.rs"), ["one.rs"]);
    assert_eq!(of("one.rs"), ["two.rs"]);
    assert_eq!(of("two.rs"), ["three.rs"]);
    assert_eq!(of("three.rs"), ["one.rs", "two.rs"]);
    assert_eq!(of("four.rs"), [""; 0]);
    let circle = ["one.rs", "three.rs", "two.rs"].map(str::to_owned).to_vec();
    assert!(circles(&found).contains(&circle));
}

/// The files of a crate, and the files that each imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// A path of modules and what they hold, from the root of a crate.
type ModulePath = Vec<String>;

/// What `use` names in a module, with the name that it then has there.
type Uses = Vec<(String, ModulePath)>;

/// A file of a crate, without what only tests see.
struct Module {
    /// Its name below `src`.
    file: String,
    text: String,
    /// The modules that stand inside it, by name.
    inner: Vec<(String, String)>,
}

type Modules = BTreeMap<ModulePath, Module>;

impl Module {
    fn of(file: String, text: &str) -> Self {
        let (text, mut inner) = take_inner(text);
        // Tests inside a file may import whatever they like.
        inner.retain(|(name, _)| name != "tests");
        Self { file, text, inner }
    }
}

/// Finds what each file imports. What a module only gives on comes from the file that defines it: a
/// `mod.rs` or `lib.rs` is imported where it defines what is asked for.
fn imports(modules: &Modules) -> Imports {
    let uses: BTreeMap<&ModulePath, Uses> =
        modules.iter().map(|(path, module)| (path, all_uses(path, module, modules))).collect();
    let mut imports = Imports::new();
    for (path, Module { file, .. }) in modules {
        let targets = uses[path].iter().filter_map(|(_, path)| resolve(path, modules, &uses, 0));
        imports.insert(file.clone(), targets.filter(|target| target != file).collect());
    }
    imports
}

/// Finds what a file names from its own crate, in its own module and in those inside it.
fn all_uses(path: &ModulePath, module: &Module, modules: &Modules) -> Uses {
    let mut found = uses(path, &module.text, modules);
    for (name, text) in &module.inner {
        let path = [&**path, std::slice::from_ref(name)].concat();
        // Nothing else finds these by a name.
        found.extend(uses(&path, text, modules).into_iter().map(|(_, path)| (String::new(), path)));
    }
    found
}

/// Takes the modules out of a text that stand inside it with theirs.
fn take_inner(text: &str) -> (String, Vec<(String, String)>) {
    let (mut own, mut inner): (String, Vec<(String, String)>) = Default::default();
    let mut is_inside = false;
    for line in text.lines() {
        let declared = line.strip_suffix(" {").and_then(|line| line.split_once("mod "));
        match declared {
            _ if is_inside => {
                is_inside = line != "}";
                inner.last_mut().unwrap().1.extend([line, "\n"]);
            }
            Some((before, name)) if before.is_empty() || before.starts_with("pub") => {
                is_inside = true;
                inner.push((name.to_owned(), String::new()));
            }
            _ => own.extend([line, "\n"]),
        }
    }
    (own, inner)
}

/// Finds what a module names from its own crate.
fn uses(module: &ModulePath, text: &str, modules: &Modules) -> Uses {
    let is_declared = |(at, _): &(usize, &str)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || line == "pub" || line.starts_with("pub(") && line.ends_with(')')
    };
    let mut uses = Uses::new();
    let (mut code, mut end) = (String::new(), 0);
    for (at, sign) in text.match_indices("use ").filter(is_declared) {
        let declared = text[at + sign.len()..].split(';').next().unwrap_or_default();
        code.push_str(text.get(end..at).unwrap_or_default());
        end = at + sign.len() + declared.len();
        let tree = declared.split_whitespace().collect::<Vec<_>>().join(" ").replace(" as ", "@");
        for path in expand("", &tree.replace(' ', "")) {
            let (path, alias) = path.split_once('@').unwrap_or((&path, ""));
            uses.extend(absolute(module, path, modules).map(|path| match alias {
                "" => (path.last().cloned().unwrap_or_default(), path),
                alias => (alias.to_owned(), path),
            }));
        }
    }
    code.push_str(text.get(end..).unwrap_or_default());
    uses.extend(written_out(&code, &uses, module, modules));
    uses
}

/// Finds the paths that code names where it uses them, without a `use` of their own: from the root of the
/// crate, from a module inside this one, or from a module that was imported by name.
fn written_out(code: &str, uses: &Uses, module: &ModulePath, modules: &Modules) -> Uses {
    let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ':');
    let paths = code.flat_map(|line| line.split(|sign| !is_part(sign)));
    let paths = paths.filter(|path| path.contains("::")).map(|path| path.trim_end_matches(':'));
    let mut found = Uses::new();
    for path in paths.collect::<BTreeSet<_>>() {
        let (first, rest) = path.split_once("::").unwrap_or((path, ""));
        let imported = uses.iter().find(|(name, _)| name == first).map(|(_, path)| {
            path.iter().cloned().chain(rest.split("::").map(str::to_owned)).collect()
        });
        let target = imported.or_else(|| absolute(module, path, modules));
        // Nothing else finds these by a name.
        found.extend(target.map(|target| (String::new(), target)));
    }
    found
}

/// Finds the modules below a folder: the path of each, and its file.
fn collect_modules(folder: &Path, module: &mut ModulePath, modules: &mut Modules) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        if entry.is_dir() {
            module.push(name);
            collect_modules(&entry, module, modules);
            module.pop();
        } else if entry.extension().is_some_and(|extension| extension == "rs")
            && !matches!(&*name, "tests" | "testing" | "oracle")
        {
            let own = (!matches!(&*name, "lib" | "main" | "mod")).then_some(name);
            let path: ModulePath = module.iter().cloned().chain(own).collect();
            let above = module.join("/");
            let file = entry.file_name().unwrap().to_str().unwrap();
            let file = Path::new(&above).join(file).to_str().unwrap().to_owned();
            modules.insert(path, Module::of(file, &read(&entry)));
        }
    }
}

/// Takes the braces of a tree of imports apart: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(prefix: &str, tree: &str) -> Vec<String> {
    let Some((before, inside)) = tree.split_once('{') else {
        return vec![format!("{prefix}{tree}")];
    };
    let (prefix, mut paths, mut depth, mut start) = (format!("{prefix}{before}"), Vec::new(), 0, 0);
    for (at, sign) in inside.char_indices() {
        match sign {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                paths.extend(expand(&prefix, &inside[start..at]));
                start = at + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    paths
}

/// Returns a path from the root of the crate, where what a module names is of its crate.
fn absolute(module: &ModulePath, path: &str, modules: &Modules) -> Option<ModulePath> {
    let mut parts = path.split("::").filter(|part| *part != "*").peekable();
    let mut target = module.clone();
    match *parts.peek()? {
        "crate" => target.clear(),
        "self" | "super" => {}
        child => {
            let is_child = modules.contains_key(&[&**module, &[child.to_owned()]].concat());
            return is_child.then(|| target.into_iter().chain(parts.map(str::to_owned)).collect());
        }
    }
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => _ = target.pop()?,
            part => target.push(part.to_owned()),
        }
    }
    Some(target)
}

/// Returns the file that defines what a path leads to.
fn resolve(
    path: &[String],
    modules: &Modules,
    uses: &BTreeMap<&ModulePath, Uses>,
    steps: usize,
) -> Option<String> {
    const MAX_STEPS: usize = 8;
    let end = (0..=path.len()).rev().find(|end| modules.contains_key(&path[..*end]))?;
    let (module, rest) = path.split_at(end);
    let defined = modules.get(module)?;
    // A function may have the name of a module that its file imports.
    if let [name] = rest
        && defines_function(&defined.text, name)
    {
        return Some(defined.file.clone());
    }
    let given_on = rest.split_first().filter(|_| steps < MAX_STEPS).and_then(|(name, rest)| {
        let (_, path) = uses.get(&module.to_vec())?.iter().find(|(known, _)| known == name)?;
        resolve(&[path, rest].concat(), modules, uses, steps + 1)
    });
    given_on.or_else(|| Some(defined.file.clone()))
}

/// Whether a text defines a function outside of any type.
fn defines_function(text: &str, name: &str) -> bool {
    let declared = text.lines().filter(|line| !line.starts_with([' ', '/']));
    declared.filter_map(|line| line.split_once("fn ")).any(|(_, behind)| {
        behind.strip_prefix(name).is_some_and(|behind| behind.starts_with(['(', '<']))
    })
}

/// Returns the groups of files in which each leads to each other, by Tarjan's algorithm.
fn circles(imports: &Imports) -> Vec<Vec<String>> {
    let mut search =
        Search { imports, indexes: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    for file in imports.keys() {
        if !search.indexes.contains_key(&**file) {
            search.visit(file);
        }
    }
    search.found
}

struct Search<'a> {
    imports: &'a Imports,
    indexes: BTreeMap<&'a str, usize>,
    stack: Vec<&'a str>,
    found: Vec<Vec<String>>,
}

impl<'a> Search<'a> {
    /// Returns the lowest index that can be reached from a file and is still on the stack.
    fn visit(&mut self, file: &'a str) -> usize {
        let index = self.indexes.len();
        let (mut lowest, height) = (index, self.stack.len());
        self.indexes.insert(file, index);
        self.stack.push(file);
        for next in self.imports.get(file).into_iter().flatten() {
            match self.indexes.get(&**next) {
                None => lowest = lowest.min(self.visit(next)),
                Some(seen) if self.stack.contains(&&**next) => lowest = lowest.min(*seen),
                Some(_) => {}
            }
        }
        if lowest == index {
            let mut circle: Vec<String> = self.stack.drain(height..).map(str::to_owned).collect();
            circle.sort();
            self.found.push(circle);
        }
        lowest
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
