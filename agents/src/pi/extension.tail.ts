
// Of its last message so much is told again, from its end, when the agent wants to stop.
const MOST_SAID = 64 * 1024;

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
    if (answer.verdict !== "allow" && !pending.includes(answer.reason)) pending.push(answer.reason);
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
    if (answer.failed) {
      // Where the hook fails, the user can still say what is to be done about it.
      show(answer.reason, ctx);
      return { action: "continue" };
    }
    if (answer.verdict !== "allow") {
      show(answer.reason, ctx);
      return { action: "handled" };
    }
    pending.push(...answer.context);
    return { action: "continue" };
  });

  // A shell line that the user types is nothing to decide on.
  pi.on("user_bash", async (event, ctx) => {
    const { command, excludeFromContext } = event;
    afterwards(await tell("user_bash", { command, excludeFromContext }, ctx));
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
    if (answer.verdict !== "ask") {
      if (answer.user) show(answer.user, ctx);
      return { block: true, reason: answer.reason };
    }
    const reason = answer.reason.replaceAll("[BEHAVIOR ASK]", "[BEHAVIOR BLOCKED]");
    return { block: true, reason: `${reason}\n\nThe user was asked and did not agree.` };
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
    const said = Array.isArray(last?.content) ? last.content.filter((block) => block.type === "text") : [];
    const text = said.map((block) => block.text).join("\n").slice(-MOST_SAID);
    const answer = await tell("agent_end", { text }, ctx);
    if (answer.failed) return show(answer.reason, ctx);
    if (answer.user) show(answer.user, ctx);
    if (answer.verdict !== "deny") return afterwards(answer);
    if (isEnding) return show(answer.reason, ctx); // `pi -p` cannot be made to go on
    keptGoing = true;
    sent = [answer.reason, ...answer.context].join("\n\n");
    pi.sendUserMessage(sent, { deliverAs: "followUp" });
  });

  pi.on("session_compact", async (event, ctx) => {
    afterwards(await tell("session_compact", {}, ctx));
  });

  pi.on("session_shutdown", async (event, ctx) => {
    isEnding = true;
    await toldAll();
    if (event.reason !== "reload") await tell("session_shutdown", {}, ctx);
  });
}
