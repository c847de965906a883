//! Random command lines, made around a payload that destroys or a harmless twin of it, under a real bash and before
//! the reader: what bash runs is listed, or the line is opaque. Nothing that is named here exists: bash is given an
//! empty path, and a function notes every program that it does not find.
//!
//! `DIFFERENTIAL_LINES` says how many lines are tried, `DIFFERENTIAL_SEED` from which number on.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::fs;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use behavior_compiler::{Options, compile_all};
use behavior_runtime::commands::ProgramTable;
use behavior_shell::CommandLine;

/// How many lines one bash is given, one after the other.
const BATCH: usize = 500;

/// Numbers that are the same for the same start.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.get(self.below(of.len())).unwrap()
    }
}

const PROGRAMS: &[&str] = &["rm", "ls", "git"];

/// A value that comes out as `word`, through expansions of which all parts are constant; what stands before it sets
/// them up.
fn hidden(random: &mut Random, word: &str) -> (String, String) {
    let name = random.pick(&["a", "b", "c"]);
    let (head, tail) = word.split_at(1);
    let (before, used) = match random.below(36) {
        0 => (format!("{name}={word};"), format!("${name}")),
        1 => (format!("{name}=x{word};"), format!("${{{name}#x}}")),
        2 => (format!("{name}=xx-{word};"), format!("${{{name}##*-}}")),
        3 => (format!("{name}={word}.x;"), format!("${{{name}%.*}}")),
        4 => (format!("{name}={word}.x.y;"), format!("${{{name}%%.*}}")),
        5 => (format!("{name}={head}Z{tail};"), format!("${{{name}/Z/}}")),
        6 => (format!("{name}={head}ZZ{tail};"), format!("${{{name}//Z}}")),
        7 => (format!("{name}=Q{tail};"), format!("${{{name}/#Q/{head}}}")),
        8 => (format!("{name}={head}Q;"), format!("${{{name}/%Q/{tail}}}")),
        9 => (format!("{name}=__{word}__;"), format!("${{{name}:2:{}}}", word.len())),
        10 => (format!("{name}=__{word};"), format!("${{{name}:2}}")),
        11 => (format!("{name}=__{word};"), format!("${{{name}: -{}}}", word.len())),
        12 => (format!("{name}={};", word.to_uppercase()), format!("${{{name},,}}")),
        13 => (format!("{name}={};", word.to_uppercase()), format!("${{{name}@L}}")),
        14 => (format!("{name}=;"), format!("${{{name}:-{word}}}")),
        15 => (format!("{name}=;"), format!("${{{name}:={word}}}")),
        16 => (format!("{name}=1;"), format!("${{{name}:+{word}}}")),
        17 => (format!("{name}={head}; {name}+={tail};"), format!("${name}")),
        18 => (format!("set -- {word};"), "$1".to_owned()),
        19 => (format!("set -- x {word};"), "${2}".to_owned()),
        20 => (format!("set -- x {word}; shift;"), "\"$@\"".to_owned()),
        21 => (format!("{name}=({word} x);"), format!("${name}")),
        22 => (format!("{name}=(x {word});"), format!("${{{name}[1]}}")),
        23 => (format!("{name}=(x {word});"), format!("\"${{{name}[@]:1:1}}\"")),
        24 => (format!("a={word}; b=a;"), "${!b}".to_owned()),
        25 => (format!("read {name} <<< {word};"), format!("${name}")),
        26 => (format!("read -r x {name} <<< 'y {word}';"), format!("${name}")),
        27 => (format!("printf -v {name} %s {word};"), format!("${name}")),
        28 => (format!("mapfile -t {name} <<< {word};"), format!("${{{name}[0]}}")),
        29 => (format!("declare {name}={word};"), format!("${name}")),
        30 => (format!("export {name}={word};"), format!("\"${{{name}}}\"")),
        31 => (format!("{name}={word}; ({name}=echo);"), format!("${name}")),
        32 => (format!("{name}=q; {name}={word};"), format!("${{{name}:?no}}")),
        33 => (format!("IFS=,; {name}=x,{word}; set -- ${name};"), "$2".to_owned()),
        34 => (format!("{name}[1]={word};"), format!("${{{name}[1]}}")),
        _ => (format!("{name}={word}; {name}=${{{name}}}Z;"), format!("${{{name}%Z}}")),
    };
    (before, used)
}

/// A line around a program.
fn line(random: &mut Random) -> String {
    let program = random.pick(PROGRAMS);
    let (before, used) = hidden(random, program);
    let operands = random.pick(&["-rf build", "push --force", "-l"]);
    let run = format!("{used} {operands}");
    match random.below(16) {
        0 => format!("f() {{ $1 {operands}; }}; f {program}"),
        1 => format!("f() {{ \"$@\"; }}; f {program} {operands}"),
        2 => format!("{before} f() {{ {run}; }}; f"),
        3 => format!("bash -c '\"$@\"' _ {program} {operands}"),
        4 => format!("bash -c '$0 $1' {program} {operands}"),
        5 => format!("{before} eval \"{}\"", used.replace('"', "") + " " + operands),
        6 => format!("{program}() {{ echo; }}; {program} {operands}"),
        7 => format!("{program}() {{ echo; }}; {before} {run}"),
        8 => format!("{program}() {{ echo; }}; unset -f {program}; {program} {operands}"),
        9 => format!("for c in {program} ls; do $c {operands}; done"),
        10 => format!("{before} if true; then {run}; fi"),
        11 => format!("{before} true && {run} || {run}"),
        12 => format!("f() {{ shift; $1 {operands}; }}; f x {program}"),
        13 => format!("c={program} bash -c '$c {operands}'"),
        14 => format!("{program}() {{ echo; }}; command {program} {operands}"),
        _ => format!("{before} {run}"),
    }
}

/// What bash runs of each of the lines.
struct Bash {
    program: PathBuf,
    root: PathBuf,
    user: u32,
}

const DRIVER: &str = r#"
command_not_found_handle() { { printf '%s\x1f' "$@"; printf '\x1e'; } >> "$LOG"; }
export -f command_not_found_handle
export LOG
ulimit -t 60 -f 65536
number=0
while IFS= read -r line; do
  number=$((number + 1))
  printf '\x1d' >> "$LOG"
  (cd "$BOXES" && ulimit -t 1 && exec bash --norc --noprofile -c "$line") < /dev/null > /dev/null 2>&1
done
"#;

impl Drop for Bash {
    fn drop(&mut self) {
        // What is left of a throw-away folder does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Bash {
    fn new() -> Option<Self> {
        let program = Path::new("/bin/bash").canonicalize().ok()?;
        let root =
            std::env::temp_dir().join(format!("behavior-differential-{}", std::process::id()));
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::create_dir_all(root.join("box")).unwrap();
        for name in ["bash", "sh"] {
            symlink(&program, root.join("bin").join(name)).unwrap();
        }
        let owner = fs::metadata(&root).unwrap().uid();
        let user = if owner == 0 { 65_534 } else { owner };
        Some(Self { program, root, user })
    }

    fn run(&self, lines: &[String]) -> Vec<Vec<Vec<String>>> {
        let (log, script) = (self.root.join("log"), self.root.join("lines"));
        fs::write(&log, "").unwrap();
        fs::write(&script, lines.join("\n") + "\n").unwrap();
        let mut run = Command::new(&self.program);
        run.args(["--norc", "--noprofile", "-c", DRIVER]).env_clear();
        run.env("PATH", self.root.join("bin")).env("LOG", &log).env("BOXES", self.root.join("box"));
        run.stdin(fs::File::open(&script).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
        if fs::metadata(&self.root).unwrap().uid() == 0 {
            chown(&log, Some(self.user), Some(self.user)).unwrap();
            run.uid(self.user).gid(self.user);
        }
        run.status().unwrap();
        let log = fs::read_to_string(&log).unwrap();
        let made = |part: &str| {
            part.split_terminator('\x1e')
                .map(|words| words.split_terminator('\x1f').map(str::to_owned).collect())
                .collect()
        };
        log.split('\x1d').skip(1).map(made).collect()
    }
}

/// Whether a command that bash ran is one that the reader lists.
fn is_listed(line: &CommandLine, made: &[String]) -> bool {
    line.commands().iter().any(|command| {
        let words = line.words(command);
        let fits = |(word, made): (&behavior_shell::Word, &String)| {
            word.has_hole() || line.text(word) == made
        };
        let is_open = words.iter().any(behavior_shell::Word::may_split);
        is_open && words.first().zip(made.first()).is_some_and(fits)
            || words.len() == made.len() && words.iter().zip(made).all(fits)
    })
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn what_bash_runs_of_a_random_line_is_listed_or_the_line_is_opaque() {
    let Some(bash) = Bash::new() else {
        println!("skipped: there is no bash on this machine");
        return;
    };
    let provider =
        behavior_tests::provider(&[("behavior.yaml", "# behavior: config\nrules: {}\n")]);
    let compiled = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let image = compiled.image.unwrap();
    let table = ProgramTable::of(&image);
    let mut random = Random((setting("DIFFERENTIAL_SEED", 1) as u64 * 0x9e37_79b9_7f4a_7c15) | 1);
    let count = setting("DIFFERENTIAL_LINES", 1_000);
    let (mut missed, mut opaque, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    let mut read = CommandLine::default();
    for start in (0..count).step_by(BATCH) {
        let lines: Vec<String> =
            (start..count.min(start + BATCH)).map(|_| line(&mut random)).collect();
        let ran = bash.run(&lines);
        assert_eq!(ran.len(), lines.len());
        for (text, ran) in lines.iter().zip(ran) {
            read.read(text, table.as_ref().map(|table| table as _));
            if read.commands().iter().any(|command| command.opaque.is_some()) {
                opaque.push(text.clone());
            } else if ran.iter().any(|made| !is_listed(&read, made)) {
                missed.push(format!("{text}\n    bash ran {ran:?}"));
            } else if ran.is_empty()
                && read
                    .commands()
                    .iter()
                    .any(|c| read.program(c).is_some_and(|p| PROGRAMS.contains(&p)))
            {
                beside.push(text.clone());
            }
        }
    }
    println!("{count} lines: {} opaque, {} listed and not run", opaque.len(), beside.len());
    if std::env::var_os("DIFFERENTIAL_SHOW").is_some() {
        opaque.sort();
        opaque.dedup();
        beside.sort();
        beside.dedup();
        println!("opaque:\n{}\nlisted and not run:\n{}", opaque.join("\n"), beside.join("\n"));
    }
    assert!(missed.is_empty(), "{} are missed:\n{}", missed.len(), missed.join("\n"));
}
