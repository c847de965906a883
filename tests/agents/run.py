#!/usr/bin/env python3
"""Runs real agents under real hooks, against a scripted model, and checks what a user relies on.

    cargo build && python3 tests/agents/run.py [AGENT...] [hooks] [models] [workflow] [tools] [screens]

- `hooks`: the harmless call runs, the blocked one does not, the agent is told why, and is made to go on.
- `models`: what the classifier says is there before the agent's first word, and what the verifier flags sends it back.
- `workflow`: `behavior workflow run` starts the agent by its bare name, with the step's prompt and rules.
- `tools`: the agent calls the tool server that `behavior init --mcp` registers.
- `screens`: what a person sees on the agent's own screen, as a table; needs tmux, and takes a minute each.

Agents are looked for in the directory that `BEHAVIOR_AGENTS` names, then on `PATH`; one that is not there is
skipped and said to be. `BEHAVIOR_PROGRAM` is the program, if not `target/debug/behavior`. Each agent
gets a project and a home of its own below the temporary directory, nothing of the user's environment but
`PATH`, and no model but the script. `BEHAVIOR_KEEP=1` keeps the directories and what the agent printed.
Exit code 1 if anything is not as it should be. Standard library only.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from agents import AGENTS, BINARIES, write, write_json  # noqa: E402
from brain import DIRECTIVE, FLAG, Brain  # noqa: E402
from model import Model  # noqa: E402
from screens import Screen, work  # noqa: E402
from staying import STAYING  # noqa: E402

HERE = Path(__file__).resolve().parent
REASON = "nothing is removed here, move it aside"
REMINDER = "the sign was made, look at it"
GO_ON = "say what became of the sign"
HARMLESS = "touch sign"
BLOCKED = "rm -rf build"
PROMPT = "Tidy up."
PATIENCE = 120

NO_REMOVAL = f"""  - id: no_removal
    trigger: [bash]
    action: block
    condition:
      param_contains: {{ param: command, value: "rm -rf" }}
    message: "{REASON}"
"""
SIGN_MADE = f"""  - id: sign_made
    trigger: [bash]
    when: post_tool
    action: warn
    condition:
      param_contains: {{ param: command, value: "{HARMLESS}" }}
    message: "{REMINDER}"
"""
RULES = f"""rule_definitions:
{NO_REMOVAL}
{SIGN_MADE}  - id: no_early_end
    when: on_text
    action: block
    condition:
      text_matches: "That is all"
    message: "{GO_ON}"
"""


class Run:
    """One agent in a scratch directory."""

    def __init__(self, name, program, scratch):
        self.name = name
        self.program = program
        self.home = scratch / "home"
        self.project = scratch / "project"
        self.state = scratch / "state"
        self.output = ""
        self.problems = []
        self.remarks = []
        self.requests = []
        write(self.project / "build/kept", "")
        self.home.mkdir()

    def environment(self, more):
        path = os.pathsep.join(filter(None, [os.environ.get("BEHAVIOR_AGENTS"), os.environ["PATH"]]))
        return {
            "PATH": path,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "BEHAVIOR_STATE_DIR": str(self.state),
            "BEHAVIOR_CACHE_DIR": str(self.home / "behavior-cache"),
            **more,
        }

    def execute(self, command, more=None):
        """Runs a command in the project, in a process group of its own that does not outlive it."""
        process = subprocess.Popen(
            command, cwd=self.project, env=self.environment(more or {}), text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            self.problems.append(f"`{command[0]}` was not done after {PATIENCE} s")
        return process.returncode, output

    def check(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def log(self):
        path = self.state / "audit.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def set_up(self, rules, *more):
        """Writes the rules of the project and has the hooks written."""
        write(self.project / "behavior.yaml", rules)
        code, output = self.execute([self.program, "init", "--agent", self.name, "--yes", *more])
        self.check(code == 0, f"`behavior init` ends with {code}: {output}")

    def start(self, model, command=None):
        """Starts the agent, or a command that starts it, and waits for its end."""
        setup = AGENTS[self.name](self.home, self.project, model)
        code, self.output = self.execute(command or [*setup.words, PROMPT], setup.environment)
        self.requests = model.requests
        who = "the command" if command else "the agent"
        self.check(code == 0, f"{who} ends with {code}: {self.output[-400:]}")

    def keep(self, model, until):
        """As `start`; agents that would end with their first answer are kept alive until something holds."""
        if self.name not in STAYING:
            return self.start(model)
        setup = AGENTS[self.name](self.home, self.project, model)

        def start(words):
            return subprocess.Popen(
                words, cwd=self.project, env=self.environment(setup.environment), text=True, errors="replace",
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            )

        self.output = STAYING[self.name](start, PROMPT, until)
        self.requests = model.requests

    def calls_are_decided(self, model):
        """What holds wherever the script asks for a harmless and for a blocked command."""
        self.check((self.project / "sign").exists(), "the harmless command did not run")
        self.check((self.project / "build/kept").exists(), "the blocked command ran")
        self.check(model.was_told(REASON), "the model was not told why the command was blocked")
        denied = [line for line in self.log() if line.get("verdict") == "deny"]
        self.check(any("no_removal" in line.get("rules", []) for line in denied), "the log has no denial")
        failures = [line["failure"] for line in self.log() if "failure" in line]
        self.check(not failures, f"the hook failed: {failures}")


def hooks(run):
    run.set_up(RULES)
    model = Model([HARMLESS, BLOCKED], ["That is all.", "The sign is there."])
    try:
        run.start(model)
    finally:
        model.close()
    run.calls_are_decided(model)
    run.check(model.was_told(REMINDER), "the model was not told of the reminder")
    seen = [line["event"] for line in run.log()]
    run.check("session_end" not in seen[:-1], "something was told after the end of the session")
    if run.name in STAYING:
        model = Model([HARMLESS], ["That is all.", "The sign is there."])
        try:
            run.keep(model, lambda: model.was_told(GO_ON))
        finally:
            model.close()
    run.check(model.was_told(GO_ON), "the model was not made to go on")
    run.remarks.append(f"the hook saw {', '.join(seen)}")


def models(run):
    brain = Brain()
    model = Model([HARMLESS], ["The parser refuses empty input.", "I have not looked at the parser."])
    named = {"provider": "custom", "model": "small", "config": {"base_url": f"{brain.url}/v1"}}
    # What the user says holds without any trust.
    write_json(run.home / ".config/behavior/config.yaml", {"default_brain": named})
    try:
        run.set_up("classify_turns: true\nverifier: { enabled: true, headless: true }\n")
        run.keep(model, lambda: model.was_told(FLAG))
    finally:
        brain.close()
        model.close()
    run.check(brain.classified > 0, "the classifier was not asked")
    run.check(model.was_told(DIRECTIVE, before=1), "the directive was not there before the first word")
    run.check(brain.verified > 0, "the verifier was not asked")
    run.check(model.was_told(FLAG), "the flag did not send the agent back")
    run.remarks.append(f"classified {brain.classified}, verified {brain.verified} answers")


TEMPLATE = """name: tidy
steps:
  - { type: step, agentId: worker, prompt: "Put up a sign: {input}" }
"""


def workflow(run):
    run.execute(["git", "init", "-q", "."])
    run.set_up("rule_definitions: []\n")
    write(run.project / "templates/workflows/tidy.yaml", TEMPLATE)
    write(run.project / "behavior/agents.yaml", f"agents:\n  worker: {{ run: {run.name}, profile: careful }}\n")
    write(run.project / "behavior/careful.yaml", f"name: careful\nrule_definitions:\n{NO_REMOVAL}")
    # Its hooks run once a user has looked at them, which nobody does here.
    is_hooked = run.name != "codex"
    model = Model([HARMLESS, BLOCKED] if is_hooked else [HARMLESS], ["The sign is there."])
    try:
        run.start(model, [run.program, "workflow", "run", "tidy", "--input", "WET PAINT", "--format", "jsonl"])
    finally:
        model.close()
    run.check(model.was_told("Put up a sign: WET PAINT"), "the model was not told the prompt of the step")
    run.check("The sign is there." in run.output, "what the agent said is not in the run")
    if is_hooked:
        run.calls_are_decided(model)
    else:
        run.check((run.project / "sign").exists(), "the harmless command did not run")
        run.remarks.append("its hooks are not tried: nobody trusts them here")


def tools(run):
    if run.name == "pi":
        run.remarks.append("it takes no tool servers")
        return
    run.set_up(RULES, "--mcp")
    calls = [{"tool": "bash", "params": {"command": BLOCKED}}]
    model = Model([("preflight", {"calls": calls})], ["The sign is there."])
    try:
        run.start(model)
    finally:
        model.close()
    run.check(model.was_told("no_removal"), "the tool did not say which rule would decide")


ASKED = "a flag is raised for all to see"
RAISE = "touch flag"
SEEN = f"""rule_definitions:
{NO_REMOVAL}
  - id: ask_first
    trigger: [bash]
    action: ask
    condition:
      param_contains: {{ param: command, value: "{RAISE}" }}
    message: "{ASKED}"
{SIGN_MADE}  - id: no_early_end
    when: turn_end
    action: remind
    condition:
      text_matches: "That is all"
    message: "{GO_ON}"
"""


def screens(run):
    if shutil.which("tmux") is None:
        run.remarks.append("skipped, there is no `tmux` here")
        return
    run.execute(["git", "init", "-q", "."])
    run.set_up(SEEN)
    asks = seen_with(run, True, {"block": REASON, "warn": REMINDER, "end of a turn": GO_ON})
    # A no ends the turn of some.
    if asks:
        seen_with(run, False, {})


def seen_with(run, agrees, told):
    """Starts the agent at a terminal, where a person says yes or no if asked; whether that was so."""
    (run.project / "flag").unlink(missing_ok=True)
    # Slow enough that what is shown for a while can be seen.
    model = Model([HARMLESS, BLOCKED, RAISE], ["That is all.", "The sign is there."], pause=1.5)
    setup = AGENTS[run.name](run.home, run.project, model)
    screen = Screen(run.name, run.project, setup.at_terminal or setup.words[:1], run.environment(setup.environment))
    try:
        asks = work(run.name, screen, agrees, lambda: model.was_told(GO_ON))
    finally:
        screen.end()
        model.close()
    run.output += "".join(f"{seen}\n{'=' * 100}\n" for seen in screen.seen)
    answer = "yes" if agrees else "no"
    ran = (run.project / "flag").exists()
    run.check(ran == (asks and agrees), f"after a {answer} the call {'ran' if ran else 'did not run'}")
    run.check((run.project / "build/kept").exists(), "the blocked command ran")
    for what, text in told.items():
        run.check(model.was_told(text), f"{what}: the model was not told")
    asked = f"ask, {answer}" if asks else "ask, which it cannot"
    words = {True: "yes", False: "no"}
    for what, text in {**told, asked: ASKED}.items():
        run.remarks.append(f"{what}: model told {words[model.was_told(text)]}, user sees {words[screen.showed(text)]}")
    return asks


SCENARIOS = {"hooks": hooks, "models": models, "workflow": workflow, "tools": tools, "screens": screens}


def version(run, program):
    code, output = run.execute([program, "--version"])
    lines = [line for line in output.splitlines() if any(c.isdigit() for c in line)]
    return lines[-1].strip() if code == 0 and lines else "of an unknown version"


def one(name, scenario, program):
    """Runs a scenario with an agent; whether all was as it should be."""
    scratch = Path(tempfile.mkdtemp(prefix=f"behavior-{name}-")).resolve()
    run = Run(name, program, scratch)
    which = version(run, BINARIES[name])
    SCENARIOS[scenario](run)
    verdict = "fails" if run.problems else "passes"
    print("; ".join([f"{name} ({which}), {scenario}: {verdict}", *run.remarks]), flush=True)
    for problem in run.problems:
        print(f"  {problem}")
    if os.environ.get("BEHAVIOR_KEEP"):
        write(scratch / "output.txt", run.output)
        write(scratch / "requests.json", json.dumps(run.requests, indent=1))
        print(f"  kept in {scratch}")
    else:
        shutil.rmtree(scratch, ignore_errors=True)
    return not run.problems


def main(names):
    unknown = [name for name in names if name not in AGENTS and name not in SCENARIOS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; known are {', '.join([*AGENTS, *SCENARIOS])}")
    usual = HERE.parent.parent / "target/debug/behavior"
    program = Path(os.environ.get("BEHAVIOR_PROGRAM") or usual).resolve()
    if not program.exists():
        sys.exit(f"`{program}` is not there: `cargo build` makes it, or set BEHAVIOR_PROGRAM")
    path = os.pathsep.join(filter(None, [os.environ.get("BEHAVIOR_AGENTS"), os.environ["PATH"]]))
    all_passed = True
    for name in [name for name in names if name in AGENTS] or AGENTS:
        binary = BINARIES[name]
        if shutil.which(binary, path=path) is None:
            print(f"{name}: skipped, there is no `{binary}` here")
            continue
        for scenario in [name for name in names if name in SCENARIOS] or SCENARIOS:
            all_passed &= one(name, scenario, str(program))
    return 0 if all_passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
