//! Attacks on the real program: what a less trusted principal says, does, breaks or removes never makes a
//! decision laxer. Each attack is a few lines of `tests/adversary`, where `README.md` says what they mean.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]
#![cfg(target_os = "linux")]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Project, Run};
use serde::Deserialize;
use serde_json::{Value, json};

/// Seconds after which a hook is taken to hang; it has to answer long before.
const HANGS: &str = "60";

#[derive(Deserialize)]
struct Attacks {
    attack: Vec<Attack>,
}

/// One attack, and the defence that has to hold.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    name: String,
    principal: String,
    goal: String,
    /// Files of `/etc/behavior`.
    #[serde(default)]
    administrator: BTreeMap<String, String>,
    /// Files of the user's config directory.
    #[serde(default)]
    user: BTreeMap<String, String>,
    /// Files of the project.
    #[serde(default)]
    project: BTreeMap<String, String>,
    /// A shell script that runs in the project first. `$STATE`, `$CACHE` and `$BEHAVIOR` are set.
    #[serde(default)]
    setup: String,
    /// What happens first.
    #[serde(default)]
    before: Vec<Step>,
    /// The folder of the project in which the agent works.
    #[serde(default)]
    cwd: String,
    /// What stands in the environment of the hook.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// The mode that the agent says it is in.
    #[serde(default)]
    mode: Option<String>,
    /// The shell command that is called at last.
    #[serde(default)]
    call: Option<String>,
    /// What stands in the command for `PADDING`: attackers hide behind much else.
    #[serde(default)]
    padding: Option<Padding>,
    /// Or the tool, with its parameters.
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    input: Option<toml::Value>,
    /// What `doctor` has to say of it, as an error or a warning; nothing is called then.
    #[serde(default)]
    told: Option<String>,
    /// The laxest answer that is right: `ask`, `deny`, or `allow` where a defence must not be too strict.
    /// Of what `doctor` tells: `error` or `warning`.
    expect: String,
}

/// A text so many times.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Padding {
    text: String,
    times: usize,
}

impl Attack {
    /// The shell command that is called at last.
    fn command(&self) -> Option<String> {
        let Padding { text, times } = match &self.padding {
            None => return self.call.clone(),
            Some(padding) => padding,
        };
        Some(self.call.as_ref()?.replace("PADDING", &text.repeat(*times)))
    }

    /// Whether nothing of it changes a file: the call that is decided on is not made.
    fn only_speaks(&self) -> bool {
        let speaks = |step: &Step| matches!(step, Step::Said { .. } | Step::Wrote { .. });
        self.setup.is_empty() && self.told.is_none() && self.before.iter().all(speaks)
    }
}

/// One step before the call of an attack.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Step {
    /// A shell command that the agent calls; it runs if it is allowed, and no result is told.
    Call(String),
    /// The same, with its result told.
    Run { runs: String },
    /// What comes as the user's message.
    Said { said: String },
    /// What the agent writes at the end of its turn.
    Wrote { wrote: String },
    /// A call of another tool, if need be of a sub-agent, with its result.
    Tool { tool: String, input: toml::Value, agent_id: Option<String> },
    /// The name of an event of the agent that says no more.
    Event { event: String, agent_id: Option<String> },
}

#[test]
fn no_attack_makes_a_decision_laxer() {
    let attacks: Vec<(PathBuf, Attack)> = files()
        .into_iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let attacks: Attacks = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
            attacks.attack.into_iter().map(move |attack| (path.clone(), attack))
        })
        .collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let try_all = || {
        let mut clean = Clean::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((path, attack)) = attacks.get(at) else { break };
            if let Err(why) = hold(attack, at, &mut clean) {
                let Attack { name, principal, goal, .. } = attack;
                let told = format!("{}: {name}\n  {principal}, to {goal}: {why}", path.display());
                failures.lock().unwrap().push(told);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(try_all);
        }
    });
    let failures = failures.into_inner().unwrap();
    let count = attacks.len();
    assert!(
        count > 0 && failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/adversary");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    paths.sort();
    paths
}

/// Folders that the attacks of a worker left as they were, by the files that they began with: the rules of the next one
/// need not be compiled again.
type Clean<'a> = HashMap<[&'a BTreeMap<String, String>; 3], Rc<Project>>;

/// Runs an attack, which has a number of its own; says how it got through.
fn hold<'a>(attack: &'a Attack, number: usize, clean: &mut Clean<'a>) -> Result<(), String> {
    if !attack.administrator.is_empty() && !has_namespaces() {
        eprintln!("`{}` is not tried: this system has no namespaces for users", attack.name);
        return Ok(());
    }
    let stage = Stage::of(attack, number, clean);
    if let Some(told) = &attack.told {
        return stage.tells(told);
    }
    for step in &attack.before {
        stage.take(step)?;
    }
    let (tool, input) = match (attack.command(), &attack.tool, &attack.input) {
        (Some(command), ..) => ("Bash", json!({ "command": command })),
        (None, Some(tool), input) => (tool.as_str(), stage.expanded(input)),
        (None, None, _) => return Err("it calls nothing".to_owned()),
    };
    let answer = stage.answer(tool, &input)?;
    let (got, least) = (strictness(&answer)?, level(&attack.expect)?);
    let is_held = if least == 0 { got == 0 } else { got >= least };
    if is_held { Ok(()) } else { Err(format!("{} expected, got {answer}", attack.expect)) }
}

fn level(name: &str) -> Result<u8, String> {
    match name {
        "allow" | "none" => Ok(0),
        "ask" => Ok(1),
        "deny" => Ok(2),
        other => Err(format!("`{other}` is no answer")),
    }
}

fn strictness(answer: &Value) -> Result<u8, String> {
    level(answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none"))
}

/// Whether the administrator's folder can be put in place for one process.
fn has_namespaces() -> bool {
    let status =
        Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "t", "/etc"]).status();
    status.is_ok_and(|status| status.success())
}

/// Where an attack takes place.
struct Stage<'a> {
    attack: &'a Attack,
    /// The session.
    session: String,
    root: Rc<Project>,
}

impl<'a> Stage<'a> {
    fn of(attack: &'a Attack, number: usize, clean: &mut Clean<'a>) -> Self {
        let files = [&attack.administrator, &attack.user, &attack.project];
        let new = || {
            let root = Project::new(&[
                ("project/.git/HEAD", "ref: refs/heads/main\n"),
                ("project/.git/objects/README", ""),
            ]);
            for (folder, files) in
                ["administrator", "home/.config/behavior", "project"].iter().zip(files)
            {
                for (name, text) in files {
                    root.write(&format!("{folder}/{name}"), text.as_bytes());
                }
            }
            Rc::new(root)
        };
        let root = match attack.only_speaks() {
            true => Rc::clone(clean.entry(files).or_insert_with(new)),
            false => new(),
        };
        let stage = Self { attack, session: format!("s{number}"), root };
        if !attack.setup.is_empty() {
            stage.shell(&attack.setup, "");
        }
        stage
    }

    fn path(&self, name: &str) -> String {
        self.root.path(name).to_str().unwrap().to_owned()
    }

    /// Runs a script in a folder of the project, as the agent would; whether it succeeds, and what it says.
    fn shell(&self, script: &str, folder: &str) -> (bool, String) {
        let mut command = Command::new("bash");
        command.args(["-c", script]).current_dir(self.root.path("project").join(folder));
        self.surround(&mut command);
        let output = command.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Takes a step before the call.
    fn take(&self, step: &Step) -> Result<(), String> {
        match step {
            Step::Call(command) => {
                let input = json!({ "command": command });
                if strictness(&self.answer("Bash", &input)?)? == 0 {
                    self.shell(command, &self.attack.cwd);
                }
            }
            Step::Run { runs } => {
                let input = json!({ "command": runs });
                if strictness(&self.answer("Bash", &input)?)? != 0 {
                    return Ok(());
                }
                let (event, result) = match self.shell(runs, &self.attack.cwd) {
                    (true, said) => ("PostToolUse", json!({ "tool_response": { "stdout": said } })),
                    (false, said) => ("PostToolUseFailure", json!({ "error": said })),
                };
                let call = json!({ "tool_name": "Bash", "tool_input": input });
                self.tell(event, &[call, result])?;
            }
            Step::Said { said } => {
                drop(self.tell("UserPromptSubmit", &[json!({ "prompt": said })])?)
            }
            Step::Wrote { wrote } => {
                self.tell("Stop", &[json!({ "last_assistant_message": wrote })])?;
            }
            Step::Tool { tool, input, agent_id } => {
                let input = self.expanded(&Some(input.clone()));
                let call = json!({ "tool_name": tool, "tool_input": input, "agent_id": agent_id });
                let answer = self.tell("PreToolUse", std::slice::from_ref(&call))?;
                let is_shell = tool == "Bash" && strictness(&answer)? == 0;
                if let Some(command) = call["tool_input"]["command"].as_str().filter(|_| is_shell) {
                    self.shell(command, &self.attack.cwd);
                }
                self.tell("PostToolUse", &[call, json!({ "tool_response": "done" })])?;
            }
            Step::Event { event, agent_id } => {
                self.tell(event, &[json!({ "agent_id": agent_id })])?;
            }
        }
        Ok(())
    }

    /// Whether `doctor` says so, and how.
    fn tells(&self, told: &str) -> Result<(), String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_behavior"));
        command.args(["doctor", "--format", "json"]).current_dir(self.root.path("project"));
        self.surround(&mut command);
        let env = self.attack.env.iter();
        command.envs(
            env.map(|(name, value)| (name, value.replace("$PROJECT", &self.path("project")))),
        );
        let run = Run::from(command.output().unwrap());
        let diagnosis: Value =
            serde_json::from_str(&run.out).map_err(|error| format!("{error}: {run:?}"))?;
        let agents = diagnosis["agents"].as_array().into_iter().flatten();
        let hindrances =
            agents.flat_map(|agent| agent["hindrances"].as_array().into_iter().flatten());
        let checks = diagnosis["checks"].as_array().into_iter().flatten();
        let is_told = |found: &Value| {
            found["level"] == self.attack.expect.as_str()
                && found["message"].as_str().is_some_and(|message| message.contains(told))
        };
        match hindrances.chain(checks).any(is_told) {
            true => Ok(()),
            false => {
                Err(format!("{} with `{told}` expected, got {diagnosis:#}", self.attack.expect))
            }
        }
    }

    fn surround(&self, command: &mut Command) {
        command
            .env("HOME", self.path("home"))
            .env("STATE", self.path("home/.local/state/behavior"))
            .env("CACHE", self.path("home/.cache/behavior"))
            .env("BEHAVIOR_PROGRAM", env!("CARGO_BIN_EXE_behavior"));
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_PROJECT_DIR"] {
            command.env_remove(name);
        }
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "PI_CODING_AGENT_DIR"] {
            command.env_remove(name);
        }
        for name in ["BEHAVIOR", "BEHAVIOR_STATE_DIR", "BEHAVIOR_CACHE_DIR"] {
            command.env_remove(name);
        }
    }

    /// The parameters, with the project's folder in place of `$PROJECT`, and the home in place of `$HOME`.
    fn expanded(&self, input: &Option<toml::Value>) -> Value {
        let text = serde_json::to_string(input).unwrap();
        let text = text.replace("$PROJECT", &self.path("project"));
        let text = text.replace("LONG", &format!("echo {}; rm -rf /srv", "a ".repeat(3 << 19)));
        serde_json::from_str(&text.replace("$HOME", &self.path("home"))).unwrap()
    }

    /// What the hook answers to a call; a hook that blocks by its exit code denies.
    fn answer(&self, tool: &str, input: &Value) -> Result<Value, String> {
        self.tell("PreToolUse", &[json!({ "tool_name": tool, "tool_input": input })])
    }

    /// What the hook answers to an event with some fields.
    fn tell(&self, event: &str, fields: &[Value]) -> Result<Value, String> {
        let mut payload = json!({
            "session_id": self.session, "cwd": self.root.path("project").join(&self.attack.cwd),
            "permission_mode": self.attack.mode.as_deref().unwrap_or("default"),
            "hook_event_name": event, "tool_use_id": "t1",
        });
        for (name, value) in fields.iter().flat_map(|fields| fields.as_object().unwrap()) {
            if !value.is_null() {
                payload[name.as_str()] = value.clone();
            }
        }
        let run = self.hook(&payload.to_string());
        match (run.code, run.out.trim()) {
            (2, _) => Ok(json!({ "hookSpecificOutput": { "permissionDecision": "deny" } })),
            (0, "") => Ok(Value::Null),
            (0, text) => serde_json::from_str(text).map_err(|error| format!("{error}: {run:?}")),
            (124, _) => Err("the hook hangs".to_owned()),
            _ => Err(format!("the hook fails: {run:?}")),
        }
    }

    fn hook(&self, payload: &str) -> Run {
        const WITH_ADMINISTRATOR: &str = "mount -t tmpfs t /etc && mkdir /etc/behavior && \
             cp -r \"$ADMINISTRATOR\"/. /etc/behavior && exec \"$BEHAVIOR_PROGRAM\" hook claude-code";
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", HANGS]);
        if self.attack.administrator.is_empty() {
            command.args([env!("CARGO_BIN_EXE_behavior"), "hook", "claude-code"]);
        } else {
            command.args(["unshare", "-rm", "sh", "-c", WITH_ADMINISTRATOR]);
        }
        self.surround(&mut command);
        command
            .current_dir(self.root.path("project"))
            .env("ADMINISTRATOR", self.path("administrator"))
            .envs(
                self.attack
                    .env
                    .iter()
                    .map(|(name, value)| (name, value.replace("$PROJECT", &self.path("project")))),
            )
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
        Run::from(child.wait_with_output().unwrap())
    }
}
