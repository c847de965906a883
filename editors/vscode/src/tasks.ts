// Runs the program in a terminal, as tasks: without a shell, so that no name of a file is taken for a command.

import * as vscode from "vscode";

import { offerSetting } from "./missing.ts";
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
    return task(found.program, definition, folder, folder?.uri.fsPath, task_.name);
  }
}

function task(
  program: string,
  definition: Definition,
  folder: vscode.WorkspaceFolder | undefined,
  cwd: string | undefined = folder?.uri.fsPath,
  name: string = definition.command,
): vscode.Task {
  const { command, args = [] } = definition;
  const execution = new vscode.ProcessExecution(program, [command, ...args], cwd === undefined ? {} : { cwd });
  // Findings are matched to lines in the one format that has both on one line.
  const matchers = args.includes("concise") ? ["$behavior"] : [];
  const scope = folder ?? vscode.TaskScope.Workspace;
  const made = new vscode.Task(definition, scope, name, TYPE, execution, matchers);
  made.presentationOptions = { clear: true, showReuseMessage: false };
  if (command === "test") made.group = vscode.TaskGroup.Test;
  return made;
}

/** Runs a command of the program in a terminal, in the folder of the workspace that it is about. */
export async function inTerminal(command: string, args: readonly string[], near?: vscode.Uri): Promise<void> {
  const folder = near === undefined ? await chosenFolder() : vscode.workspace.getWorkspaceFolder(near) ?? firstFolder();
  await execute(command, args, folder, folder?.uri.fsPath);
}

/** The same, in a folder that somebody else has chosen. */
export async function asTask(command: string, args: readonly string[], cwd: string | undefined): Promise<void> {
  const folder = cwd === undefined ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  await execute(command, args, folder ?? firstFolder(), cwd);
}

async function execute(
  command: string,
  args: readonly string[],
  folder: vscode.WorkspaceFolder | undefined,
  cwd: string | undefined,
): Promise<void> {
  const found = settings.program();
  if ("problem" in found) {
    const again = (): Promise<void> => execute(command, args, folder, cwd);
    return offerSetting(`\`behavior ${command}\` cannot run: ${found.problem}.`, again);
  }
  await vscode.tasks.executeTask(task(found.program, { type: TYPE, command, args: [...args] }, folder, cwd));
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
