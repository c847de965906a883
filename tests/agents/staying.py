"""Agents that end with their first answer where nobody sits at them, kept alive as a program that embeds them does, so
that it is seen whether they are made to go on. Standard library only."""

import json
import re
import subprocess
import time
import urllib.request

PATIENCE = 40


def pi(start, prompt, until):
    """Speaks with it over standard input and output."""
    process = start(["pi", "--mode", "rpc", "--provider", "scripted", "--model", "scripted"])
    process.stdin.write(json.dumps({"type": "prompt", "message": prompt}) + "\n")
    process.stdin.flush()
    wait(until)
    process.stdin.close()
    return end(process)


def opencode(start, prompt, until):
    """Speaks with its server."""
    process = start(["opencode", "serve", "--port", "0"])
    address = None
    while address is None and (line := process.stdout.readline()):
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
    if address is None:
        return end(process)
    session = post(f"{address[0]}/session", {})["id"]
    part = {"type": "text", "text": prompt}
    post(f"{address[0]}/session/{session}/message", {"parts": [part]})
    wait(until)
    return end(process)


STAYING = {"opencode": opencode, "pi": pi}


def post(address, body):
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read() or b"null")


def wait(until):
    """Waits until something holds, or patience has its end."""
    deadline = time.monotonic() + PATIENCE
    while not until() and time.monotonic() < deadline:
        time.sleep(0.2)


def end(process):
    process.terminate()
    try:
        output, _ = process.communicate(timeout=10)
    except (subprocess.TimeoutExpired, ValueError):
        process.kill()
        output = ""
    return output
