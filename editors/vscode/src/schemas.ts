// Gives the extension *YAML* of Red Hat the schemas of rule files, where it is installed.

import { readFileSync } from "node:fs";
import * as path from "node:path";

import * as vscode from "vscode";

import { schemaAddress, schemaFile } from "./schemaKinds.ts";
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
    (resource) => schemaAddress(vscode.Uri.parse(resource).path, settings.schemas(), server.isRunning),
    (address) => {
      const name = schemaFile(address);
      return name === undefined ? undefined : readFileSync(path.join(folder, "dist", "schema", name), "utf8");
    },
    "Behavior",
  );
}
