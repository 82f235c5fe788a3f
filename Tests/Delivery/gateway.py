"""A guarded door to a FHIR server, signed in to by an identity server; neither server is written by this project.

    /fhir                        passed on to the FHIR server
    /fhir/api/v1/observations    creates what a Bundle holds, once for each Idempotency-Key

Every request below /fhir needs a token that the identity server has signed and has not revoked. OAuth requests are
passed on as by `Front`. At the second door the FHIR server assigns all ids, and would store again whatever comes under
another key.
"""

import collections
import hashlib
import json
import sys
import threading
from pathlib import Path

import requests
from jwcrypto import jwk, jwt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "SignIn"))
from front import Front, Handler
from rigs import PATIENCE, SCOPES

PUBLIC = "/fhir/.well-known/smart-configuration"
DOOR = "/fhir/api/v1/observations"
KEPT = ["Content-Type", "ETag", "Location", "Last-Modified"]


class Gateway(Front):
    """`with Gateway(rig, fhir) as gateway: … gateway.server …`; `fhir` is a RealServer."""

    def __init__(self, rig, fhir):
        self.fhir = fhir
        self.connection = threading.local()
        self.lock = threading.Lock()
        super().__init__(rig)
        self.keys = jwk.JWKSet.from_json(requests.get(self.metadata["jwks_uri"], timeout=PATIENCE).text)

    def handler(self):
        return GatewayHandler

    def reset(self):
        super().reset()
        self.posts = []  # (entry count, status) of each Bundle, refused ones too
        self.created = collections.Counter()  # types of what the second door has created
        self.answers = {}  # Idempotency-Key → digest of the body, answer
        self.working = set()  # keys whose Bundle is being processed
        # Called with each Bundle's token before the token is checked: a test can make something happen here.
        self.before_post = lambda token: None
        # Called with each answer before it is sent; what it returns is sent instead, and None cuts the connection.
        self.after_post = lambda answer: answer
        self.accepts = True  # or whatever token comes, it is for somebody else

    # ---- tokens

    def refuses(self, token):
        """Why the token is not one of ours, or None."""
        if not self.accepts:
            return "invalid_token"
        try:
            checked = jwt.JWT(expected_type="JWS")
            checked.leeway = 0
            checked.deserialize(token, self.keys)
            claims = json.loads(checked.claims)
        except Exception:
            return "invalid_token"
        if claims["iss"] != self.rig.issuer or not self.rig.is_active(token):
            return "invalid_token"
        return None if SCOPES[-1] in claims["scope"].split() else "insufficient_scope"

    def take_back(self, token):
        """The identity server revokes an access token and nothing else."""
        requests.post(
            self.metadata["revocation_endpoint"], data={"token": token, "token_type_hint": "access_token"},
            headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE,
        ).raise_for_status()
        assert not self.rig.is_active(token)

    # ---- the FHIR server

    def ask(self, method, path, body=None, headers=None):
        """Passes a request on, with the one token that the FHIR server knows."""
        if not hasattr(self.connection, "session"):
            self.connection.session = requests.Session()
        reply = self.connection.session.request(
            method, self.fhir.base + path, data=body, headers={**(headers or {}), **self.fhir.headers}, timeout=PATIENCE,
        )
        return reply.status_code, {name: reply.headers[name] for name in KEPT if name in reply.headers}, reply.content

    def create(self, key, body):
        """The second door: the same key and body get the same answer, and nothing is stored again."""
        digest = hashlib.sha256(body).digest()
        with self.lock:
            if key in self.answers:
                before, answer = self.answers[key]
                return answer if before == digest else refusal(422, "business-rule")
            if key in self.working:
                return refusal(409, "conflict")
            self.working.add(key)
        try:
            bundle = json.loads(body)
            for entry in bundle["entry"]:
                entry["request"].pop("ifNoneExist", None)
            answer = self.ask("POST", "", json.dumps(bundle).encode())
            with self.lock:
                if answer[0] == 200:
                    self.answers[key] = digest, answer
                    kinds = [e["resource"]["resourceType"] for e in bundle["entry"] if e["request"]["method"] == "POST"]
                    self.created.update(kinds)
            return answer
        finally:
            with self.lock:
                self.working.discard(key)


class GatewayHandler(Handler):
    # Two small writes and delayed acknowledgements would cost 40 ms each.
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        if self.path == PUBLIC or not self.path.startswith("/fhir"):
            return super().do_GET()
        self.guarded(b"")

    def do_PUT(self):
        self.guarded(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def do_POST(self):
        if not self.path.startswith("/fhir"):
            return super().do_POST()
        self.guarded(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def guarded(self, body):
        gateway = self.front
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        is_post = self.command == "POST"
        if is_post:
            gateway.before_post(token)
        complaint = "invalid_token" if kind != "Bearer" else gateway.refuses(token)
        if complaint:
            answer = refusal(403 if complaint == "insufficient_scope" else 401, "security")
            answer[1]["WWW-Authenticate"] = f'Bearer error="{complaint}"'
        elif self.path == DOOR:
            answer = gateway.create(self.headers["Idempotency-Key"], body)
        else:
            headers = {name: self.headers[name] for name in ["If-Match", "Accept", "Prefer"] if self.headers[name]}
            answer = gateway.ask(self.command, self.path.removeprefix("/fhir"), body or None, headers)
        if is_post:
            with gateway.lock:
                gateway.posts.append((len(json.loads(body)["entry"]), answer[0]))
            answer = gateway.after_post(answer)
        if answer is None:
            self.close_connection = True
            return self.connection.close()
        self.answer(*answer)
        self.wfile.flush()


def refusal(status, code):
    body = {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": code}]}
    return status, {"Content-Type": "application/fhir+json"}, json.dumps(body).encode()
