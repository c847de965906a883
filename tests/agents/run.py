#!/usr/bin/env python3
"""Runs real agents under real hooks, against a scripted model: does the harmless call run, is the
blocked one kept from running, and is the agent told why?

    cargo build && python3 tests/agents/run.py [AGENT...]

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
from model import Model  # noqa: E402

HERE = Path(__file__).resolve().parent
REASON = "nothing is removed here, move it aside"
REMINDER = "the sign was made, look at it"
GO_ON = "say what became of the sign"
HARMLESS = "touch sign"
BLOCKED = "rm -rf build"
ENDS = ["That is all.", "The sign is there."]
PROMPT = "Tidy up."
PATIENCE = 120

RULES = f"""rule_definitions:
  - id: no_removal
    trigger: [bash]
    action: block
    condition:
      param_contains: {{ param: command, value: "rm -rf" }}
    message: "{REASON}"
  - id: sign_made
    trigger: [bash]
    when: post_tool
    action: warn
    condition:
      param_contains: {{ param: command, value: "{HARMLESS}" }}
    message: "{REMINDER}"
  - id: no_early_end
    when: on_text
    action: block
    condition:
      text_matches: "That is all"
    message: "{GO_ON}"
"""

# Agents that cannot be made to go on, or not without a user.
STOPS = ["opencode", "pi"]


def gemini_cli(home, project, model):
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    write(home / ".gemini/settings.json", json.dumps(settings))
    # `--skip-trust` comes too late for it: the hooks of the project are not read then.
    write(home / ".gemini/trustedFolders.json", json.dumps({str(project): "TRUST_FOLDER"}))
    environment = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model.url}
    return ["gemini", "--yolo", "-m", "gemini-2.5-flash", "-p", PROMPT], environment


def codex(home, project, model):
    write(home / ".codex/config.toml", f"""model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{model.url}/v1"
wire_api = "responses"
requires_openai_auth = false
[projects."{project}"]
trust_level = "trusted"
""")
    command = ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    return [*command, "--dangerously-bypass-hook-trust", PROMPT], {}


def opencode(home, project, model):
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{model.url}/v1", "apiKey": "none"},
        "models": {"scripted": {"name": "scripted"}},
    }
    settings = {"provider": {"scripted": provider}, "autoupdate": False, "share": "disabled"}
    settings |= {"model": "scripted/scripted", "small_model": "scripted/scripted"}
    write(home / ".config/opencode/opencode.json", json.dumps(settings))
    environment = {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
    return ["opencode", "run", "--model", "scripted/scripted", PROMPT], environment


def pi(home, project, model):
    provider = {
        "baseUrl": f"{model.url}/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [{"id": "scripted"}],
    }
    write(home / ".pi/agent/models.json", json.dumps({"providers": {"scripted": provider}}))
    return ["pi", "-p", "--provider", "scripted", "--model", "scripted", PROMPT], {"PI_OFFLINE": "1"}


def claude_code(home, project, model):
    environment = {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # Its own guard against being run by the administrator: the directory is a scratch one.
        "IS_SANDBOX": "1",
    }
    return ["claude", "-p", "--dangerously-skip-permissions", PROMPT], environment


AGENTS = {
    "claude-code": claude_code,
    "codex": codex,
    "gemini-cli": gemini_cli,
    "opencode": opencode,
    "pi": pi,
}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


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
        write(self.project / "behavior.yaml", RULES)
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

    def whole(self):
        code, output = self.execute([self.program, "init", "--agent", self.name, "--yes"])
        self.check(code == 0, f"`behavior init` ends with {code}: {output}")
        model = Model([HARMLESS, BLOCKED], ENDS)
        try:
            command, environment = AGENTS[self.name](self.home, self.project, model)
            code, self.output = self.execute(command, environment)
        finally:
            model.close()
        self.check(code == 0, f"the agent ends with {code}")
        self.check((self.project / "sign").exists(), "the harmless command did not run")
        self.check((self.project / "build/kept").exists(), "the blocked command ran")
        self.check(model.was_told(REASON), "the model was not told why the command was blocked")
        self.check(model.was_told(REMINDER), "the model was not told of the reminder")
        if self.name not in STOPS:
            self.check(model.was_told(GO_ON), "the model was not made to go on")
        log = self.log()
        seen = [line["event"] for line in log]
        self.check("session_end" not in seen[:-1], "something was told after the end of the session")
        self.check(
            any(line.get("verdict") == "deny" and "no_removal" in line.get("rules", []) for line in log),
            "the audit log has no denial",
        )
        failures = [line["failure"] for line in log if "failure" in line]
        self.check(not failures, f"the hook failed: {failures}")
        self.seen = seen
        self.requests = model.requests


def version(run, program):
    code, output = run.execute([program, "--version"])
    lines = [line for line in output.splitlines() if any(c.isdigit() for c in line)]
    return lines[-1].strip() if code == 0 and lines else "of an unknown version"


def main(names):
    unknown = [name for name in names if name not in AGENTS]
    if unknown:
        sys.exit(f"unknown agents: {', '.join(unknown)}; known are {', '.join(AGENTS)}")
    usual = HERE.parent.parent / "target/debug/behavior"
    program = Path(os.environ.get("BEHAVIOR_PROGRAM") or usual).resolve()
    if not program.exists():
        sys.exit(f"`{program}` is not there: `cargo build` makes it, or set BEHAVIOR_PROGRAM")
    path = os.pathsep.join(filter(None, [os.environ.get("BEHAVIOR_AGENTS"), os.environ["PATH"]]))
    failed = False
    for name in names or AGENTS:
        scratch = Path(tempfile.mkdtemp(prefix=f"behavior-{name}-")).resolve()
        run = Run(name, str(program), scratch)
        binary = AGENTS[name](run.home, run.project, type("", (), {"url": ""}))[0][0]
        if shutil.which(binary, path=path) is None:
            print(f"{name}: skipped, there is no `{binary}` here")
            shutil.rmtree(scratch)
            continue
        which = version(run, binary)
        run.whole()
        verdict = "fails" if run.problems else "passes"
        print(f"{name} ({which}): {verdict}; the hook saw {', '.join(run.seen)}")
        for problem in run.problems:
            print(f"  {problem}")
        failed |= bool(run.problems)
        if os.environ.get("BEHAVIOR_KEEP"):
            write(scratch / "output.txt", run.output)
            write(scratch / "requests.json", json.dumps(run.requests, indent=1))
            print(f"  kept in {scratch}")
        else:
            shutil.rmtree(scratch, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
