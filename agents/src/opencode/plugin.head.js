// Asks `behavior` about every tool call of OpenCode and tells it what happened.
// Written by `behavior init`; put it into .opencode/plugins/. Whatever goes wrong blocks the call.
import { spawn } from "node:child_process";

const COMMAND = ["behavior", "hook", "opencode"];
const TIMEOUT_MS = 10_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const VERDICTS = ["allow", "deny"];
