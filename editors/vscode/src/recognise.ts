// Says which files may be ours, before the server is there to ask. It says so of too many rather than too few: a server
// that is started for nothing leaves the file alone.

/** How much of a file is looked at: what makes one ours stands near its beginning, and logs can be huge. */
export const MAX_LOOKED_AT = 256 * 1024;

const NAMES = [/(^|\/)behavior\.ya?ml$/, /(^|\/)behavior\/[^/]+\.(ya?ml|toml|json)$/, /\.policy\.(ya?ml|json)$/, /(^|\/)templates\/workflows\/[^/]+\.(ya?ml|json)$/];

/** Whether a file has the name of a rule file, whatever it holds. */
export function isNamedLikeRuleFile(name: string): boolean {
  const plain = name.replaceAll("\\", "/");
  return NAMES.some((pattern) => pattern.test(plain));
}

/** Whether a file may be a rule file, a policy, a workflow or a rule test. */
export function mayBeRuleFile(name: string, text: string): boolean {
  const plain = name.replaceAll("\\", "/");
  if (isNamedLikeRuleFile(plain)) return true;
  const beginning = text.slice(0, MAX_LOOKED_AT);
  if (/\.test\.(ya?ml|json)$/.test(plain)) return /^[\s{]*"?tests"?\s*:/m.test(beginning);
  if (plain.endsWith(".toml")) return plain.endsWith("/policy.toml") && /approval_mode|\brules\b/.test(beginning);
  return /^#\s*behavior:/.test(beginning) || (beginning.includes("security") && beginning.includes("behavior"));
}
