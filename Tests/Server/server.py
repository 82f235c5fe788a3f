"""Starts `pghd serve` for a test, and signs in with an OAuth client not written by this project."""

import json
import subprocess
import sys
import urllib.parse
from pathlib import Path

from authlib.integrations.requests_client import OAuth2Session

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import PGHD, ROOT, until  # noqa: F401 (the tests have them from here)

REDIRECT = "http://127.0.0.1:49321/callback"


class Server:
    """One `pghd serve` on a port of the system's choice; ends with the `with` block."""

    def __init__(self, *arguments, port=0):
        self.process = subprocess.Popen(
            [PGHD, "serve", "--port", str(port), "--json", *arguments], stdout=subprocess.PIPE, text=True
        )
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"pghd serve ended with {self.process.wait()}")
        self.addresses = json.loads(line)
        self.fhir = self.addresses["fhirBase"]
        self.issuer = self.addresses["issuer"]
        self.root = self.fhir.removesuffix("/fhir")
        self.port = urllib.parse.urlsplit(self.fhir).port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def session(server, scope="patient/*.cruds observations.write offline_access", **options):
    """An OAuth client that checks PKCE and state itself."""
    return OAuth2Session(
        "pghd",
        scope=scope,
        redirect_uri=REDIRECT,
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
        token_endpoint=f"{server.issuer}/token",
        **options,
    )


def sign_in(server, scope="patient/*.cruds observations.write offline_access", **options):
    """Signs in without a page (--auto-approve) and returns the session with its token."""
    client = session(server, scope, **options)
    verifier = "v" * 64
    url, state = client.create_authorization_url(
        f"{server.issuer}/authorize", code_verifier=verifier, aud=server.fhir
    )
    answer = client.get(url, withhold_token=True, allow_redirects=False)
    assert answer.status_code == 303, answer.text
    client.fetch_token(
        f"{server.issuer}/token", authorization_response=answer.headers["Location"], state=state,
        code_verifier=verifier,
    )
    return client


def observation(identifier, value="72", patient="demo", system="urn:example:ids", **more):
    """A heart rate, as text: a JSON library would make the value a float."""
    extra = "".join(f',"{name}":{json.dumps(content)}' for name, content in more.items())
    return (
        '{"resourceType":"Observation","identifier":[{"system":"%s","value":"%s"}],"status":"final",'
        '"code":{"coding":[{"system":"http://loinc.org","code":"8867-4"}]},'
        '"subject":{"reference":"Patient/%s"},"effectiveDateTime":"2024-05-01T08:00:00Z",'
        '"valueQuantity":{"value":%s,"unit":"beats/minute","system":"http://unitsofmeasure.org","code":"/min"}%s}'
        % (system, identifier, patient, value, extra)
    )


def transaction(*entries):
    """A transaction of (method, url, resource text)."""
    texts = [
        '{"resource":%s,"request":{"method":"%s","url":"%s"}}' % (resource, method, url)
        for method, url, resource in entries
    ]
    return '{"resourceType":"Bundle","type":"transaction","entry":[%s]}' % ",".join(texts)


FHIR_JSON = {"Content-Type": "application/fhir+json"}
