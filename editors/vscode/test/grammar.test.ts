// The injected grammars, by the machine that the editor runs them with.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import * as oniguruma from "vscode-oniguruma";
import { INITIAL, type IGrammar, type IRawGrammar, parseRawGrammar, Registry } from "vscode-textmate";

const root = path.join(__dirname, "..");
const modules = createRequire(path.join(root, "package.json"));
const GRAMMARS: Record<string, string> = {
  "source.yaml": modules.resolve("tm-grammars/grammars/yaml.json"),
  "expressions.behavior.injection": path.join(root, "syntaxes/expressions.injection.json"),
  "placeholders.behavior.injection": path.join(root, "syntaxes/placeholders.injection.json"),
};

async function yaml(): Promise<IGrammar> {
  const machine = readFileSync(modules.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(machine.buffer.slice(machine.byteOffset, machine.byteOffset + machine.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope): Promise<IRawGrammar | null> => {
      const file = GRAMMARS[scope];
      return Promise.resolve(file === undefined ? null : parseRawGrammar(readFileSync(file, "utf8"), file));
    },
    getInjections: (scope) =>
      scope === "source.yaml" ? ["expressions.behavior.injection", "placeholders.behavior.injection"] : [],
  });
  const grammar = await registry.loadGrammar("source.yaml");
  assert.ok(grammar);
  return grammar;
}

const loaded = yaml();

/** The pieces of a text that have a scope of ours, as `text: scope`. */
async function ours(text: string): Promise<string[]> {
  const grammar = await loaded;
  const found: string[] = [];
  let state = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const token of tokens) {
      const scope = token.scopes.at(-1) ?? "";
      if (scope.endsWith(".behavior") && !scope.startsWith("meta.")) {
        found.push(`${line.slice(token.startIndex, token.endIndex)}: ${scope.replace(".behavior", "")}`);
      }
    }
  }
  return found;
}

/** The pieces of a text that are keys. */
async function keys(text: string): Promise<string[]> {
  const grammar = await loaded;
  let state = INITIAL;
  return text.split("\n").flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const isKey = (scopes: string[]): boolean => scopes.some((scope) => scope.startsWith("entity.name.tag"));
    // Blanks stand for what is no key: the grammar may make two tokens of one.
    const marked = tokens.map((token) =>
      isKey(token.scopes) ? line.slice(token.startIndex, token.endIndex) : " ",
    );
    return marked.join("").split(" ").filter((key) => key !== "");
  });
}

test("an expression on one line has its words marked", async () => {
  assert.deepEqual(await ours('condition: param(query) matches "UPDATE|DELETE" and not flag(done)'), [
    "param: support.function",
    "(: punctuation.section.parens",
    "query: variable.parameter",
    "): punctuation.section.parens",
    "matches: keyword.operator.word",
    '"UPDATE|DELETE": string.quoted.other',
    "and: keyword.control",
    "not: keyword.control",
    "flag: support.function",
    "(: punctuation.section.parens",
    "done: variable.parameter",
    "): punctuation.section.parens",
  ]);
});

test("so has one in quotes, in a list, and in a mapping on one line", async () => {
  const expected = ["target: support.function", "not: keyword.control", "in: keyword.operator.word", "read_files: variable.other"];
  for (const line of [
    'condition: "target not in read_files"',
    "condition: 'target not in read_files'",
    "  - target not in read_files",
    "- { id: r, condition: target not in read_files, action: block }",
    "- not: target not in read_files # why",
  ]) {
    assert.deepEqual(await ours(line), expected, line);
  }
  assert.deepEqual(await ours('condition: "text matches \\"x y\\""'), [
    "text: support.function",
    "matches: keyword.operator.word",
    '\\"x y\\": string.quoted.other',
  ]);
});

test("an expression over several lines ends where its block does", async () => {
  const text = 'condition: >\n  consecutive >= 5\n  and not result failed\nmessage: target in read_files and "x"\n';
  assert.deepEqual(await ours(text), [
    "consecutive: support.function",
    ">=: keyword.operator.comparison",
    "5: constant.numeric",
    "and: keyword.control",
    "not: keyword.control",
    "result failed: support.function",
  ]);
});

test("placeholders and references are marked in texts", async () => {
  assert.deepEqual(await ours('message: "Read `{target}`, then {param:query}."'), [
    "{: punctuation.section.embedded.begin",
    "target: variable.language",
    "}: punctuation.section.embedded.end",
    "{: punctuation.section.embedded.begin",
    "param: support.function",
    ":: punctuation.separator",
    "query: variable.parameter",
    "}: punctuation.section.embedded.end",
  ]);
  assert.ok((await ours('profile: "{{behavior.strict}}"')).includes("strict: variable.other"));
});

test("files of other tools are left alone", async () => {
  for (const line of [
    "condition: succeeded()",
    "when: ansible_os_family == 'Debian' and not failed",
    "when: result is failed",
    "if: github.ref == 'refs/heads/main'",
    "- name: target and counter",
    "- target: all",
    "message: { param: x }",
    "path: '{id}/{name}'",
    "url: '{{ host }}/x'",
  ]) {
    assert.deepEqual(await ours(line), [], line);
  }
});

test("what follows an expression is read as before", async () => {
  const text = "rules:\n  - id: a\n    condition: target in x\n    action: block\n  - condition: flag(y)\n    message: m\nother: 1\n";
  assert.deepEqual(await keys(text), ["rules", "id", "condition", "action", "condition", "message", "other"]);
  const flow = "- { id: a, condition: target in x, action: block }\n- { id: b }\n";
  assert.deepEqual(await keys(flow), ["id", "condition", "action", "id"]);
  const block = "a:\n  condition: >\n    flag(y)\n\n    and flag(z)\n  message: m\n";
  assert.deepEqual(await keys(block), ["a", "condition", "message"]);
});

test("every form of a condition in the reference is known", async () => {
  const reference = readFileSync(path.join(root, "../../docs/reference.md"), "utf8");
  const forms = [...reference.matchAll(/^As an expression: `` (.+) ``$/gm)].map((match) => match[1] ?? "");
  assert.ok(forms.length > 30);
  for (const form of forms) {
    assert.notDeepEqual(await ours(`    condition: ${form}`), [], form);
  }
  const all = [...reference.matchAll(/^Forms of it: (.+)$/gm)].flatMap((match) => (match[1] ?? "").match(/`` .+? ``/g) ?? []);
  assert.ok(all.length > forms.length);
  for (const form of all.map((one) => one.replaceAll("`` ", "").replaceAll(" ``", ""))) {
    const written = form.replace(/\[[^\]]*\] ?/g, "").replace("{op}", "==").replace(/\{\w+\}/g, '"x"');
    assert.notDeepEqual(await ours(`    condition: ${written}`), [], written);
  }
});

test("the grammars are those that the reference gives", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "grammars-"));
  execFileSync(process.execPath, [path.join(root, "scripts/grammar.mjs"), folder]);
  for (const name of ["expressions.injection.json", "placeholders.injection.json"]) {
    const kept = readFileSync(path.join(root, "syntaxes", name), "utf8");
    assert.equal(kept, readFileSync(path.join(folder, name), "utf8"), `${name}: write it with \`npm run grammar\``);
  }
  rmSync(folder, { recursive: true });
});
