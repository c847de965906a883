// A host for the pi extension that checks what the extension does with each answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const [, , extension, broken, log] = process.argv;

async function load(path) {
  const handlers = {};
  const sent = [];
  const { default: start } = await import(path);
  start({
    on: (name, handler) => (handlers[name] = handler),
    sendUserMessage: (text, options) => sent.push({ text, options }),
  });
  return { handlers, sent };
}

const shown = [];
const asked = [];
const context = (answer) => ({
  cwd: process.cwd(),
  hasUI: answer !== undefined,
  ui: {
    notify: (text) => shown.push(text),
    confirm: async (title, text) => (asked.push(text), answer),
  },
  sessionManager: { getSessionId: () => "s" },
});

const { handlers, sent } = await load(extension);
const call = (command, answer, of = handlers) =>
  of.tool_call({ toolName: "bash", toolCallId: "c", input: { command } }, context(answer));
const result = (command) =>
  handlers.tool_result(
    { toolName: "bash", toolCallId: "c", input: { command }, content: [], isError: false },
    context(),
  );
const reason = async (command, answer) => {
  const outcome = await call(command, answer);
  assert.equal(outcome.block, true);
  return outcome.reason;
};

assert.equal(await call("ls"), undefined);
assert.equal(await reason("SAY-deny"), "no");
assert.equal(await call("SAY-ask", true), undefined);
assert.match(await reason("SAY-ask", false), /^sure\?\n\nThe user was asked/);
assert.match(await reason("SAY-ask"), /^sure\?/);
assert.deepEqual(asked, ["sure?", "sure?"]);
assert.match(await reason("SAY-garbage"), /not JSON/);
assert.match(await reason("SAY-empty"), /not JSON/);
assert.match(await reason("SAY-other"), /no verdict/);
assert.match(await reason("SAY-crash"), /exit code 3: it broke/);
assert.match(await reason("SAY-hang"), /no answer within/);

await call("SAY-note");
assert.deepEqual(await result("ls"), { content: [{ type: "text", text: "one\n\ntwo" }] });
assert.equal(await result("ls"), undefined);

const input = (text, source = "interactive") =>
  handlers.input({ text, source, images: [] }, context(true));
assert.deepEqual(await input("hello"), { action: "continue" });
assert.deepEqual(await input("SAY-deny"), { action: "handled" });
assert.deepEqual(shown, ["no"]);
// What fails keeps nobody from talking, and is shown.
assert.deepEqual(await input("SAY-crash"), { action: "continue" });
assert.match(shown.pop(), /exit code 3: it broke/);
await input("SAY-note");
const message = { customType: "behavior", content: "one\n\ntwo", display: true };
assert.deepEqual(await handlers.before_agent_start({}, context()), { message });
assert.equal(await handlers.before_agent_start({}, context()), undefined);

const role = "assistant";
await handlers.message_end({ message: { role, content: [{ type: "text", text: "hi" }] } }, context());
await handlers.message_end({ message: { role, content: [{ type: "toolCall" }] } }, context());
await handlers.message_end({ message: { role: "user", content: [] } }, context());

const stop = (stopReason) => handlers.agent_end({ messages: [{ role, stopReason }] }, context());
await stop("stop");
await stop("aborted");
assert.deepEqual(sent, []);
await handlers.session_start({ type: "session_start", reason: "startup" }, context());
await handlers.session_compact({ type: "session_compact", fromExtension: false }, context());
await handlers.session_shutdown({ reason: "reload" }, context());

// `pi -p` ends while the last words are still told, and tells of the agent's end after them; what it
// gave its handlers is of no use once the end has been told.
const ending = await load(extension);
let isOver = false;
const fleeting = () => {
  if (isOver) throw new Error("the session is over");
  return "s";
};
const brief = { ...context(), sessionManager: { getSessionId: fleeting } };
const words = { message: { role, content: [{ type: "text", text: "bye" }] } };
const last_words = ending.handlers
  .message_end(words, brief)
  .then(() => ending.handlers.agent_end({ messages: [{ ...words.message, stopReason: "stop" }] }, brief));
await ending.handlers.session_shutdown({ reason: "quit" }, brief);
isOver = true;
await last_words;
assert.deepEqual(ending.sent, []);

const unable = await load(broken);
const outcome = await call("ls", undefined, unable.handlers);
assert.match(outcome.reason, /could not be run/);
assert.equal(outcome.block, true);
const help = { text: "help", source: "interactive", images: [] };
assert.deepEqual(await unable.handlers.input(help, context(true)), { action: "continue" });

const told = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line));
assert.deepEqual(told[0], {
  hook: "tool_call",
  session: "s",
  cwd: process.cwd(),
  headless: true,
  stopped_before: false,
  event: { toolName: "bash", toolCallId: "c", input: { command: "ls" } },
});
// What it said last is told again when it wants to stop.
assert.deepEqual(told.at(-2).event, { text: "bye" });
const last = told.slice(-7).map(({ hook }) => hook);
const before = ["message_end", "agent_end", "session_start", "session_compact"];
assert.deepEqual(last, [...before, "message_end", "agent_end", "session_shutdown"]);
