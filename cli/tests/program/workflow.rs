//! Workflows run by the program: scripted agents, journals, crashes, rubbish in control files.
#![cfg(unix)]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Project, Run};
use serde_json::Value;

const CONTROL: &str = ".behavior/memory/behavior.json";

/// Agents that write down that they ran; what they leave as a control file stands in a file of their name and count.
const AGENTS: &str = r#"agents:
  dev: { run: [sh, agent.sh, dev] }
  tester: { run: [sh, agent.sh, tester] }
  reviewer: { run: [sh, agent.sh, reviewer] }
  coding-agent: { run: [sh, agent.sh, coding-agent] }
  reviewing-agent: { run: [sh, agent.sh, reviewing-agent] }
"#;

/// Says its name and what it was told, and leaves `asks/NAME-N` as its control file at its run number N.
const AGENT: &str = r#"cat > /dev/null
echo "$1 $BEHAVIOR_STEP $BEHAVIOR_ITERATION" >> ran
n=$(grep -c "^$1 " ran)
if [ -e "asks/$1-$n" ]; then cp "asks/$1-$n" .behavior/memory/behavior.json; fi
if [ -e "does/$1-$n" ]; then . "./does/$1-$n"; fi
echo "$1 says $n"
"#;

const SHIP: &str = r#"{"name": "ship", "steps": [
  {"type": "ui", "label": "Work"},
  {"type": "step", "agentId": "dev", "label": "plan", "executeOnce": true},
  {"type": "step", "agentId": "dev", "label": "build"},
  {"type": "module", "agentId": "tester", "label": "test",
   "module": {"type": "loop", "action": "stepBack", "steps": 2, "maxIterations": 2}},
  {"type": "module", "agentId": "dev", "label": "deploy",
   "module": {"type": "trigger", "action": "mainAgentCall", "triggerAgentId": "reviewer"}}
]}"#;

fn project(files: &[(&str, &str)]) -> Project {
    let usual = [
        ("behavior/agents.yaml", AGENTS),
        ("agent.sh", AGENT),
        ("templates/workflows/ship.json", SHIP),
    ];
    let project = Project::new(&usual);
    for (name, text) in files {
        project.write(name, text.as_bytes());
    }
    project
}

/// The program in a project, where nothing of the user's is found.
fn command(project: &Project, args: &[&str]) -> Command {
    let mut command = project.command("");
    command.args(args);
    command.env("XDG_CONFIG_HOME", project.path("no-config"));
    command.env("XDG_STATE_HOME", project.path("no-state"));
    command
}

fn run(project: &Project, args: &[&str]) -> Run {
    Run::from(command(project, args).output().unwrap())
}

/// The runs of agents so far, a line each.
fn ran(project: &Project) -> Vec<String> {
    let text = std::fs::read_to_string(project.path("ran")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// The id of the only run.
fn id(project: &Project) -> String {
    let mut runs = std::fs::read_dir(project.path(".behavior/runs")).unwrap();
    let id = runs.next().unwrap().unwrap().file_name().into_string().unwrap();
    assert!(runs.next().is_none());
    id
}

fn journal(project: &Project) -> PathBuf {
    project.path(&format!(".behavior/runs/{}/journal.jsonl", id(project)))
}

/// The decisions in the journal, as JSON.
fn decisions(project: &Project) -> Vec<Value> {
    let text = std::fs::read_to_string(journal(project)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["event"] == "step_end").map(|line| line["workflow"].clone()).collect()
}

#[track_caller]
fn succeeds(run: &Run) {
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn a_workflow_runs_to_its_end() {
    let project = project(&[
        ("asks/tester-1", r#"{"action": "loop", "reason": "tests fail"}"#),
        ("asks/dev-4", r#"{"action": "trigger"}"#),
    ]);
    let run = run(&project, &["workflow", "run", "ship", "--input", "x"]);
    succeeds(&run);
    assert_eq!(
        ran(&project),
        ["dev 1 0", "dev 2 0", "tester 3 0", "dev 2 1", "tester 3 1", "dev 4 0", "reviewer 4 0"]
    );
    assert_eq!(run.out.lines().last(), Some("finished"));
    assert!(!project.path(CONTROL).exists());
}

#[test]
fn a_loop_ends_at_its_limit() {
    let asks = [1, 2, 3].map(|n| format!("asks/tester-{n}"));
    let files: Vec<(&str, &str)> =
        asks.iter().map(|name| (name.as_str(), r#"{"action": "loop"}"#)).collect();
    let project = project(&files);
    succeeds(&run(&project, &["workflow", "run", "ship", "-q"]));
    let reasons: Vec<Value> =
        decisions(&project).into_iter().map(|one| one["reason"].clone()).collect();
    assert_eq!(reasons[6], "loop limit reached (2)");
}

#[test]
fn prompts_tell_what_is_known() {
    let agents = "agents:\n  a: { run: [sh, -c, 'cat >> told; echo out'], prompt: Always. }\n  b: { run: [sh, -c, 'printf %s \"$1\" >> told', x, 'B:{prompt}'] }\n";
    let workflow = "name: w\nsteps:\n  - { type: step, agentId: a, label: one, prompt: \"{input} {step} {iteration} {\\\"x\\\": {y}}\\n\" }\n  - { type: step, agentId: b, label: two, prompt: \"{previous}{reason}\" }\n";
    let project =
        Project::new(&[("behavior/agents.yaml", agents), ("templates/workflows/w.yaml", workflow)]);
    succeeds(&run(&project, &["workflow", "run", "w", "--input", "{previous}"]));
    let told = String::from_utf8(project.read("told")).unwrap();
    assert_eq!(told, "Always.\n\n{previous} one 0 {\"x\": {y}}\nB:out");
}

#[test]
fn input_comes_from_standard_input_too() {
    let agents = "agents:\n  a: { run: [sh, -c, 'cat > told'] }\n";
    let workflow = "name: w\nsteps: [{ type: step, agentId: a, prompt: \"<{input}>\" }]\n";
    let project =
        Project::new(&[("behavior/agents.yaml", agents), ("templates/workflows/w.yaml", workflow)]);
    let mut command = command(&project, &["workflow", "run", "w", "--input", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"from a pipe\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(project.read("told"), b"<from a pipe>");
}

#[test]
fn a_checkpoint_pauses_and_resume_goes_on() {
    let project = project(&[("asks/dev-1", r#"{"action": "checkpoint", "reason": "look at it"}"#)]);
    let paused = run(&project, &["workflow", "run", "ship"]);
    assert_eq!(paused.code, 1);
    let id = id(&project);
    let last = format!("paused: look at it; go on with `behavior workflow resume {id}`");
    assert_eq!(paused.out.lines().last(), Some(&*last));
    assert_eq!(ran(&project), ["dev 1 0"]);
    let listed: Value =
        serde_json::from_str(&run(&project, &["workflow", "runs", "--format", "json"]).out)
            .unwrap();
    assert_eq!(
        (&listed["runs"][0]["status"], &listed["runs"][0]["next_step"]),
        (&"paused".into(), &2.into())
    );
    succeeds(&run(&project, &["workflow", "resume", &id, "--approve"]));
    assert_eq!(ran(&project), ["dev 1 0", "dev 2 0", "tester 3 0", "dev 4 0"]);
    // A second time there is nothing to do.
    succeeds(&run(&project, &["workflow", "resume", &id]));
    assert_eq!(ran(&project).len(), 4);
    assert!(run(&project, &["workflow", "show"]).out.contains("finished"));
}

#[test]
fn the_journal_of_a_run_that_was_resumed_is_a_trace() {
    let project = project(&[
        ("behavior.yaml", "profile: dev\n"),
        ("asks/dev-1", r#"{"action": "checkpoint", "reason": "look at it"}"#),
        ("asks/dev-2", "{half a file"),
    ]);
    assert_eq!(run(&project, &["workflow", "run", "ship"]).code, 1);
    let id = id(&project);
    assert_eq!(run(&project, &["workflow", "resume", &id]).code, 1);
    succeeds(&run(&project, &["workflow", "resume", &id, "--skip"]));
    let journal = journal(&project);
    let simulated =
        run(&project, &["simulate", &journal.to_string_lossy(), "--format", "jsonl", "--all"]);
    succeeds(&simulated);
    let actions: Vec<String> = simulated
        .out
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["workflow"]["action"]
                .as_str()
                .map(str::to_owned)
        })
        .collect();
    let expected = ["next", "checkpoint", "next", "error", "next", "finished"];
    assert_eq!(actions, expected, "{}", simulated.out);
}

#[test]
fn of_two_control_files_the_other_is_told() {
    let project = project(&[(
        "does/dev-1",
        "echo '{\"action\":\"stop\"}' > .behavior/memory/behavior.json
         mkdir -p .radium/memory; echo '{\"action\":\"checkpoint\"}' > .radium/memory/behavior.json",
    )]);
    let stopped = run(&project, &["workflow", "run", "ship"]);
    succeeds(&stopped);
    assert!(stopped.err.contains("`.radium/memory/behavior.json` was left as well"), "{stopped:?}");
}

#[test]
fn a_failed_agent_pauses_and_is_run_again_or_stepped_over() {
    for (flag, expected) in [("--approve", vec!["dev 2 0", "dev 2 0"]), ("--skip", vec!["dev 2 0"])]
    {
        let project = project(&[("does/dev-2", "exit 3")]);
        let failed = run(&project, &["workflow", "run", "ship"]);
        assert_eq!(failed.code, 1);
        assert!(
            failed.out.lines().last().unwrap().starts_with(
                "failed: the step failed: the command ended with exit code 3; go on with"
            ),
            "{}",
            failed.out
        );
        succeeds(&run(&project, &["workflow", "resume", &id(&project), flag]));
        let builds: Vec<String> =
            ran(&project).into_iter().filter(|line| line.starts_with("dev 2")).collect();
        assert_eq!(builds, expected, "{flag}");
    }
}

#[test]
fn a_run_is_ended_by_its_user() {
    let project = project(&[("does/dev-1", "exit 3")]);
    assert_eq!(run(&project, &["workflow", "run", "ship"]).code, 1);
    succeeds(&run(&project, &["workflow", "resume", &id(&project), "--stop"]));
    assert_eq!(ran(&project), ["dev 1 0"]);
    let listed = run(&project, &["workflow", "runs"]);
    assert!(listed.out.contains("stopped"), "{}", listed.out);
}

#[test]
fn a_program_that_is_not_there_and_one_that_is_too_slow_pause() {
    let agents = "agents:\n  a: { run: [no-such-program] }\n  b: { run: [sh, -c, 'sleep 30 & sleep 30'], timeout: 0.2 }\n";
    let workflow = |agent: &str| format!("name: w\nsteps: [{{ type: step, agentId: {agent} }}]\n");
    for (agent, expected) in [("a", "cannot be started"), ("b", "did not end in time")] {
        let project = Project::new(&[
            ("behavior/agents.yaml", agents),
            ("templates/workflows/w.yaml", &workflow(agent)),
        ]);
        let began = Instant::now();
        let failed = run(&project, &["workflow", "run", "w"]);
        assert_eq!(failed.code, 1);
        assert!(failed.out.contains(expected), "{}", failed.out);
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}

/// What an agent may leave in place of a control file.
#[test]
fn rubbish_in_place_of_a_control_file_pauses_and_never_acts_later() {
    let rubbish = [
        ("printf '{\"action\": \"lo'", "no valid JSON"),
        ("printf '\\377\\376{\\000'", "not UTF-8"),
        ("printf '[]'", "must be a JSON object"),
        ("printf ''", "it is empty"),
    ];
    let others = [
        ("mkfifo F", "no regular file"),
        ("mkdir F", "no regular file"),
        ("ln -s /etc/passwd F", "is a link"),
        ("truncate -s 3G F", "is larger than"),
        (
            "rm -r .behavior/memory; mkdir out; ln -s ../out .behavior/memory; echo '{\"action\":\"continue\"}' > out/behavior.json; mv out ../$(basename $PWD)-out; ln -sfn ../../$(basename $PWD)-out .behavior/memory",
            "outside of the workspace",
        ),
        // Another file of the project may have the name of a control file.
        (
            "rm -r .behavior/memory; mkdir other; echo '{\"action\":\"continue\"}' > other/behavior.json; ln -s ../other .behavior/memory",
            "lies behind a link",
        ),
    ];
    let written = rubbish.map(|(write, reason)| (format!("{write} > F"), reason));
    for (script, reason) in written.iter().map(|(s, r)| (s.as_str(), *r)).chain(others) {
        let script = script.replace('F', CONTROL);
        let project = project(&[("does/dev-1", &script)]);
        let failed = run(&project, &["workflow", "run", "ship"]);
        assert_eq!(failed.code, 1, "{script}: {failed:?}");
        assert_eq!(decisions(&project)[0]["error"], "control-file", "{script}");
        let told = decisions(&project)[0]["reason"].as_str().unwrap().to_owned();
        assert!(told.contains(reason), "{script}: {told}");
        assert_eq!(ran(&project), ["dev 1 0"], "{script}");
        if script.contains("other") {
            let other = project.path("other/behavior.json");
            assert!(other.exists(), "what lies elsewhere is not touched");
        }
        if !script.contains("basename") && !script.contains("other") {
            succeeds(&run(&project, &["workflow", "resume", &id(&project)]));
            assert_eq!(ran(&project), ["dev 1 0", "dev 2 0", "tester 3 0", "dev 4 0"], "{script}");
        }
        let outside =
            format!("{}-out", project.path("").display().to_string().trim_end_matches('/'));
        let _ = std::fs::remove_dir_all(outside);
    }
}

#[test]
fn a_control_file_that_was_there_before_has_no_effect() {
    let project = project(&[(CONTROL, r#"{"action": "stop"}"#)]);
    succeeds(&run(&project, &["workflow", "run", "ship"]));
    assert_eq!(ran(&project).len(), 4);
}

#[test]
fn the_config_says_where_control_files_are() {
    let project = project(&[
        ("behavior.yaml", "profile: dev\ncontrol_file: ask.json\n"),
        (
            "does/dev-1",
            "echo '{\"action\":\"stop\",\"reason\":\"enough\"}' > \"$BEHAVIOR_CONTROL_FILE\"",
        ),
    ]);
    let stopped = run(&project, &["workflow", "run", "ship"]);
    succeeds(&stopped);
    assert_eq!(stopped.out.lines().last(), Some("stopped: enough"));
    assert_eq!(ran(&project), ["dev 1 0"]);
}

/// A copy of a project.
fn copy(project: &Project) -> Project {
    let other = Project::new(&[]);
    let status = Command::new("cp")
        .arg("-a")
        .arg(format!("{}/.", project.path("").display()))
        .arg(other.path(""))
        .status();
    assert!(status.unwrap().success());
    other
}

/// Wherever the journal was cut off, what runs then is what was not written down, and all ends as it did.
#[test]
fn wherever_the_journal_breaks_off_the_run_ends_as_it_would_have() {
    let project = project(&[
        ("asks/tester-1", r#"{"action": "loop", "reason": "tests fail"}"#),
        ("asks/dev-4", r#"{"action": "trigger"}"#),
    ]);
    succeeds(&run(&project, &["workflow", "run", "ship"]));
    let (id, whole) = (id(&project), std::fs::read(journal(&project)).unwrap());
    let all = ran(&project);
    let ends: Vec<usize> = whole
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    // Behind each line, and in the middle of the next.
    for (done, end) in ends.iter().enumerate() {
        let next = ends.get(done + 1).copied();
        for cut in [Some(*end), next.map(|next| (end + next) / 2), next.map(|next| next - 1)] {
            let Some(cut) = cut else { continue };
            let copy = copy(&project);
            std::fs::write(journal(&copy), &whole[..cut]).unwrap();
            let before = all[..done].join("\n") + if done == 0 { "" } else { "\n" };
            copy.write("ran", before.as_bytes());
            succeeds(&run(&copy, &["workflow", "resume", &id]));
            assert_eq!(ran(&copy), all, "cut at {cut}, behind line {done}");
            let text = std::fs::read_to_string(journal(&copy)).unwrap();
            let ended: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let ended = ended.iter().filter(|line| line["event"] == "step_end").count();
            assert_eq!(ended, all.len());
        }
    }
}

/// A run whose process is killed at some agent's run is taken up again, and ends as one that was not killed.
#[test]
fn a_run_that_is_killed_goes_on_from_the_last_finished_step() {
    let asks = ("asks/tester-1", r#"{"action": "loop", "reason": "tests fail"}"#);
    let undisturbed = project(&[asks]);
    succeeds(&run(&undisturbed, &["workflow", "run", "ship"]));
    let expected = ran(&undisturbed);
    for at in 0..expected.len() {
        let project = project(&[asks]);
        // The agent ends who runs it, before it has written down that it ran.
        let kills = AGENT.replacen(
            "echo \"$1",
            &format!("touch ran; if [ ! -e killed ] && [ $(grep -c . ran) = {at} ]; then touch killed; kill -9 $PPID; sleep 5; exit 1; fi\necho \"$1"),
            1,
        );
        project.write("agent.sh", kills.as_bytes());
        let killed = command(&project, &["workflow", "run", "ship"]).output().unwrap();
        assert_eq!(killed.status.code(), None, "{at}: {killed:?}");
        assert_eq!(ran(&project), expected[..at]);
        let listed = run(&project, &["workflow", "runs"]);
        assert!(listed.out.contains("interrupted"), "{}", listed.out);
        succeeds(&run(&project, &["workflow", "resume", &id(&project)]));
        assert_eq!(ran(&project), expected, "{at}");
    }
}

#[test]
fn of_two_that_take_a_run_up_one_wins() {
    let project =
        project(&[("asks/dev-1", r#"{"action": "checkpoint"}"#), ("does/dev-2", "sleep 2")]);
    assert_eq!(run(&project, &["workflow", "run", "ship"]).code, 1);
    let id = id(&project);
    let first =
        command(&project, &["workflow", "resume", &id]).stdout(Stdio::null()).spawn().unwrap();
    let lock = project.path(&format!(".behavior/runs/{id}"));
    while std::fs::read_to_string(lock.join("journal.jsonl")).unwrap().lines().count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = run(&project, &["workflow", "resume", &id]);
    assert_ne!(second.code, 0);
    assert!(second.err.contains("is going on in another process"), "{}", second.err);
    assert!(run(&project, &["workflow", "runs"]).out.contains("running"));
    assert!(first.wait_with_output().unwrap().status.success());
    assert_eq!(ran(&project), ["dev 1 0", "dev 2 0", "tester 3 0", "dev 4 0"]);
}

#[test]
fn one_run_goes_on_in_a_workspace() {
    let project = project(&[("does/dev-1", "sleep 2")]);
    let first =
        command(&project, &["workflow", "run", "ship"]).stdout(Stdio::null()).spawn().unwrap();
    while ran(&project).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = run(&project, &["workflow", "run", "implement-review"]);
    assert_eq!(second.code, 2, "{second:?}");
    assert!(second.err.contains("another run goes on in this workspace"), "{}", second.err);
    assert!(first.wait_with_output().unwrap().status.success());
}

#[test]
fn a_step_that_is_taken_again_knows_why_it_was_asked_for() {
    let workflow = r#"{"name": "w", "steps": [
      {"type": "step", "agentId": "a", "prompt": "told <{reason}>"},
      {"type": "module", "agentId": "t", "module": {"type": "loop", "action": "stepBack", "steps": 1, "maxIterations": 2}}
    ]}"#;
    let agents = r#"agents:
  a: { run: [sh, -c, 'cat >> told; echo >> told; n=$(wc -l < told); [ "$n" != 2 ]'] }
  t: { run: [sh, -c, '[ -e asked ] || echo "{\"action\": \"loop\", \"reason\": \"two fail\"}" > "$BEHAVIOR_CONTROL_FILE"; touch asked'] }
"#;
    let project =
        Project::new(&[("behavior/agents.yaml", agents), ("templates/workflows/w.json", workflow)]);
    assert_eq!(run(&project, &["workflow", "run", "w"]).code, 1);
    succeeds(&run(&project, &["workflow", "resume", &id(&project)]));
    let told = String::from_utf8(project.read("told")).unwrap();
    assert_eq!(told, "told <>\ntold <two fail>\ntold <two fail>\n");
}

#[test]
fn prompts_of_the_library_name_the_control_file_that_counts() {
    let leaves = r#"path=$(cat | sed -n 's/^ *\(.*ask.json\)$/\1/p' | head -n 1)
[ -e asked ] || echo '{"action": "checkpoint", "reason": "look at it"}' > "$path"; touch asked
"#;
    let agents = "agents:\n  coding-agent: { run: [sh, leaves.sh] }\n";
    let project = Project::new(&[
        ("behavior.yaml", "control_file: ask.json\n"),
        ("behavior/agents.yaml", agents),
        ("leaves.sh", leaves),
    ]);
    let paused = run(&project, &["workflow", "run", "checked-change", "--input", "x"]);
    assert_eq!(paused.code, 1, "{paused:?}");
    assert!(paused.out.lines().last().unwrap().contains("look at it"), "{paused:?}");
}

#[test]
fn no_secret_of_a_control_file_or_an_input_is_shown() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let asks = format!("{{\"action\": \"checkpoint\", \"reason\": \"use {secret}\"}}");
    let project = project(&[("asks/dev-1", &asks)]);
    let paused = run(&project, &["workflow", "run", "ship", "--input", &secret]);
    let shown = run(&project, &["workflow", "show", "-v"]);
    let listed = run(&project, &["workflow", "runs"]);
    for told in [&paused.out, &paused.err, &shown.out, &listed.out] {
        assert!(!told.contains(&secret), "{told}");
    }
    assert!(
        !std::fs::read_to_string(journal(&project)).unwrap().contains(&format!("use {secret}"))
    );
}

#[test]
fn agents_that_are_half_declared_and_variables_of_ours_do_nothing() {
    let workflow = "name: w\nsteps: [{ type: step, agentId: a }]\n";
    let agents = |of: &str| format!("agents:\n  a: {{ run: [sh, -c, 'env > seen'], {of} }}\n");
    let broken = Project::new(&[
        ("behavior/agents.yaml", &*agents("profile: nobody-has-it")),
        ("templates/workflows/w.yaml", workflow),
    ]);
    let refused = run(&broken, &["workflow", "run", "w"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("there is no profile `nobody-has-it`"), "{refused:?}");
    assert!(!broken.path("seen").exists());
    let project = Project::new(&[
        ("behavior/agents.yaml", &*agents("env: { BEHAVIOR: \"off\", MINE: yes }")),
        ("templates/workflows/w.yaml", workflow),
    ]);
    succeeds(&run(&project, &["workflow", "run", "w"]));
    let seen = String::from_utf8(project.read("seen")).unwrap();
    assert!(seen.contains("MINE=yes") && !seen.contains("BEHAVIOR=off"), "{seen}");
}

/// A pipe that nobody writes to is not waited for.
#[test]
#[cfg(unix)]
fn a_pipe_among_templates_is_passed_over() {
    let project = project(&[]);
    let made = Command::new("mkfifo").arg(project.path("templates/workflows/f.yaml")).status();
    assert!(made.unwrap().success());
    let began = Instant::now();
    assert_eq!(run(&project, &["check"]).code, 0);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_interrupt_pauses() {
    let project = project(&[("does/dev-1", "sleep 30")]);
    let child =
        command(&project, &["workflow", "run", "ship"]).stdout(Stdio::piped()).spawn().unwrap();
    while ran(&project).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.lines().last().unwrap().starts_with("paused: broken off by the user; go on with"),
        "{text}"
    );
    project.write("does/dev-1", b"");
    std::fs::remove_file(project.path("ran")).unwrap();
    succeeds(&run(&project, &["workflow", "resume", &id(&project)]));
    assert_eq!(ran(&project).len(), 4);
}

#[test]
fn programs_are_told_in_lines_of_json() {
    let project = project(&[("asks/dev-1", r#"{"action": "checkpoint"}"#)]);
    let paused = run(&project, &["workflow", "run", "ship", "--format", "jsonl"]);
    assert_eq!(paused.code, 1);
    let lines: Vec<Value> =
        paused.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let events: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["run", "step_start", "output", "step_end", "end"]);
    assert_eq!(lines[4]["status"], "paused");
    assert_eq!(lines[3]["workflow"]["action"], "checkpoint");
}

#[test]
fn a_dry_run_runs_nothing() {
    let project = project(&[]);
    let dry = run(&project, &["workflow", "run", "ship", "--dry-run"]);
    succeeds(&dry);
    assert!(
        dry.out.contains("$ sh agent.sh dev") && dry.out.contains("agents run at most"),
        "{}",
        dry.out
    );
    assert!(ran(&project).is_empty() && !project.path(".behavior").exists());
}

#[test]
fn what_cannot_be_run_is_refused_with_the_reason() {
    let project = project(&[(
        "templates/workflows/bad.json",
        r#"{"name": "bad", "steps": [{"type": "step", "agentId": "dve"}]}"#,
    )]);
    let unknown = run(&project, &["workflow", "run", "shp"]);
    assert_eq!((unknown.code, unknown.err.contains("did you mean `ship`?")), (2, true));
    let broken = run(&project, &["workflow", "run", "bad"]);
    assert_eq!(
        (broken.code, broken.err.contains("did you mean `dev`?")),
        (2, true),
        "{}",
        broken.err
    );
    assert_eq!(run(&project, &["workflow", "resume", "../x"]).code, 2);
    // The others stay usable.
    succeeds(&run(&project, &["workflow", "run", "ship"]));
}

#[test]
fn templates_are_listed_with_their_origin() {
    let project = project(&[
        (
            "no-config/behavior/templates/workflows/own.yaml",
            "name: own\nsteps: [{ type: step, agentId: mine }]\n",
        ),
        (
            "no-config/behavior/templates/workflows/ship.yaml",
            "name: ship\nsteps: [{ type: step, agentId: mine }]\n",
        ),
        ("no-config/behavior/agents.yaml", "agents: { mine: { run: codex } }\n"),
        (
            "templates/workflows/plan.yaml",
            "name: plan-migrate\nsteps: [{ type: step, agentId: dev }]\n",
        ),
        ("templates/workflows/bad.json", "{"),
    ]);
    let listed: Value =
        serde_json::from_str(&run(&project, &["workflow", "list", "--format", "json"]).out)
            .unwrap();
    assert_eq!(listed["version"], 1);
    let names: Vec<(&str, &str)> = listed["workflows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["origin"].as_str().unwrap()))
        .collect();
    assert_eq!(
        names,
        [
            ("plan-migrate", "project"),
            ("ship", "project"),
            ("own", "user"),
            ("checked-change", "library"),
            ("implement-review", "library"),
            ("implement-test-fix", "library"),
        ]
    );
    let ship = &listed["workflows"][1];
    assert_eq!((&ship["steps"], &ship["worst_case_step_runs"]), (&5.into(), &24.into()));
    assert_eq!(listed["broken"][0]["file"], "templates/workflows/bad.json");
    assert_eq!(listed["broken"][0]["diagnostics"][0]["severity"], "error");
    let inspected = project.json("inspect templates/workflows/ship.json --format json");
    assert_eq!(inspected["workflows"][0], *ship);
}

#[test]
fn check_finds_templates_and_agents() {
    let project = project(&[(
        "templates/workflows/bad.json",
        r#"{"name": "bad", "steps": [{"type": "step", "agentId": "dve"}]}"#,
    )]);
    let checked = run(&project, &["check", "--format", "concise"]);
    assert_eq!(checked.code, 1);
    assert!(checked.out.contains("templates/workflows/bad.json:1:55: error[unknown-agent]: nobody declares the agent `dve`"), "{}", checked.out);
    let one = run(&project, &["check", "templates/workflows/ship.json", "behavior/agents.yaml"]);
    assert_eq!(one.code, 0, "{}", one.out);
}

/// The workflows of the library, with agents that ask for what their prompts tell of.
#[test]
fn workflows_of_the_library_run() {
    let looped = r#"{"action": "loop", "reason": "one test fails"}"#;
    let project_1 = project(&[("asks/coding-agent-2", looped)]);
    succeeds(&run(&project_1, &["workflow", "run", "implement-test-fix", "--input", "x"]));
    assert_eq!(
        ran(&project_1).join(", "),
        "coding-agent 0 0, coding-agent 1 0, coding-agent 0 1, coding-agent 1 1, coding-agent 2 0"
    );

    let trigger =
        r#"{"action": "trigger", "triggerAgentId": "reviewing-agent", "reason": "review it"}"#;
    let project_2 = project(&[("asks/coding-agent-1", trigger)]);
    succeeds(&run(&project_2, &["workflow", "run", "implement-review", "--input", "x"]));
    assert_eq!(
        ran(&project_2).join(", "),
        "coding-agent 0 0, reviewing-agent 0 0, coding-agent 1 0"
    );

    // An agent need not ask for the user to look at its plan.
    let project_3 = project(&[("asks/coding-agent-3", looped)]);
    assert_eq!(run(&project_3, &["workflow", "run", "plan-migrate", "--input", "x"]).code, 1);
    assert_eq!(ran(&project_3), ["coding-agent 1 0"]);
    succeeds(&run(&project_3, &["workflow", "resume", &id(&project_3), "--approve"]));
    assert_eq!(
        ran(&project_3).join(", "),
        "coding-agent 1 0, coding-agent 3 0, coding-agent 4 0, coding-agent 3 1, coding-agent 4 1"
    );

    // Nobody is there who could look at it from outside: the run pauses.
    let vibecheck = r#"{"action": "vibecheck", "reason": "unsure"}"#;
    let project_4 = project(&[("asks/coding-agent-1", vibecheck)]);
    let paused = run(&project_4, &["workflow", "run", "checked-change", "--input", "x"]);
    assert_eq!(paused.code, 1, "{paused:?}");
    assert_eq!(decisions(&project_4)[0]["risk"], 0.8);
    succeeds(&run(&project_4, &["workflow", "resume", &id(&project_4)]));
    assert_eq!(
        ran(&project_4).join(", "),
        "coding-agent 0 0, coding-agent 1 0, reviewing-agent 2 0"
    );
}

/// The profile of an agent comes on top of the rules that hold, and can only make them stricter.
#[test]
fn the_profile_of_an_agent_only_tightens() {
    let project = project(&[
        (
            "behavior.yaml",
            "profile: dev\nrule_definitions:\n  - { id: no_deploy, trigger: bash, action: block, condition: { runs: deploy }, message: Not now. }\n",
        ),
        ("behavior/loose.yaml", "name: loose\nrules: { read_before_edit: false }\n"),
        (
            "behavior/strict.yaml",
            "name: strict\nrule_definitions:\n  - { id: no_push, trigger: bash, action: block, condition: { runs: git push }, message: No pushes. }\n",
        ),
    ]);
    let hook = |command_line: &str, profile: Option<&str>| {
        let mut hook = command(&project, &["hook", "native"]);
        hook.env("XDG_CACHE_HOME", project.path("no-cache"));
        if let Some(profile) = profile {
            hook.env("BEHAVIOR_WORKFLOW_PROFILE", profile);
        }
        let mut child = hook.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let event = serde_json::json!({"event": "tool_call", "session": profile.unwrap_or("none"), "tool": "bash", "params": {"command": command_line}});
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), event.to_string().as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["verdict"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(hook("deploy", None), "deny");
    assert_eq!(hook("deploy", Some("loose")), "deny");
    assert_eq!(hook("git push", None), "allow");
    assert_eq!(hook("git push", Some("strict")), "deny");
    // A profile that is not there cannot be enforced, which is not the same as having none.
    assert_ne!(hook("ls", Some("nowhere")), "allow");
}

/// A model that gives one answer, at the address that is returned. What it was asked comes from the thread.
fn model(answer: &str) -> (String, std::thread::JoinHandle<String>) {
    use std::io::{BufRead, BufReader, Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let body = serde_json::json!({"choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}]}).to_string();
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut length = 0;
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap() > 2 {
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut question = vec![0; length];
        reader.read_exact(&mut question).unwrap();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        String::from_utf8(question).unwrap()
    });
    (address, asked)
}

#[test]
fn a_model_looks_at_the_work_and_its_advice_opens_the_next_prompt() {
    let agents = "agents:\n  a:\n    run:\n      - sh\n      - -c\n      - |\n        cat >> told\n        if [ ! -e asked ]; then touch asked; echo '{\"action\": \"vibecheck\", \"reason\": \"unsure\"}' > .behavior/memory/behavior.json; fi\n";
    let workflow = "name: w\nsteps: [{ type: step, agentId: a, label: plan }, { type: step, agentId: a, prompt: Build. }]\n";
    let project =
        Project::new(&[("behavior/agents.yaml", agents), ("templates/workflows/w.yaml", workflow)]);
    let (address, asked) = model("This looks good: proceed.");
    let settings = format!(
        "default_brain: {{ provider: custom, model: m, config: {{ base_url: \"{address}\" }} }}\n"
    );
    project.write("no-config/behavior/config.yaml", settings.as_bytes());
    let done = run(&project, &["workflow", "run", "w", "--input", "x"]);
    assert_eq!(done.code, 0, "{done:?}");
    let decision = &decisions(&project)[0];
    assert_eq!(
        (&decision["action"], &decision["risk"]),
        (&"oversight".into(), &0.15.into()),
        "{decision}"
    );
    assert!(done.err.contains("advice: This looks good: proceed."), "{done:?}");
    let question = asked.join().unwrap();
    assert!(question.contains("Phase: planning") && question.contains("unsure"), "{question}");
    let told = String::from_utf8(project.read("told")).unwrap();
    assert!(told.ends_with("This looks good: proceed.\n\nBuild."), "{told}");
}

/// A server that takes a question and never answers.
fn silent() -> (String, std::net::TcpListener) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    (format!("http://{}/v1", listener.local_addr().unwrap()), listener)
}

fn brain_at(address: &str) -> String {
    format!(
        "default_brain: {{ provider: custom, model: m, config: {{ base_url: \"{address}\" }} }}\n"
    )
}

/// A step that asks for oversight, and one behind it; each writes down that it ran.
fn overseen() -> Project {
    project(&[
        ("asks/dev-1", r#"{"action": "vibecheck"}"#),
        (
            "templates/workflows/w.yaml",
            "name: w\nsteps: [{ type: step, agentId: dev }, { type: step, agentId: tester }]\n",
        ),
    ])
}

#[test]
fn a_step_that_waits_for_oversight_is_not_run_again() {
    let project = overseen();
    let (address, _listener) = silent();
    project.write("no-config/behavior/config.yaml", brain_at(&address).as_bytes());
    let mut first =
        command(&project, &["workflow", "run", "w"]).stdout(Stdio::null()).spawn().unwrap();
    let waits = || {
        let runs = std::fs::read_dir(project.path(".behavior/runs")).ok()?;
        runs.flatten().find(|run| run.path().join("unanswered.json").exists())
    };
    let start = Instant::now();
    while waits().is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not ask");
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let (address, asked) = model("This looks good: proceed.");
    project.write("no-config/behavior/config.yaml", brain_at(&address).as_bytes());
    succeeds(&run(&project, &["workflow", "resume", &id(&project)]));
    asked.join().unwrap();
    assert_eq!(ran(&project), ["dev 0 0", "tester 1 0"]);
    assert_eq!(decisions(&project)[0]["action"], "oversight");
    // The log has who was asked, and for which run.
    let log = std::fs::read_to_string(project.path("no-state/behavior/audit.jsonl")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [line] = &lines[..] else { panic!("{log}") };
    assert_eq!(
        (&line["agent"], &line["model"]["purpose"]),
        (&"workflow run".into(), &"oversee".into())
    );
    assert_eq!(line["session"], id(&project));
    assert!(!log.contains("proceed"), "{log}");
}

#[test]
fn an_interrupt_ends_the_wait_for_oversight() {
    let project = overseen();
    let (address, _listener) = silent();
    project.write("no-config/behavior/config.yaml", brain_at(&address).as_bytes());
    let child =
        command(&project, &["workflow", "run", "w"]).stdout(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while ran(&project).is_empty() || start.elapsed() < Duration::from_millis(500) {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not run");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let asked = Instant::now();
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("broken off by the user"), "{text}");
}

#[test]
fn agents_that_became_broken_are_not_taken_up_again() {
    let project = project(&[("asks/dev-1", r#"{"action": "checkpoint"}"#)]);
    assert_eq!(run(&project, &["workflow", "run", "ship"]).code, 1);
    let broken = AGENTS.replace("  tester: {", "  tester: { profil: guard,");
    project.write("behavior/agents.yaml", broken.as_bytes());
    let id = id(&project);
    let refused = run(&project, &["workflow", "resume", &id]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("it has errors"), "{refused:?}");
    assert_eq!(ran(&project).len(), 1);
    succeeds(&run(&project, &["workflow", "resume", &id, "--stop"]));
}

#[test]
fn a_folder_of_control_files_that_is_none_is_no_continue() {
    for does in [
        "rm -rf .behavior/memory; mkfifo .behavior/memory",
        "rm -rf .behavior/memory; ln -s nowhere .behavior/memory",
        "rm -rf .behavior/memory; echo > .behavior/memory",
    ] {
        let project = project(&[("does/dev-1", does)]);
        let paused = run(&project, &["workflow", "run", "ship"]);
        assert_eq!(paused.code, 1, "{does}: {paused:?}");
        assert_eq!(ran(&project).len(), 1, "{does}");
    }
    let project = project(&[("does/dev-1", "rm -rf .behavior/memory")]);
    succeeds(&run(&project, &["workflow", "run", "ship"]));
}

#[test]
fn nothing_that_an_agent_says_last_is_lost_where_its_reader_is_slow() {
    use std::io::Read;
    let project = project(&[("does/dev-1", "seq 1 60000; echo THE-ANSWER")]);
    let mut child =
        command(&project, &["workflow", "run", "ship"]).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let mut shown = String::new();
    child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(shown.contains("THE-ANSWER"));
    let text = std::fs::read_to_string(journal(&project)).unwrap();
    assert!(text.contains("60000\\nTHE-ANSWER"), "the journal lacks the end");
}

#[test]
fn a_run_whose_journal_is_taken_away_does_not_end_as_if_all_were_well() {
    let project = project(&[("does/dev-1", "rm -rf .behavior/runs")]);
    let failed = run(&project, &["workflow", "run", "ship"]);
    assert_eq!(failed.code, 1, "{failed:?}");
    assert!(failed.out.contains("is not there any more"), "{failed:?}");
    assert_eq!(project.read(".behavior/.gitignore"), b"*\n");
}

#[test]
fn no_secret_that_an_agent_prints_is_shown() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    for format in ["pretty", "jsonl"] {
        let project = project(&[
            ("does/dev-1", &format!("echo token {token}")),
            // The end of what is kept begins within it.
            ("does/dev-2", &format!("printf '{token} '; head -c 16370 /dev/zero | tr '\\0' z")),
        ]);
        let shown = run(&project, &["workflow", "run", "ship", "--format", format]);
        assert!(!shown.out.contains(&token), "{format}");
        assert!(shown.out.contains("token "), "{format}: {shown:?}");
        let text = std::fs::read_to_string(journal(&project)).unwrap();
        assert!(!text.contains("B2a1B2a1B2"), "{text}");
    }
}

#[test]
fn settings_that_cannot_be_read_are_no_defaults() {
    for (setting, name) in
        [("oversight: { pause_at: 7 }", "oversight"), ("control_file: \".\"", "control_file")]
    {
        let project = project(&[("behavior.yaml", &format!("profile: dev\n{setting}\n"))]);
        let refused = run(&project, &["workflow", "run", "ship"]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.err.contains(&format!("`{name}`")), "{refused:?}");
    }
}

#[test]
fn an_image_of_a_project_holds_its_workflows() {
    let project = project(&[("behavior.yaml", "profile: dev\n")]);
    succeeds(&run(&project, &["compile", "-o", "rules.bhv"]));
    let inspected = run(&project, &["inspect", "rules.bhv", "--format", "json"]);
    let image: Value = serde_json::from_str(&inspected.out).unwrap();
    assert_eq!(image["workflows"][0]["name"], "ship", "{image}");
    let inspected = run(&project, &["inspect", "--format", "json"]);
    let image: Value = serde_json::from_str(&inspected.out).unwrap();
    assert_eq!(image["workflows"][0]["worst_case_step_runs"], 24, "{image}");
}

#[test]
fn a_pipe_in_place_of_a_journal_keeps_nobody_waiting() {
    let project = project(&[("asks/dev-1", r#"{"action": "checkpoint"}"#)]);
    assert_eq!(run(&project, &["workflow", "run", "ship"]).code, 1);
    let (id, journal) = (id(&project), journal(&project));
    // Nor does one in place of what says that a command runs.
    let note = journal.with_file_name("running.json");
    assert!(Command::new("mkfifo").arg(note).status().unwrap().success());
    assert_eq!(run(&project, &["workflow", "resume", &id]).code, 0);
    std::fs::remove_file(&journal).unwrap();
    assert!(Command::new("mkfifo").arg(&journal).status().unwrap().success());
    for args in [&["resume", &id][..], &["show", &id], &["runs"]] {
        let run = run(&project, &[&["workflow"], args].concat());
        assert!(run.err.contains("no regular file"), "{args:?}: {run:?}");
    }
}

/// What a command starts in a group of its own ends with it, where its time is over.
#[cfg(target_os = "linux")]
#[test]
fn nobody_gets_away_when_the_time_is_over() {
    let agents = "agents:\n  a: { run: [sh, -c, 'setsid sh -c \"sleep 3; touch away\" & sleep 60'], timeout: 1 }\n";
    let workflow = "name: w\nsteps: [{ type: step, agentId: a }]\n";
    let project =
        Project::new(&[("behavior/agents.yaml", agents), ("templates/workflows/w.yaml", workflow)]);
    assert_eq!(run(&project, &["workflow", "run", "w"]).code, 1);
    std::thread::sleep(Duration::from_secs(3));
    assert!(!project.path("away").exists());
}

#[test]
fn a_secret_written_with_escapes_is_neither_shown_nor_kept() {
    let secret = "a1B2c3D4e5F6".repeat(3);
    let asks = format!(r#"{{"action": "checkpoint", "reason": "use \u0067hp_{secret}"}}"#);
    let project = project(&[("asks/dev-1", &asks)]);
    let paused = run(&project, &["workflow", "run", "ship"]);
    assert!(paused.out.contains("use "), "{paused:?}");
    assert!(!paused.out.contains(&secret), "{paused:?}");
    for file in std::fs::read_dir(journal(&project).parent().unwrap()).unwrap() {
        let text = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(&secret));
    }
}

#[test]
fn an_input_with_a_secret_is_told_of() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let run = run(&project(&[]), &["workflow", "run", "ship", "--input", &secret]);
    assert!(run.err.contains("seems to hold a secret"), "{run:?}");
    assert!(!run.err.contains(&secret), "{run:?}");
}

#[test]
fn a_file_of_rules_is_no_control_file() {
    for name in ["behavior.yaml", "behavior/x.json", "templates/workflows/w.json", "README.md"] {
        let project = Project::new(&[("behavior.yaml", &format!("control_file: {name}\n"))]);
        let checked = run(&project, &["check"]);
        assert_eq!(checked.code, 1, "{name}: {checked:?}");
        assert!(checked.out.contains("cannot be the control file"), "{name}: {checked:?}");
    }
}
