"""The model that rules ask, played by a script on 127.0.0.1: it classifies each turn alike, flags the first answer that
it is asked to verify, and passes the others. Standard library only."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIRECTIVE = "Look at the sign before anything else."
FLAG = "nothing in the calls shows the parser"
CLASSIFIED = {"complexity": "complex", "approach": "plan_first", "risk": "low", "directives": [DIRECTIVE]}


class Brain:
    """Listens until it is closed, and keeps what it was asked."""

    def __init__(self):
        self.classified = 0
        self.verified = 0
        brain = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                length = int(self.headers.get("content-length") or 0)
                message = {"role": "assistant", "content": brain.answer(self.rfile.read(length).decode())}
                reply = {"id": "b", "object": "chat.completion", "created": 0, "model": "small"}
                reply["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
                reply["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                body = json.dumps(reply).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request):
        if "complexity" in request:
            self.classified += 1
            return json.dumps(CLASSIFIED)
        self.verified += 1
        return json.dumps({"ok": False, "reason": FLAG} if self.verified == 1 else {"ok": True})

    def close(self):
        self.server.shutdown()
        self.server.server_close()
