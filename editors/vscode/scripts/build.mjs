// Bundles the extension into `dist`, with the schemas of the project; `--tests` bundles the tests into `out` instead.

import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build, context } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const has = (flag) => process.argv.includes(flag);

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  logLevel: "warning",
};

if (has("--tests")) {
  await rm(join(root, "out"), { recursive: true, force: true });
  const names = (await readdir(join(root, "test"))).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...shared,
    entryPoints: names.map((name) => `test/${name}`),
    outdir: "out",
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    // It looks for its grammar machine beside itself.
    external: ["vscode-oniguruma"],
  });
} else {
  await rm(join(root, "dist"), { recursive: true, force: true });
  await mkdir(join(root, "dist"));
  await cp(join(root, "../../docs/schema"), join(root, "dist/schema"), { recursive: true });
  const options = {
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    format: "cjs",
    external: ["vscode"],
    // The bundle of the language client is written for both kinds of modules; only this one can be bundled whole.
    mainFields: ["module", "main"],
    minify: has("--production"),
    sourcemap: !has("--production"),
  };
  if (has("--watch")) await (await context(options)).watch();
  else await build(options);
}
