// Runs a program and keeps what it prints, within bounds.

import { spawn } from "node:child_process";

/** More output than this is no answer. */
const MAX_OUTPUT = 64 * 1024 * 1024;

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program without a shell, until it ends or `signal` says so. */
export function run(program: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, signal, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    let length = 0;
    const take = (into: Buffer[]) => (part: Buffer) => {
      length += part.length;
      if (length > MAX_OUTPUT) {
        child.kill();
        reject(new Error("it prints more than can be shown"));
        return;
      }
      into.push(part);
    };
    child.stdout.on("data", take(output));
    child.stderr.on("data", take(errors));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }),
    );
  });
}
