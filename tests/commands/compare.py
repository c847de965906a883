#!/usr/bin/env python3
"""Holds the built-in shell rules against two other tools on the command lines of this folder, in one run.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install nah pyyaml
    npm install --prefix /tmp/peers cc-safety-net
    /tmp/peers/bin/python tests/commands/compare.py /tmp/peers

Nothing is run of what the lines say. A line counts as found where a tool stops it or asks about it. `nah` allows
what stays in the project, so that it is given a working directory that no path of the lines is in.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORE, EXTENDED = "confirm_destructive", "confirm_destructive_extended"

NODE = """
import { checkCommand } from 'cc-safety-net/api';
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n').filter(Boolean)) {
  const { command, cwd } = JSON.parse(line);
  let found = false;
  try { found = checkCommand({ command, cwd }).kind !== 'allow'; } catch { found = true; }
  console.log(JSON.stringify(found));
}
"""

NAH = """
import json, sys
from nah.config import use_defaults
from nah.bash import classify_command
use_defaults()
for line in sys.stdin:
    try:
        decision = classify_command(json.loads(line)["command"]).final_decision
    except Exception:
        decision = "error"
    print(json.dumps(decision not in ("allow", "context")), flush=True)
"""


def entries():
    import yaml

    for path in sorted(HERE.glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text()):
            rules = " | ".join(entry["rules"]).split(" | ")
            may = entry.get("may", [])
            core, extended = CORE in rules, EXTENDED in rules
            if core or extended:
                yield entry["command"], "core" if core else "extended"
            # What nobody can tell, and what may be asked about, is no false alarm.
            elif "opaque_command" not in rules + may and not {CORE, EXTENDED} & set(may):
                yield entry["command"], "harmless"


def ask(program, lines, **options):
    text = "".join(line + "\n" for line in lines)
    out = subprocess.run(program, input=text, capture_output=True, text=True, check=True, **options)
    return [json.loads(line) for line in out.stdout.splitlines()]


def own(commands):
    root = HERE.parent.parent
    build = ["cargo", "run", "--quiet", "-p", "behavior-tests", "--example", "commands"]
    said = ask(build, [json.dumps(command) for command in commands], cwd=root)
    return [any(rule.startswith(CORE) for rule in one["fired"] + one["undecided"]) for one in said]


def main():
    peers = pathlib.Path(sys.argv[1]).resolve()
    lines = list(entries())
    commands = [command for command, _ in lines]
    with tempfile.TemporaryDirectory() as cwd:
        asked = [json.dumps({"command": command, "cwd": cwd}) for command in commands]
        script = peers / "compare.mjs"
        script.write_text(NODE)
        environment = {**os.environ, "HOME": cwd}
        answers = {
            "behavior": own(commands),
            "nah": ask([sys.executable, "-c", NAH], asked, cwd=cwd, env=environment),
            "cc-safety-net": ask(["node", str(script)], asked, cwd=peers, env=environment),
        }
    counts = {kind: sum(own == kind for _, own in lines) for kind in ("core", "extended", "harmless")}
    print("| | " + " | ".join(f"{kind} ({count})" for kind, count in counts.items()) + " |")
    print("|---|---|---|---|")
    for name, found in answers.items():
        assert len(found) == len(lines), f"{name} answered {len(found)} of {len(lines)}"
        cells = []
        for kind, count in counts.items():
            hits = sum(hit for hit, (_, own) in zip(found, lines) if own == kind)
            cells.append(f"{100 * hits / count:.1f} %")
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
