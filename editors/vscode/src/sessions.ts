// Recorded sessions: which one a command is about, and what can be done with it.

import * as path from "node:path";

import * as vscode from "vscode";

import { inTerminal } from "./tasks.ts";

/** How many recordings of the workspace are offered. */
const MAX_OFFERED = 500;

/** The recording in the editor, or one that the user picks. */
export async function pickSession(): Promise<string | undefined> {
  const open = vscode.window.activeTextEditor?.document;
  if (open !== undefined && isRecording(open.uri)) return open.uri.fsPath;
  const found = await vscode.workspace.findFiles("**/*.jsonl", "**/{node_modules,target,.git}/**", MAX_OFFERED);
  const other = { label: "$(folder-opened) Choose a file…", description: "", file: undefined };
  const items = found
    .map((uri) => ({
      label: path.basename(uri.fsPath),
      description: vscode.workspace.asRelativePath(uri),
      file: uri.fsPath as string | undefined,
    }))
    .sort((a, b) => a.description.localeCompare(b.description));
  const chosen = await vscode.window.showQuickPick([...items, other], {
    title: "Recorded session",
    placeHolder: "A recording of any format that `behavior simulate` reads",
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.file !== undefined) return chosen?.file;
  const files = await vscode.window.showOpenDialog({ title: "Recorded session", openLabel: "Take This Recording" });
  return files?.[0]?.fsPath;
}

function isRecording(uri: vscode.Uri): boolean {
  return uri.scheme === "file" && uri.path.endsWith(".jsonl");
}

async function session(uri: unknown): Promise<string | undefined> {
  return uri instanceof vscode.Uri ? uri.fsPath : await pickSession();
}

/** Shows what the rules would have said in a session. */
export async function simulate(uri: unknown): Promise<void> {
  const trace = await session(uri);
  if (trace !== undefined) await inTerminal("simulate", [trace], vscode.Uri.file(trace));
}

/** Shows why each rule fired at an event of a session, or did not. */
export async function explain(uri: unknown): Promise<void> {
  const trace = await session(uri);
  if (trace === undefined) return;
  const at = await vscode.window.showInputBox({
    title: "Explain an event",
    prompt: `The number of the event in ${path.basename(trace)}, from 0`,
    value: String(eventAtCursor(trace) ?? 0),
    validateInput: (value) => (/^\d{1,9}$/.test(value.trim()) ? undefined : "a whole number, 0 or more"),
  });
  if (at === undefined) return;
  await inTerminal("explain", ["--trace", trace, "--at", at.trim()], vscode.Uri.file(trace));
}

/**
 * The event under the cursor, as a guess to start from: in recordings of native events, each line that is not blank is
 * one.
 */
function eventAtCursor(trace: string): number | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.document.uri.fsPath !== trace) return undefined;
  let event = -1;
  for (let line = 0; line <= editor.selection.active.line; line += 1) {
    if (!editor.document.lineAt(line).isEmptyOrWhitespace) event += 1;
  }
  return Math.max(event, 0);
}

/** Steps through a session in the debugger. */
export async function debug(uri: unknown): Promise<void> {
  const trace = await session(uri);
  if (trace === undefined) return;
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(trace)) ?? vscode.workspace.workspaceFolders?.[0];
  await vscode.debug.startDebugging(folder, {
    type: "behavior",
    request: "launch",
    name: path.basename(trace),
    trace,
    ...(folder === undefined ? {} : { cwd: folder.uri.fsPath }),
  });
}
