#!/usr/bin/env python3
"""The rules by hand in Python: what a person writes in an afternoon, with compiled patterns and plain state.

Reads steps, one a line, from the file named; answers on standard output with the nanoseconds that deciding took and
the decisions, one number a line.
"""
import json
import re
import sys
import time

FILES = re.compile(r"(^|\| |; |&& )(cat|head|tail|less|more|bat|sed|awk|perl -[pi]) ", re.I)
SEARCHING = re.compile(r"find \. |ls -lra|ls -r |tree |dir /s", re.I)
DESTRUCTIVE = re.compile(
    r"rm -rf|git reset --hard|git push --force|git push -f|git clean -fd|drop table|drop database|truncate table", re.I
)
TESTS = re.compile(r"pytest|npm test|cargo test|go test", re.I)
UNSURE = re.compile(r"not sure|unsure|don't know|uncertain|can't remember", re.I)

ALLOW, DENY, ASK = 1, 2, 3
BLOCKS = 1 << 7
LOOKING = ("read", "grep", "glob", "web_search")


class Session:
    def __init__(self):
        self.read_files = set()
        self.reads = self.changes = self.turn = self.calls = self.streak = 0
        self.has_searched = self.has_text = False
        self.last = None

    def decide(self, step):
        if step["turn"] != self.turn:
            self.turn, self.calls, self.has_text = step["turn"], 0, False
        if step["kind"] == "text":
            self.has_text = True
            return 1 << 9 if not self.has_searched and UNSURE.search(step["text"]) else 0
        tool, params = step["tool"], step["params"]
        path, command = params.get("file_path"), params.get("command")
        streak = self.streak + 1 if self.last == tool else 1
        word, policy = 0, ASK
        if tool in ("edit", "write"):
            if path not in self.read_files and (tool == "edit" or step["exists"]):
                word |= 1 if tool == "edit" else 2
            policy = DENY if path.endswith(".env") else ALLOW if path.startswith("src/") else ASK
        elif tool == "bash":
            if FILES.search(command):
                word |= 1 << 5
            if SEARCHING.search(command):
                word |= 1 << 6
            if DESTRUCTIVE.search(command):
                word |= BLOCKS
            if "sudo " in command:
                policy = DENY
        elif tool in LOOKING:
            policy = ALLOW
            if tool == "read" and self.reads >= 3:
                word |= 4
        if not self.has_text and self.calls == 0:
            word |= 1 << 8
        if streak >= 8:
            word |= 1 << 12
        word |= policy << 16
        if word & BLOCKS or policy == DENY:
            return word
        # It runs.
        self.calls += 1
        self.streak, self.last = streak, tool
        if tool == "read":
            self.read_files.add(path)
            self.reads += 1
            if streak >= 5:
                word |= 1 << 11
        elif tool in ("edit", "write"):
            self.changes += 1
            if tool == "edit":
                word |= 8
            if self.changes >= 3:
                word |= 16
            if step["lint_errors"]:
                word |= 1 << 13
        elif tool in ("grep", "glob"):
            self.reads = 0
        elif tool == "web_search":
            self.has_searched = True
        elif tool == "bash" and TESTS.search(command):
            self.changes = 0
        if self.calls == 8:
            word |= 1 << 10
        return word


def main():
    with open(sys.argv[1]) as lines:
        steps = [json.loads(line) for line in lines]
    sessions, words = {}, []
    start = time.perf_counter_ns()
    for step in steps:
        session = sessions.get(step["session"])
        if session is None:
            session = sessions[step["session"]] = Session()
        words.append(session.decide(step))
    print(time.perf_counter_ns() - start)
    print("\n".join(map(str, words)))


if __name__ == "__main__":
    main()
