//! Runs the real program in a directory of its own.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "test support: a failure here fails the test, and no test uses all of it"
)]

pub mod editor;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// Whether this system has terminals for programs to run at; says so where it has none.
pub fn has_terminals() -> bool {
    let script =
        Command::new("script").args(["-qec", "true", "/dev/null"]).stdin(Stdio::null()).output();
    let has_some = script.is_ok_and(|output| output.status.success());
    if !has_some {
        eprintln!("what needs a terminal is not tried: `script` cannot make one here");
    }
    has_some
}

/// A directory that goes away with it.
pub struct Project {
    root: PathBuf,
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Project {
    /// A directory with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("behavior-test-{}-{number}", std::process::id());
        let root = std::env::temp_dir().join(name);
        // Numbers of processes come again: what one left that was killed is none of this one's.
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).unwrap();
        let project = Self { root };
        for (name, text) in files {
            project.write(name, text.as_bytes());
        }
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Makes the folder the root of a repository, as git sees it.
    #[allow(dead_code, reason = "not all who use this need it")]
    pub fn make_repository(&self) {
        self.write(".git/HEAD", b"ref: refs/heads/main\n");
        self.write(".git/objects/README", b"");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The program with arguments separated by blanks.
    pub fn command(&self, line: &str) -> Command {
        command_in(&self.root, line)
    }

    pub fn run(&self, line: &str) -> Run {
        let output = self.command(line).output().unwrap();
        Run::from(output)
    }

    /// Runs at a terminal of its own, at which somebody types a line.
    pub fn at_terminal(&self, line: &str, typed: &str, surround: impl Fn(&mut Command)) -> Run {
        let program = format!("{} {line}", env!("CARGO_BIN_EXE_behavior"));
        let mut command = Command::new("script");
        command.args(["-qec", &program, "/dev/null"]).current_dir(&self.root);
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_STATE_HOME");
        surround(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(format!("{typed}\n").as_bytes());
        Run::from(child.wait_with_output().unwrap())
    }

    /// Runs and expects JSON on standard output.
    pub fn json(&self, line: &str) -> Value {
        let run = self.run(line);
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{line}: {error}: {run:?}"))
    }
}

fn command_in(directory: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_behavior"));
    command.current_dir(directory).args(line.split_whitespace());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
