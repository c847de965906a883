//! The built-in shell rules on the command lines of `tests/commands`, and those command lines under
//! a real bash: what it starts is what the data says, and what the reader of command lines lists.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Format, Kind, Node, parse};
use behavior_compiler::{Options, compile_all};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value as EventValue};
use behavior_runtime::host::Fingerprint;
use behavior_runtime::{Host, Image, Session};
use behavior_tests::commands::{Entry, RULES, load};
use behavior_tests::script::{self, Step};
use serde_json::json;

fn entries() -> Vec<Entry> {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("commands")).unwrap()
}

fn image(rules: &serde_json::Value) -> Arc<Image> {
    let config = format!("# behavior: config\n{}\n", json!({ "rules": rules }));
    let provider = behavior_tests::provider(&[("behavior.yaml", &config)]);
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let Some(image) = compilation.image else { panic!("{:?}", compilation.diagnostics) };
    Arc::new(image)
}

/// The rules that fire when an agent asks for the command.
fn fired<'i>(image: &'i Arc<Image>, entry: &Entry) -> BTreeSet<&'i str> {
    let steps = script::short(0, "bash", json!({ "command": entry.command }), None);
    let outcomes = script::run(image, &steps).unwrap();
    let findings = outcomes.iter().flat_map(|outcome| &outcome.decision.findings);
    let findings = findings.filter(|finding| !finding.is_undecided);
    findings.filter_map(|finding| image.rules().get(finding.rule)).map(|rule| rule.id).collect()
}

/// Whether the command starts the count of changes since the last test run again.
fn resets(image: &Arc<Image>, entry: &Entry) -> bool {
    let mut steps: Vec<Step> = script::short(0, "edit", json!({ "file_path": "a" }), None);
    steps.extend(script::short(1, "bash", json!({ "command": entry.command }), None));
    let outcomes = script::run(image, &steps).unwrap();
    let report = outcomes.last().unwrap().state.as_ref().unwrap().report();
    let counter = report.counters.iter().find(|(name, _)| *name == "changes_since_test");
    counter.unwrap().1 == 0
}

#[test]
fn the_shell_rules_fire_on_what_they_are_about_and_on_nothing_else() {
    let all = RULES.iter().map(|id| ((*id).to_owned(), json!(true))).collect();
    let (image, without) = (image(&serde_json::Value::Object(all)), image(&json!({})));
    let (mut destructive, mut recalled, mut wrong, mut false_alarms) = (0, 0, 0, 0);
    let entries = entries();
    for entry in &entries {
        let fired = fired(&image, entry);
        let (missing, unexpected) = (entry.missing(&fired), entry.unexpected(&fired));
        let is_missed = missing.iter().any(|rule| rule.contains("confirm_destructive"));
        destructive += usize::from(entry.is_destructive());
        recalled += usize::from(entry.is_destructive() && !is_missed);
        false_alarms += usize::from(entry.rules.is_empty() && !unexpected.is_empty());
        let mut problems = Vec::new();
        if !missing.is_empty() {
            problems.push(format!("does not fire: {}", missing.join(", ")));
        }
        if !unexpected.is_empty() {
            problems.push(format!("fires: {}", unexpected.join(", ")));
        }
        if resets(&without, entry) != entry.resets {
            let problem = if entry.resets { "is no test run" } else { "is a test run" };
            problems.push(problem.to_owned());
        }
        if !problems.is_empty() {
            wrong += 1;
            println!("{}: {:?}: {}", entry.file, entry.command, problems.join("; "));
        }
    }
    let recall = recalled as f64 / destructive as f64;
    println!(
        "{} commands; {recalled} of {destructive} destructive ones found ({:.2} %); \
         {false_alarms} harmless ones taken for something else; {wrong} wrong in any way",
        entries.len(),
        recall * 100.0,
    );
    assert!(recall >= 0.99, "recall is {recall}");
    assert_eq!(false_alarms, 0, "harmless commands taken for something else");
}

/// How many of the commands that a rule is about it finds, and how many of the others it fires on.
#[test]
fn each_set_of_commands_is_found_as_it_should_be() {
    let all = RULES.iter().map(|id| ((*id).to_owned(), json!(true))).collect();
    let image = image(&serde_json::Value::Object(all));
    let entries = entries();
    let fired: Vec<BTreeSet<&str>> = entries.iter().map(|entry| fired(&image, entry)).collect();
    for (rule, least, most) in
        [("confirm_destructive", 0.99, 0.005), ("confirm_destructive_extended", 0.90, 0.01)]
    {
        let is_about = |entry: &Entry| entry.rules.iter().flatten().any(|id| id == rule);
        let may = |entry: &Entry| entry.may.iter().any(|id| id == rule);
        let pairs = || entries.iter().zip(&fired);
        let about = pairs().filter(|(entry, _)| is_about(entry));
        let (mut count, mut found) = (0, 0);
        for (entry, fired) in about {
            count += 1;
            // What nobody can tell is asked about.
            let is_asked = fired.contains("opaque_command") && entry.may_be_opaque();
            found += usize::from(fired.contains(rule) || is_asked);
        }
        let harmless = pairs().filter(|(entry, _)| !is_about(entry) && !may(entry));
        let alarms = harmless.clone().filter(|(_, fired)| fired.contains(rule)).count();
        let others = harmless.count();
        let (recall, rate) = (found as f64 / count as f64, alarms as f64 / others as f64);
        println!(
            "{rule}: {found} of {count} found ({:.2} %), {alarms} false alarms on {others} ({:.2} %)",
            recall * 100.0,
            rate * 100.0
        );
        assert!(recall >= least, "{rule} finds {recall}");
        assert!(rate <= most, "{rule} fires on {rate} of the others");
    }
    assert!(entries.len() >= 1_500);
}

/// A line of `tests/commands/ran.jsonl`: what it did in a real bash, and whether the rules say otherwise.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
struct RanLine {
    line: String,
    label: Label,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
}

/// Of which set a line is.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Label {
    Core,
    Extended,
    Harmless,
}

/// Each line is answered as it is marked, so that a change shows which lines it wins and which it loses.
#[test]
fn lines_that_ran_are_answered_as_they_are_marked() {
    const SETS: [&str; 2] = ["confirm_destructive", "confirm_destructive_extended"];
    let image = image(&json!({ (SETS[0]): true, (SETS[1]): true }));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("commands/ran.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<RanLine> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_stopped = |line: &RanLine| {
        let steps = script::short(0, "bash", json!({ "command": line.line }), None);
        let outcomes = script::run(&image, &steps).unwrap();
        outcomes.iter().any(|outcome| !outcome.decision.findings.is_empty())
    };
    let mut now = lines.clone();
    for line in &mut now {
        line.open = is_stopped(line) == (line.label == Label::Harmless);
    }
    for label in [Label::Core, Label::Extended, Label::Harmless] {
        let of_label = || now.iter().filter(|line| line.label == label);
        let open = of_label().filter(|line| line.open).count();
        println!(
            "{label:?}: {} of {} as they should be",
            of_label().count() - open,
            of_label().count()
        );
    }
    if std::env::var_os("UPDATE_RAN").is_some() {
        let lines = now.iter().map(|line| serde_json::to_string(line).unwrap() + "\n");
        std::fs::write(&path, lines.collect::<String>()).unwrap();
    }
    let changed: Vec<&RanLine> =
        now.iter().zip(&lines).filter(|(now, before)| now != before).map(|(now, _)| now).collect();
    assert!(
        changed.is_empty(),
        "{} lines are answered otherwise than they are marked (UPDATE_RAN=1 marks them anew): {changed:#?}",
        changed.len()
    );
}

/// Of what harmless lines leave open, such as the value of a variable, nobody is asked.
#[test]
fn harmless_commands_are_not_asked_about() {
    let all = RULES.iter().map(|id| ((*id).to_owned(), json!(true))).collect();
    let image = image(&serde_json::Value::Object(all));
    let is_plain = |entry: &&Entry| entry.rules.is_empty() && !entry.may_be_opaque();
    let entries = entries();
    let plain: Vec<&Entry> = entries.iter().filter(is_plain).collect();
    let mut asked = 0;
    for entry in &plain {
        let steps = script::short(0, "bash", json!({ "command": entry.command }), None);
        let outcomes = script::run(&image, &steps).unwrap();
        let findings = outcomes.iter().flat_map(|outcome| &outcome.decision.findings);
        if findings.clone().any(|finding| finding.is_undecided) {
            asked += 1;
            println!("{}: {:?} is asked about", entry.file, entry.command);
        }
    }
    let rate = f64::from(asked) / plain.len() as f64;
    println!(
        "{asked} of {} harmless commands are asked about ({:.2} %)",
        plain.len(),
        rate * 100.0
    );
    assert!(rate <= 0.005, "of the harmless commands, {rate} are asked about");
}

/// Commands of plans that leave their folder are refused, and others are not.
#[test]
fn what_writes_outside_is_told_from_what_stays_inside() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = std::fs::read_to_string(root.join("../cli/src/plan/confinement.yaml")).unwrap();
    let provider = behavior_tests::provider(&[("confinement.yaml", &rules)]);
    let compilation = compile_all(&provider, &["confinement.yaml".to_owned()], &Options::default());
    let Some(image) = compilation.image else { panic!("{:?}", compilation.diagnostics) };
    let image = Arc::new(image);
    let mut wrong = Vec::new();
    for (file, is_refused) in [("outside.txt", true), ("inside.txt", false)] {
        let text = std::fs::read_to_string(root.join("commands").join(file)).unwrap();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            if stays_inside(&image, line) == is_refused {
                wrong.push(format!("{file}: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

fn stays_inside(image: &Arc<Image>, command: &str) -> bool {
    let mut session = Session::new(Arc::clone(image));
    let start = SessionStart { cwd: Some(Folder::ROOT.into()), ..SessionStart::default() };
    session.apply(&Event::SessionStart(start), &mut Folder);
    let value = EventValue::Text(command.into());
    let param = Param { name: "command".into(), native: None, value };
    let call = Call { tool: "bash".into(), params: vec![param], ..Call::default() };
    let decision = session.apply(&Event::ToolCall(call), &mut Folder);
    decision.findings.is_empty() && decision.undecided.is_empty()
}

/// A machine on which one folder is the repository, and nothing else is known.
struct Folder;

impl Folder {
    const ROOT: &str = "/home/someone/project";
}

impl Host for Folder {
    fn exists(&mut self, _path: &str) -> Option<bool> {
        None
    }

    fn fingerprint(&mut self, _path: &str) -> Option<Fingerprint> {
        None
    }

    fn canonical(&mut self, _path: &str) -> Option<String> {
        None
    }

    fn now(&mut self) -> Option<i64> {
        None
    }

    fn home(&mut self) -> Option<String> {
        Some("/home/someone".to_owned())
    }

    fn repository(&mut self) -> Option<String> {
        Some(Self::ROOT.to_owned())
    }
}

/// A tree of a file as a value.
fn value(node: &Node) -> serde_json::Value {
    match &node.kind {
        Kind::String(text) => json!(text.value()),
        Kind::Bool(flag) => json!(flag),
        Kind::Seq(items) => items.iter().map(value).collect(),
        Kind::Map(entries) => {
            let pairs =
                entries.iter().map(|entry| (entry.key.text.to_string(), value(&entry.value)));
            serde_json::Value::Object(pairs.collect())
        }
        other => panic!("{other:?} is no part of a class"),
    }
}

/// Each entry of the classes that destroy is met by a command of the data.
#[test]
fn every_entry_of_what_destroys_has_a_command() {
    let classes = behavior_stdlib::file("classes.yaml").unwrap();
    let parsed = parse(FileId(0), classes, Format::Yaml);
    let classes = parsed.root.get("command_classes").unwrap();
    const CLASSES: [&str; 5] = [
        "destructive",
        "destructive_databases",
        "resets_database",
        "destructive_extended",
        "takes_down",
    ];
    let listed: Vec<serde_json::Value> = CLASSES
        .iter()
        .flat_map(|class| classes.get(class).unwrap().items().unwrap())
        .map(value)
        .collect();
    let rules: Vec<_> = listed
        .into_iter()
        .enumerate()
        .map(|(number, entry)| {
            json!({ "id": format!("entry_{number}"), "trigger": "bash", "when": "pre_tool",
                    "condition": { "runs": entry }, "message": "m" })
        })
        .collect();
    let config = format!("# behavior: config\n{}\n", json!({ "rule_definitions": rules }));
    let provider = behavior_tests::provider(&[("behavior.yaml", &config)]);
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let Some(image) = compilation.image else { panic!("{:?}", compilation.diagnostics) };
    let image = Arc::new(image);
    let mut unmet: BTreeSet<usize> = (0..rules.len()).collect();
    for entry in entries() {
        for id in fired(&image, &entry) {
            unmet.remove(&id.trim_start_matches("entry_").parse().unwrap());
        }
    }
    let unmet: Vec<String> =
        unmet.iter().map(|number| rules[*number]["condition"]["runs"].to_string()).collect();
    assert!(unmet.is_empty(), "{} entries without a command:\n{}", unmet.len(), unmet.join("\n"));
}

#[cfg(unix)]
mod under_bash {
    use std::collections::BTreeSet;
    use std::sync::LazyLock;
    use std::thread;

    use behavior_runtime::Image;
    use behavior_shell::{CommandLine, HOLE, Word};
    use behavior_tests::bash::{Bash, refusal};
    use behavior_tests::commands::Entry;
    use regex::Regex;
    use serde_json::json;

    use super::{entries, image};

    /// Words that bash itself knows: it would never look for a program of that name.
    const BUILTIN: &str = "\
        alias bg bind break builtin caller case cd command compgen complete compopt continue \
        coproc declare dirs disown do done echo elif else enable esac eval exec exit export \
        false fc fg fi for function getopts hash help history if in jobs kill let local logout \
        mapfile popd printf pushd pwd read readarray readonly return select set shift shopt \
        source suspend test then times trap true type typeset ulimit umask unalias unset until \
        wait while";

    static NAME: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,59}").unwrap());

    /// How many commands run at a time.
    const WORKERS: usize = 2;

    /// A stub for everything that could be a program's name.
    fn names(entries: &[Entry]) -> BTreeSet<&str> {
        let words = entries.iter().flat_map(|entry| NAME.find_iter(&entry.command));
        let runs = entries.iter().flat_map(|entry| entry.runs.iter().flatten());
        let programs = runs.filter_map(|words| words.first()).map(String::as_str);
        let programs = programs.filter(|program| !program.contains('/'));
        let all = words.map(|word| word.as_str()).chain(programs);
        let builtin: BTreeSet<&str> = BUILTIN.split_whitespace().collect();
        all.filter(|word| !builtin.contains(word)).collect()
    }

    /// Whether a word that bash made can come of one that the reader lists: what is not known, and
    /// what a pattern for file names stands for, may be anything.
    fn fits(line: &CommandLine, word: &Word, made: &str) -> bool {
        let text = line.text(word);
        let any = if word.is_glob() { r"\*|\?|\[[^\]]*\]" } else { "" };
        let any = format!("{HOLE}|{any}").trim_end_matches('|').to_owned();
        let pieces = Regex::new(&any).unwrap();
        let pieces: Vec<String> = pieces.split(text).map(regex::escape).collect();
        let pattern = Regex::new(&format!("(?s)^{}$", pieces.join(".*"))).unwrap();
        text == made || pattern.is_match(made)
    }

    fn fit(line: &CommandLine, words: &[Word], made: &[String]) -> bool {
        let Some((word, words)) = words.split_first() else { return made.is_empty() };
        if word.may_split() {
            return (0..=made.len()).any(|count| fit(line, words, &made[count..]));
        }
        let Some((first, made)) = made.split_first() else { return false };
        fits(line, word, first) && fit(line, words, made)
    }

    /// The first program that bash started and the reader does not list.
    fn unlisted(image: &Image, command: &str, started: &[Vec<String>]) -> Option<String> {
        let mut line = CommandLine::default();
        let table = behavior_facts::commands::ProgramTable::of(image);
        line.read(command, table.as_ref().map(|table| table as _));
        if line.commands().iter().any(|command| command.opaque.is_some()) {
            return None;
        }
        let is_unlisted = |made: &&Vec<String>| {
            // A process substitution is a file without a name that lasts.
            let is_named = !made.iter().any(|word| word.starts_with("/dev/fd/"));
            is_named && !line.commands().iter().any(|c| fit(&line, line.words(c), made))
        };
        let unlisted = started.iter().find(is_unlisted)?;
        Some(format!("{command:?}: bash ran {unlisted:?}, which is not listed"))
    }

    fn check(bash: &Bash, image: &Image, entry: &Entry) -> Option<String> {
        let started = bash.run(&entry.command).unwrap();
        let sorted: BTreeSet<_> = started.iter().collect();
        if let Some(expected) = &entry.runs {
            let expected: BTreeSet<_> = expected.iter().collect();
            if sorted != expected {
                let command = &entry.command;
                return Some(format!("{command:?}: expected {expected:?}, bash ran {sorted:?}"));
            }
        }
        unlisted(image, &entry.command, &started)
    }

    #[test]
    fn what_may_not_be_run_is_marked() {
        for entry in entries() {
            if let Some(why) = refusal(&entry.command).filter(|_| entry.may_run) {
                panic!("{}: {:?} needs `run: false`: {why}", entry.file, entry.command);
            }
        }
    }

    #[test]
    fn nothing_dangerous_is_ever_run() {
        for command in [
            "/bin/rm -rf x",
            "echo $(/bin/ls)",
            "echo x > /etc/passwd",
            "x=/etc; echo > $x/y",
            "echo > ../x",
            "command -p rm x",
            "PATH=x rm y",
            "$'\\x2fbin\\x2frm' x",
            ":(){ :|:& };:",
            ":() { : | : & }; :",
            "function b { b | b & }; b",
            "while true; do sleep 1 & done",
            "kill -9 -1",
            "$0 & $0 &",
        ] {
            assert!(refusal(command).is_some(), "{command}");
        }
    }

    #[test]
    fn bash_starts_what_the_data_says_and_the_reader_lists() {
        let entries = entries();
        let runnable =
            entries.iter().filter(|entry| entry.may_run && refusal(&entry.command).is_none());
        let runnable: Vec<&Entry> = runnable.collect();
        let names = names(&entries);
        let image = image(&json!({}));
        let boxes: Option<Vec<Bash>> = (0..WORKERS)
            .map(|worker| {
                let label = format!("behavior-commands-{worker}");
                Bash::new(&label, names.iter().copied()).unwrap()
            })
            .collect();
        let Some(boxes) = boxes else {
            println!("skipped: bash or timeout is not on this machine");
            return;
        };
        let parts = runnable.chunks(runnable.len().div_ceil(WORKERS));
        let problems: Vec<String> = thread::scope(|scope| {
            let check_all = |(bash, part): (&Bash, &[&Entry])| {
                part.iter().filter_map(|entry| check(bash, &image, entry)).collect::<Vec<_>>()
            };
            let pairs = boxes.iter().zip(parts);
            let workers: Vec<_> = pairs.map(|pair| scope.spawn(move || check_all(pair))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
        });
        println!("{} commands run, {} differences", runnable.len(), problems.len());
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
