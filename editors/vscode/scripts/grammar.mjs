// Writes the injection grammars into `syntaxes`. Patterns that stand in several places are written once here.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const scripts = dirname(fileURLToPath(import.meta.url));
/** Where they are written: another folder may be named. */
const folder = process.argv[2] ?? join(scripts, "../syntaxes");

/** Fields whose value is a condition. */
const KEYS = ["condition", "when", "add_when", "increment_when", "reset_when", "set_when", "unset_when", "not"];
/** Of these, those that no other tool's YAML has over several lines. */
const BLOCK_KEYS = KEYS.filter((key) => key !== "when" && key !== "not");

/** The forms of conditions, as the reference has them: words, values in braces, and in brackets what may be left out. */
const reference = readFileSync(join(scripts, "../../../docs/reference.md"), "utf8");
const FORMS = [...reference.matchAll(/^Forms of it: (.+)$/gm)].flatMap(([, forms = ""]) =>
  [...forms.matchAll(/`` (.+?) ``/g)].map(([, form = ""]) => form),
);
if (FORMS.length === 0) throw new Error("docs/reference.md has no line `Forms of it: …`: write it with `cargo xtask reference`");

/** Words that stand between values, and are no part of what a condition is called. */
const OPERATORS = ["matches", "contains", "changed since", "exists", "one of", "in", "is"];

/** The words that a form begins with, and what stands behind them. */
function split(form) {
  const [words] = /^(?:(?:\[not\]|[a-z_]+)(?: |$|(?=\()))*/.exec(form) ?? [""];
  return { words: words.trim().split(" "), rest: form.slice(words.length) };
}

/**
 * How a condition of a form begins. Other tools have fields of the same names: what does not begin so is left alone. One
 * word alone, or `matches`, is everywhere: a text in quotes or a list must follow it.
 */
function beginning(form) {
  const { words, rest } = split(form);
  const joint = rest === "" ? "[\\s_]+" : "\\s+";
  const text = words.join(joint).replaceAll(`[not]${joint}`, `(?:not${joint})?`);
  const isWeak = words.length === 1 || words.at(-1) === "matches";
  switch (true) {
    case rest.startsWith("("):
      return `${text}\\(`;
    case /^[<>=]/.test(rest):
      return `${text}\\s*[<>=!]`;
    case rest !== "" && isWeak:
      return `${text}\\s+[\\\\"'\\[]`;
    default:
      return `${text}\\b`;
  }
}

/** How a condition begins: in a form, as a command that nobody can read or of a class, or under the name of its mapping. */
const BEGINNINGS = unique([...FORMS.map(beginning), "runs\\s+(?:opaque|class)\\b", "[a-z]+(?:_[a-z]+)+\\("]);

/** What conditions are called, longer names first. */
const NAMES = unique(
  FORMS.map((form) => {
    const { words } = split(form);
    const name = words.join(" ").split(new RegExp(`(?<=.)(?: |^)(?:not|\\[not\\]|${OPERATORS.join("|")})(?= |$)`))[0] ?? "";
    return name === "" ? (words[0] ?? "") : name;
  }),
).sort((one, other) => other.length - one.length || (one < other ? -1 : 1));

function unique(items) {
  return [...new Set(items)];
}

const BEGINS = `(?=["']?(?:(?:not\\s+|!\\s*|\\()\\s*)*(?:${BEGINNINGS.join("|")}))`;

/** A value on one line. A comma outside of quotes and brackets ends a plain one, as does a comment. */
const DOUBLE = `(")((?:[^"\\\\]|\\\\.)*)(")`;
const SINGLE = `(')((?:[^']|'')*)(')`;
const PLAIN = `(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*'|\\[[^\\]]*\\]|\\([^)]*\\)|(?!\\s#)[^,}"'\\[(\\n])+`;

/** The groups of a value, from the fourth of its pattern on: quote, text, quote; the same again; the plain text. */
const QUOTED = { double: "string.quoted.double.yaml", single: "string.quoted.single.yaml" };
const inside = (name) => ({ name: `${name} meta.embedded.expression.behavior`, patterns: [{ include: "#expression" }] });
const VALUE = {
  4: { name: `${QUOTED.double} punctuation.definition.string.begin.yaml` },
  5: inside(QUOTED.double),
  6: { name: `${QUOTED.double} punctuation.definition.string.end.yaml` },
  7: { name: `${QUOTED.single} punctuation.definition.string.begin.yaml` },
  8: inside(QUOTED.single),
  9: { name: `${QUOTED.single} punctuation.definition.string.end.yaml` },
  10: inside("string.unquoted.plain.out.yaml"),
};

write("expressions.injection.json", {
  name: "Expressions in rules of behavior",
  scopeName: "expressions.behavior.injection",
  injectionSelector: "L:source.yaml - string - comment",
  patterns: [{ include: "#field" }, { include: "#block" }, { include: "#item" }],
  repository: {
    field: {
      match: `(?<![\\w"'-])(${KEYS.join("|")})(\\s*:)(\\s+)${BEGINS}(?:${DOUBLE}|${SINGLE}|(${PLAIN}))`,
      captures: {
        1: { name: "entity.name.tag.yaml" },
        2: { name: "punctuation.separator.key-value.mapping.yaml" },
        ...VALUE,
      },
    },
    block: {
      begin: `^(\\s*)(?:(-)\\s+)?(${BLOCK_KEYS.join("|")})(\\s*:)\\s+([>|][-+0-9]*)\\s*$`,
      beginCaptures: {
        2: { name: "punctuation.definition.block.sequence.item.yaml" },
        3: { name: "entity.name.tag.yaml" },
        4: { name: "punctuation.separator.key-value.mapping.yaml" },
        5: { name: "keyword.control.flow.block-scalar.yaml" },
      },
      while: "^(?=\\1\\s+\\S|\\s*$)",
      contentName: "string.unquoted.block.yaml meta.embedded.expression.behavior",
      patterns: [{ include: "#expression" }],
    },
    item: {
      match: `(?<=-)(\\s+)()()${BEGINS}(?:${DOUBLE}|${SINGLE}|(${PLAIN}))`,
      captures: VALUE,
    },
    expression: {
      patterns: [
        {
          name: "string.quoted.other.behavior",
          match: `\\\\"(?:[^"\\\\]|\\\\[^"])*\\\\"|(?!^)(?<=[\\s(\\[])"(?:[^"\\\\]|\\\\.)*"|(?<=[\\s(\\[])'[^']*'`,
          captures: { 0: { patterns: [{ name: "constant.character.escape.behavior", match: "\\\\\\\\.|\\\\[^\"\\s]" }] } },
        },
        {
          match: "\\b(param|counter|flag|exists)(\\()([^)\"']*)(\\))",
          captures: {
            1: { name: "support.function.behavior" },
            2: { name: "punctuation.section.parens.behavior" },
            3: { name: "variable.parameter.behavior" },
            4: { name: "punctuation.section.parens.behavior" },
          },
        },
        {
          match: "\\b(in|since)\\s+([A-Za-z_]\\w*)(?!\\()",
          captures: { 1: { name: "keyword.operator.word.behavior" }, 2: { name: "variable.other.behavior" } },
        },
        { name: "keyword.control.behavior", match: "\\b(?:and|or|not)\\b|&&|\\|\\||!(?!=)" },
        {
          name: "keyword.operator.word.behavior",
          match: `\\b(?:${OPERATORS.join("|")})\\b`,
        },
        { name: "keyword.operator.comparison.behavior", match: "==|!=|<=|>=|<|>" },
        { name: "constant.language.behavior", match: "\\b(?:true|false)\\b" },
        { name: "constant.numeric.behavior", match: "(?<![\\w.])-?\\d+(?:\\.\\d+)?\\b" },
        {
          name: "support.function.behavior",
          match: `\\b(?:${NAMES.map((name) => name.replaceAll(" ", "[ _]")).join("|")}|opaque|[a-z]+(?:_[a-z]+)+(?=\\())`,
        },
      ],
    },
  },
});

write("placeholders.injection.json", {
  name: "Placeholders in rules of behavior",
  scopeName: "placeholders.behavior.injection",
  injectionSelector: "L:source.yaml string",
  patterns: [
    {
      name: "meta.placeholder.behavior",
      match: "(\\{)(param|counter|set_count|flag|file)(:)([^\\s{}:][^{}]*)(\\})",
      captures: {
        1: { name: "punctuation.section.embedded.begin.behavior" },
        2: { name: "support.function.behavior" },
        3: { name: "punctuation.separator.behavior" },
        4: { name: "variable.parameter.behavior" },
        5: { name: "punctuation.section.embedded.end.behavior" },
      },
    },
    {
      name: "meta.placeholder.behavior",
      match:
        "(\\{)(target|tool|turn|tool_calls_this_turn|consecutive_same_tool|ungrounded_claims|complexity|approach|approach_label|risk)(\\})",
      captures: {
        1: { name: "punctuation.section.embedded.begin.behavior" },
        2: { name: "variable.language.behavior" },
        3: { name: "punctuation.section.embedded.end.behavior" },
      },
    },
    {
      name: "meta.reference.behavior",
      match: "(\\{\\{)\\s*(behavior|prompt|data)(\\.)([\\w./-]+)\\s*(\\}\\})",
      captures: {
        1: { name: "punctuation.section.embedded.begin.behavior" },
        2: { name: "support.class.behavior" },
        3: { name: "punctuation.separator.behavior" },
        4: { name: "variable.other.behavior" },
        5: { name: "punctuation.section.embedded.end.behavior" },
      },
    },
  ],
});

function write(name, grammar) {
  writeFileSync(join(folder, name), `${JSON.stringify(grammar, undefined, 2)}\n`);
}
