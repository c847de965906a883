// What the user set, and the program that follows from it.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";

import * as vscode from "vscode";

import { type Found, findProgram } from "./program.ts";
import type { Schemas } from "./schemaKinds.ts";

function configuration(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("behavior");
}

/** The whole paths of the folders that are open. */
export function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

/** The program that the settings and the path lead to. */
export function program(): Found {
  return findProgram({
    setting: programSetting(),
    folders: folders(),
    isTrusted: vscode.workspace.isTrusted,
    environment: process.env,
    home: homedir(),
    isWindows: process.platform === "win32",
    isProgram,
  });
}

/**
 * What names the program. The editor holds back what an untrusted workspace says, as the manifest asks it to; that this is
 * looked at once more here makes it hold whatever becomes of the manifest.
 */
function programSetting(): string {
  if (vscode.workspace.isTrusted) return configuration().get<string>("path", "");
  const inspected = configuration().inspect<string>("path");
  return inspected?.globalValue ?? inspected?.defaultValue ?? "";
}

/** What the language server is told when it starts. */
export function serverOptions(): Record<string, unknown> {
  const reference = configuration().get<string>("reference", "").trim();
  const sessions = configuration().get<string | string[]>("sessions", []);
  return {
    ...(reference === "" ? {} : { reference }),
    ...(sessions.length === 0 ? {} : { sessions }),
    showSteps: configuration().get<boolean>("showSteps", true),
  };
}

/** When schemas are given to another extension. */
export function schemas(): Schemas {
  return configuration().get<Schemas>("schemas", "withoutServer");
}

function isProgram(file: string): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
