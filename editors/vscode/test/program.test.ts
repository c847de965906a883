import assert from "node:assert/strict";
import { test } from "node:test";

import { findProgram, type Search } from "../src/program.ts";

function search(changes: Partial<Search> & { programs: string[] }): Search {
  const { programs, ...rest } = changes;
  return {
    setting: "",
    folders: ["/home/dev/project"],
    isTrusted: true,
    environment: { PATH: "/usr/bin:/home/me/bin" },
    home: "/home/me",
    isWindows: false,
    isProgram: (file) => programs.includes(file),
    ...rest,
  };
}

function program(changes: Partial<Search> & { programs: string[] }): string | undefined {
  const found = findProgram(search(changes));
  return "program" in found ? found.program : undefined;
}

test("the first program on the path is taken", () => {
  assert.equal(program({ programs: ["/home/me/bin/behavior"] }), "/home/me/bin/behavior");
  assert.equal(program({ programs: ["/usr/bin/behavior", "/home/me/bin/behavior"] }), "/usr/bin/behavior");
});

test("a setting goes first, and its problem is told instead of looking elsewhere", () => {
  const programs = ["/opt/behavior", "/usr/bin/behavior"];
  assert.equal(program({ setting: "/opt/behavior", programs }), "/opt/behavior");
  assert.deepEqual(findProgram(search({ setting: "/opt/gone", programs })), {
    problem: "`behavior.path` names `/opt/gone`, which is no program",
  });
});

test("a setting may start from home or the workspace", () => {
  assert.equal(program({ setting: "~/bin/b", programs: ["/home/me/bin/b"] }), "/home/me/bin/b");
  const programs = ["/home/dev/project/target/debug/behavior"];
  assert.equal(program({ setting: "${workspaceFolder}/target/debug/behavior", programs }), programs[0]);
  assert.equal(program({ setting: "target/debug/behavior", programs }), programs[0]);
  assert.equal(program({ setting: "target/debug/behavior", folders: [], programs }), undefined);
});

test("folders that depend on what is open are not looked at", () => {
  const environment = { PATH: ".:bin::/usr/bin" };
  assert.equal(program({ environment, programs: ["behavior", "bin/behavior", "./behavior"] }), undefined);
});

test("nothing of an untrusted workspace is run", () => {
  const inside = ["/home/dev/project/bin/behavior"];
  const environment = { PATH: "/home/dev/project/bin:/usr/bin" };
  assert.equal(program({ environment, programs: inside }), inside[0]);
  assert.equal(program({ environment, programs: inside, isTrusted: false }), undefined);
  assert.equal(program({ setting: "/home/dev/project/bin/behavior", programs: inside, isTrusted: false }), undefined);
  assert.equal(program({ setting: "bin/behavior", programs: inside, isTrusted: false }), undefined);
  const besides = ["/home/dev/project-too/behavior"];
  assert.equal(program({ setting: besides[0] ?? "", programs: besides, isTrusted: false }), besides[0]);
});

test("Windows has its own separators, endings and spelling of the path", () => {
  const windows = { isWindows: true, folders: ["C:\\project"], environment: { Path: "C:\\tools;D:\\bin" } };
  assert.equal(program({ ...windows, programs: ["D:\\bin\\behavior.exe"] }), "D:\\bin\\behavior.exe");
  const inside = ["C:\\project\\behavior.exe"];
  assert.equal(program({ ...windows, setting: "C:\\project\\behavior", programs: inside, isTrusted: false }), undefined);
});
