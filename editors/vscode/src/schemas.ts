// Gives the extension *YAML* of Red Hat the schemas of rule files, where it is installed.

import { readFileSync } from "node:fs";
import * as path from "node:path";

import * as vscode from "vscode";

import { schemaFor } from "./recognise.ts";
import type { Server } from "./server.ts";
import * as settings from "./settings.ts";

const SCHEME = "behavior";
const EXTENSION = "redhat.vscode-yaml";

interface YamlExtension {
  registerContributor?(
    schema: string,
    requestSchema: (resource: string) => string | undefined,
    requestSchemaContent: (uri: string) => string | undefined,
    label?: string,
  ): boolean;
}

/** Offers the schemas. */
export async function contribute(folder: string, server: Server): Promise<void> {
  const extension = vscode.extensions.getExtension<YamlExtension>(EXTENSION);
  const api = await extension?.activate();
  api?.registerContributor?.(
    SCHEME,
    (resource) => {
      const wanted = settings.schemas();
      const isWanted = wanted === "always" || (wanted === "withoutServer" && !server.isRunning);
      const kind = isWanted ? schemaFor(vscode.Uri.parse(resource).path) : undefined;
      return kind === undefined ? undefined : `${SCHEME}://schema/${kind}`;
    },
    (uri) => {
      const kind = vscode.Uri.parse(uri).path.slice(1);
      // What is asked for is what was offered above; a name with a path in it was not.
      if (!/^[a-z-]+$/.test(kind)) return undefined;
      return readFileSync(path.join(folder, "dist", "schema", `${kind}.json`), "utf8");
    },
    "Behavior",
  );
}
