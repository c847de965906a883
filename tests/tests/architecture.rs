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
    ("stdlib-profiles", &[]),
    ("runtime", &["image", "json", "secrets", "shell"]),
    ("compiler", &["image", "runtime", "shell"]),
    ("agents", &["json", "runtime", "shell"]),
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
        &["agents", "compiler", "image", "rule-tests", "runtime", "secrets", "shell", "stdlib"],
    ),
    ("xtask", &[]),
];

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
        let mut circles = circles(&imports(&root().join(folder).join("src")));
        // Two files may be parts of one thing.
        circles.retain(|circle| circle.len() > 2);
        assert!(circles.is_empty(), "{folder}: {circles:#?}");
    }
}

/// The files of a crate, and the files that each imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// A path of modules and what they hold, from the root of a crate.
type ModulePath = Vec<String>;

/// What `use` names in a module, with the name that it then has there.
type Uses = Vec<(String, ModulePath)>;

/// Finds what each file imports. What a module only gives on comes from the file that defines it: a
/// `mod.rs` or `lib.rs` is imported where it defines what is asked for.
fn imports(source: &Path) -> Imports {
    let mut modules = BTreeMap::new();
    collect_modules(source, &mut Vec::new(), &mut modules);
    let uses: BTreeMap<&ModulePath, Uses> = modules
        .iter()
        .map(|(module, file)| (module, uses(module, &read(&source.join(file)), &modules)))
        .collect();
    let mut imports = Imports::new();
    for (module, file) in &modules {
        let targets = uses[module].iter().filter_map(|(_, path)| resolve(path, &modules, &uses, 0));
        imports.insert(file.clone(), targets.filter(|target| target != file).collect());
    }
    imports
}

/// Finds what a module names from its own crate.
fn uses(module: &ModulePath, text: &str, modules: &BTreeMap<ModulePath, String>) -> Uses {
    // Tests inside a file may import whatever they like.
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_declared = |(at, _): &(usize, &str)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default().trim();
        line.is_empty() || line == "pub" || line.starts_with("pub(") && line.ends_with(')')
    };
    let mut uses = Uses::new();
    for (at, sign) in text.match_indices("use ").filter(is_declared) {
        let tree = text[at + sign.len()..].split(';').next().unwrap_or_default();
        let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ").replace(" as ", "@");
        for path in expand("", &tree.replace(' ', "")) {
            let (path, alias) = path.split_once('@').unwrap_or((&path, ""));
            uses.extend(absolute(module, path, modules).map(|path| match alias {
                "" => (path.last().cloned().unwrap_or_default(), path),
                alias => (alias.to_owned(), path),
            }));
        }
    }
    uses
}

/// Finds the modules below a folder: the path of each, and its file.
fn collect_modules(
    folder: &Path,
    module: &mut ModulePath,
    modules: &mut BTreeMap<ModulePath, String>,
) {
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
            modules.insert(path, Path::new(&above).join(file).to_str().unwrap().to_owned());
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
fn absolute(
    module: &ModulePath,
    path: &str,
    modules: &BTreeMap<ModulePath, String>,
) -> Option<ModulePath> {
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
    modules: &BTreeMap<ModulePath, String>,
    uses: &BTreeMap<&ModulePath, Uses>,
    steps: usize,
) -> Option<String> {
    const MAX_STEPS: usize = 8;
    let end = (0..=path.len()).rev().find(|end| modules.contains_key(&path[..*end]))?;
    let (module, rest) = path.split_at(end);
    let given_on = rest.split_first().filter(|_| steps < MAX_STEPS).and_then(|(name, rest)| {
        let (_, path) = uses.get(&module.to_vec())?.iter().find(|(known, _)| known == name)?;
        resolve(&[path, rest].concat(), modules, uses, steps + 1)
    });
    given_on.or_else(|| modules.get(module).cloned())
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
