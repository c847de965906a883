//! Runs a command line by a real bash that finds nothing but stub programs, and tells which programs
//! it started. Runs only what [`refusal`] has nothing against, in a folder of its own, with limits on
//! time, files and processes, and never as the administrator.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use regex::Regex;

/// The user without rights, who runs the commands where the tests run as the administrator: only
/// then do limits hold.
const NOBODY: u32 = 65_534;
/// How many processes a command may have at a time.
const MAX_PROCESSES: usize = 60;

/// What is never run, and why. Each speaks of the text, so that nothing has to be understood.
static REFUSALS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let refusals = [
        (r"(?:^|[^A-Za-z0-9_.*?~+-])/|~[A-Za-z]|\$\{?\w+\}?/", "it may name an absolute path"),
        (r"\\x2f|\\057|\\u002f|\\U0000002f", "it may spell an absolute path"),
        (r#"[<>]\s*["']?\.\."#, "it may write outside its folder"),
        (r"\bPATH\b|command\s+-\w*p|\benable\b|\bhash\s+-\w*p", "it may reach real programs"),
        (r"\$\{?(?:0|_|BASH\w*|SHELL)\b", "it may start the shell again"),
        (r"\bkill\b|\bsuspend\b|\bulimit\b", "it may end processes or lift limits"),
        (r"(?s)\(\s*\).*[|&]|\bfunction\b.*[|&]", "a function may start itself over and over"),
        (r"(?s)[|&].*\(\s*\)|[|&].*\bfunction\b", "a function may start itself over and over"),
    ];
    let regex = |(pattern, why)| Regex::new(pattern).ok().map(|regex| (regex, why));
    refusals.into_iter().filter_map(regex).collect()
});

static LOOP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:for|while|until|select|trap)\b").ok());

/// Why a command is never to be run, if there is a reason.
#[must_use]
pub fn refusal(command: &str) -> Option<&'static str> {
    let text = command.replace("/dev/null", "").replace("https://", "").replace("http://", "");
    let refused = REFUSALS.iter().find(|(pattern, _)| pattern.is_match(&text));
    if let Some((_, why)) = refused {
        return Some(why);
    }
    let mut background = text;
    for harmless in ["&&", ">&", "<&", "&>", "|&"] {
        background = background.replace(harmless, "");
    }
    let has_loop = LOOP.as_ref().is_none_or(|pattern| pattern.is_match(&background));
    (has_loop && background.contains('&')).then_some("a loop may start more and more processes")
}

/// A bash with stubs, and the folder that it works in.
#[derive(Debug)]
pub struct Bash {
    bash: PathBuf,
    timeout: PathBuf,
    root: PathBuf,
    user: u32,
    is_administrator: bool,
}

impl Drop for Bash {
    fn drop(&mut self) {
        // What is left of a throw-away folder does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Bash {
    /// Makes the folder, with a stub for each of the names. `None` where bash or `timeout` is
    /// missing.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new<'n>(label: &str, names: impl Iterator<Item = &'n str>) -> io::Result<Option<Self>> {
        let (Some(bash), Some(timeout)) = (real_program("bash"), real_program("timeout")) else {
            return Ok(None);
        };
        let root = std::env::temp_dir().join(format!("{label}-{}", std::process::id()));
        fs::create_dir_all(root.join("bin"))?;
        let owner = fs::metadata(&root)?.uid();
        let is_administrator = owner == 0;
        let user = if is_administrator { NOBODY } else { owner };
        let made = Self { bash, timeout, root, user, is_administrator };
        made.write_stub()?;
        for name in names {
            symlink(made.root.join("stub"), made.root.join("bin").join(name))?;
        }
        Ok(Some(made))
    }

    /// The stub notes its name and words as a line of JSON. It is a script of the same bash, for
    /// which nothing is on the path either.
    fn write_stub(&self) -> io::Result<()> {
        let root = self.root.display();
        let stub = format!(
            r##"#!{bash} -p
name=$0
case $name in "{root}/bin"/*) name=${{name##*/}} ;; esac
line=""
for word in "$name" "$@"; do
  word=${{word//\\/\\\\}}
  word=${{word//\"/\\\"}}
  word=${{word//$'\n'/\\n}}
  word=${{word//$'\t'/\\t}}
  line+="${{line:+,}}\"$word\""
done
printf '[%s]\n' "$line" >> "{root}/log"
"##,
            bash = self.bash.display(),
        );
        fs::write(self.root.join("stub"), stub)?;
        fs::set_permissions(self.root.join("stub"), fs::Permissions::from_mode(0o755))
    }

    /// Runs a command line, and tells the words of every program that it started, each once. The
    /// home folder, in which it is run, is `~` in them.
    ///
    /// # Errors
    /// When it is refused, or cannot be run.
    pub fn run(&self, command: &str) -> io::Result<Vec<Vec<String>>> {
        if let Some(why) = refusal(command) {
            return Err(io::Error::other(format!("`{command}` is not run: {why}")));
        }
        let home = self.prepare(command)?;
        let mut run = Command::new(&self.timeout);
        run.args(["-s", "KILL", "2"]).arg(&self.bash).args([
            "--norc",
            "--noprofile",
            "-c",
            command,
        ]);
        run.env_clear().env("PATH", self.root.join("bin")).env("HOME", &home);
        run.env("BASH_ENV", self.root.join("limits"))
            .env("LC_ALL", "C.UTF-8")
            .env("USER", "someone");
        run.current_dir(&home).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.is_administrator {
            run.uid(self.user).gid(self.user);
        }
        // Waits for everything that still holds the output, too.
        run.output()?;
        let home_text = home.display().to_string();
        let mut started = Vec::new();
        for line in fs::read_to_string(self.root.join("log"))?.lines() {
            let words: Vec<String> = serde_json::from_str(line)?;
            let words = words.iter().map(|word| word.replace(&home_text, "~"));
            let words: Vec<String> = words.collect();
            if !started.contains(&words) {
                started.push(words);
            }
        }
        Ok(started)
    }

    /// An empty folder, but for what the command goes to, reads or starts by a relative path.
    fn prepare(&self, command: &str) -> io::Result<PathBuf> {
        let (outer, log) = (self.root.join("outer"), self.root.join("log"));
        if outer.exists() {
            fs::remove_dir_all(&outer)?;
        }
        let home = outer.join("inner").join("home");
        fs::create_dir_all(&home)?;
        fs::write(&log, "")?;
        let most = processes_of(self.user) + MAX_PROCESSES;
        // What runs in the background is waited for at the end.
        let limits = format!("ulimit -f 2048 -t 2 -n 64 -u {most}\ntrap wait EXIT\n");
        fs::write(self.root.join("limits"), limits)?;
        for (kind, path) in wanted(command) {
            let path = home.join(path);
            if path.exists() {
                continue;
            }
            fs::create_dir_all(path.parent().unwrap_or(&home))?;
            match kind {
                Wanted::Folder => fs::create_dir(&path)?,
                Wanted::File => fs::write(&path, "a\n")?,
                Wanted::Program => symlink(self.root.join("stub"), &path)?,
            }
        }
        if self.is_administrator {
            hand_over(&outer, self.user)?;
            chown(&log, Some(self.user), Some(self.user))?;
        }
        Ok(home)
    }
}

#[derive(Clone, Copy)]
enum Wanted {
    Folder,
    File,
    Program,
}

static WANTED: LazyLock<Vec<(Wanted, Regex)>> = LazyLock::new(|| {
    let name = r"([A-Za-z0-9_][\w.-]*)";
    let patterns = [
        (Wanted::Folder, format!(r"(?:\bcd|-d)\s+{name}")),
        (Wanted::File, format!(r"(?:^|[^<&0-9])0?<\s*{name}|-[ef]\s+{name}\s+\]")),
        (
            Wanted::Program,
            r"(?:^|[;&|(]\s*)((?:\./)?[\w.][\w.-]*(?:/[\w.-]+)+|\./[\w.-]+)".to_owned(),
        ),
    ];
    let regex = |(kind, pattern): (_, String)| Regex::new(&pattern).ok().map(|regex| (kind, regex));
    patterns.into_iter().filter_map(regex).collect()
});

/// What a command needs to get anywhere: relative paths, none of which leads out of the folder.
fn wanted(command: &str) -> Vec<(Wanted, PathBuf)> {
    let mut found = Vec::new();
    for (kind, pattern) in WANTED.iter() {
        for captures in pattern.captures_iter(command) {
            let path = captures.iter().skip(1).flatten().map(|path| PathBuf::from(path.as_str()));
            found.extend(path.map(|path| (*kind, path)));
        }
    }
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    found.retain(|(_, path)| path.components().all(stays));
    found
}

fn hand_over(folder: &Path, user: u32) -> io::Result<()> {
    chown(folder, Some(user), Some(user))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            hand_over(&entry.path(), user)?;
        } else if entry.file_type()?.is_file() {
            chown(entry.path(), Some(user), Some(user))?;
        }
    }
    Ok(())
}

/// How many processes and threads a user has now, as far as the system tells.
fn processes_of(user: u32) -> usize {
    let Ok(processes) = fs::read_dir("/proc") else { return 4_096 };
    let own = |path: &PathBuf| fs::metadata(path).is_ok_and(|process| process.uid() == user);
    let processes = processes.flatten().map(|entry| entry.path()).filter(own);
    processes.map(|path| fs::read_dir(path.join("task")).map_or(0, Iterator::count)).sum()
}

fn real_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(name));
    found.filter(|path| path.is_absolute()).find(|path| path.is_file())
}
