
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
      resolve({
        verdict: answer.verdict,
        reason: String(answer.reason ?? ""),
        context,
        user: String(answer.user ?? ""),
      });
    });
    child.stdin.end(text);
  });
}
