import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { test } from "node:test";

import { mayBeRuleFile } from "../src/recognise.ts";
import { schemaAddress, schemaFile, schemaFor } from "../src/schemaKinds.ts";
import { findTests } from "../src/testFiles.ts";
import { readReport, resultsFor } from "../src/testResults.ts";

const root = path.join(__dirname, "../../..");

test("files of ours are recognised, and those of others are not", () => {
  for (const [name, text] of [
    ["/p/behavior.yaml", ""],
    ["/p/behavior/strict.yaml", ""],
    ["C:\\p\\behavior\\strict.yaml", ""],
    ["/p/behavior/policy.toml", ""],
    ["/p/policy.toml", "[[rules]]\n"],
    ["/p/refunds.policy.yaml", ""],
    ["/p/strict.test.yaml", "tests:\n  - name: x\n"],
    ["/p/strict.test.json", '{ "tests": [] }'],
    ["/p/x.yaml", "# behavior: profile\n"],
    ["/p/app.yaml", "security:\n  behavior: {}\n"],
    ["/p/templates/workflows/review.json", "{}"],
  ] as const) {
    assert.ok(mayBeRuleFile(name, text), name);
  }
  for (const [name, text] of [
    ["/p/misbehavior.yaml", "a: 1\n"],
    ["/p/widget.test.yaml", "suite: x\n"],
    ["/p/Cargo.toml", "[security.behavior]\n"],
    ["/p/package.json", "{}"],
    ["/p/compose.yaml", "services:\n"],
  ] as const) {
    assert.ok(!mayBeRuleFile(name, text), name);
  }
});

test("each kind of files has its schema, and each schema is there", () => {
  const kinds = {
    "/p/behavior.yaml": "behavior-config",
    "/p/behavior/strict.yaml": "profile",
    "/p/behavior/agents.yaml": "agents",
    "/p/behavior/refunds.policy.yaml": "trace-policy",
    "/p/behavior/strict.test.yaml": "rule-tests",
    "/p/behavior.test.yaml": "rule-tests",
    "/p/templates/workflows/review.yaml": "workflow",
  };
  const there = readdirSync(path.join(root, "docs/schema"));
  for (const [name, kind] of Object.entries(kinds)) {
    assert.equal(schemaFor(name), kind, name);
    assert.ok(there.includes(`${kind}.json`), kind);
  }
  for (const name of ["/p/other.yaml", "/p/other.test.yaml", "/p/behavior/policy.toml"]) {
    assert.equal(schemaFor(name), undefined, name);
  }
});

test("schemas are given where they are wanted, and nothing else is", () => {
  const address = schemaAddress("/p/behavior.yaml", "always", true);
  assert.equal(address, schemaAddress("/p/behavior.yaml", "withoutServer", false));
  assert.equal(schemaFile(address ?? ""), "behavior-config.json");
  assert.equal(schemaAddress("/p/behavior.yaml", "withoutServer", true), undefined);
  assert.equal(schemaAddress("/p/behavior.yaml", "never", false), undefined);
  for (const odd of ["behavior://schema/../../package", "behavior://other/profile", "file:///etc/passwd", ""]) {
    assert.equal(schemaFile(odd), undefined, odd);
  }
});

test("tests are found with the lines of their events and expectations", () => {
  const text = `# Comment
tests:
  - name: the first
    events:
      - edit: { file_path: a.rs }
      - read: { file_path: a.rs }
    expect:
      - { at: 1, rules: [] }
      - at: 0
        rules: [read_before_edit]
  - events: [ls]
    expect: []
`;
  const { tests, rules } = findTests("x.test.yaml", text);
  assert.deepEqual(rules, []);
  assert.deepEqual(
    tests.map(({ name, line, lastLine, events }) => ({ name, line, lastLine, events })),
    [
      { name: "the first", line: 2, lastLine: 9, events: [4, 5] },
      { name: "test 1", line: 10, lastLine: 11, events: [10] },
    ],
  );
  assert.deepEqual([...(tests[0]?.expected ?? [])], [[1, 7], [0, 8]]);
});

test("examples of rules are found wherever rules stand", () => {
  const text = `security:
  behavior:
    rule_definitions:
      - id: no_push
        examples:
          fires:
            - bash: { command: git push }
            - [turn_start: x, bash: { command: git push -f }]
          passes:
            - bash: { command: git status }
      - id: without
`;
  const { tests, rules } = findTests("app.yaml", text);
  assert.deepEqual(tests, []);
  assert.equal(rules.length, 1);
  assert.deepEqual(
    rules[0]?.examples.map(({ name, line }) => ({ name, line })),
    [
      { name: "example 1 of `no_push` (fires)", line: 6 },
      { name: "example 2 of `no_push` (fires)", line: 7 },
      { name: "example 1 of `no_push` (passes)", line: 9 },
    ],
  );
});

test("texts that are no YAML, or that unfold, have nothing and take no time", () => {
  for (const text of ["tests: [", "tests: {a: ", "\t- x", "tests: &a [*a, *a]", "tests: 1", "", "- ".repeat(5000)]) {
    assert.deepEqual(findTests("x.test.yaml", text).rules, [], text.slice(0, 20));
    findTests("x.yaml", text);
  }
});

test("what was half typed keeps the tests above it", () => {
  const { tests } = findTests("x.test.yaml", "tests:\n  - name: a\n    events: [ls]\n  - name: b\n    events: [\n");
  assert.deepEqual(tests.map(({ name }) => name), ["a", "b"]);
});

test("the project's own tests are found", () => {
  const name = "examples/strict/behavior.test.yaml";
  const { tests } = findTests(name, readFileSync(path.join(root, name), "utf8"));
  assert.equal(tests.length, 3);
  assert.ok(tests.every((test) => test.events.length > 0 && test.expected.size > 0));
});

test("a report is read, and one that is none is told from it", () => {
  const output = JSON.stringify({
    version: 1,
    tests: [
      { file: "a.test.yaml", line: 3, name: "x", passed: true, failures: [] },
      { file: "a.test.yaml", line: 9, name: "x", passed: false, failures: [{ at: 2, rule: null, message: "m" }, { at: null, message: "n" }] },
    ],
    coverage: { rules: 2, fired: 1, never: [{ file: "behavior.yaml", rule: "r" }] },
  });
  const report = readReport(output);
  assert.ok(report);
  assert.deepEqual(report.silent, [{ file: "behavior.yaml", rule: "r" }]);
  const failures = (line: number) => resultsFor(report, (file) => file === "a.test.yaml", line, "x").flatMap((one) => one.failures);
  assert.deepEqual(failures(2), []);
  assert.deepEqual(failures(8), [{ at: 2, message: "m" }, { at: undefined, message: "n" }]);
  // The file was changed since: any of that name counts, and a failure is not taken for a success.
  assert.equal(failures(20).length, 2);
  assert.deepEqual(resultsFor(report, () => false, 2, "x"), []);
  for (const broken of ["", "null", "[]", "{}", '{"tests": 1}']) assert.equal(readReport(broken), undefined);
});
