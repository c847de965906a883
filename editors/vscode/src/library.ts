// Rules of the standard library: the server knows which there are and where copies of them stand. It is asked about a
// scratch document that exists in its memory alone.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import type { Server } from "./server.ts";

/** What the document begins with: a profile, since without any rule there would be something wrong with it. */
const BEGINNING = "profile: dev\nrules:\n  ";

interface Item {
  readonly label: string;
  readonly detail?: string;
  readonly documentation?: string | { readonly value: string };
}

interface Location {
  readonly uri: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** Lets the user pick a built-in rule, and opens the file that it stands in. */
export async function openLibraryRule(server: Server): Promise<void> {
  await server.start(true);
  const client = server.running;
  if (client === undefined) return;
  const folder = await mkdtemp(path.join(tmpdir(), "behavior-"));
  const uri = client.code2ProtocolConverter.asUri(vscode.Uri.file(path.join(folder, "behavior.yaml")));
  try {
    const items = await withDocument(client, uri, `${BEGINNING}\n`, async () => {
      const found = await client.sendRequest<Item[] | { items: Item[] } | null>("textDocument/completion", {
        textDocument: { uri },
        position: { line: 2, character: 2 },
      });
      return Array.isArray(found) ? found : (found?.items ?? []);
    });
    // Thresholds stand among the switches; only a switch is that of a rule.
    const rules = items.filter((item) => item.detail?.includes("true"));
    const chosen = await vscode.window.showQuickPick(
      rules.map((item) => ({ label: item.label, detail: purpose(item) })),
      { title: "Rules of the standard library", matchOnDetail: true },
    );
    if (chosen === undefined) return;
    const place = await withDocument(client, uri, `${BEGINNING}${chosen.label}: true\n`, async () => {
      const found = await client.sendRequest<Location[] | Location | null>("textDocument/definition", {
        textDocument: { uri },
        position: { line: 2, character: 3 },
      });
      return Array.isArray(found) ? found[0] : (found ?? undefined);
    });
    if (place === undefined) {
      void vscode.window.showInformationMessage(`The language server does not know where \`${chosen.label}\` stands.`);
      return;
    }
    const { line, character } = place.range.start;
    const at = new vscode.Position(line, character);
    const target = client.protocol2CodeConverter.asUri(place.uri);
    await vscode.window.showTextDocument(target, { selection: new vscode.Range(at, at), preview: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withDocument<T>(client: LanguageClient, uri: string, text: string, ask: () => Promise<T>): Promise<T> {
  const textDocument = { uri, languageId: "yaml", version: 1, text };
  await client.sendNotification("textDocument/didOpen", { textDocument });
  try {
    return await ask();
  } finally {
    await client.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
}

/** What a rule is for: the explanation without its heading, which says the name again. */
function purpose(item: Item): string {
  const { documentation } = item;
  const text = typeof documentation === "string" ? documentation : (documentation?.value ?? "");
  const [heading = "", line = heading] = text.split("\n").filter((line) => line.trim() !== "");
  return line;
}
