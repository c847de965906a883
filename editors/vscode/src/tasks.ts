// Runs the program in a terminal, as tasks: without a shell, so that no name of a file is taken for a command.

import * as vscode from "vscode";

import { offerSetting } from "./server.ts";
import * as settings from "./settings.ts";

const TYPE = "behavior";
/** The commands that are offered as tasks. */
const OFFERED = ["check", "test", "fmt"];

interface Definition extends vscode.TaskDefinition {
  readonly command: string;
  readonly args?: readonly string[];
}

/** Gives the editor the tasks of the workspace. */
export class Tasks implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    const found = settings.program();
    if ("problem" in found) return [];
    const all = vscode.workspace.workspaceFolders ?? [];
    return all.flatMap((folder) =>
      OFFERED.map((command) => task(found.program, { type: TYPE, command }, folder)),
    );
  }

  resolveTask(task_: vscode.Task): vscode.Task | undefined {
    const found = settings.program();
    const definition = task_.definition as Definition;
    if ("problem" in found || typeof definition.command !== "string") return undefined;
    const folder = typeof task_.scope === "object" ? task_.scope : undefined;
    return task(found.program, definition, folder, task_.name);
  }
}

function task(
  program: string,
  definition: Definition,
  folder: vscode.WorkspaceFolder | undefined,
  name: string = definition.command,
): vscode.Task {
  const { command, args = [] } = definition;
  // What `check` says is matched to lines; the other commands speak to people alone.
  const isMatched = command === "check" && !args.includes("--format");
  const format = isMatched ? ["--format", "concise"] : [];
  const execution = new vscode.ProcessExecution(
    program,
    [command, ...format, ...args],
    folder === undefined ? {} : { cwd: folder.uri.fsPath },
  );
  const made = new vscode.Task(
    definition,
    folder ?? vscode.TaskScope.Workspace,
    name,
    TYPE,
    execution,
    isMatched ? ["$behavior"] : [],
  );
  made.presentationOptions = { clear: true, showReuseMessage: false };
  if (command === "test") made.group = vscode.TaskGroup.Test;
  return made;
}

/** Runs a command of the program in a terminal. */
export async function inTerminal(command: string, args: readonly string[], near?: vscode.Uri): Promise<void> {
  const found = settings.program();
  if ("problem" in found) {
    return offerSetting(`\`behavior ${command}\` cannot run: ${found.problem}.`, () => inTerminal(command, args, near));
  }
  const folder = near === undefined ? await chosenFolder() : vscode.workspace.getWorkspaceFolder(near) ?? firstFolder();
  const definition: Definition = { type: TYPE, command, args: [...args] };
  await vscode.tasks.executeTask(task(found.program, definition, folder));
}

/** The folder that a command is about: that of the open file, else the only one, else one that the user picks. */
async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const open = vscode.window.activeTextEditor?.document.uri;
  const folder = open === undefined ? undefined : vscode.workspace.getWorkspaceFolder(open);
  const all = vscode.workspace.workspaceFolders ?? [];
  return folder ?? (all.length > 1 ? await vscode.window.showWorkspaceFolderPick() : firstFolder());
}

function firstFolder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.[0];
}
