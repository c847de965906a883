//! Command lines with what the built-in shell rules say to them, as data. Reads the data and
//! compares an answer with it; runs nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

/// The built-in rules that the data is about.
pub const RULES: [&str; 5] = [
    "confirm_destructive",
    "confirm_destructive_extended",
    "opaque_command",
    "no_bash_for_files",
    "no_blind_exploration",
];

/// A command line and what is expected of it. The fields are described beside the data.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file that it stands in.
    pub file: String,
    /// The command line.
    pub command: String,
    /// The rules that fire, for each its alternatives.
    pub rules: Vec<Vec<String>>,
    /// The rules that may fire or not.
    pub may: Vec<String>,
    /// Whether it is a test run.
    pub resets: bool,
    /// Whether it may be run where only stubs are.
    pub may_run: bool,
    /// The programs that bash starts.
    pub runs: Option<Vec<Vec<String>>>,
}

impl Entry {
    /// Whether one of the rules that must fire speaks of destruction.
    #[must_use]
    pub fn is_destructive(&self) -> bool {
        self.rules.iter().flatten().any(|rule| rule.starts_with("confirm_destructive"))
    }

    /// Whether it may be that nobody can say what it runs.
    #[must_use]
    pub fn may_be_opaque(&self) -> bool {
        self.rules.iter().flatten().chain(&self.may).any(|rule| rule == "opaque_command")
    }

    /// The rules that should have fired and did not.
    #[must_use]
    pub fn missing(&self, fired: &BTreeSet<&str>) -> Vec<String> {
        let missing = |rule: &&Vec<String>| !rule.iter().any(|id| fired.contains(id.as_str()));
        self.rules.iter().filter(missing).map(|rule| rule.join(" | ")).collect()
    }

    /// The rules that fired and should not have.
    #[must_use]
    pub fn unexpected(&self, fired: &BTreeSet<&str>) -> Vec<String> {
        let known = || self.rules.iter().flatten().chain(&self.may);
        let unexpected = fired.iter().filter(|id| !known().any(|known| known == *id));
        unexpected.map(|id| (*id).to_owned()).collect()
    }
}

/// Reads every `*.yaml` of a folder.
///
/// # Errors
/// When a file cannot be read, or an entry is not as it should be: which, and why.
pub fn load(folder: &Path) -> Result<Vec<Entry>, String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| error.to_string())? {
        paths.push(entry.map_err(|error| error.to_string())?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    let mut entries = Vec::new();
    for path in paths {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let list: Vec<Map<String, Value>> =
            serde_yaml::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        for fields in list {
            let command = fields.get("command").cloned().unwrap_or_default();
            let entry = read(name, fields).map_err(|why| format!("{name}: {command}: {why}"))?;
            entries.push(entry);
        }
    }
    let mut seen = BTreeSet::new();
    match entries.iter().find(|entry| !seen.insert(&entry.command)) {
        Some(twice) => Err(format!("{}: `{}` stands twice", twice.file, twice.command)),
        None => Ok(entries),
    }
}

fn read(file: &str, mut fields: Map<String, Value>) -> Result<Entry, String> {
    let command = match fields.remove("command") {
        Some(Value::String(command)) => command,
        _ => return Err("`command` is missing".to_owned()),
    };
    let rules = fields.remove("rules").ok_or("`rules` is missing")?;
    let rules: Vec<Vec<String>> = strings(&rules)?
        .iter()
        .map(|rule| rule.split(" | ").map(str::to_owned).collect())
        .collect();
    let may = fields.remove("may").map_or(Ok(Vec::new()), |may| strings(&may))?;
    let runs = match fields.remove("runs") {
        Some(Value::Array(runs)) => Some(runs.iter().map(strings).collect::<Result<_, _>>()?),
        Some(_) => return Err("`runs` is no list".to_owned()),
        None => None,
    };
    let resets = flag(&mut fields, "resets")?.unwrap_or(false);
    let may_run = flag(&mut fields, "run")?.unwrap_or(true);
    fields.remove("why");
    if let Some(unknown) = fields.keys().next() {
        return Err(format!("unknown field `{unknown}`"));
    }
    if let Some(unknown) = rules.iter().flatten().chain(&may).find(|id| !RULES.contains(&&***id)) {
        return Err(format!("unknown rule `{unknown}`"));
    }
    Ok(Entry { file: file.to_owned(), command, rules, may, resets, may_run, runs })
}

fn strings(value: &Value) -> Result<Vec<String>, String> {
    let list = value.as_array().ok_or_else(|| format!("`{value}` is no list"))?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    list.iter().map(|v| text(v).ok_or_else(|| format!("`{v}` is no text"))).collect()
}

fn flag(fields: &mut Map<String, Value>, name: &str) -> Result<Option<bool>, String> {
    match fields.remove(name) {
        None => Ok(None),
        Some(Value::Bool(flag)) => Ok(Some(flag)),
        Some(_) => Err(format!("`{name}` is neither `true` nor `false`")),
    }
}

/// An everyday command line of a hundred bytes; the number makes it another one.
#[must_use]
pub fn everyday(number: usize) -> String {
    format!(
        "cd services/billing && cargo build --release --locked 2>&1 | tail -n 20; \
         git push origin work/t{:02}",
        number % 100
    )
}

/// A script of ten thousand bytes, about, as people write them; the number makes it another one.
#[must_use]
pub fn script(number: usize) -> String {
    const PART: &str = r#"
# Builds what has changed and puts it where the others find it.
cd "$(dirname "$0")/.." || exit 1
version=1.4.2
for file in src/*.rs; do
  if [ -f "$file" ]; then
    grep -n 'fn main' "$file" | head -n 5
  fi
done
docker build -t app:$version . && docker push registry.local/app:$version
git add -A && git commit -m "Release $version: remove rm -rf from the docs" && git tag "v$version"
cat > notes.md <<END
Version $version
END
echo "built $version" >> build.log 2>&1
sudo systemctl restart app && curl -fsS "http://localhost:8080/health?v=$version" > /dev/null
"#;
    let mut script = format!("#!/bin/bash\nset -e # {:02}\n", number % 100);
    while script.len() + PART.len() < 10_200 {
        script.push_str(PART);
    }
    script
}
