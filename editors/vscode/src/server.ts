// The language server: when it runs, which program it is, and what is shown of that.

import * as vscode from "vscode";
import {
  CloseAction,
  type CloseHandlerResult,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  State,
  type TextDocumentFilter,
} from "vscode-languageclient/node";

import { COMMANDS } from "./lenses.ts";
import { offerSetting } from "./missing.ts";
import { isNamedLikeRuleFile, mayBeRuleFile } from "./recognise.ts";
import * as settings from "./settings.ts";

const LANGUAGES = ["yaml", "json", "jsonc", "toml"];

const SELECTOR: (TextDocumentFilter & vscode.DocumentFilter)[] = [
  ...LANGUAGES.map((language) => ({ scheme: "file", language })),
  // An editor without an extension for TOML calls it plain text.
  { scheme: "file", pattern: "**/*.toml" },
  // Recorded sessions: what the rules say of them is shown at their lines.
  { scheme: "file", pattern: "**/*.jsonl" },
];

/** A server that ends more often than this within `RESTART_WINDOW` milliseconds is not started again by itself. */
const MAX_RESTARTS = 4;
const RESTART_WINDOW = 3 * 60 * 1000;

/** The language server of this window. */
export class Server implements vscode.Disposable {
  readonly output = vscode.window.createOutputChannel("Behavior", { log: true });
  private readonly status = vscode.languages.createLanguageStatusItem("behavior.server", SELECTOR);
  private client: LanguageClient | undefined;
  private program: string | undefined;
  /** What the server was started with, to tell whether settings change anything. */
  private startedWith = "";
  /** Starts and stops one after the other, so that there are never two servers. */
  private queue: Promise<void> = Promise.resolve();
  /** Whether the user was told that there is no program; once is enough until something changes. */
  private hasComplained = false;
  private ends: number[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the server has started or ended. */
  readonly onDidChange = this.changed.event;

  constructor() {
    this.status.name = "Behavior";
    this.status.text = "Behavior";
    this.status.command = { title: "Show output", command: "behavior.showOutput" };
    this.show("no rule file is open", vscode.LanguageStatusSeverity.Information);
  }

  /** Whether the server runs. */
  get isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  /** The client, once it is there. */
  get running(): LanguageClient | undefined {
    return this.isRunning ? this.client : undefined;
  }

  /** Starts the server if one of these documents may be for it. */
  startFor(documents: readonly vscode.TextDocument[]): void {
    const ours = documents.filter(
      (document) =>
        vscode.languages.match(SELECTOR, document) > 0 && mayBeRuleFile(document.fileName, document.getText()),
    );
    if (ours.length > 0) void this.start(ours.some((document) => isNamedLikeRuleFile(document.fileName)));
  }

  /** Starts the server, unless it runs; `isSure` says whether its absence is worth a message. */
  start(isSure: boolean): Promise<void> {
    return this.enqueue(() => this.startNow(isSure));
  }

  /** Starts the server anew, with the settings as they are. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      this.hasComplained = false;
      this.ends = [];
      await this.startNow(true);
    });
  }

  /** Does what follows from changed settings or trust. */
  reconsider(): void {
    const found = settings.program();
    const next = "program" in found ? found.program : undefined;
    this.hasComplained = false;
    if (this.client === undefined) return this.startFor(vscode.workspace.textDocuments);
    if (this.startedWith !== startedWith(next)) void this.restart();
  }

  async stop(): Promise<void> {
    await this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    void this.stop();
    this.status.dispose();
    this.output.dispose();
    this.changed.dispose();
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => this.output.error(String(error)));
    return this.queue;
  }

  private async startNow(isSure: boolean): Promise<void> {
    if (this.client !== undefined) return;
    const found = settings.program();
    if ("problem" in found) {
      this.show(found.problem, vscode.LanguageStatusSeverity.Error);
      if (isSure) await this.complain(found.problem);
      return;
    }
    this.program = found.program;
    this.startedWith = startedWith(found.program);
    this.output.info(`starting \`${found.program} lsp\``);
    const [folder] = settings.folders();
    const run = { command: found.program, args: ["lsp"], options: folder === undefined ? {} : { cwd: folder } };
    const client = new LanguageClient("behavior", "Behavior", run, this.options());
    this.client = client;
    client.registerFeature(COMMANDS);
    client.onDidChangeState(({ newState }) => {
      this.showState(client, newState);
      this.changed.fire();
    });
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      const why = error instanceof Error ? error.message : String(error);
      this.show(`the language server did not start: ${why}`, vscode.LanguageStatusSeverity.Error);
      void this.offer(`\`${found.program} lsp\` did not start: ${why}`);
    }
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch((error: unknown) => this.output.warn(`the server did not end in time: ${String(error)}`));
    this.show("stopped", vscode.LanguageStatusSeverity.Information);
    this.changed.fire();
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      initializationOptions: settings.serverOptions(),
      outputChannel: this.output,
      // What is added for other clients of this folder is none of this one's business.
      diagnosticCollectionName: "behavior",
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => this.closed(),
      },
    };
  }

  private closed(): CloseHandlerResult {
    const now = Date.now();
    this.ends = [...this.ends.filter((at) => now - at < RESTART_WINDOW), now];
    if (this.ends.length <= MAX_RESTARTS) return { action: CloseAction.Restart };
    this.client = undefined;
    const message = `the language server \`${this.program ?? "behavior"} lsp\` ended ${this.ends.length} times in a few minutes and is not started again`;
    this.show(message, vscode.LanguageStatusSeverity.Error);
    void this.offer(message);
    return { action: CloseAction.DoNotRestart, handled: true };
  }

  private showState(client: LanguageClient, state: State): void {
    if (client !== this.client) return;
    if (state === State.Running) {
      const info = client.initializeResult?.serverInfo;
      const { Information } = vscode.LanguageStatusSeverity;
      this.show(`${info?.name ?? "behavior"} ${info?.version ?? ""}: ${this.program ?? ""}`, Information);
    }
    if (state === State.Starting) this.status.busy = true;
  }

  private show(detail: string, severity: vscode.LanguageStatusSeverity): void {
    this.status.busy = false;
    this.status.detail = detail;
    this.status.severity = severity;
  }

  private async complain(problem: string): Promise<void> {
    this.output.error(problem);
    if (this.hasComplained) return;
    this.hasComplained = true;
    void this.offerToSet(problem);
  }

  private async offerToSet(problem: string): Promise<void> {
    await offerSetting(`Rules are not checked: ${problem}.`, () => this.restart());
  }

  private async offer(message: string): Promise<void> {
    const [again, output] = ["Start Again", "Show Output"];
    const chosen = await vscode.window.showErrorMessage(message, again, output);
    if (chosen === again) await this.restart();
    if (chosen === output) this.output.show();
  }
}

function startedWith(program: string | undefined): string {
  return JSON.stringify([program, settings.serverOptions()]);
}
