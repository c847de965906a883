// Asks `behavior` about every tool call of OpenCode and tells it what happened.
// Written by `behavior init`; put it into .opencode/plugins/. Whatever goes wrong blocks the call.
import { spawn } from "node:child_process";

const COMMAND = ["behavior", "hook", "opencode"];
const TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const VERDICTS = ["allow", "deny"];

// Runs the command. Resolves to its answer, or to a denial that says what went wrong.
function ask(payload) {
  return new Promise((resolve) => {
    const fail = (what) => {
      const reason =
        `behavior could not decide, so nothing is allowed: ${what} ` +
        `(command: ${COMMAND.join(" ")}; \`behavior doctor\` looks into it)`;
      resolve({ verdict: "deny", reason, context: [], failed: true });
    };
    let child;
    let text;
    try {
      text = JSON.stringify(payload);
      child = spawn(COMMAND[0], COMMAND.slice(1), {
        cwd: payload.cwd,
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
      });
    } catch (error) {
      return fail(`it could not be run: ${error.message}`);
    }
    const chunks = [];
    let length = 0;
    let complaint = "";
    const timer = setTimeout(() => {
      fail(`no answer within ${TIMEOUT_MS / 1000} seconds`);
      child.kill("SIGKILL");
    }, TIMEOUT_MS);
    child.on("error", (error) => {
      clearTimeout(timer);
      fail(`it could not be run: ${error.message}`);
    });
    child.stdin.on("error", () => {}); // its exit code tells
    child.stdout.on("data", (chunk) => {
      length += chunk.length;
      if (length <= MOST_OUTPUT) chunks.push(chunk);
    });
    child.stderr.on("data", (chunk) => {
      if (complaint.length < 4096) complaint += chunk;
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code !== 0) return fail(`it ended with ${signal ?? `exit code ${code}`}: ${complaint.trim()}`);
      let answer;
      try {
        answer = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      } catch {
        return fail("its answer is not JSON");
      }
      if (!VERDICTS.includes(answer?.verdict)) return fail("its answer has no verdict");
      const context = Array.isArray(answer.context) ? answer.context.map(String) : [];
      resolve({ verdict: answer.verdict, reason: String(answer.reason ?? ""), context });
    });
    child.stdin.end(text);
  });
}

export const Behavior = async ({ directory }) => {
  // What each session is still to be told: OpenCode has no place for it before a tool runs.
  const pending = new Map();
  const keep = (session, texts) => {
    if (texts.length > 0) pending.set(session, [...(pending.get(session) ?? []), ...texts]);
  };
  const take = (session) => {
    const texts = pending.get(session) ?? [];
    pending.delete(session);
    return texts.join("\n\n");
  };
  const tell = (hook, session, input, output) =>
    ask({ hook, session, cwd: directory, input, output });
  // What an answer says where nothing can be refused any more.
  const afterwards = (session, answer) => {
    if (answer.verdict === "deny") keep(session, [answer.reason]);
    keep(session, answer.context);
  };

  return {
    "tool.execute.before": async (input, output) => {
      const answer = await tell("tool.execute.before", input.sessionID, input, output);
      keep(input.sessionID, answer.context);
      if (answer.verdict !== "allow") throw new Error(answer.reason);
    },

    "tool.execute.after": async (input, output) => {
      const session = input.sessionID;
      afterwards(session, await tell("tool.execute.after", session, input, output));
      if (typeof output?.output === "string") {
        const text = take(session);
        if (text) output.output += `\n\n${text}`;
      } else if (Array.isArray(output?.content)) {
        const text = take(session);
        if (text) output.content.push({ type: "text", text });
      }
    },

    "chat.message": async (input, output) => {
      const session = input.sessionID;
      const answer = await tell("chat.message", session, input, output);
      if (answer.verdict !== "allow") throw new Error(answer.reason);
      keep(session, answer.context);
      const part = output?.parts?.findLast?.((part) => part.type === "text");
      if (!part) return;
      const text = take(session);
      if (text) part.text += `\n\n${text}`;
    },

    "experimental.text.complete": async (input, output) => {
      const session = input.sessionID;
      const answer = await tell("experimental.text.complete", session, input, output);
      afterwards(session, answer);
    },

    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (!session) return;
      if (event.type === "session.created" || event.type === "session.idle") {
        afterwards(session, await tell(event.type, session));
      } else if (event.type === "session.deleted") {
        await tell(event.type, session);
        pending.delete(session);
      }
    },
  };
};
