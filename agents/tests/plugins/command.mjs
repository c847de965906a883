// Stands in for `behavior hook`: notes what it is given, and answers as the text in it says.
import { appendFileSync } from "node:fs";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const text = Buffer.concat(chunks).toString("utf8");
appendFileSync(process.argv[2], `${text}\n`);
const said = /SAY-([a-z]+)/.exec(text)?.[1];
const answers = {
  deny: '{"verdict":"deny","reason":"no"}',
  ask: '{"verdict":"ask","reason":"sure?"}',
  note: '{"verdict":"allow","context":["one","two"]}',
  garbage: "log line\n{}",
  empty: "",
  other: '{"verdict":"maybe"}',
};
if (said === "hang") setTimeout(() => {}, 60_000);
else if (said === "crash") {
  console.error("it broke");
  process.exitCode = 3;
} else process.stdout.write(answers[said] ?? '{"verdict":"allow"}');
