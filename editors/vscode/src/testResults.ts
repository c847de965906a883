// Reads what `behavior test --format json` prints. Knows nothing of the editor.

/** Why a test failed. */
export interface Failure {
  /** The event, by its number. */
  readonly at: number | undefined;
  readonly message: string;
}

/** What came of one test. */
export interface Result {
  readonly file: string;
  /** From 0, as the editor counts them. */
  readonly line: number;
  readonly name: string;
  readonly failures: readonly Failure[];
}

/** What came of all. */
export interface Report {
  readonly results: readonly Result[];
  /** The rules that no test made fire. */
  readonly silent: readonly { readonly file: string; readonly rule: string }[];
}

/** Reads the object; answers with nothing where it is none, because the program could not begin. */
export function readReport(output: string): Report | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(output);
  } catch {
    return undefined;
  }
  const report = record(parsed);
  if (!Array.isArray(report["tests"])) return undefined;
  const never = record(report["coverage"])["never"];
  return {
    results: report["tests"].map(result),
    silent: (Array.isArray(never) ? never : []).map((one) => ({ file: text(record(one)["file"]), rule: text(record(one)["rule"]) })),
  };
}

function result(value: unknown): Result {
  const test = record(value);
  const failures = Array.isArray(test["failures"]) ? test["failures"] : [];
  return {
    file: text(test["file"]),
    line: Math.max(number(test["line"]) ?? 1, 1) - 1,
    name: text(test["name"]),
    failures: failures.map((failure) => ({ at: number(record(failure)["at"]), message: text(record(failure)["message"]) })),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The result for a test that stands at a line; of several on one line, the one of that name. */
export function resultsFor(report: Report, isFile: (file: string) => boolean, line: number, name: string): Result[] {
  const inFile = report.results.filter((result) => isFile(result.file));
  const exact = inFile.filter((result) => result.name === name && result.line === line);
  return exact.length > 0 ? exact : inFile.filter((result) => result.name === name);
}
