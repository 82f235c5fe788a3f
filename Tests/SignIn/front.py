"""Stands where a FHIR server would, in front of a real identity server.

It serves the SMART configuration, passes on requests to the token, revocation and device endpoints, records all of
them, and changes one thing where a test says so.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import requests


class Front:
    """`with Front(rig) as front`: `front.server` is the FHIR base."""

    def __init__(self, rig):
        self.rig = rig
        metadata = rig.discovery
        self.targets = {
            "token": metadata["token_endpoint"],
            "revoke": metadata.get("revocation_endpoint") or f"{rig.issuer}/revoke_token/",
            "device": rig.device_endpoint,
            "elsewhere": None,
        }
        self.listener = Listener(("127.0.0.1", 0), type("Handler", (self.handler(),), {"front": self}))
        self.origin = f"http://127.0.0.1:{self.listener.server_address[1]}"
        self.server = f"{self.origin}/fhir"
        self.metadata = metadata
        self.reset()

    def handler(self):
        """The handler class; a subclass that does more can replace it."""
        return Handler

    def reset(self):
        """Removes every change, and forgets what was sent."""
        self.exchanges = []
        # By endpoint: a function of the form whose (status, headers, body) is sent instead of the server's answer.
        self.instead = {}
        self.smart = {
            "issuer": self.rig.issuer,
            "jwks_uri": self.metadata["jwks_uri"],
            "authorization_endpoint": self.metadata["authorization_endpoint"],
            "token_endpoint": f"{self.origin}/token",
            "revocation_endpoint": f"{self.origin}/revoke",
            "device_authorization_endpoint": f"{self.origin}/device",
            "code_challenge_methods_supported": ["S256"],
            "capabilities": ["launch-standalone", "client-public", "permission-v2"],
        }

    def __enter__(self):
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown()
        self.listener.server_close()

    def forms(self, endpoint, **fields):
        """What was posted to an endpoint with these fields."""
        forms = [exchange["form"] for exchange in self.exchanges if exchange["endpoint"] == endpoint]
        return [form for form in forms if fields.items() <= form.items()]

    def tokens(self):
        """What the real server answered at the token endpoint, the latest last."""
        given = [exchange for exchange in self.exchanges if exchange["endpoint"] == "token" and exchange["is_real"]]
        return [json.loads(exchange["body"]) for exchange in given if exchange["status"] == 200]

    def secrets(self):
        """Everything that passed by and must not be readable anywhere."""
        secrets = set()
        for token in self.tokens():
            secrets |= {token[name] for name in ["access_token", "refresh_token", "id_token"] if name in token}
        for exchange in self.exchanges:
            for name in ["code", "code_verifier", "refresh_token", "token", "device_code"]:
                secrets |= {exchange["form"][name]} if name in exchange["form"] else set()
        return secrets


class Listener(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that gives up, as after a slow or endless answer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/fhir/.well-known/smart-configuration":
            self.answer(200, {"Content-Type": "application/json"}, json.dumps(self.front.smart).encode())
        elif self.path == "/issuer/.well-known/openid-configuration":
            # The real document under another address.
            self.answer(200, {"Content-Type": "application/json"}, json.dumps(self.front.metadata).encode())
        else:
            self.answer(404, {}, b"")

    def do_POST(self):
        endpoint = self.path.strip("/")
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        exchange = {"endpoint": endpoint, "form": form, "is_real": endpoint not in self.front.instead}
        if not exchange["is_real"]:
            answer = self.front.instead[endpoint](form)
        elif self.front.targets.get(endpoint):
            headers = {
                name: self.headers[name] for name in ["Content-Type", "Authorization", "Accept"] if self.headers[name]
            }
            reply = requests.post(self.front.targets[endpoint], data=body, headers=headers, timeout=60)
            kept = {name: reply.headers[name] for name in ["Content-Type"] if name in reply.headers}
            answer = (reply.status_code, kept, reply.content)
        else:
            answer = (404, {}, b"")
        self.front.exchanges.append(exchange | {"status": answer[0], "body": answer[2]})
        self.answer(*answer)

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
