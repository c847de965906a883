// The tests of rules in the test explorer: found in the texts of files, run by `behavior test`.

import * as path from "node:path";

import * as vscode from "vscode";

import { run } from "./process.ts";
import { mayBeRuleFile } from "./recognise.ts";
import * as settings from "./settings.ts";
import { findTests, type FoundTest, MAX_LENGTH } from "./testFiles.ts";
import { type Failure, readReport, type Report, resultsFor } from "./testResults.ts";

/** Files that may have tests or rules with examples. */
const PATTERN = "**/*.{yaml,yml,json}";
/** Those that are looked at when the workspace opens; others are when they are opened or change. */
const AT_FIRST = "{**/*.test.yaml,**/*.test.yml,**/behavior.yaml,**/behavior/*.yaml}";
const NOT_IN = "**/{node_modules,target,.git}/**";
const MAX_FILES = 2000;
/** How long after a change tests run again, in milliseconds. */
const DELAY = 300;

/** The tests of the workspace. */
export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("behavior", "Behavior");
  /** What was found, by the item that stands for it. */
  private readonly found = new WeakMap<vscode.TestItem, FoundTest>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher(PATTERN);
  private readonly subscriptions: vscode.Disposable[];
  /** The runs that go on whenever a file changes. */
  private readonly continuous = new Set<vscode.TestRunRequest>();
  private pending: NodeJS.Timeout | undefined;
  private isLookedAt = false;

  constructor() {
    const { controller, watcher } = this;
    controller.resolveHandler = async (item) => {
      if (item === undefined) await this.lookAtAll();
    };
    controller.refreshHandler = () => this.lookAtAll();
    const handler = (request: vscode.TestRunRequest, token: vscode.CancellationToken): void | Promise<void> =>
      request.continuous === true ? this.follow(request, token) : this.run(request, token);
    const profile = controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, handler, true);
    profile.supportsContinuousRun = true;
    this.subscriptions = [
      controller,
      watcher,
      profile,
      watcher.onDidCreate((uri) => this.changed(uri)),
      watcher.onDidChange((uri) => this.changed(uri)),
      watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.take(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.take(document)),
    ];
    vscode.workspace.textDocuments.forEach((document) => this.take(document));
    void this.lookAtAll();
  }

  dispose(): void {
    clearTimeout(this.pending);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async lookAtAll(): Promise<void> {
    const files = await vscode.workspace.findFiles(AT_FIRST, NOT_IN, MAX_FILES);
    await Promise.all(files.map((uri) => this.read(uri)));
    this.isLookedAt = true;
  }

  private changed(uri: vscode.Uri): void {
    void this.read(uri);
    if (this.continuous.size === 0) return;
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      for (const request of this.continuous) void this.run(request);
    }, DELAY);
  }

  /** Looks at a file on disk, unless it is open: then its text is known better. */
  private async read(uri: vscode.Uri): Promise<void> {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open !== undefined) return this.take(open);
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MAX_LENGTH) return;
      this.put(uri, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString());
    } catch {
      this.controller.items.delete(uri.toString());
    }
  }

  private take(document: vscode.TextDocument): void {
    const isOurs = document.uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(document.uri) !== undefined;
    if (isOurs && /\.(ya?ml|json)$/.test(document.uri.path)) this.put(document.uri, document.getText());
  }

  private put(uri: vscode.Uri, text: string): void {
    const id = uri.toString();
    const file = mayBeRuleFile(uri.path, text) ? findTests(uri.path, text) : undefined;
    if (file === undefined || file.tests.length + file.rules.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const item = this.controller.items.get(id) ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    if (this.controller.items.get(id) === undefined) this.controller.items.add(item);
    const rules = file.rules.map((rule) => {
      const child = this.controller.createTestItem(`${id}#${rule.id}`, rule.id, uri);
      child.range = new vscode.Range(rule.line, 0, rule.line, 0);
      child.description = "examples";
      child.children.replace(rule.examples.map((test, number) => this.item(`${child.id}#${number}`, test, uri)));
      return child;
    });
    const tests = file.tests.map((test, number) => this.item(`${id}#${number}`, test, uri));
    item.children.replace([...tests, ...rules]);
  }

  private item(id: string, test: FoundTest, uri: vscode.Uri): vscode.TestItem {
    const item = this.controller.createTestItem(id, test.label, uri);
    item.range = new vscode.Range(test.line, 0, test.lastLine, 0);
    // The order of the file.
    item.sortText = String(test.line).padStart(7, "0");
    this.found.set(item, test);
    return item;
  }

  private follow(request: vscode.TestRunRequest, token: vscode.CancellationToken): void {
    this.continuous.add(request);
    token.onCancellationRequested(() => this.continuous.delete(request));
    void this.run(request);
  }

  private async run(request: vscode.TestRunRequest, token?: vscode.CancellationToken): Promise<void> {
    if (!this.isLookedAt) await this.lookAtAll();
    const run_ = this.controller.createTestRun(request);
    const stop = new AbortController();
    const stopping = [run_.token, token].map((token) => token?.onCancellationRequested(() => stop.abort()));
    try {
      for (const [folder, items] of this.wanted(request)) await this.runIn(folder, items, run_, stop.signal);
    } finally {
      run_.end();
      stopping.forEach((one) => one?.dispose());
    }
  }

  /** The tests that a request is about, by the folder of the workspace that they stand in. */
  private wanted(request: vscode.TestRunRequest): Map<string, vscode.TestItem[]> {
    const wanted = new Map<string, vscode.TestItem[]>();
    const excluded = new Set(request.exclude ?? []);
    const visit = (item: vscode.TestItem): void => {
      if (excluded.has(item)) return;
      item.children.forEach(visit);
      if (!this.found.has(item) || item.uri === undefined) return;
      const folder = vscode.workspace.getWorkspaceFolder(item.uri)?.uri.fsPath ?? path.dirname(item.uri.fsPath);
      const known = wanted.get(folder) ?? [];
      wanted.set(folder, known);
      if (!known.includes(item)) known.push(item);
    };
    if (request.include === undefined) this.controller.items.forEach(visit);
    // Items of a run that goes on may have been replaced since.
    else request.include.forEach((item) => visit(this.current(item) ?? item));
    return wanted;
  }

  private current(item: vscode.TestItem): vscode.TestItem | undefined {
    const parts: string[] = [];
    for (let at: vscode.TestItem | undefined = item; at !== undefined; at = at.parent) parts.unshift(at.id);
    let items = this.controller.items;
    let found: vscode.TestItem | undefined;
    for (const id of parts) {
      found = items.get(id);
      if (found === undefined) return undefined;
      items = found.children;
    }
    return found;
  }

  private async runIn(folder: string, items: vscode.TestItem[], run_: vscode.TestRun, stop: AbortSignal): Promise<void> {
    const program = settings.program();
    if ("problem" in program) {
      const message = new vscode.TestMessage(`\`behavior test\` cannot run: ${program.problem}.`);
      items.forEach((item) => run_.errored(item, message));
      return;
    }
    items.forEach((item) => run_.started(item));
    const files = [...new Set(items.map((item) => item.uri?.fsPath ?? ""))];
    let ended: Awaited<ReturnType<typeof run>>;
    try {
      ended = await run(program.program, ["test", "--format", "json", "--color", "never", "--", ...files], folder, stop);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      for (const item of items) {
        if (stop.aborted) run_.skipped(item);
        else run_.errored(item, new vscode.TestMessage(`\`behavior test\` did not end well: ${why}`));
      }
      return;
    }
    if (ended.errors !== "") run_.appendOutput(lines(ended.errors));
    const report = readReport(ended.output);
    for (const item of items) this.tell(item, report, folder, ended.errors.trim(), run_);
    if (report !== undefined) run_.appendOutput(lines(summary(items.length, report, folder)));
  }

  private tell(item: vscode.TestItem, report: Report | undefined, folder: string, errors: string, run_: vscode.TestRun): void {
    const test = this.found.get(item);
    const file = item.uri?.fsPath;
    if (test === undefined || file === undefined) return;
    const isFile = (name: string): boolean => path.resolve(folder, name) === file;
    const results = report === undefined ? [] : resultsFor(report, isFile, test.line, test.name);
    if (results.length === 0) {
      const message = errors === "" ? "`behavior test` says nothing of this test; is the file saved?" : errors;
      run_.errored(item, this.message(item, test.line, message));
      return;
    }
    const failures = results.flatMap((result) => result.failures);
    if (failures.length === 0) return run_.passed(item);
    run_.failed(
      item,
      failures.map((failure) => this.message(item, lineOf(test, failure), failure.message)),
    );
  }

  private message(item: vscode.TestItem, line: number, text: string): vscode.TestMessage {
    const message = new vscode.TestMessage(text);
    if (item.uri !== undefined) message.location = new vscode.Location(item.uri, new vscode.Position(line, 0));
    return message;
  }
}

/** Where a failure is shown: at what was expected of the event, else at the event, else at the test. */
function lineOf(test: FoundTest, failure: Failure): number {
  if (failure.at === undefined) return test.line;
  return test.expected.get(failure.at) ?? test.events[failure.at] ?? test.line;
}

function summary(count: number, report: Report, folder: string): string {
  const own = report.silent.filter(({ file }) => !file.startsWith("builtin:"));
  const never = own.map(({ file, rule }) => `  ${rule} (${path.relative(folder, path.resolve(folder, file))})\n`);
  const silent = own.length === 0 ? "" : `rules that none of these tests made fire:\n${never.join("")}`;
  return `${count} ${count === 1 ? "test" : "tests"} run\n${silent}`;
}

/** The terminal of test results wants both ends of a line. */
function lines(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}
