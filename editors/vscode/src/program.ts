// Finds the program `behavior`. Knows nothing of the editor, so that it can be tested on its own.

import * as path from "node:path";

/** What is known when the program is looked for. */
export interface Search {
  /** What the user's settings name; empty for the one on the path. */
  readonly setting: string;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** Whether the user trusts the workspace. */
  readonly isTrusted: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly isWindows: boolean;
  /** Says whether a file is there and can be run. */
  readonly isProgram: (file: string) => boolean;
}

/** The program, or why there is none. */
export type Found = { readonly program: string } | { readonly problem: string };

/**
 * Finds the program: the one that the setting names, else the first one on the path.
 *
 * The result is a whole path. Starting a program by its bare name may run one that lies in the folder that is open.
 */
export function findProgram(search: Search): Found {
  const paths = search.isWindows ? path.win32 : path.posix;
  if (search.setting.trim() !== "") {
    const named = expand(search.setting.trim(), search);
    if (named === undefined) {
      return { problem: `\`behavior.path\` is \`${search.setting}\`, and no folder is open that it could start from` };
    }
    if (!search.isTrusted && isInside(named, search.folders, paths)) {
      return { problem: `\`${named}\` lies in a workspace that is not trusted, and is not run` };
    }
    const file = withEnding(named, search);
    return file === undefined
      ? { problem: `\`behavior.path\` names \`${named}\`, which is no program` }
      : { program: file };
  }
  for (const folder of pathFolders(search)) {
    // A relative folder would be one of whatever is open.
    if (!paths.isAbsolute(folder)) continue;
    if (!search.isTrusted && isInside(folder, search.folders, paths)) continue;
    const file = withEnding(paths.join(folder, "behavior"), search);
    if (file !== undefined) return { program: file };
  }
  return { problem: "there is no program `behavior` on the `PATH` of the editor" };
}

function pathFolders(search: Search): string[] {
  const name = Object.keys(search.environment).find((name) => name.toUpperCase() === "PATH");
  const value = name === undefined ? undefined : search.environment[name];
  return (value ?? "").split(search.isWindows ? ";" : ":").filter((folder) => folder !== "");
}

/** A setting as a whole path; nothing where it starts from a folder and none is open. */
function expand(setting: string, search: Search): string | undefined {
  const paths = search.isWindows ? path.win32 : path.posix;
  const [first] = search.folders;
  if (setting === "~" || setting.startsWith("~/") || setting.startsWith("~\\")) {
    return paths.join(search.home, setting.slice(1));
  }
  const variable = "${workspaceFolder}";
  const named = setting.startsWith(variable) ? `.${setting.slice(variable.length)}` : setting;
  if (paths.isAbsolute(named)) return paths.normalize(named);
  return first === undefined ? undefined : paths.resolve(first, named);
}

function isInside(file: string, folders: readonly string[], paths: path.PlatformPath): boolean {
  return folders.some((folder) => {
    const way = paths.relative(folder, file);
    return way === "" || (way !== ".." && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way));
  });
}

function withEnding(file: string, search: Search): string | undefined {
  const endings = search.isWindows ? ["", ".exe"] : [""];
  return endings.map((ending) => file + ending).find(search.isProgram);
}
