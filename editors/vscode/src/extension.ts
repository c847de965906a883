// The extension: starts and stops what the other files have.

import * as vscode from "vscode";

import { Adapters, Configurations } from "./debugging.ts";
import { openLibraryRule } from "./library.ts";
import * as lenses from "./lenses.ts";
import { contribute } from "./schemas.ts";
import { Server } from "./server.ts";
import * as sessions from "./sessions.ts";
import { inTerminal, Tasks } from "./tasks.ts";
import { Tests } from "./testing.ts";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started = new Server();
  server = started;
  const command = (name: string, run: (...args: unknown[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`behavior.${name}`, run);
  context.subscriptions.push(
    started,
    command("restartServer", () => started.restart()),
    command("showOutput", () => started.output.show()),
    command("check", () => inTerminal("check", [])),
    command("test", () => inTerminal("test", [])),
    command("openLibraryRule", () => openLibraryRule(started)),
    command("simulateSession", sessions.simulate),
    command("explainSession", sessions.explain),
    command("debugSession", sessions.debug),
    command("pickSession", sessions.pickSession),
    command("showFindings", lenses.showFindings),
    command("runTests", lenses.run),
    command("explain", lenses.run),
    vscode.workspace.onDidOpenTextDocument((document) => started.startFor([document])),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const ours = ["path", "reference", "sessions", "showSteps"].some((name) => event.affectsConfiguration(`behavior.${name}`));
      if (ours) started.reconsider();
    }),
    vscode.tasks.registerTaskProvider("behavior", new Tasks()),
    vscode.debug.registerDebugAdapterDescriptorFactory("behavior", new Adapters()),
    vscode.debug.registerDebugConfigurationProvider("behavior", new Configurations()),
  );
  // What runs the program on files of the workspace waits for trust; that the server reads them does not.
  const startTests = (): unknown => context.subscriptions.push(new Tests());
  if (vscode.workspace.isTrusted) startTests();
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      startTests();
      started.reconsider();
    }),
  );
  started.startFor(vscode.workspace.textDocuments);
  void startForWorkspace(started);
  contribute(context.extensionPath, started).catch((error: unknown) => started.output.warn(String(error)));
}

/** Starts the server where the workspace has rules, though none of them is open. */
async function startForWorkspace(server: Server): Promise<void> {
  const rules = "{**/behavior.yaml,**/behavior/*.yaml,**/behavior/*.toml}";
  const [found] = await vscode.workspace.findFiles(rules, "**/{node_modules,target,.git}/**", 1);
  if (found !== undefined) await server.start(true);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
