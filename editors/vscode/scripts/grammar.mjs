// Writes the injection grammars into `syntaxes`. Patterns that stand in several places are written once here.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../syntaxes");

/** Fields whose value is a condition. */
const KEYS = ["condition", "when", "add_when", "increment_when", "reset_when", "set_when", "unset_when", "not"];
/** Of these, those that no other tool's YAML has over several lines. */
const BLOCK_KEYS = KEYS.filter((key) => key !== "when" && key !== "not");

/** How a condition begins. Other tools have fields of the same names: what does not begin so is left alone. */
const BEGINNINGS = [
  "target\\s+(?:not\\s+)?(?:in|changed|exists|matches|is)\\b",
  "exists\\(",
  "(?:param|counter|flag)\\(",
  "(?:text|result)\\s+matches\\s+[\\\\\"']",
  "result\\s+(?:failed|has\\s+lint\\s+errors)\\b",
  "secret\\s+in\\s",
  "contains_secret\\b",
  "(?:runs|branch|user\\s+asked|pushes\\s+to)\\s+[\\\\\"'\\[]",
  "runs\\s+(?:opaque|class)\\b",
  "(?:reads|writes|deletes|touches)\\s+(?:only\\s+)?(?:is\\b|[\\\\\"'\\[])",
  "(?:no\\s+text\\s+before\\s+tools|first\\s+tool\\s+this\\s+turn|ungrounded\\s+claims|is\\s+subagent|on\\s+default\\s+branch)\\b",
  "(?:no_text_before_tools|first_tool_this_turn|result_failed|result_has_lint_errors|is_subagent|on_default_branch)\\b",
  "(?:consecutive|tool_calls_this_turn)\\s*[<>=!]",
  "[a-z]+(?:_[a-z]+)+\\(",
];
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
          match: "\\b(?:matches|contains|changed since|exists|in|is)\\b",
        },
        { name: "keyword.operator.comparison.behavior", match: "==|!=|<=|>=|<|>" },
        { name: "constant.language.behavior", match: "\\b(?:true|false)\\b" },
        { name: "constant.numeric.behavior", match: "(?<![\\w.])-?\\d+(?:\\.\\d+)?\\b" },
        {
          name: "support.function.behavior",
          match:
            "\\b(?:no text before tools|first tool this turn|tool_calls_this_turn|ungrounded claims|result (?:failed|has lint errors)|is subagent|on default branch|user asked|pushes to|(?:reads|writes|deletes|touches)(?: only)?|contains_secret|consecutive|secret|target|branch|result|text|runs|opaque|[a-z]+(?:_[a-z]+)+(?=\\())",
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
