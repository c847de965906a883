"""The `dev` preset as a plain Python script: a dict of sets and counters, `re` for patterns.

Reads patterns and events (JSON lines) from the file named, decides on all of them, and prints the
nanoseconds an event took, parsing not counted. Run by the benches, for a ratio in the same run.
"""

import json
import re
import sys
import time


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        patterns = {k: re.compile(v, re.I) for k, v in json.loads(next(lines)).items()}
        events = [json.loads(line) for line in lines]
    start = time.perf_counter_ns()
    hits = run(patterns, events)
    took = time.perf_counter_ns() - start
    print(took // max(1, len(events)), hits)


def run(patterns, events):
    sets = {"read": set(), "edit": set(), "write": set(), "searched": set()}
    reads = changes = calls = turn = last_length = hits = 0
    spoke, last, open_calls, recent = False, None, {}, []
    for event in events:
        kind = event["event"]
        if kind == "turn_start":
            turn, calls, spoke = turn + 1, 0, False
        elif kind == "text":
            spoke = spoke or bool(event["text"].strip())
            hits += bool(patterns["unsure"].search(event["text"]))
        elif kind == "tool_call":
            tool, params = event["tool"], event["params"]
            open_calls[event["id"]] = (tool, params)
            path = params.get("file_path", "")
            if tool == "edit" and path not in sets["read"]:
                hits += bool(f"`{path}` has not been read in this session.")
            elif tool == "read" and path not in sets["read"] and reads >= 2:
                hits += bool(f"{reads} files read without a search.")
            elif tool == "bash":
                command = params.get("command", "")
                hits += bool(patterns["files"].search(command))
                hits += bool(patterns["explore"].search(command))
                destroys = patterns["destroy"].search(command) or (
                    patterns["sql"].search(command)
                    and patterns["client"].search(command)
                    and not patterns["search"].search(command)
                )
                hits += bool(destroys)
            hits += not spoke and calls == 0
            hits += (last_length + 1 if last == tool else 1) >= 8
        elif kind == "tool_result":
            tool, params = open_calls.pop(event["id"], (None, {}))
            calls += 1
            last, last_length = tool, last_length + 1 if last == tool else 1
            recent = (recent + [(tool, params.get("file_path", ""))])[-10:]
            if tool == "read":
                sets["read"].add(params.get("file_path"))
                reads += 1
                hits += reads >= 5
            elif tool in ("edit", "write"):
                sets[tool].add(params.get("file_path"))
                changes += 1
                hits += (tool == "edit") + (changes >= 2)
            elif tool in ("grep", "glob"):
                sets["searched"].add(params.get("pattern"))
                reads = 0
            elif tool == "bash" and patterns["tests"].search(params.get("command", "")):
                changes = 0
            hits += calls == 8
    return hits


if __name__ == "__main__":
    main()
