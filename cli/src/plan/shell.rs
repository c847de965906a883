//! Commands of plans: what is seen to leave the workspace, or cannot be read, does not run. What a program does by itself
//! nobody sees beforehand, and nothing here stops it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Options, compile_all};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value as EventValue};
use behavior_runtime::host::Fingerprint;
use behavior_runtime::{Host, Image, Session};
use serde_json::{Map, Value};

use super::files::{Done, text};
use crate::live::host::LiveHost;
use crate::project;

/// What a command may not do, in the language of all rules.
const CONFINEMENT: &str = include_str!("confinement.yaml");
/// Commands end after so long where nobody says otherwise, in milliseconds.
const USUAL_TIME: u64 = 120_000;
/// No command may take longer, in milliseconds.
const MAX_TIME: u64 = 600_000;
/// So much output is kept of a command, and no more.
const MAX_OUTPUT: u64 = 1 << 20;
/// So long is waited for the output of what a command left running.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Decides which commands stay inside.
pub struct Shell {
    image: Arc<Image>,
    root: PathBuf,
}

impl Shell {
    /// Confines commands to a directory.
    ///
    /// # Errors
    /// When our own rules do not compile, which is a mistake in this program.
    pub fn new(root: &Path) -> Result<Self, String> {
        let provider = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PROFILES,
            project: MemoryFiles::new([("confinement.yaml", CONFINEMENT)]),
        };
        let compiled =
            compile_all(&provider, &["confinement.yaml".to_owned()], &Options::default());
        let image = compiled.image.ok_or("the rules that confine commands do not compile")?;
        Ok(Self { image: Arc::new(image), root: root.to_owned() })
    }

    /// Returns why a command line is not run; nothing where it stays inside, as far as can be seen.
    #[must_use]
    pub fn refusal(&self, line: &str) -> Option<String> {
        let mut session = Session::new(Arc::clone(&self.image));
        let host = &mut Confined { live: LiveHost::default(), root: self.root.clone() };
        let cwd = Some(self.root.to_string_lossy().into_owned().into());
        session.apply(&Event::SessionStart(SessionStart { cwd, ..SessionStart::default() }), host);
        let param =
            Param { name: "command".into(), native: None, value: EventValue::Text(line.into()) };
        let call = Call { tool: "bash".into(), params: vec![param], ..Call::default() };
        let decision = session.apply(&Event::ToolCall(call), host);
        if let Some(finding) = decision.findings.first() {
            return Some(finding.message.clone());
        }
        let undecided = decision.undecided.first()?;
        Some(format!("nothing tells {}: write every path out", undecided.needs))
    }

    /// Runs a command line in the workspace.
    pub fn run(&self, params: &Map<String, Value>) -> Done {
        let line = text(params, "command")?;
        if let Some(refusal) = self.refusal(line) {
            return Err(format!("not run: {refusal}"));
        }
        let time = match params.get("timeout") {
            None => USUAL_TIME,
            Some(value) => {
                value.as_u64().ok_or("`timeout` is no whole number of milliseconds")?.min(MAX_TIME)
            }
        };
        run(line, &self.root, Duration::from_millis(time))
    }
}

fn run(line: &str, root: &Path, time: Duration) -> Done {
    let mut command = Command::new("bash");
    // As a privileged shell it takes nothing from its environment that gives the line another meaning: neither a script
    // to run before it, nor functions, options or `CDPATH`.
    command.args(["--noprofile", "--norc", "-p", "-c", line]).current_dir(root);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // All that it starts can be ended with it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| format!("`bash` cannot be started: {}", project::describe(&error)))?;
    let (output, errors) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let deadline = Instant::now() + time;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) => break None,
            Err(error) => return Err(project::describe(&error)),
        }
    };
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
    let (output, errors) = (said(&output), said(&errors));
    let both = match (output.is_empty(), errors.is_empty()) {
        (_, true) => output,
        (true, false) => errors,
        (false, false) => format!("{}\n{errors}", output.trim_end_matches('\n')),
    };
    match status {
        Some(status) if status.success() => Ok(Value::from(both)),
        Some(status) => Err(format!("{status}{}", behind(&both))),
        None => Err(format!("it did not end within {} ms{}", time.as_millis(), behind(&both))),
    }
}

/// What a command said, behind what became of it.
fn behind(output: &str) -> String {
    match output.trim() {
        "" => String::new(),
        output => format!(": {output}"),
    }
}

/// Reads an output in the background, so that neither fills up.
fn collect(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let read = move || {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; 64 << 10];
        let mut left = usize::try_from(MAX_OUTPUT).unwrap_or(usize::MAX);
        while let Ok(count @ 1..) = pipe.read(&mut chunk) {
            // What is beyond is read, so that its writer goes on, and dropped.
            let kept = count.min(left);
            left -= kept;
            if kept > 0 {
                let _ = sender.send(chunk.get(..kept).unwrap_or_default().to_vec());
            }
        }
    };
    let _ = std::thread::Builder::new().spawn(read);
    receiver
}

/// What was read, cut where it is too long. Who keeps the pipe open is not waited for.
fn said(receiver: &Receiver<Vec<u8>>) -> String {
    let deadline = Instant::now() + LAST_WORDS;
    let mut all = Vec::new();
    while let Ok(chunk) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    {
        let left = usize::try_from(MAX_OUTPUT).unwrap_or(usize::MAX).saturating_sub(all.len());
        all.extend(chunk.iter().take(left));
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// The machine, with the workspace as the repository, so that all else lies outside.
struct Confined {
    live: LiveHost<'static>,
    root: PathBuf,
}

impl Host for Confined {
    fn exists(&mut self, path: &str) -> Option<bool> {
        self.live.exists(path)
    }

    fn is_directory(&mut self, path: &str) -> Option<bool> {
        self.live.is_directory(path)
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        self.live.fingerprint(path)
    }

    /// Of what is not there yet, the place where it would be: a directory on its way may be a link.
    fn canonical(&mut self, path: &str) -> Option<String> {
        let mut known = Path::new(path);
        let mut rest = Vec::new();
        loop {
            if let Ok(found) = known.canonicalize() {
                let whole = rest.iter().rev().fold(found, |path, name| path.join(name));
                return whole.into_os_string().into_string().ok();
            }
            // A link that leads to nothing is written through, too.
            if let Ok(target) = std::fs::read_link(known) {
                let target = known.parent().unwrap_or(known).join(target);
                let mut scratch = String::new();
                let target = target.to_str()?;
                let target = behavior_runtime::path::normalise(target, None, &mut scratch);
                return Some(
                    rest.iter().rev().fold(PathBuf::from(target), |path, name| path.join(name)),
                )
                .and_then(|path| path.into_os_string().into_string().ok());
            }
            rest.push(known.file_name()?);
            known = known.parent()?;
        }
    }

    fn now(&mut self) -> Option<i64> {
        self.live.now()
    }

    fn home(&mut self) -> Option<String> {
        self.live.home()
    }

    fn repository(&mut self) -> Option<String> {
        self.root.to_str().map(str::to_owned)
    }
}
