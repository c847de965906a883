// A host for the OpenCode plugin that checks what the plugin does with each answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [, , plugin, broken, log] = process.argv;
const module = await import(plugin);
assert.deepEqual(Object.keys(module), ["Behavior"]);
const hooks = await module.Behavior({ directory: process.cwd() });
const before = (command, hooksOf = hooks) =>
  hooksOf["tool.execute.before"](
    { tool: "bash", sessionID: "s", callID: "c" },
    { args: { command } },
  );
const after = async (command) => {
  const output = { title: "", output: "out", metadata: { exit: 0 } };
  await hooks["tool.execute.after"](
    { tool: "bash", sessionID: "s", callID: "c", args: { command } },
    output,
  );
  return output.output;
};

await before("ls");
await assert.rejects(before("SAY-deny"), { message: "no" });
await assert.rejects(before("SAY-ask"), /its answer has no verdict/);
await assert.rejects(before("SAY-garbage"), /not JSON/);
await assert.rejects(before("SAY-empty"), /not JSON/);
await assert.rejects(before("SAY-other"), /no verdict/);
await assert.rejects(before("SAY-crash"), /exit code 3: it broke/);
await assert.rejects(before("SAY-hang"), /no answer within/);
await before(`echo ${"x".repeat(4 << 20)}`);

await before("SAY-note");
assert.equal(await after("ls"), "out\n\none\n\ntwo");
assert.equal(await after("ls"), "out");
assert.equal(await after("SAY-deny"), "out\n\nno");

const say = async (text) => {
  const parts = [{ type: "text", text }, { type: "file" }];
  await hooks["chat.message"]({ sessionID: "s" }, { message: {}, parts });
  return parts[0].text;
};
assert.equal(await say("hello"), "hello");
assert.equal(await say("SAY-note"), "SAY-note\n\none\n\ntwo");
await assert.rejects(say("SAY-deny"), { message: "no" });
// What fails keeps nobody from talking, and is told.
for (const [what, why] of [["crash", "exit code 3"], ["empty", "not JSON"]]) {
  assert.match(await say(`SAY-${what}`), new RegExp(`^SAY-${what}\n\nbehavior could not decide.*${why}`));
}
await hooks.event({ event: { type: "session.created", properties: { info: { id: "s" } } } });
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s" } } });
await hooks.event({ event: { type: "message.updated", properties: { info: { id: "m" } } } });
await hooks["experimental.text.complete"]({ sessionID: "s" }, { text: "I look." });

// An agent that is not let stop goes on with a message that no user says.
const sent = [];
const client = { session: { promptAsync: async (message) => void sent.push(message) } };
const kept = await module.Behavior({ directory: process.cwd(), client });
const idle = { event: { type: "session.idle", properties: { sessionID: "SAY-deny" } } };
await kept.event(idle);
assert.deepEqual(sent, [
  { path: { id: "SAY-deny" }, body: { parts: [{ type: "text", text: "no", synthetic: true }] } },
]);
await kept.event(idle);
assert.equal(sent.length, 2);
const marks = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
assert.deepEqual(marks.slice(-2).map((one) => one.stopped_before), [undefined, true]);

// What it said last is told again when it stops, unless it has called something since.
const ends = { event: { type: "session.idle", properties: { sessionID: "t" } } };
await kept["experimental.text.complete"]({ sessionID: "t" }, { text: "Done." });
await kept.event(ends);
await kept["tool.execute.before"]({ tool: "bash", sessionID: "t", callID: "c" }, { args: { command: "ls" } });
await kept.event(ends);
const ended = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const stops = ended.filter(({ hook, session }) => hook === "session.idle" && session === "t");
assert.deepEqual(stops.map(({ output }) => output?.text), ["Done.", undefined]);

const unable = await (await import(broken)).Behavior({ directory: process.cwd() });
await assert.rejects(before("ls", unable), /could not be run/);
const said = [{ type: "text", text: "help" }];
await unable.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
await unable["chat.message"]({ sessionID: "s" }, { message: {}, parts: said });
assert.match(said[0].text, /^help\n\n[^\n]*could not be run[^\n]*doctor[^\n]*$/);

const told = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
assert.deepEqual(told[0], {
  hook: "tool.execute.before",
  session: "s",
  cwd: process.cwd(),
  input: { tool: "bash", sessionID: "s", callID: "c" },
  output: { args: { command: "ls" } },
});
const last = told.filter(({ session }) => session === "s").slice(-4).map(({ hook, session }) => `${hook} ${session}`);
const before_text = ["session.created s", "session.idle s", "session.compacted s"];
assert.deepEqual(last, [...before_text, "experimental.text.complete s"]);
