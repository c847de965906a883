#!/usr/bin/env python3
"""Holds `behavior simulate` against shadow-diff, the reference implementation of trace policies.

    pip install shadow-diff
    tests/shadow/compare.py --behavior target/debug/behavior

Random policies and random agentlogs go through both. Where shadow-diff's own answer is another, it is
asked again with the intended differences put in, each under a name: then the answers must be the same, and each
difference is counted under the names that bring it about. Anything left is printed, and the exit code is 1.
docs/trace-policies.md explains the names.
"""

import argparse
import copy
import json
import logging
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

try:
    import shadow.hierarchical as reference
except ImportError:
    print("skipped: shadow-diff is not installed (`pip install shadow-diff`)")
    sys.exit(0)

TOOLS = ["deploy", "refund", "confirm", "look_up"]
SPELLINGS = ["Deploy", "mcp__ops__deploy", "REFUND"]
WORDS = "the cat sat on a mat état naïve 42 sorry guarantee Source: refund confirm x".split()
STOPS = ["end_turn", "tool_use", "max_tokens"]
OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "in", "not_in", "contains", "not_contains"]
PATHS = [
    "request.params.amount", "request.params.deep.list.1", "request.metadata.chunks", "request.model",
    "model", "stop_reason", "response.stop_reason", "response.content", "response.usage.input_tokens",
    "response.latency_ms", "request.messages.0.role", "request.nothing.there", "response.note",
]
KINDS = [
    "must_call_before", "must_call_once", "no_call", "max_turns", "required_stop_reason", "max_total_tokens",
    "must_include_text", "must_include_text_each", "forbidden_text", "must_match_json_schema",
    "must_remain_consistent", "must_followup", "must_be_grounded",
]
OF_CALLS = {"must_call_before", "must_call_once", "no_call"}
STATEFUL = {"must_remain_consistent", "must_followup", "must_be_grounded"}


# ---- random policies and traces ----------------------------------------------------------------


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, options):
        return self.random.choice(options)

    def some(self, chance):
        return self.random.random() < chance

    def value(self):
        return copy.deepcopy(self.one([
            0, 1, 1.0, 2, 5, -3, 2.5, True, False, "large", "small", "", "tool_use", "user", ["x", 1],
            [True, 2], {"a": 1, "b": [2.0]}, {"b": [2], "a": 1}, ["the cat", "sat"],
        ]))

    def condition(self):
        path, op = self.one(PATHS), self.one(OPERATORS)
        if op in ("in", "not_in"):
            value = [self.value() for _ in range(self.random.randint(1, 4))]
        elif path == "response.content":
            op, value = self.one(["contains", "not_contains"]), self.one(TOOLS + WORDS)
        elif path.endswith("stop_reason"):
            value = self.one(STOPS)
        elif path in ("model", "request.model"):
            value = self.one(["large", "small"])
        else:
            value = self.value()
        if op in (">", ">=", "<", "<="):
            value = self.one([-3, 0, 1, 2.5, 40, 300])
        return {"path": path, "op": op, "value": value}

    def conditions(self):
        return [self.condition() for _ in range(self.one([1, 1, 1, 2]))]

    def params(self, kind):
        if kind == "must_call_before":
            first, then = self.random.sample(TOOLS, 2)
            return {"first": first, "then": then}
        if kind in ("must_call_once", "no_call"):
            return {"tool": self.one(TOOLS)}
        if kind == "max_turns":
            return {"limit": self.random.randint(0, 6)}
        if kind == "max_total_tokens":
            return {"limit": self.one([0, 50, 100, 300, 500])}
        if kind == "required_stop_reason":
            return {"allowed": self.random.sample(STOPS, self.random.randint(1, 2))}
        if kind in ("must_include_text", "must_include_text_each", "forbidden_text"):
            return {"text": self.one(WORDS)}
        if kind == "must_match_json_schema":
            return {"schema": self.one([
                {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "number"}}},
                {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                {"type": ["object", "array"]},
            ])}
        if kind == "must_remain_consistent":
            return {"path": self.one(PATHS)}
        if kind == "must_be_grounded":
            path = self.one(["request.metadata.chunks"] * 4 + PATHS)
            return {"retrieval_path": path, "min_unigram_precision": self.one([0.0, 0.3, 0.5, 1.0])}
        must = {"kind": "tool_call", "tool_name": self.one(TOOLS)}
        if self.some(0.5):
            must = {"kind": "text_includes", "text": self.one(WORDS)}
        params = {"must": must}
        if self.some(0.9):
            params["trigger"] = self.conditions()
        return params

    def rule(self, number):
        kind = KINDS[number % len(KINDS)]
        rule = {"id": f"r{number}", "kind": kind, "params": self.params(kind)}
        if self.some(0.5):
            rule["when"] = self.conditions()
        if self.some(0.4):
            rule["scope"] = "session"
        if self.some(0.7):
            rule["severity"] = self.one(["error", "warning", "info"])
        return rule

    def text(self):
        if self.some(0.15):
            return self.one(['{"amount": 5}', ' ["a"] ', '{"amount": "5"}', "{}", '["a", 1]', '{"amount": NaN}'])
        return " ".join(self.one(WORDS) for _ in range(self.random.randint(0, 6)))

    def tool(self):
        return self.one(SPELLINGS) if self.some(0.15) else self.one(TOOLS)

    def trace(self):
        records, calls = [], 0

        def add(kind, payload):
            number = len(records)
            records.append({
                "version": "0.1", "id": f"sha256:{number}", "kind": kind,
                "ts": "2026-01-01T00:00:00Z", "parent": None, "payload": payload,
            })

        if self.some(0.7):
            add("metadata", {"sdk": {"name": "test"}})
        marks = self.some(0.3)
        for _ in range(self.random.randint(0, 4)):
            if marks and self.some(0.6):
                add("metadata", {"sdk": {}})
            for _ in range(self.random.randint(1, 3)):
                if self.some(0.9):
                    add("chat_request", self.request())
                if self.some(0.05):
                    calls += 1
                    add("tool_call", {"tool_name": self.tool(), "tool_call_id": f"p{calls}", "arguments": {}})
                if self.some(0.95):
                    response = self.response(calls)
                    add("chat_response", response)
                    blocks = response.get("content")
                    for block in blocks if isinstance(blocks, list) else []:
                        if isinstance(block, dict) and block.get("type") == "tool_use" and self.some(0.6):
                            calls += 1
                            call = {"tool_name": block["name"], "arguments": {}}
                            call["tool_call_id"] = block.get("id", f"n{calls}")
                            add("tool_call", call)
                            add("tool_result", {"tool_call_id": call["tool_call_id"], "output": "done"})
                    calls += 10
                if self.some(0.1):
                    calls += 1
                    add("tool_call", {"tool_name": self.tool(), "tool_call_id": f"a{calls}", "arguments": {}})
        return records

    def request(self):
        request = {"model": self.one(["large", "small"]), "params": {}}
        if self.some(0.1):
            del request["model"]
        if self.some(0.7):
            request["params"]["amount"] = self.value()
        if self.some(0.3):
            request["params"]["deep"] = {"list": [self.value() for _ in range(self.random.randint(0, 3))]}
        if self.some(0.6):
            chunks = [" ".join(self.one(WORDS) for _ in range(4)) for _ in range(self.random.randint(0, 2))]
            request["metadata"] = {"chunks": self.one([chunks, chunks, "the cat", 5])}
        roles = self.one([["user"], ["system", "user"], ["user", "assistant", "tool"], ["user", "assistant", "user"]])
        request["messages"] = [{"role": role, "content": "hello"} for role in roles]
        if self.some(0.1):
            request["messages"].append({"role": "system", "content": "more"})
        if self.some(0.1):
            result = {"type": "tool_result", "tool_use_id": "x", "content": "ok"}
            request["messages"].append({"role": "user", "content": [result]})
        if self.some(0.05):
            del request["messages"]
        elif self.some(0.05):
            request["messages"] = []
        return request

    def response(self, calls):
        content = []
        for number in range(self.random.randint(0, 3)):
            kind = self.one(["text", "text", "tool_use", "thinking"])
            if kind == "tool_use":
                block = {"type": "tool_use", "id": f"c{calls}.{number}", "name": self.tool(), "input": {"a": 1}}
                if self.some(0.1):
                    del block["id"]
                content.append(block)
            else:
                content.append({"type": kind, kind: self.text()})
        response = {"model": "m", "content": content, "latency_ms": self.one([3, 250])}
        if self.some(0.03):
            response["content"] = self.text()
        if self.some(0.9):
            asks = any(block["type"] == "tool_use" for block in content)
            response["stop_reason"] = "tool_use" if asks and self.some(0.8) else self.one(STOPS)
        if self.some(0.9):
            response["usage"] = {
                "input_tokens": self.random.randint(0, 90), "output_tokens": self.random.randint(0, 60),
            }
            if self.some(0.5):
                response["usage"]["thinking_tokens"] = self.random.randint(0, 20)
            if self.some(0.05):
                response["usage"]["output_tokens"] = -self.random.randint(1, 200)
        if self.some(0.2):
            response["note"] = self.value()
        return response


# ---- the reference, with intended differences put in --------------------------------------------

DIFFERENCES = {
    "stop-reason-each": "`required_stop_reason` looks at every response, and says nothing where there is none",
    "negative-tokens": "a negative number of tokens does not count",
    "unicode-words": "words of `must_be_grounded` are made of letters and digits of any language",
    "text-content": "content that is a text is a block of text",
    "tool-names": "names of tools compare without case and by their last part",
    "lone-calls": "a call by itself belongs to the response before it, unless that was final or a request waits",
    "lone-call-when": "`when` of such a call looks at the request that waits, else the pair before it unless that was final",
    "stateful-when": "`when` and `scope` hold for the stateful kinds too",
    "typed-values": "`true` is not 1, and no number",
    "missing-path": "a path that leads to nothing makes its test false, whatever the operator",
    "content-contains": "`contains` on `response.content` looks into texts and at names of tools",
    "session-pairs": "pairs are counted in the whole trace for rules on sessions too",
    "tool-results": "a user's message of nothing but results of tools begins no session",
    "no-messages": "a request without messages begins no session",
    "asks-for-tools": "a response that asks for tools and does not say why it ended goes on",
    "first-metadata": "of several `metadata` records the first begins a session too, after what stands before it",
    "unanswered": "what is not answered by a response is part of its session all the same",
}

ORIGINAL = {name: getattr(reference, name) for name in dir(reference) if name.startswith(("_", "check_"))}


def norm(name):
    return name.lower().rsplit("__", 1)[-1]


def same(left, right):
    """Whether two JSON values are the same, without a truth value being a number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


class Adjusted:
    """shadow-diff, with the differences called `on`."""

    def __init__(self, on):
        self.on = on

    def check(self, records, rules):
        self.records = self.prepared(records)
        self.contexts = ORIGINAL["_build_pair_contexts"](self.records)
        self.of_response = {}
        responses = [record for record in self.records if record["kind"] == "chat_response"]
        for number, (record, context) in enumerate(zip(responses, self.contexts)):
            self.of_response[id(record)] = (number, context)
        self.walk()
        found = []
        for name in ("_eval_condition", "_unigram_precision", "_check_single_rule", "_check_rule_per_session"):
            setattr(reference, name, getattr(self, name.lstrip("_")))
        reference._extract_tool_call_sequence = lambda records: self.calls
        reference._compute_session_of_pair = lambda records: self.session_of_pair
        try:
            for rule in rules:
                is_own = rule.kind in OF_CALLS and rule.when and "lone-call-when" in self.on
                check = self.check_gated_calls if is_own else reference.check_policy
                found += ((rule.id, violation.pair_index) for violation in check(self.records, [rule]))
        finally:
            for name, function in ORIGINAL.items():
                setattr(reference, name, function)
        return Counter(found)

    def prepared(self, records):
        records = copy.deepcopy(records)
        for record in records:
            payload = record["payload"]
            if record["kind"] == "tool_call" and "tool-names" in self.on:
                payload["tool_name"] = norm(payload["tool_name"])
            if record["kind"] != "chat_response":
                continue
            if "text-content" in self.on and isinstance(payload.get("content"), str):
                payload["content"] = [{"type": "text", "text": payload["content"]}]
            if "negative-tokens" in self.on:
                self.was = payload
                usage = payload.get("usage", {})
                payload["usage"] = Counted({key: value for key, value in usage.items() if value >= 0}, usage)
                if "usage" not in self.was:
                    del payload["usage"]
            if "tool-names" in self.on and isinstance(payload.get("content"), list):
                for block in payload["content"]:
                    if block.get("type") == "tool_use":
                        block["name"] = norm(block["name"])
        return records

    # Which call belongs to which pair, and which of both to which session.
    def walk(self):
        on, records = self.on, self.records
        calls = ORIGINAL["_extract_tool_call_sequence"](records)
        marked = sum(record["kind"] == "metadata" for record in records) >= 2
        session, used, ended, pending, pairs = 0, False, False, False, 0
        self.session_of_pair, self.session_of_call, self.used = [], [], set()
        seen, alone, first_came, known = set(), [], False, {}
        self.around_call = []

        def starts():
            nonlocal session, used
            if used:
                session, used = session + 1, False

        for record in records:
            kind, payload = record["kind"], record["payload"]
            if kind == "metadata":
                if marked and (first_came or "first-metadata" in on):
                    starts()
                    ended, pending, known = False, False, {}
                first_came = True
                continue
            if kind == "chat_request":
                if not marked and (ended or self.is_start(payload)):
                    starts()
                ended, pending, used = False, True, True
                known = {"request": payload, "response": {}, "model": payload.get("model")}
            elif kind == "chat_response":
                if not marked and ended and not pending:
                    starts()
                self.session_of_pair.append(session)
                asks = False
                content = payload.get("content")
                for block in content if isinstance(content, list) else []:
                    if block.get("type") == "tool_use":
                        asks = True
                        seen.add(block.get("id"))
                        self.session_of_call.append(session)
                        self.around_call.append(None)
                        alone.append(None)
                reason = payload.get("stop_reason")
                goes_on = asks if reason is None and "asks-for-tools" in on else reason == "tool_use"
                ended, pending, used = not goes_on, False, True
                known = {} if ended else self.contexts[pairs]
                pairs += 1
            elif kind == "tool_call":
                call = payload.get("tool_call_id")
                if call in seen:
                    continue
                seen.add(call)
                alone.append(pairs if pending or ended else max(pairs - 1, 0))
                if not marked and ended and not pending:
                    starts()
                    ended = False
                used = True
                self.session_of_call.append(session)
                self.around_call.append(known)
            self.used.add(session)
        if "lone-calls" in on:
            calls = [
                (call[0] if pair is None else pair, *call[1:]) for call, pair in zip(calls, alone, strict=True)
            ]
        self.calls = calls
        if "unanswered" not in on:
            self.session_of_pair = self.own_sessions()

    def check_gated_calls(self, records, rules):
        """A rule on calls with `when`, which each call by itself is held against where it stands."""
        rule, = rules
        holds = lambda context: all(reference._eval_condition(condition, context) for condition in rule.when)
        pairs = {pair for pair, context in enumerate(self.contexts) if holds(context)}
        calls, sessions = [], {session for pair, session in enumerate(self.session_of_pair) if pair in pairs}
        for call, session, around in zip(self.calls, self.session_of_call, self.around_call, strict=True):
            if call[0] in pairs if around is None else holds(around):
                calls.append((session, call))
                sessions.add(session)
        if not sessions:
            return []
        if rule.scope == "trace":
            return reference._check_single_rule(rule, [], [call for _, call in calls], [])
        found = []
        for session in sorted(sessions):
            own = [call for of, call in calls if of == session]
            found += reference._check_single_rule(rule, [], own, [])
        return found

    def own_sessions(self):
        original = ORIGINAL["_is_session_start"]
        reference._is_session_start = self.is_start
        try:
            return ORIGINAL["_compute_session_of_pair"](self.records)
        finally:
            reference._is_session_start = original

    def is_start(self, payload):
        messages = payload.get("messages")
        if "no-messages" in self.on and not messages:
            return False
        if "tool-results" in self.on and messages:
            spoken = [message for message in messages if message["role"] != "system"]
            content = spoken[-1].get("content") if spoken else None
            if isinstance(content, list) and all(block.get("type") == "tool_result" for block in content):
                return False
        return ORIGINAL["_is_session_start"](payload)

    def eval_condition(self, condition, context):
        actual = reference._lookup_path(context, condition.path)
        op, expected = condition.op, condition.value
        if actual is None and "missing-path" in self.on:
            return False
        if "content-contains" in self.on and condition.path == "response.content" and "contains" in op:
            return self.is_in_content(actual, expected) == (op == "contains")
        if "typed-values" in self.on and actual is not None:
            if op in ("==", "!="):
                return same(actual, expected) == (op == "==")
            if op in ("in", "not_in"):
                return any(same(actual, item) for item in expected) == (op == "in")
            if "contains" in op and isinstance(actual, list):
                return any(same(item, expected) for item in actual) == (op == "contains")
            if isinstance(actual, bool) or isinstance(expected, bool):
                return "not_" in op
        return ORIGINAL["_eval_condition"](condition, context)

    @staticmethod
    def is_in_content(content, wanted):
        if isinstance(content, str):
            return wanted in content
        for block in content or []:
            if block.get("type") == "text" and wanted in block["text"]:
                return True
            if block.get("type") == "tool_use" and norm(block["name"]) == norm(wanted):
                return True
        return False

    def unigram_precision(self, response, chunks):
        if "unicode-words" not in self.on:
            return ORIGINAL["_unigram_precision"](response, chunks)
        words = lambda text: {word for word in re.findall(r"[^\W_]+", text.lower()) if len(word) > 1}
        known = set().union(*map(words, chunks))
        own = words(response)
        return len(own & known) / len(own) if own else 1.0

    def check_single_rule(self, rule, records, calls, responses):
        violation = lambda pair: reference.PolicyViolation(rule.id, rule.kind, rule.severity, pair, "")
        if rule.kind == "required_stop_reason" and "stop-reason-each" in self.on:
            reasons = [response["payload"].get("stop_reason") for response in responses]
            return [violation(at) for at, reason in enumerate(reasons) if reason not in rule.params["allowed"]]
        if rule.kind not in STATEFUL:
            return ORIGINAL["_check_single_rule"](rule, records, calls, responses)
        contexts = self.contexts
        if "stateful-when" in self.on:
            contexts = [self.of_response[id(response)][1] for response in responses]
        elif not records:
            contexts = []
        if rule.kind == "must_remain_consistent" and "typed-values" in self.on:
            values = [reference._lookup_path(context, rule.params["path"]) for context in contexts]
            told = [(at, value) for at, value in enumerate(values) if value is not None]
            return [violation(at) for at, value in told if not same(value, told[0][1])]
        reference._build_pair_contexts = lambda records: contexts
        try:
            return ORIGINAL["_check_single_rule"](rule, records, calls, responses)
        finally:
            reference._build_pair_contexts = ORIGINAL["_build_pair_contexts"]

    def check_rule_per_session(self, rule, calls, responses, session_of_pair):
        if "unanswered" not in self.on and "session-pairs" not in self.on:
            return ORIGINAL["_check_rule_per_session"](rule, calls, responses, session_of_pair)
        found = []
        whole = [self.of_response[id(response)][0] for response in responses]
        if "unanswered" in self.on:
            # Calls by the sessions that they were made in.
            of_call = {id(call[2]): session for call, session in zip(self.calls, self.session_of_call, strict=True)}
            sessions = sorted(self.used)
        else:
            of_pair = dict(enumerate(session_of_pair))
            of_call = {id(call[2]): of_pair.get(call[0]) for call in calls}
            sessions = sorted(set(session_of_pair))
        for session in sessions or [None]:
            own_calls = [call for call in calls if session is None or of_call[id(call[2])] == session]
            at = [at for at, own in enumerate(session_of_pair) if own == session]
            own = [responses[at] for at in at]
            is_empty = not own_calls and not own
            if is_empty and session is not None and (rule.when or "unanswered" not in self.on):
                continue
            for violation in reference._check_single_rule(rule, [], own_calls, own):
                is_of_call = rule.kind in ("no_call", "must_call_before")
                if violation.pair_index is not None and not is_of_call and "session-pairs" in self.on:
                    violation.pair_index = at[violation.pair_index]
                found.append(violation)
        return found


class Counted(dict):
    """Usage whose negative counts are left out of sums, and still there for paths."""

    def __init__(self, counted, told):
        super().__init__(told)
        self.counted = counted

    def get(self, key, default=None):
        if sys._getframe(1).f_code.co_name == "_check_single_rule":
            return self.counted.get(key, default)
        return super().get(key, default)


# ---- both, on the same -------------------------------------------------------------------------


def ours(behavior, folder, policy):
    command = [behavior, "simulate", folder, "-c", policy, "--format", "jsonl", "--input-format", "agentlog"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{run.stderr}")
    found = {}
    for line in run.stdout.splitlines():
        decision = json.loads(line)
        file = os.path.basename(decision.get("file", "0000.agentlog"))
        counts = found.setdefault(file, Counter())
        for finding in decision["findings"]:
            counts[(finding["rule"], finding["pair"])] += 1
    return found


def of_rule(counts, rule):
    return {key[1]: count for key, count in counts.items() if key[0] == rule}


def names_of(records, rule, expected, raw):
    """The differences that matter for a rule on a trace: those alone enough, else those that are all needed."""
    alone = []
    for name in DIFFERENCES:
        if of_rule(Adjusted({name}).check(records, [rule]), rule.id) != raw:
            alone.append(name)
    if alone:
        return alone
    everything = set(DIFFERENCES)
    for name in DIFFERENCES:
        if of_rule(Adjusted(everything - {name}).check(records, [rule]), rule.id) != expected:
            alone.append(name)
    return alone or ["several together"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--behavior", default="target/debug/behavior", help="the program")
    parser.add_argument("--policies", type=int, default=80)
    parser.add_argument("--traces", type=int, default=25, help="for each policy")
    parser.add_argument("--rules", type=int, default=13, help="in each policy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=5, help="how many unexplained differences to print")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    explained, unexplained, judged, agreed, violations = Counter(), [], 0, 0, 0
    for number in range(options.policies):
        maker = Maker(options.seed * 1_000_003 + number)
        policy = {"apiVersion": "shadow.dev/v1alpha1", "rules": [maker.rule(at) for at in range(options.rules)]}
        rules = reference.load_policy(policy)
        del policy["apiVersion"]
        traces = [maker.trace() for _ in range(options.traces)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "random.policy.json")
            logs = os.path.join(folder, "logs")
            os.mkdir(logs)
            with open(path, "w") as file:
                json.dump(policy, file)
            for at, records in enumerate(traces):
                with open(os.path.join(logs, f"{at:04}.agentlog"), "w") as file:
                    file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
            answers = ours(options.behavior, logs, path)
        for at, records in enumerate(traces):
            answer = answers.get(f"{at:04}.agentlog", Counter())
            raw = Counter((v.rule_id, v.pair_index) for v in reference.check_policy(records, rules))
            expected = Adjusted(set(DIFFERENCES)).check(records, rules)
            violations += sum(raw.values())
            for rule in rules:
                judged += 1
                have, want, theirs = (of_rule(counts, rule.id) for counts in (answer, expected, raw))
                if have == theirs:
                    agreed += 1
                elif have == want:
                    explained.update(names_of(records, rule, want, theirs))
                else:
                    unexplained.append((number, at, rule, records, have, want, theirs))
    print(f"{options.policies * options.traces} pairs of policy and trace, {judged} of rule and trace, "
          f"{violations} violations by shadow-diff; {agreed} agree")
    print(f"differences that are intended ({judged - agreed - len(unexplained)}), by what brings them about:")
    for name, count in explained.most_common():
        print(f"  {count:6}  {name}: {DIFFERENCES.get(name, '')}")
    print(f"differences that nothing explains: {len(unexplained)}")
    by_kind = Counter(rule.kind for _, _, rule, *_ in unexplained)
    for kind, count in by_kind.most_common():
        print(f"  {count:6}  {kind}")
    unexplained.sort(key=lambda one: len(one[3]))
    for number, at, rule, records, have, want, theirs in unexplained[: options.shown]:
        print(f"\npolicy {number}, trace {at}: {rule}")
        for record in records:
            print(f"  {record['kind']} {json.dumps(record['payload'], ensure_ascii=False)}")
        print(f"  behavior: {have}\n  expected: {want}\n  shadow-diff: {theirs}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
