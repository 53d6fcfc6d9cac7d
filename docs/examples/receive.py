"""A receiver of webhooks that believes only what is signed: SECRET=whsec_… HOOK_PORT=4100 python3 docs/examples/receive.py"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

WINDOW_S = 300  # how old or how far ahead a message may be
LARGEST = 1_000_000  # bytes
KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
seen = set()  # in production a unique index of your database


def is_signed(headers, body):
    message_id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) > WINDOW_S:
        return False
    signed = f"{message_id}.{at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    # Several while a secret is being replaced; one that fits is enough.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(min(length, LARGEST))  # the bytes as they came
        if not is_signed(self.headers, body):
            self.answer(401)
            print("refused", flush=True)
            return
        message = json.loads(body)
        is_new = message["id"] not in seen
        seen.add(message["id"])  # kept first, then answered, then worked on
        self.answer(204)
        if is_new:
            print(message["type"], message["data"].get("email", ""), flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("HOOK_PORT", "4100"))), Receiver)
print("listening", flush=True)
server.serve_forever()
