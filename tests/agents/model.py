"""A model that says what a script tells it to, on 127.0.0.1, in the protocols that agents speak.

Each step of the script is a shell command, for which the model asks the agent's own shell tool, a call of
another tool, or a text, which ends a turn. Which step it is follows from the request alone: a step has been
taken if its answer is in the conversation. What came in is kept, so that a test can look for what the agent
was told. Standard library only; nothing but the loopback interface is listened to.
"""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Tools that run a shell command, with the parameter that takes it.
SHELLS = {
    "run_shell_command": "command",
    "exec_command": "cmd",
    "shell_command": "command",
    "shell": "command",
    "bash": "command",
    "Bash": "command",
}
LARGEST_REQUEST = 64 << 20


class Model:
    """Listens until it is closed. `steps` are taken one after the other, each a command for a shell, or the end of
    a tool's name and its arguments; then it says what `ends` holds, one text each time that it is made to go on,
    and the last one ever after. It takes `pause` seconds for each answer."""

    def __init__(self, steps, ends, pause=0):
        self.steps = steps
        self.pause = pause
        self.ends = ends
        self.times_ended = 0
        self.requests = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply("application/json", '{"data": [], "models": [], "object": "list"}')

            def do_POST(self):
                length = min(int(self.headers.get("content-length") or 0), LARGEST_REQUEST)
                try:
                    request = json.loads(self.rfile.read(length) or b"{}")
                except ValueError:
                    request = {}
                self.reply(*model.answer(self.path, request))

            def reply(self, kind, text):
                body = text.encode()
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path, request):
        self.requests.append((path, request))
        time.sleep(self.pause)
        path = path.split("?")[0].rstrip("/")
        if path.lower().endswith("generatecontent"):
            return gemini(self, path, request)
        if path.endswith("/responses"):
            return responses(self, request)
        if path.endswith("/messages"):
            return messages(self, request)
        if path.endswith("/chat/completions"):
            return chat(self, request)
        return "application/json", "{}"

    def step(self, results, tools):
        """The next tool and its arguments after so many results; none when the script is at its end
        or the agent offers no shell, as when it only wants a title."""
        shell = next((name for name in SHELLS if name in tools), None)
        if shell is None:
            return None
        if results >= len(self.steps):
            self.times_ended += 1
            return None
        step = self.steps[results]
        if isinstance(step, str):
            return shell, {SHELLS[shell]: step, "description": "a step of the script"}
        ending, arguments = step
        return next((name for name in tools if name and name.endswith(ending)), ending), arguments

    @property
    def last(self):
        """What ends a turn, after [`step`]."""
        return self.ends[min(max(self.times_ended, 1), len(self.ends)) - 1]

    def was_told(self, text, before=None):
        """Whether the agent passed a text on to the model; `before`: in one of the first so many requests in which
        it offered a shell."""
        def holds(value):
            if isinstance(value, str):
                return text in value
            if isinstance(value, dict):
                return any(map(holds, value.values()))
            return isinstance(value, list) and any(map(holds, value))

        requests = [request for _, request in self.requests]
        if before is not None:
            requests = [request for request in requests if self.offers_shell(request)][:before]
        return any(map(holds, requests))

    @staticmethod
    def offers_shell(request):
        text = json.dumps(request.get("tools") or [])
        return any(f'"name": "{name}"' in text for name in SHELLS)


def events(pairs):
    """Server-sent events; a name of `None` stands for an event without one."""
    lines = []
    for name, data in pairs:
        if name is not None:
            lines.append(f"event: {name}\n")
        data = data if isinstance(data, str) else json.dumps(data)
        lines.append(f"data: {data}\n\n")
    return "text/event-stream", "".join(lines)


def gemini(model, path, request):
    parts = [part for content in request.get("contents") or [] for part in content.get("parts") or []]
    results = sum("functionResponse" in part for part in parts)
    declared = [
        function.get("name")
        for tool in request.get("tools") or []
        for function in tool.get("functionDeclarations") or []
    ]
    step = model.step(results, declared)
    part = {"text": model.last}
    if step:
        part = {"functionCall": {"name": step[0], "args": step[1]}}
    reply = {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "scripted",
    }
    if "streamGenerateContent" in path:
        return events([(None, reply)])
    return "application/json", json.dumps(reply)


def responses(model, request):
    items = request.get("input")
    items = items if isinstance(items, list) else []
    results = sum(str(item.get("type")).endswith("_call_output") for item in items)
    # The tools of a server have a namespace of their own.
    spaces = {}
    for tool in request.get("tools") or []:
        inner = tool.get("tools") if tool.get("type") == "namespace" else None
        spaces |= {one.get("name"): tool.get("name") for one in inner} if inner else {tool.get("name"): None}
    step = model.step(results, list(spaces))
    if step:
        item = {
            "type": "function_call", "id": f"fc_{results}", "call_id": f"call_{results}",
            "name": step[0], "arguments": json.dumps(step[1]),
        }
        if spaces.get(step[0]):
            item["namespace"] = spaces[step[0]]
    else:
        item = {
            "type": "message", "id": f"msg_{results}", "role": "assistant",
            "content": [{"type": "output_text", "text": model.last, "annotations": []}],
        }
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": f"resp_{len(model.requests)}", "object": "response", "output": [], "usage": usage}
    return events([
        ("response.created", {"type": "response.created", "response": response}),
        ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
        ("response.completed", {"type": "response.completed", "response": {**response, "output": [item]}}),
    ])


def chat(model, request):
    results = sum(message.get("role") == "tool" for message in request.get("messages") or [])
    step = model.step(results, [tool["function"].get("name") for tool in request.get("tools") or []])
    delta, reason = {"role": "assistant", "content": model.last}, "stop"
    if step:
        function = {"name": step[0], "arguments": json.dumps(step[1])}
        call = {"index": 0, "id": f"call_{results}", "type": "function", "function": function}
        delta, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    reply = {"id": "chat", "created": 0, "model": request.get("model") or "scripted"}
    if not request.get("stream"):
        choice = {"index": 0, "message": delta, "finish_reason": reason}
        reply |= {"object": "chat.completion", "choices": [choice], "usage": usage}
        return "application/json", json.dumps(reply)
    reply["object"] = "chat.completion.chunk"
    return events([
        (None, {**reply, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
        (None, {**reply, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage}),
        (None, "[DONE]"),
    ])


def messages(model, request):
    blocks = [
        block
        for message in request.get("messages") or []
        for block in (message.get("content") if isinstance(message.get("content"), list) else [])
    ]
    results = sum(block.get("type") == "tool_result" for block in blocks)
    step = model.step(results, [tool.get("name") for tool in request.get("tools") or []])
    block, delta, reason = {"type": "text", "text": ""}, {"type": "text_delta", "text": model.last}, "end_turn"
    whole = {"type": "text", "text": model.last}
    if step:
        whole = {"type": "tool_use", "id": f"toolu_{results}", "name": step[0], "input": step[1]}
        block, reason = {**whole, "input": {}}, "tool_use"
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
    usage = {"input_tokens": 1, "output_tokens": 1}
    reply = {
        "id": f"msg_{len(model.requests)}", "type": "message", "role": "assistant",
        "model": request.get("model") or "scripted", "stop_sequence": None, "usage": usage,
    }
    if not request.get("stream"):
        return "application/json", json.dumps({**reply, "content": [whole], "stop_reason": reason})
    return events([
        ("message_start", {"type": "message_start", "message": {**reply, "content": [], "stop_reason": None}}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        ("message_delta", {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}),
        ("message_stop", {"type": "message_stop"}),
    ])
