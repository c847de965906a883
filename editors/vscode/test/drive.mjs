// Drives the extension in a real VS Code: code-server, shown by headless Chromium. Opens a project of its own making,
// looks for what should be on the screen, and leaves pictures in `screenshots`.
//
// Wants code-server (see install-code-server.sh), Chromium and the program; says what it lacks, and skips, where one of
// them is absent. `CODE_SERVER`, `CHROMIUM` and `BEHAVIOR` name them, where they are not on the path.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { accessSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const repository = join(root, "../..");
const shots = join(root, "screenshots");
/** How long anything may take to appear, in milliseconds; machines that build at the same time are slow. */
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);

function located(variable, ...names) {
  const named = process.env[variable];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const all = named ? [named] : names.flatMap((name) => (name.includes("/") ? [name] : folders.map((it) => join(it, name))));
  return all.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const found = {
  "code-server": located("CODE_SERVER", "code-server"),
  Chromium: located("CHROMIUM", "chromium", "chromium-browser"),
  behavior: located("BEHAVIOR", "behavior", join(repository, "target/debug/behavior"), join(repository, "target/release/behavior")),
};
const lacking = Object.keys(found).filter((name) => found[name] === undefined);
if (lacking.length > 0) {
  console.log(`skipped: ${lacking.join(" and ")} not found; README.md says how to get them`);
  process.exit(0);
}
const { chromium } = await import("playwright-core");

const RULES = `profile: dev
rules:
  max_blind_reads: 3
rule_definitions:
  - id: backup_first
    trigger: database.execute
    action: block
    condition: param(query) matches "UPDATE|DELETE|DROP" and not flag(backup_created)
    message: "Make a backup before running '{param:query}'."
    examples:
      fires:
        - database.execute: { query: DROP TABLE users }
      passes:
        - database.execute: { query: SELECT 1 }
  - id: no_force
    triger: bash
    action: block
    condition: { runs: git push --force }
    message: Push without force.
state_tracking:
  flags:
    backup_created: { set_on: database.backup }
`;
const TESTS = `tests:
  - name: a file is read before it is changed
    rules: { read_before_edit: true }
    events:
      - edit: { file_path: a.rs }
      - read: { file_path: a.rs }
      - edit: { file_path: a.rs }
    expect:
      - { at: 0, rules: [read_before_edit] }
    exactly: true
  - name: this one expects too much
    rules: { read_before_edit: true }
    events:
      - read: { file_path: a.rs }
      - edit: { file_path: a.rs }
    expect:
      - at: 1
        rules: [read_before_edit]
`;

const work = mkdtempSync(join(tmpdir(), "behavior-editor-"));
const project = join(work, "project");
mkdirSync(join(project, ".git"), { recursive: true });
writeFileSync(join(project, "behavior.yaml"), RULES);
writeFileSync(join(project, "rules.test.yaml"), TESTS);
cpSync(join(repository, "tests/traces/careless-refactor.jsonl"), join(project, "session.jsonl"));
rmSync(shots, { recursive: true, force: true });
mkdirSync(shots);

execFileSync("npm", ["run", "package"], { cwd: root, stdio: "ignore" });
const vsix = join(root, "behavior.vsix");
const environment = { ...process.env, BEHAVIOR_CACHE_DIR: join(work, "cache"), VSCODE_IPC_HOOK_CLI: undefined };
const folders = ["--user-data-dir", join(work, "data"), "--extensions-dir", join(work, "extensions"), "--config", join(work, "config.yaml")];
writeFileSync(join(work, "config.yaml"), "auth: none\n");
execFileSync(found["code-server"], [...folders, "--install-extension", vsix], { env: environment, stdio: "inherit" });

const SETTINGS = {
  "behavior.reference": "https://example.com/reference.md",
  "behavior.sessions": ["*.jsonl"],
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Dark Modern",
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "always",
  "telemetry.telemetryLevel": "off",
  "editor.wordBasedSuggestions": "off",
  "editor.hover.delay": 100,
  "files.autoSave": "off",
  // Text that is painted cannot be looked for.
  "terminal.integrated.gpuAcceleration": "off",
  "debug.openDebug": "openOnDebugBreak",
};
const write = (name, settings) => {
  mkdirSync(dirname(join(work, name)), { recursive: true });
  writeFileSync(join(work, name), JSON.stringify(settings, undefined, 2));
};
write("data/User/settings.json", SETTINGS);
/** What belongs to a machine is set there when editor and screen are on two of them. */
const setProgram = (program) => write("data/Machine/settings.json", { "behavior.path": program });
setProgram(found.behavior);

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const server = spawn(
  found["code-server"],
  [...folders, "--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check"],
  { env: environment, stdio: ["ignore", "pipe", "pipe"] },
);
let log = "";
server.stdout.on("data", (part) => (log += part));
server.stderr.on("data", (part) => (log += part));
const until = async (what, check) => {
  const end = Date.now() + PATIENCE;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};
await until("code-server", () => log.includes("HTTP server listening"));

const browser = await chromium.launch({
  executablePath: found.Chromium,
  args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
context.setDefaultTimeout(PATIENCE);
const page = await context.newPage();

let number = 0;
async function shot(name) {
  number += 1;
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(shots, `${String(number).padStart(2, "0")}-${name}.png`) });
}
async function command(title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input[type=text]");
  await input.waitFor();
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
}
async function open(name) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input[type=text]");
  await input.waitFor();
  await input.fill(name);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active").filter({ hasText: name }).waitFor();
  await page.locator(".editor-group-container.active .monaco-editor .view-line").first().waitFor();
}
async function goTo(line, column = 1) {
  await page.keyboard.press("Control+G");
  const input = page.locator(".quick-input-widget input[type=text]");
  await input.fill(`:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}
const sees = (text, within = ".monaco-workbench") => page.locator(within).filter({ hasText: text }).first().waitFor();

const steps = {
  async "a workspace that is not trusted is limited"() {
    // A program of the project, which must not run however the project's settings ask for it.
    mkdirSync(join(project, ".vscode"));
    writeFileSync(join(project, "evil"), `#!/bin/sh\ntouch ${join(work, "evil-ran")}\n`, { mode: 0o755 });
    writeFileSync(join(project, ".vscode/settings.json"), JSON.stringify({ "behavior.path": join(project, "evil") }));
    await page.goto(`http://127.0.0.1:${port}/?folder=${project}`);
    await page.locator(".monaco-workbench").waitFor();
    await sees("Restricted Mode");
    await open("behavior.yaml");
    await page.locator(".squiggly-error").first().waitFor();
    await shot("untrusted");
    assert.ok(!existsSync(join(work, "evil-ran")), "the program of an untrusted workspace was run");
    rmSync(join(project, ".vscode"), { recursive: true });
    await command("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor").getByText("Trust", { exact: true }).first().click();
    await page.locator(".workspace-trust-editor").filter({ hasText: "You trust this" }).waitFor();
    await command("View: Close All Editors");
  },
  async "a mistake is told"() {
    await open("behavior.yaml");
    await page.locator(".squiggly-error").first().waitFor();
    await command("View: Focus Problems");
    await sees("unknown field `triger`", ".markers-panel");
    await shot("diagnostic");
  },
  async "pointing explains"() {
    await command("View: Focus Active Editor Group");
    await goTo(8, 42);
    await command("Show or Focus Hover");
    await sees("a regular expression", ".monaco-hover");
    await shot("hover");
    await page.keyboard.press("Escape");
  },
  async "completion offers conditions"() {
    await goTo(8, 82);
    await page.keyboard.press("End");
    await page.keyboard.type(" and ");
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor();
    await shot("completion");
    await page.keyboard.press("Escape");
    for (let step = 0; step < 5; step += 1) await page.keyboard.press("Backspace");
  },
  async "a fix mends it"() {
    await goTo(16, 6);
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget").filter({ hasText: "trigger" }).waitFor();
    await shot("fixes");
    await page.keyboard.press("Enter");
    await until("the mended text", async () => (await page.locator(".squiggly-error").count()) === 0);
    await page.keyboard.press("Control+S");
  },
  async "rules are tried on recorded sessions"() {
    await goTo(1);
    const lenses = page.locator(".codelens-decoration");
    await lenses.first().waitFor({ timeout: 10_000 }).catch(() => {});
    if ((await lenses.count()) === 0) return console.log("  this program has no lenses");
    await sees("in 1 session", ".codelens-decoration");
    await shot("lenses");
  },
  async "tests run, and failures stand at their lines"() {
    await open("rules.test.yaml");
    await command("Testing: Focus on Test Explorer View");
    await sees("rules.test.yaml", ".test-explorer");
    await sees("behavior.yaml", ".test-explorer");
    await command("Test: Run All Tests");
    await sees("3/4", ".test-explorer");
    await page.locator(".test-explorer .monaco-list-row").filter({ hasText: "behavior.yaml" }).click();
    for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await sees("fires: database.execute", ".test-explorer");
    await command("View: Focus Active Editor Group");
    await goTo(17);
    await shot("tests");
  },
  async "the debugger steps through a session"() {
    await open("session.jsonl");
    await command("Behavior: Step Through a Recorded Session");
    await page.locator(".debug-toolbar").waitFor();
    await page.locator(".debug-top-stack-frame-column, .debug-top-stack-frame-line").first().waitFor();
    for (let step = 0; step < 3; step += 1) {
      await page.keyboard.press("F10");
      await page.waitForTimeout(700);
    }
    await sees("turn_start", ".debug-call-stack");
    await shot("debugger");
    const kind = page.locator(".debug-breakpoints .monaco-list-row").filter({ hasText: "A call is denied" });
    await kind.locator("input, .monaco-custom-toggle, .monaco-checkbox").first().click();
    await page.keyboard.press("F5");
    await sees("confirm_destructive", ".debug-call-stack");
    await sees("destroys what may not come back", ".exception-widget");
    await shot("debugger-denied");
    await page.keyboard.press("Shift+F5");
    await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  },
  async "a new launch.json has our configuration"() {
    // Beside a recording, ours is the only kind that there is to choose.
    await open("session.jsonl");
    await command("Debug: Add Configuration...");
    await page.locator(".tab.active").filter({ hasText: "launch.json" }).waitFor();
    await sees("Step through a session", ".monaco-editor");
    await shot("launch");
    await command("View: Close All Editors");
  },
  async "check runs in a terminal"() {
    await command("Behavior: Check the Rules in a Terminal");
    await page.locator(".terminal-wrapper.active .xterm-screen").waitFor();
    await sees(/no.problems/, ".terminal-wrapper.active .xterm-rows");
    await shot("terminal");
  },
  async "a session is explained in a terminal"() {
    await open("session.jsonl");
    await goTo(8);
    await command("Behavior: Explain an Event of a Recorded Session");
    await page.locator(".quick-input-widget").filter({ hasText: "number of the event" }).waitFor();
    await page.keyboard.press("Enter");
    await sees(/nearest.miss/, ".terminal-wrapper.active .xterm-rows");
    await shot("explained");
  },
  async "a rule of the library is opened"() {
    await command("Behavior: Open a Rule of the Standard Library");
    await sees("Read a file in this session before editing it.", ".quick-input-list .monaco-list-row");
    await shot("library-pick");
    await page.keyboard.type("no_bash_for_files");
    await page.keyboard.press("Enter");
    await page.locator(".tab.active").filter({ hasText: "rules.yaml" }).waitFor();
    await sees("no_bash_for_files", ".monaco-editor");
    await shot("library");
    await command("View: Close All Editors");
  },
  async "a program that is not there is told, with what to do"() {
    setProgram(join(work, "nowhere/behavior"));
    await sees("Rules are not checked", ".notification-toast");
    await shot("not-found");
    setProgram(found.behavior);
    await open("behavior.yaml");
    await command("Behavior: Show the Output of the Language Server");
    await sees("starting", ".output-view, .panel");
    await shot("output");
  },
};

let failed = 0;
let passed = 0;
const only = process.argv[2];
for (const [name, step] of Object.entries(steps)) {
  try {
    if (only !== undefined && !name.includes(only) && passed > 0) continue;
    await step();
    passed += 1;
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`failed: ${name}\n${error.stack}`);
    await shot("failed").catch(() => {});
    await page.keyboard.press("Escape").catch(() => {});
  }
}
await browser.close();
server.kill();
if (failed > 0) console.log(log.slice(-4000));
else rmSync(work, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
