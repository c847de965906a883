// Asks `behavior` about every tool call of pi and tells it what happened.
// Written by `behavior init`; put it into .pi/extensions/. Whatever goes wrong blocks the call.
import { spawn } from "node:child_process";

const COMMAND = ["behavior", "hook", "pi"];
const TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const VERDICTS = ["allow", "ask", "deny"];

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

export default function behavior(pi) {
  // What the agent is still to be told: pi has no place for it before a tool runs.
  let pending = [];
  // The message with which the agent was last kept going, and whether it goes on because of it.
  let sent;
  let keptGoing = false;
  // What is told, one after the other. pi does not wait for what it tells of its own accord, so that
  // its end may come while the last words are still on their way.
  let telling = Promise.resolve();
  let isEnding = false;

  const take = () => {
    const text = pending.join("\n\n");
    pending = [];
    return text;
  };
  const tell = (hook, event, ctx) => {
    // `ctx` is read at once: pi takes it away when the session is over.
    const payload = {
      hook,
      session:
        ctx.sessionManager?.getSessionId?.() ??
        ctx.sessionManager?.getSessionFile?.() ??
        `pi-${process.pid}`,
      cwd: ctx.cwd,
      headless: !ctx.hasUI,
      stopped_before: keptGoing,
      event,
    };
    const answer = telling.then(() => ask(payload));
    telling = answer;
    return answer;
  };
  // Waits until nothing is told any more, with what pi tells once that has been told.
  const toldAll = async () => {
    for (let seen; seen !== telling; await new Promise((next) => setImmediate(next))) {
      seen = telling;
      await seen;
    }
  };
  // What an answer says where nothing can be refused any more.
  const afterwards = (answer) => {
    if (answer.verdict !== "allow") pending.push(answer.reason);
    pending.push(...answer.context);
  };
  const show = (text, ctx) => {
    if (ctx.hasUI) ctx.ui.notify(text, "error");
    else console.error(text);
  };

  pi.on("session_start", async (event, ctx) => {
    afterwards(await tell("session_start", event, ctx));
  });

  pi.on("input", async (event, ctx) => {
    if (event.source === "extension" && event.text === sent) {
      sent = undefined; // our own: the agent goes on with the turn it was in
      return { action: "continue" };
    }
    keptGoing = false;
    const answer = await tell("input", { text: event.text, source: event.source }, ctx);
    if (answer.verdict !== "allow") {
      show(answer.reason, ctx);
      return { action: "handled" };
    }
    pending.push(...answer.context);
    return { action: "continue" };
  });

  pi.on("before_agent_start", async () => {
    const content = take();
    if (content) return { message: { customType: "behavior", content, display: true } };
  });

  pi.on("message_end", async (event, ctx) => {
    if (event.message?.role !== "assistant") return;
    const { role, content } = event.message;
    if (!Array.isArray(content) || !content.some((block) => block.type === "text")) return;
    afterwards(await tell("message_end", { message: { role, content } }, ctx));
  });

  pi.on("tool_call", async (event, ctx) => {
    const { toolName, toolCallId, input } = event;
    const answer = await tell("tool_call", { toolName, toolCallId, input }, ctx);
    pending.push(...answer.context);
    if (answer.verdict === "allow") return;
    if (answer.verdict === "ask" && ctx.hasUI && (await ctx.ui.confirm("behavior", answer.reason))) return;
    if (answer.verdict !== "ask") return { block: true, reason: answer.reason };
    const reason = answer.reason.replaceAll("[BEHAVIOR ASKS]", "[BEHAVIOR BLOCKED]");
    return { block: true, reason: `${reason}\n\nthe user was asked and did not agree` };
  });

  pi.on("tool_result", async (event, ctx) => {
    const { toolName, toolCallId, input, content, isError } = event;
    afterwards(await tell("tool_result", { toolName, toolCallId, input, content, isError }, ctx));
    const text = take();
    if (text) return { content: [...(content ?? []), { type: "text", text }] };
  });

  pi.on("agent_end", async (event, ctx) => {
    const last = event.messages?.findLast?.((message) => message.role === "assistant");
    // Nobody keeps an agent going that its user has stopped.
    if (last?.stopReason === "aborted" || last?.stopReason === "error") return;
    const answer = await tell("agent_end", {}, ctx);
    if (answer.failed) return show(answer.reason, ctx);
    if (answer.verdict !== "deny") return afterwards(answer);
    if (isEnding) return show(answer.reason, ctx); // `pi -p` cannot be made to go on
    keptGoing = true;
    sent = [answer.reason, ...answer.context].join("\n\n");
    pi.sendUserMessage(sent, { deliverAs: "followUp" });
  });

  pi.on("session_shutdown", async (event, ctx) => {
    isEnding = true;
    await toldAll();
    if (event.reason !== "reload") await tell("session_shutdown", {}, ctx);
  });
}
