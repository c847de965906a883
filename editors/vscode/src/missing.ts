// Says that the program is missing, and what to do about it.

import * as vscode from "vscode";

/** Says why there is no program, and offers what can be done. */
export async function offerSetting(problem: string, tryAgain: () => unknown): Promise<void> {
  const help = vscode.workspace.isTrusted
    ? "Build it with `cargo static` in the project's repository, and put it on the `PATH` or name it in `behavior.path`."
    : "In a workspace that is not trusted, only the `PATH` and your user settings count.";
  const [open, again, trust] = ["Open the Setting", "Try Again", "Manage Trust"];
  const choices = vscode.workspace.isTrusted ? [open, again] : [open, trust, again];
  const chosen = await vscode.window.showErrorMessage(`${problem} ${help}`, ...choices);
  if (chosen === open) await vscode.commands.executeCommand("workbench.action.openSettings", "behavior.path");
  if (chosen === trust) await vscode.commands.executeCommand("workbench.trust.manage");
  if (chosen === again) tryAgain();
}
