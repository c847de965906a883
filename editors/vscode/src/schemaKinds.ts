// Which JSON Schema is for which file, and what it is called. Knows nothing of the editor.

/** When schemas are given to another extension. */
export type Schemas = "withoutServer" | "always" | "never";

const SCHEME = "behavior";

/** The kind of schema that fits a file by its name, as `behavior schema` calls it. */
export function schemaFor(name: string): string | undefined {
  const plain = name.replaceAll("\\", "/");
  const isYaml = /\.ya?ml$/.test(plain);
  if (!isYaml) return undefined;
  if (/\.policy\.ya?ml$/.test(plain)) return "trace-policy";
  if (/(^|\/)behavior\/agents\.yaml$/.test(plain)) return "agents";
  if (/(^|\/)(behavior\/[^/]+|behavior)\.test\.ya?ml$/.test(plain)) return "rule-tests";
  if (/(^|\/)behavior\.yaml$/.test(plain)) return "behavior-config";
  if (/(^|\/)behavior\/[^/]+\.yaml$/.test(plain)) return "profile";
  if (/(^|\/)templates\/workflows\/[^/]+\.ya?ml$/.test(plain)) return "workflow";
  return undefined;
}

/** The address of the schema for a file, where one is wanted. */
export function schemaAddress(name: string, wanted: Schemas, isServerRunning: boolean): string | undefined {
  const isWanted = wanted === "always" || (wanted === "withoutServer" && !isServerRunning);
  const kind = isWanted ? schemaFor(name) : undefined;
  return kind === undefined ? undefined : `${SCHEME}://schema/${kind}`;
}

/** The name of the file that such an address is for; nothing for an address that was not made here. */
export function schemaFile(address: string): string | undefined {
  const kind = new RegExp(`^${SCHEME}://schema/([a-z-]+)$`).exec(address)?.[1];
  return kind === undefined ? undefined : `${kind}.json`;
}
