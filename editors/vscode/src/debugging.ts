// The debug adapter `behavior dap`.

import * as path from "node:path";

import * as vscode from "vscode";

import { offerSetting } from "./missing.ts";
import { pickSession } from "./sessions.ts";
import * as settings from "./settings.ts";

/** Starts the adapter. */
export class Adapters implements vscode.DebugAdapterDescriptorFactory {
  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.ProviderResult<vscode.DebugAdapterDescriptor> {
    const found = settings.program();
    // Without a program, the configuration was refused.
    if ("problem" in found) return undefined;
    const folder = session.workspaceFolder?.uri.fsPath ?? settings.folders()[0];
    return new vscode.DebugAdapterExecutable(found.program, ["dap"], folder === undefined ? {} : { cwd: folder });
  }
}

/** Fills in what a configuration leaves out. */
export class Configurations implements vscode.DebugConfigurationProvider {
  /** What a new `launch.json` begins with stands in the manifest. Here is what is run where there is none. */
  resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration {
    if (configuration.type) return configuration;
    return {
      type: "behavior",
      request: "launch",
      name: "Step through a session",
      trace: "${command:pickSession}",
      ...(folder === undefined ? {} : { cwd: folder.uri.fsPath }),
    };
  }

  async resolveDebugConfigurationWithSubstitutedVariables(
    folder: vscode.WorkspaceFolder | undefined,
    configuration: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const found = settings.program();
    if ("problem" in found) {
      void offerSetting(`The session cannot be stepped through: ${found.problem}.`, () =>
        vscode.debug.startDebugging(folder, configuration),
      );
      return undefined;
    }
    const trace: unknown = configuration["trace"] ?? (await pickSession());
    if (typeof trace !== "string" || trace === "") return undefined;
    const cwd: unknown = configuration["cwd"] ?? folder?.uri.fsPath ?? path.dirname(trace);
    return { ...configuration, trace, cwd };
  }
}
