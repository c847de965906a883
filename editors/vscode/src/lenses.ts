// What the lenses of the language server do when they are clicked.

import * as vscode from "vscode";
import type { ClientCapabilities, StaticFeature } from "vscode-languageclient/node";

import { asTask } from "./tasks.ts";

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Location {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** Tells the server which commands the editor has, so that it offers no others of these names itself. */
export const COMMANDS: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const commands = ["behavior.showFindings", "behavior.runTests", "behavior.explain"];
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), commands: { commands } };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};

const position = ({ line, character }: Position): vscode.Position => new vscode.Position(line, character);

/** Shows the lines of recorded sessions at which a rule fired. */
export async function showFindings(uri: unknown, at: unknown, locations: unknown): Promise<void> {
  await vscode.commands.executeCommand(
    "editor.action.showReferences",
    vscode.Uri.parse(uri as string),
    position(at as Position),
    (locations as Location[]).map(
      ({ uri, range }) =>
        new vscode.Location(vscode.Uri.parse(uri), new vscode.Range(position(range.start), position(range.end))),
    ),
  );
}

/** Runs the program as the server says: the tests of a rule, or the explanation of one. */
export async function run(argument: unknown): Promise<void> {
  const { cwd, arguments: words } = argument as { cwd?: string; arguments: readonly string[] };
  const [command, ...rest] = words;
  if (command === "test" || command === "explain") await asTask(command, rest, cwd);
}
