
// Of its last message so much is told again, from its end, when the agent wants to stop.
const MOST_SAID = 64 * 1024;

export const Behavior = async ({ directory, client }) => {
  // What each session is still to be told: OpenCode has no place for it before a tool runs.
  const pending = new Map();
  const keep = (session, texts) => {
    const known = pending.get(session) ?? [];
    const fresh = texts.filter((text) => !known.includes(text));
    if (fresh.length > 0) pending.set(session, [...known, ...fresh]);
  };
  const take = (session) => {
    const texts = pending.get(session) ?? [];
    pending.delete(session);
    return texts.join("\n\n");
  };
  // The sessions whose agent goes on since it was not let stop.
  const keptGoing = new Set();
  const tell = (hook, session, input, output) =>
    ask({
      hook,
      session,
      cwd: directory,
      stopped_before: keptGoing.has(session) || undefined,
      input,
      output,
    });
  // What the agent of each session said last, if it has called nothing since: OpenCode does not tell it again when the
  // agent stops.
  const said = new Map();
  // What a call was stopped for, on the screen: OpenCode shows only that it was.
  const show = (text) => {
    const toast = { title: "behavior", message: text, variant: "warning" };
    client?.tui?.showToast?.({ body: toast })?.catch?.(() => {});
  };
  // Makes the agent of a session go on. The message is marked as put there, since no user says it.
  const goOn = (session, answer) => {
    const send = client?.session?.promptAsync ?? client?.session?.prompt;
    const text = [answer.reason, ...answer.context].join("\n\n");
    if (!send) return keep(session, [text]);
    keptGoing.add(session);
    const body = { parts: [{ type: "text", text, synthetic: true }] };
    // Not waited for: OpenCode itself waits for what it tells here.
    Promise.resolve(send.call(client.session, { path: { id: session }, body })).catch(() =>
      keep(session, [text]),
    );
  };
  // What an answer says where nothing can be refused any more.
  const afterwards = (session, answer) => {
    if (answer.verdict === "deny") keep(session, [answer.reason]);
    keep(session, answer.context);
  };

  return {
    "tool.execute.before": async (input, output) => {
      said.delete(input.sessionID);
      const answer = await tell("tool.execute.before", input.sessionID, input, output);
      keep(input.sessionID, answer.context);
      if (answer.verdict === "allow") return;
      if (answer.user) show(answer.user);
      throw new Error(answer.reason);
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
      if (!output?.parts?.every?.((part) => part.synthetic)) keptGoing.delete(session);
      said.delete(session);
      const answer = await tell("chat.message", session, input, output);
      // Where the hook fails, the user can still say what is to be done about it.
      if (answer.failed) keep(session, [answer.reason]);
      else if (answer.verdict !== "allow") throw new Error(answer.reason);
      keep(session, answer.context);
      const part = output?.parts?.findLast?.((part) => part.type === "text");
      if (!part) return;
      const text = take(session);
      if (text) part.text += `\n\n${text}`;
    },

    "experimental.text.complete": async (input, output) => {
      const session = input.sessionID;
      said.set(session, String(output?.text ?? "").slice(-MOST_SAID));
      const answer = await tell("experimental.text.complete", session, input, output);
      afterwards(session, answer);
    },

    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (!session) return;
      if (event.type === "session.idle") {
        const answer = await tell(event.type, session, undefined, { text: said.get(session) });
        if (answer.user) show(answer.user);
        if (answer.verdict === "deny" && !answer.failed) goOn(session, answer);
        else afterwards(session, answer);
      } else if (["session.created", "session.compacted"].includes(event.type)) {
        afterwards(session, await tell(event.type, session));
      } else if (event.type === "session.deleted") {
        await tell(event.type, session);
        pending.delete(session);
        said.delete(session);
      }
    },
  };
};
