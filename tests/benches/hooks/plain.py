"""The `dev` preset as a hook by hand: what most people would write for one event."""

import json
import os
import re
import sys

payload = json.load(sys.stdin)
path = os.environ["HOOK_STATE"]
try:
    with open(path) as file:
        state = json.load(file)
except FileNotFoundError:
    state = {"read": [], "reads": 0, "changes": 0, "streak": ["", 0], "calls": 0}

tool, given = payload["tool_name"], payload["tool_input"]
blocked, said = None, []
state["streak"] = [tool, state["streak"][1] + 1 if state["streak"][0] == tool else 1]
state["calls"] += 1
if tool == "Bash":
    command = given["command"]
    if re.search(r"\brm\s+-\w*r|\bgit\s+(reset\s+--hard|push\s+.*(--force|-f)\b|clean\s+-\w*f)", command):
        blocked = "this destroys what may not come back"
    elif re.search(r"\b(psql|mysql|sqlite3)\b.*\b(drop|truncate)\s+(table|database)", command, re.I):
        blocked = "this destroys what may not come back"
    if re.search(r"\b(cat|head|tail|sed|awk)\s+[^|;&]*\w+\.\w+", command):
        said.append("use the read tool")
    if re.search(r"\b(find\s+\.|ls\s+-\w*[lRa]|tree)\b", command):
        said.append("search for what you need")
    if re.search(r"\b(pytest|cargo\s+(test|nextest)|npm\s+test|go\s+test|jest|vitest)\b", command):
        state["changes"] = 0
elif tool == "Read":
    if state["reads"] >= 2 and given["file_path"] not in state["read"]:
        said.append("search before reading more")
    state["read"].append(given["file_path"])
    state["reads"] += 1
elif tool in ("Edit", "Write"):
    if given["file_path"] not in state["read"] and os.path.exists(given["file_path"]):
        blocked = "read the file first"
    state["changes"] += 1
if state["streak"][1] >= 8:
    said.append("the same tool again and again")

with open(path + ".new", "w") as file:
    json.dump(state, file)
os.replace(path + ".new", path)
answer = {"hookEventName": payload["hook_event_name"]}
if blocked:
    answer |= {"permissionDecision": "deny", "permissionDecisionReason": blocked}
elif said:
    answer["additionalContext"] = "\n".join(said)
if len(answer) > 1:
    print(json.dumps({"hookSpecificOutput": answer}))
