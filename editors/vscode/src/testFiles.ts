// Finds rule tests, and the examples of rules, in the text of a file. Knows nothing of the editor.

import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";

/** Larger files are no rule files that somebody wrote. */
export const MAX_LENGTH = 4 * 1024 * 1024;
/** Rules stand no deeper than this in a file. */
const MAX_DEPTH = 12;

/** A test, or an example of a rule. Lines count from 0, as the editor counts them. */
export interface FoundTest {
  /** Its name, as the program calls it. */
  readonly name: string;
  /** What people are shown. */
  readonly label: string;
  readonly line: number;
  readonly lastLine: number;
  /** The lines of its events, by their numbers. */
  readonly events: readonly number[];
  /** The lines of what is expected, by the numbers of the events. */
  readonly expected: ReadonlyMap<number, number>;
}

/** A rule with examples. */
export interface FoundRule {
  readonly id: string;
  readonly line: number;
  readonly examples: readonly FoundTest[];
}

/** What a file has to test. */
export interface FoundFile {
  readonly tests: readonly FoundTest[];
  readonly rules: readonly FoundRule[];
}

const NOTHING: FoundFile = { tests: [], rules: [] };

/** Finds what there is to test in a file; nothing in one that is no YAML and no JSON. */
export function findTests(name: string, text: string): FoundFile {
  if (text.length > MAX_LENGTH) return NOTHING;
  const lines = new LineCounter();
  let root: unknown;
  try {
    // An alias may stand for much more than it is, and no test is found behind one.
    root = parseDocument(text, { lineCounter: lines, logLevel: "silent", uniqueKeys: false }).contents;
  } catch {
    return NOTHING;
  }
  const reader = new Reader(text, lines);
  if (/\.test\.(ya?ml|json)$/.test(name) || /^#\s*behavior:\s*test/.test(text)) {
    return { tests: reader.tests(root), rules: [] };
  }
  const rules: FoundRule[] = [];
  reader.rules(root, MAX_DEPTH, rules);
  return { tests: [], rules };
}

class Reader {
  constructor(
    private readonly text: string,
    private readonly lines: LineCounter,
  ) {}

  tests(root: unknown): FoundTest[] {
    const list = isMap(root) ? root.get("tests", true) : undefined;
    if (!isSeq(list)) return [];
    return list.items.flatMap((item, number) => {
      if (!isMap(item)) return [];
      const named = item.get("name");
      const name = named === undefined || named === null ? `test ${number}` : String(named);
      const events = item.get("events", true);
      const test = {
        name,
        label: name,
        ...this.extent(item),
        events: isSeq(events) ? events.items.map((event) => this.line(event)) : [],
        expected: this.expected(item),
      };
      return [test];
    });
  }

  rules(node: unknown, depth: number, found: FoundRule[]): void {
    if (depth === 0) return;
    if (isSeq(node)) for (const item of node.items) this.rules(item, depth - 1, found);
    if (!isMap(node)) return;
    const [id, examples] = [node.get("id"), node.get("examples", true)];
    if (typeof id === "string" && isMap(examples)) {
      found.push({ id, line: this.line(node), examples: this.examples(id, examples) });
      return;
    }
    for (const { value } of node.items) this.rules(value, depth - 1, found);
  }

  private examples(id: string, examples: YAMLMap): FoundTest[] {
    const found: FoundTest[] = [];
    for (const list of ["fires", "passes"]) {
      const items = examples.get(list, true);
      // Each list is counted by itself, from 1, as `behavior test` does.
      for (const [at, item] of (isSeq(items) ? items.items : []).entries()) {
        const events = isSeq(item) ? item.items.map((event) => this.line(event)) : [this.line(item)];
        const name = `example ${at + 1} of \`${id}\` (${list})`;
        const extent = this.extent(item);
        const label = `${list}: ${this.shown(item)}`;
        found.push({ name, label, ...extent, events, expected: new Map() });
      }
    }
    return found;
  }

  private expected(test: YAMLMap): Map<number, number> {
    const expected = new Map<number, number>();
    const list = test.get("expect", true);
    for (const item of isSeq(list) ? list.items : []) {
      const at = isMap(item) ? item.get("at") : undefined;
      if (typeof at === "number" && !expected.has(at)) expected.set(at, this.line(item));
    }
    return expected;
  }

  private extent(node: unknown): { line: number; lastLine: number } {
    const line = this.line(node);
    const end = (node as Node | null)?.range?.[1] ?? 0;
    return { line, lastLine: Math.max(line, this.lineOf(Math.max(end - 1, 0))) };
  }

  private line(node: unknown): number {
    return this.lineOf((node as Node | null)?.range?.[0] ?? 0);
  }

  private lineOf(offset: number): number {
    return Math.max(this.lines.linePos(offset).line - 1, 0);
  }

  /** An example on one line. */
  private shown(node: unknown): string {
    const [start, end] = (node as Node | null)?.range ?? [0, 0];
    const text = isScalar(node) ? String(node.value) : this.text.slice(start, end);
    const line = text.replaceAll(/\s+/g, " ").trim();
    return line.length > 80 ? `${line.slice(0, 79)}…` : line;
  }
}
