#!/usr/bin/env python3
"""Writes `target/layout.ld`: which functions and constants the linker puts next to each other. Then
builds the program with it.

A hook lives for half a millisecond, and much of that goes into the pages of the program that it
touches for the first time. The functions that hooks run are a twentieth of the program, scattered
over all of it; side by side they touch less than half as many pages.

    python3 tests/layout/generate.py      # or: cargo xtask release

This is a step of a release. It builds the program as `cargo static` does, runs it under valgrind's
callgrind with the recorded payloads in `tests/hooks`, and notes what ran; and once under lackey, to note
which crates' constants were read. Constants have no names that last, so those of a crate stay together.
Then it builds the program again with that layout, into `target/release/behavior`. A layout fits the
program that it was made for, so it is not kept. Needs Linux, valgrind, and the linker that rustc brings.
"""

import bisect
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/behavior"
MAP = ROOT / "target/release/behavior.map"
LAYOUT = ROOT / "target/layout.ld"
AGENTS = ["claude-code", "codex", "gemini-cli", "cursor", "opencode", "pi", "native"]
# A name without its types may stand for hundreds of functions. Those of a name that would bring more
# bytes than this with it come last, and not at all above the other.
FEW, MANY = 2_500, 20_000
# An event that runs more instructions than this found no compiled rules.
COMPILED = 3_000_000

# Constants of a crate with more bytes than this stay where they are.
LARGE = 250_000

# What processes run before they begin, and under valgrind do not.
BEFORE = ["*libc.a:strcmp-evex*.o(.text .text.*)", "*libc.a:strcmp-avx*.o(.text .text.*)", "*libm*.a:*floor.o(.text .text.*)"]

HEAD = """/* Functions that hooks run and constants that they read, side by side: fewer pages of the program
   are touched. Written by `tests/layout/generate.py`. */
"""


def build(argument):
    """The program, linked with one more argument."""
    command = ["cargo", "static", "-C", f"link-arg=-Wl,{argument}"]
    subprocess.run(command, cwd=ROOT, check=True)


def functions_run():
    """How many events run each function, by its name in the program."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "behavior.yaml").write_text("profile: dev\n")
        os.utime(scratch / "behavior.yaml", (0, 0))
        for agent in AGENTS:
            for payload in sorted((ROOT / "tests/hooks" / agent).glob("*.json")):
                counts.update(functions_of(agent, payload, scratch))
    return counts


def event_of(agent, payload, scratch, tool):
    """One event, run under a tool of valgrind."""
    event = json.loads(payload.read_text())
    if "cwd" in event:
        event["cwd"] = str(scratch)
    environment = {
        **os.environ,
        "BEHAVIOR_STATE_DIR": str(scratch / "state"),
        "BEHAVIOR_CACHE_DIR": str(scratch / "cache"),
    }
    return subprocess.run(
        [*tool, PROGRAM, "hook", agent],
        input=json.dumps(event).encode(),
        cwd=scratch,
        env=environment,
        capture_output=True,
    )


def functions_of(agent, payload, scratch):
    profile = scratch / "profile"
    callgrind = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"]
    for _ in range(2):
        run = event_of(agent, payload, scratch, callgrind)
        found = re.search(rb"Collected : (\d+)", run.stderr)
        if not found:
            sys.exit(run.stderr.decode(errors="replace"))
        if int(found[1]) <= COMPILED:
            names = re.findall(r"^c?fn=\(\d+\) (.*)$", profile.read_text(), re.M)
            # Callgrind tells recursion apart.
            return {re.sub(r"'\d+$", "", name) for name in names}
    return set()


def addresses_read():
    """What the events of one agent read."""
    found = set()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "behavior.yaml").write_text("profile: dev\n")
        # Compiled rules are believed once their sources have not changed for a while.
        time.sleep(0.2)
        lackey = ["valgrind", "--tool=lackey", "--trace-mem=yes"]
        for payload in sorted((ROOT / "tests/hooks" / AGENTS[0]).glob("*.json")):
            for tool in [[], lackey]:
                run = event_of(AGENTS[0], payload, scratch, tool)
            found |= set(re.findall(rb"^ [LM] ([0-9a-f]+),", run.stderr, re.M))
    return {int(address, 16) for address in found}


def constants():
    """Where each crate's constants stand: beginning, end, crate."""
    line = re.compile(r"\s+([0-9a-f]+)\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+(\S+):\(\.rodata\S*\)")
    for text in MAP.read_text(errors="replace").splitlines():
        if found := line.match(text):
            start = int(found[1], 16)
            crate = "libc" if "libc.a(" in found[3] else crate_of(found[3])
            if crate:
                yield start, start + int(found[2], 16), crate


def constant_patterns():
    """The crates of which events read constants, the smallest first; not those with large tables."""
    read = sorted(addresses_read())
    sizes, touched = collections.Counter(), set()
    for start, end, crate in constants():
        sizes[crate] += end - start
        at = bisect.bisect_left(read, start)
        if at < len(read) and read[at] < end:
            touched.add(crate)
    crates = sorted((sizes[crate], crate) for crate in touched if sizes[crate] <= LARGE)
    files = {"libc": "*libc.a:*"}
    return [f"{files.get(crate, f'*.{crate}.*.rcgu.o')}(.rodata .rodata.*)" for _, crate in crates]


class Function:
    """Where functions of one name stand before they are laid out."""

    LINE = re.compile(r"\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\d+\s+(\S+):\((\.text\S*)\)")
    RARE = re.compile(r"^\.text\.(unlikely\.|hot\.)?")

    def __init__(self, size, file, section):
        self.size, self.file = size, file
        self.name = self.RARE.sub("", section)


def all_functions():
    for line in MAP.read_text(errors="replace").splitlines():
        if found := Function.LINE.match(line):
            yield Function(int(found[1], 16), found[2], found[3])


def crate_of(file):
    """The crate that an object file holds code of, as its name tells."""
    name = file.rsplit("/", 1)[-1]
    found = re.search(r"\.([a-z0-9_]+)\.[0-9a-f]+-cgu\.\d+\.rcgu\.o", name)
    return found[1] if found else None


def pattern_of(name):
    """A name without what changes from build to build: hashes, and numbers of crates."""
    name = re.sub(r"\.llvm\.\d+$", "", name)
    if found := re.match(r"(_ZN.*17h)[0-9a-f]{16}E", name):
        return found[1] + "*"
    return re.sub(r"Cs[0-9A-Za-z]+_", "Cs*_", name) + "*"


def rust_patterns(counts, functions):
    """For each crate and name: how often it runs; by how much more it brings with it."""
    sizes, ran = collections.Counter(), collections.Counter()
    times = collections.Counter()
    count_of = collections.Counter()
    for name, count in counts.items():
        count_of[re.sub(r"\.llvm\.\d+$", "", name)] += count
    for function in functions:
        crate = crate_of(function.file)
        if crate is None:
            continue
        key = (crate, pattern_of(function.name))
        sizes[key] += function.size
        if count := count_of.get(re.sub(r"\.llvm\.\d+$", "", function.name)):
            ran[key] += function.size
            times[key] = max(times[key], count)
    found = [(key, sizes[key] - ran[key]) for key in times]
    found = [(key, more) for key, more in found if more <= MANY]
    found.sort(key=lambda item: (item[1] > FEW, -times[item[0]], item[0]))
    return [f"*.{crate}.*.rcgu.o(.text.{name} .text.unlikely.{name})" for (crate, name), _ in found]


def c_patterns(counts, functions):
    """Files of the C library. Of those that suit some processors, what suits others too."""
    names = {re.sub(r"\.(part|constprop|isra)\.\d+$", "", name) for name in counts}
    members = set()
    for archive in {function.file.split("(")[0] for function in functions if "libc.a(" in function.file}:
        listed = subprocess.run(["nm", "-A", "--defined-only", archive], capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            place, *_, name = line.split()
            if name in names:
                members.add(place.split(":")[1])
    patterns = set()
    for member in members:
        base = re.match(r"(\w+?)-(sse|avx|evex)", member)
        if base:
            patterns |= {f"{base[1]}-{kind}*.o" for kind in ("evex", "avx")} | {member}
        else:
            patterns.add(member)
    return [f"*libc.a:{pattern}(.text .text.*)" for pattern in sorted(patterns)]


def section(kind, patterns):
    """A section of what hooks need, before the one of that kind."""
    body = "".join(f"    {pattern}\n" for pattern in patterns)
    return f"SECTIONS\n{{\n  .{kind}.hook :\n  {{\n{body}  }}\n}}\nINSERT BEFORE .{kind};\n"


def main():
    build(f"-Map={MAP}")
    counts = functions_run()
    functions = list(all_functions())
    lines = ["*crt1.o(.text)", "*crtbeginT.o(.text)", "*(.text.main)"]
    lines += BEFORE + c_patterns(counts, functions)
    lines += rust_patterns(counts, functions)
    read = constant_patterns()
    LAYOUT.write_text(HEAD + section("text", lines) + section("rodata", read))
    print(f"{LAYOUT.relative_to(ROOT)}: {len(counts)} functions ran, {len(lines)} patterns")
    print(*read, sep="\n")
    build(f"-T,{LAYOUT}")


if __name__ == "__main__":
    main()
